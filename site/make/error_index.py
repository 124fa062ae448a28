"""The error index: every message of the sources with its cause and its cure. The cure is the hint that stands beside the
message; where there is none, what helps against all messages of its kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

from words import escape

# places of kind, hint and format among the arguments; None: there is none, or it is always the same
CALLS: dict[str, tuple[int | None, int | None, int]] = {
    "fault_set": (1, 2, 3),
    "bridge_fault": (1, 2, 3),
    "bristle_node_fault": (None, 2, 3),
    "bristle_table_fault": (None, 4, 5),
    "refuse": (None, 2, 3),
    "reader_fail": (None, 2, 3),
    "bad_data": (None, 2, 3),
    "sim_fail": (None, None, 4),
    "report_fail": (1, None, 2),
    "usage_error": (None, None, 0),
    "failure": (None, None, 1),
}
AREAS = [
    (r"src/io/(rigs/|scenario|program)", "Scenarios"),
    (r"src/io/(unit|quantity|number)", "Numbers and units"),
    (r"src/io/(friction|model|digest)", "Laws and model files"),
    (r"src/io/(table|csv|recogn|column)", "Tables"),
    (r"src/io/joint|src/joint|cli/joint", "Joints"),
    (r"src/(sim|cvode|planar|steprule)|cli/(simulate|drive|common/progress)", "Simulation"),
    (r"src/sweep|cli/sweep|src/io/sweep", "Sweeps"),
    (r"src/(fit|study)|cli/(identify|plan|compare|loads|loop)", "Identification and experiments"),
    (r"src/robot|cli/robot", "Robots"),
    (r"bridge|cli/(export|import)", "Export and import"),
    (r"src/io|src/report|cli/gallery", "Files and documents"),
    (r"cli", "Command line"),
]
KINDS = {
    "FILE": (
        "A file cannot be opened, read or written.",
        "Check path and rights; the system's own reason is in the message.",
        5,
    ),
    "SYNTAX": (
        "The text is not what its format allows there.",
        "Look at the line and column that the message names.",
        3,
    ),
    "VALUE": (
        "Something is missing, unknown or not allowed.",
        "Write what the message expects instead of what it found.",
        3,
    ),
    "UNIT": (
        "A unit is unknown, or has another dimension than the value needs.",
        "Write a unit of the dimension that is named.",
        3,
    ),
    "MEMORY": (
        "The machine has no memory left for this.",
        "Use shorter records or fewer candidates, or a larger machine.",
        1,
    ),
    "REQUEST": (
        "What was asked for contradicts itself, or names what is not there.",
        "Ask for one of them, or name what is there.",
        2,
    ),
    "STOPPED": ("The run was interrupted.", "Nothing half-written was left; run it again.", 130),
    "USAGE": ("An option or argument cannot be used as given; the message says which.", "`bristle VERB --help` shows how to write it.", 2),
    "FAILED": ("It could not be done.", "The message says why; `bristle doctor` tests the build.", 1),
}
CODES = {
    "USAGE": "USAGE",
    "FILE_TROUBLE": "FILE",
    "BAD_DATA": "VALUE",
    "FAILED": "FAILED",
    "UNCONVINCING": "FAILED",
    "STOPPED": "STOPPED",
}


@dataclass(frozen=True)
class Message:
    area: str
    text: str
    hint: str
    kind: str


def arguments(text: str, start: int) -> list[str]:
    """The arguments of a call whose bracket opens at `start`."""
    depth, begin, out, i = 0, start + 1, [], start
    while i < len(text):
        letter = text[i]
        if letter == '"':
            i += 1
            while text[i] != '"':
                i += 2 if text[i] == "\\" else 1
        elif letter == "'":
            i = text.index("'", i + (2 if text[i + 1] == "\\" else 1))
        elif letter in "([{":
            depth += 1
        elif letter in ")]}":
            depth -= 1
            if depth == 0:
                return [*out, text[begin:i].strip()]
        elif letter == "," and depth == 1:
            out.append(text[begin:i].strip())
            begin = i + 1
        i += 1
    return out


def literal(argument: str) -> str:
    """What a C string says, with … for what is filled in; of a choice, all of its texts."""
    choices = []
    for part in re.split(r"[?:](?=\s*\")", argument) if "?" in argument else [argument]:
        pieces = re.findall(r'"((?:[^"\\]|\\.)*)"|\bPRI\w+', part)
        text = "".join(pieces).replace(r"\"", '"').replace(r"\n", " ").replace("\\\\", "\\").replace("%%", "\0")
        text = re.sub(r"%[-+ #0]*(?:\*|\d+)?(?:\.(?:\*|\d+))?(?:[hlz]*)[a-zA-Z]", "…", text).replace("\0", "%")
        if text.strip():
            choices.append(text.strip())
    return " / ".join(dict.fromkeys(choices))


def area_of(path: str) -> str:
    return next(name for pattern, name in AREAS if re.match(pattern, path))


def messages(root: Path) -> list[Message]:
    """Every message of the sources, once."""
    found: dict[tuple[str, str], Message] = {}
    names = "|".join(CALLS)
    for path in sorted(p for folder in ("src", "cli", "bridge") for p in (root / folder).rglob("*.c")):
        place = str(path.relative_to(root))
        if not any(re.match(pattern, place) for pattern, _ in AREAS):
            continue
        text = path.read_text()
        for call in re.finditer(rf"\b({names})\(", text):
            kind_at, hint_at, format_at = CALLS[call.group(1)]
            given = arguments(text, call.end() - 1)
            if len(given) <= format_at or '"' not in given[format_at]:
                continue
            said = literal(given[format_at])
            if len(re.sub(r"[^A-Za-z]", "", said)) < 4:
                continue
            kind = "USAGE" if call.group(1) == "usage_error" else "VALUE"
            if call.group(1) == "failure":
                kind = CODES.get(given[0], "FAILED")
            if kind_at is not None and (named := re.search(r"BRISTLE_FAULT_(\w+)", given[kind_at])):
                kind = named.group(1)
            hint = literal(given[hint_at]) if hint_at is not None and '"' in given[hint_at] else ""
            found.setdefault((area_of(place), said), Message(area_of(place), said, hint, kind))
    return sorted(found.values(), key=lambda m: (m.area, m.text.lstrip("…' ").lower()))


def _code(text: str) -> str:
    return "``" + text.replace("|", "\\|") + "``"


def write(root: Path, text: str) -> tuple[str, int]:
    """The page of site/pages with all messages, and their number."""
    every = messages(root)
    out = []
    for area in sorted({m.area for m in every}):
        rows = [m for m in every if m.area == area]
        lines = []
        for m in rows:
            cause, cure, code = KINDS[m.kind]
            cured = escape(m.hint[:1].upper() + m.hint[1:]) + "." if m.hint else cure
            lines.append(f"| {_code(m.text)} | {cause} | {cured.replace('?.', '?')} | {code} |")
        out.append(
            f"## {area}\n\n| message | cause | cure | exit code |\n|---|---|---|---|\n" + "\n".join(lines) + "\n"
        )
    return text.replace("<!-- messages -->", "\n".join(out)).replace("<!-- count -->", str(len(every))), len(every)
