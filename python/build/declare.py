"""Writes what cffi needs to call the library: the public headers, through the preprocessor, with empty system headers.

declare.py CC SOURCE OUT.py
"""

import subprocess
import sys
import tempfile
from pathlib import Path

import cffi

HEADERS = ["bristle", "network", "vector", "planar", "joint", "steprule", "cuda", "text", "io", "sim", "scenario"]
SYSTEM = ["stddef.h", "stdint.h", "stdio.h", "stdlib.h", "stdarg.h", "math.h", "string.h"]


def preprocess(compiler: str, source: Path) -> str:
    """The declarations of the headers, without attributes, pragmas and what the system's own headers declare."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SYSTEM:
            Path(folder, name).touch()
        text = "".join(f'#include "bristle/{name}.h"\n' for name in HEADERS)
        text += "".join(f'#include "{name}.h"\n' for name in ("each", "run", "lines", "capsule"))
        command = [compiler, "-E", "-P", "-nostdinc", f"-I{folder}", f"-I{source / 'include'}"]
        command += [f"-I{source / 'python' / 'native'}", "-D__attribute__(x)=", "-DBRISTLE_BEGIN=", "-DBRISTLE_END="]
        done = subprocess.run([*command, "-"], input=text, capture_output=True, text=True, check=False)
    if done.returncode:
        sys.exit(f"declare.py: {compiler} could not read the headers:\n{done.stderr}")
    return "\n".join(line for line in done.stdout.splitlines() if not line.startswith("#pragma"))


def main() -> None:
    compiler, source, out = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
    builder = cffi.FFI()
    builder.set_source("bristle._abi", None)
    builder.cdef(preprocess(compiler, source))
    out.parent.mkdir(parents=True, exist_ok=True)
    builder.emit_python_code(str(out))
    out.write_text("# mypy: ignore-errors\n" + out.read_text())


if __name__ == "__main__":
    main()
