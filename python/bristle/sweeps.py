"""Many runs and many fits: on this machine, or on the workers of a Dask cluster, to the same bytes."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Mapping
from concurrent.futures import ThreadPoolExecutor
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np

from . import tool
from .errors import BristleError, FileError, ParameterError, unknown
from .fits import Fit, identify
from .logs import read_log

_READ_HERE = (".parquet", ".mcap", ".h5", ".hdf5", ".npz")


class Sweep:
    """The runs of a sweep. `sweep["period"]` is a column, `sweep.rows` are all, `sweep.summary` is the tool's."""

    def __init__(self, folder: Path, summary: str) -> None:
        self.folder, self.json = folder, summary
        self.summary: dict[str, Any] = json.loads(summary)
        self._rows: Any = None

    @property
    def rows(self) -> Any:
        """A structured array with a row for each run."""
        if self._rows is None:
            self._rows = np.concatenate([np.load(file) for file in sorted(self.folder.glob("chunk-*.npy"))])
        return self._rows

    def __getitem__(self, name: str) -> Any:
        if name not in self.rows.dtype.names:
            raise unknown("this sweep has no column", name, self.rows.dtype.names)
        return self.rows[name]

    def __len__(self) -> int:
        return len(self.rows)

    def to_pandas(self) -> Any:
        """The rows as a DataFrame."""
        import pandas as pd

        return pd.DataFrame({name: self.rows[name] for name in self.rows.dtype.names if self.rows[name].ndim == 1})

    def __repr__(self) -> str:
        return f"<sweep of {len(self)} runs in {self.folder}: {', '.join(self.rows.dtype.names)}>"


def sweep(
    spec: str | os.PathLike[str] | Mapping[str, Any],
    folder: str | os.PathLike[str] | None = None,
    *,
    client: Any = None,
    tasks: int = 100,
    threads: int | None = None,
    retries: int = 3,
    device: str = "cpu",
    progress: tool.Progress = None,
) -> Sweep:
    """Runs a scenario with other values of its keys; `bristle sweep --help` lists the keys of a spec.

    spec      its file, or the spec itself; paths in the latter are seen from where Python runs
    folder    where the results go. What is there of the same sweep is not computed again. Without it the rows are in
              memory only
    client    a dask.distributed.Client: `tasks` shards on its workers, each with one thread, which must see the folder.
              A worker that dies loses nothing: its tasks run again and find the chunks that are there
    device    "cuda": specs with engine: ensemble run on a GPU, to the same bytes (docs/scale.md)
    """
    if folder is None:
        with tool.folder() as place:
            more: dict[str, Any] = {"threads": threads, "retries": retries, "device": device, "progress": progress}
            made = sweep(spec, place, client=client, tasks=tasks, **more)
            made._rows = made.rows  # while they are there
            return made
    place = Path(os.path.abspath(folder))
    place.mkdir(parents=True, exist_ok=True)
    file = _spec_file(spec, place)
    if client is not None:
        shards = [f"{i}/{tasks}" for i in range(1, tasks + 1)]
        call = partial(_shard, str(file), str(place), device)
        client.gather(client.map(call, shards, retries=retries, pure=False))
    words = ["--device", device] + ([] if threads is None else ["--threads", str(threads)])
    answer = tool.run(["sweep", str(file), "-o", str(place), "--json", *words], None, progress)
    if answer.code:
        raise tool.refuse(answer, "sweep")
    return Sweep(place, answer.output)


def _spec_file(spec: Any, folder: Path) -> Path:
    if not isinstance(spec, Mapping):
        path = Path(os.path.abspath(spec))
        if not path.is_file():
            raise FileError(f"{spec}: there is no such file; a spec is a file or a dict")
        return path
    given = dict(spec)
    if isinstance(given.get("scenario"), (str, os.PathLike)):
        given["scenario"] = os.path.abspath(given["scenario"])
    if isinstance(given.get("identification"), Mapping):
        given["identification"] = _seen_from_here(given["identification"])
        given["keys"] = _seen_from_here(given.get("keys", {}))
    path, fresh = folder / "spec.json", folder / f"spec.json.{os.getpid()}"
    try:
        fresh.write_text(json.dumps(given, indent=1) + "\n", encoding="utf-8")
    except TypeError as error:
        raise ParameterError(f"the spec holds what no file can: {error}") from None
    os.replace(fresh, path)
    return path


def _seen_from_here(keys: Mapping[str, Any]) -> dict[str, Any]:
    """The same with the log, or the list of logs, by its whole path."""
    file = keys.get("file")
    if isinstance(file, (str, os.PathLike)):
        return {**keys, "file": os.path.abspath(file)}
    return {**keys, "file": [os.path.abspath(name) for name in file]} if isinstance(file, list) else dict(keys)


def _shard(file: str, folder: str, device: str, shard: str) -> None:
    words = ["--shard", shard, "--device", device, "--threads", "1", "--quiet"]
    answer = tool.run(["sweep", file, "-o", folder, *words])
    if answer.code:
        raise tool.refuse(answer, "sweep")


def identify_many(
    logs: Iterable[Any], *, client: Any = None, retries: int = 3, **options: Any
) -> list[Fit | BristleError]:
    """`identify` of each log with the same options, side by side; in the order of the logs. A log that was refused has
    its exception there, and the others their fits. Files that the tool does not read itself (Parquet, MCAP, HDF5, npz)
    go through `read_log`. `client` is a dask.distributed.Client whose workers see the files.
    """
    call, given = partial(_fit, options), list(logs)
    if client is not None:
        answers = client.gather(client.map(call, given, retries=retries, pure=False))
    else:
        with ThreadPoolExecutor(os.cpu_count()) as pool:
            answers = list(pool.map(call, given))
    return list(answers)


def _fit(options: dict[str, Any], log: Any) -> Fit | BristleError:
    threads = {"threads": 1} if "threads" not in options else {}
    try:
        if isinstance(log, (str, os.PathLike)) and Path(log).suffix.lower() in _READ_HERE:
            log = read_log(log)
        return identify(log, **{**options, **threads})
    except BristleError as error:
        return error
