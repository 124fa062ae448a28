"""Friction in joints: geometry and reactions become load, slip and lever; any law does the rest."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import ffi, lib, text
from .arrays import Array
from .errors import ParameterError, ShapeError, raise_status, unknown
from .law import Law
from .vector import VectorLaw

KINDS = tuple(text(lib.bristle_joint_kind_text(k)) for k in range(lib.bristle_joint_kinds()))
LENGTHS = ("pin_radius", "friction_arm", "bending_arm", "reaction_arm", "overlap", "ball_radius")
VALUES = (*LENGTHS, "preload_force", "preload_torque", "mu_s", "stiffness")


class JointFriction(NamedTuple):
    """What the moving body feels, and the motion after a step."""

    force: Array
    torque: Array
    mu: Array
    mu_rot: Array
    slip: Array
    v: float
    omega: Array


class Joint:
    """A joint with friction: `Joint("revolute", law, pin_radius=0.01, friction_arm=0.012, bending_arm=0.05)`.

    The law is per unit load (`to_load("coefficient", n)`): a scalar law, for cylindrical joints a vector law of 2, for
    spherical joints of 3 components. Everything is in the joint's frame, whose z is its axis.
    """

    def __init__(
        self,
        kind: str,
        law: Law | VectorLaw,
        *,
        combine: str = "sum",
        cross_axis: Sequence[float] | None = None,
        **values: float,
    ) -> None:
        if kind not in KINDS:
            raise unknown("there is no joint", kind, KINDS)
        self.kind, self.law = kind, law
        self._joint = ffi.new("bristle_joint *")
        lib.bristle_joint_init(self._joint, KINDS.index(kind))
        dim = int(lib.bristle_joint_dim(KINDS.index(kind)))
        if (dim == 1) != isinstance(law, Law) or (dim > 1 and getattr(law, "dim", 0) != dim):
            raise ParameterError(
                f"{kind}: expected a {'scalar law' if dim == 1 else f'vector law of {dim} components'}"
            )
        if law.load != "coefficient":
            raise ParameterError(f"{kind}: the law must be per unit load; write law.to_load('coefficient', n)")
        self._joint.contact = law._contact()[0]
        if combine not in ("sum", "max"):
            raise unknown("combine takes no", combine, ("sum", "max"))
        self._joint.combine = int(combine == "max")
        if cross_axis is not None:
            self._joint.cross_axis = list(map(float, cross_axis))
        for name, value in values.items():
            if name not in VALUES:
                raise unknown(f"{kind} has no", name, VALUES)
            setattr(self._joint, name, float(value))
        error = ffi.new("bristle_error *")
        raise_status(lib.bristle_joint_check(self._joint, error), error)
        self._room = np.zeros(law.nstate + 1)
        self.state: Array = self._room[: law.nstate]

    def _inputs(
        self, force: ArrayLike, moment: ArrayLike, v: float, omega: ArrayLike, h: float, w: float, w_rot: ArrayLike
    ) -> tuple[Any, Any]:
        loads, motion = ffi.new("bristle_joint_loads *"), ffi.new("bristle_joint_motion *")
        loads.force, loads.moment = _three(force, "force"), _three(moment, "moment")
        motion.v, motion.omega, motion.h, motion.w = float(v), _three(omega, "omega"), float(h), float(w)
        matrix = arrays.as_array(w_rot, "w_rot").astype(float)
        motion.w_rot = (matrix * np.eye(3) if matrix.ndim == 0 else matrix.reshape(3, 3)).tolist()
        error = ffi.new("bristle_error *")
        raise_status(lib.bristle_joint_check_state(self._joint, loads, motion, int(h > 0), error), error)
        return loads, motion

    def eval(
        self, *, force: ArrayLike = 0.0, moment: ArrayLike = 0.0, v: float = 0.0, omega: ArrayLike = 0.0
    ) -> JointFriction:
        """Friction at an instant under the reactions force and moment, sliding with v and turning with omega."""
        loads, motion = self._inputs(force, moment, v, omega, 0.0, 0.0, 0.0)
        out, rate = ffi.new("bristle_joint_friction *"), np.empty_like(self._room)
        lib.bristle_joint_eval(self._joint, arrays.pointer(self._room), loads, motion, out, arrays.pointer(rate))
        return _friction(out)

    def step(
        self,
        h: float,
        *,
        force: ArrayLike = 0.0,
        moment: ArrayLike = 0.0,
        v: float = 0.0,
        omega: ArrayLike = 0.0,
        w: float = 0.0,
        w_rot: ArrayLike = 0.0,
    ) -> JointFriction:
        """One step, friction and end velocities solved together; `state` advances."""
        loads, motion = self._inputs(force, moment, v, omega, arrays.step_length(h), w, w_rot)
        out = ffi.new("bristle_joint_friction *")
        lib.bristle_joint_step(self._joint, arrays.pointer(self._room), loads, motion, out)
        return _friction(out)

    def __repr__(self) -> str:
        return f"<{text(lib.bristle_joint_kind_text(KINDS.index(self.kind)))} joint with {self.law!r}>"


def _three(value: ArrayLike, what: str) -> list[float]:
    array = arrays.as_array(value, what).astype(float)
    if array.ndim == 0 and array == 0:
        return [0.0, 0.0, 0.0]
    if array.shape != (3,):
        raise ShapeError(f"{what}: expected three components, got shape {array.shape}")
    return [float(a) for a in array]


def _friction(out: Any) -> JointFriction:
    force, torque, mu, mu_rot, slip = (
        np.array(list(getattr(out, name))) for name in ("force", "torque", "mu", "mu_rot", "slip")
    )
    return JointFriction(force, torque, mu, mu_rot, slip, float(out.v_end), np.array(list(out.omega_end)))
