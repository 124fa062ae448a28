"""The arguments of one call over arrays, in memory that the library can walk."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import MODES, ffi, lib
from .arrays import Array
from .errors import ParameterError
from .tables import Table

if TYPE_CHECKING:
    from .law import Law

F64 = np.dtype(np.float64)


class Step(NamedTuple):
    """What a step gives: the mean force, the new state, the velocity at its end."""

    force: Any
    state: Array
    velocity: Any


def _initial(table: Table) -> Array:
    return np.array([value for row in table.states for value in row.default], np.float64)


class Each:
    """The arguments of one call, in memory that the library can walk."""

    def __init__(self, law: Law, v: ArrayLike, s: ArrayLike | None, h: float, given: dict[str, Any]) -> None:
        if v is None:
            raise ParameterError("v: a velocity is needed")
        listed = [("v", v), *given.items()]
        self.dtype = arrays.common_dtype([*listed, ("s", s)])
        rows = arrays.state_shape(s)
        shape_of_state = np.empty(rows, np.float64) if rows else None
        self.shape, full = arrays.broadcast([*listed, ("s", shape_of_state)], self.dtype)
        self.law, self.count = law, int(np.prod(self.shape, dtype=np.int64))
        self.arrays = {name: array for (name, _), array in zip(listed, full, strict=False)}
        self.s = arrays.states(s, _initial(law.table), self.shape, self.dtype, law.table.state_names)
        single = self.dtype != F64
        self.suffix = "_f32" if single else ""
        self.model = law._law.f32 if single else law._law.f64
        self.p = law._p.astype(self.dtype) if single else law._p
        arrays.refuse_negative(self.arrays.get("w"), "w")
        self.h = h

    def to_double(self) -> None:
        """Derivatives exist in double precision only."""
        self.arrays = {k: None if a is None else a.astype(np.float64) for k, a in self.arrays.items()}
        self.s, self.p, self.dtype = self.s.astype(np.float64), self.law._p, F64

    def _call(self, what: str, *more: Any, **outputs: Array | None) -> None:
        kept = {
            name: arrays.pointer(array) for name, array in {**self.arrays, **outputs, "s": self.s, "p": self.p}.items()
        }
        each = ffi.new(f"bristle_each{self.suffix} *")
        for name, memory in kept.items():
            setattr(each, name, memory)
        each.count, each.h, each.load = self.count, self.h, self.law._load
        if self.count:
            getattr(lib, f"bristle_each_{what}{self.suffix}")(self.model, each, *more)

    def _batch(self, what: str, **outputs: Array | None) -> None:
        """The same through the law's own batch loop, where it has all that was given."""
        if any(self.arrays.get(name) is not None for name in ("f", "a")):
            renamed = {"force": outputs["f"], "v_end": outputs.get("v_end"), "rate": outputs.get("rate")}
            return self._call(what, **renamed)
        batch = ffi.new(f"bristle_batch{self.suffix} *")
        inputs = {name: array for name, array in self.arrays.items() if name not in ("f", "a")}
        kept = {name: arrays.pointer(array) for name, array in {**inputs, **outputs, "s": self.s, "p": self.p}.items()}
        for name, memory in kept.items():
            setattr(batch, name, memory)
        batch.count, batch.h, batch.load = self.count, self.h, self.law._load
        if self.count:
            getattr(self.model, f"{what}_n")(batch)
        return None

    def eval(self, out: Array | None) -> tuple[Any, Array]:
        force = arrays.result(out, self.shape, self.dtype)
        rate = np.empty_like(self.s)
        self._batch("eval", f=force, rate=rate)
        return arrays.deliver(force, out), rate

    def step(self, out: Array | None) -> Step:
        force = arrays.result(out, self.shape, self.dtype)
        velocity = np.empty(self.shape, self.dtype)
        self._batch("step", f=force, v_end=velocity)
        return Step(arrays.deliver(force, out), self.s, arrays.deliver(velocity, None))

    def simple(self, what: str, out: Array | None) -> Any:
        force = arrays.result(out, self.shape, self.dtype)
        self._call(what, force=force)
        return arrays.deliver(force, out)

    def mode(self, out: Array | None) -> Any:
        mode = arrays.result(out, self.shape, np.dtype(np.int8))
        self._call("mode", ffi.from_buffer("signed char[]", mode))
        return arrays.deliver(mode, out) if self.shape or out is not None else MODES[int(mode[()])]
