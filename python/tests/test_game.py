"""Games, solutions and rates as Python objects, with the numbers of the library."""

from __future__ import annotations

import pickle
import random
import re
import sys
from concurrent.futures import ThreadPoolExecutor
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest

import hog_solver as hs
from hog_solver import _native

MINE = """
id = "mine"
title = "Mine"
goal = 20
max_dice = 3
baseline = "always_roll:2"

[[rule]]
name = "Pig Out"
bust = "1"

[[rule]]
name = "Free Bacon"
zero_dice = "1 + max(tens(opponent), ones(opponent))"
"""


def test_a_game_has_its_id_goal_dice_and_shape(fa21: hs.Game) -> None:
    assert (fa21.id, fa21.goal, fa21.min_dice, fa21.max_dice, fa21.shape) == ("fa21", 100, 0, 10, (100, 100))
    assert hs.Game("FA24").id == "fa23"
    assert "fa21" in hs.games()


def test_numbers_of_a_game_change_it_and_its_start(fa21: hs.Game) -> None:
    ahead = hs.Game("fa21", goal=30, numbers={"second_start": 7})
    even = hs.Game("fa21", goal=30)
    assert ahead != even
    assert abs(ahead.solve().win_rate.first - even.best(0, 7).win_rate) < 1e-12
    assert pickle.loads(pickle.dumps(ahead)) == ahead
    text = "id = 'own'\ngoal = 20\n[numbers]\nfree = 2\n[[rule]]\nname = 'Free'\nzero_dice = 'free'\n"
    changed = hs.Game(rules=text, numbers={"free": 3})
    assert changed.turn(0, 0, dice=[]).points == 3
    with pytest.raises(hs.Error, match="no number `fre`"):
        hs.Game(rules=text, numbers={"fre": 3})


def test_final_strategy_is_a_plain_int(fa21: hs.Game) -> None:
    assert fa21.final_strategy(20, 36) == 8
    assert type(fa21.final_strategy(0, 0)) is int


def test_best_returns_the_win_rate_of_every_choice(fa21: hs.Game) -> None:
    best = fa21.best(20, 36)
    assert best.best == [8]
    assert best.choices.shape == (11,)
    assert best.choices.max() == best.win_rate == best.choices[8] == 0.3965707251269991
    answered = fa21.best(20, 36, against=lambda score, opponent: 6)
    assert answered.win_rate == fa21.best(20, 36, against="always_roll:6").win_rate > best.win_rate


def test_memories_are_given_by_name(fa19: hs.Game) -> None:
    assert fa19.memories == ["last_dice", "opponent_last_dice"]
    with_memory = fa19.best(20, 36, memory={"last_dice": 4})
    assert with_memory.memory["last_dice"] == 4
    with pytest.raises(ValueError, match="no memory `dice`"):
        fa19.best(20, 36, memory={"dice": 4})


def test_an_answer_in_json_brings_its_file() -> None:
    answer = hs.Game("fa21", goal=9).ask("solve", to="csv")
    lines = answer["file"].splitlines()
    assert lines[0] == "score,opponent,win_rate,dice,best" and len(lines) == 1 + answer["states"]
    with pytest.raises(ValueError, match="one of py, csv"):
        hs.Game("fa21", goal=9).ask("solve", to="hog")


def test_a_solution_is_exact_and_read_only(optimal: hs.Solution) -> None:
    assert optimal.values.dtype == np.float64 and optimal.values.shape == (100, 100)
    assert optimal.best.dtype == np.uint32 and optimal.dice.dtype == np.int8
    assert not optimal.values.flags.writeable and not optimal.values.flags.owndata
    with pytest.raises(ValueError):
        optimal.values[0, 0] = 0.0
    assert isinstance(optimal.fraction, Fraction)
    assert float(optimal.fraction) == optimal.win_rate.first == optimal.values[0, 0]
    assert optimal.win_rate.error_bound < 2e-16
    chosen = 1 << (optimal.dice.astype(np.int64))
    assert ((optimal.best & chosen) != 0).all()


