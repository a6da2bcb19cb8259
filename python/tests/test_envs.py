"""The learning environments pass their libraries' own checks and report the library's numbers."""

from __future__ import annotations

import warnings

import numpy as np
import pytest

import hog_solver as hs

gymnasium = pytest.importorskip("gymnasium", reason="gymnasium is not installed")

import hog_solver.envs  # noqa: E402


@pytest.mark.parametrize("game", ["fa21", "fa19", "fa20"])
def test_the_checker_of_gymnasium_accepts_the_environment(game: str) -> None:
    from gymnasium.utils.env_checker import check_env

    with warnings.catch_warnings():
        warnings.simplefilter("error")
        check_env(gymnasium.make("hog_solver/Hog-v0", game=game).unwrapped, skip_render_check=True)


def test_optimal_play_has_no_loss_and_wins_at_the_exact_rate() -> None:
    game = hs.Game("fa21", goal=40)
    dice = game.solve().dice
    env = hog_solver.envs.HogEnv(game, "always_roll:6")
    wins, lost, games = 0, 0.0, 1000
    for seed in range(games):
        seen, info = env.reset(seed=seed)
        over, reward = False, 0.0
        while not over:
            seen, reward, over, _, info = env.step(int(dice[int(seen[0]), int(seen[1])]))
            lost += info["loss"]
        wins += reward > 0
    exact = game.rate("optimal", "always_roll:6").average
    assert lost < 1e-9
    assert abs(wins / games - exact) < 4 * (exact * (1 - exact) / games) ** 0.5


def test_the_win_rate_in_info_is_that_of_the_position() -> None:
    game = hs.Game("fa21")
    env = hog_solver.envs.HogEnv(game, "optimal")
    seen, info = env.reset(seed=3, options={"first": True})
    assert info["win_rate"] == pytest.approx(game.solve().win_rate.first, abs=1e-12)
    seen, *_, info = env.step(6)
    assert info["win_rate"] == pytest.approx(game.best(int(seen[0]), int(seen[1])).win_rate, abs=1e-12)


def test_the_checks_of_pettingzoo_accept_the_environment() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    from pettingzoo.test import api_test, seed_test

    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        api_test(hog_solver.envs.aec_env("fa21"), num_cycles=200)
        seed_test(lambda: hog_solver.envs.aec_env("fa19", goal=40), num_cycles=50)


def test_each_agent_observes_its_own_score_first() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    env = hog_solver.envs.aec_env("fa21")
    env.reset(seed=5)
    env.step(3)
    own, other = (env.observe(agent)["observation"] for agent in ("player_0", "player_1"))
    assert own[0] == other[1] > 0 and own[1] == other[0] == 0
    assert np.isclose(sum(env.infos[agent]["win_rate"] for agent in env.agents), 1.0)


def test_each_agent_observes_its_own_memory_first() -> None:
    pytest.importorskip("pettingzoo", reason="pettingzoo is not installed")
    env = hog_solver.envs.aec_env("fa19", goal=40)
    env.reset(seed=5)
    env.step(3)
    own, other = (env.observe(agent)["observation"] for agent in ("player_0", "player_1"))
    assert own[2] == other[3] == 3 and own[3] == other[2] == 0


def test_invalid_actions_and_steps_outside_a_game_raise() -> None:
    env = hog_solver.envs.HogEnv(hs.Game("fa21"), goal=20)
    assert env.game.goal == 20
    with pytest.raises(gymnasium.error.ResetNeeded):
        env.step(3)
    env.reset(seed=1)
    for action in (11, -1, 3.5, None):
        with pytest.raises(gymnasium.error.InvalidAction):
            env.step(action)
    while not env.step(5)[2]:
        pass
    with pytest.raises(gymnasium.error.ResetNeeded, match="the game is over"):
        env.step(5)


def test_requests_that_are_the_same_roll_are_one_choice_of_the_mask() -> None:
    rules = (
        'id = "forced"\ngoal = 10\nmax_dice = 2\nbaseline = "always_roll:2"\n'
        '[[rule]]\nname = "Forced"\nbust = 1\nzero_dice = 1\nmin_dice = "score < 5 ? 2 : 0"\n'
    )
    env = hog_solver.envs.HogEnv(hs.Game(rules=rules), "always_roll:2")
    seen, info = env.reset(seed=1, options={"first": True})
    assert info["action_mask"].tolist() == [0, 0, 1]
    # Any other request is played as the choice.
    seen, *_, info = env.step(0)
    assert info["loss"] == 0.0
    assert info["action_mask"].tolist() == ([0, 0, 1] if seen[0] < 5 else [1, 1, 1])
