"""Identification: from a log to laws with parameters, deviations and a verdict."""

from __future__ import annotations

import io
import json
import math
import os
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from . import tool
from .arrays import Array
from .data import Records
from .errors import NotConvincing, ParameterError, ToolError, unknown
from .files import from_yaml
from .law import Law
from .runs import Source
from .tables import find_law


@dataclass(frozen=True)
class Estimate:
    """A number with its standard deviation: prints as `399360 ± 280 N/m`."""

    name: str
    value: float
    std: float
    unit: str
    low: float
    high: float
    free: bool
    reason: str

    def __float__(self) -> float:
        return self.value

    def __str__(self) -> str:
        unit = "" if self.unit == "1" else " " + self.unit
        if not self.free:
            return f"{self.value:.6g}{unit} (fixed)"
        if not (0 < self.std < math.inf):
            return f"{self.value:.4g}{unit} (not determined)"
        return f"{_rounded(self.value, self.std)}{unit}"

    def __repr__(self) -> str:
        return f"<{self.name} = {self}>"


def _rounded(value: float, std: float) -> str:
    """Two digits of the deviation decide how many of the value are shown."""
    last = math.floor(math.log10(std)) - 1
    if last < -12 or max(abs(value), std) >= 1e9:
        return f"{value:.8g} ± {std:.2g}"
    places = max(0, -last)
    step = 10.0**last
    return f"{round(value / step) * step:.{places}f} ± {round(std / step) * step:.{places}f}"


class Result:
    """One law as it was fitted."""

    def __init__(self, made: dict[str, Any]) -> None:
        self.data = made
        self.law: str = made["model"]
        self.variant: str = made["variant"]
        self.parameters: dict[str, Estimate] = {each["name"]: _estimate(each) for each in made["parameters"]}
        self.verdict: list[str] = made["verdict"]
        self.rms: float = _number(made["rms"])
        self.relative_error: float = _number(made["relative_error"])

    def __getitem__(self, name: str) -> Estimate:
        if name not in self.parameters:
            raise unknown(f"{self.variant} has no parameter", name, self.parameters)
        return self.parameters[name]

    @property
    def correlation(self) -> Any:
        """Correlations of the parameters that were fitted, as a DataFrame."""
        import pandas as pd

        pairs = self.data["correlations"]
        names = list(dict.fromkeys(name for a, b, _ in pairs for name in (a, b)))
        frame = pd.DataFrame(np.eye(len(names)), index=names, columns=names)
        for a, b, value in pairs:
            frame.loc[a, b] = frame.loc[b, a] = value
        return frame

    def __repr__(self) -> str:
        rows = "\n".join(f"  {name:12} {estimate}" for name, estimate in self.parameters.items())
        return f"{self.variant}: misses {100 * self.relative_error:.3g} % of the force\n{rows}"


def _number(value: Any) -> float:
    return math.nan if value is None else float(value)


def _estimate(each: dict[str, Any]) -> Estimate:
    low, high = _number(each.get("low")), _number(each.get("high"))
    return Estimate(
        each["name"],
        _number(each["value"]),
        _number(each["std"]),
        each["unit"],
        low,
        high,
        each["free"],
        each["reason"],
    )


