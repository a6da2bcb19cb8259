"""The handouts' functions under their own names and signatures, implemented with the library's rules.

A course's own autograder runs with this ``hog.py``:

    import hog_solver

    hog_solver.course("fa21").install(globals())

Scores and points are plain ints. Dice are functions without arguments, as in the course's ``dice.py``.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from . import _native
from ._commentary import commentary_of
from ._dice import eight_sided, four_sided, make_fair_dice, make_test_dice, six_sided
from ._errors import RulesError
from ._experiments import experiments_of
from ._handout_rules import rules_of
from ._handout_turns import turns_of
from ._semesters import GOAL, BY_GAME, RulesByGoal


class Course:
    """The functions of a semester's handout, as attributes and in :meth:`functions`.

    They are ``roll_dice``, ``take_turn``, ``play``, ``always_roll``, ``make_averaged``, ``max_scoring_num_rolls``, ``winner``,
    ``average_win_rate``, the commentary, and the rules under the names that this semester's handout gives them.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._rules = _native.NativeRules(name, None)
        #: The game's id.
        self.id = self._rules.id
        if self.id not in BY_GAME:
            raise RulesError(f"{self.id} is not a game of a course's handout")
        self._functions = self.install({})

    def install(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """Adds all functions to a namespace, such as ``globals()`` of a module ``hog``, and returns it.

        The functions look up the dice in the namespace, so that tests can replace them: ``hog.six_sided = make_test_dice(3)``.
        """
        _define(namespace, self._name, self._rules)
        return namespace

    def functions(self) -> dict[str, Any]:
        """Returns all functions by name."""
        return dict(self._functions)

    def __getattr__(self, name: str) -> Any:
        try:
            return self.__dict__["_functions"][name]
        except KeyError:
            raise AttributeError(f"the handout of {self.__dict__.get('_name')} has no {name}") from None

    def __dir__(self) -> list[str]:
        return [*super().__dir__(), *self._functions]

    def __repr__(self) -> str:
        return f"course({self._name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return course, (self._name,)

    def __iter__(self) -> Iterator[str]:
        return iter(self._functions)


def course(name: str) -> Course:
    """Returns the functions of a semester of CS 61A or NJU, given by id or alias such as ``"fa21"`` or ``"sp25"``."""
    return Course(name)


def _define(known: dict[str, Any], name: str, rules: _native.NativeRules) -> None:
    signatures = BY_GAME[rules.id]
    by_goal = RulesByGoal(name)
    known.update(
        GOAL=GOAL,
        GOAL_SCORE=GOAL,
        four_sided=four_sided,
        six_sided=six_sided,
        make_fair_dice=make_fair_dice,
        make_test_dice=make_test_dice,
    )
    if "Eight" in " ".join(rules.names):
        known["eight_sided"] = eight_sided
    known.update(rules_of(by_goal, signatures))
    known.update(turns_of(by_goal, signatures, known))
    known.update(commentary_of(signatures.record))
    known.update(experiments_of(by_goal, signatures, known))
