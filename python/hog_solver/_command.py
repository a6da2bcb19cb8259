"""The ``hog`` command of the package."""

from __future__ import annotations

import sys

from . import _native


def main() -> int:
    """Runs the command line with this process's arguments."""
    return _native.command(["hog", *sys.argv[1:]])
