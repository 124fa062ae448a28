"""Logs as roboticists keep them: ROS 2 bags, MCAP, LeRobot's Parquet, MATLAB, HDF5; each through its own package."""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Mapping
from importlib import import_module
from pathlib import Path
from typing import Any

import numpy as np

from .arrays import Array
from .errors import FileError, ParameterError, unknown

FIELDS = ("position", "velocity", "effort")


class Log(dict[str, Array]):
    """Columns by name; `identify` takes it as it is."""

    def __missing__(self, name: str) -> Array:
        raise unknown("there is no column", name, self)

    def to_pandas(self) -> Any:
        """The columns as a DataFrame."""
        import pandas as pd

        return pd.DataFrame(dict(self))


def read_log(path: str | os.PathLike[str], **choice: Any) -> Log:
    """Reads a log by the end of its name: .mcap, .db3 or a bag's folder, .parquet, .mat, .h5, .hdf5, .npz, .csv.

    topic, joint     of bags: the topic with sensor_msgs/JointState (or any message with numbers), and the joint's name
    joint, episode   of Parquet: which element of list columns (a number), which episode
    variables        of MATLAB and HDF5: the names to take, {"t": "data/time", "q": "data/pos"} renames
    """
    place = Path(path)
    if not place.exists():
        raise FileError(f"{place}: there is no such file; check the name and the folder")
    kind = "bag" if place.is_dir() or place.suffix == ".db3" else place.suffix.lower().lstrip(".")
    readers: dict[str, Callable[..., Log]] = {
        "mcap": _mcap,
        "bag": _bag,
        "parquet": _parquet,
        "mat": _mat,
        "h5": _hdf5,
        "hdf5": _hdf5,
        "npz": _npz,
        "csv": _csv,
    }
    if kind not in readers:
        raise FileError(f"{place}: expected one of .{', .'.join(readers)}, or the folder of a ROS 2 bag")
    return readers[kind](place, **choice)


def _need(module: str, package: str, extra: str) -> Any:
    try:
        return import_module(module)
    except ImportError:
        raise ImportError(f"this log needs {package}: pip install 'bristle[{extra}]'") from None


# ---- messages ----


def _messages(rows: Iterable[tuple[float, Any]], joint: str | None, where: str) -> Log:
    """Joint states, or whatever numbers a message holds, as columns."""
    columns: dict[str, list[float]] = {}
    count = 0
    for stamp, message in rows:
        values = (
            _joint_state(message, joint, where)
            if hasattr(message, "position") and hasattr(message, "name")
            else _flat(message)
        )
        t = _stamp(message)
        for name, value in {"t": stamp if t is None else t, **values}.items():
            columns.setdefault(name, [np.nan] * count).append(value)
        count += 1
    if not count:
        raise FileError(f"{where}: no messages")
    log = Log({name: np.array(values) for name, values in columns.items() if len(values) == count})
    log["t"] = log["t"] - log["t"][0]
    return log


def _stamp(message: Any) -> float | None:
    stamp = getattr(getattr(message, "header", None), "stamp", None)
    if stamp is None:
        return None
    t = float(stamp.sec) + 1e-9 * float(getattr(stamp, "nanosec", 0))
    return t if t > 0 else None


def _joint_state(message: Any, joint: str | None, where: str) -> dict[str, float]:
    names = list(message.name)
    if joint is None and len(names) > 1:
        raise ParameterError(f"{where}: which joint? There are: {', '.join(names)}")
    if joint is not None and joint not in names:
        raise unknown(f"{where}: there is no joint", joint, names)
    index = 0 if joint is None else names.index(joint)
    fields = {field: getattr(message, field) for field in FIELDS}
    return {field: float(values[index]) for field, values in fields.items() if len(values) > index}


def _flat(message: Any, prefix: str = "", depth: int = 0) -> dict[str, float]:
    """The numbers of any message: a.b for parts of parts."""
    found: dict[str, float] = {}
    names = getattr(message, "__slots__", None) or getattr(message, "__dict__", {})
    for name in names:
        value = getattr(message, name, None)
        if name.startswith("_") or name == "header" or depth > 3:
            continue
        if isinstance(value, (int, float, np.number)) and not isinstance(value, bool):
            found[prefix + name] = float(value)
        elif not isinstance(value, (str, bytes, list, tuple, np.ndarray)) and value is not None:
            found |= _flat(value, f"{prefix}{name}.", depth + 1)
    return found


def _topic(topics: Mapping[str, str], wanted: str | None, where: Path) -> str:
    if wanted is not None:
        if wanted not in topics:
            raise unknown(f"{where}: there is no topic", wanted, sorted(topics))
        return wanted
    states = [name for name, kind in topics.items() if kind.endswith("JointState")] or list(topics)
    if len(states) != 1:
        raise ParameterError(f"{where}: which topic? There are: {', '.join(sorted(topics))}")
    return states[0]


def _mcap(path: Path, topic: str | None = None, joint: str | None = None) -> Log:
    make_reader = _need("mcap.reader", "mcap", "mcap").make_reader
    factory = _need("mcap_ros2.decoder", "mcap-ros2-support", "mcap").DecoderFactory
    with path.open("rb") as stream:
        reader = make_reader(stream, decoder_factories=[factory()])
        summary = reader.get_summary()
        if summary is None:
            raise FileError(f"{path}: no summary at its end; the recording was cut off (mcap recover mends it)")
        kinds = {c.topic: summary.schemas[c.schema_id].name for c in summary.channels.values() if c.schema_id}
        chosen = _topic(kinds, topic, path)
        messages = ((1e-9 * m.log_time, decoded) for _, _, m, decoded in reader.iter_decoded_messages(topics=[chosen]))
        return _messages(messages, joint, f"{path} {chosen}")


