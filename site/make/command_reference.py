"""The command reference: one page for each verb, from the same tables as --help and the manual page."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

from words import cell, code_cell, escape


def _help(tool: str, verb: str) -> str:
    return subprocess.run([tool, verb, "--help"], capture_output=True, text=True, check=True).stdout


def _about(text: str) -> tuple[str, str, str]:
    """Usage, what is said before the options, and the examples of a help text."""
    usage, _, rest = text.partition("\n\n")
    head = re.split(r"\n  \S", "\n" + rest, maxsplit=1)[0].strip()
    found = re.search(r"^examples:\n((?:  .*\n?)+)", text, flags=re.M)
    examples = re.sub(r"^  ", "", found.group(1), flags=re.M).strip() if found else ""
    return usage, head, examples


def _tail(text: str) -> str:
    """Sections of a help text besides options and examples: keys of files, say."""
    parts = re.split(r"\n\n(?=\S)", text)
    kept = [p for p in parts[2:] if not p.startswith("examples:") and not re.search(r"^  -", p, flags=re.M)]
    return "\n\n".join(kept).strip()


def _options(verb: dict) -> str:
    rows = []
    for option in verb["options"]:
        name = option["name"] + (f", {option['also']}" if "also" in option else "")
        call = f"{name} {option['argument']}" if option.get("argument") else name
        usual = f" Default: {code_cell(option['usual'])}." if option.get("usual") else ""
        more = " May be given several times." if option.get("repeats") else ""
        rows.append(f"| {code_cell(call)} | {cell(option['help'])}.{usual}{more} |".replace("..", "."))
    return "| option | |\n|---|---|\n" + "\n".join(rows) + "\n" if rows else ""


def write(tool: str, out: Path) -> list[str]:
    """One page for each verb; gives their names."""
    out.mkdir(parents=True, exist_ok=True)
    tables = json.loads(subprocess.run([tool, "help", "--json"], capture_output=True, text=True, check=True).stdout)
    rows = []
    for verb in tables["verbs"]:
        text = _help(tool, verb["name"])
        usage, head, examples = _about(text)
        parts = [f"# bristle {verb['name']}\n\n{escape(verb['summary']).capitalize()}.\n", f"```text\n{usage}\n```\n"]
        if head:
            parts.append(f"{escape(head)}\n")
        parts.append(_options(verb))
        tail = _tail(text)
        if tail:
            parts.append(f"```text\n{tail}\n```\n")
        if examples:
            parts.append(f"## Examples\n\n```sh\n{examples}\n```\n")
        (out / f"{verb['name']}.md").write_text("\n".join(parts))
        rows.append((verb["name"], verb["summary"]))
    general = subprocess.run([tool, "--help"], capture_output=True, text=True, check=True).stdout
    codes = re.search(r"^exit codes:\n((?:  .*\n)+)", general, flags=re.M)
    table = "\n".join(f"| [bristle {name}]({name}.md) | {cell(about)} |" for name, about in rows)
    code_rows = "\n".join(
        f"| {line.split(None, 1)[0]} | {cell(line.split(None, 1)[1])} |"
        for line in (codes.group(1) if codes else "").strip().split("\n")
    )
    tree = "\n".join(f"bristle {name} <{name}>" for name, _ in rows)
    (out / "index.md").write_text(
        "# Command reference\n\nMade from the tables that `--help`, `man bristle` and the completions come from.\n\n"
        f"| verb | |\n|---|---|\n{table}\n\n## Exit codes\n\n| code | meaning |\n|---|---|\n{code_rows}\n\n"
        f"What a message means and how to get rid of it: the [error index](../errors.md).\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
    return [name for name, _ in rows]
