"""Numbers and arrays on their way to the library: broadcasting, precision, memory that it may read and write."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from ._library import NULL, ffi
from .errors import ParameterError, ShapeError

Array = NDArray[Any]
POINTER = {np.dtype(np.float64): "double[]", np.dtype(np.float32): "float[]"}


def as_array(value: ArrayLike, what: str) -> Array:
    """Any input as an array of floats: float32 stays, everything else that is a number becomes float64."""
    if isinstance(value, np.ma.MaskedArray) and np.ma.is_masked(value):
        count = np.count_nonzero(value.mask)
        raise ParameterError(
            f"{what}: {count} values are masked; fill them (a.filled(nan)) or leave them out (a.compressed())"
        )
    try:
        array = np.asarray(value)
    except ValueError as error:
        raise ShapeError(f"{what}: {error}") from None
    except Exception as error:  # arrays of other packages refuse in their own words: of another device, with gradients
        raise ParameterError(f"{what}: expected numbers, got {type(value).__name__}, which says: {error}") from error
    if array.dtype in POINTER:
        return array
    if array.dtype.kind not in "iufb":
        raise ParameterError(f"{what}: expected numbers, got {array.dtype} {str(value)[:60]!r}")
    return array.astype(np.float64)


def common_dtype(values: list[tuple[str, ArrayLike | None]]) -> np.dtype[Any]:
    """float32 when all arrays are; plain Python numbers have no say."""
    kinds = {as_array(v, name).dtype for name, v in values if v is not None and not isinstance(v, (int, float))}
    return np.dtype(np.float32) if kinds == {np.dtype(np.float32)} else np.dtype(np.float64)


def broadcast(
    values: list[tuple[str, ArrayLike | None]], dtype: np.dtype[Any]
) -> tuple[tuple[int, ...], list[Array | None]]:
    """The common shape, and each array in it, contiguous; None stays None."""
    arrays = [None if v is None else as_array(v, name) for name, v in values]
    try:
        shape = np.broadcast_shapes(*(a.shape for a in arrays if a is not None))
    except ValueError:
        shapes = ", ".join(f"{name} {a.shape}" for (name, _), a in zip(values, arrays, strict=True) if a is not None)
        raise ShapeError(f"these arrays do not broadcast together: {shapes}") from None
    full = [None if a is None else np.ascontiguousarray(np.broadcast_to(a, shape), dtype) for a in arrays]
    return shape, full


def states(
    value: ArrayLike | None, initial: Array, shape: tuple[int, ...], dtype: np.dtype[Any], names: tuple[str, ...]
) -> Array:
    """A fresh block of states, one row for each number: shape (nstate, ...)."""
    count = len(initial)
    given = initial if value is None else as_array(value, "s")
    if given.ndim == 0 and count == 1:
        given = given.reshape(1)
    if given.ndim == 0 or given.shape[0] != count:
        rows = ", ".join(names) or "none"
        raise ShapeError(
            f"s: expected {count} rows ({rows}) first, then the shape of the inputs; got shape {given.shape}"
        )
    tail = given.shape[1:]
    if len(tail) < len(shape):
        given = given.reshape((count,) + (1,) * (len(shape) - len(tail)) + tail)
    try:
        return np.array(np.broadcast_to(given, (count, *shape)), dtype, order="C")
    except ValueError:
        raise ShapeError(f"s: shape {given.shape} does not fit ({count}, *{shape})") from None


def state_shape(value: ArrayLike | None) -> tuple[int, ...]:
    """What the states add to the common shape."""
    return np.shape(value)[1:] if value is not None and np.ndim(value) else ()


def pointer(array: Array | None) -> Any:
    """The memory of a contiguous array; the result keeps it alive."""
    return NULL if array is None else ffi.from_buffer(POINTER[array.dtype], array)


def result(out: Array | None, shape: tuple[int, ...], dtype: np.dtype[Any], what: str = "out") -> Array:
    """Where a result goes: the caller's array, when it fits as it is, or a new one."""
    if out is None:
        return np.empty(shape, dtype)
    if not isinstance(out, np.ndarray):
        raise ShapeError(f"{what}: expected an array of shape {shape}, got {type(out).__name__}")
    if out.shape != shape or out.dtype != dtype:
        raise ShapeError(f"{what}: expected shape {shape} of {dtype}, got {out.shape} of {out.dtype}")
    if not out.flags.writeable:
        raise ShapeError(f"{what}: the array is read-only")
    return out if out.flags.c_contiguous else np.empty(shape, dtype)


def deliver(made: Array, out: Array | None) -> Any:
    """Into the caller's strided array if that could not be written directly; single numbers as such."""
    if out is not None and made is not out:
        out[...] = made
        return out
    return made if made.ndim or out is not None else made[()]


def step_length(h: Any) -> float:
    """h > 0, or a sentence."""
    try:
        value = float(h)
    except (TypeError, ValueError):
        raise ParameterError(f"h: expected the length of the step in s, one number for all; got {h!r}") from None
    if not (0 < value < math.inf):
        raise ParameterError(f"h = {value!r}: a step needs a length h > 0")
    return value


def whole(value: Any, what: str, least: int = 1) -> int:
    """A whole number, or a sentence."""
    if isinstance(value, bool) or not hasattr(value, "__index__"):
        raise ParameterError(f"{what}: expected a whole number, got {value!r}")
    number = value.__index__()
    if number < least:
        raise ParameterError(f"{what} = {number}: expected at least {least}")
    return int(number)


def refuse_negative(array: Array | None, what: str) -> None:
    """A compliance below zero has no meaning, and a search for it no end."""
    if array is not None and array.size and not array.min() >= 0:
        bad = array.min()
        raise ParameterError(f"{what} = {bad}: must be 0 (prescribed motion) or more")
