"""Answers: typed, shown as text and HTML, and the questions as methods."""

from __future__ import annotations

import json
import pickle
import random
import threading
from html.parser import HTMLParser
from typing import Any

import numpy as np
import pytest

import hog_solver as hs
from hog_solver import _native, answers

#: The questions that `Game` asks under another name or with other parameters, and those about no game.
_OTHERWISE = {"check", "contest/reports", "dice", "rules/functions", "rules/list", "survey", "try"}


def test_every_question_is_a_method() -> None:
    for name, _, _ in _native.questions():
        if name not in _OTHERWISE and not name.startswith("plot/"):
            assert callable(getattr(hs.Game, name.replace("/", "_"))), name


def _answers(game: hs.Game) -> list[Any]:
    named = hs.Game(rules=game.rules.replace('name = "Sow Sad"', 'name = "<b>Sow & Sad</b>"'), goal=12)
    return [
        game.best(2, 3),
        hs.Game("fa14", goal=12).bid(),
        named.effects(),
        named.describe(),
        game.compare(named),
        game.fair(),
        game.map(layers=["spread"]),
        game.play("optimal"),
        game.rate("always_roll:4"),
        game.rules_show(),
        game.simplify(lines=1),
        game.simulate("always_roll:4", games=10),
        game.solve().view,
        game.solve().check(),
        game.try_("always_roll:4"),
        game.tune("always_roll:2..4"),
        named.turn(2, 3, [1, 5]),
        game.vary(goal=[10, 11]),
        game.vary(goal=[10, 11], max_dice=[3, 4]),
        game.why(2, 3, rolls=[2, 3]),
        game.contest({"<i>": "always_roll:4", "six": "always_roll:6"}),
        hs.sweep("fa21", {"goal": [10]}),
    ]


class _Tags(HTMLParser):
    """The tags of a text, and those that are not closed."""

    def __init__(self) -> None:
        super().__init__()
        self.seen: set[str] = set()
        self.open: list[str] = []

    def handle_starttag(self, tag: str, attrs: object) -> None:
        self.seen.add(tag)
        if tag != "br":
            self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


def test_every_answer_is_a_dict_text_and_an_escaped_table() -> None:
    for answer in _answers(hs.Game("fa21", goal=12)):
        tags = _Tags()
        tags.feed(answer._repr_html_())
        assert not tags.open and "table" in tags.seen and tags.seen <= {"table", "tr", "th", "td", "p", "br"}, answer
        assert json.loads(json.dumps(answer.to_dict())) and "\x1b" not in str(answer)
        copy = pickle.loads(pickle.dumps(answer))
        assert copy == answer and type(copy) is type(answer) and str(copy) == str(answer)


def test_an_answer_says_what_the_command_prints(fa21: hs.Game) -> None:
    best = fa21.best(20, 36)
    assert str(best).splitlines()[1].startswith("roll 8: win rate 0.39657")
    assert "<p>fa21: 20 to 36<br>roll 8: win rate 0.39657" in best._repr_html_()
    described = fa21.describe(lambda score, opponent: 4, "always_roll:6")
    assert described.against == "always_roll:6" and described.strategy == described.play[0]
    assert str(described).startswith(f"fa21: {described.strategy} against {described.against}")


def test_numbers_of_numpy_are_numbers_and_others_are_refused(fa21: hs.Game) -> None:
    asked = fa21.why(np.int64(20), np.uint8(36), rolls=np.array([8, 7]), memory={})  # type: ignore[arg-type]
    assert asked == fa21.why(20, 36, rolls=[8, 7])
    for score in (True, 2.5, "20", None, [20]):
        with pytest.raises((hs.Error, TypeError)):
            fa21.why(score, 36)  # type: ignore[arg-type]


def test_values_have_the_types_of_the_annotations(fa21: hs.Game) -> None:
    turn = fa21.turn(20, 36, [2, 3])
    assert isinstance(turn, answers.TurnAnswer) and type(turn.steps[0]) is answers.Step
    played = fa21.play("optimal")
    assert type(played.turns[0]) is answers.PlayTurn and type(played.end) is answers.PlayEnd
    described = hs.Game("fa21", goal=12).describe()
    assert type(described.turns) is answers.GameTurns and isinstance(described.win_rate, hs.Rate)
    assert fa21.best(20, 36).choices.dtype == np.float64 and fa21.best(20, 36)["choices"][8].dice == 8


