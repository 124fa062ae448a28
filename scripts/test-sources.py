#!/usr/bin/env python3
"""docs/sources.md: every line of its checklists has a command and what its output must contain. All of them are run.

A formula in braces, `F = {peak(2.5e-3)} N`, stands for a number: it is computed here, by scripts/by_hand.py, which has
the documents' equations and nothing of Bristle. It must be met within 1e-9 of itself, or within what is said:
`{x ± 1e-3}`, `{x ± 1%}`. No two lines may ask for the same. test-sources.py [ITEM...] runs single lines.
"""

from __future__ import annotations

import os
import re
import subprocess
import sys
import tempfile
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

ROOT = Path(__file__).resolve().parents[1]
sys.path.insert(0, str(ROOT / "scripts"))
import by_hand  # noqa: E402

BUILD = Path(os.environ.get("BUILD", "build"))
BUILD = BUILD if BUILD.is_absolute() else ROOT / BUILD
PAGE = ROOT / "docs" / "sources.md"
LINE = re.compile(r"^\| ([A-Z]\d+) \| .* \| `(.*)` \| `(.*)` \|$", re.M)
NUMBER = r"([-+]?\d*\.?\d+(?:[eE][-+]?\d+)?)"
FEWEST = 190
# formulas that take a second each, where others like them are computed: with ALL=1, or where their line is named
SLOW = ("hunting()", "dtau=0.02, least=50", "limiting_time(20e-6", "limiting_time(1e-6")


def formula(text: str) -> tuple[float, float]:
    """What a number must be, and within what."""
    what, _, within = text.partition("±")
    value = float(eval(what.strip(), vars(by_hand)))
    within = within.strip()
    if not within:
        return value, 1e-9 * abs(value) + 1e-300
    return value, abs(value) * float(within[:-1]) / 100 if within.endswith("%") else float(within)


def missing(wanted: str, said: str) -> str:
    """Why the output has not what a line asks for."""
    parts = re.split(r"\{([^{}]*)\}", wanted)
    numbers = [formula(part) for part in parts[1::2]]
    pattern = re.escape(parts[0]) + "".join(NUMBER + re.escape(part) for part in parts[2::2])
    closest = ""
    for found in re.finditer("(?=(?<![\\d.])%s)" % pattern if not parts[0] else "(?=%s)" % pattern, said):
        got = [float(text) for text in found.groups()]
        if all(abs(a - value) <= 1.0000001 * within for a, (value, within) in zip(got, numbers, strict=True)):
            return ""
        closest = closest or ", it has " + ", ".join("%.12g" % a for a in got)
    return "no %s (%s)%s" % (wanted, ", ".join("%.12g within %.2g" % n for n in numbers), closest)


def run(job: tuple[str, Path]) -> tuple[int, str]:
    """Each command in a folder of its own; what a law on recorded motion writes into f.csv is looked at as well."""
    command, desk = job
    desk.mkdir()
    (desk / "examples").symlink_to(ROOT / "examples")
    (desk / "docs").symlink_to(ROOT / "docs")
    done = subprocess.run(["bash", "-c", command], cwd=desk, capture_output=True, text=True, timeout=1200,
                          stdin=subprocess.DEVNULL)
    written = desk / "f.csv"
    return done.returncode, done.stdout + done.stderr + (written.read_text() if written.exists() else "")


def steprules() -> list[str]:
    """The table of docs/steprules.md is the one that its test measures."""
    if not (BUILD / "tests").exists():
        return []
    said = subprocess.run([BUILD / "tests", "step_rules_on_the_stick_slip_rig"], capture_output=True, text=True).stdout
    measured = [line[2:] for line in said.splitlines() if line.startswith("  |")]
    page = (ROOT / "docs" / "steprules.md").read_text()
    shown = [line for line in page[page.index("| step | bristle"):].split("\n\n")[0].splitlines() if line.startswith("|")]
    wrong = [] if measured == shown else ["docs/steprules.md has other numbers than its test"]
    return wrong + ["docs/steprules.md does not say '%s'" % text for text in conclusions(measured) if text not in " ".join(page.split())]


def conclusions(table: list[str]) -> list[str]:
    """What is said below that table, from its numbers."""
    row = {tuple(cells[:2]): cells for line in table[2:] if (cells := [c.strip() for c in line.strip("| ").split("|")])}
    plain, held, fixed = "LuGre rule", "LuGre rule, after its hold time 1 ms", "fixed 0.2 ms"

    def steps(rule: str, update: str = "exact, coupled") -> int:
        return int(row[rule, update][2])

    costs = [steps(r, "explicit, capped") / steps(r) for r in ("Coulomb rule", plain, held)]
    return [
        "%.1f to %.1f times the steps of the exact update" % (min(costs), max(costs)),
        "the trajectory is wrong by %s mm" % row[fixed, "explicit"][5],
        "up to %s ms: too long for a first-order host, %.0f mm" % (row[plain, "exact, coupled"][3].split()[-1], float(row[plain, "exact, coupled"][5])),
        "gives %.1g mm for %.0f %% more steps" % (float(row[held, "exact, coupled"][5]), 100 * steps(held) / steps(plain) - 100),
        "better than a fixed 0.2 ms at %.0f %% of its steps" % (100 * steps(held) / steps(fixed)),
    ]


def main(only: list[str]) -> int:
    lines = [m.groups() for m in LINE.finditer(PAGE.read_text())]
    failures = [] if only else steprules()
    if len(lines) < FEWEST:
        failures.append("only %d lines of docs/sources.md were read" % len(lines))
    seen: dict[str, str] = {}
    for item, _, wanted in lines:
        if wanted in seen:
            failures.append("%s asks what %s asks: %s" % (item, seen[wanted], wanted))
        seen[wanted] = item
        if not re.search(r"\{|exit \d|\b(19|20)\d\d\b", wanted):
            failures.append("%s: no number of its own: %s" % (item, wanted))
    if not only and not os.environ.get("ALL"):
        for item, _, wanted in lines:
            if any(formula in wanted for formula in SLOW):
                print("for ALL=1: %s: %s" % (item, wanted))
        lines = [line for line in lines if not any(formula in line[2] for formula in SLOW)]
    lines = [line for line in lines if not only or line[0] in only]
    commands = list(dict.fromkeys(command for _, command, _ in lines))
    with tempfile.TemporaryDirectory() as folder:
        os.symlink(BUILD.resolve() / "bristle", Path(folder) / "bristle")
        os.environ["PATH"] = folder + ":" + os.environ["PATH"]
        with ThreadPoolExecutor(max(int(os.environ.get("JOBS", "2")), 1)) as pool:
            results = pool.map(run, [(c, Path(folder) / ("desk%d" % i)) for i, c in enumerate(commands)])
            said = dict(zip(commands, results, strict=True))
    passed = 0
    for item, command, wanted in lines:
        code, output = said[command]
        wrong = ["exit code %d" % code] if code else []
        wrong += [w for part in wanted.split("` and `") if (w := missing(part, output))]
        passed += not wrong
        failures += ["%s: %s, of: %s" % (item, w, command) for w in wrong]
    for text in failures:
        print("FAIL", text)
    print("%d passed, %d failed, 0 skipped" % (passed, len(failures)))
    return bool(failures)


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
