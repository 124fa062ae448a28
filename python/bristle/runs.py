"""Scenarios: a rig with friction, from a file or a dict; results as arrays."""

from __future__ import annotations

import json
import os
import shutil
from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import numpy as np

from . import tool
from ._library import ffi, lib, text
from .arrays import Array
from .errors import FileError, ParameterError, ToolError, raise_fault, unknown
from .law import Law

EVENTS = ("reversal", "stick", "slip")
ENERGIES = ("work_in", "stored", "dissipated", "friction", "residual", "work_done", "given_back")


class Run:
    """A simulated run: `run.t`, `run["x"]`, `run.events`, `run.energy`, `run.plot()`."""

    def __init__(
        self,
        source: Source,
        names: list[str],
        units: list[str],
        rows: Array,
        events: list[tuple[float, str]],
        stats: dict[str, Any],
        warnings: list[str],
    ) -> None:
        self.source, self.names, self.units = source, tuple(names), dict(zip(names, units, strict=True))
        self.rows, self.events, self.stats, self.warnings = rows, events, stats, warnings

    @property
    def t(self) -> Array:
        """The times of the rows."""
        return np.asarray(self.rows[:, 0])

    def __getitem__(self, name: str) -> Array:
        if name not in self.names:
            raise unknown("there is no column", name, self.names)
        return np.asarray(self.rows[:, self.names.index(name)])

    @property
    def energy(self) -> dict[str, float]:
        """Where the energy went, in J."""
        return {name: self.stats[name] for name in ENERGIES}

    def to_pandas(self) -> Any:
        """The rows as a DataFrame; units are in `attrs`."""
        import pandas as pd

        frame = pd.DataFrame(self.rows, columns=list(self.names))
        frame.attrs["units"] = self.units
        return frame

    def plot(self, *names: str, ax: Any = None) -> Any:
        """Columns over time, without names position, velocity and friction; needs matplotlib. Returns the axes."""
        from .pictures import axes

        chosen = list(names) or [name for name in self.names if name not in ("t", "mode")][:3]
        made = axes(ax, len(chosen))
        for target, name in zip(made, chosen, strict=True):
            target.plot(self.t, self[name])
            target.set(xlabel="t [s]", ylabel=f"{name} [{self.units[name]}]")
        return made

    def report(self, path: str | os.PathLike[str]) -> None:
        """A page with pictures, in one file that needs nothing else; it is simulated again for it."""
        with tool.folder() as folder:
            command = ["simulate", self.source.place(folder), "--report", os.path.abspath(path), "--quiet"]
            answer = tool.run(command + self.source.settings())
        if answer.code:
            raise tool.refuse(answer, "simulate")

    def __repr__(self) -> str:
        return f"<run of {len(self.rows)} rows, columns {', '.join(self.names)}, {len(self.events)} events>"


class Source:
    """Where a scenario comes from: a file, or a dict that becomes one, with values changed."""

    def __init__(self, scenario: Any, changes: Mapping[str, Any]) -> None:
        self.scenario, self.changes = scenario, {str(k): _plain(v) for k, v in changes.items()}
        if not isinstance(scenario, (str, os.PathLike, Mapping)):
            raise ParameterError(f"scenario: expected a file or a dict, got {type(scenario).__name__}")

    def text(self) -> tuple[str, bytes]:
        """Its name and its bytes."""
        if isinstance(self.scenario, Mapping):
            return os.path.abspath("scenario"), json.dumps(_plain(dict(self.scenario))).encode()
        return os.fspath(self.scenario), b""

    def place(self, folder: Path) -> str:
        """A file for the tool; one made of a dict looks for others where we are."""
        name, data = self.text()
        if not data:
            return os.path.abspath(name)
        path = Path(folder, "scenario.yaml")
        path.write_bytes(data)
        return str(path)

    def settings(self) -> list[str]:
        """What is changed, as options."""
        return [word for key, value in self.changes.items() for word in ("--set", f"{key}={_scalar(key, value)}")]


def _plain(value: Any) -> Any:
    """Laws as friction blocks, arrays as lists."""
    if isinstance(value, Law):
        made = value.to_dict()
        return {key: made[key] for key in ("model", "load", "parameters")}
    if isinstance(value, Mapping):
        return {str(k): _plain(v) for k, v in value.items()}
    if isinstance(value, (list, tuple)):
        return [_plain(v) for v in value]
    if isinstance(value, np.ndarray):
        return value.tolist()
    if isinstance(value, np.generic):
        return value.item()
    return value


def _scalar(key: str, value: Any) -> str:
    if isinstance(value, dict) and "model" in value:  # a friction block; JSON is a part of YAML
        return json.dumps(value)
    if isinstance(value, (dict, list)) or value is None:
        raise ParameterError(f"{key}: an override is a number or a text; put {type(value).__name__} into the scenario")
    if isinstance(value, bool):
        return "true" if value else "false"
    return repr(value) if isinstance(value, float) else str(value)


