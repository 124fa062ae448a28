"""The laws' equations, written as plain text in their tables, as mathematics.

A line is a series of words and of formulas: words stay words, formulas become LaTeX and then MathML, so that a line may
break between them. The notation is that of the law files: `sigma0 |v| z/g(v)`, `exp(-|v/vs|^gamma)`, `dz/dt`, `+-fs`. A name
followed by a bracket without a space is a function of what is inside, otherwise it is a product.
"""

from __future__ import annotations

import html
import re
from xml.etree import ElementTree

from latex2mathml.converter import convert

GREEK = {"sigma", "gamma", "delta", "alpha", "eta", "kappa", "mu", "tau", "xi", "pi"}
FUNCTIONS = {"exp", "tanh", "sgn", "sin", "cos", "min", "max", "ln", "sqrt", "sat", "clip", "dir", "STEP", "atanh"}
KNOWN_TO_LATEX = {"exp", "tanh", "sin", "cos", "min", "max", "ln"}
# names that neither a law's table nor the pattern letter + letter or digit has
SYMBOLS = {"L", "v", "x", "z", "t", "F", "f", "g", "h", "n", "y", "D", "A", "T", "r", "e", "s", "a", "b", "c", "d", "N"}
PAIRS = {
    "Fh",
    "Fb",
    "Fd",
    "zm",
    "x0",
    "x1",
    "h0",
    "h1",
    "z1",
    "z2",
    "F_i",
    "z_i",
    "k_i",
    "alpha_i",
    "e_a",
    "z_m",
    "room",
    "fl",
    "vst",
    "vc",
    "z_next",
}
ENGLISH = {
    "form",
    "order",
    "turning",
    "limit",
    "slip",
    "rest",
    "ended",
    "mode",
    "past",
    "phase",
    "direction",
    "depth",
    "mark",
    "latch",
    "frozen",
}
UPRIGHT = {"pull", "room", "roll", "offset", "excess"}
SPECIAL = {"dv": r"\Delta v", "z_next": "z^{+}", "fs_inf": r"f_{s\infty}"}
RELATIONS = {
    "<=": r"\le",
    ">=": r"\ge",
    "!=": r"\ne",
    "<": "<",
    ">": ">",
    "=": "=",
    "+": "+",
    "-": "-",
    ",": ",",
    "*": r"\cdot",
}
TOKEN = re.compile(
    r"(?P<space>\s+)|(?P<rate>d(?P<of>[A-Za-z]+\d?(?:_i)?)/dt)|(?P<number>\d+(?:\.\d+)?(?:e-?\d+)?)"
    r"|(?P<word>[A-Za-z]+-[A-Za-z]{2,}(?![\w(])|[A-Za-z]\w*)|(?P<op><=|>=|!=|\+-|[-+*/^=<>()\[\]|,;:.'])"
)


class Trouble(Exception):
    """Text that is no equation of the notation."""


def symbol(name: str) -> str:
    """A name as mathematics: sigma0, fc_plus, tau_dwell, zba."""
    plain = re.fullmatch(r"(.*)_(plus|minus)", name)
    if plain:
        base, sign = symbol(plain.group(1)), "+" if plain.group(2) == "plus" else "-"
        return f"{base}^{{{sign}}}"
    if name in SPECIAL:
        return SPECIAL[name]
    if name in UPRIGHT:
        return rf"\mathrm{{{name}}}"
    for letter in sorted(GREEK, key=len, reverse=True):
        if name == letter:
            return "\\" + letter
        if name.startswith(letter) and re.fullmatch(r"_?\w+", name[len(letter) :]):
            rest = name[len(letter) :].lstrip("_")
            return f"\\{letter}_{{{_index(rest)}}}"
    if len(name) == 1:
        return name
    if short := re.fullmatch(r"([A-Za-z])_?(\d+|[a-z]{1,3})", name):
        return f"{short.group(1)}_{{{_index(short.group(2))}}}"
    if under := re.fullmatch(r"([a-z])([a-z]?)_(\w+)", name):
        return f"{under.group(1)}_{{{_index(under.group(2) + under.group(3))}}}"
    return rf"\mathrm{{{name.replace('_', ' ')}}}"


