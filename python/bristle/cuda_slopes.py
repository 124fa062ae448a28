"""One step of many contacts with all derivatives on a GPU, for bristle.torch: nothing leaves the device but the
parameters, whose rules are looked at on the processor once for each of their versions."""

from __future__ import annotations

from functools import cache
from importlib import import_module
from typing import Any

import numpy as np

from . import _cuda, arrays
from ._library import ffi, lib
from .errors import ParameterError, raise_status
from .law import Law


@cache
def on_device() -> bool:
    """Is libbristle-cuda there? If not, the processor computes, and tensors are copied to it and back."""
    try:
        _cuda.library()
    except _cuda.CudaError:
        return False
    return True


def _check_rules(law: Law, p: Any) -> None:
    """Parameters of any shape (nparam, ...), against the rules of the law."""
    seen = (law.name, p._version)
    if getattr(p, "_bristle_checked", None) == seen:
        return
    values = np.ascontiguousarray(p.detach().double().cpu().numpy().reshape(p.shape[0], -1))
    each, error = ffi.new("bristle_each *"), ffi.new("bristle_error *")
    memory = arrays.pointer(values)
    each.count, each.per_contact, each.p = values.shape[1], 1, memory
    place = lib.bristle_each_check(law._law.f64, each, error)
    if place < values.shape[1]:
        try:
            raise_status(error.status, error)
        except ParameterError as failed:
            raise ParameterError(f"contact {place}: {failed}") from None
    p._bristle_checked = seen


def _rows(torch: Any, a: Any, shape: tuple[int, ...], count: int) -> Any:
    padded = a.reshape((a.shape[0],) + (1,) * (len(shape) - a.ndim + 1) + tuple(a.shape[1:]))
    return torch.broadcast_to(padded, (a.shape[0], *shape)).reshape(a.shape[0], count).contiguous()


def step(law: Law, shape: tuple[int, ...], h: float, *inputs: Any) -> tuple[Any, ...]:
    """Force, state and end velocity of `shape`; then the derivatives d_force, d_state and d_velocity, whose directions
    are v, x, n, the states, the parameters and, last, w."""
    torch = import_module("torch")
    _check_rules(law, inputs[5])
    place, count = inputs[0].device, int(np.prod(shape, dtype=np.int64))
    if not count:
        raise ParameterError("there are no contacts: an input is empty")
    v, x, n, w, s, p = (a.detach().to(device=place, dtype=torch.float64) for a in inputs)
    v, x, n, w = (torch.broadcast_to(a, shape).reshape(count).contiguous() for a in (v, x, n, w))
    shared = p.ndim == 1
    p = p.contiguous() if shared else _rows(torch, p, shape, count)
    before, directions = _rows(torch, s, shape, count), 3 + law.nstate + law.table.nparam
    state, force, velocity = before.clone(), torch.empty_like(v), torch.empty_like(v)
    d_force = v.new_empty((directions + 1, count))
    d_state = v.new_empty((law.nstate, directions + 1, count))
    raw = v.new_empty((law.nstate, directions, count))
    batch = ffi.new("bristle_batch *")
    batch.count, batch.per_contact, batch.load, batch.h = count, int(not shared), law._load, h
    named = {"p": p, "s": state, "v": v, "x": x, "n": n, "w": w, "f": force, "v_end": velocity}
    for name, tensor in named.items():
        setattr(batch, name, _address(tensor))
    device = place.index or 0
    library, own = _cuda.library(), _cuda.find_law(law.name)
    stream = ffi.cast("void *", _cuda.stream_number(None, v, device))
    with _cuda.using(device):
        _cuda.check(library.bristle_cuda_step_n(own, library.BRISTLE_CUDA_EXACT, batch, stream), law.name)
        made = library.bristle_cuda_slopes_n(own, batch, _address(before), _address(d_force), _address(raw), stream)
        _cuda.check(made, f"{law.name}: derivatives")
    # the result depends on v and w through the end velocity u = v - w F alone, hence d/dw = -F d/dv
    d_force[directions] = -force * d_force[0]
    d_state[:, :directions] = raw
    d_state[:, directions] = -force * raw[:, 0]
    d_velocity = -w * d_force
    d_velocity[0] += 1.0
    d_velocity[directions] -= force
    rows = directions + 1
    values = (force.reshape(shape), state.reshape(-1, *shape), velocity.reshape(shape))
    return (*values, d_force.reshape(rows, *shape), d_state.reshape(-1, rows, *shape), d_velocity.reshape(rows, *shape))


def _address(tensor: Any) -> Any:
    return ffi.cast("double *", tensor.data_ptr())
