"""Strategies as arguments: names, paths, functions, arrays, solutions."""

from __future__ import annotations

import inspect
import os
import random
import reprlib
import sys
import threading
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, Any, Protocol, TypeAlias, Union

import numpy as np

from . import _native
from ._errors import StrategyError, as_whole

if TYPE_CHECKING:
    from ._game import Game, Solution

#: A name (``"always_roll:6"``), a path, a function of ``(score, opponent_score)``, a solution, or a table: integers as an array,
#: lists or a data frame with a row for each score, as a dict ``{(score, opponent): dice}``, with keys ``"score,opponent"``, or
#: nested. A row and a column for scores at the goal are left out.
StrategyLike: TypeAlias = Union[
    str,
    "os.PathLike[str]",
    Callable[[int, int], int],
    "np.ndarray[Any, Any]",
    Sequence[Sequence[int]],
    Mapping[Any, Any],
    "DataFrame",
    "Strategy",
    "Solution",
]


class DataFrame(Protocol):
    """A data frame of pandas or Polars."""

    def to_numpy(self) -> Any: ...


#: One function is asked at a time: what it prints the second time is dropped on the stream of the whole program.
_ASKING = threading.RLock()


class _Muted:
    """A stream without what one thread writes, until that is ``None``."""

    def __init__(self, stream: Any) -> None:
        self._stream = stream
        self.thread: int | None = threading.get_ident()

    def write(self, text: str) -> int:
        if threading.get_ident() != self.thread:
            self._stream.write(text)
        return len(text)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextmanager
def _muted() -> Iterator[None]:
    """Drops what this thread prints; others print as before, even if they keep the stream."""
    stream, sys.stdout = sys.stdout, (muted := _Muted(sys.stdout))
    try:
        yield
    finally:
        muted.thread = None
        if sys.stdout is muted:
            sys.stdout = stream


@contextmanager
def _seeded(seed: int) -> Iterator[None]:
    """Seeds the random numbers of the program, which afterwards go on as before."""
    states = random.getstate(), np.random.get_state()
    random.seed(seed)
    np.random.seed(seed)
    try:
        yield
    finally:
        random.setstate(states[0])
        np.random.set_state(states[1])


class Strategy:
    """A tabulated strategy: a number of dice for each position.

    ``dice`` has the shape ``(goal, goal)``, or the game's :attr:`Game.shape` if it depends on memories: ``dice[20, 36]`` is the
    number of dice at 20 to 36. In games in which dice are kept, those are after which the state has the most ``worth``
    to its mover, from 0 to 1 (``None``: those of the most points). A strategy is pickled as these arrays.
    """

    __slots__ = ("name", "dice", "worth")

    name: str
    dice: np.ndarray[tuple[int, ...], np.dtype[np.int8]]
    worth: np.ndarray[tuple[int, ...], np.dtype[np.float64]] | None

    def __init__(self, name: str, dice: np.ndarray[Any, Any], worth: np.ndarray[Any, Any] | None = None) -> None:
        array = whole_numbers(np.asarray(dice), name)
        if array.size and (array.min() < -128 or array.max() > 127):
            raise StrategyError(f"the array of {name} holds numbers of dice past 127")
        self._set(name, np.array(array, dtype=np.int8))
        self.worth = None if worth is None else np.array(worth, dtype=np.float64)

    def _set(self, name: str, dice: np.ndarray[Any, Any]) -> None:
        dice.setflags(write=False)
        self.name, self.dice = name, dice

    def __call__(self, score: int, opponent_score: int) -> int:
        """Returns the number of dice to roll; only for strategies that see only the scores."""
        return int(self.dice[score, opponent_score])

    def __repr__(self) -> str:
        return f"Strategy({self.name!r}, shape={self.dice.shape})"

    def __reduce__(self) -> tuple[Any, ...]:
        return Strategy, (self.name, self.dice, self.worth)