def test_arrays_outlive_their_solution(fa21: hs.Game) -> None:
    values = fa21.solve(arithmetic="float").values
    first = float(values[0, 0])
    for _ in range(3):
        fa21.solve(arithmetic="float")
    assert values[0, 0] == first


def test_tables_are_saved_loaded_and_checked(optimal: hs.Solution, tmp_path: Path) -> None:
    path = tmp_path / "fa21.hog"
    optimal.save(path)
    loaded = hs.load(path)
    assert (loaded.values == optimal.values).all() and (loaded.best == optimal.best).all()
    assert loaded.win_rate == optimal.win_rate and loaded.fraction is None
    assert loaded.check().ok
    path.write_bytes(path.read_bytes()[:-5])
    with pytest.raises(hs.TableError, match="damaged|truncated|short"):
        hs.load(path)


def test_rates_of_all_kinds_of_strategies_agree(fa21: hs.Game, tmp_path: Path) -> None:
    def six(score: int, opponent: int) -> int:
        return 6

    rates = [
        fa21.rate(strategy, "always_roll:4")
        for strategy in (six, "always_roll:6", np.full((100, 100), 6), hs.Strategy("six", np.full((100, 100), 6)))
    ]
    assert len(set(rates)) == 1
    assert rates[0].first + fa21.rate("always_roll:4", six).second == pytest.approx(1.0, abs=1e-15)
    path = tmp_path / "six.csv"
    path.write_text("\n".join(",".join(["6"] * 100) for _ in range(100)).replace(",", " "))
    text = path.rename(tmp_path / "six.txt")
    assert fa21.rate(text, "always_roll:4") == rates[0]


def test_equilibrium_cannot_be_exploited(fa21: hs.Game, optimal: hs.Solution) -> None:
    assert fa21.exploitability(optimal) == pytest.approx(0.0, abs=1e-12)
    assert fa21.exploitability("always_roll:6") > 0.1
    response = fa21.solve(against="always_roll:6", arithmetic="float")
    assert fa21.rate(response, "always_roll:6").average == pytest.approx(response.win_rate.average, abs=1e-12)


def test_losses_sum_to_the_gap_to_the_best_response(fa21: hs.Game) -> None:
    tried = fa21.try_("always_roll:4", "always_roll:6", top=5)
    assert tried.losses.shape == (100, 100) and len(tried.worst) == 5
    lost = tried.best_response.average - tried.win_rate.average
    assert tried.losses.sum() == pytest.approx(lost, abs=1e-9)
    assert tried.losses.max() == pytest.approx(tried.worst[0].loss)
    assert np.allclose(tried.losses, tried.met * tried.losses_each, atol=1e-12)


def test_games_are_played_and_simulated(fa21: hs.Game) -> None:
    game = fa21.play("optimal", seed=1)
    assert game.end.scores == game.turns[-1].scores and max(game.end.scores) >= 100
    assert fa21.play("optimal", seed=1) == game
    played = fa21.simulate("optimal", "always_roll:6", games=20_000, seed=3)
    assert played.average.low < fa21.rate("optimal", "always_roll:6").average < played.average.high
    turn = fa21.turn(20, 36, [2] * 8)
    assert (turn.score, turn.opponent) == (72, 36) and turn.steps[-1].rule == "Hog Pile"


def test_games_solutions_and_strategies_pickle_small(fa21: hs.Game, optimal: hs.Solution) -> None:
    assert pickle.loads(pickle.dumps(fa21)).id == "fa21"
    assert pickle.loads(pickle.dumps(hs.Game("fa21", goal=50))).goal == 50
    text = pickle.dumps(optimal)
    assert len(text) < 50_000
    copy = pickle.loads(text)
    with pytest.raises(hs.TableError, match="the table in memory: it is cut short"):
        _native.NativeSolution.from_bytes(optimal._native.to_bytes()[:500])
    assert (copy.best == optimal.best).all() and np.abs(copy.values - optimal.values).max() < 1e-12
    strategy = fa21.strategy(lambda score, opponent: score % 7, "seven")
    text = pickle.dumps(strategy)
    assert len(text) < 11_000 and (pickle.loads(text).dice == strategy.dice).all()
    view = fa21.turn(20, 36, [2, 3])
    assert pickle.loads(pickle.dumps(view)) == view


