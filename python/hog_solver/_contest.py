"""Exact round-robin contests and sweeps over rules, in blocks that run in this process or on an executor."""

from __future__ import annotations

import itertools
import json
import os
import string
import time
from collections.abc import Iterable, Mapping
from functools import lru_cache
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _blocks, _native
from ._blocks import Runner
from ._errors import Error, as_int
from ._game import Game
from ._progress import Progress, reporter
from ._strategies import StrategyLike, as_plan
from ._views import View, frame, table
from .answers import ContestAnswer

if TYPE_CHECKING:
    #: ``[a, b]`` is that of entrant a against b.
    Array = np.ndarray[tuple[int, int], np.dtype[np.float64]]

__all__ = ["Contest", "Runner", "Sweep", "contest", "sweep"]

#: The intended time for a block of pairs, in seconds.
_BLOCK_SECONDS = 0.3
#: The most entrants on each side of a block, which bounds the number of arrays sent with it.
_SIDE = 128


class Contest(ContestAnswer):
    """A finished contest: ``ranking``, ``entrants``, ``rejected``, ``same``, ``cycles``; see ``hog contest --format json``."""

    __slots__ = ()

    @property
    def matrix(self) -> Array:  # type: ignore[override]
        """The average win rates: ``matrix[a, b]`` is that of entrant a against b, in the order of ``entrants``."""
        return np.array(self._document["matrix"])

    def to_pandas(self) -> Any:
        """Returns the ranking as a data frame."""
        return frame(self._document["ranking"])

    def _repr_html_(self) -> str:
        keys = ("rank", "name", "wins", "losses", "mean")
        return self._said() + table([{key: row[key] for key in keys} for row in self._document["ranking"]], len(self.ranking))


def contest(
    game: Game,
    entrants: Mapping[str, StrategyLike],
    scoring: dict[str, Any],
    runner: Runner = None,
    progress: Progress = None,
) -> Contest:
    """See :meth:`Game.contest`. ``scoring`` holds its keywords that are not ``None``."""
    _blocks.check_runner(runner)
    began = time.monotonic()
    scored = json.dumps(scoring)
    needs_baseline = _native.needs_baseline(scored)
    plans: list[_native.NativePlan] = []
    rejected: list[tuple[str, str]] = []
    for name, strategy in entrants.items():
        try:
            plans.append(as_plan(game, strategy, name))
        except ValueError as error:
            rejected.append((name, str(error)))
    count = len(plans)
    first = np.full((count, count), 0.5)
    with reporter(progress) as report:
        bound = _fill(game, plans, first, runner, report)
    against: list[float] = []
    if needs_baseline:
        pairs = [(place, len(plans)) for place in range(len(plans))]
        all_plans = [*plans, as_plan(game, "baseline", "baseline")]
        rates, _ = game._native.rate_pairs(all_plans, np.array(pairs, dtype=np.uint32).reshape(-1))
        against = [(one + other) / 2 for one, other in rates]
    seconds = time.monotonic() - began
    return Contest._of(game._native.contest_view(plans, first, rejected, bound, seconds, scored, against))


