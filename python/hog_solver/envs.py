"""Environments for learning: for Gymnasium against one fixed strategy, and for PettingZoo with two learners.

Both play any game of the library with its dice. ``info`` holds the exact win rate of the position under optimal play by both
players (``win_rate``); with Gymnasium also the loss in win rate by the last roll (``loss``) and the ``action_mask``.

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

#: A game is truncated after this many turns: with some strategies a game never ends.
MOST_TURNS = 10_000


@lru_cache(maxsize=8)
def _of(name: str, goal: int | None, max_dice: int | None) -> Game:
    return Game(name, goal=goal, max_dice=max_dice)


def _other(memory: str) -> str:
    """Returns the name of the same memory of the other player."""
    return memory.removeprefix("opponent_") if memory.startswith("opponent_") else f"opponent_{memory}"


class _SolvedGame:
    """A game with the exact values of its states."""

    def __init__(self, game: Game | str, goal: int | None, max_dice: int | None) -> None:
        if isinstance(game, Game) and (goal is not None or max_dice is not None):
            game = Game(rules=game.rules, goal=goal or game.goal, max_dice=game.max_dice if max_dice is None else max_dice)
        self.game = game if isinstance(game, Game) else _of(game, goal, max_dice)
        self.values = self.game.solve(arithmetic="float").values.reshape(-1)
        #: The numbers of dice that can be requested, and the dice of which some are kept after a roll.
        self.requests = self.game.max_dice - self.game.min_dice + 1
        self.hand = self.game._native.hand
        self.actions = self.requests + (1 << self.hand if self.hand else 0)
        names = self.game.memories
        memories = len(names)
        #: The indices that turn an observation into the other player's.
        self.other_side = [1, 0, *(2 + names.index(_other(name) if _other(name) in names else name) for name in names)]
        self.other_side.extend(range(2 + memories, 2 + memories + self.hand))
        self.low = np.zeros(2 + memories + self.hand, dtype=np.float32)
        self.high = np.full(2 + memories + self.hand, float(2**24), dtype=np.float32)
        self.high[:2] = self.game.goal - 1

    def observation_space(self) -> spaces.Box:
        return spaces.Box(self.low, self.high, dtype=np.float32)

    def observation(self, session: _native.NativeSession) -> np.ndarray[Any, Any]:
        seen = session.position
        if seen is None:
            return np.zeros_like(self.low)
        score, opponent, memory = seen
        rolled = session.rolled or []
        faces = rolled + [0] * (self.hand - len(rolled))
        return np.array([score, opponent, *memory, *faces], dtype=np.float32)

    def mask(self, session: _native.NativeSession) -> np.ndarray[Any, Any]:
        """Returns 1 for each action that is a choice of its own: of requests that are the same roll, one is."""
        mask = np.zeros(self.actions, dtype=np.int8)
        if session.rolled is not None:
            mask[[self.keeping(keep[0]) for keep in session.keeps]] = 1
            return mask
        choices = session.choices
        mask[: self.requests] = 1 if choices is None else choices
        return mask

    def request(self, session: _native.NativeSession, number: int) -> int:
        """Returns what a strategy's request rolls: where dice are kept, only a move that is possible is taken."""
        if not self.hand:
            return number
        allowed = np.flatnonzero(self.mask(session)[: self.requests]) + self.game.min_dice
        return int(allowed[np.abs(allowed - number).argmin()])

    def keeping(self, marked: list[int]) -> int:
        """Returns the action of a choice of dice: after the requests, a number with a bit for each die that is kept."""
        return self.requests + sum(1 << die for die, face in enumerate(marked) if face)

    def act(self, session: _native.NativeSession, action: int) -> None:
        """Takes an action: a request for dice, or a choice of those to keep."""
        rolled = session.rolled
        if (action >= self.requests) != (rolled is not None):
            raise ValueError("the action is masked: dice are kept after a roll, and only then")
        if rolled is None:
            session.roll(action + self.game.min_dice)
            return
        kept = action - self.requests
        session.keep([face if kept >> die & 1 else 0 for die, face in enumerate(rolled)])

    def kept_values(self, session: _native.NativeSession) -> dict[int, float]:
        """Returns the mover's win rate by action, for each choice of dice to keep of the roll."""
        found: dict[int, float] = {}
        for marked, state, again, ended in session.keeps:
            value = ended if state is None else float(self.values[state])
            found[self.keeping(marked)] = value if state is None or again else 1.0 - value
        return found

    def win_rate(self, session: _native.NativeSession, player: int) -> float:
        """Returns the player's win rate from the current position under optimal play by both."""
        result = session.result
        if result is not None:
            return {-1: 0.0, -2: 0.5}.get(result, float(result == player))
        state, mover = session.state, session.mover
        assert state is not None
        value = float(self.values[state]) if session.rolled is None else max(self.kept_values(session).values())
        return value if mover == player else 1.0 - value