def test_own_rules_are_solved_and_checked() -> None:
    game = hs.Game(rules=MINE)
    assert game.shape == (20, 20)
    solved = game.solve(arithmetic="exact")
    assert solved.check().ok
    assert hs.Game(rules=MINE, goal=30).goal == 30


def test_faults_of_rules_have_their_line() -> None:
    with pytest.raises(hs.RulesError) as caught:
        hs.Game(rules=MINE.replace("ones(opponent)", "ons(opponent)"))
    (fault,) = caught.value.faults
    assert fault["line"] == 14 and "ons" in fault["message"]
    with pytest.raises(hs.RulesError, match="fa2l"):
        hs.Game("fa2l")
    for baseline in ("nonsense", "hog.py"):
        with pytest.raises(hs.RulesError, match="baseline") as caught:
            hs.Game(rules=MINE.replace("always_roll:2", baseline))
        assert caught.value.faults[0]["line"] == 6
    with pytest.raises(ValueError):
        hs.Game("fa21", goal=0)
    with pytest.raises(ValueError):
        hs.Game(rules=MINE, goal=0)
    with pytest.raises(TypeError):
        hs.Game()


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        (lambda score, opponent: 11, "returns 11; fa21 allows 0 to 10 dice"),
        (lambda score, opponent: None, "returns None, a NoneType; return a whole number"),
        (lambda score, opponent: 3.5, "returns 3.5, a float; return a whole number"),
        (lambda score, opponent: True, "returns True, a bool; return a whole number"),
        (lambda score, opponent: random.randint(3, 6), r"\(\d+, \d+\) uses random numbers: \d dice, asked again \d; game.strategy"),
        (lambda score, opponent: int(np.random.randint(3, 7)), r"\(\d+, \d+\) uses random numbers"),
        (lambda score, opponent: 6 + 0 // (score - 20), r"\(20, 0\) raises ZeroDivisionError"),
        (lambda score: 6, "raises TypeError"),
        (np.full((100, 99), 6), "has the shape"),
        (np.full((100, 100), 6.5), "holds float64"),
        (np.full((100, 100), 99), "rolls 99 dice at 0-0"),
        ("always_roll", "always_roll needs a number"),
        ("allways_roll:6", "unknown strategy"),
        (6, "is not a strategy"),
    ],
)
def test_bad_strategies_are_refused_with_a_reason(fa21: hs.Game, strategy: object, words: str) -> None:
    with pytest.raises(hs.StrategyError, match=words):
        fa21.rate(strategy)  # type: ignore[arg-type]
    assert fa21.rate("baseline").average == 0.5


class _Unprintable:
    def __repr__(self) -> str:
        raise RuntimeError


@pytest.mark.parametrize(
    ("strategy", "words"),
    [
        (lambda score, opponent: exit(3), "raises SystemExit"),
        (lambda score, opponent: 10**6000, "returns something of type int; fa21 allows"),
        (lambda score, opponent: _Unprintable(), "return a whole number of dice"),
        (np.full((100, 100), 2**63 + 6, dtype=np.uint64), "rolls 9223372036854775807 dice"),
        ([[6] * 100] * 99, r"^.{1,400}$"),
        (dict.fromkeys(range(10_000), 6), r"^.{1,400}$"),
    ],
)
def test_hostile_strategies_are_refused_alone_and_in_a_contest(fa21: hs.Game, strategy: object, words: str) -> None:
    with pytest.raises(hs.StrategyError, match=words):
        fa21.rate(strategy)  # type: ignore[arg-type]
    assert [row.name for row in fa21.contest({"bad": strategy}).rejected] == ["bad"]  # type: ignore[dict-item]


