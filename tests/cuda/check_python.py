#!/usr/bin/env python3
"""The Python package on a GPU, beside the processor: check_python.py (needs PyTorch with CUDA, and libbristle-cuda).

Prints a line for each check, and exits with 1 where one failed; with 77 where there is no GPU.
"""

import gc
import sys
import time

import numpy as np
import torch

import bristle
import bristle.torch
from bristle.tables import law_names

H, COUNT = 1e-3, 4096
failed = 0


def report(ok, what, note=""):
    global failed
    failed += not ok
    print(f"{'PASS' if ok else 'FAIL'} {what}{': ' + note if note else ''}", flush=True)


def same_bits():
    """Every law, prescribed and coupled, both precisions, shared parameters, and its own for each contact."""
    wrong, calls = [], 0
    for name in law_names():
        for dtype, kind in ((np.float64, torch.float64), (np.float32, torch.float32)):
            law, random = bristle.law(name), np.random.default_rng(3)
            row = next(r for r in law.table.parameters if r.count == 1 and r.kind == "log")
            usual = float(np.ravel(law[row.name])[0])
            for each in ({}, {row.name: (usual * (1 + 0.1 * (np.arange(COUNT) % 2 == 0))).astype(dtype)}):
                try:
                    here = law.contacts(COUNT, dtype, **each)
                except bristle.ParameterError:
                    continue
                there = law.contacts(COUNT, dtype, device="cuda", **each)
                n = random.uniform(0.5, 1.5, COUNT).astype(dtype)
                for step in range(10):
                    v = random.normal(0, 0.05, COUNT).astype(dtype)
                    w = random.uniform(0, 2e-3, COUNT).astype(dtype) if step % 2 else None
                    force = here.step(v, H, w=w, n=n)
                    given = [None if a is None else torch.as_tensor(a, device="cuda") for a in (v, w, n)]
                    made = there.step(given[0], H, w=given[1], n=given[2])
                    calls += 1
                    equal = (
                        np.array_equal(made.cpu().numpy(), force, equal_nan=True)
                        and np.array_equal(there.velocity.numpy(), here.velocity, equal_nan=True)
                        and np.array_equal(there.state.numpy(), here.state, equal_nan=True)
                    )
                    if not equal and made.dtype == kind:
                        wrong.append((name, dtype.__name__, bool(each), step))
                        break
    report(not wrong, f"bits of the processor in {calls} steps of {len(law_names())} laws", str(wrong[:5]) if wrong else "")


def no_copies():
    law = bristle.lugre()
    contacts = law.contacts(COUNT, device="cuda")
    v = torch.full((COUNT,), 0.01, dtype=torch.float64, device="cuda")
    force = contacts.step(v, H)
    report(isinstance(force, torch.Tensor) and force.data_ptr() == contacts.force.address, "force is the contacts' memory")
    state = torch.from_dlpack(contacts.state)
    before = float(state[0, 0])
    state.zero_()
    torch.cuda.synchronize()
    report(before != 0 and not contacts.state.numpy().any(), "states are visible and writable as a tensor")
    out = torch.empty_like(v)
    report(contacts.step(v, H, out=out) is out and bool((out == contacts.step(v, H) * 0 + out).all()), "out is written in place")
    by_interface = torch.as_tensor(contacts.velocity, device="cuda")
    report(by_interface.data_ptr() == contacts.velocity.address, "__cuda_array_interface__ shares memory")
    kept = torch.from_dlpack(contacts.force)
    del contacts, state, by_interface, force
    gc.collect()
    report(bool(torch.isfinite(kept).all()), "a tensor outlives its contacts")


def streams():
    law = bristle.lugre()
    contacts, reference = law.contacts(1 << 20, device="cuda"), law.contacts(1 << 20, device="cuda")
    a, b = torch.cuda.Stream(), torch.cuda.Stream()
    v = torch.linspace(0.001, 0.1, 1 << 20, dtype=torch.float64, device="cuda")
    torch.cuda.synchronize()
    for k in range(200):  # two streams in turn, each with the contacts of the other's last step
        with torch.cuda.stream(a if k % 2 else b):
            made = contacts.step(v, H, w=1e-3)
    torch.cuda.synchronize()
    for _ in range(200):
        expected = reference.step(v, H, w=1e-3)
    torch.cuda.synchronize()
    report(bool((made == expected).all()), "steps in two streams in turn are those of one")
    given = law.contacts(1 << 20, device="cuda")
    for _ in range(200):
        made = given.step(v, H, w=1e-3, stream=a)
    a.synchronize()
    report(bool((made == expected).all()), "a stream of the caller")


def refusals():
    contacts = bristle.lugre().contacts(COUNT, device="cuda")
    fits = torch.zeros(COUNT, dtype=torch.float64, device="cuda")
    cases = (
        (torch.zeros(COUNT, dtype=torch.float64), "memory of the processor"),
        (fits.float(), "expected float64"),
        (fits[:3], "expected shape"),
        (torch.zeros(2 * COUNT, dtype=torch.float64, device="cuda")[::2], "contiguous"),
        (fits.clone().requires_grad_(), "bristle.torch"),
        (np.zeros(COUNT), "NumPy array"),
    )
    wrong = []
    for value, words in cases:
        try:
            contacts.step(value, H)
            wrong.append(f"{words}: accepted")
        except bristle.BristleError as error:
            if words not in str(error):
                wrong.append(str(error))
    report(not wrong, f"{len(cases)} arrays that do not fit are refused with words", "; ".join(wrong))


