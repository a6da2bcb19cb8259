"""The PettingZoo environment, in a module of its own because PettingZoo is optional."""

from __future__ import annotations

from typing import Any

import numpy as np
from gymnasium import spaces
from gymnasium.utils import seeding
from pettingzoo import AECEnv

from . import _native
from ._game import Game
from .envs import MOST_TURNS, _SolvedGame


class HogAEC(AECEnv):  # type: ignore[misc]
    """An environment for two learners.

    An observation is ``{"observation": [score, opponent's score, memories...], "action_mask": ...}``, an action the number of
    dice minus the fewest that the game allows. At the end the reward is 1 for the winner, -1 for the loser, and 0 for a tie.
    """

    metadata = {"render_modes": ["ansi"], "name": "hog_v0", "is_parallelizable": False}

    def __init__(
        self,
        game: Game | str = "fa21",
        *,
        goal: int | None = None,
        max_dice: int | None = None,
        render_mode: str | None = None,
    ) -> None:
        super().__init__()
        self._solved = _SolvedGame(game, goal, max_dice)
        #: The game that is played.
        self.game = self._solved.game
        self.possible_agents = ["player_0", "player_1"]
        self.render_mode = render_mode
        inner = self._solved.observation_space()
        mask = spaces.Box(0, 1, (self._solved.actions,), dtype=np.int8)
        self._observations = {
            agent: spaces.Dict({"observation": inner, "action_mask": mask}) for agent in self.possible_agents
        }
        self._actions = {agent: spaces.Discrete(self._solved.actions) for agent in self.possible_agents}
        self._random, _ = seeding.np_random(None)

    def observation_space(self, agent: str) -> spaces.Space[Any]:
        return self._observations[agent]

    def action_space(self, agent: str) -> spaces.Space[Any]:
        return self._actions[agent]

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        if seed is not None:
            self._random, _ = seeding.np_random(seed)
        self._session = _native.NativeSession(self.game._native, int(self._random.integers(2**63)))
        self._turns = 0
        self.agents = list(self.possible_agents)
        self.rewards = dict.fromkeys(self.agents, 0.0)
        self._cumulative_rewards = dict.fromkeys(self.agents, 0.0)
        self.terminations = dict.fromkeys(self.agents, False)
        self.truncations = dict.fromkeys(self.agents, False)
        self.agent_selection = self.agents[0]
        self._update_infos()

    def observe(self, agent: str) -> dict[str, Any]:
        mover = self._session.mover
        seen = self._solved.observation(self._session)
        if mover is not None and self.possible_agents[mover] != agent:
            seen = seen[self._solved.other_side]
        return {"observation": seen, "action_mask": self._solved.mask(self._session)}

    def step(self, action: int | None) -> None:
        if self.terminations[self.agent_selection] or self.truncations[self.agent_selection]:
            self._was_dead_step(action)
            return
        assert action is not None
        self._cumulative_rewards[self.agent_selection] = 0.0
        self._solved.act(self._session, int(action))
        self._turns += 1
        self._clear_rewards()
        result, mover = self._session.result, self._session.mover
        if result is not None:
            for player, agent in enumerate(self.possible_agents):
                self.rewards[agent] = 0.0 if result < 0 else (1.0 if result == player else -1.0)
            self.terminations = dict.fromkeys(self.agents, True)
        elif self._turns >= MOST_TURNS:
            self.truncations = dict.fromkeys(self.agents, True)
        last = self.possible_agents.index(self.agent_selection)
        self.agent_selection = self.possible_agents[1 - last if mover is None else mover]
        self._update_infos()
        self._accumulate_rewards()

    def render(self) -> str | None:
        if self.render_mode != "ansi":
            return None
        return f"{self._session.scores[0]} to {self._session.scores[1]}, goal {self.game.goal}"

    def close(self) -> None:
        """Does nothing: there is nothing to close."""

    def _update_infos(self) -> None:
        self.infos = {
            agent: {"win_rate": self._solved.win_rate(self._session, player)}
            for player, agent in enumerate(self.possible_agents)
            if agent in self.agents
        }
