"""What a student's ``hog.py`` takes from the course's ``ucb.py``, and ``hog_ui.py`` from it."""

from __future__ import annotations

import code
import functools
import sys
from collections.abc import Callable
from typing import Any


def main(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Calls a function with the arguments of the command line, if its module is the program; a decorator."""
    if sys._getframe(1).f_globals.get("__name__") == "__main__":
        fn(*sys.argv[1:])
    return fn


def trace(fn: Callable[..., Any]) -> Callable[..., Any]:
    """Prints each call of a function and what it returns; a decorator."""

    @functools.wraps(fn)
    def traced(*arguments: Any, **named: Any) -> Any:
        given = [*map(repr, arguments), *(f"{name}={value!r}" for name, value in named.items())]
        print(f"{fn.__name__}({', '.join(given)}):")
        result = fn(*arguments, **named)
        print(f"{fn.__name__}({', '.join(given)}) -> {result!r}")
        return result

    return traced


def interact(msg: str | None = None) -> None:
    """Starts an interactive interpreter among the caller's variables."""
    caller = sys._getframe(1)
    code.interact(banner=msg, local={**caller.f_globals, **caller.f_locals})