def _bag(path: Path, topic: str | None = None, joint: str | None = None) -> Log:
    any_reader = _need("rosbags.highlevel", "rosbags", "ros").AnyReader
    stores = _need("rosbags.typesys", "rosbags", "ros")
    folder = path if path.is_dir() else path.parent
    with any_reader([folder], default_typestore=stores.get_typestore(stores.Stores.ROS2_HUMBLE)) as reader:
        kinds = {c.topic: c.msgtype for c in reader.connections}
        chosen = _topic(kinds, topic, path)
        connections = [c for c in reader.connections if c.topic == chosen]
        rows = ((1e-9 * t, reader.deserialize(raw, c.msgtype)) for c, t, raw in reader.messages(connections))
        return _messages(rows, joint, f"{path} {chosen}")


# ---- tables ----


def _parquet(path: Path, joint: int | None = None, episode: int | None = None) -> Log:
    table = _need("pyarrow.parquet", "pyarrow", "parquet").read_table(path)
    columns = {name: table.column(name).to_pylist() for name in table.column_names}
    rows = range(table.num_rows)
    if "episode_index" in columns:
        episodes = sorted(set(columns["episode_index"]))
        if episode is None and len(episodes) > 1:
            raise ParameterError(f"{path}: which episode? There are {episodes[0]} to {episodes[-1]}")
        wanted = episodes[0] if episode is None else episode
        if wanted not in episodes:
            raise unknown(f"{path}: there is no episode", str(wanted), map(str, episodes))
        rows = [i for i in rows if columns["episode_index"][i] == wanted]  # type: ignore[assignment]
    log = Log()
    for name, values in columns.items():
        chosen = [values[i] for i in rows]
        if chosen and isinstance(chosen[0], (list, tuple)):
            if joint is None:
                raise ParameterError(f"{path}: column {name!r} has {len(chosen[0])} elements; say joint=0, 1, ...")
            if not 0 <= joint < len(chosen[0]):
                raise ParameterError(f"{path}: joint = {joint}: column {name!r} has {len(chosen[0])} elements")
            chosen = [value[joint] for value in chosen]
        if chosen and isinstance(chosen[0], (int, float)):
            log["t" if name == "timestamp" else name] = np.array(chosen, float)
    return log


def _take(found: Mapping[str, Any], variables: Any, path: Path) -> Log:
    """The one-dimensional numbers, or those named."""
    vectors = {name: np.asarray(value).squeeze() for name, value in found.items()}
    good = {n: a for n, a in vectors.items() if a.ndim == 1 and a.dtype.kind in "iuf"}
    if variables is None:
        if not good:
            raise FileError(f"{path}: no one-dimensional numbers; there are: {', '.join(found) or 'no variables'}")
        length = max(a.size for a in good.values())
        return Log({n: a.astype(float) for n, a in good.items() if a.size == length})
    names = dict(variables) if isinstance(variables, Mapping) else {name: name for name in variables}
    for name in names.values():
        if name not in good:
            raise unknown(f"{path}: there is no one-dimensional variable", name, good)
    return Log({new: good[old].astype(float) for new, old in names.items()})


def _mat(path: Path, variables: Any = None) -> Log:
    with path.open("rb") as stream:
        head = stream.read(512)
    if b"MATLAB 7.3" in head or head[:8] == b"\x89HDF\r\n\x1a\n":
        return _hdf5(path, variables)
    raw = _need("scipy.io", "SciPy", "matlab").loadmat(path, simplify_cells=True)
    return _take(_nested({k: v for k, v in raw.items() if not k.startswith("__")}), variables, path)


def _nested(tree: Mapping[str, Any], prefix: str = "") -> dict[str, Any]:
    """Structures as a/b."""
    flat: dict[str, Any] = {}
    for name, value in tree.items():
        if isinstance(value, Mapping):
            flat |= _nested(value, f"{prefix}{name}/")
        elif isinstance(value, (np.ndarray, list)):
            flat[prefix + name] = np.asarray(value)
    return flat


def _hdf5(path: Path, variables: Any = None) -> Log:
    h5py = _need("h5py", "h5py", "hdf5")
    found: dict[str, Any] = {}
    with h5py.File(path, "r") as file:
        file.visititems(
            lambda name, item: found.__setitem__(name, item[()]) if isinstance(item, h5py.Dataset) else None
        )
    return _take({n: v for n, v in found.items() if isinstance(v, np.ndarray)}, variables, path)


def _npz(path: Path, variables: Any = None) -> Log:
    with np.load(path, allow_pickle=False) as file:
        return _take(dict(file), variables, path)


def _csv(path: Path) -> Log:
    from ._library import ffi, lib, text
    from .errors import raise_fault

    place, fault = ffi.new("bristle_table **"), ffi.new("bristle_fault *")
    raise_fault(lib.bristle_table_read(os.fsencode(path), place, fault), fault)
    table = ffi.gc(place[0], lib.bristle_table_free)
    made = Log()
    for i in range(table.columns):
        column = table.column[i]
        made[text(column.name)] = np.frombuffer(ffi.buffer(column.data, 8 * table.rows), np.float64).copy()
    return made
