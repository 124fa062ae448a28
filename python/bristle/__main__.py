"""`python -m bristle ...` is the command-line tool."""

from __future__ import annotations

import os
import subprocess
import sys

from ._library import TOOL


def main() -> None:
    """Becomes the tool: the same arguments, messages and exit codes."""
    if sys.platform == "win32":  # there a new process takes no one's place, and the shell would not wait for it
        sys.exit(subprocess.run([TOOL, *sys.argv[1:]], check=False).returncode)
    os.execv(TOOL, ["bristle", *sys.argv[1:]])


if __name__ == "__main__":
    main()