def _index(text: str) -> str:
    return text if len(text) == 1 or text.isdigit() else rf"\mathrm{{{text}}}"


def tokens(text: str) -> list[tuple[str, str, bool]]:
    """Kind, text, and whether a space stands before it."""
    out, place, spaced = [], 0, True
    while place < len(text):
        found = TOKEN.match(text, place)
        if not found:
            raise Trouble(f"'{text[place]}' in '{text}'")
        place = found.end()
        kind = found.lastgroup or ""
        kind = "rate" if found.group("rate") else kind
        if kind == "space":
            spaced = True
            continue
        out.append((kind, found.group("of") if kind == "rate" else found.group(), spaced))
        spaced = False
    return out


class Formula:
    """A run of tokens without words, as LaTeX."""

    def __init__(self, run: list[tuple[str, str, bool]]) -> None:
        self.run, self.place, self.inside = run, 0, 0

    def peek(self) -> str:
        return self.run[self.place][1] if self.place < len(self.run) else ""

    def take(self) -> tuple[str, str, bool]:
        self.place += 1
        return self.run[self.place - 1]

    def latex(self) -> str:
        text = self.sequence("")
        if self.place < len(self.run):
            raise Trouble(f"'{self.peek()}' is not expected")
        return text

    def sequence(self, stop: str) -> str:
        out = []
        while self.place < len(self.run) and self.peek() != stop:
            if self.run[self.place][0] == "op" and self.peek() in RELATIONS:
                out.append(RELATIONS[self.take()[1]])
            elif self.peek() in (")", "]", ";", ":", "^", "/"):
                raise Trouble(f"'{self.peek()}' is not expected")
            else:
                out.append(self.product(stop))
        return " ".join(out)

    def product(self, stop: str) -> str:
        """Factors side by side; what stands before a stroke goes over it as a whole, which is the same number."""
        factors = [self.power()]
        while self.place < len(self.run) and self.peek() != stop:
            if self.peek() == "/":
                self.take()
                sign = "-" if self.peek() == "-" and self.take() else ""
                top = _bare(factors[0]) if len(factors) == 1 else " ".join(factors)
                bottom = sign + _bare(self.power())
                short = self.inside and _is_short(top) and _is_short(bottom)
                factors = [f"{top} / {bottom}" if short else rf"\frac{{{top}}}{{{bottom}}}"]
            elif self.run[self.place][0] == "op" and self.peek() not in ("(", "[", "|"):
                break
            else:
                factors.append(self.power())
        return " ".join(factors)

    def power(self) -> str:
        base = self.atom()
        while self.peek() == "^":
            self.take()
            sign = "-" if self.peek() == "-" and self.take() else ""
            base = f"{{{base}}}^{{{sign}{_bare(self.atom())}}}"
        return base

    def closed(self, end: str) -> str:
        self.inside += 1
        inner = self.sequence(end)
        self.inside -= 1
        if self.peek() != end:
            raise Trouble(f"'{end}' is missing")
        self.take()
        return inner

    def atom(self) -> str:
        if self.place >= len(self.run):
            raise Trouble("something is missing at the end")
        kind, text, _ = self.take()
        if kind == "number":
            return text
        if kind == "rate":
            return rf"\dot{{{symbol(text)}}}"
        if text == "+-":
            return r"\pm " + self.power()
        if text in "([|":
            end = {"(": ")", "[": "]", "|": "|"}[text]
            return rf"\left{text}{self.closed(end)}\right{end}"
        if kind != "word":
            raise Trouble(f"'{text}' is not expected")
        called = self.peek() == "(" and not self.run[self.place][2]
        if text == "sqrt" and called:
            self.take()
            return rf"\sqrt{{{self.closed(')')}}}"
        if text == "sum":
            return r"\sum"
        name = symbol(text)
        if text in FUNCTIONS:
            name = "\\" + text if text in KNOWN_TO_LATEX else rf"\operatorname{{{text}}}"
        if called:
            self.take()
            return rf"{name}\left({self.closed(')')}\right)"
        return f"{name} {self.power()}" if text in FUNCTIONS else name


