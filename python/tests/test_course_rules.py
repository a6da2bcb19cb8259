"""The handouts' functions against the rule files: games turn by turn, points at all scores, strategies at all scores."""

from __future__ import annotations

import random
from collections.abc import Callable
from typing import Any

import pytest

import hog_solver as hs
from hog_solver._semesters import HANDOUTS, function_name

#: The strategies of a handout that no name of the library's strategies stands for.
_OWN = {(semester, "swap_strategy") for semester in ("fa15", "sp16", "su16", "sp18", "su18")} | {
    (f"nju{year}", name) for year in (23, 24, 25) for name in ("picky_strategy", "swine_strategy")
}


class _Recorded:
    """Plays a game of ``course`` with random strategies and dice, and notes what was asked and rolled in each turn."""

    def __init__(self, course: hs.Course, game: hs.Game, seed: int) -> None:
        self.course, self.random = course, random.Random(seed)
        self.fewest = game.min_dice
        #: The player, both scores (the player's first), the number of dice asked for, and the outcomes, of each turn.
        self.turns: list[tuple[int, int, int, int, list[int]]] = []
        self.module = course.install({})
        for sides, names in ((4, ("four_sided", "four_sided_dice")), (6, ("six_sided", "six_sided_dice"))):
            for name in names:
                if name in self.module:
                    self.module[name] = self._die(sides)

    def _die(self, sides: int) -> Callable[[], int]:
        def die() -> int:
            self.turns[-1][4].append(self.random.randint(1, sides))
            return self.turns[-1][4][-1]

        return die

    def _strategy(self, who: int) -> Callable[[int, int], int]:
        def strategy(score: int, opponent: int) -> int:
            asked = self.random.choice((self.fewest, 0, 0, 1, 2, 2, 3, 4, 5, 6, 10))
            self.turns.append((who, score, opponent, asked, []))
            return asked

        return strategy

    def play(self) -> Any:
        updates = [self.module[name] for name in ("square_update", "fuzzy_update", "sus_update") if name in self.module]
        extra = {} if "select_dice" in self.module else {"dice": self._die(6)}
        return self.module["play"](self._strategy(0), self._strategy(1), *updates, **extra)


@pytest.mark.parametrize("semester", HANDOUTS)
def test_games_follow_the_rule_file_turn_by_turn(semester: str) -> None:
    course, game = hs.course(semester), hs.Game(semester)
    for seed in range(6):
        recorded = _Recorded(course, game, seed)
        end = recorded.play()
        memory: dict[str, int] | None = None
        for number, (who, score, opponent, asked, faces) in enumerate(recorded.turns):
            rolled = _standing(faces) if semester == "fa16" and (score + opponent) % 7 == 0 else faces
            taken = game.turn(score, opponent, asked if asked < 0 else rolled, memory=memory)
            after = (taken.score, taken.opponent)
            if number + 1 < len(recorded.turns):
                then = recorded.turns[number + 1]
                assert taken.again == (then[0] == who)
                assert after == (then[1:3] if then[0] == who else (then[2], then[1])), (seed, number)
                memory = _memory_of(taken.memory.to_dict(), taken.again)
            elif isinstance(end, int):
                assert (after[0] > after[1]) == (end == who)
            else:
                assert after == (end if who == 0 else end[::-1])


def _standing(faces: list[int]) -> list[int]:
    """Returns the outcomes that stand if each odd one was rerolled once."""
    left = iter(faces)
    return [next(left) if face % 2 else face for face in left]


def _memory_of(after: dict[str, int], again: bool) -> dict[str, int]:
    """Returns the memory as the next player sees it."""
    if again:
        return after
    swapped = {name: value for name, value in after.items() if not name.startswith("opponent_")}
    theirs = {name.removeprefix("opponent_"): value for name, value in after.items() if name.startswith("opponent_")}
    if not theirs:
        return after
    return {**theirs, **{f"opponent_{name}": value for name, value in swapped.items()}}


@pytest.mark.parametrize("semester", HANDOUTS)
def test_points_for_zero_dice_are_those_of_the_rule_file(semester: str) -> None:
    course, game = hs.course(semester), hs.Game(semester)
    for opponent in range(100):
        for score in (0, 1, 9, 10, 57, 99):
            sees_both = {"player_score", "current_score"} & set(_parameters(course.take_turn))
            points = course.take_turn(0, *((score, opponent) if sees_both else (opponent,)))
            assert points == game.turn(score, opponent, []).points, (score, opponent)


def _parameters(function: Any) -> tuple[str, ...]:
    return function.__code__.co_varnames[: function.__code__.co_argcount]  # type: ignore[no-any-return]


@pytest.mark.parametrize("semester", HANDOUTS)
def test_strategies_are_the_librarys_at_all_scores(semester: str) -> None:
    course, game = hs.course(semester), hs.Game(semester)
    names = [name for name in map(function_name, HANDOUTS[semester]) if name.endswith("_strategy")]
    for name in names:
        parameters = _parameters(getattr(course, name))
        if parameters[:2] != ("score", "opponent_score") or (semester, name) in _OWN:
            continue
        own = getattr(course, name)
        defaults = ",".join(map(str, own.__defaults__ or ()))
        dice = game.strategy(f"{name}:{defaults}" if defaults else name).dice.reshape(100, 100, -1)[:, :, 0]
        assert [[own(score, opponent) for opponent in range(100)] for score in range(100)] == dice.tolist(), name
