"""Relative changes around a place in sliding, as functions for check_grads and gradcheck.

`python python/tests/gradients.py` runs torch's gradcheck on every smooth law, prescribed and coupled. It needs torch
and the package, and nothing else: no pytest.
"""

from __future__ import annotations

import sys
from typing import Any

import numpy as np

import bristle
from bristle.tables import law_names

H = 1e-3
SMOOTH = [n for n in law_names() if {"smooth"} <= (t := bristle.law(n).table.traits) and "set_valued" not in t]


def point(law: bristle.Law, w: float) -> tuple[Any, Any, Any, Any]:
    """A place in sliding, with the bristles bent: v, s, and what parameters and states are moved by."""
    v = np.array([0.013, -0.02])
    s = law.step(v, H).state
    for row in law.table.states:  # shares are somewhere between their ends
        if row.unit == "1":
            s[row.first] = 0.3
    inside = [
        float(row.kind != "option" and row.low < x < row.high and 0 < abs(x) < 1e8)
        for row in law.table.parameters
        for x in row.default
    ]
    small = np.array(inside)
    return v, s, np.full(2, w), small


def force_of(step: Any, law: bristle.Law, w: float, numbers: Any) -> Any:
    """Of numbers of order one: relative changes of v, n, states and parameters."""
    v, s, ws, small = point(law, w)
    scale = np.abs(s) + 1e-6

    def relative(dv: Any, dn: Any, ds: Any, dp: Any, dw: Any) -> Any:
        p = numbers.asarray(law.values) * (1 + numbers.asarray(small) * dp)
        made = step(
            law,
            numbers.asarray(v) * (1 + dv),
            numbers.asarray(s) + numbers.asarray(scale) * ds,
            H,
            p=p,
            w=numbers.asarray(ws) * (1 + dw),
            n=1 + dn,
        )
        force, state, velocity = made
        return force, state / numbers.asarray(scale), velocity * 10

    return relative


class Tensors:
    """NumPy's names for torch."""

    @staticmethod
    def asarray(a: Any) -> Any:
        import torch

        return torch.as_tensor(a, dtype=torch.float64)


def torch_agrees(name: str, w: float) -> bool:
    """Derivatives of a step of the law beside differences."""
    import torch

    import bristle.torch

    law = bristle.law(name)
    call = force_of(bristle.torch.step, law, w, Tensors)
    shapes = ((2,), (2,), (law.nstate, 2), (law.table.nparam,), (2,))
    zeros = [torch.zeros(shape, dtype=torch.float64, requires_grad=True) for shape in shapes]
    return bool(torch.autograd.gradcheck(call, zeros, eps=1e-5, atol=1e-4, rtol=1e-4))


def main() -> int:
    failed = 0
    for name in SMOOTH:
        for w in (0.0, 1e-3):
            try:
                said = "agrees" if torch_agrees(name, w) else "differs"
            except Exception as error:
                said = f"differs: {error}"
            failed += said != "agrees"
            print(f"{name} w={w:g} {said}", flush=True)
    print(f"{2 * len(SMOOTH) - failed} agree, {failed} differ")
    return int(failed > 0)


if __name__ == "__main__":
    sys.exit(main())
