"""Friction learnt by gradient descent: an arm of two joints, 1000 coupled steps, derivatives through all of them.

Needs JAX and SciPy. A gradient through 1000 steps costs a few simulations; differences cost one for each parameter.
"""

# %% The arm: two joints with inertias that do not depend on the angles, driven by known torques.
import time
from typing import Any

import jax
import jax.numpy as jnp
import numpy as np
from scipy.optimize import least_squares

import bristle
import bristle.jax

settings: Any = jax.config  # which has no types
settings.update("jax_enable_x64", True)
law = bristle.lugre(sigma0=500, sigma1=2, sigma2=0.05, fc=1, fs=1.4, vs=0.05)
names = [row.name for row in law.table.parameters]
learnt = [names.index(name) for name in ("fc", "sigma2")]
h, steps = 2e-3, 1000
w = jnp.array([h / 0.2, h / 0.1])
torque = jnp.stack([3.0 * jnp.sin(2 * jnp.pi * jnp.arange(steps) * h * f) for f in (0.8, 1.3)], axis=1)


def motion(theta: Any) -> Any:
    """Velocities of both joints for fc and sigma2 of each, given as logarithms (2, joints)."""
    p = jnp.broadcast_to(jnp.asarray(law.values)[:, None], (len(names), 2))
    for row, index in enumerate(learnt):
        p = p.at[index].set(jnp.exp(theta[row]))

    def advance(carry: Any, drive: Any) -> Any:
        v, s = carry
        _, s, v = bristle.jax.step(law, v + w * drive, s, h, p=p, w=w)
        return (v, s), v

    start = (jnp.zeros(2), jnp.asarray(law.state(2)))
    return jax.lax.scan(advance, start, torque)[1]


# %% What was measured, and what a guess misses it by.
truth = jnp.log(jnp.array([[0.7, 1.1], [0.10, 0.03]]))
measured = motion(truth)


def miss(theta: Any) -> Any:
    return (motion(theta.reshape(2, 2)) - measured).ravel()


# %% Descent along exact derivatives, and along differences: the same method, the same place.
exact = jax.jit(jax.jacfwd(miss))  # all four derivatives in one simulation
plain = jax.jit(miss)
guess = jnp.log(jnp.array([1.0, 1.0, 0.05, 0.05]))
exact(guess), plain(guess)  # compiled before the clock runs


def descend(differences: bool) -> tuple[Any, int, float]:
    """Where it ends, the simulations it took, and the seconds."""
    count = 0

    def call(theta: Any) -> Any:
        nonlocal count
        count += 1
        return np.asarray(plain(theta))

    def slopes(theta: Any) -> Any:
        nonlocal count
        count += 1
        return np.asarray(exact(theta))

    begin = time.perf_counter()
    made = least_squares(call, np.asarray(guess), jac="2-point" if differences else slopes, method="trf", xtol=1e-6)
    return np.exp(made.x.reshape(2, 2)), count, time.perf_counter() - begin


for way in (False, True):
    found, calls, seconds = descend(way)
    kind = "differences" if way else "exact"
    print(f"{kind:11}: {calls:3d} simulations, {seconds:5.1f} s, found {found.round(4).tolist()}")
    assert np.allclose(found, np.exp(np.asarray(truth)), rtol=1e-3)

# %% A gradient through all steps by reverse mode, beside differences.
place, e = jnp.log(jnp.array([0.9, 0.9, 0.07, 0.07])), 1e-6
slope = np.asarray(jax.grad(lambda theta: jnp.mean(miss(theta) ** 2))(place))
moved = [float(jnp.mean(plain(place.at[k].add(e)) ** 2) - jnp.mean(plain(place.at[k].add(-e)) ** 2)) for k in range(4)]
moved = [change / (2 * e) for change in moved]
print(f"largest disagreement of the gradients: {np.max(np.abs(slope - moved)) / np.max(np.abs(slope)):.1e}")
assert np.allclose(slope, moved, rtol=1e-3, atol=1e-6)
