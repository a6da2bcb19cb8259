"""Results as objects: the documents of ``hog --format json``, accessible by attribute or by key."""

from __future__ import annotations

import html
import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass
from functools import lru_cache
from typing import Any, TypeVar, get_args, get_type_hints

_ViewT = TypeVar("_ViewT", bound="View")

#: How many rows of a list a table in a notebook has.
_ROWS = 20


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

    def to_dict(self) -> dict[str, float]:
        """Returns the numbers by name."""
        return asdict(self)

    def __repr__(self) -> str:
        endless = f", endless={self.endless!r}" if self.endless else ""
        return f"Rate(average={self.average!r}, first={self.first!r}, second={self.second!r}{endless})"

    def _repr_html_(self) -> str:
        said = f"It wins {self.average:.2%} of the games, within {self.error_bound:.1g}."
        return f"<p>{said}</p>{table([self.to_dict()])}"


class View(Mapping[str, Any]):
    """A document of the library, with the keys of the command line's JSON. ``print`` shows what the command prints."""

    __slots__ = ("_document", "_text")

    def __init__(self, document: Mapping[str, Any], text: str = "") -> None:
        self._document = dict(document)
        #: Without colours.
        self._text = re.sub(r"\x1b\[[0-9;]*m", "", text)

    @classmethod
    def _of(cls: type[_ViewT], told: tuple[str, str]) -> _ViewT:
        """Reads an answer: its document, and its text for people."""
        return cls(json.loads(told[0]), told[1])

    def __getitem__(self, key: str) -> Any:
        return _shown(self._document[key], _kinds(type(self)).get(key, View))

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
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
        """Shows single values, and how many there are of others."""
        shown = ", ".join(f"{key}={_short(value)}" for key, value in self._document.items())
        return f"{type(self).__name__}({shown if len(shown) <= 300 else shown[:297] + '...'})"

    def __str__(self) -> str:
        return self._text.rstrip() or repr(self)

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._document, self._text)

    def to_dict(self) -> dict[str, Any]:
        """Returns the document as plain dicts and lists."""
        return json.loads(json.dumps(self._document))  # type: ignore[no-any-return]

    def _repr_html_(self) -> str:
        return self._said() + _cell(self._document)

    def _said(self) -> str:
        """Returns the sentence that the text begins with: at most two lines, before any table."""
        said = []
        for line in self._text.splitlines()[:2]:
            if not line.strip() or line.startswith(" "):
                break
            said.append(html.escape(line))
        return f"<p>{'<br>'.join(said)}</p>" if said else ""


_RATE = {"first", "second", "average", "endless", "error_bound"}


@lru_cache(maxsize=None)
def _kinds(view: type[View]) -> dict[str, type[View]]:
    """Returns the kind of view of each key whose value is a view or holds views."""
    found = {key: _view_in(hint) for key, hint in get_type_hints(view).items()}
    return {key: kind for key, kind in found.items() if kind is not None}


def _view_in(hint: Any) -> type[View] | None:
    if isinstance(hint, type) and issubclass(hint, View):
        return hint
    return next((kind for inner in get_args(hint) if (kind := _view_in(inner)) is not None), None)


def _shown(value: Any, kind: type[View]) -> Any:
    if isinstance(value, dict):
        return Rate(**value) if value.keys() == _RATE else kind(value)
    if isinstance(value, list):
        return [_shown(entry, kind) for entry in value]
    return value


def _short(value: Any) -> str:
    if isinstance(value, (list, dict)) and len(value) > 3:
        return f"<{len(value)} {'entries' if isinstance(value, list) else 'keys'}>"
    text = repr(value)
    return text if len(text) <= 60 else text[:57] + "..."


def _cell(value: Any) -> str:
    """Returns a value as HTML: a document as a table of what it says, a list of documents as a table of its rows."""
    if isinstance(value, dict):
        said = {key: inner for key, inner in value.items() if inner not in (None, {}, [])}
        rows = (f"<tr><th>{html.escape(key)}</th><td>{_cell(inner)}</td></tr>" for key, inner in said.items())
        return f"<table>{''.join(rows)}</table>"
    if isinstance(value, list) and value and all(isinstance(row, dict) for row in value):
        return table(value)
    return html.escape(value if isinstance(value, str) else _short(value))


def table(rows: list[dict[str, Any]], most: int = _ROWS) -> str:
    """Returns the first rows as a table in HTML."""
    rows = [flat(row) for row in rows]
    keys = list(dict.fromkeys(key for row in rows for key in row))
    body = ["".join(f"<th>{html.escape(key)}</th>" for key in keys)]
    body += ["".join(f"<td>{_cell(row.get(key))}</td>" for key in keys) for row in rows[:most]]
    more = f"<p>and {len(rows) - most} more</p>" if len(rows) > most else ""
    return f"<table>{''.join(f'<tr>{row}</tr>' for row in body)}</table>{more}"


def frame(rows: list[dict[str, Any]]) -> Any:
    """Returns a pandas data frame of flattened rows."""
    return data_frame([flat(row) for row in rows])


def data_frame(data: Any) -> Any:
    """Returns a pandas data frame."""
    try:
        import pandas
    except ImportError as error:
        raise ImportError("pandas is not installed: `pip install pandas`") from error
    return pandas.DataFrame(data)


def flat(row: dict[str, Any]) -> dict[str, Any]:
    """Flattens a row: nested documents become columns such as ``win_rate.first``."""
    columns: dict[str, Any] = {}
    for key, value in row.items():
        if isinstance(value, dict):
            columns |= {f"{key}.{inner}": own for inner, own in flat(value).items()}
        else:
            columns[key] = value
    return columns
