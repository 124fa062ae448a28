"""The page of benchmarks: the measured tables of bench/results as they stand, with what each compares and how to repeat it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

TEXTS = {
    "epyc-zen4-2vcpu.txt": ("Loops, solvers and identification, beside peers", "make bench", "Ratios of one run on one machine; *at least* and *at most* are the limits that `make bench` holds."),
    "mujoco-arm.txt": ("An arm that holds, beside MuJoCo", "make bench-mujoco", "Drift while the arm holds, and when it breaks away."),
    "mujoco-plugin.txt": ("What friction costs in MuJoCo", "make bench-plugin", "The plugin beside the plain step."),
}


def _rate(value: float) -> str:
    return f"{value / 1e6:.3g}"


def _throughput(data: dict[str, Any]) -> str:
    rows = []
    for name, points in data.get("throughput", {}).items():
        best = max(points, key=lambda p: p[1])
        one = points[0]
        rows.append(f"| {name} | {_rate(one[1])} | {_rate(best[1])} | {int(best[0])} |")
    if not rows:
        return ""
    return "| what | one contact | at best | with so many contacts |\n|---|---|---|---|\n" + "\n".join(rows) + "\n\nMillions of contact steps a second.\n"


def page(results: Path) -> str:
    """Every file of the folder."""
    parts = [
        "# Benchmarks\n\nMeasured, with the machine named. Other machines give other times; ratios in one run are what counts. "
        "`make bench` repeats them and fails where a limit is missed.\n"
    ]
    for path in sorted(results.glob("*.json")):
        data = json.loads(path.read_text())
        table = _throughput(data)
        if table:
            parts.append(f"## Contact steps a second: {data.get('machine', path.stem)}\n\n{data.get('note', '')}\n\n{table}")
    for path in sorted(results.glob("*.txt")):
        title, command, about = TEXTS.get(path.name, (path.stem, "", ""))
        again = f" Again: `{command}`." if command else ""
        parts.append(f"## {title}\n\n{about}{again}\n\n```text\n{path.read_text()}```\n")
    return "\n".join(parts)
