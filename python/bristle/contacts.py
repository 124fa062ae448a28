"""Contacts that keep their state: one, or a million in one block of memory."""

from __future__ import annotations

import math
import threading
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import NULL, ffi, lib
from .arrays import Array
from .errors import ParameterError, ShapeError, raise_status
from .law import F64, Law, _initial, _items
from .units import read


class Contact:
    """One contact that keeps its state; the quickest way to step from a loop in Python."""

    def __init__(self, law: Law) -> None:
        self.law = law
        self._room = np.append(law.state(), 0.0)
        self.state: Array = self._room[: law.nstate]
        self._s = arrays.pointer(self._room)
        self._in = ffi.new("bristle_input *", (0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 0.0, law._load))
        self._end = ffi.new("double *")
        self._call, self._p, self._lock = law._law.f64.step, law._cp, threading.Lock()

    @property
    def velocity(self) -> float:
        """The velocity at the end of the last step."""
        return float(self._end[0])

    def step(self, v: float, h: float, w: float = 0.0, n: float = 1.0, x: float = 0.0, f: float = 0.0) -> float:
        """One step of length h; the friction force. See `Law.step`."""
        if not (0.0 < h < math.inf and w >= 0.0):
            arrays.step_length(h)
            raise ParameterError(f"w = {w!r}: must be 0 (prescribed motion) or more")
        if not self._lock.acquire(False):
            raise RuntimeError("this contact is being stepped by another thread; give each thread its own")
        try:
            given = self._in
            given.v, given.x, given.n, given.f, given.w, given.h = v, x, n, f, w, h
            return float(self._call(self._p, self._s, given, self._end))
        finally:
            self._lock.release()

    def reset(self) -> None:
        """Back to the state of the beginning."""
        self.state[:] = _initial(self.law.table)

    def __reduce__(self) -> tuple[Any, ...]:
        return (_contact_again, (self.law, self.state.copy(), self.velocity))

    def __repr__(self) -> str:
        states = ", ".join(f"{k}={v:.6g}" for k, v in zip(self.law.table.state_names, self.state, strict=True))
        return f"<contact {self.law!r}: {states}>"


