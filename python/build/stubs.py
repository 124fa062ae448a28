"""Writes the types of the laws, laws.pyi, from the tables: each a class with its parameters as keywords and attributes.

stubs.py TOOL OUT.pyi
"""

import json
import subprocess
import sys
from pathlib import Path

HEAD = '''"""The laws, generated from the tables of the library."""

from collections.abc import Sequence

from numpy.typing import NDArray
import numpy as np

from .law import Law

Number = float | str
Numbers = float | str | Sequence[float | str] | NDArray[np.float64]

'''


def law_class(law: dict) -> str:
    """One class: name, constructor with keywords, attributes."""
    lines = [f"class {law['name']}(Law):", f'    """{law["title"]}"""', "    def __init__(self, *,"]
    for row in law["parameters"]:
        kind = "Numbers" if row["count"] > 1 else "int" if row["kind"] == "option" else "Number"
        lines.append(f"        {row['name']}: {kind} = ...,")
    lines.append("        load: str | None = None, rotary: bool | None = None) -> None: ...")
    for row in law["parameters"]:
        kind = "NDArray[np.float64]" if row["count"] > 1 else "float"
        lines += ["    @property", f"    def {row['name']}(self) -> {kind}: ..."]
    return "\n".join(lines) + "\n"


def main() -> None:
    tables = json.loads(subprocess.run([sys.argv[1], "models", "--json"], capture_output=True, check=True).stdout)
    laws = tables["models"] if isinstance(tables, dict) else tables
    names = ", ".join(f'"{law["name"]}"' for law in laws)
    Path(sys.argv[2]).write_text(HEAD + f"__all__ = [{names}]\n\n" + "\n".join(map(law_class, laws)))


if __name__ == "__main__":
    main()
