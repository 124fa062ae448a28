"""Assembles the sources of the site: build.py BUILD OUT. Everything is made from the code, from docs/ and from site/pages.

Documents of the project are taken as they are; only their links are led to the pages of the site. A line
`<!-- section README.md: Title -->` in a page stands for the body of that section.
"""

from __future__ import annotations

import json
import os
import re
import shutil
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import benchmarks
import c_reference
import command_reference
import comparison
import error_index
import law_code
import law_pages
import python_reference
import sources
from blocks import COMMAND, without_notes
from words import section

ROOT = Path(__file__).resolve().parents[2]
GUIDES = [
    "identify",
    "experiments",
    "robot",
    "simulate",
    "simulators",
    "c",
    "laws",
    "mujoco",
    "joints",
    "compensation",
    "python",
    "export",
    "scale",
    "steprules",
    "windows",
    "systems",
    "cuda",
    "gallery",
    "sources",
]
LANGUAGES = {"c", "cpp", "python", "yaml", "json", "xml", "sh", "console", "cmake", "toml"}  # of fenced blocks; others are text
OWN = {
    "CHANGELOG.md": "changelog.md",
    "examples/README.md": "examples.md",
    "ARCHITECTURE.md": "develop/architecture.md",
    "CONTRIBUTING.md": "develop/contributing.md",
}


def site_page(path: str) -> str | None:
    """The page of the site that shows a file of the project, or None."""
    if path in OWN:
        return OWN[path]
    if found := re.fullmatch(r"site/pages/(.+\.md)", path):
        return found.group(1)
    if found := re.fullmatch(r"docs/(\w+)\.md", path):
        return f"guides/{found.group(1)}.md"
    if found := re.fullmatch(r"include/bristle/(\w+)\.h", path):
        return f"c/{found.group(1)}.md"
    return None


def play_button(address: str, what: str = "all laws with sliders, and your own log") -> str:
    """A button that loads the playground into the page, so that nobody loads it who does not ask for it."""
    return f'<button type="button" class="play" data-page="{address}">Open the playground here: {what}. It runs in the browser.</button>'


class Site:
    """What is being assembled."""

    def __init__(self, out: Path) -> None:
        self.out = out
        self.source, self.extra = out / "source", out / "extra"
        for folder in (self.source, self.extra):
            shutil.rmtree(folder, ignore_errors=True)
            folder.mkdir(parents=True)

    def lead_link(self, target: str, origin: str, page: str) -> str:
        """Where a link of a document leads on the site."""
        if re.match(r"[a-z]+:|#", target):
            return target
        path, hash_, anchor = target.partition("#")
        file = os.path.normpath(os.path.join(os.path.dirname(origin), path))
        here = os.path.dirname(page)
        if shown := site_page(file):
            return os.path.relpath(shown, here or ".") + hash_ + anchor
        if not (ROOT / file).is_file():
            raise SystemExit(f"{origin} links to {target}, which does not exist")
        copy = self.extra / "files" / file
        copy.parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(ROOT / file, copy)
        return os.path.relpath(f"files/{file}", here or ".")

    def document(self, text: str, origin: str, page: str) -> str:
        """A document of the project with its links led to the site."""
        parts = re.split(r"(^```.*?^```$)", without_notes(text), flags=re.S | re.M)
        for i, part in enumerate(parts):
            if part.startswith("```"):
                head, _, body = part.partition("\n")
                word = head[3:].split(" ")[0]
                plain = "sh" if COMMAND.match(body) else "text"  # commands have a button that copies them
                word = word if word in LANGUAGES else plain
                parts[i] = f"```{word}\n{body}"
            else:
                parts[i] = re.sub(r"\]\(([^)\s]+)\)", lambda m: f"]({self.lead_link(m.group(1), origin, page)})", part)
        return "".join(parts)

    def put(self, page: str, text: str) -> None:
        path = self.source / page
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def put_document(self, origin: str, page: str) -> None:
        self.put(page, self.document((ROOT / origin).read_text(), origin, page))

    def put_page(self, path: Path) -> None:
        """A page of site/pages, with the sections of documents that it shows."""
        page = str(path.relative_to(ROOT / "site" / "pages"))

        def shown(found: re.Match[str]) -> str:
            origin, title = found.group(1), found.group(2)
            return self.document(section((ROOT / origin).read_text(), title), origin, page)

        def picture(found: re.Match[str]) -> str:
            self.lead_link(os.path.relpath(found.group(1), path.parent.relative_to(ROOT)), str(path.relative_to(ROOT)), page)
            return f'<p class="home-picture"><img src="files/{found.group(1)}" alt="{found.group(2)}"></p>'

        text = re.sub(r"^<!-- section (\S+): (.*) -->$", shown, without_notes(path.read_text()), flags=re.M)
        text = re.sub(r"^<!-- picture (\S+): (.*) -->$", picture, text, flags=re.M)
        if page.startswith("faq/"):
            text = sources.linked(text)
        text = text.replace("<!-- playground widget -->", play_button("playground/index.html"))
        self.put(page, text.replace("<!-- playground -->", '<p><a href="playground/index.html">Open the playground</a></p>'))


