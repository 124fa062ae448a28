"""Laws as values: parameters, units, files, equality, broadcasting."""

from __future__ import annotations

import pickle
import subprocess
from pathlib import Path

import numpy as np
import pytest

import bristle
from bristle._library import ffi, lib
from bristle.tables import law_names

LAWS = law_names()


@pytest.mark.parametrize("name", LAWS)
def test_round_trips_are_exact(name: str, tmp_path: Path) -> None:
    law = bristle.law(name)
    odd = {
        row.name: law[row.name] * (1 + 1e-13)
        for row in law.table.parameters
        if row.kind == "log" and row.count == 1 and law[row.name] < row.high
    }
    for each in (law, law.with_(**odd), law.to_load("coefficient", 40.0), law.to_load("level", 0.75)):
        assert pickle.loads(pickle.dumps(each)) == each
        assert bristle.from_yaml(each.to_yaml()) == each
        assert bristle.from_yaml(each.to_json()) == each
        for file in ("m.yaml", "m.json"):
            each.save(tmp_path / file)
            assert bristle.load(tmp_path / file) == each
        assert hash(each) == hash(pickle.loads(pickle.dumps(each)))
        assert eval(repr(each), {"bristle": bristle}) == each
    assert law.with_(**odd) != law or not odd


@pytest.mark.parametrize("name", LAWS)
def test_every_law_describes_itself(name: str) -> None:
    law = bristle.law(name)
    text = type(law).__doc__ or ""
    assert law.table.equations.splitlines()[0] in text
    for row in law.table.parameters:
        assert f"{row.name} : " in text and row.doc in text
        assert getattr(law, row.name) is not None
    card = law._repr_html_()
    assert card.count("<tr>") == len(law.table.parameters)
    assert ("<svg" in card) == ("steady" in law.table.traits)


@pytest.mark.parametrize("name", LAWS)
def test_arrays_of_any_shape(name: str) -> None:
    law = bristle.law(name)
    v = np.linspace(-0.1, 0.1, 12).reshape(3, 4)
    force, rate = law.rates(v)
    assert force.shape == (3, 4) and rate.shape == (law.nstate, 3, 4)
    out = np.empty((3, 8))[:, ::2]
    assert law.eval(v, out=out) is out and np.array_equal(out, force)
    assert np.array_equal(law.eval(v[::-1, ::2]), force[::-1, ::2])
    assert law.eval(v.astype(np.float32)).dtype == np.float32
    assert law.eval(0.05) == law.eval(np.array([0.05]))[0]
    assert law.eval(np.empty((0, 3))).shape == (0, 3)
    assert law.step(v, 1e-3, w=[[1e-3], [0], [1e-2]]).force.shape == (3, 4)
    assert law.mode(v).dtype == np.int8 and law.mode(0.0) in ("stuck", "presliding", "sliding")
    if "steady" in law.table.traits:
        assert law.steady(v, n=np.ones((2, 1, 1))).shape == (2, 3, 4)
    if "energy" in law.table.traits:
        assert law.energy(law.state(5)).shape == (5,)
    if "acceleration" not in law.table.traits:
        assert np.array_equal(law.eval(v, a=0.0, f=0.0), force)


def test_units() -> None:
    assert bristle.lugre(sigma0="100 N/mm").sigma0 == 1e5
    assert bristle.lugre(vs="1 mm/s").vs == 1e-3
    rotary = bristle.lugre(sigma0="12 N*m/rad")
    assert rotary.rotary and rotary.unit("sigma0") == "N*m/rad"
    with pytest.raises(bristle.ParameterError, match="choose one"):
        bristle.lugre(sigma0="12 N*m/rad", vs="1 m/s")
    assert bristle.quantity("12 rpm", "rad/s") == pytest.approx(12 * 2 * np.pi / 60)


def test_load_forms_agree_at_their_load() -> None:
    law = bristle.lugre(fs=2)
    for form in ("coefficient", "level"):
        other = law.to_load(form, n="40 N")
        assert other.load == form
        assert other.eval(0.01, n=40.0) == pytest.approx(law.eval(0.01), rel=1e-14)


def test_laws_are_constant() -> None:
    law = bristle.lugre()
    with pytest.raises(AttributeError, match="with_"):
        law.fs = 3
    with pytest.raises(ValueError):
        law.values[0] = 3


def test_import_lists_the_laws() -> None:
    assert set(LAWS) <= set(dir(bristle)) and set(LAWS) == set(dir(bristle.laws))
    assert bristle.lugre is bristle.laws.lugre


def test_structures_are_laid_out_as_the_compiler_does() -> None:
    names = [
        "input",
        "batch",
        "batch_f32",
        "model",
        "info",
        "row",
        "vector_input",
        "network",
        "network_contact",
        "patch",
        "planar",
        "joint",
        "joint_motion",
        "steprule",
        "each",
        "each_f32",
        "error",
    ]
    sizes = ffi.new("size_t[]", len(names))
    assert lib.bristle_each_sizes(sizes, len(names)) == len(names)
    assert [ffi.sizeof(f"bristle_{name}") for name in names] == list(sizes)


def test_import_is_quick() -> None:
    """CPU time of the import itself, beyond NumPy's."""
    import sys

    code = "import time, numpy; t = time.process_time(); import bristle; print(time.process_time() - t)"
    best = min(
        float(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout) for _ in range(3)
    )
    assert best < 0.2
