"""The encyclopedia: one page for each law, from the law's own table."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from words import cell, escape


def parameters(law: dict[str, Any]) -> str:
    rows = []
    for row in law["parameters"]:
        default = row["default"]
        shown = ", ".join(f"{x:g}" for x in default) if isinstance(default, list) else f"{default:g}"
        rows.append(f"| `{row['name']}` | {cell(row['unit'])} | {shown} | {row['min']:g} to {row['max']:g} | {cell(row['doc'])} |")
    return "| parameter | unit | default | range | meaning |\n|---|---|---|---|---|\n" + "\n".join(rows) + "\n"


def page(law: dict[str, Any]) -> str:
    title = law["title"]
    return (
        f"# {law['name']}\n\n{escape(title)}.\n\n```text\n{law['equations']}\n```\n\n## What it is for\n\n{escape(law['use'])}\n\n"
        f"## What it cannot do\n\n{escape(law['limits'])}\n\n## Parameters\n\n{parameters(law)}\n## Source\n\n{escape(law['source'])}\n"
    )


def write(models: list[dict[str, Any]], out: Path) -> None:
    """A page for each law, and their list."""
    out.mkdir(parents=True, exist_ok=True)
    for law in models:
        (out / f"{law['name']}.md").write_text(page(law))
    rows = "\n".join(f"| [{law['name']}]({law['name']}.md) | {cell(law['title'])} |" for law in models)
    tree = "\n".join(law["name"] for law in models)
    (out / "index.md").write_text(
        f"# The laws\n\n| law | |\n|---|---|\n{rows}\n\n```{{toctree}}\n:hidden:\n\n{tree}\n```\n"
    )