def test_games_are_equal_if_their_rules_and_changes_are(fa21: hs.Game) -> None:
    same = hs.Game(rules=fa21.rules, goal=100)
    assert same == fa21 and hash(same) == hash(fa21) and {fa21: 1}[same] == 1
    assert fa21 != hs.Game("fa21", goal=99) and fa21 != hs.Game("fa22") and fa21 != "fa21"


def test_numbers_of_a_changed_game_vary(fa21: hs.Game) -> None:
    changed = hs.Game("fa21", goal=30)
    varied = changed.vary(goal=range(20, 23), max_dice=[4, 5])
    assert varied.win_rates.shape == (3, 2) and varied.vary == ["goal", "max_dice"]
    for row, rate in zip(varied.rows, varied.win_rates.reshape(-1), strict=True):
        goal, max_dice = row.values
        assert rate == pytest.approx(hs.Game("fa21", goal=goal, max_dice=max_dice).best(0, 0).win_rate)
    nearest = np.abs(varied.win_rates - 0.5).min()
    assert abs(varied.fairest.figures.win_rate.first - 0.5) == nearest
    shown = varied._repr_html_()
    assert shown.count("<td style=") == 6 and shown.count("180,1.00)") >= 1 and "fairest with goal" in shown
    (row,) = changed.vary(max_dice=[4]).rows
    assert row.figures.goal == 30
    assert row.figures.win_rate.first == pytest.approx(hs.Game("fa21", goal=30, max_dice=4).best(0, 0).win_rate)


def test_the_fairest_values_are_first_in_a_table(fa21: hs.Game) -> None:
    varied = fa21.vary(goal=range(10, 40))
    (goal,) = varied.fairest.values
    assert f"<tr><td>{goal}</td><td>{varied.fairest.figures.win_rate.first!r}</td>" in varied._repr_html_().split("</tr>")[1]
    assert f"goal {goal}," in str(varied).splitlines()[-2]
    with pytest.raises(hs.Error, match="no number `target`"):
        fa21.vary(target=[3])


def test_every_kind_of_picture_is_drawn() -> None:
    small = hs.Game("fa21", goal=12)

    def four(score: int, opponent_score: int) -> int:
        return 4

    parameters: dict[str, dict[str, Any]] = {
        "diff": {"first": four, "second": "optimal"},
        "length": {"play": [(four, "optimal")]},
        "loss": {"strategy": four},
        "visits": {"strategy": four},
    }
    for name, _, _ in _native.questions():
        if name.startswith("plot/"):
            kind = name.split("/")[1]
            # What is held is a memory's value.
            game = hs.Game("pig", goal=12) if kind == "hold" else small
            picture = game.picture(kind, **parameters.get(kind, {}))
            assert picture.svg.startswith("<svg") and picture._repr_html_() == picture.svg and picture.title, kind
            assert "four" in picture.svg or kind not in parameters
    with pytest.raises(hs.Error, match="no question is called"):
        small.picture("nothing")


def careful(score: int, opponent_score: int, threshold: int = 8, num_rolls: int = 6) -> int:
    return 0 if score >= 50 - threshold else num_rolls


def test_a_function_is_tuned_over_its_keywords() -> None:
    game = hs.Game("fa21", goal=50)
    tuned = game.tune(careful, "always_roll:6", threshold=range(5, 15), num_rolls=range(4, 7))
    assert tuned.averages.shape == (10, 3) and tuned.parameters == ["threshold", "num_rolls"]
    threshold, num_rolls = tuned.best.values
    assert tuned.averages.max() == tuned.averages[threshold - 5, num_rolls - 4] == tuned.best.average
    alone = game.rate(lambda score, opponent: careful(score, opponent, 7, 5), "always_roll:6")
    assert tuned.averages[2, 1] == pytest.approx(alone.average, abs=1e-12)
    assert tuned._repr_html_().count("<td style=") == 30 and "threshold" in tuned._repr_html_()
    assert game.tune(careful, threshold=[3]).against == game.try_(careful).against == "always_roll:6"
    by_name = game.tune("bacon_strategy", threshold=range(3), num_rolls=[5, 6])
    assert by_name.averages.shape == (3, 2) and len(by_name["rates"]) == 6
    with pytest.raises(hs.Error, match="nothing varies"):
        game.tune(careful)


