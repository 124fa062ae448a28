"""The programs that the site shows for each law run."""

from __future__ import annotations

import runpy

import pytest
from conftest import ROOT

import bristle
from bristle.tables import law_names


@pytest.mark.parametrize("name", law_names())
def test_the_program_of_a_law_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    law = {"name": name, "traits": bristle.law(name).table.traits}
    code = runpy.run_path(str(ROOT / "site" / "make" / "law_code.py"))["python_text"](law)
    exec(compile(code, name, "exec"), {})
    assert capsys.readouterr().out.split()
