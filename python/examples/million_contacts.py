"""A million contacts, each with its own parameters, stepped where their arrays lie."""

# %% Parameters may differ for each contact; states, forces and velocities are one block of memory.
import time

import numpy as np

import bristle

count, h = 1_000_000, 1e-3
rng = np.random.default_rng(1)
law = bristle.lugre(fs=3)
contacts = law.contacts(count, fc=rng.uniform(0.8, 1.2, count))
velocity = rng.normal(0, 0.01, count)
w = rng.uniform(0.5e-3, 2e-3, count)
print(contacts)

# %% Prescribed motion.
start = time.perf_counter()
force = contacts.step(velocity, h)
print(f"prescribed: {1e9 * (time.perf_counter() - start) / count:.1f} ns for each contact")

# %% Coupled: velocity and friction at the end of the step, together.
start = time.perf_counter()
force = contacts.step(velocity, h, w=w)
print(f"coupled:    {1e9 * (time.perf_counter() - start) / count:.1f} ns for each contact")
assert np.allclose(contacts.velocity, velocity - w * force)

# %% Single precision is half the memory.
single = law.contacts(count, np.float32)
start = time.perf_counter()
single.step(velocity.astype(np.float32), h)
print(f"float32:    {1e9 * (time.perf_counter() - start) / count:.1f} ns for each contact")
print("sliding:", np.count_nonzero(contacts.mode(contacts.velocity) == 2), "of", count)
