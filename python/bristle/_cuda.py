"""libbristle-cuda and its memory: loaded when it is first asked for, arrays that PyTorch, CuPy and JAX share."""

from __future__ import annotations

import ctypes
import os
from collections.abc import Iterator
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any

import numpy as np

from ._library import HERE, NULL, ffi, name_bytes, text
from ._library import lib as here
from .arrays import POINTER, Array
from .errors import BristleError, ParameterError, ShapeError

CPU, CUDA, MANAGED = 1, 2, 13  # DLPack's numbers of devices
NAME = "libbristle-cuda.so"


class CudaError(BristleError, RuntimeError):
    """There is no GPU, no library for it, or a call on it failed."""


# ---- the library ----


def _soversion(version: str) -> str:
    """The version of the interface: before 1.0 a minor version may change it."""
    major, minor, _ = version.split(".")
    return major if major != "0" else f"0.{minor}"


def _places() -> list[Path]:
    named = os.environ.get("BRISTLE_CUDA")
    if named:
        path = Path(named) / NAME if Path(named).is_dir() else Path(named)
        if not path.is_file():
            raise CudaError(f"BRISTLE_CUDA={named}: there is no {NAME}; `make cuda` puts one into build/cuda")
        return [path]
    return [HERE / NAME, HERE.parents[1] / "build" / "cuda" / NAME]


@cache
def library() -> Any:
    """libbristle-cuda, on a machine with a GPU."""
    own = text(here.bristle_version())
    soname = f"{NAME}.{_soversion(own)}"  # what an installed library is known by; NAME alone is for linkers
    found = next((str(path) for path in _places() if path.is_file()), soname)
    try:
        lib = ffi.dlopen(found)
    except OSError as error:
        raise CudaError(
            f"{NAME} cannot be loaded: `make cuda` builds it below build/cuda; then set BRISTLE_CUDA to that folder, "
            f"or copy {NAME} and libbristle.so.{_soversion(own)} beside the package in {HERE} ({error})"
        ) from None
    version = text(lib.bristle_version())
    if version != own:
        raise CudaError(f"{found} is of version {version}, this package of {own}: run `make cuda` in its sources")
    if lib.bristle_cuda_devices() < 1:
        raise CudaError("there is no GPU that CUDA can use: no NVIDIA device, or no driver for it (see nvidia-smi)")
    return lib


def check(error: int, what: str) -> None:
    """An error of the CUDA runtime as an exception."""
    if error:
        raise CudaError(f"{what}: {text(library().bristle_cuda_error(error))}")


@cache
def find_law(name: str) -> Any:
    """A law in the library that libbristle-cuda stands on: its registry goes by addresses of its own."""
    law = library().bristle_cuda_law(name_bytes(name))
    if law == NULL:
        raise CudaError(f"{NAME} has no law {name!r}: run `make cuda` again")
    return law


def device_number(device: Any) -> int:
    """'cuda', 'cuda:1', 1, or torch.device('cuda', 1)."""
    if isinstance(device, int) and not isinstance(device, bool):
        number = device
    else:
        kind, _, index = str(device).partition(":")
        if kind != "cuda" or (index and not index.isdigit()):
            raise ParameterError(f"device: expected 'cpu', 'cuda' or 'cuda:0', got {device!r}")
        number = int(index or 0)
    count = library().bristle_cuda_devices()
    if not 0 <= number < count:
        raise ParameterError(
            f"device: cuda:{number} is not there; this machine has {count}: cuda:0 to cuda:{count - 1}"
        )
    return number


@contextmanager
def using(device: int) -> Iterator[None]:
    """The thread's device, for as long as this lasts."""
    before = ffi.new("int *")
    check(library().bristle_cuda_use(device, before), f"cuda:{device}")
    try:
        yield
    finally:
        library().bristle_cuda_use(before[0], NULL)


# ---- streams ----


class Streams:
    """The stream in which some memory was last worked on."""

    def __init__(self) -> None:
        self.last = 0

    def enter(self, stream: int) -> None:
        """Work goes on in this stream, after what is in the last one."""
        if stream != self.last:
            check(library().bristle_cuda_follow(_handle(stream), _handle(self.last)), "stream")
            self.last = stream


def _handle(stream: int) -> Any:
    return ffi.cast("void *", stream)


def _top(value: Any) -> str:
    return type(value).__module__.partition(".")[0]


def stream_number(stream: Any, like: Any, device: int) -> int:
    """The handle of a stream: the one that was given, or the current one of the package whose array this is."""
    if stream is None:
        kind = _top(like)
        if kind == "torch":
            import torch  # type: ignore[import-not-found,unused-ignore]

            return int(torch.cuda.current_stream(device).cuda_stream)
        if kind == "cupy":
            import cupy  # type: ignore[import-not-found,unused-ignore]

            return int(cupy.cuda.get_current_stream().ptr)
        return 0
    for name in ("cuda_stream", "ptr"):
        if hasattr(stream, name):
            return int(getattr(stream, name))
    if hasattr(stream, "__cuda_stream__"):
        return int(stream.__cuda_stream__()[1])
    if isinstance(stream, int) and not isinstance(stream, bool) and stream >= 0:
        return stream
    raise ParameterError(f"stream: expected a stream of PyTorch or CuPy, or its handle; got {stream!r}")


