#!/usr/bin/env python3
"""Is what a document shows what a program said? shown.py SHOWN SAID [SLACK] prints the lines of SHOWN that SAID lacks.

Lines must come in their order. Words must agree; a number must agree within SLACK parts of itself, or one unit of the
last digit that is shown. `...` stands for lines left out.
"""

from __future__ import annotations

import re
import sys
from pathlib import Path

NUMBER = re.compile(r"[-+]?\d*\.?\d+([eE][-+]?\d+)?")


def unit_of(text: str) -> float:
    """One unit of the last digit of a number."""
    mantissa, _, power = text.lower().partition("e")
    return 10.0 ** (int(power or 0) - len(mantissa.partition(".")[2]))


def same(shown: str, said: str, slack: float) -> bool:
    if shown == said:
        return True
    if not NUMBER.fullmatch(shown) or not NUMBER.fullmatch(said):
        return False
    off = abs(float(shown) - float(said))
    return off <= 1.000001 * unit_of(shown) or off <= slack * abs(float(shown))


def words(line: str) -> list[str]:
    return re.sub(r"([(),;])", r" \1 ", line).split()


def missing(shown: str, said: str, slack: float = 0) -> list[str]:
    """The lines of one text that the other lacks."""
    there, at, lost = [words(line) for line in said.splitlines()], 0, []
    for line in shown.splitlines():
        wanted = words(line)
        if not wanted or wanted[0] == "...":
            continue
        for i in range(at, len(there)):
            if len(there[i]) == len(wanted) and all(same(a, b, slack) for a, b in zip(wanted, there[i], strict=True)):
                at = i + 1
                break
        else:
            lost.append(line)
    return lost


if __name__ == "__main__":
    texts = [Path(path).read_text() for path in sys.argv[1:3]]
    print("\n".join(missing(*texts, slack=float((sys.argv[3:] or ["0"])[0]))), end="")
