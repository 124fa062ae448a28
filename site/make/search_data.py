"""What the search looks through: search_data.py FOLDER reads the pages of the built site and writes _static/search-data.js."""

from __future__ import annotations

import json
import sys
from html.parser import HTMLParser
from pathlib import Path

LONGEST = 4000  # characters of a section; what is behind them is a table or a listing
_VOID = {"br", "img", "hr", "input", "meta", "link", "path", "rect", "circle", "line", "use"}


class Sections(HTMLParser):
    """The sections of an article: their id, heading and text."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.found: list[list[str]] = []
        self.inside = self.silent = self.heading = 0
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        if tag == "article":
            self.inside += 1
        if not self.inside:
            return
        if tag == "section" and "id" in values:
            self.found.append([values["id"], "", ""])
        if tag in ("h1", "h2", "h3", "h4"):
            self.heading = 1
        if self.silent and tag not in _VOID:
            self.silent += 1
        elif tag in ("svg", "script", "style", "button") or values.get("class") == "headerlink":
            self.silent = 1

    def handle_endtag(self, tag: str) -> None:
        if tag == "article":
            self.inside -= 1
        if tag in ("h1", "h2", "h3", "h4"):
            self.heading = 0
        if self.silent and tag not in _VOID:
            self.silent -= 1

    def handle_data(self, data: str) -> None:
        if self.inside and self.found and not self.silent:
            self.found[-1][1 if self.heading else 2] += data


def main() -> None:
    folder, entries = Path(sys.argv[1]), []
    for path in sorted(folder.rglob("*.html")):
        name = str(path.relative_to(folder))
        if name.startswith(("_static", "playground/", "files/")) or name == "search.html":
            continue
        sections = Sections(path.read_text()).found
        title = " ".join(sections[0][1].split()) if sections else name
        for i, (anchor, heading, text) in enumerate(sections):
            shown = " ".join(text.split())[:LONGEST]
            if shown:
                entries.append([name + (f"#{anchor}" if i else ""), title, " ".join(heading.split()) if i else title, shown])
    data = json.dumps(entries, ensure_ascii=False, separators=(",", ":"))
    (folder / "_static" / "search-data.js").write_text(f"window.searchData={data};\n")
    print(f"search: {len(entries)} sections, {len(data) / 1e6:.1f} MB")
    if len(entries) < 500:
        raise SystemExit("the search has lost its sections")


main()
