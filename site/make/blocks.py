"""The fenced blocks of a document, and what must be known to run them.

A comment right before a block, which no reader sees, says what its text leaves out:

    <!-- given: CODE -->          C, Python or shell that comes before a fragment
    <!-- file NAME: COMMAND -->   the block is a file of this name; the command (if any) uses it
    <!-- compiled: REASON -->     a C fragment that is compiled, and not run for this reason
    <!-- not run: REASON -->      nothing is done with it, for this reason
    <!-- long: REASON -->         it takes a second or more, and is run with ALL=1 only, for this reason
    <!-- exit CODE -->            the exit code of the command, where it is refused
    <!-- data FOLDER -->          a command on measured data beside the project, in this folder of theirs

A block without a language holds commands, or what the block just before it prints; anything else is `text`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path

NOTE = re.compile(r"<!-- (given|file|compiled|not run|long|data|exit)\b:? ?(.*?) *-->\s*\Z", re.S)
COMMAND = re.compile(r"(build/)?bristle |make\b|pip |python |cc ")
RUN = {"", "sh", "console", "c", "python"}


@dataclass
class Block:
    """One fenced block. `shown` is what the document says that it prints."""

    place: str
    language: str
    argument: str
    text: str
    notes: dict[str, str]
    shown: str = ""


def notes_before(text: str) -> dict[str, str]:
    """The comments that end a text."""
    notes = {}
    while found := NOTE.search(text):
        begin = text.rindex("<!--", 0, found.end())
        last = NOTE.match(text[begin:])
        if not last:
            break
        notes[last.group(1)] = last.group(2)
        text = text[:begin].rstrip()
    return notes


def blocks_of(path: Path, name: str) -> list[Block]:
    """The blocks of a document in their order."""
    text = path.read_text()
    found: list[Block] = []
    end = 0
    for fence in re.finditer(r"^```([^\n`]*)\n(.*?)^```$", text, flags=re.S | re.M):
        prose, end_before = text[end : fence.start()], end
        end = fence.end()
        language, _, argument = fence.group(1).partition(" ")
        if language.startswith("{"):
            continue
        near = end_before and len([line for line in prose.splitlines() if line.strip()]) < 2
        if not language and near and found and found[-1].language in RUN and not COMMAND.match(fence.group(2)):
            found[-1].shown = fence.group(2)
            continue
        place = f"{name}:{text.count(chr(10), 0, fence.start()) + 1}"
        found.append(Block(place, language, argument, fence.group(2), notes_before(prose)))
    return found


def without_notes(text: str) -> str:
    """A document as readers see it."""
    return re.sub(r"^<!-- (?:given|file|compiled|not run|long|data|exit)\b.*?-->\n", "", text, flags=re.S | re.M)


def commands(text: str) -> list[str]:
    """The lines of a block as a shell takes them: no comments, continued lines joined; `$ ` begins those of a console."""
    lines = text.replace("\\\n", " ").splitlines()
    return [line.strip() for line in lines if line.strip() and not line.strip().startswith("#")]