def _is_short(text: str) -> bool:
    """A symbol or a number, or the size of one: inside brackets it needs no fraction bar, which would make them grow."""
    name = r"(?:\\?[A-Za-z]+(?:_\{(?:\\mathrm\{)?\w+\}?\})?|[\d.]+)"
    return re.fullmatch(rf"{name}|\\left\|{name}\\right\||[\d.]+ {name}", text) is not None


def _bare(text: str) -> str:
    """Without the brackets around the whole of it: a fraction does not need them."""
    if not (text.startswith(r"\left(") and text.endswith(r"\right)")):
        return text
    depth = 0
    for found in re.finditer(r"\\left\(|\\right\)", text):
        depth += 1 if found.group().startswith(r"\left") else -1
        if depth == 0 and found.end() < len(text):
            return text
    return text[6:-7]


def _is_word(kind: str, text: str, known: set[str], after: str) -> bool:
    """English, not a symbol?"""
    if kind != "word":
        return False
    if text == "sum" and after == "of":
        return True
    if text == "a" and re.fullmatch(r"[a-z]{3,}", after) and after not in known and after != "for":
        return True
    if text in known or text in FUNCTIONS or text in SYMBOLS or text in PAIRS or text in GREEK or text == "sum":
        return False
    if len(text) == 1 or not re.fullmatch(r"[A-Za-z]?[a-z]+(-[A-Za-z]+)?", text):
        raise Trouble(f"'{text}' is neither a word nor a symbol that is known")
    return True


def runs(line: str, known: set[str]) -> list[tuple[bool, str]]:
    """The line as (is a formula, LaTeX or plain text) in order."""
    line = re.sub(r"\bz\+(?= =)", "z_next", line)
    parts = tokens(line)
    words = [_is_word(k, t, known, parts[i + 1][1] if i + 1 < len(parts) else "") for i, (k, t, _) in enumerate(parts)]
    _brackets_with_words(parts, words)
    out: list[tuple[bool, str]] = []
    run: list[tuple[str, str, bool]] = []

    def close() -> None:
        text = ""
        while run and run[-1][1] in ",;:.":
            text = run.pop()[1] + text
        lead = ""
        while run and run[0][1] in ",;:.":
            lead += run.pop(0)[1]
        if lead:
            out.append((False, lead))
        if run:
            out.append((True, Formula(list(run)).latex()))
        if text:
            out.append((False, text))
        run.clear()

    depth = 0
    for part, word in zip(parts, words):
        depth += (part[1] in "([") - (part[1] in ")]") if not word else 0
        split = depth == 0 and part[1] in (",", ";", ":") and not word
        if word or split:
            if split:
                run.append(part)
            close()
            if word:
                out.append((False, part[1]))
        else:
            run.append(part)
    close()
    return out


def _brackets_with_words(parts: list[tuple[str, str, bool]], words: list[bool]) -> None:
    """Brackets around words are words themselves."""
    stack: list[int] = []
    for i, (_, text, _) in enumerate(parts):
        if text == "(":
            stack.append(i)
        elif text == ")":
            if not stack:
                raise Trouble("')' without '('")
            begin = stack.pop()
            if any(words[begin + 1 : i]):
                words[begin] = words[i] = True


def mathml(latex: str) -> str:
    """MathML of a formula, checked to be well formed; absolute values and brackets grow with what is inside."""
    text = convert(r"\displaystyle " + latex)
    ElementTree.fromstring(text)
    return text


def as_html(equations: str, known: set[str]) -> str:
    """All lines of a law's equations; raises Trouble where one is not of the notation."""
    out = []
    for line in equations.split("\n"):
        pieces = []
        for formula, text in runs(line, known):
            piece = mathml(text) if formula else html.escape(text)
            glue = "" if (not formula and text in (",", ";", ":", ".", ")")) or (pieces and pieces[-1] == "(") else " "
            if glue and pieces:
                pieces.append(" ")
            pieces.append(piece)
        out.append(f'<p class="equation{" more" if line.startswith(" ") else ""}">{"".join(pieces)}</p>')
    return '<div class="equations">\n' + "\n".join(out) + "\n</div>\n"


def names_of(models: list[dict]) -> set[str]:
    """What the laws' tables call their numbers, less those that are words of sentences."""
    return {row["name"] for law in models for row in law["parameters"] + law["states"]} - ENGLISH
