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
from ._errors import whole
from ._progress import Progress, reporter
from ._strategies import Strategy, StrategyLike, as_plan, native
from ._views import Rate, View, frame

if TYPE_CHECKING:
    from ._contest import Contest, Runner


#: The most that the library takes for scores and numbers of dice, and for seeds and numbers of games.
_SCORES, _COUNTS = 2**32 - 1, 2**64 - 1


class Game:
    """A dice race.

    ``name`` is the id or alias of a built-in game (``"fa21"``, ``"FA24"``) or the path of a rule file; ``rules`` is the text of
    one instead. ``goal`` and ``max_dice`` change it.

    >>> import hog_solver as hs
    >>> game = hs.Game("fa21")
    >>> game.best(20, 36).best
    [8]

    Raises :class:`RulesError` (with ``.faults``) for what makes no game, :class:`ValueError` for a goal out of range.
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
        goal = None if goal is None else whole("goal", goal, _SCORES)
        max_dice = None if max_dice is None else whole("most dice", max_dice, _SCORES)
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
        """The id of its rules."""
        return self._native.id

    @property
    def title(self) -> str:
        """Its title."""
        return self._native.title

    @property
    def goal(self) -> int:
        """The score that ends the game."""
        return self._native.goal

    @property
    def min_dice(self) -> int:
        """The fewest dice: 0, or below for moves that roll nothing."""
        return self._native.min_dice

    @property
    def max_dice(self) -> int:
        """The most dice of a turn."""
        return self._native.max_dice

    @property
    def rules(self) -> str:
        """The text of its rule file."""
        return self._native.text

    @property
    def memories(self) -> list[str]:
        """The names of what it remembers beside the scores."""
        return self._native.memories

    @cached_property
    def shape(self) -> tuple[int, ...]:
        """The axes of arrays over states: score, opponent's score, then the classes of memories that behave alike."""
        return tuple(self._native.shape)

    def state(self, score: int, opponent: int, memory: Mapping[str, int] | None = None) -> tuple[int, ...]:
        """The index of a position in arrays over states."""
        flat = self._native.state(*_scores(score, opponent), list((memory or {}).items()))
        return tuple(int(index) for index in np.unravel_index(flat, self.shape))

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
        """Equilibrium play, or the best response to ``against``.

        ``arithmetic`` is ``"exact"`` (integers to the last division; every best roll proven) or ``"float"`` (doubles with a
        proven bound); exact where that is practical if nothing is said. ``sees="scores"`` seeks the best table that sees only
        scores in games that remember more. Other threads run meanwhile; Ctrl-C stops it.
        """
        if sees not in ("state", "scores"):
            raise ValueError(f'sees is "state" or "scores", not {sees!r}')
        opponent = None if against is None else native(self, against)
        seed = whole("seed", seed, _COUNTS)
        tries = None if tries is None else whole("number of tries", tries, _SCORES)
        with reporter(progress) as told:
            return Solution(self._native.solve(arithmetic, opponent, sees == "scores", tries, seed, told), self)

    def best(
        self,
        score: int,
        opponent: int,
        *,
        memory: Mapping[str, int] | None = None,
        against: StrategyLike | None = None,
    ) -> Best:
        """The best roll in a position, and what each number of dice is worth."""
        other = None if against is None else native(self, against)
        view = json.loads(self._native.best(*_scores(score, opponent), list((memory or {}).items()), other))
        choices = view.pop("choices")
        view.pop("numbers", None)
        return Best(
            **{key: view[key] for key in ("rules", "score", "opponent", "memory", "against", "win_rate", "best")},
            dice=np.array([choice["dice"] for choice in choices], dtype=np.int64),
            choices=np.array([choice["win_rate"] for choice in choices]),
        )

    def final_strategy(self, score: int, opponent_score: int) -> int:
        """The strongest play: the fewest dice of the best, a plain int. The game is solved when it is first asked."""
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

    def strategy(self, strategy: StrategyLike, name: str | None = None) -> Strategy:
        """A strategy tabulated once, to be used again and again."""
        plan = as_plan(self, strategy, name)
        dice = self._native.dice_of(plan)
        return Strategy(plan.name, dice.reshape(self.goal, self.goal, -1)[:, :, 0] if plan.sees_scores else dice)

    def rate(self, strategy: StrategyLike, against: StrategyLike = "baseline") -> Rate:
        """Exact win rates of a strategy."""
        return Rate(*self._native.rate(native(self, strategy), native(self, against)))

    def explain(self, strategy: StrategyLike, against: StrategyLike = "baseline", *, top: int = 20) -> Explanation:
        """Where a strategy loses against another: what each position costs."""
        text, arrays = self._native.explain(native(self, strategy), native(self, against), whole("top", top, _SCORES))
        return Explanation(json.loads(text), *arrays)

    def exploitability(self, strategy: StrategyLike) -> float:
        """What a best response to a strategy wins beyond one half, on average of moving first and second."""
        return self.solve(against=strategy, arithmetic="float").win_rate.average - 0.5

    def simulate(
        self,
        strategy: StrategyLike,
        against: StrategyLike = "baseline",
        *,
        games: int = 100_000,
        seed: int = 0,
        progress: Progress = None,
    ) -> View:
        """Games played with dice: averages with their intervals, the exact rates beside them."""
        games, seed = whole("number of games", games, _COUNTS), whole("seed", seed, _COUNTS)
        with reporter(progress) as told:
            return View.of(self._native.simulate(native(self, strategy), native(self, against), games, seed, told))

    def describe(
        self, first: StrategyLike = "optimal", second: StrategyLike | None = None, *, progress: Progress = None
    ) -> View:
        """What the game is like: its length, first mover's edge, lead changes, comebacks, how often each rule acts, the ladder
        of skill, how much choices matter. One strategy plays both sides unless two are named."""
        players = (native(self, first), native(self, first if second is None else second))
        with reporter(progress) as told:
            return View.of(self._native.describe(players, told))

    def compare(self, other: Game, *, top: int = 20) -> View:
        """This game beside another, both played optimally, with the positions whose best roll differs."""
        return View.of(self._native.compare(other._native, whole("top", top, _SCORES)))

    def play(self, first: StrategyLike, second: StrategyLike = "baseline", *, seed: int = 0) -> View:
        """One game played: ``turns`` with dice, points and what each rule did, and its ``end``."""
        turns, end = self._native.play((native(self, first), native(self, second)), whole("seed", seed, _COUNTS))
        return View({"rules": self.id, "turns": json.loads(turns), "end": json.loads(end)})

    def turn(
        self, score: int, opponent: int, dice: list[int] | int, *, memory: Mapping[str, int] | None = None
    ) -> View:
        """One turn with these faces (or a move below 0), each rule's effect in words."""
        rolled = dice if isinstance(dice, int) else [whole("face of a die", face, _SCORES) for face in dice]
        return View.of(self._native.turn(*_scores(score, opponent), rolled, list((memory or {}).items())))

    def contest(
        self,
        entrants: Mapping[str, StrategyLike],
        *,
        executor: Runner = None,
        progress: Progress = None,
    ) -> Contest:
        """An exact round robin. Entrants that cannot take part are told in ``.rejected``.

        ``executor`` is any :class:`concurrent.futures.Executor`, or a ``joblib.Parallel``; without one all runs here. The
        numbers do not depend on it.
        """
        from ._contest import contest

        return contest(self, entrants, executor, progress)


