"""The command-line tool, run for fits and reports: progress, Ctrl-C, messages as exceptions, nothing left behind."""

from __future__ import annotations

import contextlib
import os
import re
import subprocess
import sys
import tempfile
import threading
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any

from ._library import TOOL
from .errors import ToolError

Progress = Callable[[float], object] | bool | None


@dataclass
class Answer:
    """What a run of the tool said."""

    code: int
    output: str
    message: str


@contextlib.contextmanager
def folder() -> Iterator[Path]:
    """A folder that vanishes whatever happens."""
    with tempfile.TemporaryDirectory(prefix="bristle-") as name:
        yield Path(name)


def run(arguments: list[str], where: Path | None = None, progress: Progress = None) -> Answer:
    """Runs the tool to its end; Ctrl-C and exceptions of `progress` end it at once."""
    tell, close = _teller(progress)
    read, write = os.pipe() if tell else (-1, -1)
    environment = dict(os.environ)
    environment.pop("BRISTLE_PROGRESS_FD", None)
    inherited: dict[str, Any] = {}
    if tell:
        environment["BRISTLE_PROGRESS_FD"], inherited = _inherit(write)
    failed: list[BaseException] = []
    try:
        process = subprocess.Popen(
            [TOOL, *arguments],
            cwd=where,
            env=environment,
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            **inherited,
        )
    finally:
        if tell:
            os.close(write)
    listener = threading.Thread(target=_listen, args=(read, tell, process, failed)) if tell else None
    try:
        if listener:
            listener.start()
        output, message = process.communicate()
    except BaseException:
        process.kill()
        process.communicate()
        raise
    finally:
        if listener:
            listener.join()
        if tell:
            os.close(read)
        close()
    if failed:
        raise failed[0]
    return Answer(process.returncode, output.decode("utf-8", "replace"), message.decode("utf-8", "replace").strip())


def _inherit(pipe: int) -> tuple[str, dict[str, Any]]:
    """The number by which a child knows the pipe, and what Popen needs to hand it over."""
    if sys.platform != "win32":
        return str(pipe), {"pass_fds": (pipe,)}
    import msvcrt

    handle = msvcrt.get_osfhandle(pipe)
    os.set_handle_inheritable(handle, True)
    return str(handle), {"startupinfo": subprocess.STARTUPINFO(lpAttributeList={"handle_list": [handle]})}


def _teller(progress: Progress) -> tuple[Callable[[float], object] | None, Callable[[], None]]:
    """A function to tell the fraction to: the caller's, or a tqdm bar where tqdm is there."""
    if callable(progress):
        return progress, lambda: None
    if not progress:
        return None, lambda: None
    try:
        tqdm = import_module("tqdm.auto").tqdm
    except ImportError:
        return None, lambda: None
    bar: Any = tqdm(total=1.0, bar_format="{l_bar}{bar}| {remaining}")
    return lambda fraction: bar.update(max(0.0, fraction - bar.n)), bar.close


def _listen(read: int, tell: Callable[[float], object] | None, process: Any, failed: list[BaseException]) -> None:
    with os.fdopen(os.dup(read)) as lines:
        for line in lines:
            if failed or tell is None:
                continue
            try:
                tell(float(line))
            except BaseException as error:
                failed.append(error)
                process.kill()


def refuse(answer: Answer, verb: str) -> ToolError:
    """The tool's own sentence as an exception."""
    text = answer.message.replace(f"bristle {verb}: ", "", 1)
    text = text.replace(f"\n`bristle {verb} --help` shows how to use it.", "")
    if "is not an option of this verb" in text:  # here options are keywords
        text = text.replace("is not an option of this verb", f"is no keyword of {verb}")
        text = re.sub(r"'--([a-z-]+)'", lambda flag: f"'{flag[1].replace('-', '_')}'", text)
    return ToolError(text or f"bristle {verb} ended with {answer.code}", answer.code)


def keywords(sentence: str) -> str:
    """A sentence of the tool in the words of Python: `bristle identify --objective robust` is a keyword here."""

    def call(found: re.Match[str]) -> str:
        flags = re.findall(r"--([a-z-]+)(?: (?!--)('[^']*'|\S+))?", found[2])
        given = ", ".join(f"{name.replace('-', '_')}={_quoted(value)}" for name, value in flags)
        return f"{found[1]}(..., {given})"

    return re.sub(r"`bristle ([a-z]+) ((?:--[^`]+))`", call, sentence)


def _quoted(value: str) -> str:
    return repr(value.strip("'")) if value else "True"


def options(given: dict[str, Any]) -> list[str]:
    """Keywords as options: mass="free" is --mass free, trust=True is --trust, a list repeats, None is left out."""
    words: list[str] = []
    for name, value in given.items():
        flag = "--" + name.strip("_").replace("_", "-")
        if value is None or value is False:
            continue
        if value is True:
            words.append(flag)
        elif isinstance(value, dict):
            for key, item in value.items():
                words += [flag, str(key) if item is None else f"{key}={_word(item)}"]
        elif isinstance(value, (list, tuple)):
            for item in value:
                words += [flag, _word(item)]
        else:
            words.append(f"{flag}={_word(value)}")
    return words


def _word(value: Any) -> str:
    if isinstance(value, float):
        return repr(value)
    return str(value)
