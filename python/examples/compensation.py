"""Compensation on a servo: friction predicted from a model makes a position loop follow better."""

# %% The plant has a LuGre contact; the controller knows a model of it that is 10 % wrong.
import numpy as np

import bristle

inertia, h = 0.01, 1e-3
plant = bristle.lugre(sigma0=300, sigma1=0.6, sigma2=0.02, fc=0.5, fs=0.7, vs=0.05)
model = plant.with_(fc=0.45, fs=0.63, sigma2=0.018)
t = np.arange(0, 6, h)
target = 0.5 * np.sin(2 * np.pi * 0.3 * t)
wanted = np.gradient(target, h)


def follow(compensated: bool) -> float:
    """The largest error of the last period."""
    joint, shadow, q, v, errors = plant.contact(), model.contact(), 0.0, 0.0, []
    for goal, speed in zip(target, wanted, strict=True):
        torque = 60 * (goal - q) + 1.2 * (speed - v)
        if compensated:
            torque += shadow.step(float(speed), h)  # the friction that the wanted motion would meet
        joint.step(v + h / inertia * torque, h, w=h / inertia)
        v = joint.velocity
        q += h * v
        errors.append(goal - q)
    return float(np.max(np.abs(errors[-3333:])))


# %% Without and with.
plain, better = follow(False), follow(True)
print(f"largest error: {1000 * plain:.2f} mrad without, {1000 * better:.2f} mrad with compensation")
assert better < plain / 3