def tabulate(game: Game, function: Callable[[int, int], int], name: str) -> Strategy:
    """Tabulates a function by calling it for every pair of scores, in order, twice.

    A function whose answers depend on random numbers gives others the second time, and is refused. Nothing is seeded, as the
    random numbers belong to all threads.
    """
    if game._native.hand:
        return _keeping(game, function, None, name)
    if taken := _memories_taken(game, function):
        return _seeing(game, function, taken, name)
    with _ASKING:
        first = _asked(game, function, name)
        with _muted():
            # What the function prints has been printed the first time.
            then = _asked(game, function, name)
    differing = np.argwhere(first != then)
    if len(differing):
        score, opponent = differing[0].tolist()
        raise StrategyError(
            f"{name}({score}, {opponent}) uses random numbers: {first[score, opponent]} dice, asked again "
            f"{then[score, opponent]}; game.strategy({name}, seed=0) asks it once, with fixed random numbers"
        )
    return Strategy(name, first)


def seeded(game: Game, function: Callable[[int, int], int], name: str | None, seed: int) -> Strategy:
    """Tabulates a function that may use random numbers, which are seeded."""
    name = name or name_of(function)
    with _ASKING, _seeded(seed):
        return Strategy(name, _asked(game, function, name))


def call_with(function: Callable[..., int], values: dict[str, Any]) -> Callable[[int, int], int]:
    """Returns a function with values for some of its keywords, with a name that says them."""

    def called(score: int, opponent_score: int) -> int:
        return function(score, opponent_score, **values)

    called.__name__ = f"{name_of(function)}({', '.join(f'{name}={value!r}' for name, value in values.items())})"
    return called


def _asked(game: Game, function: Callable[[int, int], int], name: str) -> np.ndarray[Any, Any]:
    """Asks a function at every pair of scores, and checks its answers."""
    goal, least, most = game.shape[0], game.min_dice, game.max_dice
    dice = np.empty((goal, goal), dtype=np.int64)
    for row, column in np.ndindex(goal, goal):
            score, opponent = row * game._native.step, column * game._native.step
            try:
                answer = function(score, opponent)
            except (Exception, SystemExit) as error:
                raise StrategyError(f"{name}({score}, {opponent}) raises {type(error).__name__}: {error}") from error
            try:
                number = as_whole(answer)
            except TypeError:
                raise StrategyError(
                    f"{name}({score}, {opponent}) returns {_short(answer)}, a {type(answer).__name__}; return a whole "
                    "number of dice (an int)"
                ) from None
            if not least <= number <= most:
                raise StrategyError(
                    f"{name}({score}, {opponent}) returns {_short(answer)}; {game.id} allows {least} to {most} dice"
                )
            dice[row, column] = number
    return dice


def _keeping(
    game: Game, roll_on: Callable[..., Any], worth: Callable[..., Any] | None, name: str
) -> Strategy:
    """Tabulates the functions of a game in which dice are kept, by calling them for every state, twice.

    ``roll_on(score, opponent_score, *memories)`` says whether to roll, ``worth`` of the same how many points the turn is worth.
    """
    rolls = _asked_of_states(game, roll_on, name)
    if not np.isin(rolls, range(game.min_dice, game.max_dice + 1)).all():
        raise StrategyError(f"{name} returns something else than True or False")
    values = None
    if worth is not None:
        scores = np.arange(game.shape[0]) * game._native.step
        ahead = (scores[:, None] - scores[None, :])[:, :, None]
        values = 0.5 + (ahead + _asked_of_states(game, worth, name_of(worth))) / (4.0 * game.goal)
        values = values.reshape(game.shape)
    return Strategy(name, rolls.astype(np.int64).reshape(game.shape), values)


def _memories_taken(game: Game, function: Callable[..., int]) -> list[str]:
    """The parameters of a function, after the scores, that have the names of memories and no default."""
    try:
        parameters = list(inspect.signature(function).parameters.values())
    except (TypeError, ValueError):
        return []
    return [one.name for one in parameters[2:] if one.name in game.memories and one.default is inspect.Parameter.empty]


