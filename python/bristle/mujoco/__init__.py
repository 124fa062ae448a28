"""Friction of joints in MuJoCo: the plugin `bristle.friction`, and steps without it.

    python -m bristle.mujoco build              # once for each version of the mujoco wheel

    import bristle.mujoco, mujoco
    bristle.mujoco.load()
    model = mujoco.MjModel.from_xml_path("arm.xml")

Where plugins cannot be built or loaded: `frictions = Frictions(model, {"elbow": bristle.lugre(...)})` and
`step(model, data, frictions)` instead of `mujoco.mj_step(model, data)`. MJX and MuJoCo Warp
have no plugins: `check(model)` refuses a model whose friction they would leave out.
"""

from __future__ import annotations

from .compiled import build as build
from .compiled import load as load
from .compiled import plugin_path as plugin_path
from .engines import check as check
from .stepping import Frictions as Frictions
from .stepping import step as step
