"""The C library: loaded once, called through declarations made from its public headers."""

from __future__ import annotations

import sys
from pathlib import Path
from typing import Any

from ._abi import ffi as _ffi

ffi: Any = _ffi
HERE = Path(__file__).parent
LIBRARY = HERE / ("libbristle_python" + {"win32": ".dll", "darwin": ".dylib"}.get(sys.platform, ".so"))
TOOL = HERE / ("bristle-tool" + (".exe" if sys.platform == "win32" else ""))
lib: Any = ffi.dlopen(str(LIBRARY))

NULL = ffi.NULL


def text(pointer: Any) -> str:
    """A C string; an absent one is empty."""
    return "" if pointer == NULL else ffi.string(pointer).decode("utf-8", "replace")


LOADS = tuple(text(lib.bristle_load_text(load)) for load in range(3))
MODES = tuple(text(lib.bristle_mode_text(mode)) for mode in range(3))


def name_bytes(name: str) -> bytes:
    """A name for C, which ends at the first zero byte."""
    if not isinstance(name, str):
        raise TypeError(f"a name must be a string, got {name!r}")
    return name.encode("utf-8", "replace").replace(b"\0", b"?")
