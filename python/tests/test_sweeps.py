"""Sweeps and many fits: the same bytes here, in shards and on a cluster one of whose workers is killed."""

from __future__ import annotations

import os
import signal
import threading
import time
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle

SPEC: dict[str, Any] = {
    "scenario": {
        "rig": "spring-pull",
        "mass": "1 kg",
        "stiffness": "2 N/m",
        "speed": "0.1 m/s",
        "friction": {"model": "lugre", "parameters": {"fc": 1, "fs": 1.5}},
        "time": {"end": "4 s", "output": "50 ms"},
    },
    "keys": {"speed": {"uniform": ["0.05 m/s", "0.2 m/s"]}},
    "runs": 120,
    "chunk": 10,
    "seed": 3,
    "quantities": ["end.x", "max.F"],
}


def chunks(folder: Path) -> dict[str, bytes]:
    return {file.name: file.read_bytes() for file in sorted(folder.glob("chunk-*.npy"))}


def test_a_sweep_is_columns(tmp_path: Path) -> None:
    made = bristle.sweep(SPEC, tmp_path / "a")
    assert len(made) == 120 and np.all(made["max.F"] > 0.3) and "end.x" in repr(made)
    assert np.array_equal(bristle.sweep(SPEC)["end.x"], made["end.x"])
    again = bristle.sweep(SPEC, tmp_path / "a", threads=1)
    assert np.array_equal(again["speed"], made["speed"]) and 0.05 < made["speed"].min() < made["speed"].max() < 0.2
    with pytest.raises(bristle.UnknownNameError, match=r"end\.x"):
        made["end.y"]
    with pytest.raises(bristle.ToolError, match="sped"):
        bristle.sweep({**SPEC, "keys": {"sped": {"uniform": [1, 2]}}})
    with pytest.raises(bristle.FileError, match="no such file"):
        bristle.sweep("nosuch.yaml")


def logs() -> list[dict[str, Any]]:
    t = np.arange(1500) * 2e-3
    x = 0.05 * np.sin(2 * np.pi * t)
    v = 0.05 * 2 * np.pi * np.cos(2 * np.pi * t)
    noise = np.random.default_rng(1).normal(0, 0.05, (2, t.size))
    made: list[dict[str, Any]] = [
        {"t": t, "x [m]": x, "F [N]": fc * np.sign(v) + 3 * v + e} for fc, e in zip((5.0, 8.0), noise, strict=True)
    ]
    return [*made, {"t": t, "x [m]": x}]


def test_many_logs_are_fitted_and_a_bad_one_is_told() -> None:
    one, two, bad = bristle.identify_many(logs(), laws=["coulomb"], mass="none", trust=True)
    assert isinstance(one, bristle.Fit) and isinstance(two, bristle.Fit)
    assert float(one.best["fc"]) == pytest.approx(5, abs=0.1) and float(two.best["fc"]) == pytest.approx(8, abs=0.1)
    assert isinstance(bad, bristle.BristleError) and "force" in str(bad)
    assert one.json == bristle.identify(logs()[0], laws=["coulomb"], mass="none", trust=True).json


def test_a_cluster_whose_worker_is_killed_gives_the_same_bytes(long: bool, tmp_path: Path) -> None:
    if not long:
        pytest.skip("long: a cluster")
    distributed = pytest.importorskip("distributed")
    whole = bristle.sweep({**SPEC, "runs": 600}, tmp_path / "here")
    options = {"n_workers": 2, "threads_per_worker": 1, "processes": True, "dashboard_address": None}
    with distributed.LocalCluster(**options) as cluster, distributed.Client(cluster) as client:

        def kill() -> None:
            until = time.monotonic() + 60
            while not list((tmp_path / "there").glob("chunk-*.npy")) and time.monotonic() < until:
                time.sleep(0.01)
            os.kill(next(iter(client.run(os.getpid).values())), signal.SIGKILL)

        killer = threading.Thread(target=kill)
        killer.start()
        made = bristle.sweep({**SPEC, "runs": 600}, tmp_path / "there", client=client, tasks=30)
        killer.join()
        fits = bristle.identify_many(logs(), client=client, laws=["coulomb"], mass="none", trust=True)
    assert chunks(tmp_path / "here") == chunks(tmp_path / "there") and len(made) == len(whole) == 600
    assert not list((tmp_path / "there").glob("*.bristle-part*"))
    here = bristle.identify_many(logs(), laws=["coulomb"], mass="none", trust=True)
    assert [str(getattr(a, "json", a)) for a in fits] == [str(getattr(a, "json", a)) for a in here]
