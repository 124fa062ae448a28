"""Robots as src/robot reads them, for tests and studies (scripts/test-robot.py, scripts/study-robots.py)."""
import ctypes
import os
import pathlib
import subprocess

ROOT = pathlib.Path(__file__).resolve().parent.parent

TREE = 256 + 64  # bytes of a bristle_robot before its tree
BODY = 2 * 4 + 9 * 8 + 3 * 8 + 3 * 8 + 10 * 8
JOINT = 64 + 9 * 8


def build_library(build):
    """No library shows these functions: their files become one of their own, beside the objects of the build."""
    out, names = pathlib.Path(build) / 'test' / 'robot.so', ('tree', 'robot', 'urdf', 'mjcf', 'xml')
    out.parent.mkdir(exist_ok=True)
    subprocess.run([os.environ.get('CC', 'cc'), '-std=gnu11', '-O2', '-ffp-contract=off', '-fno-math-errno', '-shared', '-fPIC',
                    f'-I{ROOT}/include', f'-I{ROOT}/src', *[f'{ROOT}/src/robot/{name}.c' for name in names],
                    f'{build}/libbristle_inside.a', '-o', out, '-lyaml', '-lm', '-lpthread'], check=True)
    return out


def open_library(path):
    return ctypes.CDLL(str(path))


def vector(draw, size):
    return ' '.join(f'{draw.uniform(-size, size):.9g}' for _ in range(3))


class Robot:
    def __init__(self, lab, path):
        self.lab, self.memory = lab, ctypes.create_string_buffer(1 << 18)
        fault = ctypes.create_string_buffer(4096)
        if lab.bristle_robot_read(str(path).encode(), self.memory, fault):
            raise SystemExit(f'{path}: {fault.raw[280:].split(bytes(1))[0]!r}')
        self.tree = ctypes.byref(self.memory, TREE)
        self.count = ctypes.c_int.from_buffer(self.memory, TREE).value

    def call(self, name, size, *states):
        out = (ctypes.c_double * size)()
        getattr(self.lab, name)(self.tree, *[(ctypes.c_double * self.count)(*state) for state in states], out)
        return list(out)

    def names(self):
        start = TREE + 4 + 4 + 3 * 8 + 64 * BODY
        return [self.memory[start + k * JOINT:start + k * JOINT + 64].split(b'\0')[0].decode() for k in range(self.count)]
