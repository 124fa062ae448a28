#!/usr/bin/env python3
"""The interface of the libraries: what include/bristle declares is what the shared libraries show, and what
tests/abi/interface.txt holds, one declaration a line, so that every change of it is seen.

scripts/test-abi.py [write]     BUILD (build) has the libraries; `write` brings the file up to date

Besides: at most 120 functions without params.h and cuda.h; enumerators begin with the name of their type."""

import os
import re
import subprocess
import sys
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
BUILD = Path(os.environ.get("BUILD", "build"))
REFERENCE = ROOT / "tests/abi/interface.txt"
MOST_FUNCTIONS = 120
SYSTEM = ["stddef.h", "stdint.h", "stdio.h", "math.h", "string.h"]


def declarations(headers):
    """Without comments, system headers and inline functions; spaces are single."""
    with tempfile.TemporaryDirectory() as folder:
        for name in SYSTEM:
            Path(folder, name).touch()
        command = [os.environ.get("CC", "cc"), "-E", "-P", "-nostdinc", f"-I{folder}", f"-I{ROOT / 'include'}", "-"]
        command += ["-DBRISTLE_BEGIN=", "-DBRISTLE_END="]
        source = "".join(f"#include <bristle/{name}.h>\n" for name in headers)
        text = subprocess.run(command, input=source, capture_output=True, text=True, check=True).stdout
    found, depth, current = [], 0, ""
    for piece in re.split(r"([{};])", text):
        current += piece
        depth += (piece == "{") - (piece == "}")
        is_body = piece == "}" and depth == 0 and re.search(r"\)\s*\{", current)
        if depth == 0 and (piece == ";" or is_body):
            line = re.sub(r"\s+", " ", current).strip()
            if not line.startswith("static inline"):
                found.append(line)
            current = ""
    return found


def functions(lines):
    return {re.search(r"\b(bristle_\w+) ?\(", line).group(1) for line in lines
            if "(" in line and not line.startswith(("typedef", "struct", "enum"))}


def shown(library):
    text = subprocess.run(["nm", "-D", "--defined-only", BUILD / library], capture_output=True, text=True, check=True).stdout
    symbols = [line.split()[1:] for line in text.splitlines()]
    return {name for kind, name in symbols if kind not in "DdBbRr"}, {name for kind, name in symbols if kind in "DdBbRr"}


def badly_named(lines):
    """Enumerators that do not begin with the name of their type; _kind, _status and the like may be left out."""
    for line in lines:
        typed = re.match(r"typedef enum \w+ \{(.*)\} (\w+);", line)
        for name in re.findall(r"\b(BRISTLE_\w+)\b(?=[ ,=]|$)", re.sub(r"= [^,]*", "", typed.group(1))) if typed else []:
            prefix = re.sub(r"_(KIND|STATUS|FORMAT|BUILD)$", "", typed.group(2).upper())
            if not name.startswith(prefix + "_"):
                yield f"{name} does not begin with {prefix}_"


def check_names(lines, names):
    problems = list(badly_named(lines))
    declared = functions(lines) - functions(declarations(["cuda"])) | functions(declarations(["ensemble"]))
    exported, tables = (set.union(*pair) for pair in zip(*(shown(f"lib{name}.so") for name in names)))
    words = set(re.findall(r"\bbristle_\w+", (ROOT / "include/bristle/params.h").read_text()))
    problems += [f"{name} is declared, but no library shows it" for name in sorted(declared - exported)]
    problems += [f"{name} is shown, but no header declares it" for name in sorted(exported - declared) + sorted(tables - words)]
    if len(declared) > MOST_FUNCTIONS:
        problems.append(f"{len(declared)} public functions, at most {MOST_FUNCTIONS}")
    return problems, len(declared)


def compare(lines):
    """With the file: what came and what went."""
    text = "\n".join(lines) + "\n"
    if sys.argv[1:] == ["write"]:
        REFERENCE.write_text(text)
    before = REFERENCE.read_text().splitlines()
    changed = [f"- {line}" for line in before if line not in lines] + [f"+ {line}" for line in lines if line not in before]
    if changed or before != lines:
        changed.append("the interface is not that of tests/abi/interface.txt: if this is meant, run scripts/test-abi.py write, "
                       "and say it in CHANGELOG.md")
    return changed


def main():
    headers = sorted(path.stem for path in (ROOT / "include/bristle").glob("*.h") if path.stem != "params")
    lines = declarations(headers)
    problems, count = check_names(lines, ["bristle", "bristle-lab"])
    problems += compare(lines)
    structs = sum(line.startswith(("typedef struct", "struct")) and "{" in line for line in lines)
    print("\n".join([*problems, f"{len(problems)} problems; {count} functions, {structs} structs, {len(lines)} declarations"]))
    return bool(problems)


sys.exit(main())