def _fill(game: Game, plans: list[_native.NativePlan], first: Array, runner: Runner, report: Any) -> float:
    """Rates all pairs and returns the error bound: ``first[a, b]`` becomes a's win rate, moving first, against b."""
    if not plans:
        return 0.0
    unit = game._native.rating_side()
    bound, seconds = _timed(game, plans[:unit])
    units = min(_SIDE // unit, int((_BLOCK_SECONDS / max(seconds, 1e-6)) ** 0.5))
    if runner is not None:
        # At least four blocks for each worker.
        share = int((len(plans) ** 2 / 2 / (4 * _blocks.workers(runner))) ** 0.5)
        units = min(units, share // unit)
    side = unit * max(1, units)
    groups = [range(at, min(at + side, len(plans))) for at in range(0, len(plans), side)]
    block_indices = [(a, b) for a, rows in enumerate(groups) for b in range(a, len(groups))]
    if runner is None:
        key: Any = None
        arrays: list[Any] = [[plans[n] for n in group] for group in groups]
    else:
        key = (game.rules, *game._changed)
        arrays = [
            _blocks.Shared(np.stack([game._native.dice_of(plans[n]) for n in group]), runner) for group in groups
        ]
    blocks = [(game if key is None else key, arrays[a], None if a == b else arrays[b]) for a, b in block_indices]

    def done(finished: int) -> None:
        if report is not None:
            report("pairs", finished, len(blocks))

    for (a, b), rates in zip(block_indices, _blocks.run(_rate_block, blocks, runner, done), strict=True):
        for (row, column), (one, other) in zip(_pairs(groups[a], groups[b], a == b), rates, strict=True):
            first[row, column] = one
            if row != column:
                first[column, row] = 1.0 - other
    return bound


def _timed(game: Game, plans: list[_native.NativePlan]) -> tuple[float, float]:
    """Rates each plan against the first one; returns the error bound and the time."""
    began = time.perf_counter()
    pairs = [(place, 0) for place in range(len(plans))]
    _, bound = game._native.rate_pairs(plans, np.array(pairs, dtype=np.uint32).reshape(-1))
    return bound, time.perf_counter() - began


def _pairs(rows: Iterable[int], columns: Iterable[int], same: bool) -> list[tuple[int, int]]:
    """Returns the pairs of a block; a block on the diagonal has each pair once, and each entrant with itself."""
    return [(a, b) for a, b in itertools.product(rows, columns) if not same or a <= b]


@lru_cache(maxsize=4)
def _known_game(rules: str, goal: int | None, max_dice: int | None) -> Game:
    return Game(rules=rules, goal=goal, max_dice=max_dice)


def _rate_block(where: Any, rows: Any, columns: Any) -> list[tuple[float, float]]:
    """Rates the pairs of a block, in a worker or in this process."""
    game = where if isinstance(where, Game) else _known_game(*where)
    same = columns is None
    plans = [*_plans(game, rows), *([] if same else _plans(game, columns))]
    half = len(rows)
    pairs = _pairs(range(half), range(half) if same else range(half, len(plans)), same)
    return game._native.rate_pairs(plans, np.array(pairs, dtype=np.uint32).reshape(-1))[0]


def _plans(game: Game, group: Any) -> list[_native.NativePlan]:
    if isinstance(group, list):
        return group
    return [game._native.plan_of("entrant", np.ascontiguousarray(dice, dtype=np.int64)) for dice in group]


# -- sweeps


class Sweep(View):
    """The figures of a game for many combinations of parameters: one of ``rows`` for each, with the parameters first."""

    __slots__ = ()

    parameters: list[str]
    rows: list[View]

    def to_pandas(self) -> Any:
        """Returns the rows as a data frame."""
        return frame(self._document["rows"])

    def _repr_html_(self) -> str:
        return table(self._document["rows"], len(self.rows))


def sweep(
    rules: str | os.PathLike[str],
    parameters: Mapping[str, Iterable[Any]],
    *,
    executor: Runner = None,
    progress: Progress = None,
) -> Sweep:
    """Computes the figures of a game for every combination of parameters.

    ``rules`` is an id, a path, or a text with line breaks. The parameters ``goal`` and ``max_dice`` replace those of the rules;
    any other parameter replaces ``$name`` in the text of the rule file. A combination that does not define a valid game has the
    reason under ``error``; the others are still computed.
    """
    _blocks.check_runner(executor)
    text = _text(rules)
    names = list(parameters)
    unknown = [name for name in names if name not in ("goal", "max_dice") and f"${name}" not in text]
    if unknown:
        raise Error(f"the rules have no ${unknown[0]}: parameters are goal, max_dice, and each $name in the text")
    points = list(itertools.product(*(map(_plain, values) for values in parameters.values())))
    per_block = max(1, min(16, len(points) // (4 * _blocks.workers(executor)) or 1))
    blocks = [(text, names, points[at : at + per_block]) for at in range(0, len(points), per_block)]
    with reporter(progress) as report:

        def done(finished: int) -> None:
            if report is not None:
                report("rules", finished, len(blocks))

        results = _blocks.run(_figures, blocks, executor, done)
    return Sweep({"parameters": names, "rows": [row for block in results for row in block]})


def _plain(value: Any) -> Any:
    """Converts a number of NumPy to a number of Python."""
    return value.item() if isinstance(value, np.generic) else value


def _text(rules: str | os.PathLike[str]) -> str:
    name = os.fspath(rules)
    if "\n" in name:
        return name
    if os.path.exists(name):
        with open(name, encoding="utf-8") as file:
            return file.read()
    return Game(name).rules


def _figures(text: str, names: list[str], points: list[tuple[Any, ...]]) -> list[dict[str, Any]]:
    rows = []
    for values in points:
        chosen = dict(zip(names, values, strict=True))
        filled = string.Template(text).safe_substitute({key: str(value) for key, value in chosen.items()})
        figures: dict[str, Any] = {}
        error = None
        try:
            changed = {key: as_int(key, chosen[key], 2**32 - 1) for key in ("goal", "max_dice") if key in chosen}
            figures = json.loads(
                _native.NativeGame.figures(None, filled, changed.get("goal"), changed.get("max_dice"))
            )
        except (TypeError, ValueError) as fault:
            error = str(fault)
        rows.append({**chosen, **{key: value for key, value in figures.items() if key not in chosen}, "error": error})
    return rows
