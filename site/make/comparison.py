"""Which law shows which effect: the table of tests/site/effects.csv, every cell of which a test measures."""

from __future__ import annotations

import csv
import html
from pathlib import Path
from typing import Any


class Effects:
    """The table, with what its columns mean."""

    def __init__(self, table: Path, columns: list[dict[str, Any]]) -> None:
        self.about = columns
        self.columns = [c["name"] for c in columns]
        self.titles = {c["name"]: c["title"] for c in columns}
        self.rows: dict[str, dict[str, tuple[str, str]]] = {}
        with table.open() as file:
            for row in csv.DictReader(file):
                self.rows[row["law"]] = {c: tuple(row[c].split(" ")) for c in self.columns}  # type: ignore[misc]


def _cell(column: str, word: str, measured: str) -> str:
    """A verdict, and below it what was measured where that says more."""
    tiny = word == "no" and (measured == "1" or abs(float(measured)) < 1e-4)
    says_more = column != "stick-slip" and not tiny
    return f'<td class="{word}">{word}' + (f"<br><small>{measured}</small>" if says_more else "") + "</td>"


def table(effects: Effects) -> str:
    """The table as HTML: a cell says yes, nearly or no, and the number."""
    head = "".join(f'<th scope="col"><a href="#{c}"><span>{c}</span></a></th>' for c in effects.columns)
    body = []
    for name, cells in effects.rows.items():
        law, _, setting = name.partition(" ")
        more = f" <small>{html.escape(setting)}</small>" if setting else ""
        row = "".join(_cell(c, *cells[c]) for c in effects.columns)
        body.append(f'<tr><th scope="row"><a href="laws/{law}.html">{law}</a>{more}</th>{row}</tr>')
    return (
        f'<div class="table-wrapper" role="region" aria-label="Which law shows which effect" tabindex="0">'
        f'<table class="effects docutils"><thead><tr><th scope="col">law</th>{head}</tr></thead><tbody>'
        + "\n".join(body)
        + "</tbody></table></div>"
    )


def columns(effects: Effects) -> str:
    out = []
    for c in effects.about:
        border = f"{'below' if c['below'] else 'above'} {c['limit']:g}"
        nearly = f"; nearly: below {c['nearly']:g}" if c["nearly"] else ""
        out.append(f"### {c['name']}\n\n**{c['title'].capitalize()}.** {c['how']} Yes: {border}{nearly}.\n")
    return "\n".join(out)


def page(effects: Effects, text: str) -> str:
    """The page of site/pages with the table and what its columns mean."""
    return text.replace("<!-- table -->", "```{raw} html\n" + table(effects) + "\n```").replace(
        "<!-- columns -->", columns(effects)
    )
