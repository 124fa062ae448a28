"""Contacts, networks and vector laws: they stick, they share no memory, threads run side by side."""

from __future__ import annotations

import threading

import numpy as np
import pytest

import bristle


def test_a_pulled_block_sticks_and_slips() -> None:
    contact = bristle.lugre().contact()
    x, v, h, top = 0.0, 0.0, 1e-3, 0.0
    for i in range(20000):
        pull = 2 * (0.1 * h * (i + 1) - x)
        force = contact.step(v + h * pull, h, h)
        v = contact.velocity
        x += h * v
        top = max(top, force)
    assert 1.4 < top <= 1.5 and 1.0 < x < 2.0


def test_arrays_are_read_where_they_are() -> None:
    contacts = bristle.lugre().contacts(1000)
    v = np.full(1000, 0.01)
    assert contacts._take("v", v) is v
    first = contacts.step(v, 1e-3)
    assert first is contacts.force and first.base is contacts._block
    out = np.empty(1000)
    assert contacts.step(v, 1e-3, out=out) is out
    with pytest.raises(bristle.ShapeError, match="shares memory"):
        contacts.step(v, 1e-3, out=v)


def test_parameters_of_each_contact() -> None:
    fc = np.linspace(0.5, 1.0, 100)
    contacts = bristle.lugre(fs=2).contacts(100, fc=fc)
    for _ in range(2000):
        contacts.step(0.1, 1e-3)
    expected = [bristle.lugre(fs=2, fc=f).steady(0.1) for f in fc]
    assert np.allclose(contacts.force, expected, rtol=1e-12)
    assert np.array_equal(contacts["fc"], fc)
    assert np.allclose(contacts.steady(0.1), expected, rtol=1e-14)
    contacts.set(fc="0.7 N")
    assert np.all(contacts["fc"] == 0.7)
    with pytest.raises(bristle.ParameterError, match="contact 3: lugre: fc"):
        contacts.set(fc=np.where(np.arange(100) == 3, -1.0, 1.0))
    assert np.all(contacts["fc"] == 0.7)


def test_a_network_holds_and_slides() -> None:
    law = bristle.coulomb(fc=1)
    net = bristle.Network([law, law, law])
    w = 1e-3 * np.array([[2.0, 0.5, 0], [0.5, 2.0, 0.5], [0, 0.5, 2.0]])
    held = net.step([5e-4, 0, -5e-4], w, 1e-3)
    assert held.converged and np.all(held.velocity == 0) and np.all(np.abs(held.force) <= 1)
    slid = net.step([1.0, 1.0, 1.0], w, 1e-3)
    assert np.allclose(slid.force, 1) and np.allclose(slid.velocity, 1 - w @ slid.force)


def test_a_network_of_one_is_a_coupled_step() -> None:
    law = bristle.lugre()
    net, step = bristle.Network([law]), law.step(0.01, 1e-3, w=1e-3)
    made = net.step([0.01], [[1e-3]], 1e-3)
    assert made.force[0] == pytest.approx(step.force, rel=1e-11)
    assert net.state[0][0] == pytest.approx(step.state[0], rel=1e-11)


def test_vector_laws_along_a_line_are_the_scalar_law() -> None:
    for name in bristle.tables.vector_names():
        for dim in (2, 3):
            law = bristle.vector.law(name, dim)
            v = np.zeros((dim, 7))
            v[0] = np.linspace(0.001, 0.1, 7)
            step = law.step(v, 1e-3, w=1e-3)
            assert np.all(step.force[1:] == 0)
            if name in bristle.tables.law_names():
                plain = bristle.law(name).step(v[0], 1e-3, w=1e-3)
                assert np.allclose(step.force[0], plain.force, rtol=1e-9, atol=1e-12)


def test_threads_on_two_objects_run_side_by_side() -> None:
    law, v = bristle.lugre(), np.full(200_000, 0.01)
    made: list[np.ndarray] = []

    def work() -> None:
        contacts = law.contacts(v.size)
        for _ in range(20):
            contacts.step(v, 1e-3, w=1e-3)
        made.append(contacts.force)

    threads = [threading.Thread(target=work) for _ in range(2)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(made) == 2 and np.array_equal(made[0], made[1])


def test_threads_on_one_object_are_told() -> None:
    contacts, v = bristle.lugre().contacts(500_000), np.full(500_000, 0.01)
    told: list[str] = []

    def work() -> None:
        for _ in range(10):
            try:
                contacts.step(v, 1e-3, w=1e-3)
            except RuntimeError as error:
                told.append(str(error))

    threads = [threading.Thread(target=work) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert told and "another thread" in told[0]
