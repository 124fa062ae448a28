"""Steps of MuJoCo with friction of joints, where the plugin cannot be used. The same solve, in NumPy.

The integrator ends at u = qvel + h A^-1 (smooth + constraint forces); A is the inertia M, or M with damping taken
implicitly. Constraints answer a force in the metric of M, so that friction takes W F from u with
W = h A^-1 M (M + J'DJ)^-1.
"""

from __future__ import annotations

import ctypes
import os
from collections.abc import Mapping
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ..arrays import Array
from ..errors import BristleError, ParameterError, UnknownNameError, nearest
from ..files import load as load_model
from ..law import Law
from ..network import Network
from .compiled import engine

ROUNDS, SETTLED = 12, 1e-9


class Frictions:
    """The laws of a model's joints, by name, and their states: hinge and slide joints, `{"elbow": bristle.lugre(...)}`
    or `{"elbow": "elbow.yaml"}`. `loads` are normal loads by name, for laws that follow one.

    One object belongs to one mjData: `reset` it when the data are reset, `copy` it with them. `force` are the friction
    forces of the last step, in the order of `names`."""

    def __init__(
        self,
        model: Any,
        frictions: Mapping[str, Law | str | os.PathLike[str]],
        loads: Mapping[str, float] | None = None,
    ) -> None:
        if not frictions:
            raise ParameterError('no friction: name joints and their laws, {"elbow": bristle.lugre(...)}')
        self.names = list(frictions)
        self.laws = [_law(law) for law in frictions.values()]
        joints = [_joint(model, name) for name in self.names]
        for name, joint, law in zip(self.names, joints, self.laws, strict=True):
            self._check(model, name, joint, law)
        self.dof = np.array([model.jnt_dofadr[joint] for joint in joints])
        self.qpos = np.array([model.jnt_qposadr[joint] for joint in joints])
        self.loads = np.array([float((loads or {}).get(name, 1.0)) for name in self.names])
        self.force = np.zeros(len(self.names))
        self.network = Network(self.laws)
        self._rest: list[Array | None] = [None] * len(self.laws)

    @staticmethod
    def _check(model: Any, name: str, joint: int, law: Law) -> None:
        hinge = int(model.jnt_type[joint]) == int(engine().mjtJoint.mjJNT_HINGE)
        if law._rotary and not hinge:
            raise ParameterError(f"joint '{name}' slides, and its law is that of a torque")

    @property
    def state(self) -> Array:
        """All states after each other, to keep and to put back: `frictions.state[:] = kept`."""
        return self.network._block[:-1]

    def reset(self) -> None:
        """As at the beginning."""
        self.network.reset()
        self.force[:] = 0.0

    def copy(self, model: Any) -> Frictions:
        """Another one with the same laws and states."""
        other = Frictions(model, dict(zip(self.names, self.laws, strict=True)))
        other.loads[:], other.force[:] = self.loads, self.force
        other.state[:] = self.state
        return other


def _law(law: Any) -> Law:
    if isinstance(law, Law):
        return law
    if isinstance(law, (str, os.PathLike)):
        return load_model(law)
    raise ParameterError(f"expected a law or the name of a model file, got {law!r}")


def _joint(model: Any, name: str) -> int:
    mujoco = engine()
    joint = int(mujoco.mj_name2id(model, mujoco.mjtObj.mjOBJ_JOINT, name))
    if joint < 0:
        known = [mujoco.mj_id2name(model, mujoco.mjtObj.mjOBJ_JOINT, i) or "" for i in range(model.njnt)]
        raise UnknownNameError(f"there is no joint '{name}'{nearest(name, known)}")
    if int(model.jnt_type[joint]) not in (int(mujoco.mjtJoint.mjJNT_HINGE), int(mujoco.mjtJoint.mjJNT_SLIDE)):
        raise ParameterError(
            f"joint '{name}' is a ball or free joint; friction of this kind is for hinge and slide joints"
        )
    return joint


