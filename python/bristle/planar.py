"""Contact patches in the plane: slip and spin together give a force and a torque."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from . import arrays
from ._library import NULL, ffi, lib
from .arrays import Array
from .errors import ParameterError, ShapeError, raise_status
from .law import Step
from .vector import VectorLaw, law


class Patch:
    """A patch of many cells, each with a bristle of a two-dimensional law per unit load.

    Velocities are (vx, vy, omega), wrenches (Fx, Fy, torque), about the reference point of the patch; they resist.
    """

    def __init__(self, friction: VectorLaw | None, cells: int) -> None:
        self.law = friction if friction is not None else default_law()
        if not isinstance(self.law, VectorLaw) or self.law.dim != 2 or self.law.load != "coefficient":
            raise ParameterError("a patch needs a vector law of 2 components per unit load: to_load('coefficient', n)")
        contact = self.law._contact()
        self._memory = np.zeros(int(lib.bristle_patch_memory(contact, cells)) + 1)
        self._keep = arrays.pointer(self._memory)
        self._patch = ffi.new("bristle_patch *")
        lib.bristle_patch_place(self._patch, contact, self._keep, cells)

    @classmethod
    def rectangle(cls, width: float, height: float, friction: VectorLaw | None = None, cells: int = 12) -> Patch:
        """A rectangle under uniform pressure, cells x cells."""
        n = arrays.whole(cells, "cells")
        patch, error = cls(friction, n * n), ffi.new("bristle_error *")
        raise_status(lib.bristle_patch_rectangle(patch._patch, n, n, width, height, NULL, NULL, error), error)
        return patch

    @classmethod
    def disk(cls, radius: float, friction: VectorLaw | None = None, rings: int = 8, inner: float = 0.0) -> Patch:
        """A disk, or a ring with an inner radius, under uniform pressure."""
        n = arrays.whole(rings, "rings")
        patch, error = cls(friction, n * 4 * n), ffi.new("bristle_error *")
        raise_status(lib.bristle_patch_ring(patch._patch, n, 4 * n, inner, radius, NULL, NULL, error), error)
        return patch

    @classmethod
    def points(cls, x: ArrayLike, y: ArrayLike, load: ArrayLike, friction: VectorLaw | None = None) -> Patch:
        """Cells at given places, with their parts of the load."""
        columns = [
            np.ascontiguousarray(arrays.as_array(a, name), np.float64)
            for name, a in (("x", x), ("y", y), ("load", load))
        ]
        if len({c.shape for c in columns}) != 1 or columns[0].ndim != 1:
            raise ShapeError("x, y and load: expected three lists of the same length")
        patch, error = cls(friction, columns[0].size), ffi.new("bristle_error *")
        place = [arrays.pointer(c) for c in columns]
        raise_status(lib.bristle_patch_cells(patch._patch, columns[0].size, *place, error), error)
        return patch

    @property
    def cells(self) -> int:
        """How many cells there are."""
        return int(self._patch.count)

    def reduced(self, segments: int = 20) -> Reduced:
        """The same contact with one bristle of three components; see `Reduced`."""
        return Reduced(self, segments)

    @staticmethod
    def _input(v: ArrayLike, n: float, h: float, w: ArrayLike | None, step: bool) -> Any:
        given, error = ffi.new("bristle_planar_input *"), ffi.new("bristle_error *")
        slip = arrays.as_array(v, "v").astype(np.float64)
        if slip.shape != (3,):
            raise ShapeError(f"v: expected (vx, vy, omega), got shape {slip.shape}")
        given.v, given.n, given.h = list(slip), float(n), float(h)
        if w is not None:
            matrix = arrays.as_array(w, "w").astype(np.float64)
            if matrix.shape != (3, 3):
                raise ShapeError(f"w: expected a 3 x 3 matrix, got shape {matrix.shape}")
            given.w = matrix.tolist()
        raise_status(lib.bristle_planar_check_input(given, int(step), error), error)
        return given

    def eval(self, v: ArrayLike, n: float = 1.0) -> Array:
        """The wrench at an instant."""
        wrench = np.zeros(3)
        lib.bristle_patch_eval(self._patch, self._input(v, n, 0.0, None, False), arrays.pointer(wrench), NULL)
        return wrench

    def step(self, v: ArrayLike, h: float, n: float = 1.0, w: ArrayLike | None = None) -> Step:
        """One step: wrench, the states of the cells (a view), velocity at its end."""
        wrench, end = np.zeros(3), np.zeros(3)
        given = self._input(v, n, arrays.step_length(h), w, True)
        lib.bristle_patch_step(self._patch, given, arrays.pointer(wrench), arrays.pointer(end))
        size = self.law.nstate * self.cells
        state = np.frombuffer(ffi.buffer(self._patch.s, 8 * size), np.float64).reshape(self.law.nstate, self.cells)
        return Step(wrench, state, end)

    def steady(self, v: ArrayLike, n: float = 1.0) -> Array:
        """The wrench after a long time at constant velocity."""
        wrench = np.zeros(3)
        lib.bristle_patch_steady(self._patch, self._input(v, n, 0.0, None, False), arrays.pointer(wrench))
        return wrench

    def energy(self, n: float = 1.0) -> float:
        """The energy stored in the bristles."""
        return float(lib.bristle_patch_energy(self._patch, n))


class Reduced:
    """A patch as one bristle with three components, which knows the pressure only through its limit surface.

    Much faster than the patch, and within a few per cent of it in steady sliding. `state` is the deflection: two
    lengths and the radius of gyration times an angle. `segments` of the surface's table for each quadrant; 0: an
    ellipsoid. It exists for lugre and elasto_plastic.
    """

    def __init__(self, patch: Patch, segments: int = 20) -> None:
        count = 0 if segments == 0 else arrays.whole(segments, "segments")
        self.law, error = patch.law, ffi.new("bristle_error *")
        if not lib.bristle_planar_suits(self.law.table.info):
            raise ParameterError(f"{self.law.name}: the reduced model exists for lugre and elasto_plastic")
        self._table = np.zeros(int(lib.bristle_surface_memory(count)) + 1)
        self._keep = arrays.pointer(self._table)
        self._surface, self._planar = ffi.new("bristle_surface *"), ffi.new("bristle_planar *")
        raise_status(lib.bristle_surface_init(self._surface, patch._patch, count, self._keep, error), error)
        raise_status(lib.bristle_planar_init(self._planar, self._surface, self.law._contact(), error), error)
        self.state: Array = np.zeros(3)

    @property
    def centre_of_pressure(self) -> tuple[float, float]:
        """Where the load acts, seen from the reference point."""
        return float(self._surface.cop[0]), float(self._surface.cop[1])

    @property
    def gyration(self) -> float:
        """Root mean square distance of the load from its centre."""
        return float(self._surface.gyration)

    def limit(self, v: ArrayLike) -> Array:
        """The wrench of steady sliding for a unit coefficient of friction and a unit load."""
        wrench, slip = np.zeros(3), ffi.new("double[3]", list(Patch._input(v, 1.0, 0.0, None, False).v))
        lib.bristle_surface_wrench(self._surface, slip, arrays.pointer(wrench))
        return wrench

    def eval(self, v: ArrayLike, n: float = 1.0) -> Array:
        """The wrench at an instant."""
        wrench, given = np.zeros(3), Patch._input(v, n, 0.0, None, False)
        lib.bristle_planar_eval(self._planar, arrays.pointer(self.state), given, arrays.pointer(wrench), NULL)
        return wrench

    def step(self, v: ArrayLike, h: float, n: float = 1.0, w: ArrayLike | None = None) -> Step:
        """One step: wrench, the deflection (a view), velocity at its end."""
        wrench, end = np.zeros(3), np.zeros(3)
        given = Patch._input(v, n, arrays.step_length(h), w, True)
        state = arrays.pointer(self.state)
        lib.bristle_planar_step(self._planar, state, given, arrays.pointer(wrench), arrays.pointer(end))
        return Step(wrench, self.state, end)

    def steady(self, v: ArrayLike, n: float = 1.0) -> Array:
        """The wrench after a long time at constant velocity."""
        wrench = np.zeros(3)
        lib.bristle_planar_steady(self._planar, Patch._input(v, n, 0.0, None, False), arrays.pointer(wrench))
        return wrench

    def energy(self, n: float = 1.0) -> float:
        """The energy stored in the bristle."""
        return float(lib.bristle_planar_energy(self._planar, arrays.pointer(self.state), n))


def default_law(name: str = "lugre") -> VectorLaw:
    """lugre or elasto_plastic with the usual parameters of planar patches, per unit load."""
    base = law(name, 2)
    values = base.values.copy()
    lib.bristle_planar_defaults(base.table.info, arrays.pointer(values))
    made = base._twin(1)
    made._set(values, False)
    result: VectorLaw = made
    return result