def test_numbers_out_of_range_are_value_errors(fa21: hs.Game) -> None:
    attempts = (
        lambda: hs.Game("fa21", goal=-1),
        lambda: hs.Game("fa21", max_dice=-1),
        lambda: fa21.best(-1, 0),
        lambda: fa21.state(0, 2**40),
        lambda: fa21.final_strategy(-1, 3),
        lambda: fa21.final_strategy(3, 100),
        lambda: fa21.turn(0, 0, [-1]),
        lambda: fa21.play("optimal", seed=-1),
        lambda: fa21.simulate("optimal", games=-1),
        lambda: fa21.simulate("optimal", games=10, seed=2**64),
        lambda: fa21.try_("baseline", top=-1),
    )
    for attempt in attempts:
        with pytest.raises(ValueError):
            attempt()
    with pytest.raises(TypeError, match="number of games is a whole number, not float"):
        fa21.simulate("optimal", games=1e6)  # type: ignore[arg-type]


def test_output_of_a_strategy_goes_to_standard_output(fa21: hs.Game, capsys: pytest.CaptureFixture[str]) -> None:
    def loud(score: int, opponent: int) -> int:
        if score == opponent == 0:
            print("hello")
        return 6

    assert fa21.rate(loud).average == 0.5
    assert capsys.readouterr().out == "hello\n"


def test_functions_asked_in_threads_leave_output_and_random_numbers_as_they_were(
    capsys: pytest.CaptureFixture[str],
) -> None:
    small = hs.Game("fa21", goal=20)
    stream = sys.stdout

    def asked(dice: int) -> float:
        return float(small.rate(lambda score, opponent: dice, "always_roll:4").average)

    random.seed(8)
    expected = random.getstate()
    with ThreadPoolExecutor(8) as threads:
        rates = list(threads.map(asked, [3, 4, 5, 6] * 8))
    assert rates == rates[:4] * 8
    assert sys.stdout is stream and random.getstate() == expected
    print("still seen")
    assert capsys.readouterr().out == "still seen\n"


def test_views_have_attributes_keys_and_html(fa21: hs.Game) -> None:
    turn = fa21.turn(20, 36, [2, 3])
    assert turn.points == turn["points"] == 5
    assert "points" in dir(turn) and "<table>" in turn._repr_html_()
    with pytest.raises(AttributeError, match="there are points"):
        turn.point


def test_games_are_described_and_compared(fa21: hs.Game) -> None:
    described = fa21.describe()
    assert abs(described.win_rate.first - fa21.solve().win_rate.first) < 1e-12
    assert abs(sum(described.turns.distribution) - 1) < 1e-9
    assert {rule.name for rule in described.rule_uses} == {"Sow Sad", "Picky Piggy", "Hog Pile"}
    assert fa21.compare(hs.Game("fa21", goal=90), top=3)


def test_a_solution_has_an_svg_map(optimal: hs.Solution) -> None:
    picture = optimal._repr_svg_()
    assert picture.startswith("<svg") and "fa21" in picture


def test_a_solution_of_another_game_is_refused(fa21: hs.Game) -> None:
    other = hs.Game("fa22").solve()
    with pytest.raises(hs.StrategyError, match="a solution of fa22 is not for fa21"):
        fa21.rate(other)
    assert fa21.rate(other.dice).average < fa21.rate("optimal").average


def test_a_solution_that_sees_only_scores_has_one_roll_per_pair_of_scores() -> None:
    game = hs.Game("fa19", goal=20)
    searched = game.solve(against="always_roll:4", sees="scores", tries=2)
    assert searched.dice.shape == (20, 20)
    assert abs(game.rate(searched.dice, "always_roll:4").average - searched.win_rate.average) < 1e-12


def test_progress_true_shows_a_bar(capsys: pytest.CaptureFixture[str]) -> None:
    pytest.importorskip("tqdm", reason="tqdm is not installed")
    hs.Game("fa19", goal=61).solve(arithmetic="float", progress=True)
    assert "solving" in capsys.readouterr().err


def test_a_function_of_chance_is_drawn_once_with_a_seed(fa21: hs.Game) -> None:
    def chance(score: int, opponent: int) -> int:
        return random.choice((4, 6)) if score > 90 else 5

    random.seed(8)
    expected = random.random()
    random.seed(8)
    drawn, again, other = (fa21.strategy(chance, seed=seed).dice for seed in (1, 1, 2))
    assert random.random() == expected, "the caller's random numbers go on as before"
    assert (drawn == again).all() and (drawn != other).any() and set(drawn[95].tolist()) == {4, 6}
    assert fa21.strategy(chance, seed=1).name == "chance"
    with pytest.raises(hs.StrategyError, match=r"chance\(91, \d+\) uses random numbers"):
        fa21.rate(chance)


