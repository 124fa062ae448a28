"""From my log to a model: a table of time, position and drive force becomes a law with parameters and deviations."""

# %% A machine axis of 20 kg that nobody knows: the log has a position sensor and the drive force.
import tempfile
from pathlib import Path

import numpy as np
import pandas as pd

import bristle

rng = np.random.default_rng(3)
h, mass = 1e-3, 20.0
t = np.arange(0, 12, h)
speed = 0.12 * np.sin(2 * np.pi * 0.35 * t) * np.sin(2 * np.pi * 0.05 * t) + 0.02 * np.sign(np.sin(2 * np.pi * 0.2 * t))
velocity = np.convolve(speed, np.hanning(200) / np.hanning(200).sum(), "same")
position = np.cumsum(velocity) * h
truth = bristle.stribeck(fc=14, fs=19, vs="8 mm/s", sigma2=120)
force = mass * np.gradient(velocity, h) + truth.steady(velocity) + rng.normal(0, 0.3, t.size)
log = pd.DataFrame({"t": t, "position_m": position + rng.normal(0, 2e-7, t.size), "force_N": force})

# %% Mass, offset and friction are taken apart; laws are ranked by pieces of the record that they have not seen.
fit = bristle.identify(log, mass="free", laws=["coulomb", "stribeck", "lugre"])
print(fit.ranking[["variant", "rms", "held_out_rms"]])
print(fit)

# %% Numbers are objects.
found = fit["stribeck"]
print("mass:", found["mass"], "   fc:", found["fc"], "   truth: 20 kg, 14 N")
assert abs(float(found["mass"]) - 20) < 0.5 and abs(float(found["fc"]) - 14) < 1.0

# %% The model is a file that every other tool of Bristle reads.
with tempfile.TemporaryDirectory() as folder:
    path = Path(folder, "axis.yaml")
    fit.model.save(path)
    law = bristle.load(path)
print(law)

# %% Sample by sample; the noise here is that of the force and of the position, differentiated twice and times the mass.
print("measured less predicted:", round(float(np.std(fit.residuals)), 2), "N")
