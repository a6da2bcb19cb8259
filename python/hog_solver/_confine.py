"""Runs the ``hog`` command that becomes the interpreter in which strategies from Python files are run.

It is a script of its own, so that nothing else is loaded into that process. Its arguments are the path of the Rust module and
the arguments of the ``hog`` command.
"""

import importlib.util
import sys

if __name__ == "__main__":
    spec = importlib.util.spec_from_file_location("_native", sys.argv[1])
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    sys.exit(module.command(["hog", *sys.argv[2:]]))
