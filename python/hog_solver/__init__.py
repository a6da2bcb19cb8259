"""The exact solver for the dice game Hog and every game like it.

>>> import hog_solver as hs
>>> game = hs.Game("fa21")
>>> game.final_strategy(20, 36)
8
>>> game.rate(lambda score, opponent: 6, "always_roll:6").average
0.5

A strategy is a name (``"optimal"``, ``"always_roll:6"``), a function of ``(score, opponent_score)``, a table such as an integer array
``dice[score, opponent]``, a solution or a path. Python files run in a sandbox, as with the command; functions run in
this process. Answers have the keys of the command's JSON as attributes (:mod:`hog_solver.answers`).
"""

import sys as _sys
from pathlib import Path as _Path

from . import _native, answers
from ._contest import Contest, Sweep, sweep
from ._course import Course, course
from ._errors import Error, RulesError, StrategyError, TableError
from ._game import Best, Description, Game, Picture, Play, Solution, Tried, Tuning, Variation, load
from ._strategies import Strategy, StrategyLike
from ._views import Rate, View

# Strategies in files run in the sandbox of the `hog` command, which is started with this interpreter.
_native.set_launcher(
    _sys.executable, ["-I", "-S", str(_Path(__file__).with_name("_confine.py")), str(_native.__file__)]
)


__version__ = _native.version()


def games() -> list[str]:
    """Returns the ids of all built-in games."""
    return _native.builtin_games()


__all__ = [
    "Best",
    "Contest",
    "Course",
    "Description",
    "Error",
    "Game",
    "Picture",
    "Play",
    "Rate",
    "RulesError",
    "Solution",
    "Strategy",
    "StrategyError",
    "StrategyLike",
    "Sweep",
    "TableError",
    "Tried",
    "Tuning",
    "Variation",
    "View",
    "answers",
    "course",
    "games",
    "load",
    "sweep",
]
