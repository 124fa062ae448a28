"""`python -m bristle.mujoco build`: the plugin for the mujoco wheel of this Python."""

from __future__ import annotations

import argparse
import sys

from ..errors import BristleError
from .compiled import build, plugin_path


def main(words: list[str] | None = None) -> int:
    """0 and the path of the plugin, or 1 and a sentence that says what to do."""
    parser = argparse.ArgumentParser(prog="python -m bristle.mujoco", description=__doc__)
    parser.add_argument("verb", choices=("build", "path"), help="compile it, or say where it is")
    parser.add_argument("--output", metavar="FOLDER", help="where the plugin is, default: beside this package")
    asked = parser.parse_args(words)
    try:
        print((build if asked.verb == "build" else plugin_path)(asked.output))
    except BristleError as error:
        print(error, file=sys.stderr)
        return 1
    return 0


if __name__ == "__main__":
    sys.exit(main())