def _refuse(model: Any) -> None:
    mujoco = engine()
    wanted = (mujoco.mjtIntegrator.mjINT_EULER, mujoco.mjtIntegrator.mjINT_IMPLICITFAST)
    if model.opt.integrator not in [int(kind) for kind in wanted]:
        kind = mujoco.mjtIntegrator(model.opt.integrator).name.removeprefix("mjINT_")
        raise BristleError(f"integrator {kind} cannot be coupled with friction: use implicitfast or Euler")
    if model.nflex:
        raise BristleError("flexible bodies (flex) are solved with a matrix of their own, which is not known here")
    if model.opt.enableflags & int(mujoco.mjtEnableBit.mjENBL_SLEEP):
        raise BristleError("flag sleep puts joints to sleep without their friction: disable it")
    if model.opt.integrator == int(wanted[0]) and (np.any(model.dof_dampingpoly) or np.any(model.jnt_actuatorid != -1)):
        raise BristleError(
            "with integrator Euler, damping that is polynomial or belongs to an actuator: use implicitfast"
        )


@cache
def _library() -> Any:
    """For one function that MuJoCo exports, but has in no header."""
    home = Path(engine().__file__).parent
    library = ctypes.CDLL(str(sorted(home.glob("libmujoco.so.*"))[-1]))
    library.mjd_smooth_vel.argtypes = (ctypes.c_void_p, ctypes.c_void_p, ctypes.c_int)
    return library


def _metric(model: Any, data: Any, inertia: Array) -> Array:
    """A, the matrix of the integrator."""
    mujoco, h = engine(), float(model.opt.timestep)
    flags = mujoco.mjtDisableBit
    if model.opt.integrator == int(mujoco.mjtIntegrator.mjINT_EULER):
        off = int(flags.mjDSBL_DAMPER) | int(flags.mjDSBL_EULERDAMP)
        return inertia if model.opt.disableflags & off else inertia + h * np.diag(model.dof_damping)
    _library().mjd_smooth_vel(model._address, data._address, 0)
    slopes = np.zeros((model.nv, model.nv))
    for i in range(model.nv):
        place = slice(model.D_rowadr[i], model.D_rowadr[i] + model.D_rownnz[i])
        slopes[i, model.D_colind[place]] = data.qDeriv[place]
    lower = np.tril(slopes)  # the engine takes this half
    return inertia - h * (lower + np.tril(slopes, -1).T)


def _jacobian(model: Any, data: Any) -> Array:
    if not engine().mj_isSparse(model):
        return np.array(data.efc_J, np.float64).reshape(data.nefc, model.nv)
    full = np.zeros((data.nefc, model.nv))
    for i in range(data.nefc):
        place = slice(data.efc_J_rowadr[i], data.efc_J_rowadr[i] + data.efc_J_rownnz[i])
        full[i, data.efc_J_colind[place]] = data.efc_J[place]
    return full


def _find_active(model: Any, data: Any) -> None:
    """Which constraints are active, and how contacts on their cones answer: islands keep that to themselves, and only
    one of the engine's solvers leaves the second."""
    if data.nefc:
        gap = np.zeros(data.nefc)
        engine().mj_mulJacVec(model, data, gap, data.qacc)
        engine().mj_constraintUpdate(model, data, gap - data.efc_aref, None, 1)


def _stiffness(model: Any, data: Any) -> Array:
    """J'DJ of the constraints that are active."""
    mujoco, total = engine(), np.zeros((model.nv, model.nv))
    if not data.nefc:
        return total
    state, rows = np.array(data.efc_state), _jacobian(model, data)
    quadratic = state == int(mujoco.mjtConstraintState.mjCNSTRSTATE_QUADRATIC)
    total += rows[quadratic].T @ (data.efc_D[quadratic, None] * rows[quadratic])
    for contact in data.contact:
        first, dim = int(contact.efc_address), int(contact.dim)
        if first >= 0 and state[first] == int(mujoco.mjtConstraintState.mjCNSTRSTATE_CONE):
            block = rows[first : first + dim]
            total += block.T @ np.array(contact.H).ravel()[: dim * dim].reshape(dim, dim) @ block
    return total


