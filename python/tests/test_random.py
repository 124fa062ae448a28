"""Ten thousand random calls: whatever is passed, the interpreter lives and refusals are sentences."""

from __future__ import annotations

import threading
from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bristle
from bristle.tables import law_names, vector_names

REFUSALS = (bristle.BristleError, TypeError, ValueError, RuntimeError, MemoryError)
NUMBERS = st.one_of(
    st.floats(width=64),
    st.sampled_from([0, 1, -1, 1e-3, 1e-6, float("nan"), float("inf"), 1e308, -1e308, 5e-324, True]),
)
SHAPES = st.sampled_from([(), (1,), (3,), (2, 3), (3, 1), (0,), (2, 0), (1, 1, 2)])
DTYPES = st.sampled_from([np.float64, np.float32, np.int32, np.float16, np.complex128, bool, object, "U4"])


@st.composite
def an_array(draw: Any) -> Any:
    shape, dtype = draw(SHAPES), draw(DTYPES)
    size = int(np.prod(shape))
    with np.errstate(all="ignore"):
        made = np.array(draw(st.lists(NUMBERS, min_size=size, max_size=size)), float).reshape(shape)
        try:
            made = made.astype(dtype)
        except (ValueError, OverflowError):
            return made
    kind = draw(st.sampled_from(["plain", "strided", "reversed", "read-only", "fortran"]))
    if kind == "strided" and made.ndim:
        made = np.repeat(made, 2, axis=-1)[..., ::2]
    elif kind == "reversed" and made.ndim:
        made = made[::-1]
    elif kind == "fortran":
        made = np.asfortranarray(made)
    elif kind == "read-only":
        made.setflags(write=False)
    return made


ODD = st.one_of(
    NUMBERS, st.none(), st.text(max_size=6), st.sampled_from(["1 N", "2 mm/s", "3 kg", [1, 2], {}, b"x", [[1], [1, 2]]])
)
VALUES = st.one_of(NUMBERS, an_array(), ODD)


@st.composite
def a_law(draw: Any) -> Any:
    law = bristle.law(draw(st.sampled_from(law_names())))
    if draw(st.booleans()):
        name = draw(st.sampled_from([row.name for row in law.table.parameters] + ["nosuch"]))
        try:
            return law.with_(**{name: draw(ODD)})
        except REFUSALS:
            return law
    if draw(st.booleans()):
        try:
            return law.to_load(draw(st.sampled_from(["force", "coefficient", "level", "x"])), draw(ODD))
        except REFUSALS:
            return law
    return law


def call(law: Any, what: str, given: dict[str, Any], v: Any, s: Any, h: Any, out: Any) -> None:
    if what == "step":
        law.step(v, h, s, **given, out=out)
    elif what == "eval":
        law.eval(v, s, x=given.get("x"), n=given.get("n"), a=given.get("w"), out=out)
    elif what == "steady":
        law.steady(v, n=given.get("n"), out=out)
    elif what == "energy":
        law.energy(s, n=given.get("n"), out=out)
    elif what == "mode":
        law.mode(v, s, out=out)
    elif what == "derivatives":
        law.derivatives(v, s, h, **given)
    elif what == "contacts":
        contacts = law.contacts(3, given.get("x") if isinstance(given.get("x"), str) else np.float64)
        contacts.step(v, h, **given, out=out)
        contacts.eval(v, n=given.get("n"))
        contacts.mode(v)
    elif what == "parameters":
        law.contacts(2, **{law.table.parameters[0].name: v}).step(1.0, 1e-3)
    elif what == "contact":
        law.contact().step(v, h, given.get("w"), given.get("n"))
    elif what == "network":
        bristle.Network([law, bristle.vector.law(vector_names()[0], 2)][: 1 + bool(given)]).step(
            v, given.get("w", 1.0), h
        )
    elif what == "vector":
        bristle.vector.law(law.name, 2).step(v, h, s, w=given.get("w"), n=given.get("n"))
    elif what == "joint":
        bristle.Joint("revolute", law, pin_radius=v, friction_arm=0.1, bending_arm=0.1).step(h, omega=s)
    elif what == "patch":
        bristle.Patch.points(v, v, v).step(s, h, w=given.get("w"))
    elif what == "yaml":
        bristle.from_yaml(str(v) + law.to_yaml())


WHATS = [
    "step",
    "eval",
    "steady",
    "energy",
    "mode",
    "derivatives",
    "contacts",
    "parameters",
    "contact",
    "network",
    "vector",
    "joint",
    "patch",
    "yaml",
]


@pytest.fixture(scope="module")
def runs(long: bool) -> int:
    return 10_000 if long else 500


def test_random_calls(runs: int) -> None:
    done = []

    @settings(
        max_examples=runs, deadline=None, database=None, derandomize=True, suppress_health_check=list(HealthCheck)
    )
    @given(
        a_law(),
        st.sampled_from(WHATS),
        st.dictionaries(st.sampled_from(["x", "n", "w", "f"]), VALUES),
        VALUES,
        st.one_of(st.none(), VALUES),
        st.one_of(st.sampled_from([1e-3, 1e-3, 0.1]), VALUES),
        st.one_of(st.none(), st.none(), an_array(), ODD),
    )
    def one(law: Any, what: str, more: dict[str, Any], v: Any, s: Any, h: Any, out: Any) -> None:
        done.append(what)
        try:
            call(law, what, more, v, s, h, out)
        except REFUSALS as error:
            assert str(error)

    one()
    assert len(done) >= runs * 0.9 and set(done) == set(WHATS)


def test_random_threads() -> None:
    laws = [bristle.law(name) for name in ("lugre", "gms", "coulomb")]
    failed: list[BaseException] = []

    def work(seed: int) -> None:
        rng = np.random.default_rng(seed)
        shared = shared_contacts
        try:
            for _ in range(60):
                law = laws[rng.integers(3)]
                law.step(rng.normal(size=50), 1e-3, w=1e-3)
                try:
                    shared.step(rng.normal(size=1000), 1e-3, w=1e-3)
                except RuntimeError:
                    continue
        except BaseException as error:
            failed.append(error)

    shared_contacts = laws[0].contacts(1000)
    threads = [threading.Thread(target=work, args=(seed,)) for seed in range(6)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert not failed
