"""The package reproduces the reference data in tests/conformance, made by another implementation."""

from __future__ import annotations

import csv
import json

import pytest

import hog_solver as hs
from conftest import CONFORMANCE


def _table(name: str) -> list[dict[str, str]]:
    with (CONFORMANCE / name).open(newline="") as file:
        return list(csv.DictReader(file))


@pytest.mark.parametrize("name", sorted(path.stem for path in (CONFORMANCE / "turns").glob("*.jsonl")))
def test_turns_match_the_reference(name: str) -> None:
    game = hs.Game(name)
    lines = (CONFORMANCE / "turns" / f"{name}.jsonl").read_text().splitlines()[:2000]
    for line in lines:
        case = json.loads(line)
        before, after = case["turn"], case["after"]
        turn = game.turn(before["score"], before["opponent"], before["dice"], memory=before.get("memory"))
        assert {key: turn[key] for key in after} == after, line


@pytest.mark.parametrize("name", sorted(path.stem for path in (CONFORMANCE / "values").glob("*.csv")))
def test_values_match_the_reference(name: str) -> None:
    game = hs.Game(name)
    values = game.solve().values
    for row in _table(f"values/{name}.csv"):
        scores = int(row.pop("score")), int(row.pop("opponent"))
        expected = float(row.pop("win_rate"))
        memory = {key: int(value) for key, value in row.items() if key in game.memories}
        assert values[game.state(*scores, memory)] == pytest.approx(expected, abs=1e-12)


def test_rates_match_the_reference() -> None:
    for row in _table("rates.csv"):
        rate = hs.Game(row["rules"]).rate(row["strategy"], row["opponent"])
        for key in ("first", "second", "average"):
            assert getattr(rate, key) == pytest.approx(float(row[key]), abs=1e-12), row


def test_exact_values_of_small_games_match_the_reference() -> None:
    for row in _table("small_exact.csv"):
        game = hs.Game(row["rules"], goal=int(row["goal"]), max_dice=int(row["max_dice"]))
        solved = game.solve(arithmetic="exact")
        assert str(solved.fraction) == row["first_player_win_rate"], row
        assert solved.dice.reshape(-1)[0] == int(row["lowest_best_first_roll"]), row