def _seeing(game: Game, function: Callable[..., int], taken: list[str], name: str) -> Strategy:
    """Tabulates a function that takes memories, by calling it for every state, twice."""

    def asked(score: int, opponent_score: int, *memories: int) -> int:
        values = dict(zip(game.memories, memories, strict=True))
        return function(score, opponent_score, **{one: values[one] for one in taken})

    dice = _asked_of_states(game, asked, name)
    if not np.isin(dice, range(game.min_dice, game.max_dice + 1)).all():
        raise StrategyError(f"{name} returns something else than {game.min_dice} to {game.max_dice} dice")
    return Strategy(name, dice.astype(np.int64).reshape(game.shape))


def _asked_of_states(game: Game, function: Callable[..., Any], name: str) -> np.ndarray[Any, Any]:
    """Asks a function at every state; ``True`` and ``False`` are the most and fewest dice."""
    places = [tuple(memory) for memory in game._native.places()]
    step, cells = game._native.step, game.shape[0]
    answers = np.empty((cells, cells, len(places)), dtype=np.float64)
    for row, column in np.ndindex(cells, cells):
        scores = (row * step, column * step)
        for place, memory in enumerate(places):
            try:
                answer = function(*scores, *memory)
                if function(*scores, *memory) != answer:
                    raise StrategyError(f"{name}{(*scores, *memory)} gives other answers when asked again")
                answers[row, column, place] = (
                    (game.max_dice if answer else game.min_dice) if isinstance(answer, (bool, np.bool_)) else answer
                )
            except StrategyError:
                raise
            except (Exception, SystemExit) as error:
                raise StrategyError(f"{name}{(*scores, *memory)} raises {type(error).__name__}: {error}") from error
    if not np.isfinite(answers).all():
        raise StrategyError(f"{name} returns infinite numbers")
    return answers


def name_of(function: Callable[..., Any]) -> str:
    return str(getattr(function, "__name__", type(function).__name__))


def _short(value: object) -> str:
    """Returns a short description of a value, even if its own ``__repr__`` fails."""
    try:
        return reprlib.repr(value)
    except Exception:
        return f"something of type {type(value).__name__}"


def native(game: Game, strategy: StrategyLike, name: str | None = None) -> str | _native.NativePlan:
    """Converts a strategy to a name or a plan for the library."""
    from ._game import Solution

    if isinstance(strategy, (str, os.PathLike)):
        text = os.fspath(strategy)
        if text == "baseline":
            # Answers then say which strategy it is, as those of the command do.
            text = game._native.baseline or text
        return text if name is None else game._native.plan(text, name)
    if isinstance(strategy, Solution):
        if strategy.game.rules != game.rules:
            raise StrategyError(
                f"a solution of {strategy.game.id} is not for {game.id}: give its `.dice` to use it anyway"
            )
        return strategy._plan(name)
    if isinstance(strategy, Strategy):
        return _plan(game, strategy.dice, name or strategy.name, strategy.worth)
    if isinstance(strategy, tuple) and len(strategy) == 2 and all(map(callable, strategy)):
        functions: tuple[Any, ...] = strategy
        called = name or name_of(functions[0])
        pair = _keeping(game, functions[0], functions[1], called)
        return _plan(game, pair.dice, called, pair.worth)
    if isinstance(strategy, (np.ndarray, Mapping, list, tuple)) or hasattr(strategy, "to_numpy"):
        return _plan(game, _array(game, strategy, name or "table"), name or "table")
    if callable(strategy):
        called = name or name_of(strategy)
        return _plan(game, tabulate(game, strategy, called).dice, called)
    raise StrategyError(
        f"{_short(strategy)} is not a strategy: give a name, a path, a function of (score, opponent_score), a table of whole "
        "numbers or a solution"
    )