@dataclass(frozen=True)
class Model:
    """The best law as a model file: text with units, deviations and where it comes from."""

    text: str

    @property
    def law(self) -> Law:
        """The law with the parameters found."""
        return from_yaml(self.text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the model file, which `friction: {file: ...}` of a scenario reads."""
        Path(path).write_text(self.text, encoding="utf-8")

    def export(self, path: str | os.PathLike[str], to: str | None = None, **options: Any) -> list[str]:
        """Writes the model for another tool, as `Law.export` does: `fit.model.export("axis.c", compensate=True)`."""
        from .exports import export

        return export(self.text, path, to, options)


class Fit:
    """What `identify` found. `fit.best` leads, `fit["dahl"]` is another, `fit.ranking` shows them all."""

    def __init__(self, text: str, model: str | None, records: Records, words: list[str], columns: list[str]) -> None:
        self.json, self._model, self._records, self._words, self._columns = text, model, records, words, columns
        self.data: dict[str, Any] = json.loads(text)
        self.results = [Result(each) for each in self.data["results"]]
        self.doubt: str | None = self.data["doubt"]

    @property
    def best(self) -> Result:
        """The law that leads."""
        return self.results[0]

    def __getitem__(self, law: str) -> Result:
        for each in self.results:
            if law in (each.variant, each.law):
                return each
        raise unknown("this fit has no law", law, (each.variant for each in self.results))

    @property
    def ranking(self) -> Any:
        """All laws, best first, as a DataFrame."""
        import pandas as pd

        keys = (
            "model",
            "variant",
            "rms",
            "relative_error",
            "held_out_rms",
            "validation_rms",
            "aicc",
            "indistinguishable",
            "explains_more",
        )
        return pd.DataFrame([{key: each.data[key] for key in keys} for each in self.results])

    @property
    def verdict(self) -> list[str]:
        """What is to be said about the best law."""
        return self.best.verdict

    @property
    def notes(self) -> list[str]:
        """What was done to the logs before the fit: rows left out, columns replaced, delays; with the log's name."""
        logs = [*self.data["data"], *([self.data["validation"]] if self.data["validation"] else [])]
        return [f"{each['file']}: {tool.keywords(note)}" for each in logs for note in each.get("notes", ())]

    @property
    def model(self) -> Model:
        """The best law as a model file."""
        if self._model is None:
            raise ToolError(f"no model was written: {self.doubt}; identify(..., trust=True) writes it all the same")
        return Model(self._model)

    def forces(self, record: int = 0) -> dict[str, Array]:
        """Of one record: time, motion, measured and predicted force, and their difference `residual`."""
        from .verbs import compare

        made = compare([self.model], Records.again(self._records.files[record]), words=self._columns)
        measured, predicted = made.forces[made.measured], made.forces[made.predicted[0]]
        return {**made.forces, "measured": measured, "predicted": predicted, "residual": measured - predicted}

    def predict(self, data: Any, *, units: Mapping[str, str] | None = None, **columns: Any) -> Array:
        """The force of the best law along the motion of another log, which is read as the log of the fit was unless
        columns say otherwise: `fit.predict(frame, position="q")`. A log needs its force column as well."""
        made = self._compared(data, units, columns)
        predicted: Array = made.forces[made.predicted[0]]
        return predicted

    def score(self, data: Any, *, units: Mapping[str, str] | None = None, **columns: Any) -> float:
        """How much of the measured force on another log the best law explains: 1 - sum(residual^2)/sum(deviation from
        the mean^2), as R^2 of scikit-learn. 1 is perfect, 0 is no better than a constant force."""
        made = self._compared(data, units, columns)
        measured, predicted = made.forces[made.measured], made.forces[made.predicted[0]]
        return float(1 - np.sum((measured - predicted) ** 2) / np.sum((measured - np.mean(measured)) ** 2))

    def _compared(self, data: Any, units: Mapping[str, str] | None, columns: Mapping[str, Any]) -> Any:
        from .verbs import compare

        given = {key.strip("_"): value for key, value in columns.items()}
        flags = {word.split("=")[0] for word in tool.options(given)}
        kept = [word for word in self._columns if word.split("=")[0] not in flags]
        try:
            return compare([self.model], Records(data, units), words=kept, **columns)
        except NotConvincing as doubt:  # a poor prediction is an answer here
            return doubt.result

    @property
    def residuals(self) -> Array:
        """Measured less predicted force of the first record."""
        return self.forces()["residual"]

    def plot(self, record: int = 0, ax: Any = None) -> Any:
        """Measured and predicted force over time, and what is left; needs matplotlib. Returns the axes."""
        from .pictures import axes

        made, force = axes(ax, 2), self.forces(record)
        unit = "N m" if "N*m" in self.best.data["unit"] else "N"
        made[0].plot(force["t"], force["measured"], label="measured")
        made[0].plot(force["t"], force["predicted"], label=self.best.variant)
        made[0].set(xlabel="t [s]", ylabel=f"force [{unit}]")
        made[0].legend()
        made[1].plot(force["t"], force["residual"])
        made[1].set(xlabel="t [s]", ylabel=f"residual [{unit}]")
        return made

    def report(self, path: str | os.PathLike[str]) -> None:
        """The page of the fit, in one file. It is fitted again for it; identify(..., report=...) does it at once."""
        answer, _ = _run(self._records, ["--quiet", *self._words, "--report", os.path.abspath(path)], None)
        if not os.path.exists(path):
            raise tool.refuse(answer, "identify")

    def __repr__(self) -> str:
        lines = [repr(self.best), *(f"  - {sentence}" for sentence in [*self.verdict, *self.notes])]
        others = ", ".join(each.variant for each in self.results[1:])
        return "\n".join([*lines, *([f"also fitted: {others}"] if others else [])])


def _run(records: Records, words: list[str], progress: tool.Progress) -> tuple[tool.Answer, str | None]:
    with tool.folder() as folder:
        names, check, where = records.place(folder)
        model = Path(folder, "model.yaml")
        given = ["--validate", check] if check else []
        if records.rig is not None:
            given += ["--rig", Source(records.rig, {}).place(folder)]
        answer = tool.run(["identify", *names, *given, *words, "-o", str(model)], where, progress)
        return answer, model.read_text(encoding="utf-8") if model.exists() else None


COLUMNS = (
    "time",
    "position",
    "velocity",
    "acceleration",
    "force",
    "load",
    "reference",
    "lead",
    "radius",
    "rate",
    "cutoff",
    "delay",
    "from",
    "to",
    "decimate",
    "join",
)


def identify(
    data: Any,
    *,
    laws: Sequence[str] | str | None = None,
    units: Mapping[str, str] | None = None,
    validate: Any = None,
    fix: Mapping[str, Any] | Sequence[str] | None = None,
    free: Sequence[str] | str | None = None,
    terms: Mapping[str, str] | None = None,
    rig: Any = None,
    trust: bool = False,
    report: str | os.PathLike[str] | None = None,
    progress: tool.Progress = None,
    name: str = "data.csv",
    **options: Any,
) -> Fit:
    """Fits friction laws to measured motion and force, and says how far to trust the numbers.

    data         a path, a pandas or polars DataFrame, a mapping of names to arrays; a list of them is several records
    time, position, velocity, acceleration, force, load   the column of each, where the name does not tell:
                 position="q", force="tau", force="current*12 N*m"
    units        of columns in memory: {"q": "deg"}; or in their names: "q [deg]"
    mass, offset, gravity, skew   "free", "none" or a value
    laws         names, or "all"
    rig          a scenario, as a dict or a file: its simulated motion is compared with the measured one, and
                 free=["mass"] names what is unknown beside the law
    validate     another record that the result is checked with
    trust        gives the result even where the data speak against it; otherwise NotConvincing is raised
    progress     a function that is told the fraction done, or True for a tqdm bar
    Every other option of `bristle identify` is a keyword as well: objective="robust", seed=3, cutoff=50, from_=2.
    """
    records = Records(data, units, name, validate)
    records.rig = rig
    words = _laws(laws)
    for flag, value in (("fix", fix), ("free", free), ("term", terms)):
        words += tool.options({flag: [value] if isinstance(value, str) else value})
    given = {key.strip("_"): value for key, value in options.items()}
    columns = tool.options({key: value for key, value in given.items() if key in COLUMNS})
    words += tool.options(given) + (["--trust"] if trust else [])
    return _finish(records, words, columns, report, progress)


def _laws(laws: Sequence[str] | str | None) -> list[str]:
    if laws is None:
        return []
    names = laws.split(",") if isinstance(laws, str) else list(laws)
    for name in names:
        if not isinstance(name, str):
            raise ParameterError(f"laws: expected names of laws, got {name!r}")
        if name != "all":
            find_law(name.strip())
    return ["--model", ",".join(name.strip() for name in names)]


def _finish(records: Records, words: list[str], columns: list[str], report: Any, progress: tool.Progress) -> Fit:
    page = [] if report is None else ["--report", os.path.abspath(report)]
    answer, model = _run(records, ["--json", *words, *page], progress)
    if not answer.output:
        raise tool.refuse(answer, "identify")
    fit = Fit(answer.output, model, records, words, columns)
    if answer.code:
        text = answer.message.replace("bristle identify: ", "", 1)
        raise NotConvincing(text.replace("--trust writes", "trust=True gives"), answer.code, fit)
    return fit


def table(text: str) -> dict[str, Array]:
    """Columns of a CSV that the tool wrote, by name without unit."""
    head, _, body = text.partition("\n")
    names = [each.split(" [")[0] for each in head.split(",")]
    rows = np.loadtxt(io.StringIO(body), delimiter=",", ndmin=2) if body.strip() else np.empty((0, len(names)))
    return {name: rows[:, i] for i, name in enumerate(names)}