def _forces(model: Any, data: Any, frictions: Frictions, applied: Array) -> Array:
    """Solves for the forces of friction, and leaves the constraint solver where its own solve will end. Returns the
    velocities that the joints would have without friction."""
    mujoco, h, dof = engine(), float(model.opt.timestep), frictions.dof
    inertia = np.zeros((model.nv, model.nv))
    mujoco.mj_fullM(model, data, inertia)
    metric, kept = _metric(model, data, inertia), frictions.state.copy()
    force = _present(model, data, frictions, inertia) if data.nefc else np.zeros(len(dof))
    for _ in range(ROUNDS):
        data.qfrc_applied[:] = applied
        data.qfrc_applied[dof] -= force
        mujoco.mj_fwdAcceleration(model, data)
        mujoco.mj_fwdConstraint(model, data)
        _find_active(model, data)
        # the constraint solver stops within its tolerance: one step of Newton's method settles the rest
        answer = np.linalg.inv(inertia + _stiffness(model, data))
        rate = data.qacc + answer @ (data.qfrc_smooth + data.qfrc_constraint - inertia @ data.qacc)
        full = h * np.linalg.solve(metric, inertia @ answer)[np.ix_(dof, dof)]
        w = 0.5 * (full + full.T)
        free = np.asarray(data.qvel[dof] + h * np.linalg.solve(metric, inertia @ rate)[dof] + w @ force)
        if not np.all(np.isfinite(free)):  # the engine tells of it itself
            frictions.force[:] = 0.0
            return free
        frictions.state[:] = kept
        places = data.qpos[frictions.qpos]
        solved = frictions.network.step(free, w, h, n=frictions.loads, x=places, u=data.qvel[dof])
        change, force = solved.force - force, solved.force
        if not data.nefc or np.abs(change).max() <= SETTLED * np.abs(force).max():
            break
    if data.nefc:
        data.qacc_warmstart[:] = rate - answer[:, dof] @ change
    frictions.force[:] = force
    rest = solved.velocity == 0
    frictions._rest = [state.copy() if rest[i] else None for i, state in enumerate(frictions.network.state)]
    frictions.state[:] = kept
    return free


def _present(model: Any, data: Any, frictions: Frictions, inertia: Array) -> Array:
    """Forces to begin with, where there are constraints. A set-valued law at rest has any force between its levels: the
    one that stops the joint within the step, if it can, the constraints answering to that."""
    mujoco, dof, force = engine(), frictions.dof, np.zeros(len(frictions.laws))
    mujoco.mj_fwdAcceleration(model, data)
    rate = np.array(data.qacc_warmstart)
    rate[dof] = -data.qvel[dof] / model.opt.timestep
    gap = np.zeros(data.nefc)
    mujoco.mj_mulJacVec(model, data, gap, rate)
    mujoco.mj_constraintUpdate(model, data, gap - data.efc_aref, None, 0)
    needed = (data.qfrc_smooth + data.qfrc_constraint - inertia @ rate)[dof]
    for i, law in enumerate(frictions.laws):
        given = {"n": frictions.loads[i], "x": data.qpos[frictions.qpos[i]]}
        state = frictions.network.state[i]
        if "set_valued" in law.table.traits and law.eval(0.0, state, f=needed[i], **given) == needed[i]:
            force[i] = needed[i]
        else:
            force[i] = law.eval(data.qvel[dof[i]], state, **given)
    return force


def step(model: Any, data: Any, frictions: Frictions, nstep: int = 1) -> None:
    """`mujoco.mj_step` with friction. Forces of actuators, contacts and `qfrc_applied` are taken into account; `data`
    and `frictions` advance together."""
    mujoco = engine()
    if not isinstance(frictions, Frictions):
        raise ParameterError("expected Frictions(model, {joint: law}) as the third argument")
    _refuse(model)
    for _ in range(nstep):
        places = np.array(data.qpos[frictions.qpos])
        mujoco.mj_step1(model, data)
        applied = np.array(data.qfrc_applied)
        mujoco.mj_fwdActuation(model, data)
        free = _forces(model, data, frictions, applied)
        data.qfrc_applied[:] = applied
        data.qfrc_applied[frictions.dof] -= frictions.force
        mujoco.mj_step2(model, data)
        data.qfrc_applied[:] = applied
        _advance(model, data, frictions, free, places)


def _advance(model: Any, data: Any, frictions: Frictions, free: Array, places: Array) -> None:
    """States follow the motion that the engine made; a joint that is held exactly keeps the state of the solve."""
    for i, law in enumerate(frictions.laws):
        v, state = float(data.qvel[frictions.dof[i]]), frictions.network.state[i]
        held = frictions._rest[i]
        if not np.isfinite(v) or not len(state):
            continue
        if held is not None and abs(v) <= 1e-9 * abs(free[i]) + 1e-300:
            state[:] = held
            continue
        done = law.step(
            v, float(model.opt.timestep), state, n=frictions.loads[i], x=float(places[i]), f=frictions.force[i]
        )
        state[:] = done.state
