"""The handouts' strategies and experiments. Win rates are averages of simulated games; ``Game.rate`` computes exact ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache, wraps
from typing import Any

from ._dice import Dice, six_sided
from ._game import Game
from ._handout_turns import StrategyFunction
from ._semesters import GOAL, Signatures, RulesByGoal


def experiments_of(by_goal: RulesByGoal, signatures: Signatures, known: dict[str, Any]) -> dict[str, Any]:
    """Returns the functions of the handouts' strategies and experiments by name."""

    def always_roll(n: int) -> StrategyFunction:
        """Returns a strategy that always rolls n dice."""
        assert 0 <= n <= 10

        def strategy(score: int, opponent_score: int) -> int:
            return n

        return strategy

    def is_always_roll(strategy: StrategyFunction, goal: int = GOAL) -> bool:
        """Whether a strategy rolls the same number of dice at every pair of scores."""
        return len({strategy(score, opponent) for score in range(goal) for opponent in range(goal)}) == 1

    def make_averaged(original_function: Callable[..., float], samples: int = 1000) -> Callable[..., float]:
        def averaged(*args: Any) -> float:
            return sum(original_function(*args) for _ in range(samples)) / samples

        return averaged

    def max_scoring_num_rolls(dice: Dice = six_sided, samples: int = 1000) -> int:
        """Returns the number of dice (1 to 10) that scores most on average; the smallest of several that tie."""
        roll = known["roll_dice"]
        if signatures.roll_of_score:
            averages = [make_averaged(roll, samples)(0, number, dice) for number in range(1, 11)]
        else:
            averages = [make_averaged(roll, samples)(number, dice) for number in range(1, 11)]
        return averages.index(max(averages)) + 1

    def winner(strategy0: StrategyFunction, strategy1: StrategyFunction) -> int:
        """Plays a game and returns 0 if strategy0 wins against strategy1, and 1 otherwise."""
        updates = [known[signatures.update]] if signatures.update else []
        score0, score1 = known["play"](strategy0, strategy1, *updates)
        return 0 if score0 > score1 else 1

    usual_dice = int((by_goal.rules(GOAL).baseline or "always_roll:6").split(":")[-1])
    usual = always_roll(usual_dice)

    def average_win_rate(strategy: StrategyFunction, baseline: StrategyFunction = usual) -> float:
        """Returns the win rate of a strategy in simulated games, averaged over moving first and second."""
        as_first = 1 - make_averaged(winner)(strategy, baseline)
        as_second = make_averaged(winner)(baseline, strategy)
        return (as_first + as_second) / 2

    def always_roll_5(score: int, opponent_score: int) -> int:
        """A strategy that always rolls 5 dice."""
        return 5

    def catch_up(score: int, opponent_score: int) -> int:
        """A strategy that rolls 5 dice, and 6 when it is behind."""
        return 6 if score < opponent_score else 5

    functions: dict[str, Any] = {
        "always_roll": always_roll,
        "always_roll_5": always_roll_5,
        "catch_up": catch_up,
        "is_always_roll": is_always_roll,
        "make_averaged": _renamed(make_averaged),
        "max_scoring_num_rolls": _renamed(max_scoring_num_rolls),
        "winner": winner,
        "average_win_rate": average_win_rate,
    }
    for name, parameter in by_goal.rules(GOAL).strategies:
        functions[name] = _threshold(name, parameter, by_goal)

    def final_strategy(score: int, opponent_score: int) -> int:
        """Optimal play, from the library's table; zero dice once the game is over."""
        if max(score, opponent_score) >= GOAL:
            return 0
        return _final(by_goal.rules(GOAL).id, score, opponent_score)

    functions["final_strategy"] = final_strategy

    def run_experiments() -> None:
        """Runs the handouts' experiments and prints what they find."""
        print("Max scoring num rolls for six-sided dice:", known["max_scoring_num_rolls"](known["six_sided"]))
        played = {name: known[name] for name, _ in by_goal.rules(GOAL).strategies}
        for name, strategy in {f"always_roll({usual_dice})": usual, **played, "final_strategy": final_strategy}.items():
            print(f"{name} win rate:", known["average_win_rate"](strategy))

    functions["run_experiments"] = run_experiments
    return functions


#: The names that the handouts have used for the number of trials.
_TRIALS = ("trials_count", "num_samples", "samples_count", "total_samples", "times_called")


def _renamed(function: Callable[..., Any]) -> Callable[..., Any]:
    """Wraps a function so that its number of trials can be given under the name of any semester's handout."""

    @wraps(function)
    def renamed(*args: Any, **named: Any) -> Any:
        return function(*args, **{("samples" if key in _TRIALS else key): value for key, value in named.items()})

    return renamed


def _threshold(name: str, parameter: str, by_goal: RulesByGoal) -> Callable[..., int]:
    """Returns one of the handout's strategies; parameters that are left out have the handout's values."""

    def strategy(score: int, opponent_score: int, *given: int, **named: int) -> int:
        arguments = dict(zip((parameter, "num_rolls"), given, strict=False)) | named
        if len(given) > 2 or not arguments.keys() <= {parameter, "num_rolls"}:
            raise TypeError(f"{name} takes score, opponent_score, {parameter} and num_rolls")
        rules = by_goal.above(score, opponent_score)
        return rules.choose(name, arguments.get(parameter), arguments.get("num_rolls"), score, opponent_score)

    strategy.__name__ = strategy.__qualname__ = name
    return strategy


@lru_cache(maxsize=8)
def _game(name: str) -> Game:
    return Game(name)


def _final(name: str, score: int, opponent_score: int) -> int:
    game = _game(name)
    if len(game.shape) > 2:
        return int(game.best(score, opponent_score).best[0])
    return int(game.final_strategy(score, opponent_score))
