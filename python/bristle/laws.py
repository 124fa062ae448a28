"""The laws as classes, each made from its table when it is first asked for; laws.pyi has their types."""

from __future__ import annotations

from typing import Any

from .law import Law, law_class
from .tables import law_names

__all__ = list(law_names())


def __getattr__(name: str) -> type[Law]:
    if name.startswith("__"):
        raise AttributeError(name)
    made = law_class(name)
    globals()[name] = made
    return made


def __dir__() -> list[str]:
    return sorted(law_names())


def all_laws() -> list[Any]:
    """Every law's class, in the order of the library."""
    return [law_class(name) for name in law_names()]
