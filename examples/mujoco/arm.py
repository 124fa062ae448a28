"""An arm holds its weight by friction, then its hand is pulled until it moves: arm.py [FOLDER of the plugin]

Build the plugin once: python -m bristle.mujoco build
"""

import os
import sys
from pathlib import Path

import bristle.mujoco
import mujoco

bristle.mujoco.load(sys.argv[1] if len(sys.argv) > 1 else None)
os.chdir(Path(__file__).parent)  # model files are looked for where the program runs
model = mujoco.MjModel.from_xml_path("arm.xml")
data = mujoco.MjData(model)
hand = model.body("forearm").id

mujoco.mj_step(model, data, 500)
start = data.qpos.copy()
mujoco.mj_step(model, data, 5000)
print(f"holds: drift of {abs(data.qpos - start).max():.1e} rad in 10 s")

while abs(data.qvel).max() < 0.05 and data.xfrc_applied[hand, 2] > -200:
    data.xfrc_applied[hand, 2] -= 0.05
    mujoco.mj_step(model, data)
print(f"moves when the forearm is pulled down with {-data.xfrc_applied[hand, 2]:.1f} N")