def _scores(score: int, opponent: int) -> tuple[int, int]:
    return whole("score", score, _SCORES), whole("opponent's score", opponent, _SCORES)


def _game_of_text(text: str, goal: int | None, max_dice: int | None) -> Game:
    return Game(rules=text, goal=goal, max_dice=max_dice)


@dataclass(frozen=True)
class Best:
    """All choices of one position."""

    rules: str
    score: int
    opponent: int
    memory: dict[str, int]
    #: The strategy the other side plays; none if it plays to win.
    against: str | None
    #: The win rate of the player to move, rolling a best number of dice.
    win_rate: float
    #: The best numbers of dice, ascending: all that tie.
    best: list[int]
    #: The numbers of dice that can be asked for, ascending.
    dice: np.ndarray[Any, Any] = field(repr=False)
    #: The win rate of each of them.
    choices: np.ndarray[Any, Any] = field(repr=False)


class Explanation(View):
    """Where a strategy loses. Beside the document's keys:

    ``losses``, what is lost in each state on average of moving first and second, with the game's shape; ``met``, how often
    each is met in a game; ``losses_each``, what the roll costs each time.
    """

    __slots__ = ("losses", "met", "losses_each")

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
        """The worst positions as a data frame."""
        return frame(self._document["worst"])


class Solution:
    """A solved game: values and best rolls as arrays that look into the library's own memory."""

    def __init__(self, solved: _native.NativeSolution, game: Game) -> None:
        self._native = solved
        #: The game that is solved.
        self.game = game

    @property
    def win_rate(self) -> Rate:
        """Of the first player under best play by both, or of the solved side."""
        return Rate(*self._native.win_rate)

    @property
    def values(self) -> np.ndarray[Any, Any]:
        """The mover's win rate in each state, float64, read-only, of the game's shape; nothing is copied."""
        return self._native.values

    @property
    def best(self) -> np.ndarray[Any, Any]:
        """The best numbers of dice of each state, uint32 bit sets: bit 0 is :attr:`Game.min_dice`. Read-only, not copied."""
        return self._native.best

    @cached_property
    def dice(self) -> np.ndarray[Any, Any]:
        """The fewest of the best numbers of dice in each state, int8; of ``(goal, goal)`` where only scores are seen."""
        dice = self._native.dice
        return dice.reshape(*dice.shape[:2], -1)[:, :, 0] if self._plan().sees_scores else dice

    @property
    def against(self) -> str | None:
        """The strategy that is answered; none for equilibrium play."""
        return self._native.against

    @property
    def fraction(self) -> Fraction | None:
        """The exact win rate of the solved side moving first; none where it was not solved exactly here."""
        text = self._native.fraction
        return None if text is None else Fraction(text)

    @property
    def view(self) -> View | None:
        """What ``hog solve --format json`` says; none of a table that was read."""
        text = self._native.view
        return None if text is None else View.of(text)

    def save(self, path: str | os.PathLike[str]) -> None:
        """Writes its table (``.hog``), whole or not at all."""
        self._native.save(os.fspath(path))

    def check(self, *, progress: Progress = None) -> View:
        """Proves it afresh from its rules: ``.ok``, and what is wrong if anything is."""
        with reporter(progress) as told:
            return View.of(self._native.check(told))

    def _plan(self, name: str | None = None) -> _native.NativePlan:
        return self._native.plan(name or ("optimal" if self.against is None else f"beat:{self.against}"))

    def __reduce__(self) -> tuple[Any, ...]:
        return _solution_of_bytes, (self._native.to_bytes(),)

    def _repr_svg_(self) -> str:
        """Its map, for notebooks."""
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
    """A table that was saved. Raises :class:`TableError` if it is damaged or of another version."""
    return _loaded(_native.NativeSolution.load(os.fspath(path)))
