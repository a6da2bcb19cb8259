"""The handouts' ``roll_dice``, ``take_turn``, ``select_dice``, updates and ``play``."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from ._dice import Dice, six_sided
from ._handout_rules import die_of, perfect_piggy_of, with_rerolls
from ._semesters import GOAL, Signatures, RulesByGoal

StrategyFunction = Callable[[int, int], int]


def turns_of(by_goal: RulesByGoal, signatures: Signatures, known: dict[str, Any]) -> dict[str, Any]:
    """Returns ``roll_dice``, ``take_turn``, ``select_dice``, ``play`` and the update functions by name."""

    def rolled(faces: list[int], score: int, opponent: int) -> tuple[int, int]:
        turn = by_goal.above(score, opponent).take_turn((score, opponent, []), faces, len(faces))
        return turn[0], turn[1]

    def fair(number: int, dice: Dice) -> list[int]:
        assert type(number) is int, "num_rolls must be an integer."
        assert number > 0, "Must roll at least once."
        return [dice() for _ in range(number)]

    functions: dict[str, Any] = {}
    if signatures.roll_of_score:

        def roll_dice(cur_score: int, num_rolls: int, dice: Dice = six_sided) -> int:
            return rolled(fair(num_rolls, dice), cur_score, 0)[1]
    else:

        def roll_dice(num_rolls: int, dice: Dice = six_sided) -> int:  # type: ignore[misc]
            return _points(fair(num_rolls, dice), by_goal)

    def taken(num_rolls: int, score: int, opponent: int, dice: Dice) -> int:
        assert type(num_rolls) is int, "num_rolls must be an integer."
        assert 0 <= num_rolls <= 10, "Invalid number of rolls."
        if num_rolls == 0:
            return rolled([], score, opponent)[1 if signatures.boosted_turn else 0]
        faces = [dice() for _ in range(num_rolls)]
        if signatures.roll_of_score or signatures.boosted_turn:
            return rolled(faces, score, opponent)[1]
        return _points(faces, by_goal)

    if signatures.turn_of_both:

        def take_turn(num_rolls: int, player_score: int, opponent_score: int, dice: Dice = six_sided) -> int:
            return taken(num_rolls, player_score, opponent_score, dice)
    else:

        def take_turn(num_rolls: int, opponent_score: int, dice: Dice = six_sided) -> int:  # type: ignore[misc]
            return taken(num_rolls, 0, opponent_score, dice)

    functions.update(roll_dice=roll_dice, take_turn=take_turn)
    if "Hog Wild" in by_goal.rules(GOAL).names:

        def select_dice(score: int, opponent_score: int, dice_swapped: bool = False) -> Dice:
            _, weights = by_goal.above(score, opponent_score).dice((score, opponent_score, []), 1)
            return die_of(weights, known, dice_swapped)

        functions["select_dice"] = select_dice
    if by_goal.rules(GOAL).id == "fa16":
        functions["reroll"] = with_rerolls
    if by_goal.rules(GOAL).id == "su17":
        functions.update(perfect_piggy_of(known))

    def other(who: int) -> int:
        return 1 - who

    functions.update(other=other, next_player=other)
    if signatures.update:
        functions.update(_updates(by_goal, signatures, taken))
        functions["play"] = _play_by_updates(known)
    else:
        play = _play_by_rules(by_goal, known)
        functions["play"] = _goal_before_dice(play) if signatures.goal_before_dice else play
    return functions


def _points(faces: list[int], by_goal: RulesByGoal) -> int:
    """Returns the points of dice before any rule rewrites them: the sum, or the points of a roll with a 1."""
    rules = by_goal.rules(GOAL)
    return rules.take_turn((1, 0, rules.start(1, 0)), faces, len(faces))[0]


def _updates(
    by_goal: RulesByGoal, signatures: Signatures, taken: Callable[[int, int, int, Dice], int]
) -> dict[str, Any]:
    def simple_update(num_rolls: int, player_score: int, opponent_score: int, dice: Dice = six_sided) -> int:
        return player_score + taken(num_rolls, player_score, opponent_score, dice)

    def update(num_rolls: int, player_score: int, opponent_score: int, dice: Dice = six_sided) -> int:
        score = simple_update(num_rolls, player_score, opponent_score, dice)
        return by_goal.rules(GOAL).settle(score, opponent_score, 0)[0]

    assert signatures.update is not None
    update.__name__ = update.__qualname__ = signatures.update
    return {"simple_update": simple_update, signatures.update: update}


def _play_by_updates(known: dict[str, Any]) -> Callable[..., tuple[int, int]]:
    def play(
        strategy0: StrategyFunction,
        strategy1: StrategyFunction,
        update: Callable[[int, int, int, Dice], int],
        score0: int = 0,
        score1: int = 0,
        dice: Dice | None = None,
        goal: int = GOAL,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        scores, who = [score0, score1], 0
        dice = known["six_sided"] if dice is None else dice
        while max(scores) < goal:
            own, opponent = scores[who], scores[1 - who]
            num_rolls = (strategy0, strategy1)[who](own, opponent)
            scores[who] = update(num_rolls, own, opponent, dice)
            who = 1 - who
        return scores[0], scores[1]

    return play


def _goal_before_dice(play: Callable[..., tuple[int, int]]) -> Callable[..., tuple[int, int]]:
    """Returns ``play`` with the parameters in the order of the semesters whose rules choose the dice."""

    def earlier(
        strategy0: StrategyFunction,
        strategy1: StrategyFunction,
        score0: int = 0,
        score1: int = 0,
        goal: int = GOAL,
        dice: Dice | None = None,
        say: Callable[[int, int], Any] | None = None,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        return play(strategy0, strategy1, score0, score1, dice, goal, say)

    earlier.__name__ = earlier.__qualname__ = "play"
    return earlier


def _play_by_rules(by_goal: RulesByGoal, known: dict[str, Any]) -> Callable[..., tuple[int, int]]:
    """Returns ``play`` with all rules of the semester, including memories and extra turns."""

    def play(
        strategy0: StrategyFunction,
        strategy1: StrategyFunction,
        score0: int = 0,
        score1: int = 0,
        dice: Dice | None = None,
        goal: int = GOAL,
        say: Callable[[int, int], Any] | None = None,
        feral_hogs: bool = True,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        rules, scores, who = by_goal.rules(goal), [score0, score1], 0
        seen: tuple[int, int, list[int]] | None = None
        if max(scores) < goal:
            seen = (score0, score1, rules.start(score0, score1))
        while seen is not None:
            request = (strategy0, strategy1)[who](seen[0], seen[1])
            if not feral_hogs and seen[2]:
                # Feral Hogs needs a difference of 2 from the remembered number of dice, which is set to the current one.
                seen = (seen[0], seen[1], [request, *seen[2][1:]])
            number, weights = rules.dice(seen, request)
            chosen = die_of(weights, known) if dice is None else dice
            faces = [chosen() for _ in range(number)] if request > 0 else []
            turn = rules.take_turn(seen, faces, number if request > 0 else request)
            scores[who], scores[1 - who] = turn[2], turn[3]
            who, seen = (who if turn[4] else 1 - who), turn[5]
            if say is not None:
                say = say(scores[0], scores[1])
        return scores[0], scores[1]

    return play
