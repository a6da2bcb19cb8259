"""Environments for learning: Gymnasium's, against one fixed strategy, and PettingZoo's, for two learners.

Both play any rule set with the library's own dice. ``info`` holds what no other benchmark gives: the exact win rate of the
position under best play by both (``win_rate``), and what the last roll gave away (``loss``).

>>> import gymnasium, hog_solver.envs
>>> env = gymnasium.make("hog_solver/Hog-v0", game="fa21", against="always_roll:6")
>>> observation, info = env.reset(seed=1)
>>> int(info["action_mask"].sum())
11
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import gymnasium
import numpy as np
from gymnasium import spaces

from . import _native
from ._game import Game
from ._strategies import Strategy, StrategyLike

#: A game that goes on for so many turns is cut off: strategies may pass to each other for ever.
MOST_TURNS = 10_000


@lru_cache(maxsize=8)
def _of(name: str, goal: int | None, max_dice: int | None) -> Game:
    return Game(name, goal=goal, max_dice=max_dice)


def _others(memory: str) -> str:
    """The other player's memory of the same kind."""
    return memory.removeprefix("opponent_") if memory.startswith("opponent_") else f"opponent_{memory}"


class _Table:
    """A game with the exact worth of every roll in it."""

    def __init__(self, game: Game | str, goal: int | None, max_dice: int | None) -> None:
        if isinstance(game, Game) and (goal is not None or max_dice is not None):
            game = Game(rules=game.rules, goal=goal or game.goal, max_dice=game.max_dice if max_dice is None else max_dice)
        self.game = game if isinstance(game, Game) else _of(game, goal, max_dice)
        self.values = self.game.solve(arithmetic="float").values.reshape(-1)
        self.actions = self.game.max_dice - self.game.min_dice + 1
        names = self.game.memories
        memories = len(names)
        #: An observation's entries as the other player sees them: scores and what each remembers change places.
        self.other_side = [1, 0, *(2 + names.index(_others(name) if _others(name) in names else name) for name in names)]
        self.low = np.zeros(2 + memories, dtype=np.float32)
        self.high = np.full(2 + memories, float(2**24), dtype=np.float32)
        self.high[:2] = self.game.goal - 1

    def observation_space(self) -> spaces.Box:
        return spaces.Box(self.low, self.high, dtype=np.float32)

    def observation(self, session: _native.NativeSession) -> np.ndarray[Any, Any]:
        seen = session.position
        if seen is None:
            return np.zeros_like(self.low)
        score, opponent, memory = seen
        return np.array([score, opponent, *memory], dtype=np.float32)

    def mask(self) -> np.ndarray[Any, Any]:
        return np.ones(self.actions, dtype=np.int8)

    def win_rate(self, session: _native.NativeSession, player: int) -> float:
        """The player's win rate under best play by both, from here."""
        result = session.result
        if result is not None:
            return {-1: 0.0, -2: 0.5}.get(result, float(result == player))
        state, mover = session.state, session.mover
        assert state is not None
        value = float(self.values[state])
        return value if mover == player else 1.0 - value


class HogEnv(gymnasium.Env[np.ndarray[Any, Any], Any]):
    """One player against a fixed strategy.

    An observation is ``[score, opponent's score, memories...]`` as float32, an action the number of dice above the fewest that
    the game allows. The reward is 1 for a win, -1 for a loss, 0 for a tie and on the way. Who moves first is drawn at reset;
    ``options={"first": True}`` says it. Games that the opponent wins before there was a choice are drawn again.
    """

    metadata = {"render_modes": ["ansi"]}

    def __init__(
        self,
        game: Game | str = "fa21",
        against: StrategyLike = "baseline",
        *,
        goal: int | None = None,
        max_dice: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        self._table = _Table(game, goal, max_dice)
        #: The game that is played.
        self.game = self._table.game
        self._against: Strategy = self.game.strategy(against)
        self.observation_space = self._table.observation_space()
        self.action_space = spaces.Discrete(self._table.actions)
        self.render_mode = render_mode
        self._session: _native.NativeSession | None = None
        self._player = 0
        self._turns = 0

    def reset(
        self, *, seed: int | None = None, options: dict[str, Any] | None = None
    ) -> tuple[np.ndarray[Any, Any], dict[str, Any]]:
        super().reset(seed=seed)
        first = (options or {}).get("first")
        self._player = int(self.np_random.integers(2)) if first is None else (0 if first else 1)
        while True:
            self._session = _native.NativeSession(self.game._native, int(self.np_random.integers(2**63)))
            self._turns = 0
            self._answer()
            if self._session.result is None:
                break
        return self._table.observation(self._session), self._info(0.0)

    def step(self, action: Any) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        session = self._playing()
        if session.result is not None:
            raise gymnasium.error.ResetNeeded("the game is over: call reset before step")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(f"{action!r} is no action: choose 0 to {self._table.actions - 1}")
        before = self._table.win_rate(session, self._player)
        loss = self._loss(session, int(action), before)
        session.roll(int(action) + self.game.min_dice)
        self._turns += 1
        self._answer()
        result = session.result
        reward = 0.0 if result is None or result < 0 else (1.0 if result == self._player else -1.0)
        cut_off = result is None and self._turns >= MOST_TURNS
        return self._table.observation(session), reward, result is not None, cut_off, self._info(loss)

    def render(self) -> str | None:
        if self.render_mode != "ansi" or self._session is None:
            return None
        own, other = self._session.scores[self._player], self._session.scores[1 - self._player]
        return f"you {own}, opponent {other}, goal {self.game.goal}"

    def _playing(self) -> _native.NativeSession:
        if self._session is None:
            raise gymnasium.error.ResetNeeded("call reset before step")
        return self._session

    def _loss(self, session: _native.NativeSession, action: int, before: float) -> float:
        seen = session.position
        assert seen is not None
        memory = dict(zip(self.game.memories, seen[2], strict=True))
        choices = self.game.best(seen[0], seen[1], memory=memory).choices
        return max(0.0, before - float(choices[action]))

    def _answer(self) -> None:
        """Lets the opponent move until it is the player's turn."""
        session = self._playing()
        dice = self._against.dice
        while session.mover == 1 - self._player and self._turns < MOST_TURNS:
            seen, state = session.position, session.state
            assert seen is not None and state is not None
            number = dice[seen[0], seen[1]] if dice.ndim == 2 else dice.reshape(-1)[state]
            session.roll(int(number))
            self._turns += 1

    def _info(self, loss: float) -> dict[str, Any]:
        session = self._playing()
        return {
            "action_mask": self._table.mask(),
            "win_rate": self._table.win_rate(session, self._player),
            "loss": loss,
        }


gymnasium.register(id="hog_solver/Hog-v0", entry_point="hog_solver.envs:HogEnv")


def aec_env(
    game: Game | str = "fa21", *, goal: int | None = None, max_dice: int | None = None, render_mode: str | None = None
) -> Any:
    """The PettingZoo environment: agents ``player_0`` and ``player_1``, observations with an action mask."""
    from pettingzoo.utils import wrappers

    from ._aec import HogAEC

    env: Any = HogAEC(game, goal=goal, max_dice=max_dice, render_mode=render_mode)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
