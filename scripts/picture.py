#!/usr/bin/env python3
"""The picture of the README: picture.py REPORT.html OUT.svg.

Two plots of an identification report below each other: the measured friction over speed with the fitted law, and the force on
the held-out log with the prediction. Curves, colours and legends are the report's own.
"""

import re
import sys
from html import escape, unescape
from pathlib import Path

PLOTS = {
    "Friction over speed": "Identified from one log: friction over speed",
    "Force, check.csv": "Predicted on a log that was held out: force of the motor over time",
}
HEIGHT, TOP, GAP = 326, 46, 8
STYLE = """
:root { --paper: #ffffff; --ink: #1d2126; --quiet: #5c6670; --grid: #e9ecef; %s }
@media (prefers-color-scheme: dark) { :root { --paper: #15181c; --ink: #e3e7eb; --quiet: #9aa5b0; --grid: #282e35; %s } }
text { font: 12px system-ui, sans-serif; fill: var(--quiet); } .title { font-size: 16px; font-weight: 600; fill: var(--ink); }
path { fill: none; stroke-linecap: round; stroke-linejoin: round; }
.grid { stroke: var(--grid); stroke-width: 10; } .line { stroke: var(--c); stroke-width: 15; } .dashed { stroke-dasharray: 60 50; }
.dots { stroke: var(--c); stroke-width: 50; } .wide { stroke-width: 50; opacity: .4; }
"""


def colours(page: str) -> str:
    """The style, with the colours of curves in light and dark."""
    light, dark = re.findall(r"--c0: [^;]*;.*?--c6: [^;]*;", page)[:2]
    numbered = " ".join(f".c{i} {{ --c: var(--c{i}); }}" for i in range(7))
    return STYLE % (light, dark) + numbered


def figure(page: str, label: str) -> tuple[str, list[tuple[str, str]]]:
    """The curves of a plot, and its legend: class and name of each entry."""
    found = re.search(r'<figure[^>]*>\s*<h3>' + re.escape(label) + r'.*?</figure>', page, re.S)
    if not found:
        sys.exit(f"{sys.argv[1]} has no plot '{label}'")
    curves = re.search(r"<svg[^>]*>(.*?)</svg>", found[0], re.S)[1]
    return curves, [(c, unescape(name).replace("fitted", "law")) for c, name in re.findall(r'<li class="([^"]*)"><span>(.*?)</span>', found[0])]


def legend(entries: list[tuple[str, str]]) -> str:
    parts, x = [], 946
    for classes, name in reversed(entries):
        if name.startswith("spread"):
            continue
        kind = classes.replace("points", "dots")
        x -= 7 * len(name)
        parts.append(f'<text x="{x}" y="36">{escape(name)}</text>')
        mark = f"M{10 * x - 150} 320h1" if "dots" in kind else f"M{10 * x - 260} 320h190"
        parts.append(f'<path class="line {kind}" transform="scale(.1)" d="{mark}"/>' if "dots" not in kind else
                     f'<path class="{kind}" transform="scale(.1)" d="{mark}"/>')
        x -= 44
    return "".join(parts)


def main() -> None:
    page, out = Path(sys.argv[1]).read_text(), Path(sys.argv[2])
    step = TOP + HEIGHT + GAP
    parts = [f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 960 {step * len(PLOTS)}" role="img">',
             f"<title>{escape('; '.join(PLOTS.values()))}</title>", f"<style>{colours(page)}</style>",
             '<rect width="100%" height="100%" rx="8" style="fill: var(--paper)"/>']
    for i, (label, title) in enumerate(PLOTS.items()):
        curves, entries = figure(page, label)
        parts.append(f'<g transform="translate(0 {i * step})"><text class="title" x="64" y="36">{escape(title)}</text>{legend(entries)}'
                     f'<g transform="translate(0 {TOP})">{curves}</g></g>')
    out.write_text("\n".join(parts) + "\n</svg>\n")


main()
