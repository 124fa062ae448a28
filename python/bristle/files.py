"""Model files: YAML or JSON, read by the library."""

from __future__ import annotations

import os
import tempfile
from pathlib import Path

import numpy as np

from ._library import ffi, lib
from .errors import FileError, raise_fault
from .law import Law, _restore


def load(path: str | os.PathLike[str]) -> Law:
    """The law of a model file, as `identify` or `law.save` writes it."""
    name = os.fspath(path)
    if not isinstance(name, str) or "\0" in name:
        raise FileError(f"{name!r} is no name of a file")
    friction, fault = ffi.new("bristle_friction *"), ffi.new("bristle_fault *")
    place = os.fsencode(os.path.abspath(name))
    raise_fault(lib.bristle_friction_file_read(place, ffi.NULL, friction, fault), fault)
    values = np.array(list(friction.p[0 : friction.info.nparam]), np.float64)
    law = ffi.string(friction.law.name).decode()
    return _restore(law, int(friction.load), bool(friction.rotary), values.tobytes())


def from_yaml(text: str) -> Law:
    """The law of a model file that is already in memory; JSON is a part of YAML."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.yaml")
        path.write_text(text, encoding="utf-8")
        return load(path)
