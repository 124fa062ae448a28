#!/usr/bin/env python3
"""What the Python package costs beside the C library: `make bench-python`. CPU time, best of several rounds."""

from __future__ import annotations

import time
from collections.abc import Callable

import numpy as np

import bristle
from bristle._library import ffi

COUNT = 1_000_000


def best(call: Callable[[], object], rounds: int, inner: int = 1) -> float:
    """Seconds of processor time for one call; the least of the rounds."""
    times = []
    for _ in range(rounds):
        start = time.process_time()
        for _ in range(inner):
            call()
        times.append((time.process_time() - start) / inner)
    return min(times)


def batches() -> None:
    law = bristle.lugre()
    rng = np.random.default_rng(1)
    v, w = rng.normal(0, 0.01, COUNT), rng.uniform(5e-4, 2e-3, COUNT)
    for name, compliance, rounds in (("prescribed", None, 90), ("coupled", w, 21)):
        contacts = law.contacts(COUNT)
        batch, model = contacts._batch, contacts._model
        contacts.step(v, 1e-3, w=compliance)
        keep = [ffi.from_buffer("double[]", v), ffi.NULL if compliance is None else ffi.from_buffer("double[]", w)]
        batch.v, batch.w, batch.h, batch.f = keep[0], keep[1], 1e-3, contacts._outputs["f"]
        begin, pairs = contacts.state.copy(), []
        for _ in range(rounds):  # in turn and from the same states, so that both do the same work in the same noise
            contacts.state[:] = begin
            plain = best(lambda: model.step_n(batch), 1)
            contacts.state[:] = begin
            pairs.append((plain, best(lambda: contacts.step(v, 1e-3, w=compliance), 1)))
        c, python = min(a for a, _ in pairs), min(b for _, b in pairs)
        print(f"{name:11} 1e6 contacts: C {1e3 * c:7.2f} ms, Python {1e3 * python:7.2f} ms, ratio {python / c:.3f}")


def scalars() -> None:
    law = bristle.lugre()
    contact, state = law.contact(), law.state()
    calls: dict[str, Callable[[], object]] = {
        "contact.step": lambda: contact.step(0.01, 1e-3),
        "contact.step coupled": lambda: contact.step(0.01, 1e-3, 1e-3),
        "law.eval": lambda: law.eval(0.01),
        "law.step": lambda: law.step(0.01, 1e-3, state),
        "law.steady (any shape)": lambda: law.steady(0.01),
    }
    for name, call in calls.items():
        print(f"{name:24} {1e6 * best(call, 7, 20000):6.2f} us")


if __name__ == "__main__":
    batches()
    scalars()
