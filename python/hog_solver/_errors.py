"""What can be wrong, each with the library's own text."""

from __future__ import annotations

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
