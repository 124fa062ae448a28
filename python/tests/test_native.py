"""What people who write Python expect of its objects: copies, pickles, plain errors, one line to another tool."""

from __future__ import annotations

import copy
import json
import pickle
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from conftest import ROOT

import bristle


def test_contacts_are_copied_and_pickled() -> None:
    law, h = bristle.lugre(fs=2), 1e-3
    one = law.contact()
    one.step(0.01, h, w=h)
    many = law.contacts(3, fc=[0.5, 0.7, 0.9])
    many.step([0.01, 0.02, 0.03], h, w=h)
    plain = law.contacts(2, np.float32)
    plain.step(np.array([0.01, -0.01], np.float32), h)
    for twice in (copy.deepcopy, lambda a: pickle.loads(pickle.dumps(a))):
        again: Any = twice(one)
        assert again.velocity == one.velocity and np.array_equal(again.state, one.state)
        assert again.step(0.02, h, w=h) == twice(one).step(0.02, h, w=h)
        block: Any = twice(many)
        assert np.array_equal(block["fc"], [0.5, 0.7, 0.9]) and np.array_equal(block.velocity, many.velocity)
        assert np.array_equal(block.step(0.05, h, w=h), twice(many).step(0.05, h, w=h))
        single: Any = twice(plain)
        assert single.dtype == np.float32 and np.array_equal(single.state, plain.state)
        block.state[:] = 0  # a copy does not share its states
        assert np.any(many.state != 0)


def test_numbers_of_numpy_are_numbers() -> None:
    law = bristle.lugre()
    v, h = np.float64(0.013), np.float64(1e-3)
    assert law.step(v, h) == law.step(0.013, 1e-3) and type(law.step(v, h).force) is float
    assert law.eval(v) == law.eval(0.013)


def test_file_errors_are_errors_of_files() -> None:
    with pytest.raises(OSError, match=r"absent\.yaml"):
        bristle.load("absent.yaml")


def test_dir_is_the_interface() -> None:
    names = dir(bristle)
    assert {"identify", "lugre", "law", "load", "Contacts", "ParameterError", "__version__"} <= set(names)
    assert not [name for name in names if name.startswith("_") and name != "__version__"]
    assert not {"annotations", "import_module", "Any", "law_class", "law_names"} & set(names)
    assert all(getattr(bristle, name) is not None for name in names)


def test_a_law_is_a_keyword_of_simulate() -> None:
    path = ROOT / "examples" / "stick_slip.yaml"
    run = bristle.simulate(path, friction=bristle.lugre(sigma0=1e4), time__end=0.1)
    other = bristle.simulate(path, friction=bristle.lugre(sigma0=2e4), time__end=0.1)
    assert run.t[-1] == pytest.approx(0.1) and not np.array_equal(run.rows, other.rows)


def test_export(tmp_path: Path) -> None:
    law = bristle.lugre(fs=2)
    assert law.export(tmp_path / "axis.json") == []
    assert json.loads((tmp_path / "axis.json").read_text())["parameters"]["fs"]["value"] == 2
    law.export(tmp_path / "axis.fmu", shape="body")
    assert (tmp_path / "axis.fmu").read_bytes()[:2] == b"PK"
    assert law.export(tmp_path / "joint.xml", to="mujoco")  # it cannot hold bristles, and says so
    with pytest.raises(bristle.ParameterError, match=r"'\.xml' does not tell the format.*to=\"mujoco\""):
        law.export(tmp_path / "joint.xml")
    with pytest.raises(bristle.ToolError, match="shape"):
        law.export(tmp_path / "bad.fmu", shape="ball")
    assert sorted(each.name for each in tmp_path.iterdir()) == ["axis.fmu", "axis.json", "joint.xml"]


def test_a_fit_says_what_was_left_out() -> None:
    random, t = np.random.default_rng(1), np.arange(10000) * 1e-3
    x, v = 0.05 * np.sin(3 * t) + 0.02 * np.sin(11 * t), 0.15 * np.cos(3 * t) + 0.22 * np.cos(11 * t)
    force = 2 * np.sign(v) + 3 * v + 0.02 * random.normal(size=t.size)
    force[random.choice(t.size, 1011, replace=False)] = np.nan
    fit = bristle.identify({"t": t, "x [m]": x, "F [N]": force}, laws="coulomb", trust=True)
    assert any("1011 rows have empty or unreadable cells and were left out" in note for note in fit.notes)
    assert "1011 rows" in repr(fit) and "--" not in repr(fit)


def test_sentences_speak_python() -> None:
    from bristle.tool import keywords

    said = keywords("outliers: `bristle identify --objective robust --rate '1 kHz' --trust` takes less notice")
    assert said == "outliers: identify(..., objective='robust', rate='1 kHz', trust=True) takes less notice"


def test_a_fit_predicts() -> None:
    log = str(ROOT / "examples" / "compare" / "loops.csv")
    fit = bristle.identify(log, laws="dahl", trust=True)
    force = fit.forces()
    assert np.array_equal(fit.predict(log), force["predicted"])
    spread = np.sum((force["measured"] - np.mean(force["measured"])) ** 2)
    assert fit.score(log) == pytest.approx(1 - np.sum(force["residual"] ** 2) / spread, rel=1e-12)
    assert 0.5 < fit.score(log) < 1
