"""`python -m bristle` is the tool: its messages and exit codes, by the tool's own tests."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest
from conftest import ROOT

COMMAND = [sys.executable, "-m", "bristle"]


def test_messages_and_codes() -> None:
    for words, code, text in (
        (["--version"], 0, "bristle 0."),
        (["show", "lugre"], 0, "sigma0"),
        (["show", "lugr"], 2, "did you mean 'lugre'?"),
        (["nosuch"], 2, "there is no verb 'nosuch'"),
        (["simulate"], 2, "no scenario given"),
        ([], 2, "usage"),
    ):
        done = subprocess.run([*COMMAND, *words], capture_output=True, text=True, check=False)
        assert done.returncode == code and text in done.stdout + done.stderr, words


def test_the_tests_of_the_command_line(tmp_path: Path) -> None:
    if not os.environ.get("BRISTLE_LONG"):
        pytest.skip("BRISTLE_LONG=1: scripts/test-cli.sh on python -m bristle")
    tool = tmp_path / "bristle"
    tool.write_text(f'#!/bin/sh\nexec "{sys.executable}" -m bristle "$@"\n')
    tool.chmod(0o755)
    environment = {**os.environ, "BRISTLE_TOOL": str(tool)}
    done = subprocess.run([ROOT / "scripts/test-cli.sh"], env=environment, capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-3000:] + done.stderr[-1000:]
