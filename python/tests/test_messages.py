"""Wrong use says what to do."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import bristle


class Elsewhere:
    """An array of another package, on another device."""

    def __array__(self, *_: Any, **__: Any) -> Any:
        raise TypeError("copy it first")


LUGRE = bristle.lugre()
CASES: list[tuple[Callable[[], Any], type[Exception], str]] = [
    (lambda: bristle.lugr(), AttributeError, "there is no law 'lugr'; did you mean lugre?"),
    (lambda: bristle.law("colomb"), bristle.UnknownNameError, "did you mean coulomb?"),
    (lambda: bristle.lugre(fz=1), TypeError, "lugre has no parameter 'fz'; did you mean f"),
    (lambda: bristle.lugre(vs="1 N"), bristle.UnitError, "found '1 N' (a force), expected a speed in m/s"),
    (lambda: bristle.lugre(vs="1 furlong"), bristle.UnitError, "furlong"),
    (lambda: bristle.lugre(fs=-2), ValueError, "fs = -2 is outside"),
    (lambda: bristle.lugre(fs=0.5), ValueError, "fs must not be below fc"),
    (lambda: bristle.lugre(fs=float("nan")), ValueError, "fs"),
    (lambda: bristle.lugre(fs=[1, 2]), ValueError, "expected a number"),
    (lambda: bristle.lugre(fs=None), ValueError, "expected a number"),
    (lambda: bristle.lugre(load="normal"), bristle.UnknownNameError, "there are: force, coefficient, level"),
    (lambda: bristle.stribeck(form=1.5), ValueError, "must be a whole number"),
    (lambda: bristle.gms(k=[1, 2]), ValueError, "elements, got 2"),
    (lambda: LUGRE.step([1, 2], 1e-3, n=[1, 2, 3]), ValueError, "do not broadcast together: v (2,), n (3,)"),
    (lambda: LUGRE.step(1, 0), ValueError, "a step needs a length h > 0"),
    (lambda: LUGRE.step(1, "soon"), ValueError, "expected the length of the step"),
    (lambda: LUGRE.step([1.0], 1e-3, w=-1), ValueError, "w = -1"),
    (lambda: LUGRE.step([1.0, 2.0], 1e-3, np.zeros((2, 2))), ValueError, "expected 1 rows (z)"),
    (lambda: LUGRE.step(None, 1e-3), ValueError, "a velocity is needed"),
    (lambda: LUGRE.contacts(3).step(None, 1e-3), ValueError, "a velocity is needed"),
    (lambda: LUGRE.eval("fast"), ValueError, "v: expected numbers"),
    (lambda: LUGRE.eval(np.ma.array([1.0, 2.0], mask=[0, 1])), ValueError, "v: 1 values are masked"),
    (lambda: LUGRE.eval(Elsewhere()), ValueError, "v: expected numbers, got Elsewhere, which says: copy it first"),
    (lambda: LUGRE.eval([1.0], out=np.empty(2)), ValueError, "out: expected shape (1,)"),
    (lambda: LUGRE.contacts(2.5), ValueError, "expected a whole number, got 2.5"),
    (lambda: LUGRE.contacts(0), ValueError, "expected at least 1"),
    (lambda: LUGRE.contacts(3).step(np.ones(4), 1e-3), ValueError, "expected 3 numbers or one for all; got shape (4,)"),
    (lambda: LUGRE.contacts(3, fc=[1, 2]), ValueError, "one for each contact"),
    (lambda: LUGRE.contacts(3).set(fc=1), ValueError, "contacts(n, fc=...)"),
    (lambda: LUGRE.with_(load="level"), ValueError, "to_load"),
    (lambda: LUGRE.to_load("level", n=0), ValueError, "a load above 0"),
    (lambda: bristle.Network([]), ValueError, "a list of laws"),
    (lambda: bristle.Network([LUGRE]).step([1.0, 2.0], [[1.0]], 1e-3), ValueError, "v: expected shape (1,)"),
    (lambda: bristle.vector.lugre(4), ValueError, "2 or 3 components"),
    (lambda: bristle.vector.gear(2), AttributeError, "there is no vector law 'gear'"),
    (lambda: bristle.load("absent.yaml"), ValueError, "absent.yaml"),
    (lambda: bristle.from_yaml("model: lugre\nparameters: {sigma: 1}"), ValueError, "sigma"),
    (
        lambda: bristle.identify({"t": [0]}, masss=1),
        bristle.ToolError,
        "'masss' is no keyword of identify; did you mean",
    ),
    (lambda: bristle.plan("lugre", sped=1), RuntimeError, "'sped' is no keyword of plan; did you mean 'speed'"),
]


@pytest.mark.parametrize("case", CASES, ids=[text[:40] for *_, text in CASES])
def test_messages(case: tuple[Callable[[], Any], type[Exception], str]) -> None:
    call, kind, text = case
    with pytest.raises(kind) as caught:
        call()
    assert text in str(caught.value)
