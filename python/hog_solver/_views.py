"""Results as objects: the documents of ``hog --format json``, accessible by attribute or by key."""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Rate:
    """Win rates from 0 to 1; a game that never ends counts as half a win."""

    #: The win rate when moving first.
    first: float
    #: The win rate when moving second.
    second: float
    #: The average of both: what the course calls the win rate.
    average: float
    #: The share of games that never end, averaged over moving first and second.
    endless: float
    #: No win rate here differs from the exact one by more than this.
    error_bound: float

    def _repr_html_(self) -> str:
        numbers = (("first", self.first), ("second", self.second), ("average", self.average))
        head = "".join(f"<th>{name}</th>" for name, _ in numbers)
        cells = "".join(f"<td>{number!r}</td>" for _, number in numbers)
        return f"<table><tr>{head}</tr><tr>{cells}</tr></table>"


class View(Mapping[str, Any]):
    """A document of the library, with the keys of the command line's JSON."""

    __slots__ = ("_document",)

    def __init__(self, document: Mapping[str, Any]) -> None:
        self._document = dict(document)

    @classmethod
    def of(cls, text: str) -> View:
        """Parses a document."""
        return View(json.loads(text))

    def __getitem__(self, key: str) -> Any:
        return _shown(self._document[key])

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        try:
            return self[name]
        except KeyError:
            raise AttributeError(f"there is no {name!r}; there are {', '.join(self._document)}") from None

    def __iter__(self) -> Iterator[str]:
        return iter(self._document)

    def __len__(self) -> int:
        return len(self._document)

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._document]

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(f'{key}={_short(value)}' for key, value in self._document.items())})"

    def __reduce__(self) -> tuple[Any, ...]:
        return View, (self._document,)

    def to_dict(self) -> dict[str, Any]:
        """Returns the document as plain dicts and lists."""
        return json.loads(json.dumps(self._document))  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        rows = (
            f"<tr><th>{html.escape(key)}</th><td>{html.escape(_short(value))}</td></tr>"
            for key, value in self._document.items()
        )
        return f"<table>{''.join(rows)}</table>"


_RATE = {"first", "second", "average", "endless", "error_bound"}


def _shown(value: Any) -> Any:
    if isinstance(value, dict):
        return Rate(**value) if value.keys() == _RATE else View(value)
    if isinstance(value, list):
        return [_shown(entry) for entry in value]
    return value


def _short(value: Any) -> str:
    text = repr(value)
    return text if len(text) <= 200 else text[:197] + "..."


def frame(rows: list[dict[str, Any]]) -> Any:
    """Returns a pandas data frame of flattened rows."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("pandas is not installed: `pip install pandas`") from error
    return pandas.DataFrame([flat(row) for row in rows])


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """Flattens a row: nested documents become columns such as ``win_rate.first``."""
    columns: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            columns |= {f"{key}.{inner}": own for inner, own in flat(value).items()}
        else:
            columns[key] = value
    return columns