def guides(site: Site) -> None:
    """The documents of docs/ in the order of GUIDES; those that it does not know come last."""
    for path in sorted((ROOT / "docs").glob("*.md")):
        site.put_document(f"docs/{path.name}", f"guides/{path.name}")
    there = {path.stem for path in (site.source / "guides").glob("*.md")} - {"index"}
    order = [name for name in GUIDES if name in there] + sorted(there - set(GUIDES))
    page = site.source / "guides" / "index.md"
    tree = "\n".join(order)
    page.write_text(page.read_text() + f"\n```{{toctree}}\n:maxdepth: 1\n\n{tree}\n```\n")


def atlas_of(program: Path, names: list[str], store: Path) -> dict[str, dict]:
    """What law-atlas computes of every law; kept until the program changes."""
    if store.exists() and store.stat().st_mtime > program.stat().st_mtime:
        return json.loads(store.read_text())

    def one(name: str) -> dict:
        return json.loads(subprocess.run([program, "laws", name], capture_output=True, text=True, check=True).stdout)[0]

    slow_first = sorted(names, key=lambda name: "leuven" not in name)
    with ThreadPoolExecutor(int(os.environ.get("JOBS") or 2)) as pool:
        atlas = {seen["law"]: seen for seen in pool.map(one, slow_first)}
    store.write_text(json.dumps(atlas))
    return atlas


def main() -> None:
    build, out = Path(sys.argv[1]), Path(sys.argv[2])
    tool = str(build / "bristle")
    site = Site(out)
    models = json.loads(subprocess.run([tool, "models", "--json"], capture_output=True, text=True, check=True).stdout)[
        "models"
    ]
    for path in sorted((ROOT / "site" / "pages").rglob("*.md")):
        site.put_page(path)
    guides(site)
    for origin, page in OWN.items():
        site.put_document(origin, page)
    declarations = c_reference.write(ROOT / "include" / "bristle", site.source / "c")
    modules = python_reference.write(ROOT / "python" / "bristle", site.source / "python")
    verbs = command_reference.write(tool, site.source / "commands")
    columns = json.loads(
        subprocess.run([build / "law-atlas", "columns"], capture_output=True, text=True, check=True).stdout
    )
    effects = comparison.Effects(ROOT / "tests" / "site" / "effects.csv", columns)
    atlas = atlas_of(build / "law-atlas", [law["name"] for law in models], out / "atlas.json")
    law_pages.write(models, atlas, effects, site.source / "laws")
    site.put("benchmarks.md", benchmarks.page(ROOT / "bench" / "results"))
    site.put("effects.md", comparison.page(effects, (ROOT / "site" / "pages" / "effects.md").read_text()))
    errors, count = error_index.write(ROOT, (ROOT / "site" / "pages" / "errors.md").read_text())
    site.put("errors.md", errors)
    for law in models:
        for ending, text in (("c", law_code.c_text(law)), ("yaml", law_code.yaml_text(law))):
            (out / "code").mkdir(exist_ok=True)
            (out / "code" / f"{law['name']}.{ending}").write_text(text)
    print(
        f"{len(models)} laws, {declarations} C declarations, {modules} Python modules, {len(verbs)} verbs, {count} messages"
    )
    if count < 200 or declarations < 200:
        raise SystemExit("something is no longer found in the sources")


if __name__ == "__main__":
    main()
