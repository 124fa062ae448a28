"""Many logs of many axes: one model for each, as a table, and the axes whose friction has changed."""

from __future__ import annotations

import csv
import json
import os
from pathlib import Path
from typing import Any

import numpy as np

from . import tool
from .errors import unknown
from .logs import _need

_TEXTS = ("axis", "day", "status", "law", "file", "doubt")


class Fleet:
    """The logs of a fleet. `fleet["fc"]` is a column over all logs, `fleet["fc_std"]` its deviations (infinite: not
    determined, NaN: there is none); `fleet.summary` is what the tool says of each axis."""

    def __init__(self, columns: dict[str, Any], summary: str) -> None:
        self.columns, self.json = columns, summary
        self.summary: dict[str, Any] = json.loads(summary)

    def __getitem__(self, name: str) -> Any:
        if name not in self.columns:
            raise unknown("this fleet has no column", name, self.columns)
        return self.columns[name]

    def __len__(self) -> int:
        return len(self.columns["axis"])

    def to_pandas(self) -> Any:
        """A row for each log, as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.columns)

    def to_parquet(self, path: str | os.PathLike[str]) -> None:
        """Writes a row for each log as a Parquet file, which appears when it is whole."""
        arrow, parquet = _need("pyarrow", "pyarrow", "parquet"), _need("pyarrow.parquet", "pyarrow", "parquet")
        fresh = f"{os.fspath(path)}.{os.getpid()}"
        parquet.write_table(arrow.table({name: list(values) for name, values in self.columns.items()}), fresh)
        os.replace(fresh, path)

    def __repr__(self) -> str:
        return f"<fleet of {len(self)} logs of {len(set(self.columns['axis']))} axes>"


def fleet(
    manifest: str | os.PathLike[str],
    folder: str | os.PathLike[str] | None = None,
    *,
    progress: tool.Progress = None,
    **options: Any,
) -> Fleet:
    """Fits the logs of many axes over many days; `bristle fleet --help` tells how.

    manifest   a table with the columns file, axis and day, or a pattern of files: "logs/*_*.csv"
    folder     where the tables go; axes that are there, of the same logs, are not fitted again
    Every option of `bristle fleet` is a keyword: model="stribeck,lugre", mass=True, false_alarms=0.001, threads=4.
    """
    if folder is None:
        with tool.folder() as place:
            return fleet(manifest, place, progress=progress, **options)
    place = Path(os.path.abspath(folder))
    words = ["fleet", os.path.abspath(manifest), "-o", str(place), "--json", *tool.options(options)]
    answer = tool.run(words, None, progress)
    if answer.code:
        raise tool.refuse(answer, "fleet")
    axes = [axis["name"] for axis in json.loads(answer.output)["axes"]]
    return Fleet(_columns([place / f"axis-{name}.csv" for name in axes]), answer.output)


def _columns(files: list[Path]) -> dict[str, Any]:
    rows: list[dict[str, str]] = []
    for file in files:
        with file.open(newline="", encoding="utf-8") as stream:
            next(stream)  # what it was made of
            rows += list(csv.DictReader(stream))
    names = list(rows[0]) if rows else ["axis"]
    return {
        name: np.array([row[name] for row in rows], dtype=str)
        if name in _TEXTS
        else np.array([float(row[name] or "nan") for row in rows])
        for name in names
    }