def simulate(
    scenario: Any, changes: Mapping[str, Any] | None = None, *, progress: tool.Progress = None, **overrides: Any
) -> Run:
    """Runs a scenario file or dict: `simulate("stick_slip.yaml", {"friction.sigma0": 2e5}, mass=2)`.

    Keys with dots go into `changes`, others may be keywords; `a__b` is `a.b`. A law may stand for a friction block, in
    a dict or as a keyword: `simulate("stick_slip.yaml", friction=bristle.dahl())`. `progress` is called with the
    fraction done. Ctrl-C stops at once.
    """
    merged = {**(changes or {}), **{key.replace("__", "."): value for key, value in overrides.items()}}
    return _simulate(Source(scenario, merged), progress)


def vary(scenario: Any, key: str, values: Iterable[Any], changes: Mapping[str, Any] | None = None) -> list[Run]:
    """One run for each value of a key: `vary("stick_slip.yaml", "speed", [0.05, 0.1])`."""
    return [simulate(scenario, {**(changes or {}), key: value}) for value in values]


def _read(source: Source) -> Any:
    """The scenario of a file or a dict, with its changes."""
    name, data = source.text()
    if "\0" in name:
        raise FileError(f"{name!r} is no name of a file")
    changes = [ffi.new("char[]", f"{key}={_scalar(key, value)}".encode()) for key, value in source.changes.items()]
    changes.append(ffi.NULL)
    place, fault = ffi.new("bristle_scenario **"), ffi.new("bristle_fault *")
    path = os.fsencode(name)
    raise_fault(lib.bristle_scenario_text_read(path, data or ffi.NULL, len(data), changes, place, fault), fault)
    return ffi.gc(place[0], lib.bristle_scenario_free)


def _simulate(source: Source, progress: tool.Progress) -> Run:
    scenario = _read(source)
    tell, close = tool._teller(progress)
    failed: list[BaseException] = []

    def ask(t: float) -> int:
        try:
            if tell:
                tell(t / scenario.options.end)
        except BaseException as error:
            failed.append(error)
        return int(bool(failed))

    def interrupted(kind: Any, error: BaseException, trace: Any) -> None:
        failed.append(error)

    run = ffi.new("bristle_run *")
    callback = ffi.callback("int(double)", ask, error=1, onerror=interrupted)
    run.progress = callback
    try:
        status = lib.bristle_run_simulate(ffi.addressof(scenario, "rig"), ffi.addressof(scenario, "options"), run)
        if failed:
            raise failed[0]
        if status:
            raise ToolError(_sentence(source, run))
        return _collect(source, scenario, run)
    finally:
        close()
        lib.bristle_run_free(run)


def _sentence(source: Source, run: Any) -> str:
    field = text(ffi.addressof(run.error, "field")[0])
    where = f" ({field})" if field else ""
    return f"{source.text()[0]}: at t = {run.error.t:.6g} s: {text(ffi.addressof(run.error, 'what')[0])}{where}"


def _collect(source: Source, scenario: Any, run: Any) -> Run:
    columns = ffi.new("bristle_sim_column[]", lib.BRISTLE_SIM_COLUMNS)
    width = lib.bristle_sim_columns(ffi.addressof(scenario, "rig"), columns)
    names = [text(columns[i].name) for i in range(width)]
    units = [text(columns[i].unit) for i in range(width)]
    size = run.rows * width
    rows = (
        np.frombuffer(ffi.buffer(run.row, 8 * size), np.float64).reshape(run.rows, width).copy()
        if size
        else np.empty((0, width))
    )
    events = [(run.event_time[i], EVENTS[run.event_kind[i]]) for i in range(run.events)]
    stats = {name: getattr(run.stats, name) for name in ("steps", "rejected", "evaluations", "jacobians", *ENERGIES)}
    stats["method"] = text(lib.bristle_method_text(run.stats.method))
    sentences = ffi.new("bristle_sim_warning[]", lib.BRISTLE_SIM_WARNINGS)
    count = lib.bristle_sim_warnings(ffi.addressof(run, "stats"), sentences)
    return Run(source, names, units, rows, events, stats, [text(sentences[i]) for i in range(count)])


def save_rows(run: Run, path: str | os.PathLike[str]) -> None:
    """The rows as CSV with units in the header, as the tool writes them."""
    with tool.folder() as folder:
        made = Path(folder, "run.csv")
        answer = tool.run(["simulate", run.source.place(folder), "-o", str(made), "--quiet", *run.source.settings()])
        if answer.code:
            raise tool.refuse(answer, "simulate")
        shutil.copyfile(made, path)