# ---- arrays on the device ----


class _Tensor(ctypes.Structure):
    _fields_ = [
        ("data", ctypes.c_void_p),
        ("kind", ctypes.c_int32),
        ("device", ctypes.c_int32),
        ("ndim", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("offset", ctypes.c_uint64),
    ]


_python = ctypes.pythonapi
_python.PyCapsule_New.restype = ctypes.py_object
_python.PyCapsule_New.argtypes = [ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p]
_python.PyCapsule_GetPointer.restype = ctypes.c_void_p
_python.PyCapsule_GetPointer.argtypes = [ctypes.py_object, ctypes.c_char_p]
_TENSOR = b"dltensor"


@cache
def _capsule_end() -> int:
    """The destructor of capsules, told where the interpreter's functions are."""
    given = [ctypes.cast(f, ctypes.c_void_p).value for f in (_python.PyCapsule_IsValid, _python.PyCapsule_GetPointer)]
    here.bristle_capsule_interpreter(
        ffi.cast("int (*)(void *, const char *)", given[0]), ffi.cast("void *(*)(void *, const char *)", given[1])
    )
    return int(ffi.cast("uintptr_t", ffi.addressof(here, "bristle_capsule_end")))


class DeviceArray:
    """An array on a GPU: `torch.from_dlpack`, `cupy.from_dlpack` and `jax.dlpack.from_dlpack` take it without a copy;
    `numpy()` copies it to the processor."""

    def __init__(
        self, shape: tuple[int, ...], dtype: Any, device: int, streams: Streams, *, block: Any = None, offset: int = 0
    ) -> None:
        self.shape, self.dtype, self.device, self.streams = shape, np.dtype(dtype), device, streams
        self.nbytes = int(np.prod(shape, dtype=np.int64)) * self.dtype.itemsize
        if block is None:
            made = ffi.new("bristle_cuda_block **")
            check(library().bristle_cuda_new(device, self.nbytes, made), f"{self.nbytes} bytes on cuda:{device}")
            block = ffi.gc(made[0], library().bristle_cuda_release)
        self._block, self._offset = block, offset
        self.address = int(ffi.cast("uintptr_t", library().bristle_cuda_data(block))) + offset

    def part(self, first: int, shape: tuple[int, ...]) -> DeviceArray:
        """Numbers from the given one on, in the same memory."""
        offset = self._offset + first * self.dtype.itemsize
        return DeviceArray(shape, self.dtype, self.device, self.streams, block=self._block, offset=offset)

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, row: int) -> DeviceArray:
        if len(self.shape) != 2 or not -self.shape[0] <= row < self.shape[0]:
            raise IndexError(f"row {row} of an array of shape {self.shape}")
        return self.part(row % self.shape[0] * self.shape[1], self.shape[1:])

    def __repr__(self) -> str:
        return f"<{self.dtype} array {self.shape} on cuda:{self.device}>"

    def numpy(self) -> Array:
        """A copy on the processor, when all work on it is done."""
        made = np.empty(self.shape, self.dtype)
        stream = _handle(self.streams.last)
        memory = ffi.from_buffer("char[]", made) if self.nbytes else NULL
        with using(self.device):
            check(library().bristle_cuda_copy(memory, ffi.cast("void *", self.address), self.nbytes, stream), "copy")
            check(library().bristle_cuda_wait(stream), f"cuda:{self.device}")
        return made

    def put(self, values: Any) -> None:
        """Numbers from the processor, broadcast."""
        made = np.ascontiguousarray(np.broadcast_to(np.asarray(values, self.dtype), self.shape))
        stream = _handle(self.streams.last)
        memory = ffi.from_buffer("char[]", made) if self.nbytes else NULL
        with using(self.device):
            check(library().bristle_cuda_copy(ffi.cast("void *", self.address), memory, self.nbytes, stream), "copy")
            check(library().bristle_cuda_wait(stream), f"cuda:{self.device}")

    def __array__(self, dtype: Any = None, copy: Any = None) -> Array:
        made = self.numpy()
        return made if dtype is None else made.astype(dtype)

    def __dlpack_device__(self) -> tuple[int, int]:
        return (CUDA, self.device)

    def __dlpack__(
        self, *, stream: Any = None, max_version: Any = None, dl_device: Any = None, copy: Any = None
    ) -> Any:
        if copy or (dl_device is not None and tuple(dl_device) != self.__dlpack_device__()):
            raise BufferError("this array is lent where it is, without a copy")
        asked = 0 if stream in (None, 0, 1) else int(stream)
        if asked >= 0 and asked != self.streams.last:  # -1: the caller takes care of the order
            with using(self.device):
                check(library().bristle_cuda_follow(_handle(asked), _handle(self.streams.last)), "stream")
        shape, bits = ffi.new("int64_t[]", list(self.shape)), 8 * self.dtype.itemsize
        lent = library().bristle_cuda_lend(self._block, self._offset, bits, len(self.shape), shape)
        if lent == NULL:
            raise MemoryError("no memory for a tensor")
        return _python.PyCapsule_New(int(ffi.cast("uintptr_t", lent)), _TENSOR, _capsule_end())

    @property
    def __cuda_array_interface__(self) -> dict[str, Any]:
        return {
            "shape": self.shape,
            "typestr": self.dtype.str,
            "data": (self.address, False),
            "strides": None,
            "stream": self.streams.last or 1,
            "version": 3,
        }


