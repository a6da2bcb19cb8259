"""What can be wrong, each with the library's own text."""

from __future__ import annotations

import operator
from typing import Any


class RulesError(ValueError):
    """Rules that cannot be read or make no game."""

    #: Every fault of a rule file: dicts with ``file``, ``line``, ``column``, ``message``; empty if something else is wrong.
    faults: list[dict[str, Any]]

    def __init__(self, message: str) -> None:
        super().__init__(message)
        self.faults = []


class StrategyError(ValueError):
    """A strategy that cannot be used: its name, file, array or answers."""


class TableError(ValueError):
    """A table that is damaged, truncated or made for other rules."""


def whole(name: str, value: Any, most: int) -> int:
    """A whole number from 0 to ``most``; anything else is a ValueError or TypeError with its name."""
    try:
        number = operator.index(value)
    except TypeError:
        raise TypeError(f"the {name} is a whole number, not {type(value).__name__}") from None
    if number < 0:
        raise ValueError(f"the {name} {number} is out of range: choose 0 or more")
    if number > most:
        raise ValueError(f"the {name} is out of range: choose at most {most}")
    return number
