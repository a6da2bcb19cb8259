"""The handouts' rules as functions of scores."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from ._dice import Dice, eight_sided
from ._semesters import GOAL, Signatures, RulesByGoal


def rules_of(by_goal: RulesByGoal, signatures: Signatures) -> dict[str, Any]:
    """Returns the functions of the handout's rules by name."""

    def zero_points(score: int, opponent: int) -> int:
        return by_goal.above(score, opponent).take_turn((score, opponent, []), [], 0)[0]

    functions: dict[str, Any] = {}
    if signatures.zero_dice_of_both:

        def of_both(player_score: int, opponent_score: int) -> int:
            return zero_points(player_score, opponent_score)

        functions[signatures.zero_dice] = of_both
    else:

        def of_opponent(score: int) -> int:
            return zero_points(0, score)

        functions[signatures.zero_dice] = of_opponent

    def settled(player_score: int, opponent_score: int) -> tuple[int, int, bool, bool]:
        return by_goal.rules(GOAL).settle(player_score, opponent_score, 0)

    if signatures.swap:

        def is_swap(player_score: int, opponent_score: int) -> bool:
            return settled(player_score, opponent_score)[2]

        functions[signatures.swap] = is_swap
        functions.setdefault("is_swap", is_swap)
    if signatures.again:

        def extra_turn(player_score: int, opponent_score: int) -> bool:
            return settled(player_score, opponent_score)[3]

        functions[signatures.again] = extra_turn
    if signatures.bonus:

        def bonus(player_score: int, opponent_score: int) -> int:
            return settled(player_score, opponent_score)[0] - player_score

        functions[signatures.bonus] = bonus
    if signatures.total:

        def total(player_score: int, opponent_score: int = 0) -> int:
            return settled(player_score, opponent_score)[0]

        functions[signatures.total] = total
    if signatures.update == "square_update":
        functions.update(_squares())
    if signatures.update == "sus_update":
        functions.update(_sus(settled))
    functions.update(is_prime=_is_prime, next_prime=_next_prime)
    for function_name, function in functions.items():
        if callable(function):
            function.__name__ = function.__qualname__ = function_name
    return functions


def _squares() -> dict[str, Any]:
    from math import isqrt

    def perfect_square(score: int) -> bool:
        return isqrt(score) ** 2 == score

    def next_perfect_square(score: int) -> int:
        return (isqrt(score) + 1) ** 2

    return {"perfect_square": perfect_square, "next_perfect_square": next_perfect_square}


def _sus(settled: Callable[[int, int], tuple[int, int, bool, bool]]) -> dict[str, Any]:
    def num_factors(n: int) -> int:
        return sum(n % divisor == 0 for divisor in range(1, n + 1))

    def sus_points(score: int) -> int:
        return settled(score, 0)[0]

    return {"num_factors": num_factors, "sus_points": sus_points}


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % divisor for divisor in range(2, int(n**0.5) + 1))


def _next_prime(n: int) -> int:
    n += 1
    while not _is_prime(n):
        n += 1
    return n


def with_rerolls(dice: Dice) -> Dice:
    """Returns dice that reroll an odd outcome once."""

    def rerolled() -> int:
        outcome = dice()
        return dice() if outcome % 2 else outcome

    return rerolled


def die_of(weights: list[int], known: dict[str, Any], exchanged: bool = False) -> Dice:
    """Returns the module's die with these weights of faces; with ``exchanged``, six- and four-sided dice change places."""
    if len(weights) == 8:
        return known.get("eight_sided", eight_sided)  # type: ignore[no-any-return]
    die: Dice = known["four_sided" if (len(weights) == 4) != exchanged else "six_sided"]
    return die if len(set(weights)) == 1 else with_rerolls(die)


def perfect_piggy_of(known: dict[str, Any]) -> dict[str, Any]:
    def select_dice(dice_swapped: bool) -> Dice:
        return known["four_sided" if dice_swapped else "six_sided"]  # type: ignore[no-any-return]

    def is_perfect_piggy(turn_score: int) -> bool:
        return turn_score > 1 and any(turn_score in (n**2, n**3) for n in range(turn_score + 1))

    return {"select_dice": select_dice, "is_perfect_piggy": is_perfect_piggy}
