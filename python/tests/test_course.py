"""The functions of the handouts: their worked examples, and the function names of every semester."""

from __future__ import annotations

import inspect
import pickle
import random
import re
import subprocess
import sys
from pathlib import Path
from typing import Any
from unittest import mock

import pytest

import hog_solver as hs
from hog_solver._semesters import HANDOUTS


@pytest.mark.parametrize("semester", HANDOUTS)
def test_every_semester_plays_and_has_its_final_strategy(semester: str) -> None:
    course = hs.course(semester)
    for name in ("roll_dice", "take_turn", "play", "always_roll", "make_test_dice", "make_fair_dice", "run_experiments"):
        assert callable(getattr(course, name)), name
    random.seed(1)
    functions = course.functions()
    updates = [functions[name] for name in ("square_update", "fuzzy_update", "sus_update") if name in functions]
    result = course.play(course.always_roll(4), course.always_roll(5), *updates)
    assert result in (0, 1) or max(result) >= 100 and all(type(score) is int for score in result)


@pytest.mark.parametrize(
    ("semester", "signatures"),
    {
        "sp13": ["roll_dice(num_rolls, dice, who='Boss Hogg', ones_lose=True)", "play(strategy0, strategy1)"],
        "fa14": ["bid_for_start(bid0, bid1, goal=100)", "play(strategy0, strategy1, score0=0, score1=0, goal=100)"],
        "fa16": ["select_dice(score, opponent_score, dice_swapped)", "reroll(dice)", "other(player)"],
        "su20": ["bacon_strategy(score, opponent_score, cutoff=8, num_rolls=6)", "other(who)"],
        "su22": ["oink_points(player_score, opponent_score)", "announce_lead_changes(score0, score1, last_leader=None)"],
        "nju21": ["max_scoring_num_rolls(current_score=0, dice, trials_count=1000)"],
        "nju24": ["swine_swap(score)", "picky_piggy(opponent_score)", "take_turn(num_rolls, opponent_score, dice)"],
    }.items(),
)
def test_parameters_and_defaults_are_those_of_the_starter_file(semester: str, signatures: list[str]) -> None:
    course = hs.course(semester)
    for signature in signatures:
        name = signature.partition("(")[0]
        parameters = inspect.signature(getattr(course, name)).parameters.values()
        usual = {each.name: each.default for each in parameters if each.default is not each.empty}
        shown = [
            f"{each.name}={usual[each.name]!r}" if each.name in usual and not callable(usual[each.name]) else each.name
            for each in parameters
        ]
        assert f"{name}({', '.join(shown)})" == signature


def test_no_semester_has_names_of_another() -> None:
    for semester, others in {
        "fa12": {"make_averaged", "winner", "announce_highest", "free_bacon", "is_swap", "GOAL_SCORE"},
        "fa13": {"free_bacon", "is_swap", "silence", "num_allowed_dice"},
        "fa16": {"silence", "both", "announce_highest", "make_average"},
        "su22": {"announce_highest", "free_bacon", "hog_pile", "simple_update"},
        "fa24": {"silence", "next_player", "free_bacon", "fuzzy_update", "square_update"},
        "nju24": {"is_swap", "tail_points", "silence", "simple_update"},
    }.items():
        assert not others & set(hs.course(semester)), semester


def test_defaults_are_bound_when_the_functions_are_defined() -> None:
    hog = hs.course("su22").install({})
    hog["six_sided"] = hs.course("su22").make_test_dice(1)
    random.seed(3)
    assert max(hog["play"](hog["always_roll"](6), hog["always_roll"](6), goal=30)) >= 30
    assert any(hog["roll_dice"](1) > 1 for _ in range(60))


def test_the_functions_of_a_module_are_looked_up_when_they_are_called() -> None:
    hog = hs.course("fa21").install({})
    hog["roll_dice"] = lambda num_rolls, dice: 50
    assert hog["take_turn"](3, 0) == 50 and hog["play"](hog["always_roll"](1), hog["always_roll"](1)) == (50, 100)