def gradients():
    """Derivatives on the device against those of the processor, every law, prescribed and coupled."""
    worst, where, random = 0.0, "", np.random.default_rng(5)
    for name in law_names():
        law = bristle.law(name)
        for w in (0.0, 1e-3):
            v = random.normal(0, 0.05, 64)
            s = law.step(v, H).state
            made = []
            for device in ("cpu", "cuda"):
                inputs = [torch.tensor(a, dtype=torch.float64, device=device, requires_grad=True) for a in (v, s, law.values)]
                force, state, velocity = bristle.torch.step(law, inputs[0], inputs[1], H, p=inputs[2], w=w)
                total = (force * torch.linspace(1, 2, 64, dtype=torch.float64, device=device)).sum() + velocity.sum()
                (total + (state * 100).sum()).backward()
                made.append([a.grad.cpu().numpy() for a in inputs])
            for here, there in zip(*made, strict=True):
                scale = np.abs(here).max() if here.size else 0
                off = np.abs(here - there).max() / scale if scale > 0 and np.isfinite(scale) else 0.0
                if not off <= worst:
                    worst, where = off, f"{name}, w = {w}"
    report(worst < 1e-9, "gradients of all laws are those of the processor", f"at most {worst:.1e} apart ({where})")


def learning():
    """A parameter is found on the device through 200 coupled steps."""
    law, truth = bristle.lugre(), 0.7
    place = {"dtype": torch.float64, "device": "cuda"}

    def run(p):
        contacts, v = bristle.torch.Contacts(law, 32, p=p), torch.zeros(32, **place)
        pull, path = torch.linspace(1.0, 6.0, 32, **place), []
        for _ in range(200):
            force, v = contacts.step(v + H * pull, H, w=H)
            path.append(v)
        return torch.stack(path)

    usual = torch.tensor(law.values, **place)
    place_of = next(r.first for r in law.table.parameters if r.name == "sigma2")
    right, free = usual.clone(), torch.tensor(-1.0, requires_grad=True, **place)  # its logarithm, so that it stays positive
    right[place_of] = truth
    target = run(right).detach()
    # the usual tolerance_change ends a search whose next step would gain less than 1e-9: 2e-6 of sigma2 too early
    ends = {"max_iter": 60, "tolerance_grad": 1e-12, "tolerance_change": 1e-20}
    search = torch.optim.LBFGS([free], line_search_fn="strong_wolfe", **ends)
    unit = torch.zeros_like(usual)
    unit[place_of] = 1

    def loss():
        search.zero_grad()
        value = ((run(usual + unit * (free.exp() - usual)) - target) ** 2).sum()
        value.backward()
        return value

    begin = time.perf_counter()
    search.step(loss)
    found = free.detach().exp().item()
    report(abs(found - truth) < 1e-8, "sigma2 is learned on the device", f"{found:.12f} in {time.perf_counter() - begin:.1f} s")


def others():
    """CuPy and JAX, where they are there."""
    values = np.random.default_rng(9).normal(0, 0.05, COUNT)
    here = bristle.lugre().contacts(COUNT)
    expected = [here.step(values, H, w=np.full(COUNT, H)).copy() for _ in range(3)]
    for name in ("cupy", "jax"):
        try:
            if name == "cupy":
                import cupy

                v = cupy.asarray(values)
            else:
                import jax

                jax.config.update("jax_enable_x64", True)
                v = jax.numpy.asarray(values)
        except ImportError:
            print(f"MISSING {name}")
            continue
        contacts = bristle.lugre().contacts(COUNT, device="cuda")
        made = [contacts.step(v, H, w=H) for _ in range(3)]
        kept = made if name == "jax" else [None, None, made[2]]  # JAX's results are new each time
        equal = all(a is None or np.array_equal(np.asarray(a.get() if name == "cupy" else a), b) for a, b in zip(kept, expected))
        report(equal and type(made[0]) is type(v), f"{name} gives and takes its own arrays, with the same bits")


def speed():
    law, count = bristle.lugre(), 1 << 20
    for dtype in (torch.float64, torch.float32):
        for fast in (False, True):
            contacts = law.contacts(count, np.dtype(str(dtype)[6:]), device="cuda", fast=fast, fc=np.linspace(0.9, 1.1, count))
            v = torch.full((count,), 0.01, dtype=dtype, device="cuda")
            w = torch.full((count,), 1e-3, dtype=dtype, device="cuda")
            for name, more in (("prescribed", {}), ("coupled", {"w": w})):
                took = []
                for _ in range(6):
                    torch.cuda.synchronize()
                    begin = time.perf_counter()
                    for _ in range(50):
                        contacts.step(v, H, **more)
                    torch.cuda.synchronize()
                    took.append(1e6 * (time.perf_counter() - begin) / 50)
                each = ", ".join(f"{x:.0f}" for x in took)
                print(f"python {dtype} {'fast' if fast else 'exact'} {name}: {each} us a step of 2^20 contacts")
    small = law.contacts(8, device="cuda")
    v = torch.full((8,), 0.01, dtype=torch.float64, device="cuda")
    begin = time.perf_counter()
    for _ in range(2000):
        small.step(v, H)
    torch.cuda.synchronize()
    print(f"python, 8 contacts: {1e6 * (time.perf_counter() - begin) / 2000:.0f} us a call")


if __name__ == "__main__":
    if not bristle.cuda.devices() or not torch.cuda.is_available():
        print("SKIP hardware: no NVIDIA GPU")
        sys.exit(77)
    for check in (same_bits, no_copies, streams, refusals, gradients, learning, others, speed):
        try:
            check()
        except Exception as error:  # one failure must not hide the others
            report(False, check.__name__, f"{type(error).__name__}: {error}")
    sys.exit(failed != 0)
