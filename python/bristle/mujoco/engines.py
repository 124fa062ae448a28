"""Engines that read MuJoCo's models and have no plugins."""

from __future__ import annotations

from typing import Any

from ..errors import BristleError
from .compiled import engine


def check(model: Any) -> None:
    """Refuse a model with friction of a plugin before MJX or MuJoCo Warp takes it: they leave it out without a word.

        bristle.mujoco.check(model)
        moved = mjx.put_model(model)

    Raises BristleError with the joints that would move freely.
    """
    joints = [name for body in range(model.nbody) if model.body_plugin[body] >= 0 for name in _joints(model, body)]
    if joints:
        raise BristleError(
            f"MJX and MuJoCo Warp have no plugins, and would leave out the friction of {', '.join(joints)} without a "
            "word: step this model with mujoco itself, or give its joints the numbers of "
            "law.export('joint.xml', to='mujoco'), which returns what is lost"
        )


def _joints(model: Any, body: int) -> list[str]:
    """The joints that an instance of a plugin names, or else those of its body."""
    kind = engine().mjtObj
    known = {_name(model, kind.mjOBJ_JOINT, joint) for joint in range(model.njnt)}
    first = model.plugin_attradr[model.body_plugin[body]]
    later = [at for at in model.plugin_attradr if at > first]
    for value in bytes(model.plugin_attr[first : min(later, default=model.npluginattr)]).split(b"\0"):
        named = value.decode("utf-8", "replace").split()
        if named and known.issuperset(named):
            return named
    joints = range(model.body_jntadr[body], model.body_jntadr[body] + model.body_jntnum[body])
    return [_name(model, kind.mjOBJ_JOINT, joint) for joint in joints]


def _name(model: Any, kind: Any, at: int) -> str:
    return engine().mj_id2name(model, kind, at) or f"joint {at}"
