"""Identification from tables in memory: the same bytes as the tool, objects that print, messages that help."""

from __future__ import annotations

import subprocess
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle
from bristle._library import TOOL
from bristle.data import to_csv
from bristle.fits import Estimate

pd = pytest.importorskip("pandas")


@pytest.fixture(scope="module")
def frame() -> Any:
    """A LuGre contact, moved back and forth with growing amplitude and noise of the force."""
    t = np.arange(2000) * 2e-3
    x = 1e-3 * t * np.sin(2 * np.pi * 1.5 * t)
    contact, force = bristle.lugre(sigma0=2e5, fc=8, fs=8, sigma2=30, sigma1=100).contact(), [0.0]
    for a, b in zip(x[:-1], x[1:], strict=True):
        for _ in range(4):
            last = contact.step((b - a) / 2e-3, 5e-4)
        force.append(last)
    noise = np.random.default_rng(1).normal(0, 0.02, t.size)
    return pd.DataFrame({"t": t, "q": x, "tau": np.array(force) + noise})


@pytest.fixture(scope="module")
def fit(frame: Any) -> bristle.Fit:
    made = bristle.identify(frame, position="q", force="tau", laws=["dahl", "lugre"], units={"q": "m", "tau": "N"})
    return made


def test_json_is_that_of_the_tool_byte_for_byte(frame: Any, tmp_path: Path) -> None:
    frame.to_csv(tmp_path / "axis.csv", index=False, lineterminator="\n")
    words = ["--model", "coulomb,dahl", "--position=q", "--force=tau"]
    command = [TOOL, "identify", "axis.csv", *words, "--json"]
    said = subprocess.run(command, cwd=tmp_path, capture_output=True, check=True, text=True).stdout
    made = bristle.identify(frame, position="q", force="tau", laws=["coulomb", "dahl"], name="axis.csv")
    assert made.json == said
    assert (
        bristle.identify(tmp_path / "axis.csv", position="q", force="tau", laws="coulomb,dahl").best.rms
        == made.best.rms
    )


def test_tables_of_any_kind_are_the_same_text(frame: Any) -> None:
    text = frame.to_csv(index=False, lineterminator="\n").encode()
    assert to_csv(frame) == text
    assert to_csv({name: frame[name].to_numpy() for name in frame}) == text
    assert to_csv(frame.to_records(index=False)) == text
    polars = pytest.importorskip("polars")
    assert to_csv(polars.from_dict({name: frame[name].tolist() for name in frame})) == text
    assert to_csv(frame, {"q": "deg"}).splitlines()[0] == b"t,q [deg],tau"
    assert to_csv(frame.set_index("t")) == text
    assert to_csv(polars.DataFrame({"n": [1, None, 3]})) == b"n\n1\n\n3\n"
    for odd in (
        {"a, b": [1.0, float("nan")], "n": [1, 2]},
        {"n": [2**63 - 1, -(2**63)], "u": np.array([2**64 - 1, 0], np.uint64)},
        {"single": np.array([0.1, 1e-5, np.nan], np.float32), "x": [1.0, 2.0, 3.0]},
        {"text": ["a", "b"], "yes": [True, False]},
        {"reversed": np.arange(6.0)[::-2], "x": [1.0, 2.0, 3.0]},
    ):
        table = pd.DataFrame(odd)
        assert to_csv(table) == table.to_csv(index=False, lineterminator="\n").encode(), odd


def test_numbers_are_written_as_python_writes_them() -> None:
    rng = np.random.default_rng(1)
    edges = [
        0.0,
        -0.0,
        np.inf,
        -np.inf,
        1e16,
        9999999999999998.0,
        1e15,
        1e-4,
        1e-5,
        5e-324,
        1.7976931348623157e308,
        0.1,
    ]
    columns = [
        np.frombuffer(rng.bytes(80_000), np.float64),
        rng.normal(size=10_000) * 10.0 ** rng.integers(-12, 45, 10_000),
        2.0 ** rng.integers(-40, 80, 10_000),
        np.resize(np.array(edges), 10_000),
        np.round(rng.normal(size=10_000), 4),
    ]
    lines = to_csv({str(i): column for i, column in enumerate(columns)}).decode().splitlines()[1:]
    for line, row in zip(lines, zip(*columns, strict=True), strict=True):
        assert line == ",".join("" if x != x else repr(float(x)) for x in row)


def test_results_are_objects(fit: bristle.Fit) -> None:
    assert fit.best.law in ("dahl", "lugre") and set(fit.ranking["model"]) == {"dahl", "lugre"}
    fc = fit["lugre"]["fc"]
    assert abs(float(fc) - 8) < max(5 * fc.std, 0.2) and "±" in str(fc) and fc.unit == "N"
    assert fit.best.correlation.loc["sigma0", "sigma0"] == 1
    assert all(isinstance(sentence, str) for sentence in fit.verdict)
    assert len(fit.residuals) == 2000 and np.std(fit.residuals) == pytest.approx(fit.best.rms, rel=0.5)
    with pytest.raises(bristle.UnknownNameError, match="there are"):
        fit.best["sigma9"]