def test_tables_of_all_kinds_are_strategies(fa21: hs.Game) -> None:
    dice = np.add.outer(np.arange(100), np.arange(100)) % 5 + 3
    wanted = fa21.rate(dice)
    larger = np.zeros((101, 101), dtype=int)
    larger[:100, :100] = dice
    rows = dice.tolist()
    pairs = {(s, o): rows[s][o] for s in range(100) for o in range(100)}
    tables: list[Any] = [
        larger,
        larger.tolist(),
        rows,
        tuple(map(tuple, rows)),
        pairs,
        {f"{s},{o}": number for (s, o), number in pairs.items()},
        {s: dict(enumerate(row)) for s, row in enumerate(rows)},
        {str(s): {str(o): number for o, number in enumerate(row)} for s, row in enumerate(rows)},
        dict(enumerate(rows)),
        {(s, o): larger[s, o] for s in range(101) for o in range(101)},
    ]
    try:
        import pandas
    except ImportError:
        pass
    else:
        tables += [pandas.DataFrame(dice), pandas.DataFrame(larger)]
    for table in tables:
        assert fa21.rate(table) == wanted
    assert fa21.try_(rows).win_rate == wanted


@pytest.mark.parametrize(
    ("table", "words"),
    [
        ([[6] * 100] * 99 + [[6] * 98], "the rows of table do not have the same length"),
        ({(3, 4): 6}, "table has no number of dice at 0-0"),
        ({score: [6] * 99 for score in range(100)}, "no number of dice at 0-99"),
        ({score: 6 for score in range(100)}, "no number of dice at 0-0"),
        ([["6"] * 100] * 100, "holds <U1, not integers"),
        ([[True] * 100] * 100, "holds bool, not integers"),
        (np.full((102, 102), 6), "has the shape"),
    ],
)
def test_faulty_tables_are_refused_with_a_reason(fa21: hs.Game, table: Any, words: str) -> None:
    with pytest.raises(hs.StrategyError, match=words):
        fa21.rate(table)


def test_exceptions_have_the_kind_of_the_commands_json(fa21: hs.Game) -> None:
    wrong = {
        "value": lambda: fa21.best(100, 0),
        "unknown_game": lambda: hs.Game("fa99"),
        "rules": lambda: hs.Game(rules="goal = 0"),
        "game": lambda: fa21.bid(),
        "strategy": lambda: fa21.rate("nobody"),
        "request": lambda: fa21.ask("nothing"),
        "file": lambda: fa21.rate("missing.csv"),
        "table": lambda: _native.NativeSolution.from_bytes(b"no table"),
    }
    for kind, ask in wrong.items():
        with pytest.raises(hs.Error) as caught:
            ask()  # type: ignore[no-untyped-call]
        assert caught.value.kind == kind and isinstance(caught.value, ValueError)
    with pytest.raises(hs.Error) as caught:
        fa21.rate(lambda score, opponent: 99)
    assert caught.value.kind == "strategy"
    with pytest.raises(hs.Error) as caught:
        hs.Game("fa21", goal=-1)
    assert caught.value.kind == "value"


def test_threads_that_print_and_draw_while_functions_are_rated(capsys: pytest.CaptureFixture[str]) -> None:
    small = hs.Game("fa21", goal=30)
    lines = 60
    drawn: list[list[float]] = [[] for _ in range(10)]
    rates: list[float] = []

    def loud(score: int, opponent: int) -> int:
        if score == opponent == 0:
            print("rated")
        return 4 + score % 3

    def run(number: int) -> None:
        for line in range(lines):
            drawn[number] += [random.random(), float(np.random.random())]
            print(f"thread {number} line {line}")
            if line % 20 == 0:
                rates.append(small.rate(loud).average)

    threads = [threading.Thread(target=run, args=(number,)) for number in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    print("after")
    said = capsys.readouterr().out.split("\n")
    assert sorted(said) == sorted(
        ["", "after", *["rated"] * 30, *(f"thread {number} line {line}" for number in range(10) for line in range(lines))]
    )
    numbers = [number for each in drawn for number in each]
    assert len(set(numbers)) == len(numbers) == 20 * lines and len(set(rates)) == 1
