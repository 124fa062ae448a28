"""Every link of the built site: links.py FOLDER. A link that leads nowhere, and anything that would be fetched, is an error."""

from __future__ import annotations

import sys
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

FETCHED = {
    "link": "href",
    "script": "src",
    "img": "src",
    "source": "src",
    "iframe": "src",
    "image": "href",
    "use": "href",
}


class Page(HTMLParser):
    """Links, anchors and what is loaded of one page."""

    def __init__(self, text: str) -> None:
        super().__init__()
        self.ids: set[str] = set()
        self.links: list[str] = []
        self.loaded: list[str] = []
        self.feed(text)

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        values = {key: value or "" for key, value in attrs}
        self.ids.update(values[key] for key in ("id", "name") if values.get(key))
        if tag == "a" and "href" in values:
            self.links.append(values["href"])
        if tag in FETCHED and values.get(FETCHED[tag]):
            self.loaded.append(values[FETCHED[tag]])


def main() -> int:
    folder = Path(sys.argv[1]).resolve()
    pages = {path: Page(path.read_text()) for path in sorted(folder.rglob("*.html"))}
    wrong, count = [], 0
    for path, page in pages.items():
        for link in page.links + page.loaded:
            parts = urlsplit(link)
            if parts.scheme in ("http", "https") or link.startswith("//"):
                if link in page.loaded:
                    wrong.append(f"{path.relative_to(folder)} would fetch {link}")
                continue
            if parts.scheme:
                continue
            count += 1
            target = (path.parent / unquote(parts.path)).resolve() if parts.path else path
            if target.is_dir():
                target /= "index.html"
            if not target.is_file():
                wrong.append(f"{path.relative_to(folder)}: {link} leads nowhere")
            elif parts.fragment and target in pages and unquote(parts.fragment) not in pages[target].ids:
                wrong.append(f"{path.relative_to(folder)}: {link} has no such place")
    print("\n".join(sorted(set(wrong))[:40]))
    print(f"{len(pages)} pages, {count} links, {len(set(wrong))} wrong")
    return 1 if wrong or not count else 0


if __name__ == "__main__":
    sys.exit(main())
