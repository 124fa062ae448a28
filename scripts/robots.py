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


class Arm:
    """A robot that moves by itself: servos, friction and rotors, all joints coupled, in short steps."""

    def __init__(self, robot, friction, armature, gain, damping, delay):
        self.robot, self.friction, self.armature = robot, friction, armature
        self.gain, self.damping, self.delay = gain, damping, delay

    def run(self, target, seconds, step=5e-4, every=10):
        """Rows of (t, positions, targets), by the midpoint rule. M u + h friction(u) = right, the middle of a step, is the least of a
        convex sum: joint after joint."""
        n, robot = self.robot.count, self.robot
        q, v, rows = [target(k, 0) for k in range(n)], [0.0] * n, []
        zero, half = [0.0] * n, step / 2
        for i in range(int(seconds / step) + 1):
            t = i * step
            if i % every == 0:
                rows.append((t, q[:], [target(k, t) for k in range(n)]))
            mass = robot.call('bristle_bodies_mass', n * n, q)
            bias = robot.call('bristle_bodies_torques', n, q, v, zero)
            aims = [target(k, t + half - self.delay[k]) for k in range(n)]
            right, own = [], []
            for k in range(n):
                mass[k * n + k] += self.armature[k]
                right.append(sum(mass[k * n + j] * v[j] for j in range(n)) + half * (self.gain[k] * (aims[k] - q[k]) - bias[k]))
                own.append(half * (self.friction[k]['sigma2'] + self.damping[k]) + half * half * self.gain[k])
            u = v[:]
            for _ in range(30):
                far = 0
                for k in range(n):
                    rest = right[k] - sum(mass[k * n + j] * u[j] for j in range(n) if j != k)
                    level = half * self.friction[k]['fc']
                    new = 0.0 if abs(rest) <= level else (rest - (level if rest > 0 else -level)) / (mass[k * n + k] + own[k])
                    far, u[k] = max(far, abs(new - u[k])), new
                if far < 1e-9:
                    break
            v = [2 * w - old if w else 0.0 for w, old in zip(u, v)]
            q = [x + step * w for x, w in zip(q, u)]
        return rows
