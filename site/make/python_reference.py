"""The Python reference: public classes and functions with their signatures and docstrings, read from the sources."""

from __future__ import annotations

import ast
from pathlib import Path

from words import cell, prose

_OWN = ast.FunctionDef | ast.AsyncFunctionDef


def _signature(node: _OWN, name: str) -> str:
    args = ast.unparse(node.args)
    for first in ("self, ", "cls, "):
        args = args.removeprefix(first)
    args = "" if args in ("self", "cls") else args
    result = f" -> {ast.unparse(node.returns)}" if node.returns else ""
    line = f"{name}({args}){result}"
    if len(line) <= 100:
        return line
    pieces, depth, piece = [], 0, ""
    for letter in args:
        depth += (letter in "([{") - (letter in ")]}")
        if letter == "," and depth == 0:
            pieces.append(piece.strip())
            piece = ""
        else:
            piece += letter
    pieces.append(piece.strip())
    return f"{name}(\n    " + ",\n    ".join(pieces) + f",\n){result}"


def _decorated(node: _OWN, name: str) -> bool:
    return any(name in ast.unparse(d) for d in node.decorator_list)


def _methods(node: ast.ClassDef) -> list[str]:
    out, rows = [], []
    for part in node.body:
        if not isinstance(part, _OWN) or part.name.startswith("_") or _decorated(part, "overload"):
            continue
        text = ast.get_docstring(part)
        if _decorated(part, "property"):
            rows.append(f"| `{part.name}` | {cell(text or '')} |")
        elif text:
            out.append(f"```python\n{_signature(part, part.name)}\n```\n\n{prose(text, 'python')}")
    table = ["| attribute | |\n|---|---|\n" + "\n".join(rows) + "\n"] if rows else []
    return table + out


def _public(tree: ast.Module) -> list[str]:
    out = []
    for node in tree.body:
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and ast.get_docstring(node):
            bases = ", ".join(ast.unparse(b) for b in node.bases)
            out.append(f"## `{node.name}`\n")
            out.append(f"```python\nclass {node.name}({bases})\n```\n" if bases else "")
            out.append(prose(ast.get_docstring(node) or "", "python"))
            out += _methods(node)
        elif isinstance(node, _OWN) and not node.name.startswith("_") and ast.get_docstring(node):
            out.append(f"## `{node.name}`\n\n```python\n{_signature(node, node.name)}\n```\n")
            out.append(prose(ast.get_docstring(node) or "", "python"))
    return out


def write(package: Path, out: Path) -> int:
    """One page for each public module, and the list of them; gives the number of modules."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    for path in sorted(package.glob("*.py")):
        tree = ast.parse(path.read_text())
        name = "bristle" if path.stem == "__init__" else f"bristle.{path.stem}"
        parts = [part for part in _public(tree) if part]
        if (path.stem.startswith("_") and path.stem != "__init__") or not parts:
            continue
        about = ast.get_docstring(tree) or ""
        stem = "bristle" if path.stem == "__init__" else path.stem
        (out / f"{stem}.md").write_text(f"# {name}\n\n{prose(about, 'python')}\n" + "\n".join(parts))
        rows.append((stem, name, about.split("\n")[0]))
    rows.sort(key=lambda row: row[0] != "bristle")
    table = "\n".join(f"| [{name}]({stem}.md) | {cell(about)} |" for stem, name, about in rows)
    tree_text = "\n".join(f"{name} <{stem}>" for stem, name, _ in rows)
    (out / "index.md").write_text(
        "# Python reference\n\nSignatures and docstrings of the package. Laws are classes made from the library's tables: "
        "`bristle.lugre(...)` has the parameters that [its page](../laws/lugre.md) lists. "
        "[Bristle from Python](../guides/python.md) shows them in use.\n\n"
        f"| module | about |\n|---|---|\n{table}\n\n```{{toctree}}\n:hidden:\n\n{tree_text}\n```\n"
    )
    return len(rows)
