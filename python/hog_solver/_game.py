"""Games and solutions."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import numpy as np

from . import _native
from ._errors import as_int
from ._progress import Progress, reporter
from ._strategies import Strategy, StrategyLike, as_plan, native, seeded, wrong_functions
from ._views import (
    Check,
    Comparison,
    Description,
    Loss,
    Mistake,
    Play,
    Rate,
    Simulation,
    Solved,
    Turn,
    View,
    data_frame,
    frame,
)

if TYPE_CHECKING:
    from ._contest import Contest, Runner


#: The largest scores and numbers of dice, and the largest seeds and numbers of games, that the library accepts.
_SCORES, _COUNTS = 2**32 - 1, 2**64 - 1


class Game:
    """A dice race.

    ``name`` is the id or alias of a built-in game (``"fa21"``, ``"FA24"``) or the path of a rule file. Instead of it, ``rules``
    is the text of a rule file. ``goal`` and ``max_dice`` replace those of the rules.

    >>> import hog_solver as hs
    >>> game = hs.Game("fa21")
    >>> game.best(20, 36).best
    [8]

    Raises :class:`RulesError` (with ``.faults``) for rules that do not define a valid game, and :class:`ValueError` for a goal
    out of range.
    """

    def __init__(
        self,
        name: str | os.PathLike[str] | None = None,
        *,
        rules: str | None = None,
        goal: int | None = None,
        max_dice: int | None = None,
    ) -> None:
        if (name is None) == (rules is None):
            raise TypeError("give the name of a game, or rules=TEXT, and not both")
        goal = None if goal is None else as_int("goal", goal, _SCORES)
        max_dice = None if max_dice is None else as_int("most dice", max_dice, _SCORES)
        self._changed = (goal, max_dice)
        self._native = _native.NativeGame(None if name is None else os.fspath(name), rules, goal, max_dice)

    @classmethod
    def _of(cls, game: _native.NativeGame) -> Game:
        own = cls.__new__(cls)
        own._changed, own._native = (game.goal, game.max_dice), game
        return own

    def __reduce__(self) -> tuple[Any, ...]:
        return _game_of_text, (self._native.text, *self._changed)

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
        known: list[tuple[str, str | _native.NativePlan]] = []

        def strategy(value: Any) -> str:
            if isinstance(value, (str, os.PathLike)):
                return os.fspath(value)
            # A name that no strategy has.
            known.append((f"#{len(known)}", native(self, value)))
            return known[-1][0]

        def plain(name: str, value: Any) -> Any:
            if name in ("strategy", "against"):
                return strategy(value)
            if name == "players":
                return [strategy(player) for player in value]
            return dict(value) if isinstance(value, Mapping) else value

        request = {name: plain(name, value) for name, value in parameters.items() if value is not None}
        with reporter(progress) as report:
            answer: dict[str, Any] = json.loads(self._native.ask(question, json.dumps(request), known, report))
        return answer

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
            raise ValueError(f'sees is "state" or "scores", not {sees!r}')
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
    ) -> Best:
        """Returns the best rolls in a position and the win rate of each number of dice."""
        score, opponent = _scores(score, opponent)
        view = self.ask("best", score=score, opponent=opponent, memory=memory, against=against)
        choices = view.pop("choices")
        view.pop("numbers", None)
        return Best(
            **{key: view[key] for key in ("rules", "score", "opponent", "memory", "against", "win_rate", "best")},
            dice=np.array([choice["dice"] for choice in choices], dtype=np.int64),
            choices=np.array([choice["win_rate"] for choice in choices]),
        )

    def final_strategy(self, score: int, opponent_score: int) -> int:
        """Returns the smallest best number of dice in a position, as a plain int. The first call solves the game."""
        table, (score, opponent_score) = self._final, _scores(score, opponent_score)
        if max(score, opponent_score) >= self.goal:
            raise ValueError(f"{score}-{opponent_score} is over: choose scores below the goal {self.goal}")
        return int(table[score, opponent_score])

    @cached_property
    def _final(self) -> np.ndarray[Any, Any]:
        dice = self._native.dice_of(self._native.plan("optimal", "optimal"))
        if dice.ndim > 2:
            raise ValueError(
                f"{self.id} remembers {', '.join(self.memories)}: a table that sees only scores is "
                '`game.solve(against="baseline", sees="scores").dice`'
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
        return Strategy(plan.name, dice.reshape(self.goal, self.goal, -1)[:, :, 0] if plan.sees_scores else dice)

    def rate(self, strategy: StrategyLike, against: StrategyLike = "baseline") -> Rate:
        """Computes the exact win rates of a strategy against another."""
        rate = self.ask("rate", strategy=strategy, against=against)["win_rate"]
        return Rate(**{name: rate[name] for name in ("first", "second", "average", "endless", "error_bound")})

    def explain(self, strategy: StrategyLike, against: StrategyLike = "baseline", *, top: int = 20) -> Explanation:
        """Explains where a strategy loses against another: the loss in each position."""
        text, arrays = self._native.explain(native(self, strategy), native(self, against), as_int("top", top, _SCORES))
        document = json.loads(text)
        document["handout"]["wrong_functions"] += wrong_functions(self, strategy)
        return Explanation(document, *arrays)

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
    ) -> Simulation:
        """Simulates games: average win rates with confidence intervals, next to the exact win rates."""
        games, seed = as_int("number of games", games, _COUNTS), as_int("seed", seed, _COUNTS)
        with reporter(progress) as report:
            return Simulation.of(self._native.simulate(native(self, strategy), native(self, against), games, seed, report))

    def describe(
        self, first: StrategyLike = "optimal", second: StrategyLike | None = None, *, progress: Progress = None
    ) -> Description:
        """Describes the game: its length, the first mover's advantage, lead changes, comebacks, how often each rule has an
        effect, the win rates of increasingly skilled strategies, and how much choices matter. With one strategy given, it plays
        both sides."""
        players = [first, first if second is None else second]
        return Description(self.ask("describe", players=players, progress=progress))

    def compare(self, other: Game, *, top: int = 20) -> Comparison:
        """Compares this game with another, both played optimally, with the positions whose best rolls differ most."""
        return Comparison.of(self._native.compare(other._native, as_int("top", top, _SCORES)))

    def play(self, first: StrategyLike, second: StrategyLike = "baseline", *, seed: int = 0) -> Play:
        """Plays one game: ``turns`` with dice, points and the effect of each rule, and its ``end``."""
        turns, end = self._native.play((native(self, first), native(self, second)), as_int("seed", seed, _COUNTS))
        return Play({"rules": self.id, "turns": json.loads(turns), "end": json.loads(end)})

    def turn(
        self, score: int, opponent: int, dice: list[int] | int, *, memory: Mapping[str, int] | None = None
    ) -> Turn:
        """Takes one turn with these faces, or with a negative number for a move that rolls nothing, and describes the effect of
        each rule."""
        if isinstance(dice, int):
            rolled: list[int] | int = as_int("move", dice, _SCORES, least=-_SCORES)
        else:
            rolled = [as_int("face of a die", face, _SCORES) for face in dice]
        score, opponent = _scores(score, opponent)
        return Turn(self.ask("turn", score=score, opponent=opponent, dice=rolled, memory=memory))

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


@dataclass(frozen=True)
class Best:
    """The best rolls and all choices in one position."""

    rules: str
    score: int
    opponent: int
    memory: dict[str, int]
    #: The opponent's strategy; None means optimal play.
    against: str | None
    #: The win rate of the player to move, rolling a best number of dice.
    win_rate: float
    #: The best numbers of dice, ascending; several if they tie.
    best: list[int]
    #: All numbers of dice that the game allows, ascending.
    dice: np.ndarray[Any, Any] = field(repr=False)
    #: The win rate of each number in ``dice``.
    choices: np.ndarray[Any, Any] = field(repr=False)


class Explanation(View):
    """Where a strategy loses.

    In addition to the document's keys it has three arrays of the game's shape: ``losses``, the loss per game in each state;
    ``met``, the expected number of times that the state is reached in a game (both averaged over moving first and second); and
    ``losses_each``, the loss each time.
    """

    __slots__ = ("losses", "met", "losses_each")

    rules: str
    strategy: str
    against: str
    win_rate: Rate
    best_response: Rate
    loss: Rate
    positions_met: int
    mistakes: list[Mistake]
    worst: list[Loss]

    def __init__(
        self,
        document: Mapping[str, Any],
        losses: np.ndarray[Any, Any],
        met: np.ndarray[Any, Any],
        losses_each: np.ndarray[Any, Any],
    ) -> None:
        super().__init__(document)
        self.losses, self.met, self.losses_each = losses, met, losses_each

    def __reduce__(self) -> tuple[Any, ...]:
        return Explanation, (self._document, self.losses, self.met, self.losses_each)

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
    def values(self) -> np.ndarray[Any, Any]:
        """The mover's win rate in each state: a float64 array of the game's shape, read-only and not copied."""
        return self._native.values

    @property
    def best(self) -> np.ndarray[Any, Any]:
        """The best numbers of dice in each state, as uint32 bit sets: bit 0 is :attr:`Game.min_dice`. Read-only, not copied."""
        return self._native.best

    @cached_property
    def dice(self) -> np.ndarray[Any, Any]:
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
    def view(self) -> Solved | None:
        """The document of ``hog solve --format json``; None for a table that was read."""
        text = self._native.view
        return None if text is None else Solved.of(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes the table (``.hog``) atomically."""
        self._native.save(os.fspath(path))

    def check(self, *, progress: Progress = None) -> Check:
        """Proves the table from its rules, independently of the solver: ``.ok``, and ``.faults`` if there are any."""
        with reporter(progress) as report:
            return Check.of(self._native.check(report))

    def _plan(self, name: str | None = None) -> _native.NativePlan:
        return self._native.plan(name or ("optimal" if self.against is None else f"beat:{self.against}"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _solution_of_bytes, (self._native.to_bytes(),)

    def _repr_svg_(self) -> str:
        """Draws a map of the best rolls, for notebooks."""
        return self.game._native.picture(None if self.against is None else self._plan(), None)

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
