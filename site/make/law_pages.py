"""The encyclopedia: one page for each law, from the law's own table and from what law-atlas measured."""

from __future__ import annotations

import html
import os
import re
from pathlib import Path
from typing import Any

import comparison
import equations
import law_code
from pictures import figure, grid, number, plot, scaled, slip_map
from words import cell, escape

Law = dict[str, Any]
AXES = {
    "steady": (("speed", "m/s"), ("friction", "N"), "steady friction over speed"),
    "fast": (("speed", "m/s"), ("friction", "N"), "friction in fast sliding"),
    "backward": (("speed", "m/s"), ("friction", "N"), "friction in fast sliding backwards"),
    "loop": (("position", "m"), ("friction", "N"), "a slow loop"),
    "step": (("time", "s"), ("friction", "N"), "the speed rises tenfold at 0 and falls back"),
    "force": (("time", "s"), ("friction", "N"), "a body under a rising force"),
    "rest": (("time at rest", "s"), ("break-away", "N"), "break-away after a rest"),
}
TRAITS = {
    "odd": "the same in both directions",
    "sticks": "holds a load without creep",
    "rate-free": "depends on the path, not on how fast it is travelled",
    "steady": "has a steady force for every speed",
    "energy": "stores a known energy",
    "passive": "never gives back more than it stored, for every admissible parameter set",
    "set-valued": "rest is exact: at v = 0 any force between two levels is possible",
    "smooth": "a plain differential equation between reversals",
    "acceleration": "speeding up and slowing down are different",
    "affine": "for prescribed motion its state update is an affine map",
    "one-level": "wants a level that does not move with the load during a step",
}
# families by what the table of a law says: a page's name, its heading, what they share, which laws
FAMILIES = [
    ("dry", "Dry friction", "Friction over speed, with a jump at rest: what is held rests exactly.", lambda law: "set-valued" in law["traits"]),
    ("smooth", "Smoothed curves", "A continuous curve over the speed: easy for any solver, but a load at rest creeps.", lambda law: law["family"] == "static"),
    (
        "memory",
        "Many elements, memory, dwell",
        "Several elements, reversals that are remembered, or time at rest that counts.",
        lambda law: sum(s.get("count", 1) or 2 for s in law["states"]) > 1,
    ),
    ("bristles", "One bristle", "At rest the contact gives way a little, and the force follows that.", lambda law: True),
]
PLAIN_WORDS = {"power", "gear", "tanh", "adams"}  # laws whose names are words of sentences


def linked(text: str, laws: set[str], own: str) -> str:
    """Text with the names of other laws as links."""
    names = sorted(laws - PLAIN_WORDS - {own}, key=len, reverse=True)
    known = "|".join(re.escape(escape(name)) for name in names)
    return re.sub(
        rf"(?<![\w\\])({known})(?![\w\\])",
        lambda m: f"[{m.group(1)}]({m.group(1).replace(chr(92), '')}.md)",
        escape(text),
    )


def parameter_table(law: Law) -> str:
    rows = []
    for row in law["parameters"]:
        default = row["default"]
        shown = ", ".join(number(x) for x in default if x) if isinstance(default, list) else number(default)
        rows.append(
            f"| `{row['name']}` | {cell(row['unit'])} | {shown} | {number(row['min'])} to {number(row['max'])} | {cell(row['doc'])} |"
        )
    return "| parameter | unit | default | range | meaning |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"


def parameter_pictures(law: Law, seen: Law) -> str:
    units = {row["name"]: row["unit"] for row in law["parameters"]}
    docs = {row["name"]: row["doc"] for row in law["parameters"]}
    figures = []
    for part in seen["parameters"]:
        x, y, what = AXES[part["picture"]]
        name, unit = part["name"], "" if units[part["name"]] == "1" else f" {units[part['name']]}"
        legend = [number(v) for v in part["values"]]
        title = f"{law['name']}: {what}, for {name} = {', '.join(legend)}{unit}"
        svg = plot(
            title,
            [(i + 1, points) for i, points in enumerate(part["curves"])],
            x,
            y,
            legend,
            log_x=part["picture"] == "rest",
        )
        caption = f"<code>{html.escape(name)}</code>, {html.escape(docs[name])}: {html.escape(', '.join(legend) + unit)}. {what.capitalize()}."
        figures.append(figure(svg, caption))
    shown = {part["name"] for part in seen["parameters"]}
    hidden = [row["name"] for row in law["parameters"] if row["name"] not in shown]
    text = grid(figures) if figures else ""
    if hidden:
        text += f"\n{_codes(hidden)}: no picture, because these experiments do not show what it does by itself, with the other parameters at their defaults.\n"
    return text


