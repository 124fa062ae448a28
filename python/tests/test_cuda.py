"""Contacts on a GPU, without one: a stand-in for libbristle-cuda whose device memory is memory. What needs a GPU is in
tests/cuda/check_python.py."""

from __future__ import annotations

import gc
import os
import shutil
import subprocess
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import cffi
import numpy as np
import pytest
from conftest import ROOT

import bristle
from bristle import _cuda, cuda
from bristle._library import HERE

COUNT, H = 300, 1e-3


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    compiler = os.environ.get("CC", "cc")
    if not shutil.which(compiler):
        pytest.skip("needs a C compiler")
    made: Path = tmp_path_factory.mktemp("stand-in")
    source, laws = ROOT / "tests" / "cuda" / "stand_in.c", HERE / "libbristle_python.so"
    command = [compiler, "-shared", "-fPIC", f"-I{ROOT / 'include'}", "-o", str(made / _cuda.NAME), str(source)]
    subprocess.run([*command, str(laws), f"-Wl,-rpath,{HERE}"], check=True)
    return made


def forget() -> None:
    _cuda.library.cache_clear()
    _cuda.find_law.cache_clear()


@pytest.fixture
def there(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Any]:
    monkeypatch.setenv("BRISTLE_CUDA", str(folder))
    forget()
    seen = cffi.FFI()
    seen.cdef(
        "extern int stand_in_blocks, stand_in_follows, stand_in_fail, stand_in_build; extern void *stand_in_stream;"
    )
    yield seen.dlopen(str(folder / _cuda.NAME))
    forget()


def moved(values: Any, dtype: Any = np.float64) -> _cuda.DeviceArray:
    array = np.asarray(values, dtype)
    made = _cuda.DeviceArray(array.shape, dtype, 0, _cuda.Streams())
    made.put(array)
    return made


@pytest.mark.parametrize("dtype", [np.float64, np.float32])
@pytest.mark.parametrize("name", ["lugre", "coulomb", "gms"])
def test_steps_are_those_of_the_processor(there: Any, name: str, dtype: Any) -> None:
    law, random = bristle.law(name), np.random.default_rng(1)
    level = law.table.parameters[[r.unit for r in law.table.parameters].index("N")].name
    each = {} if name == "gms" else {level: random.uniform(0.5, 1.0, COUNT).astype(dtype)}
    here = law.contacts(COUNT, dtype, **each)
    device = law.contacts(COUNT, dtype, device="cuda", **each)
    w, n = np.full(COUNT, H, dtype), random.uniform(0.5, 1.0, COUNT).astype(dtype)
    for step in range(20):
        v = random.normal(0, 0.05, COUNT).astype(dtype)
        coupled: Any = step % 2
        force = here.step(v, H, w=w if coupled else None, n=n)
        made = device.step(moved(v, dtype), H, w=H if coupled else None, n=moved(n, dtype))
        assert np.array_equal(np.asarray(made), force)
        assert np.array_equal(device.velocity.numpy(), here.velocity)
        assert np.array_equal(device.state.numpy(), here.state)
    rate, own = np.empty_like(here.state), _cuda.DeviceArray(here.state.shape, dtype, 0, _cuda.Streams())
    assert np.array_equal(device.eval(moved(v, dtype), rate=own).numpy(), here.eval(v, rate=rate))
    assert np.array_equal(own.numpy(), rate)


def test_results_lie_where_they_are_asked_for(there: Any) -> None:
    contacts = bristle.lugre().contacts(COUNT, device="cuda:0", fast=True)
    v, out = moved(np.full(COUNT, 0.01)), moved(np.zeros(COUNT))
    assert contacts.step(v, H, out=out) is out
    kept = out.numpy()
    contacts.step(v, H)
    assert np.array_equal(out.numpy(), kept) and not np.array_equal(contacts.force.numpy(), kept)
    assert there.stand_in_build == 1
    assert np.array_equal(contacts["z"].numpy(), contacts.state.numpy()[0])
    contacts.reset()
    assert not contacts.state.numpy().any()


def test_streams_follow_each_other(there: Any) -> None:
    contacts = bristle.lugre().contacts(COUNT, device="cuda")
    v = moved(np.full(COUNT, 0.01))
    contacts.step(v, H, stream=SimpleNamespace(cuda_stream=7))
    assert int(cffi.FFI().cast("uintptr_t", there.stand_in_stream)) == 7
    before = there.stand_in_follows
    contacts.step(v, H, stream=7)
    assert there.stand_in_follows == before + 1  # v belongs to stream 0, the contacts to 7 already
    contacts.force.__dlpack__(stream=7)
    assert there.stand_in_follows == before + 1
    contacts.force.__dlpack__(stream=9)
    contacts.force.__dlpack__(stream=-1)
    assert there.stand_in_follows == before + 2
    assert contacts.force.__cuda_array_interface__["stream"] == 7
    with pytest.raises(bristle.ParameterError, match="stream: expected a stream"):
        contacts.step(v, H, stream="high")


