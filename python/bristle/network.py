"""Many contacts solved together: the joints of a robot, a pile, a row of blocks."""

from __future__ import annotations

import threading
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import NULL, ffi, lib
from .arrays import Array
from .errors import ParameterError, ShapeError
from .law import Law, _initial
from .vector import VectorLaw


class NetworkStep(NamedTuple):
    """Forces and end velocities; whether they fit together to 1e-12, and how well."""

    force: Array
    velocity: Array
    converged: bool
    residual: float
    sweeps: int


class NetworkTangent(NamedTuple):
    """Derivatives of the forces of a step: by the free velocities (rows x rows), by the loads (rows x contacts), and by
    the parameters of each contact (a list: rows x its parameters)."""

    v: Array
    n: Array
    p: list[Array]


class Network:
    """Contacts coupled by a compliance matrix: u = v - W F(u).

    `laws` has a law for each contact; scalar laws take one row of v and W, vector laws two or three. `state` is a list
    of arrays, one for each contact, advanced by `step`.
    """

    def __init__(self, laws: Sequence[Law | VectorLaw]) -> None:
        if not laws or not all(isinstance(law, (Law, VectorLaw)) for law in laws):
            raise ParameterError("a network needs a list of laws, one for each contact")
        self.laws = list(laws)
        self._contacts = ffi.new("bristle_network_contact[]", len(laws))
        sizes = [law.table.nstate for law in laws]
        self._block = np.zeros(sum(sizes) + 1)
        self.state: list[Array] = []
        place = 0
        for contact, law, size in zip(self._contacts, self.laws, sizes, strict=True):
            contact.law, contact.vector = (law._law.f64, NULL) if isinstance(law, Law) else (NULL, law._model)
            contact.p, contact.load, contact.n = law._cp, law._load, 1.0
            contact.s = ffi.cast("double *", ffi.from_buffer("double[]", self._block)) + place
            self.state.append(self._block[place : place + size])
            place += size
        self._diffs = ffi.new("bristle_network_diff[]", len(laws))
        for diff, law in zip(self._diffs, self.laws, strict=True):
            diff.law, diff.vector = (law._law.diff, NULL) if isinstance(law, Law) else (NULL, law._diff)
        self._net = ffi.new("bristle_network *")
        self._net.count, self._net.contact = len(laws), self._contacts
        self.rows = int(lib.bristle_network_rows(self._net))
        self._work = np.zeros(int(lib.bristle_network_work(self._net)) + 1)
        self._lock = threading.Lock()
        self.reset()

    def __len__(self) -> int:
        return len(self.laws)

    def reset(self) -> None:
        """All states back to those of the beginning."""
        for law, state in zip(self.laws, self.state, strict=True):
            state[:] = _initial(law.table) if isinstance(law, Law) else 0.0

    def step(
        self, v: ArrayLike, w: ArrayLike, h: float, *, n: ArrayLike = 1.0, x: ArrayLike = 0.0, u: ArrayLike = 0.0
    ) -> NetworkStep:
        """One step: free velocities v, compliance w (symmetric, positive definite), loads n, positions x, a guess u of
        the end velocities (those at the start of the step)."""
        return self._solve(v, w, h, n, x, u)[0]

    def tangent(
        self, v: ArrayLike, w: ArrayLike, h: float, *, n: ArrayLike = 1.0, x: ArrayLike = 0.0, u: ArrayLike = 0.0
    ) -> NetworkTangent:
        """Exact derivatives of the forces that `step` would give; the states stay as they are."""
        tangent = self._solve(v, w, h, n, x, u, slopes=True)[1]
        if tangent is None:
            raise ParameterError("the contacts found no common solution, so there is no tangent; take a shorter step")
        return tangent

    def _solve(
        self, v: ArrayLike, w: ArrayLike, h: float, n: ArrayLike, x: ArrayLike, u: ArrayLike, slopes: bool = False
    ) -> tuple[NetworkStep, NetworkTangent | None]:
        matrix = self._fill(w, (self.rows, self.rows), "w")
        if not np.allclose(matrix, matrix.T, rtol=1e-9, atol=0.0) or not np.all(np.diag(matrix) > 0):
            raise ParameterError(
                "w: a compliance is symmetric and positive definite (h times the inverse of a mass matrix)"
            )
        free, guess = self._fill(v, (self.rows,), "v"), self._fill(u, (self.rows,), "u")
        loads, places = self._fill(n, (len(self.laws),), "n"), self._fill(x, (len(self.laws),), "x")
        force, net, length = np.zeros(self.rows), self._net, arrays.step_length(h)
        if not self._lock.acquire(False):
            raise RuntimeError("this network is being stepped by another thread; give each thread its own")
        try:
            for contact, load, place in zip(self._contacts, loads, places, strict=True):
                contact.n, contact.x = load, place
            kept = [arrays.pointer(a) for a in (matrix, free, force, guess, self._work)]
            net.w, net.v, net.f, net.u = kept[:4]
            net.h, before = length, self._block.copy()
            report = lib.bristle_network_solve(net, kept[4])
            tangent = None
            if slopes:
                self._block[:] = before
                tangent = self._tangent() if report.converged else None
        finally:
            self._lock.release()
        step = NetworkStep(force, guess, bool(report.converged), float(report.residual), int(report.sweeps))
        return step, tangent

    def _tangent(self) -> NetworkTangent:
        counts = [law.table.nparam for law in self.laws]
        by_v, by_n = np.zeros((self.rows, self.rows)), np.zeros((self.rows, len(self.laws)))
        by_p, work = np.zeros((self.rows, sum(counts))), np.zeros(int(lib.bristle_network_tangent_work(self._net)) + 1)
        out = ffi.new("bristle_network_slopes *")
        kept = [arrays.pointer(a) for a in (by_v, by_n, by_p, work)]
        out.v, out.n, out.p = kept[:3]
        lib.bristle_network_tangent(self._net, self._diffs, out, kept[3])
        return NetworkTangent(by_v, by_n, np.split(by_p, np.cumsum(counts)[:-1], axis=1))

    @staticmethod
    def _fill(value: ArrayLike, shape: tuple[int, ...], what: str) -> Array:
        array = arrays.as_array(value, what)
        if array.ndim and array.shape != shape:
            raise ShapeError(f"{what}: expected shape {shape}, got {array.shape}")
        if len(shape) == 2 and array.ndim == 0:
            array = np.eye(shape[0]) * array
        full = np.array(np.broadcast_to(array, shape), np.float64, order="C")
        if not np.all(np.isfinite(full)):
            raise ParameterError(f"{what}: all numbers must be finite")
        return full

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(repr(self))

    def __repr__(self) -> str:
        return f"<network of {len(self.laws)} contacts, {self.rows} rows>"
