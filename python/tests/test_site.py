"""The programs that the site shows for each law run."""

import json
import runpy
import subprocess
import sys
from pathlib import Path

import pytest

import bristle

MAKE = Path(__file__).parents[2] / "site" / "make"


@pytest.mark.parametrize("name", [law["name"] for law in json.loads(
    subprocess.run([sys.executable, "-m", "bristle", "models", "--json"], capture_output=True, text=True, check=True).stdout
)["models"]])
def test_the_program_of_a_law_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    law = {"name": name, "traits": bristle.law(name).table.traits}
    code = runpy.run_path(str(MAKE / "law_code.py"))["python_text"](law)
    exec(compile(code, name, "exec"), {})
    assert capsys.readouterr().out.split()
