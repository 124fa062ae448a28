"""Records from anything: paths, pandas, polars, mappings of arrays, NumPy arrays; as the CSV that the tool reads."""

from __future__ import annotations

import csv
import io
import os
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from ._library import ffi, lib
from .errors import ParameterError, ShapeError, unknown

Columns = dict[str, Any]  # NumPy arrays of one dimension


def is_path(data: Any) -> bool:
    """A file that is already there."""
    return isinstance(data, (str, os.PathLike))


def columns(data: Any) -> Columns:
    """Names and values."""
    if hasattr(data, "to_dict") and hasattr(data, "get_column"):  # polars
        return {str(name): _plain(data.get_column(name), data.get_column(name).to_list) for name in data.columns}
    if hasattr(data, "reset_index") and hasattr(data, "columns"):  # pandas
        frame = data.reset_index() if data.index.name is not None else data
        return {str(name): _plain(frame[name], frame[name].tolist) for name in frame.columns}
    if isinstance(data, Mapping):
        return {str(name): _column(str(name), values) for name, values in data.items()}
    if isinstance(data, np.ndarray) and data.dtype.names:
        return {name: _column(name, data[name]) for name in data.dtype.names}
    raise ParameterError(
        "data: expected the path of a log, a pandas or polars DataFrame, a mapping of names to arrays, or a structured "
        f"array; got {type(data).__name__}"
    )


def _plain(series: Any, items: Callable[[], list[Any]]) -> Any:
    """Numbers as they lie in memory; gaps among whole numbers, dates and texts one by one."""
    array = series.to_numpy()
    gaps = series.null_count() if hasattr(series, "null_count") else 0
    return array if array.dtype.kind in "fiu" and not gaps else np.array([*items(), None], object)[:-1]


def _column(name: str, values: Any) -> Any:
    masked = isinstance(values, np.ma.MaskedArray) and np.ma.is_masked(values)
    array = values.astype(float).filled(np.nan) if masked else np.asarray(values)  # masked values are gaps
    if array.ndim != 1:
        raise ShapeError(f"column {name!r}: expected one dimension, got shape {array.shape}")
    return array


def _text(value: Any) -> str:
    return "" if value is None or (isinstance(value, (float, np.floating)) and value != value) else str(value)


def to_csv(data: Any, units: Mapping[str, str] | None = None) -> bytes:
    """The table as text: what `DataFrame.to_csv(index=False)` writes, with the units in the header."""
    table = columns(data)
    for name in units or {}:
        if name not in table:
            raise unknown("units: there is no column", name, table)
    lengths = {name: len(values) for name, values in table.items()}
    if len(set(lengths.values())) > 1:
        raise ShapeError(f"the columns have different lengths: {lengths}")
    if not table:
        raise ParameterError("data: there are no columns")
    heads = [f"{name} [{units[name]}]" if units and name in units else name for name in table]
    head = io.StringIO()
    csv.writer(head, lineterminator="\n").writerow(heads)
    arrays = [np.asarray(values) for values in table.values()]
    numbers = all(array.dtype == np.float64 or array.dtype.kind in "iu" for array in arrays)
    return head.getvalue().encode() + (_number_lines if numbers else _lines)(arrays)


def _lines(arrays: list[Any]) -> bytes:
    """Rows of anything."""
    texts = [[_text(v) for v in (array.tolist() if array.dtype != np.float32 else array)] for array in arrays]
    return "".join(",".join(row) + "\n" for row in zip(*texts, strict=True)).encode()


def _number_lines(arrays: list[Any]) -> bytes:
    """Rows of numbers, by the library: the same bytes, fifty times as fast."""
    real, whole = ffi.new("double *[]", len(arrays)), ffi.new("int64_t *[]", len(arrays))
    kept = []
    for i, array in enumerate(arrays):
        kind = np.float64 if array.dtype.kind == "f" else np.int64
        if array.dtype == np.uint64 and array.size and array.max() > np.iinfo(np.int64).max:
            return _lines(arrays)
        plain = np.ascontiguousarray(array, kind)
        target, memory = (real, "double[]") if kind is np.float64 else (whole, "int64_t[]")
        kept.append(ffi.from_buffer(memory, plain))
        target[i] = kept[-1]
    made = ffi.new("bristle_lines *")
    if not lib.bristle_lines_write(len(arrays[0]), len(arrays), real, whole, os.cpu_count() or 1, made):
        raise MemoryError("the table does not fit into memory as text")
    try:
        return bytes(ffi.buffer(made.start, made.size))
    finally:
        lib.bristle_lines_free(made)


File = tuple[str, bytes | None]  # a name, and the text of what is only in memory


class Records:
    """One record or several, and perhaps one for validation, as files that the tool can read."""

    rig: Any = None  # the scenario whose motion they are, where it is simulated

    def __init__(
        self, data: Any, units: Mapping[str, str] | None = None, name: str = "data.csv", validate: Any = None
    ) -> None:
        several = list(data) if isinstance(data, (list, tuple)) else [data]
        if not several:
            raise ParameterError("data: an empty list; give one record or several")
        if units and all(map(is_path, several)):
            raise ParameterError("units= belongs to data in memory; a file says its units in its header")
        stem, suffix = os.path.splitext(name)
        labels = [name] if len(several) == 1 else [f"{stem}{i + 1}{suffix}" for i in range(len(several))]
        self.files = [_file(each, units, label) for each, label in zip(several, labels, strict=True)]
        self.check = None if validate is None else _file(validate, units, f"validation{suffix}")

    @classmethod
    def again(cls, file: File) -> Records:
        """A record of an earlier call."""
        made = cls.__new__(cls)
        made.files, made.check = [file], None
        return made

    def place(self, folder: Path) -> tuple[list[str], str | None, Path | None]:
        """Writes what is in memory. The names for the tool, that of the validation record, and where to run it: beside
        the files where all were in memory, so that it sees their plain names."""
        for name, text in [*self.files, *([self.check] if self.check else [])]:
            if text is not None:
                Path(folder, name).write_bytes(text)
        inside = all(text is not None for _, text in self.files)

        def called(file: File) -> str:
            name, text = file
            if text is not None:
                return name if inside else str(Path(folder, name))
            return os.path.abspath(name) if inside else name

        check = called(self.check) if self.check else None
        return [called(file) for file in self.files], check, folder if inside else None


def _file(data: Any, units: Mapping[str, str] | None, label: str) -> File:
    return (os.fspath(data), None) if is_path(data) else (label, to_csv(data, units))
