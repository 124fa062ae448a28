"""The bits of every law through Python are those of the C library: tests/golden.c with the package."""

from __future__ import annotations

import numpy as np
import pytest
from conftest import ROOT

import bristle
from bristle.tables import law_names

COUNT, STEPS = 257, 40
LINES = (ROOT / "tests/golden/bits.txt").read_text().splitlines()
GOLDEN = {(name, kind): bits for name, kind, bits in map(str.split, LINES)}


def speed(i: np.ndarray) -> np.ndarray:
    r = (i.astype(np.uint64) * 2654435761) & 0xFFFFFFFF
    mantissa = 1 + ((r >> 16) & 1023).astype(float) / 1024
    scale = 2.0 ** -(20 - ((r >> 8) & 15).astype(float))
    return np.where(r & 1, -1.0, 1.0) * mantissa * scale * 16


def fnv(state: int, *parts: np.ndarray) -> int:
    for part in parts:
        for byte in part.tobytes():
            state = ((state ^ byte) * 1099511628211) & 0xFFFFFFFFFFFFFFFF
    return state


def bits(name: str, dtype: type) -> str:
    law, state = bristle.law(name), 14695981039346656037
    i = np.arange(COUNT)
    x = speed(i).astype(dtype) / dtype(1024)
    n, w = (i % 7).astype(dtype) / dtype(4), (1 + i % 5).astype(dtype) / dtype(1024)
    for load in ("force", "coefficient", "level"):
        made = law.with_()
        made._load = ("force", "coefficient", "level").index(load)
        contacts = made.contacts(COUNT, dtype)
        contacts.state[:] = 0
        rate = np.empty_like(contacts.state)
        for step in range(STEPS):
            v = speed(step * COUNT + i).astype(dtype)
            force = contacts.step(v, 1 / 1024, x=x, n=n, w=w if step % 4 == 3 else None)
            state = fnv(state, force, contacts.velocity)
            state = fnv(state, contacts.eval(v, x=x, n=n, rate=rate), rate)
        state = fnv(state, contacts.state)
    return f"{state:016x}"


@pytest.mark.parametrize("name", law_names())
def test_bits_are_those_of_c(name: str, long: bool) -> None:
    if not long and name not in ("coulomb", "lugre", "gms"):
        pytest.skip("long: every law's bits")
    assert bits(name, np.float64) == GOLDEN[name, "f64"]
    assert bits(name, np.float32) == GOLDEN[name, "f32"]


@pytest.mark.parametrize("name", law_names())
def test_broadcast_step_is_the_contacts_step(name: str) -> None:
    law = bristle.law(name)
    i = np.arange(60)
    v, w = speed(i).reshape(3, 20), (1 + i % 5).reshape(3, 20) / 1024
    contacts = law.contacts(60)
    force = contacts.step(v.ravel(), 1e-3, w=w.ravel())
    step = law.step(v, 1e-3, w=w)
    assert np.array_equal(step.force.ravel(), force, equal_nan=True)
    assert np.array_equal(step.velocity.ravel(), contacts.velocity, equal_nan=True)
    assert np.array_equal(step.state.reshape(law.nstate, 60), contacts.state, equal_nan=True)
    one = law.step(float(v[1, 3]), 1e-3, w=float(w[1, 3]))
    assert one.force == step.force[1, 3] and one.velocity == step.velocity[1, 3]
    assert np.array_equal(one.state, step.state[:, 1, 3])
    single = law.contact()
    assert single.step(float(v[1, 3]), 1e-3, float(w[1, 3])) == one.force
