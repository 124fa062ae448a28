"""Scenarios from files and dicts, overrides, sweeps, and solve_ivp."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
from pathlib import Path

import numpy as np
import pytest

import bristle
from bristle import tool
from bristle.runs import save_rows

SCENARIO = {
    "rig": "spring-pull",
    "mass": "1 kg",
    "stiffness": "2 N/m",
    "speed": 0.1,
    "friction": bristle.lugre(),
    "time": {"end": "10 s", "output": "10 ms"},
}


def test_rows_are_those_of_the_tool(examples: Path, tmp_path: Path) -> None:
    run = bristle.simulate(examples / "stick_slip.yaml", {"time.end": "3 s"}, mass=2)
    command = [
        "simulate",
        str(examples / "stick_slip.yaml"),
        "--set",
        "time.end=3 s,mass=2",
        "-o",
        str(tmp_path / "r.csv"),
    ]
    assert tool.run(command).code == 0
    rows = np.loadtxt(tmp_path / "r.csv", delimiter=",", skiprows=1)
    assert np.array_equal(rows, run.rows)
    head = (tmp_path / "r.csv").read_text("utf-8").splitlines()[0]
    assert head == ",".join(f"{n} [{u}]" for n, u in run.units.items())
    save_rows(run, tmp_path / "again.csv")
    assert (tmp_path / "again.csv").read_bytes() == (tmp_path / "r.csv").read_bytes()


def test_a_run_has_columns_events_and_energy() -> None:
    run = bristle.simulate(SCENARIO)
    assert run.t[0] == 0 and run.t[-1] == 10 and run["x"].shape == run.t.shape
    assert run.events[0][1] == "slip" and run.events[0][0] == pytest.approx(7.13, abs=0.1)
    e = run.energy
    assert e["work_in"] == pytest.approx(e["stored"] + e["dissipated"], rel=1e-6)
    frame = run.to_pandas()
    assert list(frame.columns) == list(run.names) and frame.attrs["units"]["x"] == "m"


def test_sweeps_and_overrides() -> None:
    runs = bristle.vary(SCENARIO, "friction.fs", [1.2, 1.5, "2 N"])
    assert [round(r["F"].max(), 2) for r in runs] == [1.2, 1.49, 1.97] or np.all(
        np.diff([r["F"].max() for r in runs]) > 0
    )
    assert bristle.simulate(SCENARIO, time__end="1 s").t[-1] == 1


def test_messages_of_scenarios() -> None:
    for scenario, changes, text in (
        ({**SCENARIO, "rig": "sprig-pull"}, {}, "did you mean 'spring-pull'?"),
        (SCENARIO, {"masss": 2}, "did you mean 'mass'?"),
        (SCENARIO, {"mass": "2 N"}, "expected a mass in kg"),
        (SCENARIO, {"mass": [1]}, "an override is a number or a text"),
        ("absent.yaml", {}, "absent.yaml"),
        (3, {}, "expected a file or a dict"),
    ):
        with pytest.raises(ValueError) as caught:
            bristle.simulate(scenario, changes)
        assert text in str(caught.value)
    with pytest.raises(bristle.UnknownNameError, match="there are: t, x, v"):
        bristle.simulate(SCENARIO, {"time.end": "1 s"})["y"]


def test_reports_are_pages(tmp_path: Path) -> None:
    bristle.simulate(SCENARIO, {"time.end": "1 s"}).report(tmp_path / "run.html")
    assert "</html>" in (tmp_path / "run.html").read_text("utf-8")


def test_progress_and_its_exceptions() -> None:
    seen: list[float] = []

    def tell(fraction: float) -> None:
        seen.append(fraction)
        if len(seen) == 2:
            raise RuntimeError("enough")

    with pytest.raises(RuntimeError, match="enough"):
        bristle.simulate(SCENARIO, {"time.end": "1e6 s", "time.output": "10 s"}, progress=tell)
    assert len(seen) == 2 and 0 <= seen[0] <= seen[1] <= 1


@pytest.mark.skipif(sys.platform == "win32", reason="there a signal is for a whole console: scripts/test-windows.sh")
@pytest.mark.parametrize("what", ["simulate", "identify"])
def test_control_c_stops_at_once(what: str, examples: Path, tmp_path: Path) -> None:
    code = {
        "simulate": "bristle.simulate(r'{0}/stick_slip.yaml', {{'time.end': '1e7 s', 'time.output': '100 s'}})",
        "identify": "bristle.identify(r'{0}/compare/loops.csv', laws='all', threads=1)",
    }[what].format(examples)
    script = f"import bristle, sys\nprint('ready', flush=True)\n{code}"
    environment = {**os.environ, "TMPDIR": str(tmp_path)}
    process = subprocess.Popen(
        [sys.executable, "-c", script], stdout=subprocess.PIPE, stderr=subprocess.PIPE, env=environment, text=True
    )
    assert process.stdout is not None and process.stdout.readline() == "ready\n"
    threading.Event().wait(1.0)
    process.send_signal(signal.SIGINT)
    _, errors = process.communicate(timeout=20)
    assert "KeyboardInterrupt" in errors and process.returncode != 0
    assert list(tmp_path.iterdir()) == []


def test_solve_ivp_with_the_jacobian() -> None:
    integrate = pytest.importorskip("scipy.integrate")
    rhs = bristle.rhs(bristle.lugre(), force=lambda t, x, v: 2 * (0.1 * t - x))
    made = integrate.solve_ivp(rhs, (0, 5), rhs.start(), jac=rhs.jac, method="Radau", rtol=1e-8, atol=1e-12)
    run = bristle.simulate(SCENARIO, {"time.end": "5 s"})
    assert made.success and made.y[0, -1] == pytest.approx(run["x"][-1], rel=1e-5)
    y = rhs.start(1e-6, 2e-3)
    y[2] = 3e-6
    e = 1e-9
    for k in range(3):
        up, down = y.copy(), y.copy()
        up[k] += e
        down[k] -= e
        assert rhs.jac(0.0, y)[:, k] == pytest.approx((rhs(0.0, up) - rhs(0.0, down)) / (2 * e), rel=1e-4, abs=1e-2)
    with pytest.raises(bristle.ParameterError, match="not smooth"):
        bristle.rhs(bristle.coulomb())
