"""The programs that the site shows run, and print what the pages say."""

from __future__ import annotations

import contextlib
import io
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy
import pandas
import pytest
from conftest import ROOT

import bristle
from bristle.tables import law_names

sys.path[:0] = [str(ROOT / "site" / "make"), str(ROOT / "scripts")]
from blocks import Block, blocks_of  # noqa: E402
from law_code import python_text  # noqa: E402
from shown import missing  # noqa: E402

PAGES = ["README.md", "python/README.md"]
PAGES += sorted(str(path.relative_to(ROOT)) for path in [*ROOT.glob("docs/*.md"), *ROOT.glob("site/pages/**/*.md")])
ELSEWHERE = {"docs/mujoco.md"}  # the row mujoco runs these


@pytest.mark.parametrize("name", law_names())
def test_the_program_of_a_law_runs(name: str, capsys: pytest.CaptureFixture[str]) -> None:
    code = python_text({"name": name, "traits": bristle.law(name).table.traits})
    exec(compile(code, name, "exec"), {})
    assert capsys.readouterr().out.split()


def machine_axis(degrees: bool = False) -> pandas.DataFrame:
    """The axis of the tutorial, with the column names of the documents."""
    frame = pandas.read_csv("axis.csv")
    seen = pandas.DataFrame({"t": frame["t [s]"], "q": frame["x [m]"], "tau": frame["F [N]"]})
    if degrees:
        seen["q"] = numpy.degrees(seen["q"])
        seen["tau"] += numpy.gradient(numpy.gradient(frame["x [m]"], frame["t [s]"]), frame["t [s]"])  # a mass of 1
    return seen


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    """A folder with files of the names that documents use."""
    folder, home = tmp_path_factory.mktemp("desk"), Path.cwd()
    (folder / "examples").symlink_to(ROOT / "examples")
    shutil.copy(ROOT / "examples" / "stick_slip.yaml", folder)
    spec = (ROOT / "examples" / "sweeps" / "stick_slip.yaml").read_text()
    (folder / "spec.yaml").write_text(spec.replace("24", "4").replace("../", ""))
    tool = [sys.executable, "-m", "bristle", "simulate", str(ROOT / "examples" / "axis.yaml"), "--noise", "F=0.3 N"]
    subprocess.run([*tool, "-o", str(folder / "axis.csv"), "--quiet"], check=True)
    os.chdir(folder)
    yield folder
    os.chdir(home)


def python_blocks() -> list[Block]:
    found = [block for name in PAGES if name not in ELSEWHERE for block in blocks_of(ROOT / name, name)]
    return [block for block in found if block.language == "python" and "not run" not in block.notes]


@pytest.mark.parametrize("block", python_blocks(), ids=lambda block: block.place)
def test_the_block_of_a_page_runs(block: Block, desk: Path) -> None:
    if "import bristle.torch" in block.text:
        pytest.importorskip("torch", reason="torch is not installed")
    known: dict[str, Any] = {"bristle": bristle, "numpy": numpy, "machine_axis": machine_axis, "help": lambda _: None}
    said = io.StringIO()
    with contextlib.redirect_stdout(said):
        exec(compile(block.notes.get("given", ""), block.place + " given", "exec"), known)
        exec(compile(block.text, block.place, "exec"), known)
    lost = missing(block.shown, said.getvalue())
    assert not lost, f"{block.place} shows what is not printed today: {lost}"


def test_the_pages_have_programs() -> None:
    assert len(python_blocks()) >= 8
    assert re.search("import bristle", python_blocks()[0].text)
