"""The tables of the laws, as the library has them: names, units, defaults, bounds, documentation."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any

from ._library import LOADS, ffi, lib, name_bytes, text
from .errors import UnknownNameError, unknown

TRAITS = {
    "odd": "BRISTLE_TRAIT_ODD",
    "sticks": "BRISTLE_TRAIT_STICKS",
    "rate_free": "BRISTLE_TRAIT_RATE_FREE",
    "steady": "BRISTLE_TRAIT_STEADY",
    "energy": "BRISTLE_TRAIT_ENERGY",
    "passive": "BRISTLE_TRAIT_PASSIVE",
    "set_valued": "BRISTLE_TRAIT_SET_VALUED",
    "smooth": "BRISTLE_TRAIT_SMOOTH",
    "acceleration": "BRISTLE_TRAIT_ACCELERATION",
    "affine": "BRISTLE_TRAIT_AFFINE",
}


@dataclass(frozen=True)
class Row:
    """One parameter or state."""

    name: str
    unit: str
    doc: str
    kind: str
    first: int
    count: int
    default: tuple[float, ...]
    low: float
    high: float
    pointer: Any

    def unit_in(self, load: int, rotary: bool) -> str:
        """The unit in a load form, linear or rotary."""
        buffer = ffi.new("char[64]")
        lib.bristle_unit(self.pointer, load, int(rotary), buffer, 64)
        return text(buffer)


@dataclass(frozen=True)
class Table:
    """One law: its texts, parameters and states."""

    name: str
    title: str
    equations: str
    use: str
    limits: str
    source: str
    traits: frozenset[str]
    load: int
    nparam: int
    nstate: int
    parameters: tuple[Row, ...]
    states: tuple[Row, ...]
    info: Any

    def row(self, name: str) -> Row:
        """The parameter of this name."""
        for row in self.parameters:
            if row.name == name:
                return row
        raise unknown(f"{self.name} has no parameter", name, (row.name for row in self.parameters))

    @property
    def state_names(self) -> tuple[str, ...]:
        """One name for each number of the state: z, or z1, z2, ..."""
        names: list[str] = []
        for row in self.states:
            names += [row.name] if row.count == 1 else [f"{row.name}{i + 1}" for i in range(row.count)]
        return tuple(names)


def _row(row: Any) -> Row:
    initial = tuple(row.initial[i] for i in range(row.count))
    kind = text(lib.bristle_row_kind_text(row.kind))
    pointer = ffi.addressof(row)
    return Row(
        text(row.name), text(row.unit), text(row.doc), kind, row.first, row.count, initial, row.lo, row.hi, pointer
    )


def read_table(info: Any) -> Table:
    """The table behind a bristle_info."""
    traits = frozenset(name for name, flag in TRAITS.items() if info.traits & getattr(lib, flag))
    name, title, equations = text(info.name), text(info.title), text(info.equations)
    use, limits, source = text(info.use), text(info.limits), text(info.source)
    parameters = tuple(_row(info.param[i]) for i in range(info.param_rows))
    states = tuple(_row(info.state[i]) for i in range(info.state_rows))
    return Table(
        name,
        title,
        equations,
        use,
        limits,
        source,
        traits,
        info.load,
        info.nparam,
        info.nstate,
        parameters,
        states,
        info,
    )


@cache
def law_names() -> tuple[str, ...]:
    """Every law of the library, in its order."""
    return tuple(text(lib.bristle_law_at(i).name) for i in range(lib.bristle_law_count()))


@cache
def vector_names() -> tuple[str, ...]:
    """The laws that also exist in the plane and in space."""
    return tuple(text(lib.bristle_vector_law_at(i).name) for i in range(lib.bristle_vector_law_count()))


def find_law(name: str) -> Any:
    """The bristle_law of this name, or an error with the nearest one."""
    law = lib.bristle_law_find(name_bytes(name))
    if law == ffi.NULL:
        near = text(lib.bristle_law_nearest(name_bytes(name)))
        raise UnknownNameError(f"there is no law {name!r}; did you mean {near}? bristle.laws lists them all")
    return law


def load_index(load: str | int) -> int:
    """force, coefficient or level as the library counts them."""
    if isinstance(load, str) and load in LOADS:
        return LOADS.index(load)
    raise unknown("there is no load form", str(load), LOADS)
