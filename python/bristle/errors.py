"""What can go wrong; every message says what was found, what was expected and what to do."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from typing import Any

from ._library import ffi, lib, text


class BristleError(Exception):
    """Any refusal by the library."""


class ParameterError(BristleError, ValueError):
    """A parameter or an input outside its range, or against a rule of its law."""


class UnitError(BristleError, ValueError):
    """An unknown unit, or one of the wrong dimension."""


class UnknownNameError(BristleError, AttributeError, KeyError, TypeError):
    """A law, parameter, key or column that does not exist."""

    def __str__(self) -> str:
        return str(self.args[0]) if self.args else ""


class ShapeError(BristleError, ValueError):
    """Arrays that do not fit together."""


class FileError(BristleError, OSError, ValueError):
    """A file that cannot be read, with its line and column."""


class ToolError(BristleError, RuntimeError):
    """A run, a fit or a report that the library refused. `code` is the exit code of the same command."""

    def __init__(self, message: str, code: int = 1) -> None:
        super().__init__(message)
        self.code = code

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.code))


class NotConvincing(ToolError):
    """The data speak against the result. `result` is what was found all the same."""

    def __init__(self, message: str, code: int, result: Any) -> None:
        super().__init__(message, code)
        self.result = result

    def __reduce__(self) -> tuple[Any, ...]:
        return (type(self), (str(self), self.code, self.result))


def nearest(word: str, known: Iterable[str]) -> str:
    """' (did you mean fs?)' or ''."""
    close = difflib.get_close_matches(str(word), list(known), n=1, cutoff=0.4)
    return f"; did you mean {close[0]}?" if close else ""


def unknown(what: str, word: str, known: Iterable[str]) -> UnknownNameError:
    """'lugre has no parameter sigma9; did you mean sigma0? It has: ...'"""
    names = list(known)
    return UnknownNameError(f"{what} {word!r}{nearest(word, names)}; there are: {', '.join(names) or 'none'}")


def raise_status(status: int, error: Any, kind: type[BristleError] = ParameterError) -> None:
    """The core's own sentence as an exception."""
    if status:
        buffer = ffi.new("char[600]")
        lib.bristle_error_text(error, buffer, 600)
        raise kind(text(buffer))


def raise_fault(kind: int, fault: Any, about: str = "", other: type[BristleError] = FileError) -> None:
    """The readers' own sentence as an exception."""
    if kind:
        buffer = ffi.new("char[1000]")
        lib.bristle_fault_text(fault, buffer, 1000)
        error = UnitError if kind == lib.BRISTLE_FAULT_UNIT else other
        raise error(about + text(buffer))
