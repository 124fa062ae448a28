"""Pictures as inline SVG, in the colours of the page: curves, and a map of where a body sticks and slips."""

from __future__ import annotations

import html
import math
from collections.abc import Sequence

Points = Sequence[Sequence[float]]

WIDTH, HEIGHT, LEFT, RIGHT, TOP, BOTTOM = 360, 236, 52, 12, 14, 42


def number(value: float) -> str:
    """A number as a person writes it."""
    if value == 0:
        return "0"
    if 1e-3 <= abs(value) < 9999.5:
        return f"{value:.4g}"
    digits, power = f"{value:.3g}".split("e") if "e" in f"{value:.3g}" else f"{value:.2e}".split("e")
    digits = digits.rstrip("0").rstrip(".") if "." in digits else digits
    return f"{digits}e{int(power)}"


def scaled(unit: str, largest: float) -> tuple[float, str]:
    """The factor and the prefix with which numbers of this size read well."""
    if unit in ("1", "") or largest == 0:
        return 1, unit
    for factor, prefix in ((1, ""), (1e-3, "m"), (1e-6, "µ"), (1e-9, "n")):
        if largest >= 0.5 * factor:
            return factor, prefix + unit
    return 1e-9, "n" + unit


def ticks(low: float, high: float, count: int = 5) -> list[float]:
    """Round numbers within a range."""
    step = (high - low) / count
    size = 10 ** math.floor(math.log10(step))
    size *= next(k for k in (1, 2, 5, 10) if k * size >= step)
    return [k * size for k in range(math.ceil(low / size - 1e-9), math.floor(high / size + 1e-9) + 1)]


class Axis:
    """One direction of a picture."""

    def __init__(self, low: float, high: float, at: float, to: float, log: bool = False) -> None:
        self.low, self.high, self.at, self.to, self.log = low, high, at, to, log

    def place(self, value: float) -> float:
        f = math.log10 if self.log else float
        part = (f(value) - f(self.low)) / (f(self.high) - f(self.low))
        return self.at + part * (self.to - self.at)

    def marks(self) -> list[float]:
        if not self.log:
            return ticks(self.low, self.high)
        powers = range(math.ceil(math.log10(self.low) - 1e-9), math.floor(math.log10(self.high) + 1e-9) + 1)
        return [10.0**k for k in powers]


def _frame(x: Axis, y: Axis, x_label: str, y_label: str) -> list[str]:
    out = []
    for value in x.marks():
        at = x.place(value)
        out.append(f'<path class="grid" d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}"/>')
        out.append(f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 15}" text-anchor="middle">{number(value)}</text>')
    for value in y.marks():
        at = y.place(value)
        out.append(f'<path class="grid" d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}"/>')
        out.append(f'<text x="{LEFT - 5}" y="{at + 4:.1f}" text-anchor="end">{number(value)}</text>')
    out.append(f'<path class="axis" d="M{LEFT} {TOP}V{HEIGHT - BOTTOM}H{WIDTH - RIGHT}"/>')
    for axis, path in ((x, "M{0:.1f} %d V%d" % (TOP, HEIGHT - BOTTOM)), (y, "M%d {0:.1f}H%d" % (LEFT, WIDTH - RIGHT))):
        if not axis.log and axis.low < 0 < axis.high:
            out.append(f'<path class="axis" d="{path.format(axis.place(0))}"/>')
    middle = LEFT + (WIDTH - LEFT - RIGHT) / 2
    out.append(f'<text x="{middle:.0f}" y="{HEIGHT - 8}" text-anchor="middle">{html.escape(x_label)}</text>')
    out.append(
        f'<text x="13" y="{TOP + (HEIGHT - TOP - BOTTOM) / 2:.0f}" text-anchor="middle" '
        f'transform="rotate(-90 13 {TOP + (HEIGHT - TOP - BOTTOM) / 2:.0f})">{html.escape(y_label)}</text>'
    )
    return out


