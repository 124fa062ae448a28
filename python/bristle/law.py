"""A law with its parameters: constant, comparable, callable on numbers and arrays."""

from __future__ import annotations

from functools import cache
from math import inf
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from . import arrays, describe
from ._library import ffi, lib
from .arrays import Array
from .each import F64 as F64
from .each import Each as Each
from .each import Step as Step
from .each import _initial as _initial
from .errors import ParameterError, unknown
from .parameters import Parameters as Parameters
from .parameters import _items as _items
from .tables import find_law, read_table


class Law(Parameters):
    """A friction law with its parameters.

    Velocity, position, load and compliance may be numbers or arrays and broadcast like NumPy's own functions. States
    have one row for each number: shape (nstate, ...). Results are float32 where all arrays are, otherwise float64.
    """

    _law: ClassVar[Any]

    def _check(self, p: Any, error: Any) -> int:
        return int(lib.bristle_check(self._law.f64, p, error))

    def _contact(self) -> Any:
        return ffi.new("bristle_contact *", {"law": self._law, "load": self._load, "p": self._cp})

    def _set(self, values: Array, rotary: bool) -> None:
        super()._set(values, rotary)
        initial = _initial(self.table)
        start = arrays.pointer(np.append(initial, 0.0))
        self._parts = (self._law.f64, start, ffi.typeof(f"double[{self.table.nstate + 1}]"), initial)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_restore, (self.name, self._load, self._rotary, self._p.tobytes()))

    @property
    def nstate(self) -> int:
        """Numbers of one contact's state."""
        return self.table.nstate

    def state(self, *shape: int, dtype: Any = F64) -> Array:
        """States as they are at the beginning: shape (nstate, *shape)."""
        return arrays.states(None, _initial(self.table), shape, np.dtype(dtype), self.table.state_names)

    def eval(
        self,
        v: ArrayLike,
        s: ArrayLike | None = None,
        *,
        x: ArrayLike | None = None,
        n: ArrayLike | None = None,
        f: ArrayLike | None = None,
        a: ArrayLike | None = None,
        out: Array | None = None,
    ) -> Any:
        """The force at an instant: velocity v, state s, position x, load n, applied force f, acceleration a."""
        if isinstance(v, float) and s is None and f is None and a is None and out is None:  # numpy.float64 is one
            if (x is None or isinstance(x, float)) and (n is None or isinstance(n, float)):
                return self._quick_eval(v, 0.0 if x is None else x, 1.0 if n is None else n)
        return Each(self, v, s, 0.0, {"x": x, "n": n, "f": f, "a": a}).eval(out)[0]

    def _quick_eval(self, v: float, x: float, n: float) -> float:
        model, start, room, _ = self._parts
        given = ffi.new("bristle_input *", (v, x, n, 0.0, 0.0, 0.0, 0.0, self._load))
        return float(model.eval(self._cp, start, given, ffi.new(room)))

    def _quick_step(self, v: float, h: float, s: Array | None, w: float, n: float) -> Step:
        model, _, _, initial = self._parts
        given = ffi.new("bristle_input *", (v, 0.0, n, 0.0, 0.0, w, h, self._load))
        state = (initial if s is None else s).copy()
        end = ffi.new("double *")
        force = model.step(self._cp, ffi.from_buffer("double[]", state), given, end)
        return Step(force, state, end[0])

    def rates(
        self,
        v: ArrayLike,
        s: ArrayLike | None = None,
        *,
        x: ArrayLike | None = None,
        n: ArrayLike | None = None,
        f: ArrayLike | None = None,
        a: ArrayLike | None = None,
    ) -> tuple[Any, Array]:
        """The force and the rates of the states, for solvers of differential equations."""
        return Each(self, v, s, 0.0, {"x": x, "n": n, "f": f, "a": a}).eval(None)

    def step(
        self,
        v: ArrayLike,
        h: float,
        s: ArrayLike | None = None,
        *,
        w: ArrayLike | None = None,
        n: ArrayLike | None = None,
        x: ArrayLike | None = None,
        f: ArrayLike | None = None,
        out: Array | None = None,
    ) -> Step:
        """One step of length h, with w = 0 at the given velocity, with w > 0 coupled: v is then the velocity at its end
        if there were no friction, and w what a newton of friction takes from it (h/m). Returns force, new state and
        end velocity; `out` takes the forces."""
        if isinstance(v, float) and isinstance(h, float) and 0.0 < h < inf and x is None and f is None and out is None:
            plain = (w is None or (isinstance(w, float) and w >= 0.0)) and (n is None or isinstance(n, float))
            fits = s is None or (type(s) is np.ndarray and s.dtype == F64 and s.shape == (self.table.nstate,))
            if plain and fits:
                return self._quick_step(v, h, s, 0.0 if w is None else w, 1.0 if n is None else n)
        return Each(self, v, s, arrays.step_length(h), {"x": x, "n": n, "f": f, "w": w}).step(out)

    def steady(
        self, v: ArrayLike, *, x: ArrayLike | None = None, n: ArrayLike | None = None, out: Array | None = None
    ) -> Any:
        """The force after a long time at constant velocity."""
        if "steady" not in self.table.traits:
            raise ParameterError(f"{self.name} has no steady force: it depends on more than the velocity")
        return Each(self, v, None, 0.0, {"x": x, "n": n}).simple("steady", out)

    def energy(
        self,
        s: ArrayLike,
        *,
        v: ArrayLike = 0.0,
        x: ArrayLike | None = None,
        n: ArrayLike | None = None,
        out: Array | None = None,
    ) -> Any:
        """The energy stored in the contact."""
        if "energy" not in self.table.traits:
            raise ParameterError(f"{self.name} does not know its stored energy")
        return Each(self, v, s, 0.0, {"x": x, "n": n}).simple("energy", out)

    def mode(
        self,
        v: ArrayLike,
        s: ArrayLike | None = None,
        *,
        x: ArrayLike | None = None,
        n: ArrayLike | None = None,
        f: ArrayLike | None = None,
        out: Array | None = None,
    ) -> Any:
        """What a contact does: 0 stuck, 1 presliding, 2 sliding; for one number it is a word."""
        return Each(self, v, s, 0.0, {"x": x, "n": n, "f": f}).mode(out)

    def contact(self) -> Any:
        """One contact that keeps its state; see `bristle.Contact`."""
        from .contacts import Contact

        return Contact(self)

    def contacts(
        self, count: int, dtype: Any = F64, *, device: Any = "cpu", fast: bool = False, **parameters: Any
    ) -> Any:
        """Many contacts of this law in one block of memory; see `bristle.Contacts`. With device="cuda" they live on a
        GPU and take and give its arrays, with fast=True in the fast build; see `bristle.cuda.Contacts`."""
        if device != "cpu":
            from .cuda import Contacts as OnDevice

            return OnDevice(self, count, dtype, device=device, fast=fast, **parameters)
        if fast:
            raise ParameterError("fast=True is a build for GPUs: give device='cuda' as well")
        from .contacts import Contacts

        return Contacts(self, count, dtype, **parameters)

    def derivatives(self, v: ArrayLike, s: ArrayLike | None = None, h: float | None = None, **given: Any) -> Any:
        """Exact derivatives of eval, or with h of a step; see `bristle.Derivatives`."""
        from .derivatives import derivatives

        return derivatives(self, v, s, h, given)

    def advice(self, *, h: float = 0.0, w: float = 0.0, n: float = 1.0) -> list[str]:
        """Warnings that are no errors: about passivity, and about steps of length h."""
        return describe.advice(self, h, w, n)

    def export(self, path: Any, to: str | None = None, **options: Any) -> list[str]:
        """Writes the law for another tool: `law.export("axis.fmu", shape="body")`, `law.export("axis.c",
        compensate=True)`, `law.export("axis.xml", to="mujoco")`. The ending tells the format where `to` does not.
        Returns what the target cannot represent. Options are those of `bristle export`."""
        from .exports import export

        return export(self.to_yaml(), path, to, options)

    def plot(self, ax: Any = None) -> Any:
        """Steady curve, presliding loop and break-away against rate; needs matplotlib. Returns the axes."""
        from .pictures import plot_law

        return plot_law(self, ax)


def _restore(name: str, load: int, rotary: bool, data: bytes) -> Law:
    made: Law = object.__new__(law_class(name))
    made._load = load
    made._set(np.frombuffer(data, np.float64).copy(), rotary)
    return made


def _attribute(name: str) -> property:
    return property(lambda self: self[name])


@cache
def law_class(name: str) -> type[Law]:
    """The class of a law, made from its table."""
    pointer = find_law(name)
    table = read_table(pointer.f64.info)
    members: dict[str, Any] = {"table": table, "_law": pointer, "__module__": "bristle.laws"}
    members["__doc__"] = describe.docstring(table)
    for row in table.parameters:
        if hasattr(Law, row.name):
            raise unknown(f"{name}: a parameter may not be called", row.name, ())
        members[row.name] = _attribute(row.name)
    return type(name, (Law,), members)
