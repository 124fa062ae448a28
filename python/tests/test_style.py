"""The package is typed and in one style; so is what uses it."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT


def run(*command: str) -> None:
    done = subprocess.run([sys.executable, "-m", *command], capture_output=True, text=True, cwd=ROOT, check=False)
    assert done.returncode == 0, done.stdout + done.stderr


def test_style() -> None:
    run("ruff", "check", "-q", "--no-cache", "python")
    run("ruff", "format", "-q", "--no-cache", "--check", "python")


def test_package_is_typed(long: bool, tmp_path: Path) -> None:
    if not long:
        pytest.skip("long: mypy")
    run("mypy", "--strict", "--cache-dir", str(tmp_path), "-p", "bristle")
    examples = sorted((ROOT / "python" / "examples").glob("*.py"))
    run("mypy", "--strict", "--cache-dir", str(tmp_path), "--scripts-are-modules", *map(str, examples))


def test_wrong_names_and_types_are_found(long: bool, tmp_path: Path) -> None:
    if not long:
        pytest.skip("long: mypy")
    text = "import bristle\nlaw = bristle.lugre(fs=2, vs='1 mm/s')\nforce: float = law.fs\n"
    for wrong in ("", "bristle.lugre(fz=1)", "bristle.lugre(fs=[])", "law.sigma9"):
        script = tmp_path / "script.py"
        script.write_text(text + wrong + "\n")
        command = [sys.executable, "-m", "mypy", "--strict", "--cache-dir", str(tmp_path), str(script)]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        assert (done.returncode == 0) == (wrong == ""), done.stdout


def test_files_are_small() -> None:
    for path in [*(ROOT / "python").rglob("*.py")]:
        assert len(path.read_text().splitlines()) <= 400, path