def behaviour(law: Law, seen: Law) -> str:
    name = law["name"]
    steady = plot(
        f"{name}: steady friction over speed",
        [(1, seen["steady"][0]), (1, seen["steady"][1])],
        ("speed", "m/s"),
        ("friction", "N"),
    )
    loops = plot(
        f"{name}: slow loops of three amplitudes",
        [(3 - i, points) for i, points in enumerate(seen["loops"])],
        ("position", "m"),
        ("friction", "N"),
    )
    step = plot(
        f"{name}: friction after the speed rises tenfold and falls back",
        [(1, seen["step"])],
        ("time", "s"),
        ("friction", "N"),
    )
    rates = plot(
        f"{name}: break-away over how fast the force rises",
        [(1, seen["rates"])],
        ("rate of the force", "N/s"),
        ("largest friction", "N"),
        log_x=True,
    )
    slips = slip_map(
        f"{name}: where a pulled body sticks and slips",
        seen["map"]["pull"],
        seen["map"]["stiffness"],
        seen["map"]["slips"],
    )
    part = sum(row.count("1") for row in seen["map"]["slips"]) / sum(map(len, seen["map"]["slips"]))
    said = "It sticks and slips nowhere here." if part == 0 else "Strong colour: it sticks and slips. Pale: it slides."
    return grid(
        [
            figure(steady, "Friction after a long time at constant speed. A jump at rest is a gap."),
            figure(
                loops,
                ("In slow motion this law has no friction at all. " if not any(y for c in seen["loops"] for _, y in c) else "")
                + "Force over position in slow motion to and fro, from a fresh contact: three amplitudes, the first below the way that it gives before it slides.",
            ),
            figure(
                step,
                f"The speed rises from {_speed(0.3 * seen['speed'])} to {_speed(3 * seen['speed'])} at 0, and falls back later.",
            ),
            figure(
                rates,
                "A body of 1 kg under a force that rises at a constant rate: the largest friction on the way, without the viscous part.",
            ),
            figure(slips, f"A body of 1 kg is pulled through a spring with 5 % of damping. {said}"),
        ]
    )


def measured(law: Law, effects: comparison.Effects) -> str:
    rows = []
    for name in (n for n in effects.rows if n.split(" ")[0] == law["name"]):
        cells = effects.rows[name]
        yes = [effects.titles[c] for c in effects.columns if cells[c][0] == "yes"]
        nearly = [effects.titles[c] for c in effects.columns if cells[c][0] == "nearly"]
        no = [effects.titles[c] for c in effects.columns if cells[c][0] == "no"]
        head = "With its default parameters" if name == law["name"] else f"With `{name.split(' ')[1]}`"
        rows.append(f"- {head}: **{'; '.join(yes)}**." + (f" Nearly: {'; '.join(nearly)}." if nearly else ""))
        rows.append(f"- Measured as *no*: {'; '.join(no)}.")
    return "\n".join(rows) + "\n\n[How each of these was measured, beside all other laws.](../effects.md)\n"


def related(law: Law, models: list[Law], roles: dict[str, dict[str, int]]) -> str:
    """Special cases both ways, and where the numbers of the neighbours go."""
    out, neighbours = [], []
    for other in models:
        for case in other["reductions"]:
            if other["name"] == law["name"]:
                out.append(f"- With {escape(case['when'])} it is [{case['law']}]({case['law']}.md){_then(case)}.")
                neighbours.append(case["law"])
            elif case["law"] == law["name"]:
                out.append(
                    f"- [{other['name']}]({other['name']}.md) with {escape(case['when'])} is this law{_then(case)}."
                )
                neighbours.append(other["name"])
    said = law["use"] + law["limits"]
    neighbours += [
        m["name"] for m in models if m["name"] not in PLAIN_WORDS and re.search(rf"(?<!\w){m['name']}(?!\w)", said)
    ]
    neighbours = [n for n in dict.fromkeys(neighbours) if n != law["name"]]
    for name in neighbours or _alike(law["name"], models, roles):
        same, moved, new = _carried(roles[name], roles[law["name"]])
        text = f"- From [{name}]({name}.md): "
        text += f"keep {_codes(same)}" if same else "no parameter has the same name"
        text += "".join(f"; `{a}` becomes `{b}`" for a, b in moved)
        text += f"; new here: {_codes(new)}." if new else "."
        out.append(text)
    return "\n".join(out) + "\n"


def _alike(own: str, models: list[Law], roles: dict[str, dict[str, int]]) -> list[str]:
    """The two laws of the same family whose parameters play the most roles in common."""
    family = {m["name"]: m["family"] for m in models}
    mine = set(roles[own].values())

    def common(name: str) -> float:
        theirs = set(roles[name].values())
        return len(mine & theirs) / len(mine | theirs)

    others = [name for name in roles if name != own and family[name] == family[own]]
    return sorted(others, key=common, reverse=True)[:2]


def _codes(names: list[str]) -> str:
    return ", ".join(f"`{n}`" for n in names)


def _then(case: Law) -> str:
    return f", with {escape(case['then'])}" if case["then"] else ""


def _carried(source: dict[str, int], target: dict[str, int]) -> tuple[list[str], list[tuple[str, str]], list[str]]:
    """Parameters with the same name and role, those with the same role only, and those that are new."""
    same = [name for name, role in target.items() if source.get(name) == role]
    pairs = [(a, b) for b in target for a in source if source[a] == target[b] and a not in same and b not in same]
    moved: list[tuple[str, str]] = []
    for a, b in sorted(pairs, key=lambda pair: -len(os.path.commonprefix(pair))):  # names that begin alike first
        if all(a != p and b != q for p, q in moved):
            moved.append((a, b))
    there = {b for _, b in moved}
    return same, moved, [name for name in target if name not in same and name not in there]