def test_memory_goes_back(there: Any) -> None:
    gc.collect()
    before = there.stand_in_blocks
    contacts = bristle.lugre().contacts(COUNT, device="cuda", fc=np.linspace(0.9, 1.1, COUNT))
    lent = contacts.force.__dlpack__(stream=1)
    contacts.step(contacts.velocity, H, w=1e-3, n=2.0)
    assert contacts.velocity.__dlpack_device__() == (2, 0)
    del contacts
    gc.collect()
    assert there.stand_in_blocks == before + 1  # the block that is lent
    del lent
    gc.collect()
    assert there.stand_in_blocks == before


def test_arrays_that_do_not_fit_are_refused(there: Any) -> None:
    contacts = bristle.lugre().contacts(COUNT, device="cuda")
    fits = np.zeros(COUNT)
    foreign = SimpleNamespace(__cuda_array_interface__={"shape": (COUNT,), "typestr": "<f8", "data": (64, False)})
    wide = dict(foreign.__cuda_array_interface__, strides=(16,), version=3)
    far = SimpleNamespace(__dlpack_device__=lambda: (2, 3), __dlpack__=lambda stream: None)
    for wrong, words in (
        (fits, "v: is a NumPy array in the memory of the processor"),
        (moved(np.zeros(3)), r"v: expected shape \(300,\); got \(3,\)"),
        (moved(fits, np.float32), "v: expected float64, the contacts' own; got float32"),
        (SimpleNamespace(__cuda_array_interface__=wide), r"v: expected contiguous memory, got strides \(2,\)"),
        (far, "v: lies in cuda:3, the contacts on cuda:0"),
        ([0.1], "v: expected an array on cuda:0 .* got list"),
        (None, "v: a velocity is needed"),
    ):
        with pytest.raises(bristle.BristleError, match=words):
            contacts.step(wrong, H)
    v = moved(fits)
    for call, words in (
        (lambda: contacts.step(v, H, w=-1.0), "w = -1.0: must be 0"),
        (lambda: contacts.step(v, 0), "h = 0.0: a step needs a length"),
        (lambda: contacts.step(v, H, out=v), "out: shares memory with an input"),
        (lambda: contacts.set(fc=1), "share their parameters"),
        (lambda: bristle.lugre().contacts(3, device="cuda", fc=[1, -1, 1]), "contact 1: .*fc"),
        (lambda: bristle.lugre().contacts(3, device="cuda:4"), "cuda:4 is not there; this machine has 1"),
        (lambda: bristle.lugre().contacts(3, device="tpu"), "device: expected 'cpu', 'cuda' or 'cuda:0'"),
        (lambda: bristle.lugre().contacts(3, np.int32, device="cuda"), "float64 or float32"),
        (lambda: bristle.lugre().contacts(3, fast=True), "give device='cuda' as well"),
        (lambda: bristle.lugre().contacts(1 << 40, device="cuda"), "out of memory"),
    ):
        with pytest.raises(bristle.BristleError, match=words):
            call()
    there.stand_in_fail = 5
    with pytest.raises(cuda.CudaError, match="lugre: step_n: some error"):
        contacts.step(v, H)
    there.stand_in_fail = 0


def test_what_is_missing_is_named(folder: Path, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("BRISTLE_CUDA", str(tmp_path))
    forget()
    with pytest.raises(cuda.CudaError, match=r"there is no libbristle-cuda\.so; `make cuda`"):
        bristle.lugre().contacts(3, device="cuda")
    assert cuda.devices() == 0
    (tmp_path / _cuda.NAME).write_text("not a library")
    with pytest.raises(cuda.CudaError, match="cannot be loaded: `make cuda` builds it"):
        bristle.lugre().contacts(3, device="cuda")
    monkeypatch.setenv("BRISTLE_CUDA", str(folder))
    monkeypatch.setenv("STAND_IN_NO_GPU", "1")
    forget()
    with pytest.raises(cuda.CudaError, match="there is no GPU that CUDA can use"):
        bristle.lugre().contacts(3, device="cuda")
    forget()


def test_a_sweep_on_a_device_has_the_same_bytes(there: Any, tmp_path: Path) -> None:
    spec = {
        "scenario": {
            "rig": "spring-pull",
            "mass": "1 kg",
            "stiffness": "20 N/m",
            "speed": "0.1 m/s",
            "friction": {"model": "lugre"},
            "time": {"end": "1 s", "output": "1 s"},
            "solver": {"method": "coupled", "step": "1 ms"},
        },
        "engine": "ensemble",
        "keys": {"mass": {"from": "0.5 kg", "to": "2 kg", "count": 50}},
        "quantities": ["end.x", "slips"],
    }
    made = [bristle.sweep(spec, tmp_path / device, device=device) for device in ("cpu", "cuda")]
    assert made[0].rows.tobytes() == made[1].rows.tobytes()
    with pytest.raises(bristle.ToolError, match="engine: ensemble"):
        bristle.sweep({k: v for k, v in spec.items() if k != "engine"}, tmp_path / "other", device="cuda")
