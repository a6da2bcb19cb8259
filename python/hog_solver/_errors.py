"""The package's exceptions, with the library's messages."""

from __future__ import annotations

import operator
from typing import Any


class Error(ValueError):
    """What the library says against a request: the base of its exceptions."""

    #: What kind of error it is, in one of few words, as in the JSON of the command (``docs/scripts.md`` lists them).
    kind: str
    #: Every fault of a rule file, as dicts with ``file``, ``kind``, ``line``, ``column``, ``message``; empty for any other error.
    faults: list[dict[str, Any]]

    def __init__(self, message: str, kind: str | None = None) -> None:
        super().__init__(message)
        self.kind = kind or self._usual
        self.faults = []

    _usual = "value"


class RulesError(Error):
    """Rules that cannot be read or do not define a valid game."""

    _usual = "rules"


class StrategyError(Error):
    """A strategy that cannot be used, because of its name, file, array or answers."""

    _usual = "strategy"


class TableError(Error):
    """A table that is damaged, truncated or made for other rules."""

    _usual = "table"


def as_whole(value: Any) -> int:
    """Returns ``value`` as an int; raises TypeError for anything that is not a whole number, such as True."""
    if isinstance(value, bool):
        raise TypeError("a bool is not a number")
    return operator.index(value)


def as_int(name: str, value: Any, most: int, *, least: int = 0) -> int:
    """Returns ``value`` as an int from ``least`` to ``most``; raises Error or TypeError, with ``name``, for anything
    else."""
    try:
        number = as_whole(value)
    except TypeError:
        raise TypeError(f"the {name} is a whole number, not {type(value).__name__}") from None
    if number < least:
        raise Error(f"the {name} {number} is out of range: choose {least} or more")
    if number > most:
        raise Error(f"the {name} is out of range: choose at most {most}")
    return number