def test_true_is_not_a_number(fa21: hs.Game) -> None:
    for asked in (
        lambda: hs.Game("fa21", goal=True),
        lambda: fa21.best(True, 0),
        lambda: fa21.turn(0, 0, True),
        lambda: fa21.turn(0, 0, [True]),
        lambda: fa21.simulate("optimal", seed=True),
    ):
        with pytest.raises(TypeError, match="whole number, not bool"):
            asked()


def test_the_version_is_the_packages() -> None:
    assert re.fullmatch(r"\d+\.\d+\.\d+", hs.__version__)


def test_a_solution_becomes_a_data_frame(fa21: hs.Game, fa19: hs.Game, optimal: hs.Solution) -> None:
    pytest.importorskip("pandas", reason="pandas is not installed")
    rows = optimal.to_pandas()
    assert list(rows.columns) == ["score", "opponent", "win_rate", "dice", "best"] and len(rows) == 10_000
    row = rows[(rows.score == 20) & (rows.opponent == 36)].iloc[0]
    assert (row.win_rate, row.dice, row.best) == (optimal.values[20, 36], 8, [8])
    small = hs.Game("fa19", goal=6).solve()
    assert len(small.to_pandas()) == small.values.size and (small.to_pandas().win_rate == small.values.reshape(-1)).all()


def test_reprs_are_short(fa21: hs.Game) -> None:
    rate = fa21.rate("always_roll:4")
    assert repr(rate) == f"Rate(average={rate.average!r}, first={rate.first!r}, second={rate.second!r})"
    contest = fa21.contest({f"always {n}": f"always_roll:{n}" for n in range(8)})
    for shown in (contest, fa21.try_("always_roll:4"), fa21.play("optimal"), hs.Game("fa21", goal=12).describe()):
        assert len(repr(shown)) < 340 and repr(shown).startswith(type(shown).__name__ + "("), repr(shown)
    assert "entrants=<8 entries>" in repr(contest)


@pytest.mark.parametrize("dtype", [*np.typecodes["AllInteger"], ">i2", ">u8", "float32", "float64"])
def test_arrays_of_whole_numbers_of_every_type_are_strategies(fa21: hs.Game, dtype: str) -> None:
    six = np.full((100, 100), 6, dtype=dtype)
    assert fa21.rate(six) == fa21.rate("always_roll:6")
    assert hs.Strategy("six", six).dice.dtype == np.int8


@pytest.mark.parametrize("dtype", ["bool", "complex64", "U1", "object"])
def test_arrays_of_other_types_are_refused(fa21: hs.Game, dtype: str) -> None:
    with pytest.raises(hs.StrategyError, match="not integers"):
        fa21.rate(np.full((100, 100), 1).astype(dtype))


@pytest.mark.parametrize("value", [4.5, np.nan, np.inf, 1e300])
def test_floats_that_are_no_numbers_of_dice_are_refused(fa21: hs.Game, value: float) -> None:
    with pytest.raises(hs.StrategyError, match="not integers"):
        fa21.rate(np.full((100, 100), value))


def test_the_rule_functions_beside_a_strategy_are_compared_with_the_handout(tmp_path: Path) -> None:
    source = """
def boar_brawl(player_score, opponent_score):
    return 3 * abs(opponent_score // 10 - player_score % 10)

def sus_update(num_rolls, player_score, opponent_score, dice=None):
    return player_score + boar_brawl(player_score, opponent_score)

def final_strategy(score, opponent_score):
    return 6
"""
    module: dict[str, object] = {}
    exec(source, module)
    game = hs.Game("fa24")
    words = ["your boar_brawl(0, 0) is 0; the handout's is 1"]
    tried = game.try_(module["final_strategy"])  # type: ignore[arg-type]
    assert [wrong["words"] for wrong in tried["handout"]["wrong_functions"]] == words
    file = tmp_path / "hog.py"
    file.write_text(source)
    assert [wrong["words"] for wrong in game.try_(file)["handout"]["wrong_functions"]] == words
