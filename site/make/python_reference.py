"""The Python reference: public classes and functions with their signatures and docstrings, read from the sources."""

from __future__ import annotations

import ast
import re
from pathlib import Path

from words import cell, prose

WHOLE = {"__init__", "cuda", "jax", "torch", "pictures"}  # modules that are offered as they are
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


def _examples() -> dict[str, str]:
    """The blocks of site/pages/python_examples.md by their headings; the row python runs them."""
    text = (Path(__file__).resolve().parents[1] / "pages" / "python_examples.md").read_text()
    return {name: block for name, block in re.findall(r"^## (\S+)\n.*?^(```python\n.*?^```)$", text, flags=re.S | re.M)}


def _public_names(package: Path) -> dict[str, list[str]]:
    """What `bristle` offers, by the module that has it: the imports of __init__.py that are named again."""
    found: dict[str, list[str]] = {}
    for node in ast.walk(ast.parse((package / "__init__.py").read_text())):
        if isinstance(node, ast.ImportFrom) and node.level == 1 and node.module:
            found.setdefault(node.module, []).extend(a.name for a in node.names if a.asname == a.name)
    return found


def _example(name: str, examples: dict[str, str]) -> str:
    if name not in examples:
        raise SystemExit(f"site/pages/python_examples.md has no example of {name}")
    return examples[name] + "\n"


def _methods(node: ast.ClassDef, examples: dict[str, str], module: str) -> list[str]:
    out, rows = [], []
    for part in node.body:
        if not isinstance(part, _OWN) or part.name.startswith("_") or _decorated(part, "overload"):
            continue
        text = ast.get_docstring(part)
        if _decorated(part, "property"):
            kind = ast.unparse(part.returns) if part.returns else ""
            rows.append(f"| `{part.name}` | `{kind}` | {cell(text or '')} |")
        elif text:
            shown = _example(f"{module}{node.name}.{part.name}", examples)
            out.append(f"### `{node.name}.{part.name}`\n\n```python\n{_signature(part, part.name)}\n```\n\n{prose(text, 'python')}\n{shown}")
    table = ["| attribute | type | |\n|---|---|---|\n" + "\n".join(rows) + "\n"] if rows else []
    return table + out


def _public(tree: ast.Module, wanted: list[str] | None, examples: dict[str, str], module: str) -> list[str]:
    """All of a module, or the names that are wanted of it, each with its example; examples of a whole module begin with
    its name."""
    out = []
    for node in tree.body:
        if wanted is not None and getattr(node, "name", None) not in wanted:
            continue
        if isinstance(node, ast.ClassDef) and not node.name.startswith("_") and ast.get_docstring(node):
            bases = ", ".join(ast.unparse(b) for b in node.bases)
            out.append(f"## `{node.name}`\n")
            out.append(f"```python\nclass {node.name}({bases})\n```\n" if bases else "")
            out.append(prose(ast.get_docstring(node) or "", "python"))
            out.append(_example(module + node.name, examples))
            out += _methods(node, examples, module)
        elif isinstance(node, _OWN) and not node.name.startswith("_") and ast.get_docstring(node):
            out.append(f"## `{node.name}`\n\n```python\n{_signature(node, node.name)}\n```\n")
            out.append(prose(ast.get_docstring(node) or "", "python"))
            out.append(_example(module + node.name, examples))
    return out


def write(package: Path, out: Path) -> int:
    """One page for each public module, and the list of them; gives the number of modules."""
    out.mkdir(parents=True, exist_ok=True)
    rows = []
    public, examples = _public_names(package), _examples()
    for path in sorted(package.glob("*.py")):
        if path.stem not in public and path.stem not in WHOLE:
            continue
        tree = ast.parse(path.read_text())
        name = "bristle" if path.stem == "__init__" else f"bristle.{path.stem}"
        wanted = ["law"] if path.stem == "__init__" else None if path.stem in WHOLE else public[path.stem]
        parts = [part for part in _public(tree, wanted, examples, "" if wanted is not None else path.stem + ".") if part]
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