def _path(points: Points, x: Axis, y: Axis) -> str:
    places, last = [], None
    for px, py in points:
        place = f"{x.place(px):.1f} {y.place(py):.1f}"
        if place != last:
            places.append(place)
        last = place
    return "M" + "L".join(places)


def _svg(name: str, parts: list[str]) -> str:
    return (
        f'<svg class="plot" role="img" viewBox="0 0 {WIDTH} {HEIGHT}" xmlns="http://www.w3.org/2000/svg" '
        f'aria-label="{html.escape(name, quote=True)}">' + "".join(parts) + "</svg>"
    )


def figure(svg: str, caption: str) -> str:
    return f'<figure class="law">{svg}<figcaption>{caption}</figcaption></figure>'


def grid(figures: list[str]) -> str:
    """Pictures side by side, as many as there is room for."""
    return '```{raw} html\n<div class="pictures">\n' + "\n".join(figures) + "\n</div>\n```\n"


def plot(
    name: str,
    curves: Sequence[tuple[int, Points]],
    x: tuple[str, str],
    y: tuple[str, str],
    legend: Sequence[str] = (),
    log_x: bool = False,
) -> str:
    """Curves (colour, points) over labelled axes (word, unit); jumps are gaps, because each curve is a path of its own."""
    xs = [p[0] for _, points in curves for p in points]
    ys = [p[1] for _, points in curves for p in points]
    x_factor, x_unit = scaled(x[1], max(map(abs, xs))) if not log_x else (1, x[1])
    y_factor, y_unit = scaled(y[1], max(map(abs, ys)))
    low, high = min(min(ys), 0) / y_factor, max(max(ys), 0) / y_factor
    room = 0.06 * (high - low) or 1
    # curves that hardly differ from a straight line are drawn as one
    y_axis = Axis(low - (room if low < 0 else 0), high + room * (1.6 if legend else 1), HEIGHT - BOTTOM, TOP)
    x_axis = Axis(min(xs) / x_factor, max(xs) / x_factor, LEFT, WIDTH - RIGHT, log_x)
    parts = _frame(x_axis, y_axis, f"{x[0]} [{x_unit}]", f"{y[0]} [{y_unit}]")
    for colour, points in curves:
        shown = [(px / x_factor, py / y_factor) for px, py in points]
        parts.append(f'<path class="curve c{colour}" d="{_path(shown, x_axis, y_axis)}"/>')
    at = float(LEFT + 8)
    for i, text in enumerate(legend):
        parts.append(f'<text class="k{i + 1}" x="{at:.0f}" y="{TOP + 2}">{html.escape(text)}</text>')
        at += 7.2 * len(text) + 12
    return _svg(name, parts)


def slip_map(name: str, pull: Sequence[float], stiffness: Sequence[float], slips: Sequence[str]) -> str:
    """Where a body sticks and slips, over speed of pulling and stiffness of the spring, both logarithmic."""

    def edges(values: Sequence[float]) -> tuple[float, float]:
        half = math.sqrt(abs(values[1] / values[0])) if values[1] > values[0] else math.sqrt(values[0] / values[1])
        return min(values) / half, max(values) * half

    x, y = Axis(*edges(pull), LEFT, WIDTH - RIGHT, True), Axis(*edges(stiffness), HEIGHT - BOTTOM, TOP, True)
    wide, high = (WIDTH - RIGHT - LEFT) / len(pull), (HEIGHT - BOTTOM - TOP) / len(stiffness)
    cells = []
    for j, row in enumerate(slips):
        for i, cell in enumerate(row):
            left, top = x.place(pull[i]) - wide / 2, y.place(stiffness[j]) - high / 2
            kind = "slip" if cell == "1" else "smooth"
            cells.append(
                f'<rect class="{kind}" x="{left + 0.5:.1f}" y="{top + 0.5:.1f}" width="{wide - 1:.1f}" height="{high - 1:.1f}"/>'
            )
    return _svg(name, cells + _frame(x, y, "speed of pulling [m/s]", "stiffness [N/m]"))
