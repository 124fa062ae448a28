"""Models for other tools: firmware, FMUs, robots; the formats are those of `bristle export`."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

from . import tool
from .errors import ParameterError

# where a file's ending tells the format; .xml does not
ENDINGS = {".c": "c99", ".fmu": "fmu3", ".json": "json", ".ssv": "ssv", ".mo": "modelica"}


def export(text: str, path: str | os.PathLike[str], to: str | None, options: dict[str, Any]) -> list[str]:
    """Writes the model file `text` as another format; returns what the target cannot represent, in sentences."""
    ending = Path(path).suffix
    form = to or ENDINGS.get(ending)
    if form is None:
        known = ", ".join(f"{end} ({name})" for end, name in ENDINGS.items())
        raise ParameterError(
            f"{os.fspath(path)}: the ending {ending!r} does not tell the format; it is told by {known}; "
            'or name it: to="mujoco", "urdf", "sdf", "isaac", "fmu2", "library"'
        )
    with tool.folder() as folder:
        model = Path(folder, "model.yaml")
        model.write_text(text, encoding="utf-8")
        words = ["export", str(model), "--to", form, "-o", os.path.abspath(path), "--json", *tool.options(options)]
        answer = tool.run(words)
    if answer.code:
        raise tool.refuse(answer, "export")
    lost: list[str] = json.loads(answer.output)["lost"]
    return lost