def page(law: Law, models: list[Law], seen: Law, effects: comparison.Effects, roles: dict[str, dict[str, int]]) -> str:
    laws = {m["name"] for m in models}
    known = equations.names_of(models)
    try:
        formulas = equations.as_html(law["equations"], known)
    except equations.Trouble as trouble:
        raise SystemExit(
            f"{law['name']}: its equations are not in the notation of site/make/equations.py: {trouble}"
        ) from trouble
    code = "\n".join(
        f"### {title}\n\n```{language}\n{text}```\n"
        for title, language, text in (
            ("C", "c", law_code.c_text(law)),
            ("Python", "python", law_code.python_text(law)),
            ("Scenario", "yaml", law_code.yaml_text(law)),
        )
    )
    promises = "\n".join(f"| {t} | {TRAITS[t]} |" for t in law["traits"])
    return (
        f"# {law['name']}\n\n**{escape(law['title'])}.**\n\n```{{raw}} html\n{formulas}```\n\n{linked(law['use'], laws, law['name'])}\n\n"
        f"## How it behaves\n\n{behaviour(law, seen)}\n## What it shows, measured\n\n{measured(law, effects)}\n"
        f"## What it cannot do\n\n{linked(law['limits'], laws, law['name'])}\n\n## Parameters\n\n{parameter_table(law)}\n"
        "Every law also takes `level_skew` and `viscous_skew`, for friction that differs between the directions.\n\n"
        f"### What each one does\n\n{parameter_pictures(law, seen)}\n## Related laws\n\n{related(law, models, roles)}\n"
        f'## Try it\n\n<button type="button" class="play" data-page="../playground/index.html#law={law["name"]}&view=law">Move the numbers of {law["name"]} here. It runs in the browser.</button>\n\n'
        f"## Promises\n\n| trait | |\n|---|---|\n{promises}\n\nEach is held by a test for every law.\n\n"
        f"## Cost\n\nOne step takes about {_rounded(seen['ns_step'])} ns with given motion and {_rounded(seen['ns_coupled'])} ns coupled to a body, one contact on one "
        "core of the machine that built this page. Batches are faster.\n\n"
        f"## Code\n\nA body of 1 kg under a rising force, and a scenario for `bristle simulate`.\n\n{code}\n## Source\n\n{escape(law['source'])}\n"
    )


def _speed(value: float) -> str:
    factor, unit = scaled("m/s", value)
    return f"{number(value / factor)} {unit}"


def _rounded(value: float) -> str:
    return f"{float(f'{value:.2g}'):g}"


def thumbnail(law: Law, seen: Law) -> str:
    """A small picture for the list: the steady curve, or the loop of laws that give way."""
    curves = [(1, seen["loops"][2])] if law["family"] == "dynamic" else [(1, seen["steady"][0]), (1, seen["steady"][1])]
    what = "slow loop" if law["family"] == "dynamic" else "friction over speed"
    axes = (
        (("position", "m"), ("friction", "N")) if law["family"] == "dynamic" else (("speed", "m/s"), ("friction", "N"))
    )
    svg = plot(f"{law['name']}: {what}", curves, *axes)
    return figure(
        svg,
        f'<a href="{law["name"]}.html">{law["name"]}</a>: {html.escape(law["title"].partition(": ")[2] or law["title"])}',
    )


def write(models: list[Law], atlas: dict[str, Law], effects: comparison.Effects, out: Path) -> None:
    """A page for each law, and their list."""
    out.mkdir(parents=True, exist_ok=True)
    roles = {name: seen["roles"] for name, seen in atlas.items()}
    for law in models:
        (out / f"{law['name']}.md").write_text(page(law, models, atlas[law["name"]], effects, roles))
    families: dict[str, list[Law]] = {stem: [] for stem, *_ in FAMILIES}
    for law in models:
        families[next(stem for stem, _, _, holds in FAMILIES if holds(law))].append(law)
    sections = []
    for stem, title, about, _ in FAMILIES:
        shown = grid([thumbnail(law, atlas[law["name"]]) for law in families[stem]])
        tree = "\n".join(law["name"] for law in families[stem])
        (out / f"{stem}.md").write_text(f"# {title}\n\n{about}\n\n{shown}\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n")
        sections.append(f"## {title}\n\n{about}\n\n{shown}\n")
    tree = "\n".join(stem for stem, *_ in FAMILIES)
    (out / "index.md").write_text(
        f"# The laws\n\n{len(models)} laws, each with its equations, what it shows, what it cannot do, its parameters, source and code. "
        "All numbers and pictures are computed from the library. [Which one to take.](../choosing.md) [Which law shows which effect.](../effects.md)\n\n"
        + "".join(sections)
        + f"```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
