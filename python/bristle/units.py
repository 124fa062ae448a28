"""Quantities with units: the library's own reader."""

from __future__ import annotations

from typing import SupportsFloat

from ._library import ffi, lib
from .errors import ParameterError, UnitError, raise_fault


def quantity(value: SupportsFloat | str, unit: str, what: str = "") -> float:
    """The value in SI: `quantity("100 N/mm", "N/m")` is 1e5; a plain number is already in SI."""
    return read(value, unit, what)[0]


def read(value: SupportsFloat | str, unit: str, what: str = "") -> tuple[float, int]:
    """The value in SI and which of several units ("N/m|N*m/rad") fits; -1 for a plain number."""
    about = f"{what}: " if what else ""
    if not isinstance(value, str):
        if isinstance(value, (bool, complex)) or not hasattr(value, "__float__"):
            raise ParameterError(f"{about}expected a number or a text such as '2 {unit.split('|')[0]}', got {value!r}")
        try:
            return float(value), -1
        except (TypeError, ValueError, OverflowError) as error:
            raise ParameterError(f"{about}{value!r} is no single number: {error}") from None
    data = value.encode("utf-8", "replace")
    result, which, fault = ffi.new("double *"), ffi.new("int *"), ffi.new("bristle_fault *")
    kind = lib.bristle_quantity_read(data, len(data), unit.encode(), result, which, fault)
    raise_fault(kind, fault, about, ParameterError)
    return float(result[0]), int(which[0])


def same_dimension(a: str, b: str) -> bool:
    """Have two units the same dimension?"""
    scales = []
    for unit in (a, b):
        scale, fault = ffi.new("bristle_unit_scale *"), ffi.new("bristle_fault *")
        data = unit.encode()
        if lib.bristle_unit_read(data, len(data), scale, fault):
            raise UnitError(f"unknown unit {unit!r}")
        scales.append(scale)
    return bool(lib.bristle_unit_same_dimension(*scales))