class Contacts:
    """Many contacts of one law: states, forces, end velocities and, where they differ, parameters in one block.

    `step` and `eval` read arrays of the right kind (count numbers, contiguous, the contacts' precision) where they are;
    everything else is broadcast and copied. The forces they return are the contacts' own array and change with the
    next call: pass `out=` or copy to keep them.
    """

    def __init__(self, law: Law, count: int, dtype: Any = F64, **parameters: Any) -> None:
        self.law, self.count, self.dtype = law, arrays.whole(count, "contacts: count"), np.dtype(dtype)
        if self.dtype not in arrays.POINTER:
            raise ParameterError(f"contacts: dtype must be float64 or float32, got {self.dtype}")
        self._single = self.dtype != F64
        rows = law.nstate + 2 + (law.table.nparam if parameters else 0)
        self._block = np.zeros((rows, self.count), self.dtype)
        self.state: Array = self._block[: law.nstate]
        self.force: Array = self._block[law.nstate]
        self.velocity: Array = self._block[law.nstate + 1]
        self._lock = threading.Lock()
        self.values: Array = law._p.astype(self.dtype)
        suffix = "_f32" if self._single else ""
        self._model = law._law.f32 if self._single else law._law.f64
        self._batch = ffi.new(f"bristle_batch{suffix} *")
        self._each_type, self._suffix = f"bristle_each{suffix} *", suffix
        if parameters:
            self.values = self._block[law.nstate + 2 :]
            self.values[:] = law._p[:, None]
            self.set(**parameters)
        self._fixed = {"p": arrays.pointer(self.values), "s": arrays.pointer(self.state)}
        self._outputs = {"f": arrays.pointer(self.force), "v_end": arrays.pointer(self.velocity)}
        batch = self._batch
        batch.count, batch.per_contact, batch.load = self.count, int(bool(parameters)), law._load
        batch.p, batch.s, batch.v_end = self._fixed["p"], self._fixed["s"], self._outputs["v_end"]
        self.reset()

    def __reduce__(self) -> tuple[Any, ...]:
        return (_contacts_again, (self.law, self.count, self.dtype.str, self._block.copy()))

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        return f"<{self.count} contacts of {self.law!r}, {self.dtype}>"

    def __getitem__(self, name: str) -> Array:
        """A parameter of all contacts, or a state; read-only."""
        names = self.law.table.state_names
        if name in names:
            return np.asarray(self.state[names.index(name)])
        row = self.law.table.row(name)
        part = self.values[row.first : row.first + row.count]
        view = part[0] if row.count == 1 else part
        view = view.view() if isinstance(view, np.ndarray) else np.asarray(view)
        view.setflags(write=False)
        return view

    def reset(self) -> None:
        """All states back to those of the beginning."""
        if self.law.nstate:
            self.state[:] = _initial(self.law.table)[:, None]

    def set(self, **parameters: Any) -> None:
        """Changes parameters, each a number, a text with a unit or an array of one number for each contact."""
        if self.values.ndim == 1:
            raise ParameterError("these contacts share their parameters; make them with contacts(n, fc=...) to differ")
        fresh = self.values.copy()
        for name, value in parameters.items():
            row = self.law.table.row(name)
            items = _items(self.law.name, row, value) if row.count > 1 else [value]
            for i, item in enumerate(items):
                fresh[row.first + i] = self._column(name, item)
        self._check(fresh)
        self.values[:] = fresh

    def _column(self, name: str, item: Any) -> Any:
        if isinstance(item, str) or np.ndim(item) == 0:
            unit = self.law.unit(name)
            return read(item, unit, f"{self.law.name}: {name}")[0]
        array = arrays.as_array(item, name)
        if array.shape != (self.count,):
            raise ShapeError(f"{name}: expected {self.count} numbers, one for each contact; got shape {array.shape}")
        return array

    def _check(self, values: Array) -> None:
        each, error = ffi.new("bristle_each *"), ffi.new("bristle_error *")
        double = np.ascontiguousarray(values, np.float64)
        memory = arrays.pointer(double)
        each.count, each.per_contact, each.p = self.count, 1, memory
        place = lib.bristle_each_check(self.law._law.f64, each, error)
        if place < self.count:
            try:
                raise_status(error.status, error)
            except ParameterError as failed:
                raise ParameterError(f"contact {place}: {failed}") from None

    def _take(self, what: str, value: ArrayLike | None) -> Array | None:
        if value is None:
            if what == "v":
                raise ParameterError("v: a velocity is needed")
            return None
        if (
            type(value) is np.ndarray
            and value.dtype == self.dtype
            and value.shape == (self.count,)
            and value.flags.c_contiguous
        ):
            return value
        array = arrays.as_array(value, what)
        try:
            return np.ascontiguousarray(np.broadcast_to(array, (self.count,)), self.dtype)
        except ValueError:
            raise ShapeError(f"{what}: expected {self.count} numbers or one for all; got shape {array.shape}") from None

    def _target(self, out: Array | None, inputs: list[Array | None]) -> Array:
        if out is None:
            return self.force
        made = arrays.result(out, (self.count,), self.dtype)
        if any(a is not None and np.may_share_memory(a, made) for a in inputs) or np.may_share_memory(
            made, self._block
        ):
            raise ShapeError("out: shares memory with an input; give an array of its own")
        return made

    def step(
        self,
        v: ArrayLike,
        h: float,
        *,
        w: ArrayLike | None = None,
        n: ArrayLike | None = None,
        x: ArrayLike | None = None,
        out: Array | None = None,
    ) -> Array:
        """One step of all contacts: the forces. End velocities are in `velocity`. See `Law.step`."""
        inputs = [self._take(name, value) for name, value in (("v", v), ("x", x), ("n", n), ("w", w))]
        arrays.refuse_negative(inputs[3], "w")
        return self._run("step_n", arrays.step_length(h), inputs, out, NULL)

    def eval(
        self,
        v: ArrayLike,
        *,
        n: ArrayLike | None = None,
        x: ArrayLike | None = None,
        out: Array | None = None,
        rate: Array | None = None,
    ) -> Array:
        """The forces at an instant; `rate` takes the rates of the states, shape (nstate, count)."""
        inputs = [self._take(name, value) for name, value in (("v", v), ("x", x), ("n", n))]
        rates = arrays.result(rate, self.state.shape, self.dtype, "rate")
        force = self._run("eval_n", 0.0, [*inputs, None], out, rates)
        if rate is not None:
            arrays.deliver(rates, rate)
        return force

    def _run(self, what: str, h: float, inputs: list[Array | None], out: Array | None, rate: Any) -> Array:
        made = self._target(out, inputs)
        if not self._lock.acquire(False):
            raise RuntimeError("these contacts are being stepped by another thread; give each thread its own")
        try:
            memory = [arrays.pointer(array) for array in inputs]
            target = self._outputs["f"] if made is self.force else arrays.pointer(made)
            rates = rate if rate is NULL else arrays.pointer(rate)
            batch = self._batch
            batch.v, batch.x, batch.n, batch.w = memory
            batch.h, batch.f, batch.rate = h, target, rates
            getattr(self._model, what)(batch)
        finally:
            self._lock.release()
        result: Array = arrays.deliver(made, out)
        return result

    def _each(self, what: str, v: ArrayLike, n: ArrayLike | None, x: ArrayLike | None, *more: Any) -> Array:
        made = np.empty(self.count, self.dtype)
        inputs = {name: self._take(name, value) for name, value in (("v", v), ("x", x), ("n", n))}
        kept = {name: arrays.pointer(array) for name, array in inputs.items()}
        each, target = ffi.new(self._each_type), arrays.pointer(made)
        each.count, each.load, each.per_contact = self.count, self.law._load, self._batch.per_contact
        each.p, each.s, each.force = self._fixed["p"], self._fixed["s"], target
        for name, memory in kept.items():
            setattr(each, name, memory)
        getattr(lib, f"bristle_each_{what}{self._suffix}")(self._model, each, *more)
        return made

    def steady(self, v: ArrayLike, *, n: ArrayLike | None = None, x: ArrayLike | None = None) -> Array:
        """The forces after a long time at constant velocity."""
        if "steady" not in self.law.table.traits:
            raise ParameterError(f"{self.law.name} has no steady force")
        return self._each("steady", v, n, x)

    def energy(self, *, n: ArrayLike | None = None, x: ArrayLike | None = None) -> Array:
        """The energies stored in the contacts."""
        if "energy" not in self.law.table.traits:
            raise ParameterError(f"{self.law.name} does not know its stored energy")
        return self._each("energy", 0.0, n, x)

    def mode(self, v: ArrayLike = 0.0, *, n: ArrayLike | None = None, x: ArrayLike | None = None) -> Array:
        """What each contact does: 0 stuck, 1 presliding, 2 sliding."""
        mode = np.empty(self.count, np.int8)
        self._each("mode", v, n, x, ffi.from_buffer("signed char[]", mode))
        return mode


def _contact_again(law: Law, state: Array, velocity: float) -> Contact:
    """A contact from its pickle or for a copy."""
    made = Contact(law)
    made.state[:] = state
    made._end[0] = velocity
    return made


def _contacts_again(law: Law, count: int, dtype: str, block: Array) -> Contacts:
    """Contacts from their pickle or for a copy: the block holds states, forces, end velocities and own parameters."""
    own = len(block) > law.nstate + 2
    row = law.table.parameters[0]
    made = Contacts(law, count, dtype, **({row.name: law[row.name]} if own else {}))
    made._block[:] = block
    return made