class Loan:
    """Somebody else's array: its address, for as long as this object lives."""

    def __init__(self, address: int, shape: tuple[int, ...], dtype: Any, strides: Any, keeps: Any) -> None:
        self.address, self.shape, self.dtype, self.strides, self.keeps = address, shape, dtype, strides, keeps


def _by_dlpack(value: Any, what: str, device: int, stream: int) -> Loan:
    kind, number = (int(x) for x in value.__dlpack_device__())
    if kind not in (CUDA, MANAGED) or number != device:
        place = "the memory of the processor" if kind == CPU else f"cuda:{number}" if kind == CUDA else f"device {kind}"
        raise ParameterError(f"{what}: lies in {place}, the contacts on cuda:{device}; move it there first")
    try:
        capsule = value.__dlpack__(stream=stream or 1)
    except (BufferError, RuntimeError, TypeError) as error:
        raise ParameterError(f"{what}: {error} (steps with gradients are those of bristle.torch)") from None
    tensor = _Tensor.from_address(_python.PyCapsule_GetPointer(capsule, _TENSOR))
    shape = tuple(tensor.shape[i] for i in range(tensor.ndim))
    strides = tuple(tensor.strides[i] for i in range(tensor.ndim)) if tensor.strides else None
    dtype = np.dtype(f"f{tensor.bits // 8}") if tensor.code == 2 and tensor.bits in (32, 64) else None
    kind_of_number = dtype if dtype is not None else f"kind {tensor.code} of {tensor.bits} bits"
    return Loan((tensor.data or 0) + tensor.offset, shape, kind_of_number, strides, (value, capsule))


def _by_interface(value: Any, stream: int) -> Loan:
    given = value.__cuda_array_interface__
    dtype, strides = np.dtype(given["typestr"]), given.get("strides")
    theirs = given.get("stream")
    if theirs is not None and (0 if theirs == 1 else theirs) != stream:
        check(library().bristle_cuda_follow(_handle(stream), _handle(0 if theirs == 1 else theirs)), "stream")
    counted = None if strides is None else tuple(s // dtype.itemsize for s in strides)
    return Loan(int(given["data"][0]), tuple(given["shape"]), dtype, counted, value)


def is_on_device(value: Any) -> bool:
    """Has it memory that is not a list, a number or a NumPy array?"""
    return hasattr(value, "__dlpack__") or hasattr(value, "__cuda_array_interface__")


def borrow(value: Any, what: str, shape: tuple[int, ...], dtype: Any, device: int, stream: int) -> Any:
    """The memory of an array as it is, or a sentence that says what does not fit."""
    if not is_on_device(value):
        raise ParameterError(
            f"{what}: expected an array on cuda:{device} (PyTorch, CuPy, JAX) or one number; got {type(value).__name__}"
        )
    with_dlpack = hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__")
    loan = _by_dlpack(value, what, device, stream) if with_dlpack else _by_interface(value, stream)
    if loan.dtype != dtype:
        raise ParameterError(f"{what}: expected {dtype}, the contacts' own; got {loan.dtype}")
    if loan.shape != shape:
        raise ShapeError(f"{what}: expected shape {shape}; got {loan.shape}")
    dense: list[int] = []
    size = 1
    for n in reversed(shape):
        dense.insert(0, size)
        size *= n
    if loan.strides is not None and any(n > 1 and a != b for n, a, b in zip(shape, loan.strides, dense, strict=True)):
        raise ShapeError(f"{what}: expected contiguous memory, got strides {loan.strides}; make it contiguous first")
    return loan


def memory(array: Any, dtype: Any) -> Any:
    """A pointer for the library; None is NULL."""
    kind = POINTER[np.dtype(dtype)].replace("[]", " *")
    return NULL if array is None else ffi.cast(kind, array.address)


def as_kind(array: DeviceArray, like: Any) -> Any:
    """The same memory as an array of the package that `like` belongs to."""
    kind = _top(like)
    if kind == "torch":
        import torch

        return torch.from_dlpack(array)
    if kind == "cupy":
        import cupy

        return cupy.from_dlpack(array)
    if kind in ("jax", "jaxlib"):
        import jax

        return jax.dlpack.from_dlpack(array)
    return array


def is_constant(like: Any) -> bool:
    """Arrays of JAX never change, so that each result needs memory of its own."""
    return _top(like) in ("jax", "jaxlib")
