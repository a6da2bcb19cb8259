"""The course's ``dice.py``: dice are functions without arguments."""

from __future__ import annotations

import random
from collections.abc import Callable

Dice = Callable[[], int]


def make_fair_dice(sides: int) -> Dice:
    """Returns a die that shows 1 to ``sides`` with equal probability."""
    assert type(sides) is int and sides >= 1, "Illegal value for sides"

    def dice() -> int:
        return random.randint(1, sides)

    return dice


four_sided = make_fair_dice(4)
six_sided = make_fair_dice(6)


def make_test_dice(*outcomes: int) -> Dice:
    """Returns a die that cycles through ``outcomes``."""
    assert len(outcomes) > 0, "You must supply outcomes to make_test_dice"
    for outcome in outcomes:
        assert type(outcome) is int and outcome >= 1, "Outcome is not a positive integer"
    index = len(outcomes) - 1

    def dice() -> int:
        nonlocal index
        index = (index + 1) % len(outcomes)
        return outcomes[index]

    return dice
