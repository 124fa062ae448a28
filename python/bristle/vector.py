"""Friction in the plane and in space: `bristle.vector.lugre(2, fs=2)`. The first axis of v and F has the components."""

from __future__ import annotations

from collections.abc import Callable
from functools import cache, partial
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from . import arrays, describe
from ._library import ffi, lib, name_bytes
from .arrays import Array
from .errors import ParameterError, ShapeError, unknown
from .law import F64, Parameters, Step, _attribute
from .tables import read_table, vector_names


class VectorLaw(Parameters):
    """A law whose slip, force and bristle are vectors of `dim` components: 2 or 3."""

    dim: ClassVar[int]
    _law: ClassVar[Any]
    _model: ClassVar[Any]
    _diff: ClassVar[Any]

    def _check(self, p: Any, error: Any) -> int:
        return int(lib.bristle_vector_check(self._model, p, error))

    def _contact(self) -> Any:
        return ffi.new("bristle_contact *", {"vector": self._law, "load": self._load, "p": self._cp})

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self.name, self.dim, self._load, self._rotary, self._p.tobytes()))

    @property
    def nstate(self) -> int:
        """Numbers of one contact's state."""
        return int(self._model.info.nstate)

    def state(self, *shape: int) -> Array:
        """The state at the beginning: shape (nstate, *shape)."""
        return np.zeros((self.nstate, *shape))

    def _call(
        self, what: str, v: ArrayLike, s: ArrayLike | None, n: ArrayLike | None, w: ArrayLike | None, h: float
    ) -> Step:
        slip = arrays.as_array(v, "v").astype(np.float64)
        if slip.ndim == 0 or slip.shape[0] != self.dim:
            raise ShapeError(f"v: expected {self.dim} components first; got shape {slip.shape}")
        shape = slip.shape[1:]
        slip = np.ascontiguousarray(slip)
        state = arrays.states(s, np.zeros(self.nstate), shape, F64, tuple(f"s{i}" for i in range(self.nstate)))
        try:
            loads = (
                None if n is None else np.ascontiguousarray(np.broadcast_to(arrays.as_array(n, "n"), shape), np.float64)
            )
        except ValueError:
            raise ShapeError(f"n: shape {np.asarray(n).shape} does not fit {shape}") from None
        force, velocity = np.empty_like(slip), slip.copy()
        kept = {
            "p": self._p,
            "v": slip,
            "n": loads,
            "w": self._compliance(w),
            "s": state,
            "force": force,
            "v_end": velocity,
        }
        each = ffi.new("bristle_each_vector *")
        memory = {name: arrays.pointer(array) for name, array in kept.items()}
        for name, place in memory.items():
            setattr(each, name, place)
        each.count, each.h, each.load = int(np.prod(shape, dtype=np.int64)), h, self._load
        getattr(lib, f"bristle_each_vector_{what}")(self._model, each)
        return Step(force, state, velocity)

    def _compliance(self, w: ArrayLike | None) -> Array | None:
        if w is None:
            return None
        matrix = arrays.as_array(w, "w").astype(np.float64)
        matrix = matrix * np.eye(self.dim) if matrix.ndim == 0 else np.ascontiguousarray(matrix)
        if matrix.shape != (self.dim, self.dim):
            raise ShapeError(f"w: expected a number or a {self.dim} x {self.dim} matrix, got shape {matrix.shape}")
        if not np.all(np.isfinite(matrix)) or np.any(np.linalg.eigvalsh((matrix + matrix.T) / 2) < 0):
            raise ParameterError("w: a compliance must be positive")
        return matrix

    def eval(self, v: ArrayLike, s: ArrayLike | None = None, *, n: ArrayLike | None = None) -> Array:
        """The force at an instant."""
        return np.asarray(self._call("eval", v, s, n, None, 0.0).force)

    def step(
        self,
        v: ArrayLike,
        h: float,
        s: ArrayLike | None = None,
        *,
        w: ArrayLike | None = None,
        n: ArrayLike | None = None,
    ) -> Step:
        """One step; w is a number or a matrix for all contacts. Returns force, new state, end velocity."""
        return self._call("step", v, s, n, w, arrays.step_length(h))

    def steady(self, v: ArrayLike, *, n: ArrayLike | None = None) -> Array:
        """The force after a long time at constant velocity."""
        return np.asarray(self._call("steady", v, None, n, None, 0.0).force)


def _dimension(dim: Any) -> int:
    number = arrays.whole(dim, "dim")
    if number not in (2, 3):
        raise ParameterError(f"dim = {number}: a vector law has 2 or 3 components")
    return number


def _restore(name: str, dim: int, load: int, rotary: bool, data: bytes) -> VectorLaw:
    made: VectorLaw = object.__new__(vector_class(name, dim))
    made._load = load
    made._set(np.frombuffer(data, np.float64).copy(), rotary)
    return made


@cache
def vector_class(name: str, dim: int) -> type[VectorLaw]:
    """The class of a vector law in 2 or 3 dimensions, made from its table."""
    pointer = lib.bristle_vector_law_find(name_bytes(name))
    if pointer == ffi.NULL:
        raise unknown("there is no vector law", name, vector_names())
    model = pointer.f64[dim - 2]
    table = read_table(model.info)
    members: dict[str, Any] = {"table": table, "_model": model, "dim": dim, "__module__": "bristle.vector"}
    members["_law"], members["_diff"] = pointer, pointer.diff[dim - 2]
    members["__doc__"] = describe.docstring(table)
    for row in table.parameters:
        members[row.name] = _attribute(row.name)
    return type(name, (VectorLaw,), members)


def law(name: str, dim: int = 2, **parameters: Any) -> VectorLaw:
    """A vector law by its name: `bristle.vector.law("lugre", 3, fs=2)`."""
    return vector_class(name, _dimension(dim))(**parameters)


def __getattr__(name: str) -> Callable[..., VectorLaw]:
    if name.startswith("_"):
        raise AttributeError(name)
    vector_class(name, 2)
    return partial(law, name)
