#!/usr/bin/env python3
"""The page of `make bench`: throughput against batch size, error against cost, drift against step length.

page.py BUILD [--note TEXT] [--keep] [--from FILE NAME]...

Runs what BUILD and this Python have (bench-page, bench-solver, cuda-bench, bench/page_peers.py), one after the other,
and writes BUILD/bench.json and BUILD/bench.html; peers that are missing are named. --keep also writes the points to
bench/results/MACHINE.json, where MACHINE is the processor's name. --from takes the lines of a file instead (of another
machine), as results/NAME.json. The page shows all results there are.
"""

from __future__ import annotations

import html
import json
import math
import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

HERE = Path(__file__).parent
RESULTS = HERE / "results"
COLOURS = ("#0072b2", "#d55e00", "#009e73", "#cc79a7", "#e69f00", "#56b4e9", "#000000", "#8a6d3b", "#7f3fbf", "#6b8e23")
KINDS = ("throughput", "error", "drift", "missing")


def machine() -> str:
    """The processor's name, as part of a file name; never the host's."""
    text = Path("/proc/cpuinfo").read_text() if Path("/proc/cpuinfo").exists() else ""
    model = re.search(r"model name\s*:\s*(.+)", text)
    words = re.sub(r"[^a-z0-9]+", "-", model.group(1).lower()).strip("-") if model else "processor"
    return f"{words}-{os.cpu_count()}cpu"


def lines_of(command: list[str], who: str) -> list[str]:
    """What a program prints, or why it did not."""
    if not Path(command[0]).exists():
        return [f"missing|{who}|{command[0]} is not built"]
    done = subprocess.run(command, capture_output=True, text=True, check=False)
    lines = [line for line in done.stdout.splitlines() if line.partition("|")[0] in KINDS]
    if done.returncode and not lines:
        said = (done.stderr + done.stdout).strip().splitlines()
        lines.append(f"missing|{who}|{said[-1] if said else 'it failed'}")
    return lines


def measure(build: Path) -> list[str]:
    """All programs, one after the other."""
    with tempfile.TemporaryDirectory() as folder:
        reference = Path(folder, "reference")
        lines = lines_of([str(build / "bench-page")], "Bristle")
        lines += lines_of([str(build / "bench-solver"), "points", str(reference)], "CVODE")
        lines += lines_of([str(build / "cuda" / "cuda-bench"), "points"], "Bristle on a GPU")
        given = str(reference) if reference.exists() else "-"
        return lines + lines_of([sys.executable, str(HERE / "page_peers.py"), given], "NumPy, SciPy, JAX, MuJoCo")


def sorted_out(lines: list[str], name: str, note: str) -> dict:
    """Lines as series of points."""
    made: dict = {"machine": name, "note": note, "throughput": {}, "error": {}, "drift": {}, "missing": {}}
    for line in lines:
        kind, *parts = line.strip().split("|")
        if kind == "throughput" and len(parts) == 5:
            who, precision, what, count, rate = parts
            made[kind].setdefault(f"{who}, {what} {precision}", []).append([float(count), float(rate)])
        elif kind == "error" and len(parts) == 4:
            who, _, seconds, error = parts
            made[kind].setdefault(who, []).append([float(error), float(seconds)])
        elif kind == "drift" and len(parts) == 3:
            who, step, way = parts
            made[kind].setdefault(who, []).append([float(step), float(way)])
        elif kind == "missing" and len(parts) >= 2:
            made[kind][parts[0]] = "|".join(parts[1:])
    for who, points in made["error"].items():  # of settings with the same cost, what is better than all cheaper ones
        best, front = math.inf, []
        for error, seconds in sorted(points, key=lambda p: p[1]):
            if error < min(best, 1e-2):  # 1 cm is no result
                best = error
                front.append([error, seconds])
        made["error"][who] = front
    return made


# ---- the page ----


def ticks(low: float, high: float) -> range:
    return range(math.floor(low), math.ceil(high) + 1)


