"""The differences between semesters: the names and parameters of functions, and the rules for any goal."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from . import _native

GOAL = 100


@dataclass(frozen=True)
class Signatures:
    """The names and parameters of the functions in a semester's handout."""

    #: The name of the function for zero dice.
    zero_dice: str = "free_bacon"
    #: Whether that function takes the player's score before the opponent's.
    zero_dice_of_both: bool = False
    #: Whether ``take_turn`` takes the player's score before the opponent's.
    turn_of_both: bool = False
    #: Whether the first parameter of ``roll_dice`` is the player's score.
    roll_of_score: bool = False
    #: The name of the function for the points that a rule adds to the mover's total, if there is one.
    bonus: str | None = None
    #: The name of the function for the mover's new total, if there is one.
    total: str | None = None
    #: The name of the function that says whether the players swap totals, if there is one.
    swap: str | None = None
    #: The name of the function that says whether the mover moves again, if there is one.
    again: str | None = None
    #: The name of the update function that ``play`` takes, if it takes one.
    update: str | None = None
    #: Whether ``take_turn`` also applies the rules on a turn's points, such as Hogtimus Prime.
    boosted_turn: bool = False
    #: Whether ``play`` takes the goal before the dice.
    goal_before_dice: bool = False
    #: The text of ``announce_highest``: "record", "biggest" (with "point(s)") or "counted" (with "point" or "points").
    record: str = "record"


_WILD = Signatures(goal_before_dice=True)
_WILD_SWAP = Signatures(swap="is_swap", goal_before_dice=True)
_PRIME_SWAP = Signatures(swap="is_swap", goal_before_dice=True, boosted_turn=True)
_SWAP = Signatures(swap="is_swap")
_COUNTED_SWAP = Signatures(swap="is_swap", record="counted")
_BIGGEST_SWAP = Signatures(swap="is_swap", record="biggest")
BY_GAME = {
    **dict.fromkeys(("fa12", "sp13", "su13", "sp15"), _WILD),
    **dict.fromkeys(("fa13", "fa14", "su15"), _WILD_SWAP),
    **dict.fromkeys(("fa15", "su16", "fa16", "sp17", "su17"), _PRIME_SWAP),
    **dict.fromkeys(("fa17", "sp18"), _COUNTED_SWAP),
    **dict.fromkeys(("su18", "fa18", "sp19", "su19", "fa19"), _BIGGEST_SWAP),
    **dict.fromkeys(("sp20", "su20"), _SWAP),
    "fa20": Signatures(again="extra_turn"),
    "sp21": Signatures(zero_dice="piggy_points", again="more_boar"),
    "su21": Signatures(again="extra_turn"),
    "fa21": Signatures(zero_dice="picky_piggy", bonus="hog_pile"),
    "nju21": Signatures(zero_dice="picky_piggy", swap="swine_swap", roll_of_score=True, turn_of_both=True),
    "sp22": Signatures(zero_dice="hefty_hogs", zero_dice_of_both=True, turn_of_both=True, bonus="hog_pile"),
    "su22": Signatures(zero_dice="oink_points", total="pigs_on_prime"),
    "fa22": Signatures(zero_dice="tail_points", update="square_update"),
    "su23": Signatures(zero_dice="boar_brawl", zero_dice_of_both=True, turn_of_both=True, update="fuzzy_update"),
    "fa23": Signatures(zero_dice="boar_brawl", zero_dice_of_both=True, turn_of_both=True, update="sus_update"),
    "nju23": Signatures(zero_dice="tail_points", swap="is_swap"),
}


class RulesByGoal:
    """The rules for any goal: the handouts' functions accept scores and goals of any size."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.rules = lru_cache(maxsize=64)(self._of_goal)

    def _of_goal(self, goal: int) -> _native.NativeRules:
        return _native.NativeRules(self._name, goal)

    def above(self, *scores: int) -> _native.NativeRules:
        """Returns rules with a goal above these scores."""
        goal = GOAL
        while goal <= max(scores):
            goal *= 10
        return self.rules(goal)
