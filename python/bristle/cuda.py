"""Contacts on an NVIDIA GPU: arrays of PyTorch, CuPy and JAX are read and written where they are."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np

from . import _cuda, arrays
from ._cuda import CudaError as CudaError
from ._cuda import DeviceArray as DeviceArray
from ._library import ffi
from .contacts import Contacts as OnProcessor
from .errors import ParameterError, ShapeError
from .law import F64, Law, _initial


def devices() -> int:
    """How many GPUs there are; 0 where there is no library or no driver for them."""
    try:
        return int(_cuda.library().bristle_cuda_devices())
    except CudaError:
        return 0


class Contacts:
    """Many contacts of one law on a GPU.

    Inputs are arrays on the device of the contacts' count and precision, contiguous, or numbers for all. Results are
    arrays of the package that `v` is from (PyTorch, CuPy, JAX; otherwise `DeviceArray`), in the contacts' own memory:
    they change with the next call, unless `out=` is given. Arrays of JAX never change, so each result is new.

    Work goes into `stream` (a stream of PyTorch or CuPy, or its handle), without one into the current stream of that
    package; a call returns when it is there, not when it is done. In the exact build the bits are those of the
    processor; `fast=True` takes the fast one (docs/cuda.md).
    """

    def __init__(
        self, law: Law, count: int, dtype: Any = F64, *, device: Any = "cuda", fast: bool = False, **parameters: Any
    ) -> None:
        self.law, self.count, self.dtype = law, arrays.whole(count, "contacts: count"), np.dtype(dtype)
        if self.dtype not in arrays.POINTER:
            raise ParameterError(f"contacts: dtype must be float64 or float32, got {self.dtype}")
        self.device, self.fast = _cuda.device_number(device), bool(fast)
        self._lib, self._law, self._streams = _cuda.library(), _cuda.find_law(law.name), _cuda.Streams()
        self._suffix = "" if self.dtype == F64 else "_f32"
        self._host = OnProcessor(law, self.count, self.dtype, **self._here(parameters)) if parameters else None
        own, nstate, nparam = self.count, law.nstate, law.table.nparam
        each = nparam * (own if parameters else 1)
        block = DeviceArray(((nstate + 2) * own + each,), self.dtype, self.device, self._streams)
        self.state = block.part(0, (nstate, own))
        self.force = block.part(nstate * own, (own,))
        self.velocity = block.part((nstate + 1) * own, (own,))
        self.values = block.part((nstate + 2) * own, (nparam, own) if parameters else (nparam,))
        self.values.put(self._host.values if self._host else law._p)
        self._lock = threading.Lock()
        self._numbers: dict[str, tuple[float, DeviceArray]] = {}
        self._views: dict[str, Any] = {}
        self._kept: Any = None
        batch = self._batch = ffi.new(f"bristle_batch{self._suffix} *")
        batch.count, batch.per_contact, batch.load = own, int(bool(parameters)), law._load
        batch.p, batch.s = (_cuda.memory(a, self.dtype) for a in (self.values, self.state))
        self.reset()

    def __len__(self) -> int:
        return self.count

    def __repr__(self) -> str:
        build = "fast" if self.fast else "exact"
        return f"<{self.count} contacts of {self.law!r}, {self.dtype} on cuda:{self.device}, {build}>"

    def __getitem__(self, name: str) -> DeviceArray:
        """A parameter of all contacts, or a state."""
        names = self.law.table.state_names
        if name in names:
            return self.state[names.index(name)]
        row = self.law.table.row(name)
        if self._host is None:
            return self.values.part(row.first, (row.count,))
        return (
            self.values[row.first]
            if row.count == 1
            else self.values.part(row.first * self.count, (row.count, self.count))
        )

    def reset(self) -> None:
        """Sets all states back to those of the beginning."""
        if self.law.nstate:
            self.state.put(_initial(self.law.table)[:, None])

    def _here(self, parameters: dict[str, Any]) -> dict[str, Any]:
        """Rules are looked at on the processor: parameters on the device are copied there."""
        made = {}
        for name, value in parameters.items():
            if isinstance(value, np.ndarray) or not _cuda.is_on_device(value):
                made[name] = value
                continue
            stream = _cuda.stream_number(None, value, self.device)
            loan = _cuda.borrow(value, name, (self.count,), self.dtype, self.device, stream)
            copy = np.empty(self.count, self.dtype)
            memory, source = ffi.from_buffer("char[]", copy), ffi.cast("void *", loan.address)
            handle = ffi.cast("void *", stream)
            with _cuda.using(self.device):
                _cuda.check(self._lib.bristle_cuda_copy(memory, source, copy.nbytes, handle), name)
                _cuda.check(self._lib.bristle_cuda_wait(handle), name)
            made[name] = copy
        return made

    def set(self, **parameters: Any) -> None:
        """Changes parameters, each a number, a text with a unit or an array of one number for each contact."""
        if self._host is None:
            raise ParameterError("these contacts share their parameters; make them with contacts(n, fc=...) to differ")
        self._host.set(**self._here(parameters))
        self.values.put(self._host.values)

    def _take(self, what: str, value: Any, stream: int) -> Any:
        if value is None:
            if what == "v":
                raise ParameterError("v: a velocity is needed")
            return None
        if isinstance(value, np.ndarray) and value.ndim:
            raise ParameterError(
                f"{what}: is a NumPy array in the memory of the processor; move it to cuda:{self.device}"
            )
        if np.isscalar(value) or isinstance(value, np.ndarray):
            return self._number(what, float(arrays.as_array(value, what)))
        return _cuda.borrow(value, what, (self.count,), self.dtype, self.device, stream)

    def _number(self, what: str, value: float) -> DeviceArray:
        """One number for all contacts; on the device until it is another one."""
        if what == "w" and not value >= 0:
            raise ParameterError(f"w = {value}: must be 0 (prescribed motion) or more")
        known = self._numbers.get(what)
        if known is not None and known[0] == value:
            return known[1]
        made = known[1] if known else DeviceArray((self.count,), self.dtype, self.device, self._streams)
        made.put(value)
        self._numbers[what] = (value, made)
        return made

    def _result(self, name: str, like: Any) -> Any:
        """Force or end velocity for the caller."""
        kind = f"{name} {type(like).__module__}"
        if kind not in self._views:
            self._views[kind] = _cuda.as_kind(getattr(self, name), like)
        return self._views[kind]

    def _run(self, what: str, h: float, given: dict[str, Any], out: Any, rate: Any, stream: Any) -> Any:
        like = given["v"]
        number = _cuda.stream_number(stream, like, self.device)
        if not self._lock.acquire(False):
            raise RuntimeError("these contacts are being stepped by another thread; give each thread its own")
        try:
            with _cuda.using(self.device):
                self._streams.enter(number)
                taken = {name: self._take(name, value, number) for name, value in given.items()}
                force, velocity = self._targets(like, out, taken, number)
                rates = (
                    None
                    if rate is None
                    else _cuda.borrow(rate, "rate", self.state.shape, self.dtype, self.device, number)
                )
                if what == "eval_n" and rates is None:
                    rates = self._scratch()
                batch = self._batch
                for name in ("v", "x", "n", "w"):
                    setattr(batch, name, _cuda.memory(taken.get(name), self.dtype))
                batch.h, batch.rate = h, _cuda.memory(rates, self.dtype)
                batch.f, batch.v_end = _cuda.memory(force, self.dtype), _cuda.memory(velocity, self.dtype)
                call = getattr(self._lib, f"bristle_cuda_{what}{self._suffix}")
                build = self._lib.BRISTLE_CUDA_FAST if self.fast else self._lib.BRISTLE_CUDA_EXACT
                _cuda.check(call(self._law, build, batch, ffi.cast("void *", number)), f"{self.law.name}: {what}")
                self._kept = (taken, force, velocity, rates)  # until the next call: work on them may not be done yet
        finally:
            self._lock.release()
        if out is not None:
            return out
        return _cuda.as_kind(force, like) if _cuda.is_constant(like) else self._result("force", like)

    def _targets(self, like: Any, out: Any, taken: dict[str, Any], stream: int) -> tuple[Any, Any]:
        if out is None:
            if not _cuda.is_constant(like):
                return self.force, self.velocity
            self.force, self.velocity = (
                DeviceArray((self.count,), self.dtype, self.device, self._streams) for _ in range(2)
            )
            self._views.clear()
            return self.force, self.velocity
        if _cuda.is_constant(out):
            raise ParameterError("out: arrays of JAX never change; take the result instead")
        loan = _cuda.borrow(out, "out", (self.count,), self.dtype, self.device, stream)
        if any(a is not None and a.address == loan.address for a in taken.values()):
            raise ShapeError("out: shares memory with an input; give an array of its own")
        return loan, self.velocity

    def _scratch(self) -> DeviceArray:
        if not hasattr(self, "_rates"):
            self._rates = DeviceArray(self.state.shape, self.dtype, self.device, self._streams)
        return self._rates

    def step(
        self, v: Any, h: float, *, w: Any = None, n: Any = None, x: Any = None, out: Any = None, stream: Any = None
    ) -> Any:
        """Makes one step of all contacts and gives their forces. End velocities are in `velocity`. See `Law.step`.

        A negative compliance in an array of w is not looked for; such a contact is prescribed.
        """
        return self._run("step_n", arrays.step_length(h), {"v": v, "x": x, "n": n, "w": w}, out, None, stream)

    def eval(
        self, v: Any, *, n: Any = None, x: Any = None, out: Any = None, rate: Any = None, stream: Any = None
    ) -> Any:
        """The forces at an instant; `rate` takes the rates of the states, shape (nstate, count)."""
        return self._run("eval_n", 0.0, {"v": v, "x": x, "n": n}, out, rate, stream)

    def end_velocity(self, like: Any) -> Any:
        """The end velocities of the last step, as an array of the package that `like` is from, in the same memory."""
        return _cuda.as_kind(self.velocity, like) if _cuda.is_constant(like) else self._result("velocity", like)


__all__ = ["Contacts", "CudaError", "DeviceArray", "devices"]
