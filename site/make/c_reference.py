"""The C reference: every declaration of include/bristle with the comments that stand there, one page for each header."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

import arguments
from words import prose

_SKIP = {"params.h"}  # the typed structs of the laws: each law's page shows its own


@dataclass
class Item:
    """One declaration: its name, text and the comment above it. Without a name it is a remark between declarations."""

    name: str
    text: str
    comment: str


def comment_text(comment: str) -> str:
    """What a C comment says, without its stars and with its paragraphs."""
    body = comment.strip()[2:-2]
    lines = [re.sub(r"^ \* ?", "", line) if line.startswith(" *") else line for line in body.split("\n")]
    first, rest = lines[0].strip(), lines[1:]
    aligned = [line for line in rest if line.strip()]
    indent = min((len(line) - len(line.lstrip()) for line in aligned), default=0)
    return "\n".join([first, *(line[indent:] for line in rest)]).strip()


def declared_name(text: str) -> str:
    """The name that a declaration introduces."""
    plain = re.sub(r"/\*.*?\*/", "", text, flags=re.S)
    bare = re.sub(r"\{.*\}", "{}", plain, flags=re.S)
    for pattern in (
        r"typedef\s+(?:struct|enum|union)\b.*\}\s*(\w+)\s*;",
        r"typedef\s+struct\s+\w+\s+(\w+)\s*;",
        r"typedef\s.*\(\*\s*(\w+)\s*\)",
        r"(?:struct|enum)\s+(\w+)\s*\{",
        r"\b(bristle_\w+)\s*\(",
        r"\b(\w+)\s*(?:\[[^]]*\])?\s*;",
    ):
        found = re.search(pattern, bare, flags=re.S)
        if found:
            return found.group(1)
    names = re.findall(r"\b(BRISTLE_\w+)", plain)
    return f"{names[0]} and others" if len(names) > 1 else (names[0] if names else "")


def _end_of(text: str, start: int) -> int:
    """Where the declaration that begins at `start` ends: after ; at depth 0, or after the body of a function."""
    depth, i = 0, start
    while i < len(text):
        if text.startswith("/*", i):
            i = text.index("*/", i) + 2
            continue
        if text[i] == "{":
            depth += 1
        elif text[i] == "}":
            depth -= 1
            if depth == 0 and re.match(r"\s*\n\s*\n|\s*\n\s*(?:static|/\*|#)", text[i + 1 :]) and ")" in text[start:i]:
                if re.match(r"(static inline|inline)", text[start:]):
                    return i + 1
        elif text[i] == ";" and depth == 0:
            return i + 1
        i += 1
    return len(text)


def items(text: str) -> list[Item]:
    """The declarations of a header in their order, the first being the comment at its head."""
    out: list[Item] = []
    pending, i = "", 0
    while i < len(text):
        if text[i].isspace():
            if text[i : i + 2] == "\n\n" and pending:
                out.append(Item("", "", pending))
                pending = ""
            i += 1
        elif text.startswith("/*", i):
            end = text.index("*/", i) + 2
            pending = (pending + "\n\n" if pending else "") + comment_text(text[i:end])
            i = end
        elif text[i] == "#":
            end = i
            while True:
                end = text.find("\n", end)
                if end < 0 or text[end - 1] != "\\":
                    break
                end += 1
            i = len(text) if end < 0 else end
            if pending:
                out.append(Item("", "", pending))
                pending = ""
        elif re.match(r'extern "C" \{|\}|BRISTLE_BEGIN|BRISTLE_END', text[i:]):
            i += re.match(r'extern "C" \{|\}|BRISTLE_BEGIN|BRISTLE_END', text[i:]).end()  # type: ignore[union-attr]
        else:
            end = _end_of(text, i)
            tail = re.match(r"[ \t]*(/\*.*?\*/)", text[end:], flags=re.S)
            declaration = text[i:end] + (tail.group(0) if tail else "")
            out.append(Item(declared_name(declaration), declaration, pending))
            pending = ""
            i = end + (tail.end() if tail else 0)
    return out


def page(path: Path) -> tuple[str, int]:
    """The page of one header, and how many declarations it has."""
    parts = items(path.read_text())
    out, count = [f"# bristle/{path.name}\n"], 0
    for part in parts:
        if not part.name:
            out.append(prose(part.comment))
            continue
        count += 1
        out.append(f"## `{part.name}`\n")
        if part.comment:
            out.append(prose(part.comment))
        out.append(f"```c\n{part.text}\n```\n")
        out.append(arguments.table(part.text, f"{path.name}, {part.name}"))
    return "\n".join(out), count


def write(include: Path, out: Path) -> int:
    """One page for each header, and the list of them; gives the number of declarations."""
    out.mkdir(parents=True, exist_ok=True)
    total, rows = 0, []
    for path in sorted(include.glob("*.h")):
        if path.name in _SKIP:
            continue
        text, count = page(path)
        total += count
        (out / f"{path.stem}.md").write_text(text)
        head = items(path.read_text())[0].comment.split("\n\n")[0] if count else ""
        rows.append((path.stem, re.split(r"(?<=[.:]) ", " ".join(head.split()))[0].rstrip(":.")))
    table = "\n".join(
        f"| [bristle/{stem}.h]({stem}.md) | {prose(about).strip() if about else ''} |" for stem, about in rows
    )
    tree = "\n".join(f"bristle/{stem}.h <{stem}>" for stem, _ in rows)
    (out / "index.md").write_text(
        "# C reference\n\nWhat the headers declare, with their own comments. `libbristle` needs nothing: "
        "`bristle.h`, `roles.h`, `params.h`, `network.h`, `vector.h`, `contact.h`, `planar.h`, `joint.h`, `steprule.h`, "
        "`ensemble.h`. "
        "`libbristle-lab` is behind `lab.h`. `params.h` names the parameters of each law; "
        "[each law's page](../laws/index.md) shows them.\n\n"
        f"| header | about |\n|---|---|\n{table}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return total
