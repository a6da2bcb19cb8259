"""Games and solutions."""

from __future__ import annotations

import html
import itertools
import json
import operator
import os
from collections.abc import Iterable, Mapping, Sequence
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, TypeAlias

import numpy as np

from . import _native
from ._errors import Error, as_int
from ._progress import Progress, reporter
from ._strategies import Strategy, StrategyLike, as_plan, call_with, name_of, native, seeded, wrong_functions
from ._views import Rate, View, data_frame, frame, table
from .answers import (
    BestAnswer,
    CompareAnswer,
    DescribeAnswer,
    PlayEnd,
    PlayTurn,
    PlotAnswer,
    Questions,
    SimulatedGames,
    SolveAnswer,
    TableCheck,
    TryAnswer,
    TuneAnswer,
    TurnAnswer,
    VariedRow,
    VaryAnswer,
)

if TYPE_CHECKING:
    from ._contest import Contest, Runner


#: The largest scores and numbers of dice, and the largest seeds and numbers of games, that the library accepts.
_SCORES, _COUNTS = 2**32 - 1, 2**64 - 1

#: Arrays of the game's shape (:attr:`Game.shape`), or ``(goal, goal)`` where that is said.
Floats: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.float64]]"
Dice: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.int8]]"
Sets: TypeAlias = "np.ndarray[tuple[int, ...], np.dtype[np.uint32]]"


