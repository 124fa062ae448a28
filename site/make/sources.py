"""Where a question of the FAQ comes from: `(mujoco 3328, 3349; bepuphysics2 167)` at the end of an answer becomes links to the threads."""

from __future__ import annotations

import re

PLACES = {
    "CompliantJointToolbox": "geez0x1/CompliantJointToolbox",
    "FMPy": "CATIA-Systems/FMPy",
    "FloBaRoID": "kjyv/FloBaRoID",
    "FrankaEmikaPandaDynModel": "marcocognetti/FrankaEmikaPandaDynModel",
    "Genesis": "Genesis-Embodied-AI/Genesis",
    "IsaacLab": "isaac-sim/IsaacLab",
    "IsaacSim": "isaac-sim/IsaacSim",
    "ModelicaStandardLibrary": "modelica/ModelicaStandardLibrary",
    "OpenModelica": "OpenModelica/OpenModelica",
    "PhysX": "NVIDIA-Omniverse/PhysX",
    "RigidBodyDynamics.jl": "JuliaRobotics/RigidBodyDynamics.jl",
    "WEC-Sim": "WEC-Sim/WEC-Sim",
    "bam": "Rhoban/bam",
    "bepuphysics2": "bepu/bepuphysics2",
    "bioptim": "pyomeca/bioptim",
    "casadi": "casadi/casadi",
    "dart": "dartsim/dart",
    "drake": "RobotLocomotion/drake",
    "dynamic_calibration": "shamilmamedov/dynamic_calibration",
    "franka_ros": "frankaemika/franka_ros",
    "gazebo-classic": "gazebosim/gazebo-classic",
    "gz-physics": "gazebosim/gz-physics",
    "icub-models": "robotology/icub-models",
    "mjlab": "mujocolab/mjlab",
    "mujoco": "google-deepmind/mujoco",
    "mujoco_menagerie": "google-deepmind/mujoco_menagerie",
    "mujoco-usd-converter": "newton-physics/mujoco-usd-converter",
    "newton": "newton-physics/newton",
    "newton-usd-schemas": "newton-physics/newton-usd-schemas",
    "onshape-to-robot": "Rhoban/onshape-to-robot",
    "raisimLib": "raisimTech/raisimLib",
    "robotics-toolbox-matlab": "petercorke/robotics-toolbox-matlab",
    "simbody": "simbody/simbody",
    "toppra": "hungpham2511/toppra",
    "unitree_legged_sdk": "unitreerobotics/unitree_legged_sdk",
    "webots": "cyberbotics/webots",
}
_NUMBERS = r"\d+(?:(?:, | and )\d+)*"
_LINE = re.compile(rf"\(((?:[A-Za-z][\w.-]* {_NUMBERS}(?:[;,] )?)+)\)$", re.M)
_ENTRY = re.compile(rf"([A-Za-z][\w.-]*) ({_NUMBERS})")


def _entry(found: re.Match[str]) -> str:
    place = PLACES.get(found.group(1))
    if not place:
        return found.group(0)
    numbers = re.sub(r"\d+", lambda n: f"[{n.group(0)}](https://github.com/{place}/issues/{n.group(0)})", found.group(2))
    return f"{found.group(1)} {numbers}"


def linked(text: str) -> str:
    """The text with links at the sources whose place is known; GitHub leads an issue's address to a pull request where it is one."""
    return _LINE.sub(lambda line: "Asked in: " + _ENTRY.sub(_entry, line.group(1)), text)
