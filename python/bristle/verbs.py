"""Comparing models on a log, planning experiments, rules over the load."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

from . import tool
from .arrays import Array
from .data import Records
from .errors import NotConvincing, ParameterError
from .fits import Model, table
from .law import Law


def _model_file(model: Any, folder: Path, name: str) -> str:
    """A model as a file: a law, a model of a fit, or a path."""
    if isinstance(model, (str, os.PathLike)):
        text = os.fspath(model)
        return os.path.abspath(text) if os.path.exists(text) else text
    if isinstance(model, Law):
        text = model.to_yaml()
    elif isinstance(model, Model):
        text = model.text
    else:
        raise ParameterError(
            f"expected a law, a model of a fit, or the name of a model file; got {type(model).__name__}"
        )
    path = Path(folder, f"{name}.yaml")
    path.write_text(text, encoding="utf-8")
    return str(path)


class Comparison:
    """Models on one log, best first. `forces` has t, x, v, the measured force and that of each model."""

    def __init__(self, text: str, forces: dict[str, Array]) -> None:
        self.json, self.data, self.forces = text, json.loads(text), forces
        names = list(forces)
        count = len(self.data["models"])
        self.measured, self.predicted = names[-count - 1], names[-count:]

    @property
    def ranking(self) -> Any:
        """The models with their errors as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.data["models"])


def compare(
    models: Sequence[Any] | Any,
    data: Any,
    *,
    units: Mapping[str, str] | None = None,
    report: str | os.PathLike[str] | None = None,
    words: Sequence[str] = (),
    progress: tool.Progress = None,
    **options: Any,
) -> Comparison:
    """Moves each model as the log moved and compares its force with the measured one."""
    records = data if isinstance(data, Records) else Records(data, units)
    if len(records.files) != 1:
        raise ParameterError("compare: one log at a time")
    listed = list(models) if isinstance(models, (list, tuple)) else [models]
    with tool.folder() as folder:
        (log,), _, where = records.place(folder)
        files = [_model_file(model, folder, f"model{i + 1}") for i, model in enumerate(listed)]
        out = Path(folder, "forces.csv")
        page = [] if report is None else ["--report", os.path.abspath(report)]
        command = ["compare", *files, "--data", log, "-o", str(out), "--json", *page, *words, *tool.options(options)]
        answer = tool.run(command, where, progress)
        if not answer.output:
            raise tool.refuse(answer, "compare")
        made = Comparison(answer.output, table(out.read_text(encoding="utf-8")) if out.exists() else {})
        if answer.code:
            raise NotConvincing(answer.message.replace("bristle compare: ", "", 1), answer.code, made)
        return made


class Plan:
    """A motion that determines parameters: `motion` has its columns, `parameters` what it promises."""

    def __init__(self, text: str, motion: dict[str, Array], scenario: str) -> None:
        self.json, self.data, self.motion, self.scenario = text, json.loads(text), motion, scenario

    @property
    def parameters(self) -> Any:
        """The parameters with the deviation that the plan promises, as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(self.data["parameters"])


def plan(
    model: Any,
    *,
    data: Any = None,
    units: Mapping[str, str] | None = None,
    report: str | os.PathLike[str] | None = None,
    progress: tool.Progress = None,
    **options: Any,
) -> Plan:
    """Proposes a motion that determines the parameters of a law; options as keywords: speed="0.3 m/s", stroke=0.1."""
    with tool.folder() as folder:
        words = [_model_file(model, folder, "model")]
        where = None
        if data is not None:
            (log, *_), _, where = Records(data, units).place(folder)
            words += ["--data", log]
        motion, scenario = Path(folder, "motion.csv"), Path(folder, "plan.yaml")
        words += ["-o", str(motion), "--scenario", str(scenario), "--json", *tool.options(options)]
        words += [] if report is None else ["--report", os.path.abspath(report)]
        answer = tool.run(["plan", *words], where, progress)
        if answer.code:
            raise tool.refuse(answer, "plan")
        rows = table(motion.read_text(encoding="utf-8")) if motion.exists() else {}
        return Plan(answer.output, rows, scenario.read_text(encoding="utf-8") if scenario.exists() else "")


class LoadRules:
    """How parameters follow the normal load."""

    def __init__(self, text: str) -> None:
        self.json, self.data = text, json.loads(text)


def loads(models: Mapping[Any, Any], *, report: str | os.PathLike[str] | None = None) -> LoadRules:
    """Rules over the load from models identified at several: `loads({50: low, "100 N": mid})`."""
    with tool.folder() as folder:
        words = []
        for i, (load, model) in enumerate(models.items()):
            unit = load if isinstance(load, str) else f"{float(load)!r} N"
            words.append(f"{unit}={_model_file(model, folder, f'load{i + 1}')}")
        page = [] if report is None else ["--report", os.path.abspath(report)]
        answer = tool.run(["loads", *words, "--json", *page])
    if answer.code:
        raise tool.refuse(answer, "loads")
    return LoadRules(answer.output)
