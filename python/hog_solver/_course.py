"""The handouts' functions under their own names and signatures.

A course's own autograder runs with this ``hog.py``:

    import hog_solver

    hog_solver.course("fa21").install(globals())

Scores and points are plain ints. Dice are functions without arguments, as in the course's ``dice.py``.
"""

from __future__ import annotations

import inspect
from collections.abc import Iterator
from types import FunctionType
from typing import TYPE_CHECKING, Any

from ._errors import RulesError
from ._experiments import final_strategy
from ._game import Game
from ._semesters import HANDOUTS, Constant, function_name


class Course:
    """The functions of a semester's handout, as attributes and in :meth:`functions`.

    Each semester has the names, parameters, defaults and texts of its own starter file, and none of another semester's.
    An attribute that is set, as in ``hog.roll_dice = lambda num_rolls, dice: 9``, is what the other functions then call.
    """

    if TYPE_CHECKING:

        def __setattr__(self, name: str, value: Any) -> None: ...

    def __init__(self, name: str) -> None:
        self._name = name
        self._semester = name.lower()
        if self._semester not in HANDOUTS:
            self._semester = Game(name).id
        if self._semester not in HANDOUTS:
            raise RulesError(f"{self._semester} is not a game of a course's handout")
        self._names = tuple(dict.fromkeys([*map(function_name, HANDOUTS[self._semester]), "final_strategy"]))
        self.install(self.__dict__)

    @property
    def id(self) -> str:
        """The game's id."""
        return Game(self._semester).id

    def install(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """Adds all functions to a namespace, such as ``globals()`` of a module ``hog``, and returns it.

        The functions look up each other and the dice in the namespace, so that tests can replace them:
        ``hog.roll_dice = lambda num_rolls, dice: 9``. As in a student's own file, a default such as ``dice=six_sided`` is the
        die at the time of the definition.
        """
        for signature, made in HANDOUTS[self._semester].items():
            if isinstance(made, Constant):
                namespace[signature] = made.value
            else:
                namespace[function_name(signature)] = _signed(signature, made(namespace), namespace)
        final = "final_strategy(score, opponent_score)"
        namespace["final_strategy"] = _signed(final, final_strategy(self._semester), namespace)
        return namespace

    def functions(self) -> dict[str, Any]:
        """Returns all functions and constants by name."""
        return {name: self.__dict__[name] for name in self._names}

    def __getattr__(self, name: str) -> Any:
        # Only for what is not an attribute.
        raise AttributeError(f"the handout of {self.__dict__.get('_name')} has no {name}")

    def __repr__(self) -> str:
        return f"course({self._name!r})"

    def __reduce__(self) -> tuple[Any, ...]:
        return course, (self._name,)

    def __iter__(self) -> Iterator[str]:
        return iter(self._names)


def course(name: str) -> Course:
    """Returns the functions of a semester of CS 61A or NJU, given by its name such as ``"fa21"`` or ``"sp25"``."""
    return Course(name)


def _signed(signature: str, function: Any, names: dict[str, Any]) -> Any:
    """Returns a function with a signature of a handout that does what ``function`` does with the arguments in this order."""
    name, _, parameters = signature.removesuffix(")").partition("(")
    arguments = tuple(parameter.split("=")[0] for parameter in parameters.split(", ") if parameter)
    # The signatures are constants of this package.
    signed = eval(f"lambda {parameters}: function({', '.join(arguments)})", {**names, "function": function})
    code = function.__code__
    if code.co_varnames[: code.co_argcount] == arguments and not code.co_flags & inspect.CO_VARARGS:
        # The function has these parameters itself: one call less.
        signed = FunctionType(code, function.__globals__, name, signed.__defaults__, function.__closure__)
    signed.__name__ = signed.__qualname__ = name
    signed.__module__ = names.get("__name__", __name__)
    signed.__doc__ = function.__doc__
    return signed
