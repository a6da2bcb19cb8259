"""Cases of the public graders of each semester, run with ``course``: see ``grader_cases.txt``."""

from __future__ import annotations

import contextlib
import io
import random
import re
import types
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

import hog_solver as hs

_TEXT = (Path(__file__).with_name("grader_cases.txt")).read_text(encoding="utf-8")
#: The lines of each section by its heading.
SECTIONS = {
    heading: [line for line in lines.splitlines() if line.strip() and not line.startswith("#")]
    for heading, lines in re.findall(r"^\[(\w+)\][^\n]*\n(.*?)(?=^\[\w+\] |\Z)", _TEXT, re.M | re.S)
}


def said(function: Callable[..., Any], *arguments: Any) -> list[str]:
    """Returns the lines that a call prints."""
    output = io.StringIO()
    with contextlib.redirect_stdout(output):
        function(*arguments)
    return output.getvalue().splitlines()


def quiet(function: Callable[..., Any], *arguments: Any) -> Any:
    """Returns what a call returns, without what it prints."""
    with contextlib.redirect_stdout(io.StringIO()):
        return function(*arguments)


def failure(function: Callable[..., Any], *arguments: Any) -> str:
    """Returns the message of the AssertionError that a call raises."""
    with pytest.raises(AssertionError) as error:
        function(*arguments)
    return str(error.value).splitlines()[0] if str(error.value) else ""


def _with_seed(seed: int, function: Callable[[], Any]) -> Any:
    state = random.getstate()
    random.seed(seed)
    result = function()
    random.setstate(state)
    return result


def _random_strategy(seed: int) -> Callable[[int, int], int]:
    def strategy(score: int, opponent: int) -> int:
        own = score * 314159265358979 + opponent * 27182818284590452353602874713527 + seed * 161803398874989484820
        return _with_seed(own % 2**32, lambda: random.randrange(11))  # type: ignore[no-any-return]

    return strategy


def game_of_grader(
    play: Callable[..., Any], number: int, updates: list[Any], score0: int, score1: int, goal: int
) -> list[tuple[int, int]]:
    """Returns the scores after each turn of the game that the graders' ``play_utils.py`` has under a number."""
    seeds = _with_seed(number, lambda: [random.randrange(2**32) for _ in range(3)])
    starts: list[tuple[int, int]] = []
    dice_seed = seeds[2]

    def dice() -> int:
        nonlocal dice_seed
        dice_seed, face = _with_seed(dice_seed, lambda: (random.randrange(2**32), random.randrange(1, 7)))
        return face  # type: ignore[no-any-return]

    def noted(who: int) -> Callable[[int, int], int]:
        strategy = _random_strategy(seeds[who])

        def asked(score: int, opponent: int) -> int:
            starts.append((score, opponent) if who == 0 else (opponent, score))
            return strategy(score, opponent)

        return asked

    end = play(noted(0), noted(1), *updates, score0, score1, dice=dice, goal=goal)
    return [*starts[1:], end]


def _run(line: str, names: dict[str, Any]) -> None:
    if line.startswith("@ "):
        function, *cases = line[2:].split()
        for case in cases:
            arguments, _, value = case.replace("~", " ").rpartition("=")
            call = f"{function}({arguments})"
            assert eval(call, names) == eval(value, names), call
    elif line.startswith("$ "):
        game, _, scores = line[2:].partition(" = ")
        number, start, goal, *update = game.split()
        expected = [tuple(map(int, pair.split("-"))) for pair in scores.split()]
        updates = [names[name] for name in update]
        given = game_of_grader(names["play"], int(number), updates, *map(int, start.split(",")), goal=int(goal))
        assert given == expected, line
    elif " -> " in line:
        call, _, value = line.rpartition(" -> ")
        given = eval(call, names)
        assert (given, type(given)) == (eval(value, names), type(eval(value, names))), line
    elif " >> " in line:
        call, _, printed = line.partition(" >> ")
        output = io.StringIO()
        with contextlib.redirect_stdout(output):
            eval(call, names)
        assert output.getvalue() == printed.replace(" | ", "\n") + "\n", line
    else:
        exec(line, names)


@pytest.mark.parametrize("installed", [True, False], ids=["module", "course"])
@pytest.mark.parametrize("semester", SECTIONS)
def test_the_cases_of_a_grader_hold(semester: str, installed: bool) -> None:
    hog: Any = hs.course(semester)
    if installed:
        module = types.ModuleType("hog")
        hog.install(module.__dict__)
        hog = module
    names: dict[str, Any] = {**vars(hog), "hog": hog, "said": said, "quiet": quiet, "failure": failure}
    for line in SECTIONS[semester]:
        _run(line, names)
