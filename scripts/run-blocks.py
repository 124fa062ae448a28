#!/usr/bin/env python3
"""Runs what documents show: run-blocks.py TOOL BUILD DESK DOCUMENT...

Commands run on the desk, a folder with files of the names that documents use, and must write what they name; C is
compiled against the library and run; scenarios go through the tool; what is shown below a block must be what it
prints. A block that nobody can run is marked in the document, and told here with the reason. Python blocks are those of
python/tests/test_site.py. How blocks are marked: site/make/blocks.py.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "site" / "make"))
from blocks import Block, blocks_of, commands  # noqa: E402
from shown import missing  # noqa: E402

HEAD = "#include <bristle/bristle.h>\n#include <bristle/params.h>\n#include <math.h>\n#include <stdio.h>\n#include <stdlib.h>\n"


class Runner:
    """Counts what was run."""

    def __init__(self, tool: Path, build: Path, desk: Path) -> None:
        self.tool, self.build, self.desk = tool, build, desk
        self.passed = self.failed = self.skipped = 0
        self.programs = 0
        data = os.environ.get("BRISTLE_DATA")
        self.data = Path(data) if data else ROOT.parent / "shared" / "data"

    def check(self, good: bool, what: str) -> bool:
        if good:
            self.passed += 1
        else:
            self.failed += 1
            print(f"FAIL {what}")
        return good

    def skip(self, what: str) -> None:
        self.skipped += 1
        print(f"SKIP {what}")

    def holds(self, block: Block, said: str) -> None:
        """What is shown was said."""
        if block.shown:
            lost = missing(block.shown, said)
            self.check(not lost, f"{block.place} shows what is not printed today:\n" + "\n".join(lost[:5]))

    def shell(self, block: Block, line: str, folder: Path) -> str:
        """One command, as a reader would type it. Returns what it said."""
        environment = {**os.environ, "PATH": f"{self.tool.parent}:{os.environ['PATH']}"}
        begin = time.time() - 1
        done = subprocess.run(
            ["bash", "-c", block.notes.get("given", "") + "\n" + line], cwd=folder, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL
        )
        self.check(done.returncode == int(block.notes.get("exit", 0)), f"{block.place}: {line}\n{(done.stdout + done.stderr)[-400:]}")
        for name in re.findall(r" (?:-o|--report|--scenario) ([^ ]+)", line):
            path = folder / name
            written = path.exists() and path.stat().st_size > 0 and path.stat().st_mtime >= begin
            self.check(written or path.is_dir(), f"{block.place}: {line} writes no {name}")
        return done.stdout + done.stderr

    def command(self, block: Block, line: str, folder: Path) -> str:
        """One line of a block of commands."""
        line = line.removeprefix("$ ")
        if found := re.match(r"make ?([a-z-]*)", line):
            target = found.group(1) or "all"
            self.check(re.search(rf"^{target}:", (ROOT / "Makefile").read_text(), re.M) is not None, f"{block.place}: make {target}")
        elif found := re.match(r"python (\S+\.py)", line):
            self.check((ROOT / found.group(1)).is_file(), f"{block.place}: there is no {found.group(1)}")
        elif re.match(r"(pip install \.|python -m bristle)", line):
            self.passed += 1  # the rows python and mujoco do just this
        elif " gallery " in line and not os.environ.get("ALL"):
            self.passed += 1  # takes a while and has a row of its own
        elif re.match(r"(build/)?bristle ", line):
            return self.shell(block, line, folder)
        else:
            self.check(False, f"{block.place}: what is '{line}'?")
        return ""

    def commands(self, block: Block) -> None:
        folder, lines = self.desk, commands(block.text)
        if block.language == "console":
            block.shown = "\n".join(line for line in lines if not line.startswith("$ "))
            lines = [line for line in lines if line.startswith("$ ")]
        if "data" in block.notes:
            folder = self.data / block.notes["data"]
            if not folder.is_dir():
                self.skip(f"data {block.notes['data'] or 'beside the project'}")
                return
        self.check(bool(lines), f"{block.place}: no command in it")
        self.holds(block, "".join(self.command(block, line, folder) for line in lines))

    def program(self, block: Block) -> None:
        """C: a whole program, or a fragment with what it needs before it."""
        given = block.notes.get("given", "").splitlines()
        text = re.sub(r"^\.\.\.$", "", block.text, flags=re.M)
        if block.argument:
            self.check((ROOT / block.argument).read_text() == text, f"{block.place} is not {block.argument}")
        if "int main" not in text:
            above = "\n".join(line for line in given if line.startswith("#"))
            inside = "\n".join(line for line in given if not line.startswith("#"))
            text = f"{HEAD}{above}\nint main(void)\n{{\n{inside}\n{text}\nreturn 0;\n}}\n"
        self.programs += 1
        source = self.desk / f"block{self.programs}.c"
        source.write_text(text)
        flags = ["-std=gnu11", "-O1", "-Wall", "-Wextra", "-Werror", "-Wno-unused", f"-I{ROOT / 'include'}"]
        only = "compiled" in block.notes
        after = ["-c", "-o", os.devnull] if only else [str(self.build / "libbristle.a"), "-lm", "-o", str(source.with_suffix(""))]
        made = subprocess.run([os.environ.get("CC", "cc"), *flags, str(source), *after], capture_output=True, text=True)
        if not self.check(made.returncode == 0, f"{block.place} does not compile\n{made.stderr[:800]}"):
            return
        if only:
            print(f"compiled, not run: {block.place}: {block.notes['compiled']}")
            return
        ran = subprocess.run([str(source.with_suffix(""))], capture_output=True, text=True, timeout=60)
        self.check(ran.returncode == 0, f"{block.place} ends with {ran.returncode}")
        self.holds(block, ran.stdout)

    def file(self, block: Block) -> None:
        """A block that is a file of the desk, and the command that uses it."""
        name, _, line = block.notes["file"].partition(":")
        path = self.desk / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(block.text)
        self.passed += 1
        if line.strip():
            self.holds(block, self.shell(block, line.strip(), self.desk))

    def run(self, block: Block) -> None:
        if reason := block.notes.get("not run"):
            print(f"not run: {block.place}: {reason}")
        elif "long" in block.notes and not os.environ.get("ALL"):
            print(f"for ALL=1: {block.place}: {block.notes['long']}")
        elif "file" in block.notes:
            self.file(block)
        elif block.language in ("", "sh", "console"):
            self.commands(block)
        elif block.language == "c":
            self.program(block)
        elif block.language not in ("text", "python"):
            self.check(False, f"{block.place}: nothing is done with this {block.language} block")


def main() -> int:
    tool, build, desk = (Path(path).resolve() for path in sys.argv[1:4])
    runner = Runner(tool, build, desk)
    for name in sys.argv[4:]:
        for block in blocks_of(ROOT / name, name):
            runner.run(block)
    print(f"{runner.passed} passed, {runner.failed} failed, {runner.skipped} skipped")
    return runner.failed != 0


if __name__ == "__main__":
    sys.exit(main())