class Game(Questions):
    """A dice race.

    ``name`` is the id or alias of a built-in game (``"fa21"``, ``"FA24"``) or the path of a rule file. Instead of it, ``rules``
    is the text of a rule file. ``goal`` and ``max_dice`` replace those of the rules, and ``numbers`` values of numbers with names;
    ``first_start`` and ``second_start`` are the scores at the start.

    >>> import hog_solver as hs
    >>> game = hs.Game("fa21")
    >>> game.best(20, 36).best
    [8]

    Games are equal if their rules are, with the same goal and most dice. Raises :class:`RulesError` (with ``.faults``) for rules
    that do not define a valid game, and :class:`Error` for a goal out of range.
    """

    def __init__(
        self,
        name: str | os.PathLike[str] | None = None,
        *,
        rules: str | None = None,
        goal: int | None = None,
        max_dice: int | None = None,
        numbers: Mapping[str, int] | None = None,
    ) -> None:
        if (name is None) == (rules is None):
            raise TypeError("give the name of a game, or rules=TEXT, and not both")
        goal = None if goal is None else as_int("goal", goal, _SCORES)
        max_dice = None if max_dice is None else as_int("most dice", max_dice, _SCORES)
        self._changed = (goal, max_dice)
        name = None if name is None else os.fspath(name)
        self._native = _native.NativeGame(name, rules, goal, max_dice, list((numbers or {}).items()))

    @classmethod
    def _of(cls, game: _native.NativeGame) -> Game:
        own = cls.__new__(cls)
        own._changed, own._native = (game.goal, game.max_dice), game
        return own

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_of_text, (self._native.text, *self._changed)

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Game) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def _key(self) -> tuple[str, int, int]:
        return self.rules, self.goal, self.max_dice

    def __repr__(self) -> str:
        return f"Game({self.id!r}, goal={self.goal}, max_dice={self.max_dice})"

    @property
    def id(self) -> str:
        """The game's id."""
        return self._native.id

    @property
    def title(self) -> str:
        """The game's title."""
        return self._native.title

    @property
    def goal(self) -> int:
        """The score that ends the game."""
        return self._native.goal

    @property
    def min_dice(self) -> int:
        """The fewest dice of a turn; negative if there are moves that roll nothing."""
        return self._native.min_dice

    @property
    def max_dice(self) -> int:
        """The most dice of a turn."""
        return self._native.max_dice

    @property
    def rules(self) -> str:
        """The text of the rule file."""
        return self._native.text

    @property
    def memories(self) -> list[str]:
        """The names of the memories: numbers that the game keeps between turns in addition to the scores."""
        return self._native.memories

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The shape of arrays over states. The axes are score, opponent's score, then the classes of equivalent memories."""
        return tuple(self._native.shape)

    def state(self, score: int, opponent: int, memory: Mapping[str, int] | None = None) -> tuple[int, ...]:
        """Returns the index of a position in arrays over states."""
        flat = self._native.state(*_scores(score, opponent), list((memory or {}).items()))
        return tuple(int(index) for index in np.unravel_index(flat, self.shape))

    def ask(self, question: str, /, *, progress: Progress = None, **parameters: Any) -> dict[str, Any]:
        """Asks one of hog's questions about this game and returns the answer as the command line prints it with
        ``--format json``. The names and the parameters of all questions are those of the API (``docs/page.md``); a strategy may
        also be a function, an array or a solution. Where this class has a method for a question, its result is more convenient.

        >>> import hog_solver as hs
        >>> hs.Game("fa21").ask("best", score=20, opponent=36)["best"]
        [8]
        """
        answer: dict[str, Any] = json.loads(self._asked(question, progress=progress, **parameters)[0])
        return answer

    def _asked(self, question: str, /, *, progress: Progress = None, **parameters: Any) -> tuple[str, str]:
        known: list[tuple[str, _native.NativePlan | str]] = []

        def strategy(value: Any) -> str:
            named = native(self, value)
            if isinstance(named, str):
                return named
            # A name that no strategy has.
            known.append((f"#{len(known)}", named))
            return known[-1][0]

        def plain(name: str, value: Any) -> Any:
            if name in ("strategy", "against", "first", "second"):
                return strategy(value)
            if name == "players":
                return [strategy(player) for player in value]
            if name == "play":
                return [[strategy(player) for player in both] for both in value]
            if name == "vary" and isinstance(value, Mapping):
                return [f"{number}={','.join(map(str, values))}" for number, values in value.items()]
            if isinstance(value, Mapping):
                return dict(value)
            return list(value) if isinstance(value, Iterable) and not isinstance(value, str) else value

        given = {**dict(zip(("goal", "max_dice"), self._changed, strict=True)), **parameters}
        request = {name: plain(name, value) for name, value in given.items() if value is not None}
        with reporter(progress) as report:
            return self._native.ask(question, json.dumps(request, default=operator.index), known, report)

    # -- solving

    def solve(
        self,
        *,
        arithmetic: str | None = None,
        against: StrategyLike | None = None,
        sees: str = "state",
        tries: int | None = None,
        seed: int = 0,
        progress: Progress = None,
    ) -> Solution:
        """Solves the game: finds the equilibrium, or the best response to ``against``.

        ``arithmetic`` is ``"exact"`` (integers or fractions; every best roll is proven) or ``"float"`` (doubles with a proven
        error bound); the default is exact where that is practical. In games with memories, ``sees="scores"`` searches for the
        best table that sees only the scores. Other threads run meanwhile; Ctrl-C stops the work.
        """
        if sees not in ("state", "scores"):
            raise Error(f'sees is "state" or "scores", not {sees!r}')
        opponent = None if against is None else native(self, against)
        seed = as_int("seed", seed, _COUNTS)
        tries = None if tries is None else as_int("number of tries", tries, _SCORES)
        with reporter(progress) as report:
            return Solution(self._native.solve(arithmetic, opponent, sees == "scores", tries, seed, report), self)

    def best(
        self,
        score: int,
        opponent: int,
        *,
        memory: Mapping[str, int] | None = None,
        against: StrategyLike | None = None,
        roll: Sequence[int] = (),
    ) -> Best:
        """Returns the best rolls in a position and the win rate of each number of dice; with the faces of a ``roll``, in games in
        which dice are kept, the win rate of each choice of them too (``.keeps``)."""
        score, opponent = _scores(score, opponent)
        return Best._of(self._asked("best", score=score, opponent=opponent, memory=memory, against=against, roll=roll))

    def final_strategy(self, score: int, opponent_score: int) -> int:
        """Returns the smallest best number of dice in a position, as a plain int. The first call solves the game."""
        table, (score, opponent_score) = self._final, _scores(score, opponent_score)
        if max(score, opponent_score) >= self.goal:
            raise Error(f"{score}-{opponent_score} is over: choose scores below the goal {self.goal}")
        step = self._native.step
        return int(table[score // step, opponent_score // step])

    @cached_property
    def _final(self) -> Dice:
        dice = self._native.dice_of(self._native.plan("optimal", "optimal"))
        if dice.ndim > 2:
            raise Error(
                f"{self.id} remembers {', '.join(self.memories)}: a table that sees only scores is "
                '`game.solve(against="baseline", sees="scores").dice`',
                "game",
            )
        return dice

    # -- strategies

    def strategy(self, strategy: StrategyLike, name: str | None = None, *, seed: int | None = None) -> Strategy:
        """Tabulates a strategy, so that it can be used repeatedly without calling its function again.

        A function that uses random numbers is refused, unless ``seed`` is given: then it is asked once at each pair of scores,
        with :mod:`random` and NumPy's global generator seeded with it, and its answers stand.
        """
        if seed is not None and callable(strategy) and not isinstance(strategy, Strategy):
            strategy = seeded(self, strategy, name, as_int("seed", seed, _SCORES))
        plan = as_plan(self, strategy, name)
        dice = self._native.dice_of(plan)
        worth = self._native.worth_of(plan)
        if worth is not None:
            return Strategy(plan.name, dice, worth)
        return Strategy(plan.name, dice.reshape(*self.shape[:2], -1)[:, :, 0] if plan.sees_scores else dice)

    def rate(self, strategy: StrategyLike, against: StrategyLike = "baseline") -> Rate:
        """Computes the exact win rates of a strategy against another."""
        rate = self.ask("rate", strategy=strategy, against=against)["win_rate"]
        return Rate(**{name: rate[name] for name in ("first", "second", "average", "endless", "error_bound")})

    def tune(
        self,
        strategy: StrategyLike,
        against: StrategyLike = "baseline",
        *,
        progress: Progress = None,
        **values: Iterable[Any],
    ) -> Tuning:
        """Rates a strategy with every value of its numbers: a function's keywords, or the numbers of a strategy by name.

        >>> import hog_solver as hs
        >>> def careful(score, opponent_score, threshold=8, num_rolls=6):
        ...     return 0 if score >= 100 - threshold else num_rolls
        >>> tuned = hs.Game("fa21", goal=50).tune(careful, threshold=range(5, 8), num_rolls=[4, 5])
        >>> tuned.averages.shape, len(tuned.best["values"])
        ((3, 2), 2)
        """
        if not callable(strategy) or isinstance(strategy, Strategy):
            return Tuning._of(self._asked("tune", strategy=strategy, against=against, vary=values, progress=progress))
        numbers = {name: list(each) for name, each in values.items()}
        plans = []
        families = list(itertools.product(*numbers.values()))
        if not (numbers and families):
            raise Error("nothing varies: give a keyword of the function and its values, as in threshold=range(5, 15)", "request")
        with reporter(progress) as report:
            for done, chosen in enumerate(families):
                plans.append(as_plan(self, call_with(strategy, dict(zip(numbers, chosen, strict=True)))))
                if report is not None:
                    report("asking", done + 1, len(families))
            opponent = as_plan(self, against)
            pairs = np.array([(place, len(plans)) for place in range(len(plans))], dtype=np.uint32)
            rates, bound = self._native.rate_pairs([*plans, opponent], pairs.reshape(-1))
        rows = [
            {"values": list(chosen), "strategy": plan.name, "first": one, "second": two, "average": (one + two) / 2}
            for chosen, plan, (one, two) in zip(families, plans, rates, strict=True)
        ]
        document = {"rules": self.id, "strategy": name_of(strategy), "against": opponent.name, "parameters": list(numbers)}
        best = max(rows, key=operator.itemgetter("average"))
        return Tuning({**document, "best": best, "rates": rows, "error_bound": bound})

    def vary(self, *, progress: Progress = None, **values: Iterable[int]) -> Variation:
        """Solves the game with every value of its numbers: ``goal``, ``max_dice``, and the numbers with a name in the rules.

        >>> import hog_solver as hs
        >>> varied = hs.Game("fa21").vary(goal=range(20, 30), max_dice=[5, 6])
        >>> varied.win_rates.shape, varied.fairest.values
        ((10, 2), [26, 6])
        """
        # A number that varies is not that of this game.
        own = dict.fromkeys(values.keys() & {"goal", "max_dice"})
        return Variation._of(self._asked("vary", vary=values, **own, progress=progress))

    def picture(self, kind: str, /, *, progress: Progress = None, **parameters: Any) -> Picture:
        """Draws one of the pictures of ``hog plot``: ``"best"``, ``"diff"``, ``"hold"``, ``"length"``, ``"loss"``, ``"points"``,
        ``"spread"``, ``"visits"`` or ``"win"``. The parameters are those of the API; ``.svg`` is the picture."""
        return Picture._of(self._asked(f"plot/{kind}", progress=progress, **parameters))

    def try_(self, strategy: StrategyLike, against: StrategyLike = "baseline", *, top: int = 10) -> Tried:
        """How good a strategy is against another, what nobody could better, and what each position costs."""
        (text, said), arrays = self._native.try_(native(self, strategy), native(self, against), as_int("top", top, _SCORES))
        document = json.loads(text)
        document["handout"]["wrong_functions"] += wrong_functions(self, strategy)
        losses, met, losses_each = arrays
        return Tried(document, losses, met, losses_each, said)

    def exploitability(self, strategy: StrategyLike) -> float:
        """Returns the win rate of a best response to a strategy, averaged over moving first and second, minus one half."""
        return self.solve(against=strategy, arithmetic="float").win_rate.average - 0.5

    def simulate(
        self,
        strategy: StrategyLike,
        against: StrategyLike = "baseline",
        *,
        games: int = 100_000,
        seed: int = 0,
        progress: Progress = None,
    ) -> SimulatedGames:
        """Simulates games: average win rates with confidence intervals, next to the exact win rates."""
        games, seed = as_int("number of games", games, _COUNTS), as_int("seed", seed, _COUNTS)
        players = {"strategy": strategy, "against": against}
        return SimulatedGames._of(self._asked("simulate", **players, games=games, seed=seed, progress=progress))

    def describe(
        self, first: StrategyLike = "optimal", second: StrategyLike | None = None, *, progress: Progress = None
    ) -> Description:
        """Describes the game: its length, the first mover's advantage, lead changes, comebacks, how often each rule has an
        effect, the win rates of increasingly skilled strategies, and how much choices matter. With one strategy given, it plays
        both sides."""
        players = [first, first if second is None else second]
        return Description._of(self._asked("describe", players=players, progress=progress))

    def compare(self, other: Game, *, top: int = 20) -> CompareAnswer:
        """Compares this game with another, both played optimally, with the positions whose best rolls differ most."""
        return CompareAnswer._of(self._native.compare(other._native, as_int("top", top, _SCORES)))

    def play(self, first: StrategyLike, second: StrategyLike = "baseline", *, seed: int = 0) -> Play:
        """Plays one game: ``turns`` with dice, points and the effect of each rule, and its ``end``."""
        turns, end = self._native.play((native(self, first), native(self, second)), as_int("seed", seed, _COUNTS))
        return Play({"rules": self.id, "turns": json.loads(turns), "end": json.loads(end)})

    def turn(
        self, score: int, opponent: int, dice: list[int] | int, *, memory: Mapping[str, int] | None = None
    ) -> TurnAnswer:
        """Takes one turn with these faces, or with a negative number for a move that rolls nothing, and describes the effect of
        each rule."""
        if isinstance(dice, int):
            rolled: list[int] | int = as_int("move", dice, _SCORES, least=-_SCORES)
        else:
            rolled = [as_int("face of a die", face, _SCORES) for face in dice]
        score, opponent = _scores(score, opponent)
        return TurnAnswer._of(self._asked("turn", score=score, opponent=opponent, dice=rolled, memory=memory))

    def contest(
        self,
        entrants: Mapping[str, StrategyLike],
        *,
        win_above: float | None = None,
        rank_by: str = "wins",
        break_ties: str = "share",
        points: str | None = None,
        executor: Runner = None,
        progress: Progress = None,
    ) -> Contest:
        """Plays an exact round-robin contest. ``.rejected`` lists the entrants that cannot take part.

        ``win_above``, ``rank_by`` (``"wins"``, ``"points"`` or ``"mean"``), ``break_ties`` (``"share"``, ``"mean"`` or
        ``"baseline"``) and ``points`` (``"plays=1,baseline=2,mean:0.5=1"``) are the options of ``hog contest``.

        ``executor`` is any :class:`concurrent.futures.Executor` or a ``joblib.Parallel``; without one the work runs in this
        process. The results do not depend on it.
        """
        from ._contest import contest

        given = {"win_above": win_above, "rank_by": rank_by, "break_ties": break_ties, "points": points}
        scoring = {name: value for name, value in given.items() if value is not None}
        return contest(self, entrants, scoring, executor, progress)


def _scores(score: int, opponent: int) -> tuple[int, int]:
    return as_int("score", score, _SCORES), as_int("opponent's score", opponent, _SCORES)


def _game_of_text(text: str, goal: int | None, max_dice: int | None) -> Game:
    return Game(rules=text, goal=goal, max_dice=max_dice)


class Best(BestAnswer):
    """The best rolls and all choices in one position. ``choices`` are the win rates of the numbers in ``dice``."""

    __slots__ = ()

    @property
    def dice(self) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
        """All numbers of dice that the game allows, ascending."""
        return np.array([choice["dice"] for choice in self._document["choices"]], dtype=np.int64)

    @property
    def choices(self) -> np.ndarray[tuple[int], np.dtype[np.float64]]:  # type: ignore[override]
        """The win rate of each number in ``dice``."""
        return np.array([choice["win_rate"] for choice in self._document["choices"]])


class Description(DescribeAnswer):
    """A game as two strategies play it: ``strategy`` against ``against``."""

    __slots__ = ()

    @property
    def strategy(self) -> str:
        """The name of the first strategy."""
        return self.play[0]

    @property
    def against(self) -> str:
        """The name of the second strategy."""
        return self.play[1]


class Play(View):
    """A game that was played."""

    __slots__ = ()

    rules: str
    turns: list[PlayTurn]
    end: PlayEnd


class Picture(PlotAnswer):
    """A picture; a notebook shows it."""

    __slots__ = ()

    svg: str

    def _repr_html_(self) -> str:
        return self.svg


class _Grid(View):
    """A win rate for every combination of the values of some numbers. In a notebook it is a table, with two numbers a heat map."""

    __slots__ = ()

    #: The keys of the numbers' names, and of the list of combinations.
    _NAMES, _LIST = "", ""

    def _rates(self) -> list[float]:
        """Returns the win rate of each combination."""
        raise NotImplementedError

    def _merit(self, rate: float) -> float:
        """Returns what is the greatest for the best win rate."""
        return rate

    def _sentence(self) -> str:
        """Returns a sentence about the best combination."""
        raise NotImplementedError

    def _rows(self) -> list[dict[str, Any]]:
        """Returns a row for each combination, as tables have it."""
        raise NotImplementedError

    def _chosen(self, row: Mapping[str, Any]) -> dict[str, Any]:
        """Returns the numbers of a combination by name."""
        return dict(zip(self._document[self._NAMES], row["values"], strict=True))

    def _values(self, axis: int) -> list[Any]:
        """Returns the values of a number."""
        return list(dict.fromkeys(row["values"][axis] for row in self._document[self._LIST]))

    def _array(self) -> Floats:
        return np.array(self._rates()).reshape([len(self._values(axis)) for axis in range(len(self._document[self._NAMES]))])

    def to_pandas(self) -> Any:
        """Returns a data frame with a row for each combination: the numbers, and the win rates."""
        return data_frame(self._rows())

    def _repr_html_(self) -> str:
        said = f"<p>{html.escape(self._sentence())}</p>"
        if len(self._document[self._NAMES]) == 2:
            return said + self._map()
        ranked = sorted(zip(self._rates(), self._rows(), strict=True), key=lambda row: self._merit(row[0]), reverse=True)
        return said + table([row for _, row in ranked])

    def _map(self) -> str:
        """Returns the heat map: rows for the first number, columns for the second; the best values are the darkest."""
        merits = np.array([self._merit(rate) for rate in self._rates()])
        shades = (merits - merits.min()) / (np.ptp(merits) or 1.0)
        cells = [
            f'<td style="background:rgba(31,119,180,{shade:.2f})" title="{rate!r}">{rate:.3f}</td>'
            for rate, shade in zip(self._rates(), shades.tolist(), strict=True)
        ]
        down, across = self._document[self._NAMES]
        columns = self._values(1)
        rows = [f"<th>{html.escape(down)} \\ {html.escape(across)}</th>"]
        rows[0] += "".join(f"<th>{html.escape(str(value))}</th>" for value in columns)
        for place, value in enumerate(self._values(0)):
            own = cells[place * len(columns) : (place + 1) * len(columns)]
            rows.append(f"<th>{html.escape(str(value))}</th>{''.join(own)}")
        return f"<table>{''.join(f'<tr>{row}</tr>' for row in rows)}</table>"


def _listed(numbers: Mapping[str, Any]) -> str:
    return ", ".join(f"{name} {value}" for name, value in numbers.items())


class Tuning(_Grid, TuneAnswer):
    """The win rates of a strategy with every value of its numbers. In a notebook it is a table, with two numbers a heat map."""

    __slots__ = ()

    _NAMES, _LIST = "parameters", "rates"

    @property
    def averages(self) -> Floats:
        """The average win rates: an axis for each number that varies, in the order of ``parameters``."""
        return self._array()

    def _rates(self) -> list[float]:
        return [row["average"] for row in self._document["rates"]]

    def _rows(self) -> list[dict[str, Any]]:
        rates = ("first", "second", "average")
        return [{**self._chosen(row), **{rate: row[rate] for rate in rates}} for row in self._document["rates"]]

    def _sentence(self) -> str:
        best = self._document["best"]
        numbers = _listed(self._chosen(best))
        return f"{self.strategy} with {numbers} wins {best['average']:.2%} of the games against {self.against}."


class Variation(_Grid, VaryAnswer):
    """A game with every value of its numbers. In a notebook it is a table, with two numbers a heat map of the first player's win
    rate, the fairest the darkest. ``rows`` have the figures of each game."""

    __slots__ = ()

    _NAMES, _LIST = "vary", "rows"

    @property
    def win_rates(self) -> Floats:
        """The first player's win rates: an axis for each number that varies, in the order of ``vary``."""
        return self._array()

    @property
    def fairest(self) -> VariedRow:
        """The row whose first player's win rate is nearest to one half; the first of several."""
        return max(self.rows, key=lambda row: self._merit(row.figures.win_rate.first))

    def _rates(self) -> list[float]:
        return [row["figures"]["win_rate"]["first"] for row in self._document["rows"]]

    def _merit(self, rate: float) -> float:
        return -abs(rate - 0.5)

    def _rows(self) -> list[dict[str, Any]]:
        kept = ("first_roll", "ties", "states")
        return [
            {**self._chosen(row), "first_player": rate, **{key: row["figures"][key] for key in kept}}
            for row, rate in zip(self._document["rows"], self._rates(), strict=True)
        ]

    def _sentence(self) -> str:
        fairest = self.fairest
        numbers = _listed(self._chosen(fairest))
        return f"{self.rules} is fairest with {numbers}: the first player wins {fairest.figures.win_rate.first:.2%} of the games."


class Tried(TryAnswer):
    """How good a strategy is, and where it loses.

    In addition to the document's keys it has three arrays of the game's shape: ``losses``, the loss per game in each state;
    ``met``, the expected number of times that the state is reached in a game (both averaged over moving first and second); and
    ``losses_each``, the loss each time.
    """

    __slots__ = ("losses", "met", "losses_each")

    def __init__(
        self,
        document: Mapping[str, Any],
        losses: Floats,
        met: Floats,
        losses_each: Floats,
        text: str,
    ) -> None:
        super().__init__(document, text)
        self.losses, self.met, self.losses_each = losses, met, losses_each

    def __reduce__(self) -> tuple[Any, ...]:
        return Tried, (self._document, self.losses, self.met, self.losses_each, self._text)

    def to_pandas(self) -> Any:
        """Returns the worst positions as a data frame."""
        return frame(self._document["worst"])


class Solution:
    """A solved game: values and best rolls as arrays that share the library's memory."""

    def __init__(self, solved: _native.NativeSolution, game: Game) -> None:
        self._native = solved
        #: The game that is solved.
        self.game = game

    @property
    def win_rate(self) -> Rate:
        """The win rates of the solved side; in an equilibrium, of either player."""
        return Rate(*self._native.win_rate)

    @property
    def values(self) -> Floats:
        """The mover's win rate in each state: a float64 array of the game's shape, read-only and not copied."""
        return self._native.values

    @property
    def best(self) -> Sets:
        """The best numbers of dice in each state, as uint32 bit sets: bit 0 is :attr:`Game.min_dice`. Read-only, not copied."""
        return self._native.best

    @cached_property
    def dice(self) -> Dice:
        """The number of dice to roll in each state, int8; of shape ``(goal, goal)`` if it depends on the scores alone."""
        dice = self._native.dice
        return dice.reshape(*dice.shape[:2], -1)[:, :, 0] if self._plan().sees_scores else dice

    def to_pandas(self) -> Any:
        """Returns a data frame with a row for each state: the scores, the classes of memories if there are any, the mover's win
        rate, the number of dice to roll and all best numbers of dice."""
        axes = np.indices(self.values.shape).reshape(self.values.ndim, -1)
        names = ["score", "opponent", *(f"class_{number}" for number in range(1, self.values.ndim - 1))]
        bits, which = np.unique(self.best, return_inverse=True)
        sets = np.empty(len(bits), dtype=object)
        for number, each in enumerate(bits.tolist()):
            sets[number] = [self.game.min_dice + bit for bit in range(32) if each >> bit & 1]
        columns: dict[str, Any] = dict(zip(names, axes, strict=True))
        memories = self.values.ndim - self.dice.ndim
        dice = np.broadcast_to(self.dice.reshape(*self.dice.shape, *[1] * memories), self.values.shape)
        return data_frame(
            {**columns, "win_rate": self.values.reshape(-1), "dice": dice.reshape(-1), "best": sets[which.reshape(-1)]}
        )

    @property
    def against(self) -> str | None:
        """The opponent's strategy, if this is a best response; None for an equilibrium."""
        return self._native.against

    @property
    def fraction(self) -> Fraction | None:
        """The exact win rate of the solved side moving first; None unless it was solved exactly in this process."""
        text = self._native.fraction
        return None if text is None else Fraction(text)

    @property
    def view(self) -> SolveAnswer | None:
        """The document of ``hog solve --format json``; None for a table that was read."""
        told = self._native.view
        return None if told is None else SolveAnswer._of(told)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table (``.hog``) atomically."""
        self._native.save(os.fspath(path))

    def check(self, *, progress: Progress = None) -> TableCheck:
        """Proves the table from its rules, independently of the solver: ``.ok``, and ``.faults`` if there are any."""
        with reporter(progress) as report:
            return TableCheck._of(self._native.check(report))

    def _plan(self, name: str | None = None) -> _native.NativePlan:
        return self._native.plan(name or ("optimal" if self.against is None else f"beat:{self.against}"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _solution_of_bytes, (self._native.to_bytes(),)

    def _repr_svg_(self) -> str:
        """Draws a map of the best rolls, for notebooks."""
        return self.game.picture("best", strategy=None if self.against is None else self).svg

    def __repr__(self) -> str:
        if self.against is None:
            return f"<Solution of {self.game.id}: equilibrium, win rate {self.win_rate.first!r} moving first>"
        return f"<Solution of {self.game.id}: best response to {self.against}, win rate {self.win_rate.average!r}>"


def _solution_of_bytes(data: bytes) -> Solution:
    return _loaded(_native.NativeSolution.from_bytes(data))


def _loaded(solved: _native.NativeSolution) -> Solution:
    return Solution(solved, Game._of(solved.game))


def load(path: str | os.PathLike[str]) -> Solution:
    """Reads a table that was saved. Raises :class:`TableError` if it is damaged or has another format version."""
    return _loaded(_native.NativeSolution.load(os.fspath(path)))