def test_estimates_print_as_people_write_them() -> None:
    def said(value: float, std: float, free: bool = True) -> str:
        return str(Estimate("k", value, std, "N/m", 0, 0, free, ""))

    assert said(399361.7, 281.3) == "399360 ± 280 N/m"
    assert said(1.22504, 0.0241) == "1.225 ± 0.024 N/m"
    assert said(2.0, float("nan")) == "2 N/m (not determined)"
    assert said(2.0, 0.0, False) == "2 N/m (fixed)"


def test_models_are_files(fit: bristle.Fit, tmp_path: Path) -> None:
    fit.model.save(tmp_path / "m.yaml")
    law = bristle.load(tmp_path / "m.yaml")
    assert law == fit.model.law and law.name == fit.best.law
    assert law["fc"] == fit.best["fc"].value


def test_compare_plan_and_loads(fit: bristle.Fit, frame: Any, examples: Path) -> None:
    made = bristle.compare([fit.model, bristle.coulomb(fc=8)], frame, position="q", force="tau")
    assert made.ranking["law"][0] == fit.best.law and len(made.forces[made.measured]) == 2000
    plan = bristle.plan(bristle.dahl(), speed="0.05 m/s")
    assert set(plan.parameters["name"]) >= {"sigma0", "fc"} and plan.motion["t"].size > 100 and "rig:" in plan.scenario
    rules = bristle.loads(
        {50: examples / "loads/50.yaml", "100 N": examples / "loads/100.yaml", 200: examples / "loads/200.yaml"}
    )
    assert {r["name"]: r["rule"] for r in rules.data["parameters"]}["fc"] == "proportional"


def test_pages(fit: bristle.Fit, tmp_path: Path) -> None:
    fit.report(tmp_path / "fit.html")
    assert "</html>" in (tmp_path / "fit.html").read_text("utf-8")


def test_progress_is_told(frame: Any) -> None:
    seen: list[float] = []
    bristle.identify(frame, position="q", force="tau", laws=["coulomb", "dahl", "lugre"], progress=seen.append)
    assert seen and seen == sorted(seen) and seen[0] >= 0 and seen[-1] == 1
    bristle.identify(frame, position="q", force="tau", laws=["coulomb"], progress=True)


def test_messages_of_data(frame: Any) -> None:
    cases: list[tuple[Any, dict[str, Any], str]] = [
        (frame, {"position": "angle"}, "found the columns t, q, tau, expected one named 'angle'"),
        (frame, {"laws": ["lugr"]}, "did you mean lugre?"),
        (frame, {"laws": [3]}, "expected names of laws"),
        (frame, {"mss": "free", "position": "q", "force": "tau"}, "did you mean 'mass'?"),
        (frame, {"units": {"angle": "rad"}}, "there are: t, q, tau"),
        (frame, {"position": "q", "force": "tau", "units": {"q": "furlong"}}, "furlong"),
        ({"t": [1, 2], "x": [1]}, {}, "different lengths"),
        ({"t": [[1, 2]]}, {}, "expected one dimension"),
        ([], {}, "an empty list"),
        (3, {}, "got int"),
        ("absent.csv", {}, "absent.csv"),
        ("absent.csv", {"units": {"q": "m"}}, "units= belongs to data in memory"),
    ]
    for data, options, text in cases:
        with pytest.raises(bristle.BristleError) as caught:
            bristle.identify(data, **options)
        assert text in str(caught.value)


def test_data_that_speak_against_the_result_raise(frame: Any) -> None:
    noise = frame.assign(tau=np.random.default_rng(2).normal(size=len(frame)))
    with pytest.raises(bristle.NotConvincing, match="do not use this result") as caught:
        bristle.identify(noise, position="q", force="tau", laws=["coulomb"])
    assert caught.value.result.best.law == "coulomb" and caught.value.code in (3, 4)
    trusted = bristle.identify(noise, position="q", force="tau", laws=["coulomb"], trust=True)
    assert trusted.doubt and trusted.model.law.name == "coulomb"


def test_several_records_and_validation(frame: Any) -> None:
    halves = [frame.iloc[:1000], frame.iloc[1000:].assign(t=frame.t[:1000].to_numpy())]
    made = bristle.identify(halves, position="q", force="tau", laws=["dahl"], validate=halves[1].iloc[:-1])
    assert [each["file"] for each in made.data["data"]] == ["data1.csv", "data2.csv"]
    assert made.data["validation"]["file"] == "validation.csv"


def test_motion_of_a_rig_alone() -> None:
    t = np.arange(0, 1.5, 5e-3)
    force = 3 * np.sin(4 * t) + np.sin(11 * t)
    knots = [[float(a), float(b)] for a, b in zip(t, force, strict=True)]
    rig = {"rig": "mass", "mass": 2, "friction": bristle.coulomb(fc=0.5, sigma2=0.3)}
    run = bristle.simulate({**rig, "force": {"knots": knots}, "time": {"end": 1.49, "output": 5e-3}})
    log = {"t [s]": run.t, "x [m]": run["x"], "push [N]": np.interp(run.t, t, force)}
    guess = {**rig, "mass": 1.5, "force": {"column": "push"}, "friction": bristle.coulomb(fc=0.3, sigma2=0.1)}
    found = bristle.identify(log, rig=guess, free=["mass"], candidates=1, trust=True).best
    for name, value in (("mass", 2.0), ("fc", 0.5), ("sigma2", 0.3)):
        assert abs(found[name].value - value) < 1e-3 * value, found
