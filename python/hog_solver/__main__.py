"""``python -m hog_solver`` is the ``hog`` command."""

import sys

from ._command import main

if __name__ == "__main__":
    sys.exit(main())
