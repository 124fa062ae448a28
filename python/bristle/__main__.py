"""`python -m bristle ...` is the command-line tool."""

from __future__ import annotations

import os
import sys

from ._library import TOOL


def main() -> None:
    """Becomes the tool: the same arguments, messages and exit codes."""
    os.execv(TOOL, ["bristle", *sys.argv[1:]])


if __name__ == "__main__":
    main()
