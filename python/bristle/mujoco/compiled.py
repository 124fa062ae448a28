"""Builds the plugin against the mujoco wheel of this Python, and loads it."""

from __future__ import annotations

import os
import re
import shutil
import subprocess
import tempfile
from importlib import import_module
from pathlib import Path
from typing import Any

from .._library import HERE
from ..errors import BristleError

PLUGIN = HERE / "mujoco"
OLDEST = 4_000_000
BUILD = "python -m bristle.mujoco build"


class PluginError(BristleError, RuntimeError):
    """The plugin cannot be built or loaded; the message says what to do."""


def engine() -> Any:
    """The mujoco package."""
    try:
        return import_module("mujoco")
    except ImportError as error:
        raise PluginError(f"MuJoCo cannot be imported ({error}): pip install 'mujoco>=4.0'") from error


def _header_version(home: Path) -> int:
    header = home / "include" / "mujoco" / "mujoco.h"
    found = re.search(r"#define\s+mjVERSION_HEADER\s+(\d+)", header.read_text()) if header.is_file() else None
    if not found:
        raise PluginError(f"{header} is missing: the plugin needs the wheel of PyPI, pip install 'mujoco>=4.0'")
    version = int(found.group(1))
    if version < OLDEST:
        raise PluginError(f"{home} is MuJoCo {version}; the plugin needs 4.0 or later: pip install 'mujoco>=4.0'")
    return version


def _file_name() -> str:
    return f"libbristle_mujoco-{engine().__version__}.so"


def _command(home: Path, target: str) -> list[str]:
    libraries = sorted(home.glob("libmujoco.so.*"))
    sources = sorted(str(path) for path in (PLUGIN / "plugin").glob("*.c"))
    if not libraries or not sources:
        missing = home / "libmujoco.so.*" if not libraries else PLUGIN / "plugin"
        raise PluginError(f"{missing} is missing: install bristle and mujoco as wheels, on Linux")
    words = os.environ.get("CC", "cc").split()
    if not words or not shutil.which(words[0]):
        raise PluginError(f"no C compiler: {words[:1] or ['cc']} is not there; install gcc, or set CC")
    options = ["-O2", "-std=gnu11", "-ffp-contract=off", "-fPIC", "-shared"]
    include = [f"-I{PLUGIN / 'plugin'}", f"-I{PLUGIN / 'include'}", f"-I{home / 'include'}"]
    own = [f"-L{HERE}", "-l:libbristle_python.so", f"-Wl,-rpath,{HERE}"]
    return [*words, *options, *include, *sources, "-o", target, *own, f"-L{home}", f"-l:{libraries[-1].name}", "-lm"]


def build(output: str | os.PathLike[str] | None = None) -> Path:
    """Compiles the plugin for the mujoco wheel that is installed, into `output` or beside this package. Needs a C
    compiler (CC, or cc). Returns the file; nothing is left where it fails."""
    home = Path(engine().__file__).parent
    _header_version(home)
    folder = Path(output) if output is not None else PLUGIN / "built"
    try:
        folder.mkdir(parents=True, exist_ok=True)
        handle, name = tempfile.mkstemp(suffix=".so", dir=folder)
        os.close(handle)
    except OSError as error:
        raise PluginError(
            f"cannot write to {folder} ({error.strerror}): {BUILD} --output FOLDER, then bristle.mujoco.load(FOLDER)"
        ) from error
    target = folder / _file_name()
    try:
        done = subprocess.run(_command(home, name), capture_output=True, text=True, check=False)
        if done.returncode:
            raise PluginError(f"the compiler refused the plugin for MuJoCo {engine().__version__}:\n{done.stderr}")
        os.chmod(name, 0o755)
        os.replace(name, target)
    finally:
        Path(name).unlink(missing_ok=True)
    return target


def plugin_path(place: str | os.PathLike[str] | None = None) -> Path:
    """The plugin for this version of MuJoCo in a folder; a file is taken as it is."""
    path = Path(place) if place is not None else PLUGIN / "built"
    if path.is_file():
        return path
    wanted = path / _file_name()
    if wanted.is_file():
        return wanted
    others = [name.stem.rpartition("-")[2] for name in sorted(path.glob("libbristle_mujoco-*.so"))]
    have = f"only that for MuJoCo {', '.join(others)}" if others else "none"
    option = "" if place is None else f" --output {path}"
    raise PluginError(
        f"no plugin for MuJoCo {engine().__version__} in {path} ({have} is there): build it with `{BUILD}{option}`"
    )


def load(place: str | os.PathLike[str] | None = None) -> Path:
    """Loads the plugin, so that models may use `bristle.friction`. Loading it again does nothing."""
    path, mujoco = plugin_path(place), engine()
    named = re.fullmatch(r"libbristle_mujoco-(.+)\.so", path.name)
    if named and named.group(1) != mujoco.__version__:
        raise PluginError(
            f"{path} was built for MuJoCo {named.group(1)}, this is {mujoco.__version__}: build it again with `{BUILD}`"
        )
    try:
        mujoco.mj_loadPluginLibrary(str(path))
    except Exception as error:
        raise PluginError(f"{path} cannot be loaded ({error}): build it again with `{BUILD}`") from error
    return path
