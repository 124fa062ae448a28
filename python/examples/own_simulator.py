"""Friction in my own simulator: a NumPy pendulum that comes to rest and stays there, at any step."""

# %% The pendulum steps itself; friction enters where it belongs: in the step, solved together with the velocity.
import numpy as np

import bristle

inertia, gravity = 0.05, 1.2  # kg m^2, N m: the torque of gravity is gravity*sin(q)
law = bristle.lugre(sigma0="200 N*m/rad", sigma1=0.4, sigma2=0.01, fc="0.1 N*m", fs="0.14 N*m", vs="0.02 rad/s")


def swing(h: float, end: float = 20.0) -> tuple[np.ndarray, np.ndarray]:
    joint, q, v = law.contact(), 1.0, 0.0
    angles = [q]
    for _ in range(round(end / h)):
        free = v + h / inertia * (-gravity * np.sin(q))
        joint.step(free, h, w=h / inertia)
        v = joint.velocity
        q += h * v
        angles.append(q)
    return np.arange(len(angles)) * h, np.array(angles)


# %% It comes to rest, and rest means rest: no creep, whatever the step.
for h in (1e-4, 1e-3, 5e-3):
    t, q = swing(h)
    drift = abs(q[-1] - q[t >= 15][0])
    print(f"h {h:6.4f} s: rests at {q[-1]:+.4f} rad, moves by {drift:.1e} rad in the last 5 s")
    assert drift < 1e-6

# %% Many joints that feel each other are a network: u = v - W F(u).
arm = bristle.Network([law, law, law])
mass = np.array([[0.3, 0.1, 0.02], [0.1, 0.2, 0.05], [0.02, 0.05, 0.1]])
step = arm.step(v=[0.5, -0.2, 0.1], w=1e-3 * np.linalg.inv(mass), h=1e-3)
print("torques:", step.force, "end velocities:", step.velocity, "converged:", step.converged)
assert step.converged