def as_plan(game: Game, strategy: StrategyLike, name: str | None = None) -> _native.NativePlan:
    """Converts a strategy to a plan, even if it is a name."""
    known = native(game, strategy, name)
    return game._native.plan(known, known) if isinstance(known, str) else known


def _plan(
    game: Game, dice: np.ndarray[Any, Any], name: str, worth: np.ndarray[Any, Any] | None = None
) -> _native.NativePlan:
    dice = whole_numbers(dice, name)
    cells = game.shape[:2]
    if dice.shape not in (cells, game.shape):
        shapes = " or ".join(str(shape) for shape in dict.fromkeys((cells, game.shape)))
        raise StrategyError(f"the array of {name} has the shape {dice.shape}; {game.id} expects {shapes}")
    if worth is not None and worth.shape != game.shape:
        raise StrategyError(f"the worth of {name} has the shape {worth.shape}; {game.id} expects {game.shape}")
    return game._native.plan_of(name, np.ascontiguousarray(dice), worth)


def _array(game: Game, table: Any, name: str) -> np.ndarray[Any, Any]:
    """Returns a table as an array, without a row and a column for scores at the goal."""
    if hasattr(table, "to_numpy"):
        table = table.to_numpy()
    elif isinstance(table, Mapping):
        scores = range(game.goal)
        table = [[_entry(table, score, opponent, name) for opponent in scores] for score in scores]
    try:
        array = np.asarray(table)
    except ValueError:
        raise StrategyError(f"the rows of {name} do not have the same length") from None
    if array.shape == (game.goal + 1, game.goal + 1):
        array = array[:-1, :-1]
    return array


def _entry(table: Mapping[Any, Any], score: int, opponent: int, name: str) -> Any:
    """Returns an entry of a dict with pairs of scores as keys, with texts such as ``"20,36"``, or of a dict of rows."""
    for key in ((score, opponent), f"{score},{opponent}", f"{score}, {opponent}"):
        if key in table:
            return table[key]
    row = table.get(score, table.get(str(score)))
    try:
        if isinstance(row, Mapping):
            return row[opponent] if opponent in row else row[str(opponent)]
        if row is not None:
            return row[opponent]
    except (LookupError, TypeError):
        pass
    raise StrategyError(f"{name} has no number of dice at {score}-{opponent}")


def whole_numbers(array: np.ndarray[Any, Any], name: str) -> np.ndarray[Any, Any]:
    """Returns an array of whole numbers of any type, also as floats (``np.loadtxt`` reads them so), as 64-bit integers."""
    if array.dtype.kind == "f" and (abs(array) < 2**53).all() and (array == np.trunc(array)).all():
        return array.astype(np.int64)
    if array.dtype.kind not in "iu":
        raise StrategyError(f"the array of {name} holds {array.dtype}, not integers; convert it with .astype(int)")
    if array.dtype == np.uint64:
        # Numbers that are too large must not become negative.
        array = np.minimum(array, np.uint64(np.iinfo(np.int64).max))
    return array.astype(np.int64)


def wrong_functions(game: Game, strategy: object) -> list[dict[str, Any]]:
    """Compares the rule functions beside a student's function with those of the game's handout, at all scores."""
    names = getattr(strategy, "__globals__", {})
    wrong: list[dict[str, Any]] = []
    for name, is_boolean, calls_others, calls in game._native.handout_functions():
        function = names.get(name)
        if not callable(function) or (calls_others and wrong):
            continue
        for arguments, value in calls:
            try:
                answer = function(*arguments)
                found = f"is {_short(answer)}"
            except Exception as error:
                answer, found = None, f"raises {type(error).__name__}"
            differs = found.startswith("raises") or (bool(answer) if is_boolean else answer) != value
            if differs:
                expected = str(bool(value) if is_boolean else value)
                called = f"{name}({', '.join(map(str, arguments))})"
                words = f"your {called} {found}; the handout's is {expected}"
                wrong.append({"function": name, "arguments": arguments, "expected": expected, "words": words})
                break
    return wrong
