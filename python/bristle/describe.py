"""What a law says about itself: one line, a docstring, a notebook card, a model file."""

from __future__ import annotations

import html as _html
import json
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np

from ._library import LOADS, ffi, lib, text
from .errors import FileError

if TYPE_CHECKING:
    from .law import Parameters
    from .tables import Row, Table


def number(value: float) -> str:
    """The shortest digits that read back as the same number."""
    buffer = ffi.new("char[32]")
    lib.bristle_number_text(value, buffer, 32)
    return text(buffer)


def _value(law: Parameters, row: Row) -> str:
    values = [number(v) for v in law.values[row.first : row.first + row.count]]
    return values[0] if row.count == 1 else "[" + ", ".join(values) + "]"


def line(law: Parameters) -> str:
    """repr: what one would write to make it again."""
    parts = [f"{row.name}={_value(law, row)}" for row in law.table.parameters]
    if law.load != LOADS[law.table.load]:
        parts.append(f"load={law.load!r}")
    if law.rotary:
        parts.append("rotary=True")
    extra = f"{law.dim}, " if hasattr(law, "dim") else ""
    return f"bristle.{'vector.' if extra else ''}{law.name}({extra}{', '.join(parts)})"


def docstring(table: Table) -> str:
    """Equations, use, limits, source and the table of parameters."""
    parts = [
        f"{table.title}.",
        f"Equations:\n{_indent(table.equations)}",
        f"Use: {table.use}",
        f"Limits: {table.limits}",
    ]
    parts += [f"Source: {table.source}", "Parameters\n----------\n" + "\n".join(map(_row_text, table.parameters))]
    if table.states:
        parts.append("States\n------\n" + "\n".join(f"{row.name} [{row.unit}]\n    {row.doc}" for row in table.states))
    return "\n\n".join(parts) + "\n"


def _indent(block: str) -> str:
    return "\n".join("    " + each for each in block.splitlines())


def _row_text(row: Row) -> str:
    default = ", ".join(number(v) for v in row.default)
    return f"{row.name} : {default} {row.unit}\n    {row.doc}; {number(row.low)} to {number(row.high)}"


# ---- notebooks ----


def html(law: Parameters) -> str:
    """A card: title, equations, parameters with units, and the steady curve as a small picture."""
    rows = "".join(
        f"<tr><td style='text-align:left'><code>{row.name}</code></td><td>{_html.escape(_value(law, row))}</td>"
        f"<td style='text-align:left'>{_html.escape(law.unit(row.name))}</td>"
        f"<td style='text-align:left'>{_html.escape(row.doc)}</td></tr>"
        for row in law.table.parameters
    )
    head = f"<b>{law.name}</b>: {_html.escape(law.table.title)}"
    if law.load != "force":
        head += f" (load form <i>{law.load}</i>)"
    return (
        f"<div>{head}<pre>{_html.escape(law.table.equations)}</pre><div style='display:flex;gap:2em;align-items:start'>"
        f"<table>{rows}</table>{picture(law)}</div></div>"
    )


def picture(law: Any) -> str:
    """The steady force over the velocity as SVG; empty where there is none."""
    if "steady" not in law.table.traits or not hasattr(law, "steady") or hasattr(law, "dim"):
        return ""
    reach = _reach(law)
    v = np.linspace(-reach, reach, 241)
    force = law.steady(v)
    top = float(np.max(np.abs(force))) or 1.0
    if not np.isfinite(top):
        return ""
    points = " ".join(f"{100 + 90 * a / reach:.1f},{60 - 50 * b / top:.1f}" for a, b in zip(v, force, strict=True))
    units = ("rad/s", "N m") if law.rotary else ("m/s", "N")
    return (
        "<svg width='200' height='140' viewBox='0 0 200 140' xmlns='http://www.w3.org/2000/svg' role='img' "
        f"aria-label='steady force over velocity'><g fill='none' stroke='currentColor'><path d='M5 60H195M100 5V115' "
        f"opacity='.3'/><polyline stroke-width='1.5' points='{points}'/></g><g font-size='9' fill='currentColor'>"
        f"<text x='195' y='130' text-anchor='end'>&#177;{reach:.3g} {units[0]}</text>"
        f"<text x='5' y='130'>&#177;{top:.3g} {units[1]}</text></g></svg>"
    )


def _reach(law: Any) -> float:
    """Speeds worth showing: a few times the largest that the law's own parameters name, below 1e8."""
    speeds = [
        float(value)
        for row in law.table.parameters
        if row.unit == "m/s"
        for value in law.values[row.first : row.first + row.count]
        if 0 < value < 1e8
    ]
    return 5 * max(speeds) if speeds else 0.1


# ---- model files ----


def to_dict(law: Parameters) -> dict[str, Any]:
    """What a model file holds: values with units."""
    parameters: dict[str, Any] = {}
    for row in law.table.parameters:
        value = law[row.name]
        unit = law.unit(row.name)
        plain = value.tolist() if row.count > 1 else value
        parameters[row.name] = plain if row.count > 1 or unit == "1" else {"value": plain, "unit": unit}
    return {"bristle": 1, "model": law.name, "load": law.load, "parameters": parameters}


def to_json(law: Parameters) -> str:
    """The model file as JSON."""
    return json.dumps(to_dict(law), indent=2) + "\n"


def to_yaml(law: Parameters) -> str:
    """The model file as YAML."""
    lines = ["bristle: 1", f"model: {law.name}", f"load: {law.load}", "parameters:"]
    for row in law.table.parameters:
        unit = law.unit(row.name)
        if row.count > 1 or unit == "1":
            lines.append(f"  {row.name}: {_value(law, row)}")
        else:
            lines.append(f"  {row.name}: {{value: {_value(law, row)}, unit: {unit}}}")
    return "\n".join(lines) + "\n"


def save(law: Parameters, path: Any) -> None:
    """Writes the file whole or not at all."""
    target = Path(path)
    part = target.with_name(target.name + ".part")
    try:
        part.write_text(to_json(law) if target.suffix == ".json" else to_yaml(law), encoding="utf-8")
        part.replace(target)
    except OSError as error:
        part.unlink(missing_ok=True)
        raise FileError(f"{target}: cannot be written: {error.strerror}") from None


def advice(law: Any, h: float, w: float, n: float) -> list[str]:
    """The law's warnings as sentences."""
    given = ffi.new("bristle_input *", (0.0, 0.0, n, 0.0, 0.0, w, h, law._load))
    breaches = ffi.new("bristle_breach[16]")
    count = law._law.f64.advice(law._cp, given, breaches, 16)
    return [f"{law.name}: {text(b.param)} = {number(b.value)}: {text(b.rule)}" for b in breaches[0 : min(count, 16)]]