def chart(series: dict, across: str, up: str, floor: float = 0.0) -> str:
    """Straight lines on logarithmic axes; what is not finite stands at the top, what is zero at the floor."""
    points = [p for line in series.values() for p in line if math.isfinite(p[1])]
    if not points:
        return "<p>nothing was measured</p>"
    xs = [math.log10(p[0]) for line in series.values() for p in line if p[0] > 0]
    ys = [math.log10(max(p[1], floor or 1e-300)) for p in points if p[1] > 0 or floor]
    left, right, low, high = min(xs), max(xs), math.floor(min(ys)), math.ceil(max(ys))
    right, high = max(right, left + 1), max(high, low + 1)
    width, height, x0, y0 = 640.0, 340.0, 70.0, 20.0

    def place(x: float, y: float) -> tuple[float, float]:
        level = high if not math.isfinite(y) else max(low, math.log10(y) if y > 0 else low)
        at = (math.log10(x) - left) / (right - left)
        return x0 + at * width, y0 + height * (1 - (level - low) / (high - low))

    out = [f'<svg viewBox="0 0 1000 {height + 70:.0f}" role="img" aria-label="{html.escape(up)} against {html.escape(across)}">']
    step = max(1, math.ceil((high - low) / 8))
    for k in range(low, high + 1, step):
        y = place(10**left, 10.0**k)[1]
        out.append(f'<line x1="{x0}" y1="{y:.1f}" x2="{x0 + width}" y2="{y:.1f}" class="g"/>')
        out.append(f'<text x="{x0 - 8}" y="{y + 4:.1f}" text-anchor="end">1e{k}</text>')
    for k in ticks(left, right):
        if left - 1e-9 <= k <= right + 1e-9:
            x = place(10.0**k, 10.0**low)[0]
            out.append(f'<line x1="{x:.1f}" y1="{y0}" x2="{x:.1f}" y2="{y0 + height}" class="g"/>')
            out.append(f'<text x="{x:.1f}" y="{y0 + height + 18}" text-anchor="middle">1e{k}</text>')
    for i, (who, line) in enumerate(series.items()):
        colour, dash = COLOURS[i % len(COLOURS)], ' stroke-dasharray="5 3"' if "f32" in who else ""
        spots = [place(*p) for p in line if p[0] > 0]
        path = " ".join(f"{x:.1f},{y:.1f}" for x, y in spots)
        out.append(f'<polyline points="{path}" fill="none" stroke="{colour}" stroke-width="2"{dash}/>')
        out += [f'<circle cx="{x:.1f}" cy="{y:.1f}" r="3" fill="{colour}"/>' for x, y in spots]
        y = y0 + 12 + 18 * i
        out.append(f'<line x1="{x0 + width + 20}" y1="{y - 4}" x2="{x0 + width + 45}" y2="{y - 4}" stroke="{colour}" stroke-width="2"{dash}/>')
        out.append(f'<text x="{x0 + width + 52}" y="{y}">{html.escape(who)}</text>')
    out.append(f'<text x="{x0 + width / 2}" y="{y0 + height + 40}" text-anchor="middle">{html.escape(across)}</text>')
    out.append(f'<text x="14" y="{y0 + height / 2}" transform="rotate(-90 14 {y0 + height / 2})" text-anchor="middle">{html.escape(up)}</text></svg>')
    return "".join(out)


def section(result: dict) -> str:
    out = [f"<h2>{html.escape(result['machine'])}</h2>"]
    if result["note"]:
        out.append(f"<p>{html.escape(result['note'])}</p>")
    for what in ("prescribed", "coupled"):
        series = {who: line for who, line in result["throughput"].items() if f", {what} " in who}
        if series:
            out.append(f"<h3>Throughput against batch size: lugre, {what}</h3>")
            out.append(chart(series, "contacts", "contact-steps a second"))
    if result["error"]:
        out.append("<h3>Cost against error: 20 s of stick-slip</h3><p>The best of each solver's settings.</p>")
        out.append(chart(result["error"], "largest error of the position [m]", "time [s]"))
    if result["drift"]:
        out.append("<h3>Drift against step length</h3><p>1 kg held by friction against half of its level, from 1 s to 10 s. "
                   "At the top: it diverged. At the bottom: less than 1e-20 m.</p>")
        out.append(chart(result["drift"], "step [s]", "drift [m]", 1e-20))
    if result["missing"]:
        rows = "".join(f"<li>{html.escape(k)}: {html.escape(v)}</li>" for k, v in result["missing"].items())
        out.append(f"<h3>Missing in this run</h3><ul>{rows}</ul>")
    return "\n".join(out)


def page(results: list[dict]) -> str:
    style = (
        "body{font:16px/1.5 system-ui,sans-serif;max-width:1000px;margin:2em auto;padding:0 1em;color:#222;background:#fff}"
        "svg{width:100%;height:auto}text{font:13px system-ui,sans-serif;fill:#222}.g{stroke:#ddd}"
    )
    intro = "<p>Friction laws beside their peers, each in the same run on the same machine. Dashed: single precision.</p>"
    body = "\n".join(section(result) for result in results)
    return (f"<!doctype html><html lang='en'><meta charset='utf-8'><title>Bristle: how fast, how exact</title>"
            f"<style>{style}</style><body><h1>How fast, how exact</h1>{intro}{body}</body></html>\n")


def finite(made: dict) -> dict:
    """JSON has no infinity: null stands for it."""
    for kind in ("throughput", "error", "drift"):
        made[kind] = {w: [[x, y if math.isfinite(y) else None] for x, y in line] for w, line in made[kind].items()}
    return made


def read(path: Path) -> dict:
    made = json.loads(path.read_text())
    for kind in ("throughput", "error", "drift"):
        made[kind] = {w: [[x, math.inf if y is None else y] for x, y in line] for w, line in made[kind].items()}
    return made


def main() -> None:
    arguments = sys.argv[1:]
    build, note, keep, given = Path(arguments.pop(0)), "", False, None
    while arguments:
        word = arguments.pop(0)
        if word == "--note":
            note = arguments.pop(0)
        elif word == "--keep":
            keep = True
        elif word == "--from":
            given = (Path(arguments.pop(0)), arguments.pop(0))
        else:
            sys.exit(f"page.py: {word} is not known\n{__doc__}")
    name = given[1] if given else machine()
    lines = given[0].read_text().splitlines() if given else measure(build)
    made = finite(sorted_out(lines, name, note))
    text = json.dumps(made, indent=1) + "\n"
    own = RESULTS / f"{name}.json"
    (build / "bench.json").write_text(text)
    if keep or given:
        own.write_text(text)
    others = [read(path) for path in sorted(RESULTS.glob("*.json")) if path != own]
    (build / "bench.html").write_text(page([read(build / "bench.json"), *others]))
    for who, why in made["missing"].items():
        print(f"missing: {who}: {why}")
    print(f"{build / 'bench.html'}")


if __name__ == "__main__":
    main()
