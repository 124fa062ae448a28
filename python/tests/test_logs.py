"""Logs of robots, written here with the packages that read them."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import bristle
from bristle.logs import read_log

T = np.arange(50) * 0.01
JOINTS = ["shoulder", "elbow"]


def values(k: int) -> tuple[list[float], list[float], list[float]]:
    return [0.0, np.sin(T[k])], [0.0, np.cos(T[k])], [1.0, 2.0 * T[k]]


def check(log: Any) -> None:
    assert np.allclose(log["t"], T) and np.allclose(log["position"], np.sin(T))
    assert np.allclose(log["velocity"], np.cos(T)) and np.allclose(log["effort"], 2 * T)
    assert list(log.to_pandas().columns) == list(log)


def test_mcap(tmp_path: Path) -> None:
    pytest.importorskip("mcap_ros2")
    from mcap_ros2.writer import Writer

    path = tmp_path / "run.mcap"
    definition = """std_msgs/Header header
string[] name
float64[] position
float64[] velocity
float64[] effort
================================================================================
MSG: std_msgs/Header
builtin_interfaces/Time stamp
string frame_id
================================================================================
MSG: builtin_interfaces/Time
int32 sec
uint32 nanosec"""
    with path.open("wb") as stream:
        writer = Writer(stream)
        schema = writer.register_msgdef("sensor_msgs/msg/JointState", definition)
        for k in range(len(T)):
            stamp = {"sec": 100 + round(1e9 * T[k]) // 10**9, "nanosec": round(1e9 * T[k]) % 10**9}
            p, v, e = values(k)
            message = {
                "header": {"stamp": stamp, "frame_id": ""},
                "name": JOINTS,
                "position": p,
                "velocity": v,
                "effort": e,
            }
            writer.write_message("/joint_states", schema, message, log_time=k)
        writer.finish()
    check(read_log(path, topic="/joint_states", joint="elbow"))
    with pytest.raises(bristle.ParameterError, match="which joint"):
        read_log(path)
    with pytest.raises(bristle.UnknownNameError, match="did you mean elbow"):
        read_log(path, joint="elbw")
    with pytest.raises(bristle.UnknownNameError, match="there is no topic"):
        read_log(path, topic="/joints")


def test_ros_bag(tmp_path: Path) -> None:
    pytest.importorskip("rosbags")
    from rosbags.rosbag2 import Writer
    from rosbags.typesys import Stores, get_typestore

    store = get_typestore(Stores.ROS2_HUMBLE)
    kind: Any = store.types
    state, header, time = (
        kind[n] for n in ("sensor_msgs/msg/JointState", "std_msgs/msg/Header", "builtin_interfaces/msg/Time")
    )
    bag = tmp_path / "bag"
    with Writer(bag, version=9) as writer:
        connection = writer.add_connection("/joint_states", state.__msgtype__, typestore=store)
        for k in range(len(T)):
            stamp = time(sec=100 + round(1e9 * T[k]) // 10**9, nanosec=round(1e9 * T[k]) % 10**9)
            p, v, e = (np.array(a) for a in values(k))
            message = state(header=header(stamp=stamp, frame_id=""), name=JOINTS, position=p, velocity=v, effort=e)
            writer.write(connection, k, store.serialize_cdr(message, state.__msgtype__))
    check(read_log(bag, joint="elbow"))


def test_parquet_of_lerobot(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow")
    from pyarrow import parquet

    two = 2 * len(T)
    columns = {
        "timestamp": np.concatenate([T, T]),
        "episode_index": np.repeat([0, 1], len(T)),
        "observation.state": [[0.0, float(np.sin(T[k % len(T)]))] for k in range(two)],
        "task": ["push"] * two,
    }
    parquet.write_table(arrow.table(columns), tmp_path / "data.parquet")
    log = read_log(tmp_path / "data.parquet", joint=1, episode=1)
    assert np.allclose(log["t"], T) and np.allclose(log["observation.state"], np.sin(T)) and "task" not in log
    with pytest.raises(bristle.ParameterError, match="which episode"):
        read_log(tmp_path / "data.parquet", joint=1)
    with pytest.raises(bristle.ParameterError, match="say joint=0"):
        read_log(tmp_path / "data.parquet", episode=0)


def test_matlab_and_hdf5(tmp_path: Path) -> None:
    scipy = pytest.importorskip("scipy.io")
    h5py = pytest.importorskip("h5py")
    scipy.savemat(tmp_path / "a.mat", {"log": {"time": T, "pos": np.sin(T)}, "gain": 3.0})
    log = read_log(tmp_path / "a.mat", variables={"t": "log/time", "q": "log/pos"})
    assert np.allclose(log["q"], np.sin(T)) and list(log) == ["t", "q"]
    with h5py.File(tmp_path / "a.h5", "w") as file:
        file["log/time"], file["log/pos"], file["note"] = T, np.sin(T), "x"
    assert np.allclose(read_log(tmp_path / "a.h5")["log/pos"], np.sin(T))
    with pytest.raises(bristle.UnknownNameError, match="log/time"):
        read_log(tmp_path / "a.h5", variables=["log/tim"])
    np.savez(tmp_path / "a.npz", t=T, q=np.sin(T))
    assert list(read_log(tmp_path / "a.npz")) == ["t", "q"]


def test_csv_in_si(tmp_path: Path) -> None:
    (tmp_path / "a.csv").write_text("t [s];x [mm]\n0;1,5\n1;2\n")
    assert read_log(tmp_path / "a.csv")["x"].tolist() == [0.0015, 0.002]


def test_what_cannot_be_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with pytest.raises(bristle.FileError, match="no such file"):
        read_log(tmp_path / "absent.mcap")
    (tmp_path / "a.docx").touch()
    with pytest.raises(bristle.FileError, match="expected one of"):
        read_log(tmp_path / "a.docx")
    (tmp_path / "a.parquet").touch()
    monkeypatch.setitem(__import__("sys").modules, "pyarrow.parquet", None)
    with pytest.raises(ImportError, match=r"pip install 'bristle\[parquet\]'"):
        read_log(tmp_path / "a.parquet")


def test_messages_of_other_kinds() -> None:
    from bristle.logs import _messages

    rows = [(k * 0.1, SimpleNamespace(data=float(k), wrench=SimpleNamespace(x=1.0), note="n")) for k in range(3)]
    log = _messages(rows, None, "here")
    assert log["data"].tolist() == [0, 1, 2] and log["wrench.x"].tolist() == [1, 1, 1] and "note" not in log