def test_scores_of_any_size_are_accepted() -> None:
    assert hs.course("fa22").tail_points(12345) == 3 and hs.course("fa22").next_perfect_square(12345) == 112**2
    assert hs.course("su22").oink_points(0, 98765) == 7 and hs.course("sp22").hog_pile(12345, 54325) == 5
    assert hs.course("fa21").hog_pile(123456, 123456) == 123456 and hs.course("fa24").boar_brawl(12345, 98765) == 3
    assert hs.course("fa22").play(*[hs.course("fa22").always_roll(2)] * 2, hs.course("fa22").simple_update,
                                  score0=20_000, dice=lambda: 5, goal=20_010) == (20_010, 0)


def test_fa21_handout() -> None:
    hog = hs.course("fa21")
    dice = hog.make_test_dice
    assert [hog.roll_dice(2, dice(4, 6, 1)), hog.roll_dice(3, dice(4, 6, 1)), hog.roll_dice(4, dice(2, 2, 3))] == [10, 1, 9]
    counted = dice(4, 1, 2, 6)
    assert [hog.roll_dice(3, counted), hog.roll_dice(1, counted)] == [1, 6]
    assert [hog.roll_dice(9, dice(6)), hog.roll_dice(7, dice(2, 2, 2, 2, 2, 2, 1))] == [54, 1]
    assert [hog.picky_piggy(n) for n in (0, 1, 2, 5, 24)] == [7, 1, 4, 5, 7]
    assert [hog.take_turn(2, 0, dice(4, 5, 1)), hog.take_turn(3, 0, dice(4, 6, 1))] == [9, 1]
    assert [hog.take_turn(0, 2), hog.take_turn(0, 0)] == [4, 7]
    piles = [hog.hog_pile(*pair) for pair in ((25, 43), (32, 33), (7, 7), (26, 26), (23, 23), (193, 42), (187, 187))]
    assert piles == [0, 0, 7, 26, 23, 0, 187]
    three, seven, always = dice(3), dice(7), hog.always_roll
    assert hog.play(always(5), always(3), score0=91, score1=10, dice=three) == (106, 10)
    assert hog.play(always(5), always(5), goal=10, dice=three) == (15, 0)
    ours, theirs = (lambda score, opponent: opponent % 10), (lambda score, opponent: max((score // 10) - 4, 0))
    assert hog.play(ours, theirs, score0=71, score1=80, dice=seven) == _by_hand(ours, theirs, 71, 80)


def _by_hand(strategy0: Any, strategy1: Any, score0: int, score1: int) -> tuple[int, int]:
    """Plays fa21 with dice that always show 7, in plain Python; returns the final scores."""
    scores, who = [score0, score1], 0
    while max(scores) < 100:
        num_rolls = (strategy0, strategy1)[who](scores[who], scores[1 - who])
        opponent = scores[1 - who]
        scores[who] += 7 * num_rolls if num_rolls else int("142857"[(opponent - 1) % 6]) if opponent else 7
        if scores[0] == scores[1]:
            scores[who] *= 2
        who = 1 - who
    return scores[0], scores[1]


def test_su15_handout() -> None:
    hog = hs.course("su15")
    dice = hog.make_test_dice
    assert [hog.roll_dice(n, dice(4, 2, 1, 3)) for n in (1, 2, 3, 4)] == [4, 6, 1, 1]
    assert [hog.take_turn(0, n) for n in (35, 71, 7, 0, 9, 50)] == [6, 8, 8, 1, 10, 6]
    wild = [hog.select_dice(*pair) is hog.four_sided for pair in ((4, 24), (16, 64), (0, 0), (50, 80))]
    assert wild == [True, False, True, False]
    swaps = [hog.is_swap(*pair) for pair in ((19, 91), (20, 40), (41, 14), (23, 42), (55, 55), (114, 41))]
    assert swaps == [True, False, True, False, True, True]
    module = hs.course("su15").install({})
    module["four_sided"], module["six_sided"], always = dice(1), dice(3), hog.always_roll
    play = module["play"]
    assert play(always(5), always(3), score0=91, score1=10) == (106, 10)
    assert play(always(5), always(5), goal=10) == (1, 15)
    assert play(always(5), always(3), score0=36, score1=15, goal=50) == (15, 51)
    assert play(always(5), always(3), score0=98, score1=31) == (31, 113)
    assert play(always(4), always(3), score0=88, score1=20) == (100, 20)


def test_nju21_handout() -> None:
    hog = hs.course("nju21")
    dice = hog.make_test_dice
    assert [hog.picky_piggy(n) for n in (3, 13, 0)] == [7, 0, 1]
    # Feral Hogs: from 2, both dice have the parity of the score and earn a point each; from 1, neither does.
    assert hog.roll_dice(2, 2, dice(4, 6)) == 12 and hog.roll_dice(1, 2, dice(4, 6)) == 10
    # A 1 busts the roll; the bonus of Feral Hogs is kept.
    assert hog.roll_dice(3, 2, dice(1, 3)) == 3


def test_sus_fuss_and_boar_brawl() -> None:
    hog = hs.course("fa24")
    assert [hog.boar_brawl(21, 46), hog.boar_brawl(52, 79)] == [9, 15]
    assert [hog.num_factors(1), hog.num_factors(2), hog.num_factors(28)] == [1, 2, 6]
    assert [hog.sus_points(1), hog.sus_points(21), hog.sus_points(23)] == [1, 23, 23]
    assert hog.simple_update(2, 5, 7, hog.make_test_dice(2, 4)) == 11
    assert hog.sus_update(2, 15, 7, hog.make_test_dice(2, 4)) == 23


def test_square_swine() -> None:
    hog = hs.course("fa22")
    assert hog.tail_points(42) == 5 and hog.perfect_square(64) and hog.next_perfect_square(64) == 81
    assert hog.square_update(2, 3, 0, hog.make_test_dice(3)) == 16


def test_commentary(capsys: pytest.CaptureFixture[str]) -> None:
    hog = hs.course("fa21")
    say = hog.both(hog.say_scores, hog.announce_lead_changes())
    say = say(10, 0)
    say = say(10, 8)
    say(10, 17)
    assert capsys.readouterr().out.splitlines() == [
        "Player 0 now has 10 and Player 1 now has 0",
        "Player 0 takes the lead by 10",
        "Player 0 now has 10 and Player 1 now has 8",
        "Player 0 now has 10 and Player 1 now has 17",
        "Player 1 takes the lead by 7",
    ]
    record = hog.announce_highest(1)
    for scores in ((0, 1), (20, 1), (20, 13), (20, 35), (20, 47)):
        record = record(*scores)
    gains = [line.split(" ")[0] for line in capsys.readouterr().out.splitlines()]
    assert gains == ["1", "12", "22"]


def test_gains_are_announced_in_the_words_of_the_semester(capsys: pytest.CaptureFixture[str]) -> None:
    for semester, words in (("fa19", "1 point(s)"), ("fa17", "1 point")):
        hs.course(semester).announce_highest(1, previous_high=0, previous_score=4)(0, 5)
        assert capsys.readouterr().out == f"{words}! That's the biggest gain yet for Player 1\n"


def test_rules_on_points_apply_to_take_turn_but_not_to_roll_dice() -> None:
    hog = hs.course("fa16")
    dice = hog.make_test_dice
    assert [hog.take_turn(3, 0, dice(2, 2, 3)), hog.take_turn(4, 0, dice(6)), hog.take_turn(0, 12)] == [11, 21, 5]
    assert [hog.free_bacon(12), hog.roll_dice(3, dice(2, 2, 3))] == [3, 7]
    assert hs.course("su17").take_turn(2, 0, dice(3, 4)) == 11 and hs.course("fa17").take_turn(2, 0, dice(3, 4)) == 7


def test_dice_of_earlier_semesters() -> None:
    hog = hs.course("fa16")
    assert hog.select_dice(1, 0, False) is hog.six_sided and hog.select_dice(1, 0, True) is hog.four_sided
    assert hog.reroll(hog.make_test_dice(1, 3, 2))() == 3
    piggy = hs.course("su17")
    assert piggy.select_dice(True) is piggy.four_sided and piggy.is_perfect_piggy(27) and not piggy.is_perfect_piggy(1)


@pytest.mark.parametrize("semester", ["su15", "fa16", "su17", "sp20", "nju21"])
def test_win_rates_of_played_games_agree_with_the_exact_ones(semester: str) -> None:
    hog, games = hs.course(semester), 600
    random.seed(5)
    won = sum(score0 > score1 for score0, score1 in (hog.play(*map(hog.always_roll, (3, 6))) for _ in range(games)))
    exact = hs.Game(semester).rate("always_roll:3", "always_roll:6").first
    assert abs(won / games - exact) < 4 * (exact * (1 - exact) / games) ** 0.5


def test_play_accepts_the_arguments_of_the_starter_files() -> None:
    hog = hs.course("fa19")
    two = hog.always_roll(2)
    assert hog.play(two, two, goal=5, dice=hog.make_test_dice(3)) == (9, 0)
    assert hog.play(two, two, goal=5, dice=hog.make_test_dice(3), feral_hogs=False) == (6, 0)
    heard: list[tuple[int, int]] = []

    def say(score0: int, score1: int) -> Any:
        heard.append((score0, score1))
        return say

    hog.play(two, two, 0, 0, hog.make_test_dice(3), 16, say, False)
    assert heard == [(6, 0), (6, 6), (12, 6), (12, 12), (18, 12)]
    assert max(hs.course("su15").play(two, two, 36, 15, 50)) >= 50


def test_strategies_are_called_once_per_turn() -> None:
    for semester in ("fa21", "fa24"):
        hog, calls = hs.course(semester), list[tuple[int, int]]()

        def one(score: int, opponent: int) -> int:
            calls.append((score, opponent))
            return 1

        def dice() -> int:
            rolled.append(4)
            return 4

        rolled: list[int] = []
        updates = [hog.sus_update] if semester == "fa24" else []
        hog.play(one, one, *updates, dice=dice, goal=20)
        assert calls[0] == (0, 0) and len(calls) == len(rolled) > 2


def test_a_course_pickles() -> None:
    assert repr(pickle.loads(pickle.dumps(hs.course("fa21")))) == "course('fa21')"


def test_averages_of_test_dice_are_exact() -> None:
    hog = hs.course("fa21")
    assert hog.make_averaged(hog.make_test_dice(4, 2, 5, 1), trials_count=40)() == 3.0
    assert hog.max_scoring_num_rolls(hog.make_test_dice(2), trials_count=10) == 10
    assert hog.max_scoring_num_rolls(hog.make_test_dice(1, 2), trials_count=10) == 1


def test_a_hog_py_of_three_lines_has_the_functions_of_the_handout(tmp_path: Path) -> None:
    (tmp_path / "hog.py").write_text('import hog_solver\n\nhog_solver.course("fa21").install(globals())\n')
    script = "from hog import *; print(roll_dice(2, make_test_dice(4, 6, 1)), picky_piggy(24), take_turn(0, 2))"
    done = subprocess.run([sys.executable, "-c", script], cwd=tmp_path, capture_output=True, text=True, check=True)
    assert done.stdout == "10 7 4\n"


#: The page of the course in the terminal, as handed out since Fall 2022 with the rule and the parameters of the semester.
_HOG_UI = """
from hog import *


def told(who, strategy):
    def choose(score, opponent_score):
        num_rolls = strategy(score, opponent_score)
        print(who, score, opponent_score, num_rolls)
        return num_rolls
    return choose


def shown(dice):
    def roll():
        outcome = dice()
        print(outcome, end=" ")
        return outcome
    return roll


def update_and_print(num_rolls, player_score, opponent_score, dice):
    score = player_score + take_turn(num_rolls, {scores}, dice)
    return {rule}


assert callable(trace(always_roll_5)) and callable(interact)
assert shown(make_test_dice(4))() == 4


@main
def run(*args):
    import argparse
    parser = argparse.ArgumentParser()
    parser.add_argument("--num_players", "-n", type=int, default=0)
    parser.parse_args()
    final0, final1 = play(told(0, always_roll_5), told(1, final_strategy), update_and_print, 0, 0, shown(six_sided))
    print("The final score is Player 0:", final0, "vs Player 1:", final1)
"""
_SQUARE = ("opponent_score", "next_perfect_square(score) if perfect_square(score) else score")
_FUZZY = ("player_score, opponent_score", "fuzzy_points(score)")
_SUS = ("player_score, opponent_score", "sus_points(score)")
_WITH_UI = {"fa22": _SQUARE, "sp23": _SQUARE, "su23": _FUZZY} | dict.fromkeys(
    ["fa23", "sp24", "su24", "fa24", "sp25", "su25", "fa25", "sp26", "su26"], _SUS
)


@pytest.mark.parametrize("semester", _WITH_UI)
def test_hog_ui_runs_with_the_functions_of_its_semester(semester: str, tmp_path: Path) -> None:
    scores, rule = _WITH_UI[semester]
    (tmp_path / "hog.py").write_text(f"import hog_solver\n\nhog_solver.course({semester!r}).install(globals())\n")
    (tmp_path / "hog_ui.py").write_text(_HOG_UI.format(scores=scores, rule=rule))
    run = [sys.executable, "hog_ui.py", "-n", "0"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True, check=True)
    final = re.search(r"The final score is Player 0: (\d+) vs Player 1: (\d+)\n$", done.stdout)
    assert final and max(map(int, final.groups())) >= 100, done.stdout


#: What a table that sees the scores wins against the baseline, in games that remember more; fa16's grader asks 0.80.
@pytest.mark.parametrize(
    ("semester", "least"), {"fa16": 0.9225, "su17": 0.885, "fa19": 0.8489, "sp20": 0.8464, "su20": 0.872, "nju20": 0.8464}.items()
)
def test_final_strategy_is_the_best_table_where_a_memory_is_hidden(semester: str, least: float) -> None:
    final, game = hs.course(semester).final_strategy, hs.Game(semester)
    assert game.memories and final(game.goal, 0) == 0
    assert game.rate(final).average >= least


def test_a_game_of_no_course_and_a_missing_function_are_refused() -> None:
    with pytest.raises(hs.RulesError, match="not a game of a course"):
        hs.course("neller_hog")
    with pytest.raises(AttributeError, match="has no free_bacon"):
        hs.course("fa21").free_bacon


def test_run_experiments_calls_the_functions_of_the_module(capsys: pytest.CaptureFixture[str]) -> None:
    module = hs.course("fa21").install({})
    module["average_win_rate"] = lambda strategy: float(strategy(100, 3))
    module["max_scoring_num_rolls"] = lambda dice: 5
    module["run_experiments"]()
    lines = capsys.readouterr().out.splitlines()
    assert lines[0].endswith("5") and lines[-1] == "final_strategy win rate: 0.0"
    assert any(line.startswith("hog_pile_strategy") for line in lines)


def test_functions_set_on_a_course_are_those_that_others_call(monkeypatch: pytest.MonkeyPatch) -> None:
    hog, other = hs.course("fa21"), hs.course("fa21")
    with mock.patch.object(hog, "roll_dice", return_value=9) as roll_dice:
        assert hog.take_turn(3, 0) == 9 and roll_dice.called
        assert hog.functions()["roll_dice"] is roll_dice
    three = hog.make_test_dice(3)
    assert hog.take_turn(3, 0, three) == other.take_turn(3, 0, three) == 9
    monkeypatch.setattr(hog, "picky_piggy", lambda score: 70)
    assert (hog.take_turn(0, 0), other.take_turn(0, 0)) == (70, 7)
    monkeypatch.undo()
    assert hog.take_turn(0, 0) == 7
    with pytest.raises(AttributeError, match="the handout of fa21 has no free_bacon"):
        hog.free_bacon(0)
