"""Fleets: a table of all logs, also as Parquet; logs in Parquet are fitted as any other."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest

import bristle

T = np.arange(1500) * 2e-3


def log(fc: float, seed: int) -> dict[str, Any]:
    v = 0.05 * 2 * np.pi * np.cos(2 * np.pi * T)
    noise = np.random.default_rng(seed).normal(0, 0.05, T.size)
    return {"t": T, "x [m]": 0.05 * np.sin(2 * np.pi * T), "F [N]": fc * np.sign(v) + 3 * v + noise}


def write_logs(folder: Path) -> Path:
    lines = ["file,axis,day"]
    for axis, fc in (("a", 5.0), ("b", 8.0)):
        for day in range(2):
            columns = log(fc, day)
            rows = np.column_stack(list(columns.values()))
            file = folder / f"{axis}_{day}.csv"
            np.savetxt(file, rows, delimiter=",", header=",".join(columns), comments="")
            lines.append(f"{file.name},{axis},{day}")
    manifest = folder / "logs.csv"
    manifest.write_text("\n".join(lines) + "\n", encoding="utf-8")
    return manifest


def test_a_fleet_is_a_table(tmp_path: Path) -> None:
    manifest = write_logs(tmp_path)
    made = bristle.fleet(manifest, tmp_path / "out", model="coulomb", threads=1)
    assert len(made) == 4 and "2 axes" in repr(made) and list(made["axis"]) == ["a", "a", "b", "b"]
    assert np.allclose(made["fc"], [5, 5, 8, 8], rtol=0.01) and np.all(made["fc_std"] < 0.05)
    assert set(made["status"]) == {"fine"} and np.isnan(made["mass"]).all()
    with pytest.raises(bristle.UnknownNameError):
        made["nothing"]
    with pytest.raises(bristle.ToolError, match="no law"):
        bristle.fleet(manifest, tmp_path / "bad", model="coulom")
    again = bristle.fleet(manifest, model="coulomb")
    assert np.array_equal(again["fc"], made["fc"])


def test_a_fleet_as_parquet(tmp_path: Path) -> None:
    parquet = pytest.importorskip("pyarrow.parquet")
    made = bristle.fleet(write_logs(tmp_path), tmp_path / "out", model="coulomb")
    made.to_parquet(tmp_path / "fleet.parquet")
    table = parquet.read_table(tmp_path / "fleet.parquet")
    assert table.num_rows == 4 and table.column("axis").to_pylist() == ["a", "a", "b", "b"]
    assert table.column("fc").to_pylist() == list(made["fc"])
    assert not list(tmp_path.glob("fleet.parquet.*"))


def test_logs_in_parquet(tmp_path: Path) -> None:
    arrow, parquet = pytest.importorskip("pyarrow"), pytest.importorskip("pyarrow.parquet")
    files = []
    for k, fc in enumerate((5.0, 8.0)):
        files.append(tmp_path / f"log{k}.parquet")
        parquet.write_table(arrow.table(log(fc, k)), files[-1])
    fits = bristle.identify_many([*files, tmp_path / "none.parquet"], laws="coulomb")
    assert isinstance(fits[2], bristle.FileError)
    for fit, fc in zip(fits, (5.0, 8.0), strict=False):
        assert isinstance(fit, bristle.Fit) and abs(fit.best["fc"].value - fc) < 0.05


def test_a_sweep_of_identifications(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    write_logs(tmp_path)
    monkeypatch.chdir(tmp_path)
    spec = {
        "identification": {"model": "coulomb"},
        "keys": {"file": ["a_0.csv", "b_0.csv"], "noise.F": ["0 N", "0.5 N"]},
        "quantities": ["fc", "fc.std"],
    }
    made = bristle.sweep(spec, tmp_path / "sweep")
    assert np.allclose(made["fc"], [5, 5, 8, 8], rtol=0.03) and made["fc.std"][1] > 3 * made["fc.std"][0]
