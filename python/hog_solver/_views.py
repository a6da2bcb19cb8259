"""Results as objects: the documents of ``hog --format json``, accessible by attribute or by key.

The classes say which values there are and their types; `test_views.py` compares them with the schemas in `docs/schema`.
"""

from __future__ import annotations

import html
import json
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, TypeVar, get_args, get_type_hints

_ViewT = TypeVar("_ViewT", bound="View")


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

    def __repr__(self) -> str:
        endless = f", endless={self.endless!r}" if self.endless else ""
        return f"Rate(average={self.average!r}, first={self.first!r}, second={self.second!r}{endless})"

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
    def of(cls: type[_ViewT], text: str) -> _ViewT:
        """Parses a document."""
        return cls(json.loads(text))

    def __getitem__(self, key: str) -> Any:
        return _shown(self._document[key], _kinds(type(self)).get(key, View))

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
        """Shows single values, and how many there are of others."""
        shown = ", ".join(f"{key}={_short(value)}" for key, value in self._document.items())
        return f"{type(self).__name__}({shown if len(shown) <= 300 else shown[:297] + '...'})"

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), (self._document,)

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


@lru_cache(maxsize=None)
def _kinds(view: type[View]) -> dict[str, type[View]]:
    """Returns the kind of view of each key whose value is a view or a list of views."""
    kinds = {}
    for key, hint in get_type_hints(view).items():
        for kind in (hint, *get_args(hint)):
            if isinstance(kind, type) and issubclass(kind, View):
                kinds[key] = kind
    return kinds


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


# -- documents


class Step(View):
    """The effect of a rule in a turn."""

    rule: str
    text: str


class Turn(View):
    """A turn: its points, both scores after it, and the effect of each rule."""

    points: int
    score: int
    opponent: int
    again: bool
    over: bool
    memory: View
    steps: list[Step]


class PlayedTurn(View):
    """A turn of a game that was played."""

    player: int
    name: str
    dice: int
    faces: list[int]
    points: int
    scores: list[int]
    again: bool
    steps: list[Step]


class End(View):
    """The end of a game: ``result`` is ``{"won": player}``, or says that the game is a draw or never ends."""

    names: list[str]
    scores: list[int]
    turns: int


class Play(View):
    """A game that was played."""

    rules: str
    turns: list[PlayedTurn]
    end: End


class Played(View):
    """A win rate in simulated games, with its confidence interval and the exact win rate."""

    win_rate: float
    low: float
    high: float
    exact: float
    in_interval: bool


class Simulation(View):
    """Simulated games of two strategies."""

    rules: str
    strategy: str
    against: str
    games: int
    seed: int
    first: Played
    second: Played
    average: Played
    turns: float
    tied: int
    endless: int
    seconds: float


class Mean(View):
    """A mean of a game."""

    mean: float


class Length(View):
    """The number of turns of a game: ``distribution[n]`` is the probability of n turns."""

    mean: float | None
    median: int | None
    p95: int | None
    distribution: list[float]


class RuleUse(View):
    """How often a rule has an effect."""

    name: str
    per_game: float


class Skill(View):
    """The win rates of a level of skill against optimal play."""

    level: str
    strategy: str
    against_optimal: Rate


class Comeback(View):
    """The win rate of a player who was behind by a share of the goal."""

    share: float
    win_rate: float


class Choices(View):
    """How much the choice of a number of dice matters."""

    mean_spread: float
    share_that_matter: float


class Description(View):
    """A game as two strategies play it."""

    rules: str
    game: str
    title: str
    play: list[str]
    win_rate: Rate
    first_mover_edge: float
    turns: Length
    tied: Mean
    lead_changes: Mean
    comebacks: list[Comeback]
    rule_uses: list[RuleUse]
    skill: list[Skill]
    choices: Choices


class Difference(View):
    """A position where the best rolls of two games differ."""

    score: int
    opponent: int
    best: list[list[int]]
    costs: list[float | None]


class Comparison(View):
    """Two games, both played optimally."""

    games: list[Description]
    compared: int
    differing: int
    positions: list[Difference]


class Check(View):
    """The proof of a table: ``faults`` and ``differences`` are empty if it is ``ok``."""

    ok: bool
    table: str
    rules: str
    states: int
    proven: str
    faults: list[str]
    differences: list[str]
    wrong_values: int
    wrong_rolls: int
    worst_difference: float
    published: bool
    seconds: float


class Solved(View):
    """How a game was solved."""

    rules: str
    goal: int
    max_dice: int
    states: int
    method: str
    arithmetic: str
    objective: str
    sees: str
    win_rate: Rate
    first_roll: list[int]
    fraction: str | None
    ties: int
    loops: int
    seconds: float


class Rank(View):
    """An entrant's place in a contest."""

    rank: int
    name: str
    wins: int
    ties: int
    losses: int
    mean: float


class Rejected(View):
    """An entrant that cannot take part."""

    name: str
    reason: str


class Loss(View):
    """A position where a strategy loses win rate: per game, and each time that it is met."""

    score: int
    opponent: int
    dice: int
    best: list[int]
    loss: float
    loss_each: float
    met: float
    words: str


class Mistake(View):
    """What a kind of mistake costs."""

    kind: str
    loss: float
    positions: int


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
