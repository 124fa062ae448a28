"""Model files: YAML or JSON, read by the library."""

from __future__ import annotations

import json
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
    data = json.dumps({"file": os.path.abspath(name)}, ensure_ascii=False).encode("utf-8", "surrogateescape")
    place, fault = ffi.new("bristle_document **"), ffi.new("bristle_fault *")
    raise_fault(lib.bristle_document_parse(b"bristle.load", data, len(data), place, fault), fault)
    document = ffi.gc(place[0], lib.bristle_document_free)
    friction, wanted = ffi.new("bristle_friction *"), ffi.new("bristle_friction_wanted *")
    wanted.dim, wanted.rotary, wanted.load = 1, lib.BRISTLE_LINEAR_OR_ROTARY, ffi.NULL
    raise_fault(lib.bristle_friction_read(lib.bristle_document_root(document), wanted, friction, fault), fault)
    values = np.array(list(friction.p[0 : friction.info.nparam]), np.float64)
    law = ffi.string(friction.law.name).decode()
    return _restore(law, int(friction.load), bool(friction.rotary), values.tobytes())


def from_yaml(text: str) -> Law:
    """The law of a model file that is already in memory; JSON is a part of YAML."""
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder, "model.yaml")
        path.write_text(text, encoding="utf-8")
        return load(path)