class HogEnv(gymnasium.Env[np.ndarray[Any, Any], Any]):
    """An environment for one learner against a fixed strategy.

    An observation is ``[score, opponent's score, memories...]`` as float32, an action the number of dice minus the fewest that
    the game allows. Where dice are kept, the observation ends with the faces of a roll of which dice are to be kept (0 for no
    die), and the actions after the numbers of dice are the sets of dice, with a bit for each die of the roll: the mask says which
    may be kept. The reward is 1 for a win, -1 for a loss, and 0 for a tie and during the game. ``reset`` chooses at random
    who moves first, unless ``options={"first": True}`` or ``False`` is given. A game that ends before the learner's first
    choice is replaced by a new one.
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
        self._solved = _SolvedGame(game, goal, max_dice)
        #: The game that is played.
        self.game = self._solved.game
        self._against: Strategy = self.game.strategy(against)
        self.observation_space = self._solved.observation_space()
        self.action_space = spaces.Discrete(self._solved.actions)
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
            self._play_opponent()
            if self._session.result is None:
                break
        return self._solved.observation(self._session), self._info(0.0)

    def step(self, action: Any) -> tuple[np.ndarray[Any, Any], float, bool, bool, dict[str, Any]]:
        session = self._playing()
        if session.result is not None:
            raise gymnasium.error.ResetNeeded("the game is over: call reset before step")
        if not self.action_space.contains(action):
            raise gymnasium.error.InvalidAction(f"{action!r} is not an action: choose 0 to {self._solved.actions - 1}")
        before = self._solved.win_rate(session, self._player)
        loss = self._loss(session, int(action), before)
        self._solved.act(session, int(action))
        self._turns += 1
        self._play_opponent()
        result = session.result
        reward = 0.0 if result is None or result < 0 else (1.0 if result == self._player else -1.0)
        cut_off = result is None and self._turns >= MOST_TURNS
        return self._solved.observation(session), reward, result is not None, cut_off, self._info(loss)

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
        if session.rolled is not None:
            return max(0.0, before - self._solved.kept_values(session).get(action, before))
        memory = dict(zip(self.game.memories, seen[2], strict=True))
        best = self.game.best(seen[0], seen[1], memory=memory)
        # A request that is no choice of its own is played as the nearest one.
        choice = np.abs(best.dice - (self.game.min_dice + action)).argmin()
        return max(0.0, before - float(best.choices[choice]))

    def _play_opponent(self) -> None:
        """Plays the opponent's turns until it is the learner's turn."""
        session = self._playing()
        dice = self._against.dice
        while session.mover == 1 - self._player and self._turns < MOST_TURNS:
            seen, state = session.position, session.state
            assert seen is not None and state is not None
            number = dice.reshape(-1)[state * dice.size // self.game._native.states]
            session.roll(self._solved.request(session, int(number)))
            if session.rolled is not None:
                worth = self._against.worth
                assert worth is not None
                flat = worth.reshape(-1)

                def value(keep: tuple[list[int], int | None, bool, float]) -> float:
                    _, state, again, ended = keep
                    return ended if state is None else float(flat[state]) if again else 1.0 - float(flat[state])

                session.keep(max(session.keeps, key=value)[0])
            self._turns += 1

    def _info(self, loss: float) -> dict[str, Any]:
        session = self._playing()
        return {
            "action_mask": self._solved.mask(session),
            "win_rate": self._solved.win_rate(session, self._player),
            "loss": loss,
        }


gymnasium.register(id="hog_solver/Hog-v0", entry_point="hog_solver.envs:HogEnv")


def aec_env(
    game: Game | str = "fa21", *, goal: int | None = None, max_dice: int | None = None, render_mode: str | None = None
) -> Any:
    """Returns the PettingZoo environment: agents ``player_0`` and ``player_1``, observations with an action mask."""
    from pettingzoo.utils import wrappers

    from ._aec import HogAEC

    env: Any = HogAEC(game, goal=goal, max_dice=max_dice, render_mode=render_mode)
    env = wrappers.AssertOutOfBoundsWrapper(env)
    return wrappers.OrderEnforcingWrapper(env)
