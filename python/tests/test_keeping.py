"""Games in which dice are kept: strategies of two functions, sessions and environments."""

import pickle

import numpy as np
import pytest

import hog_solver as hs

gymnasium = pytest.importorskip("gymnasium")


@pytest.fixture(scope="module")
def kcd() -> hs.Game:
    return hs.Game("kcd", goal=500)


def roll_on(score: int, opponent_score: int, pot: int, dice: int) -> bool:
    return pot < 200 and score + pot < 500


def worth(score: int, opponent_score: int, pot: int, dice: int) -> float:
    return pot + 60 * dice


def test_functions_files_and_tables_are_the_same_strategy(kcd, tmp_path):
    pair = kcd.rate((roll_on, worth)).average
    assert pair > kcd.rate(roll_on).average
    table = kcd.strategy((roll_on, worth))
    assert kcd.rate(table).average == pair
    assert kcd.rate(pickle.loads(pickle.dumps(table))).average == pair


def test_a_function_takes_the_memories_that_it_names():
    pig = hs.Game("pig", goal=40)

    def hold(score: int, opponent_score: int, pot: int) -> bool:
        return pot < 20 and score + pot < 40

    assert pig.rate(hold, "hold_at:20").average == pig.rate("hold_at:20", "hold_at:20").average
    with pytest.raises(hs.StrategyError, match="0 to 1 dice"):
        pig.rate(lambda score, opponent_score, pot: 2)


def test_such_a_game_is_pickled_and_made_from_its_text(kcd):
    for copy in (pickle.loads(pickle.dumps(kcd)), hs.Game(rules=kcd.rules, goal=kcd.goal)):
        assert copy == kcd
        assert copy.best(0, 0).win_rate == kcd.best(0, 0).win_rate


def test_what_is_wrong_with_a_function_is_told(kcd):
    with pytest.raises(hs.StrategyError, match="True or False"):
        kcd.rate(lambda score, opponent_score, pot, dice: 5)
    with pytest.raises(hs.StrategyError, match="positional arguments"):
        kcd.rate(lambda score, opponent_score: True)


def test_the_dice_to_keep_are_answers(kcd):
    best = kcd.best(100, 200, roll=[1, 1, 5, 2, 3, 3])
    assert best.keeps[0].win_rate == max(keep.win_rate for keep in best.keeps)


def test_an_environment_masks_what_may_be_kept(kcd):
    import hog_solver.envs  # noqa: F401

    env = gymnasium.make("hog_solver/Hog-v0", game=kcd, against="most_points")
    random = np.random.default_rng(0)
    lost = {False: 0.0, True: 0.0}
    for seed in range(20):
        observation, info = env.reset(seed=seed)
        done = False
        while not done:
            allowed = np.flatnonzero(info["action_mask"])
            keeping = bool(observation[-6:].any())
            assert (allowed >= 2).all() == keeping
            observation, _, done, _, info = env.step(int(random.choice(allowed)))
            lost[keeping] += info["loss"]
    assert min(lost.values()) > 0


def test_best_choices_lose_nothing(kcd):
    import hog_solver.envs

    solved = hog_solver.envs._SolvedGame(kcd, None, None)
    session = hs._native.NativeSession(kcd._native, 7)
    session.roll(1)
    values = solved.kept_values(session)
    assert solved.win_rate(session, 0) == max(values.values())
    assert set(np.flatnonzero(solved.mask(session))) == set(values)
    with pytest.raises(ValueError, match="masked"):
        solved.act(session, 0)
