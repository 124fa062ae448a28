"""Values of a law's parameters: read with units, checked by the core, constant."""

from __future__ import annotations

from typing import Any, ClassVar

import numpy as np

from . import arrays, describe
from ._library import LOADS, ffi, lib
from .arrays import Array
from .errors import ParameterError, raise_status
from .tables import Row, Table, load_index
from .units import read


class Parameters:
    """Values of a table's parameters: what scalar and vector laws have in common."""

    table: ClassVar[Table]
    __slots__ = ("__dict__", "__weakref__")

    def __init__(self, *, load: str | None = None, rotary: bool | None = None, **parameters: Any) -> None:
        self._load = self.table.load if load is None else load_index(load)
        self._set(*self._read(parameters, rotary))

    def _set(self, values: Array, rotary: bool) -> None:
        values.setflags(write=False)
        self._p, self._rotary = values, rotary
        self._cp = arrays.pointer(values)
        error = ffi.new("bristle_error *")
        raise_status(self._check(self._cp, error), error)

    def _check(self, p: Any, error: Any) -> int:
        raise NotImplementedError

    def _read(self, given: dict[str, Any], rotary: bool | None) -> tuple[Array, bool]:
        values = np.empty(self.table.nparam)
        lib.bristle_defaults(self.table.info, arrays.pointer(values))
        seen: dict[bool, str] = {} if rotary is None else {bool(rotary): "rotary"}
        for name, value in given.items():
            row = self.table.row(name)
            for i, item in enumerate(_items(self.table.name, row, value)):
                values[row.first + i] = self._quantity(row, item, seen)
        if len(seen) == 2:
            raise ParameterError(f"{self.table.name}: {seen[True]} is rotary, {seen[False]} is linear; choose one")
        return values, next(iter(seen), False)

    def _quantity(self, row: Row, item: Any, seen: dict[bool, str]) -> float:
        units = [row.unit_in(self._load, kind) for kind in (False, True)]
        number, which = read(item, "|".join(dict.fromkeys(units)), f"{self.table.name}: {row.name}")
        if which >= 0 and units[0] != units[1]:
            seen.setdefault(which == 1, f"{row.name} = {item}")
        return number

    # ---- what it is ----

    @property
    def name(self) -> str:
        """The name of the law, as the tool knows it."""
        return self.table.name

    @property
    def load(self) -> str:
        """How the law follows the normal load: force, coefficient or level."""
        return LOADS[self._load]

    @property
    def rotary(self) -> bool:
        """Torques and angles instead of forces and lengths."""
        return bool(self._rotary)

    @property
    def values(self) -> Array:
        """All parameters as one array, in the order of the table; read-only."""
        return self._p

    @property
    def parameters(self) -> dict[str, Any]:
        """Name to value in SI; vectors are arrays."""
        return {row.name: self[row.name] for row in self.table.parameters}

    def __getitem__(self, name: str) -> Any:
        row = self.table.row(name)
        return float(self._p[row.first]) if row.count == 1 else self._p[row.first : row.first + row.count]

    def unit(self, name: str) -> str:
        """The unit of a parameter in this load form."""
        return self.table.row(name).unit_in(self._load, self._rotary)

    def _twin(self, load: int) -> Any:
        """The same law without parameters yet."""
        made = object.__new__(type(self))
        made._load = load
        return made

    def with_(self, **changes: Any) -> Any:
        """The same with some parameters changed: `law.with_(fs=2)`."""
        rotary = changes.pop("rotary", self._rotary)
        if "load" in changes:
            raise ParameterError("load is not changed by with_; to_load converts the parameters as well")
        made = self._twin(self._load)
        values, seen = self._p.copy(), {bool(rotary): "the law"}
        for name, value in changes.items():
            row = self.table.row(name)
            for i, item in enumerate(_items(self.table.name, row, value)):
                values[row.first + i] = made._quantity(row, item, seen)
        if len(seen) == 2:
            raise ParameterError(
                f"{self.name}: the law is {'rotary' if rotary else 'linear'}, {seen[not rotary]} is not"
            )
        made._set(values, bool(rotary))
        return made

    def to_load(self, load: str, n: float | str = 1.0) -> Any:
        """The same friction at the load n, with parameters of another load form; exact."""
        made = self._twin(load_index(load))
        number = read(n, "N", "n")[0]
        if not 0 < number < np.inf:
            raise ParameterError(f"n = {number!r}: a conversion needs a load above 0")
        values = np.empty_like(self._p)
        lib.bristle_convert(self.table.info, self._cp, self._load, arrays.pointer(values), made._load, number)
        made._set(values, self._rotary)
        return made

    # ---- as a value ----

    def _key(self) -> tuple[Any, ...]:
        return (type(self), self._load, self._rotary, self._p.tobytes())

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Parameters) and self._key() == other._key()

    def __hash__(self) -> int:
        return hash(self._key())

    def __setattr__(self, name: str, value: Any) -> None:
        if not name.startswith("_"):
            raise AttributeError(f"a law is constant; write law.with_({name}=...)")
        object.__setattr__(self, name, value)

    def __repr__(self) -> str:
        return describe.line(self)

    def _repr_html_(self) -> str:
        return describe.html(self)

    def to_dict(self) -> dict[str, Any]:
        """What a model file holds."""
        return describe.to_dict(self)

    def to_yaml(self) -> str:
        """A model file: `friction: {file: model.yaml}` in a scenario, `bristle.load` here."""
        return describe.to_yaml(self)

    def to_json(self) -> str:
        """The same as JSON."""
        return describe.to_json(self)

    def save(self, path: Any) -> None:
        """Writes a model file, JSON where the name ends so, YAML otherwise."""
        describe.save(self, path)


def _items(law: str, row: Row, value: Any) -> list[Any]:
    if row.count == 1:
        return [value]
    items = list(value) if isinstance(value, (list, tuple, np.ndarray)) else [value] * row.count
    if len(items) != row.count:
        raise ParameterError(f"{law}: {row.name} has {row.count} elements, got {len(items)}")
    return items
