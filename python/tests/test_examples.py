"""The example scripts run, and say what they promise."""

from __future__ import annotations

import os
import subprocess
import sys

import pytest
from conftest import ROOT

EXAMPLES = ROOT / "python" / "examples"
PLAIN = ["first_steps", "log_to_model", "own_simulator", "compensation", "million_contacts"]


def run(name: str) -> str:
    environment = {**os.environ, "MPLBACKEND": "Agg"}
    done = subprocess.run(
        [sys.executable, str(EXAMPLES / f"{name}.py")], capture_output=True, text=True, env=environment, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


@pytest.mark.parametrize("name", PLAIN)
def test_example(name: str) -> None:
    assert len(run(name).splitlines()) >= 1


def test_friction_is_learnt_through_a_thousand_steps(long: bool) -> None:
    if not long:
        pytest.skip("long: gradient descent with JAX")
    pytest.importorskip("jax")
    assert "largest disagreement" in run("learn_friction")


def test_every_example_is_run() -> None:
    assert {path.stem for path in EXAMPLES.glob("*.py")} == {*PLAIN, "learn_friction"}
