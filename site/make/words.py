"""Markdown from what others wrote: comments, docstrings, documents of the project."""

from __future__ import annotations

import re

_SPECIAL = re.compile(r"([\\*_<>$#\[\]{}|~^])")


def escape(text: str) -> str:
    """Plain text for Markdown; what stands between backticks stays code."""
    parts = re.split(r"(`[^`]+`)", text)
    return "".join(part if part.startswith("`") and len(part) > 1 else _SPECIAL.sub(r"\\\1", part) for part in parts)


def cell(text: str) -> str:
    """Text for a cell of a table."""
    return escape(" ".join(text.split()))


def code_cell(text: str) -> str:
    return "`" + text.replace("|", r"\|") + "`" if text else ""


def prose(text: str, language: str = "text") -> str:
    """Paragraphs of a comment or docstring; paragraphs that are indented are code."""
    out: list[str] = []
    for part in re.split(r"\n\s*\n", text.strip("\n")):
        lines = part.split("\n")
        if all(line.startswith("  ") for line in lines if line.strip()):
            indent = min(len(line) - len(line.lstrip()) for line in lines if line.strip())
            body = "\n".join(line[indent:] for line in lines)
            if out and out[-1].endswith("```"):
                out[-1] = out[-1][:-3] + "\n" + body + "\n```"
            else:
                out.append(f"```{language}\n{body}\n```")
        else:
            out.append("\n".join(_line(line) for line in lines))
    return "\n\n".join(out) + "\n"


def _line(line: str) -> str:
    item = re.match(r"(\s*[-*] )(.*)", line)
    if item:
        return item.group(1).replace("*", "-") + escape(item.group(2))
    text = escape(line.strip())
    return re.sub(r"^(\d+)\.", r"\1\\.", re.sub(r"^([-+=])", r"\\\1", text))


def section(document: str, title: str) -> str:
    """The body of one section of a Markdown text, without its heading."""
    lines = document.split("\n")
    level, body, fenced = 0, [], False
    for line in lines:
        if line.startswith("```"):
            fenced = not fenced
        heading = None if fenced else re.match(r"(#+) (.*)", line)
        if level and heading and len(heading.group(1)) <= level:
            break
        if level:
            body.append(line)
        elif heading and heading.group(2).strip() == title:
            level = len(heading.group(1))
    if not level:
        raise SystemExit(f"no section '{title}' in the document")
    return "\n".join(body).strip() + "\n"
