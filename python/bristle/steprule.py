"""Time steps that follow the friction (Dymore's rules), for any simulator."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import ffi, lib
from .errors import ParameterError, raise_status, unknown
from .law import Law

NAMES = {"coulomb": ("dt_min", "dt_max", "v_min", "T_s"), "lugre": ("dtau_min", "v_min", "alpha", "T_s")}


class StepRule:
    """How long a step may be, as friction asks for it: next(t, speed, host) gives it; `kind` is coulomb or lugre."""

    def __init__(self, law: Law, kind: str | None = None, *, explicit: bool = False, **strategy: float) -> None:
        bends = lib.bristle_param_role(law.table.info, lib.BRISTLE_ROLE_STIFFNESS) != ffi.NULL
        self.kind = kind or ("lugre" if bends else "coulomb")
        if self.kind not in NAMES:
            raise unknown("there is no step rule", self.kind, NAMES)
        self._rule, error = ffi.new("bristle_steprule[1]"), ffi.new("bristle_error *")
        which = lib.BRISTLE_STEPRULE_LUGRE if self.kind == "lugre" else lib.BRISTLE_STEPRULE_COULOMB
        raise_status(lib.bristle_steprule_take(self._rule, which, law.table.info, law._cp, error), error)
        for name, value in strategy.items():
            if name not in NAMES[self.kind]:
                raise unknown(f"the {self.kind} rule has no", name, NAMES[self.kind])
            self._rule[0].c[NAMES[self.kind].index(name)] = float(value)
        self._rule[0].explicit_update = int(explicit)
        raise_status(lib.bristle_steprule_check(self._rule, error), error)
        self._clock = ffi.new("bristle_steprule_clock[1]")

    def length(self, speed: ArrayLike) -> Any:
        """The rule's step at a slip speed, or at each of many."""
        speeds = np.abs(arrays.as_array(speed, "speed").astype(np.float64))
        made = np.array([lib.bristle_steprule_length(self._rule, v) for v in speeds.ravel()])
        return float(made[0]) if speeds.ndim == 0 else made.reshape(speeds.shape)

    @property
    def hold(self) -> float:
        """How long friction keeps control after a small velocity, in s."""
        return float(lib.bristle_steprule_hold(self._rule))

    def next(self, t: float, speed: float, host: float) -> float:
        """The next step at time t, the simulator's own control proposing `host`."""
        if not host > 0:
            raise ParameterError(f"host = {host!r}: the step that the simulator proposes must be above 0")
        speeds = ffi.new("double[1]", [abs(float(speed))])
        return float(lib.bristle_steprule_next(self._rule, self._clock, speeds, 1, float(t), float(host)))
