"""Derivatives, joints, patches and step rules."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest

import bristle
from bristle.tables import law_names


@pytest.mark.parametrize("name", law_names())
def test_derivatives_are_those_of_differences(name: str) -> None:
    law = bristle.law(name)
    v, s = 0.0123, law.state()
    made = law.derivatives(v, s, 1e-4, w=1e-3)
    assert made.force == law.step(v, 1e-4, s, w=1e-3).force
    assert len(made.directions) == made.d_force.shape[0] == 3 + law.nstate + law.table.nparam
    if "smooth" not in law.table.traits or "set_valued" in law.table.traits:
        return
    e = 1e-6 * v
    by_v = (law.step(v + e, 1e-4, s, w=1e-3).force - law.step(v - e, 1e-4, s, w=1e-3).force) / (2 * e)
    assert made["v"] == pytest.approx(by_v, rel=1e-4, abs=1e-6)
    instant = law.derivatives(v, s)
    assert instant.force == law.eval(v, s)
    for row in law.table.parameters:
        if row.kind != "log" or row.count != 1 or not 0 < law[row.name] < row.high:
            continue
        e = 1e-5 * law[row.name]
        try:
            up, down = (law.with_(**{row.name: law[row.name] + k * e}).eval(v, s) for k in (1, -1))
        except bristle.ParameterError:
            continue
        scale = abs(instant.force) / law[row.name]
        assert instant[row.name] == pytest.approx((up - down) / (2 * e), rel=1e-4, abs=1e-6 * scale)


def test_derivatives_of_arrays() -> None:
    law = bristle.lugre()
    made = law.derivatives(np.linspace(0.001, 0.1, 6).reshape(2, 3), None, 1e-3, w=1e-3)
    assert made.d_force.shape == (13, 2, 3) and made.d_state.shape == (1, 13, 2, 3)
    one = law.derivatives(0.1, None, 1e-3, w=1e-3)
    assert np.array_equal(made.d_force[:, 1, 2], one.d_force)
    assert made.d_velocity[0, 1, 2] == 1 - 1e-3 * one["v"]


def test_a_hinge_turns_its_reactions_into_torque() -> None:
    law = bristle.coulomb(fc=0.3, load="coefficient")
    hinge = bristle.Joint("revolute", law, pin_radius=0.01, friction_arm=0.012, bending_arm=0.05)
    made = hinge.eval(force=(100.0, 0, 0), omega=(0, 0, 2.0))
    assert made.torque[2] == pytest.approx(-0.3 * 0.01 * 100)
    held = hinge.step(1e-3, force=(100.0, 0, 0), omega=(0, 0, 1e-3), w_rot=1.0)
    assert held.omega[2] == 0
    with pytest.raises(bristle.ParameterError, match="to_load"):
        bristle.Joint("revolute", bristle.coulomb(), pin_radius=0.01)
    with pytest.raises(bristle.UnknownNameError, match="did you mean pin_radius"):
        bristle.Joint("revolute", law, pin_radios=0.01)


def test_a_ball_joint_takes_a_vector_law() -> None:
    law = bristle.vector.lugre(3).to_load("coefficient", 10.0)
    ball = bristle.Joint("spherical", law, ball_radius=0.02)
    made = ball.step(1e-3, force=(0, 0, 50.0), omega=(0.1, 0, 0), w_rot=0.1)
    assert made.torque[0] < 0 and made.omega[0] < 0.1 and np.any(ball.state != 0)


def test_a_disk_spins_with_less_force() -> None:
    disk = bristle.Patch.disk(0.05)
    slide, both = disk.steady((0.1, 0, 0), 10.0), disk.steady((0.1, 0, 10.0), 10.0)
    assert slide[0] > both[0] > 0 and both[2] > 0 and disk.cells == 256
    step = bristle.Patch.rectangle(0.1, 0.05).step((0.01, 0, 0), 1e-3, 10.0, w=1e-3 * np.eye(3))
    assert 0 < step.velocity[0] < 0.01 and step.state.shape == (2, 144)


def test_a_patch_as_one_bristle() -> None:
    disk = bristle.Patch.disk(0.05)
    reduced = disk.reduced()
    for v in ((0.1, 0, 0), (0.1, 0.02, 10.0), (0, 0, 5.0)):
        assert reduced.steady(v, 10.0) == pytest.approx(disk.steady(v, 10.0), rel=0.05, abs=0.02)
    assert (
        reduced.gyration == pytest.approx(0.05 / np.sqrt(2), rel=0.01) and np.hypot(*reduced.centre_of_pressure) < 1e-9
    )
    assert np.hypot(*reduced.limit((1.0, 0, 0))[:2]) == pytest.approx(1, rel=0.02)
    held = reduced.step((1e-6, 0, 0), 1e-3, 10.0, w=1e-3 * np.eye(3))
    assert 0 < held.velocity[0] < 1e-6 and held.state[0] > 0 and reduced.energy(10.0) > 0
    assert reduced.eval((0, 0, 0), 10.0)[0] > 0
    with pytest.raises(bristle.ParameterError, match="lugre"):
        bristle.Patch.disk(0.05, bristle.vector.coulomb(2).to_load("coefficient", 1.0)).reduced()


def test_tangents_of_a_network_are_differences() -> None:
    laws = [bristle.lugre(sigma0=1e4), bristle.vector.lugre(2), bristle.dahl()]
    net, rng = bristle.Network(laws), np.random.default_rng(2)
    a = rng.normal(size=(4, 4))
    w, v, n, h = 1e-3 * (a @ a.T + 4 * np.eye(4)), np.array([0.02, 0.03, -0.01, 0.04]), np.array([1.0, 2.0, 1.5]), 1e-3
    net.step(v, w, h, n=n)
    before = [s.copy() for s in net.state]
    made = net.tangent(v, w, h, n=n)
    assert all(np.array_equal(x, y) for x, y in zip(before, net.state, strict=True))

    def force(v: Any, n: Any) -> Any:
        for state, old in zip(net.state, before, strict=True):
            state[:] = old
        return net.step(v, w, h, n=n).force

    for k in range(4):
        e = np.zeros(4)
        e[k] = 1e-6
        assert made.v[:, k] == pytest.approx((force(v + e, n) - force(v - e, n)) / 2e-6, rel=1e-4, abs=1e-4)
    assert [p.shape for p in made.p] == [(4, law.table.nparam) for law in laws] and made.n.shape == (4, 3)


def test_step_rules() -> None:
    rule = bristle.StepRule(bristle.lugre())
    assert rule.kind == "lugre" and rule.hold > 0
    assert rule.length(0.0) < rule.length(1.0)
    assert rule.length([0.0, 1.0]).tolist() == [rule.length(0.0), rule.length(1.0)]
    assert rule.next(0.0, 0.0, 1.0) == rule.length(0.0)
    with pytest.raises(bristle.UnknownNameError, match="dtau_min"):
        bristle.StepRule(bristle.lugre(), dt_mim=1)


def test_a_compliance_may_lie_in_any_order() -> None:
    w = np.array([[1e-3, 2e-4], [2e-4, 2e-3]])
    results = []
    for matrix in (w, np.asfortranarray(w), w[::-1, ::-1][::-1, ::-1], np.repeat(w, 2, axis=1)[:, ::2]):
        net = bristle.Network([bristle.lugre(), bristle.coulomb()])
        results.append(net.step([0.1, -0.2], matrix, 1e-3).force)
    assert all(np.array_equal(results[0], other) for other in results[1:])
