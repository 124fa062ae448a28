"""Friction for PyTorch: steps with exact derivatives by velocity, position, load, compliance, state, parameter."""

from __future__ import annotations

from importlib import import_module
from typing import Any

import numpy as np

from . import slopes
from .arrays import step_length
from .law import Law

try:
    torch: Any = import_module("torch")
except ImportError:
    raise ImportError("bristle.torch needs PyTorch: pip install 'bristle[torch]'") from None


def parameters(law: Law) -> Any:
    """The law's parameters as a tensor, to be changed and handed to `step`."""
    return torch.tensor(law.values, dtype=torch.float64)


class _Step(torch.autograd.Function):  # type: ignore[misc]
    @staticmethod
    def forward(ctx: Any, law: Law, h: float, *inputs: Any) -> tuple[Any, Any, Any]:
        if inputs[0].is_cuda:
            from .cuda_slopes import on_device

            if on_device():
                return _Step._forward_there(ctx, law, h, *inputs)
        v, x, n, w, s, p = (a.detach().cpu().numpy().astype(np.float64) for a in inputs)
        shape = slopes.shapes(law, v.shape, x.shape, n.shape, w.shape, s.shape, p.shape)
        made = slopes.flat(law, shape, v, x, n, w, s, p, h)
        kind = {"dtype": inputs[0].dtype, "device": inputs[0].device}
        rows = made.d_force.shape[0]
        parts = (
            made.d_force.reshape(rows, *shape),
            made.d_state.reshape(-1, rows, *shape),
            made.d_velocity.reshape(rows, *shape),
        )
        ctx.save_for_backward(*(torch.as_tensor(a, **kind) for a in parts))
        ctx.sizes = (shape, [tuple(a.shape) for a in inputs], law.nstate)
        outputs = (made.force.reshape(shape), made.state.reshape(-1, *shape), made.velocity.reshape(shape))
        force, state, velocity = (torch.as_tensor(a, **kind) for a in outputs)
        return force, state, velocity

    @staticmethod
    def _forward_there(ctx: Any, law: Law, h: float, *inputs: Any) -> tuple[Any, Any, Any]:
        from . import cuda_slopes

        shape = slopes.shapes(law, *(tuple(a.shape) for a in inputs))
        made = cuda_slopes.step(law, shape, h, *inputs)
        kind = inputs[0].dtype
        ctx.save_for_backward(*(a.to(kind) for a in made[3:]))
        ctx.sizes = (shape, [tuple(a.shape) for a in inputs], law.nstate)
        force, state, velocity = (a.to(kind) for a in made[:3])
        return force, state, velocity

    @staticmethod
    def backward(ctx: Any, by_force: Any, by_state: Any, by_velocity: Any) -> tuple[Any, ...]:
        if torch.is_grad_enabled():  # create_graph=True: what is saved has no history and would count as constant
            raise NotImplementedError(
                "bristle.torch has first derivatives only, and create_graph=True asks for second ones; "
                "take them as differences of first derivatives"
            )
        d_force, d_state, d_velocity = ctx.saved_tensors
        shape, sizes, nstate = ctx.sizes
        moved = d_force * by_force + d_velocity * by_velocity + (d_state * by_state[:, None]).sum(0)
        v, x, n, w = moved[0], moved[1], moved[2], moved[-1]
        s, p = moved[3 : 3 + nstate], moved[3 + nstate : -1]
        parts = [_folded(a, size) for a, size in zip((v, x, n, w), sizes[:4], strict=True)]
        parts += [_folded_rows(a, size, len(shape)) for a, size in zip((s, p), sizes[4:], strict=True)]
        return (None, None, *parts)


def _folded(grad: Any, size: tuple[int, ...]) -> Any:
    """The sum over what was broadcast."""
    return grad.sum_to_size(size) if grad.shape != size else grad


def _folded_rows(grad: Any, size: tuple[int, ...], dims: int) -> Any:
    padded = (size[0],) + (1,) * (dims - len(size) + 1) + size[1:]
    return grad.sum_to_size(padded).reshape(size)


def step(
    law: Law, v: Any, s: Any, h: float, *, p: Any = None, w: Any = 0.0, n: Any = 1.0, x: Any = 0.0
) -> tuple[Any, Any, Any]:
    """Makes one step and gives the force, the new state and the end velocity.

    s is (nstate, ...), p (nparam,) or (nparam, ...); h is a constant.
    """
    values = parameters(law) if p is None else p
    if isinstance(v, torch.Tensor) and v.is_cuda and isinstance(values, torch.Tensor):
        values = values.to(v.device)
    given = [v, x, n, w, s, values]
    kind = v.dtype if isinstance(v, torch.Tensor) else torch.float64
    place = v.device if isinstance(v, torch.Tensor) else None
    inputs = [
        a if isinstance(a, torch.Tensor) else torch.as_tensor(np.asarray(a, float), dtype=kind, device=place)
        for a in given
    ]
    if not (torch.is_grad_enabled() and any(a.requires_grad for a in inputs)):
        return _forward(law, step_length(h), *inputs)
    made: tuple[Any, Any, Any] = _Step.apply(law, step_length(h), *inputs)
    return made


def _forward(law: Law, h: float, *inputs: Any) -> tuple[Any, Any, Any]:
    """The same without derivatives, which cost most of the time."""
    if inputs[0].is_cuda:
        from .cuda_slopes import on_device

        if on_device():
            made: tuple[Any, Any, Any] = _Step.apply(law, h, *inputs)
            return made
    v, x, n, w, s, p = (a.detach().cpu().numpy().astype(np.float64) for a in inputs)
    shape = slopes.shapes(law, v.shape, x.shape, n.shape, w.shape, s.shape, p.shape)
    kind = {"dtype": inputs[0].dtype, "device": inputs[0].device}
    force, state, velocity = slopes.forward(law, shape, v, x, n, w, s, p, h)
    return torch.as_tensor(force, **kind), torch.as_tensor(state, **kind), torch.as_tensor(velocity, **kind)


class Contacts:
    """Contacts that keep their state; `p` may be a tensor that wants gradients."""

    def __init__(self, law: Law, count: int, p: Any = None) -> None:
        self.law, self.p = law, parameters(law) if p is None else p
        self.state = torch.tensor(law.state(count), dtype=torch.float64, device=self.p.device)

    def step(self, v: Any, h: float, *, w: Any = 0.0, n: Any = 1.0, x: Any = 0.0) -> tuple[Any, Any]:
        """Makes one step of all contacts and gives their forces and end velocities."""
        force, self.state, velocity = step(self.law, v, self.state, h, p=self.p, w=w, n=n, x=x)
        return force, velocity
