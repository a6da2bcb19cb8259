"""The handouts' strategies and experiments. Win rates are averages of simulated games; ``Game.rate`` computes exact ones."""

from __future__ import annotations

from collections.abc import Callable
from functools import lru_cache
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np

from ._game import Game
from ._handout_turns import Function, Maker, Names

#: The points of rolling zero dice at two scores, the player's first, in a module.
Points: TypeAlias = Callable[[Names, int, int], int]


# -- strategies


def always_roll(n: int) -> Function:
    """Returns a strategy that always rolls n dice."""

    def strategy(score: int, opponent_score: int) -> int:
        return n

    return strategy


def always_roll_allowed(n: int) -> Function:
    """Returns a strategy that always rolls n dice, from 0 to 10."""
    assert 0 <= n <= 10
    return always_roll(n)


def always_roll_5(score: int, opponent_score: int) -> int:
    """A strategy that always rolls 5 dice."""
    return 5


def catch_up(score: int, opponent_score: int) -> int:
    """A strategy that rolls 5 dice, and 6 when it is behind."""
    return 6 if score < opponent_score else 5


def is_always_roll(strategy: Function, goal: int) -> bool:
    """Whether a strategy rolls the same number of dice at every pair of scores."""
    first = strategy(0, 0)
    return all(strategy(score, opponent) == first for score in range(goal) for opponent in range(goal))


def points_of(zero: str) -> Points:
    """The points of the named rule of the opponent's score."""
    return lambda names, score, opponent_score: names[zero](opponent_score)


def points_of_both(zero: str) -> Points:
    """The points of the named rule of both scores."""
    return lambda names, score, opponent_score: names[zero](score, opponent_score)


def points_of_turn(names: Names, score: int, opponent_score: int) -> Any:
    """The points of a turn, with the rules on the points of a turn."""
    return names["take_turn"](0, opponent_score)


def for_points(points: Points) -> Maker:
    def made(names: Names) -> Function:
        def strategy(score: int, opponent_score: int, threshold: int, num_rolls: int) -> int:
            """A strategy that rolls no dice for enough points."""
            return 0 if points(names, score, opponent_score) >= threshold else num_rolls

        return strategy

    return made


def for_points_of_module(names: Names) -> Function:
    strategy = for_points(points_of_turn)(names)

    def bacon_strategy(score: int, opponent_score: int) -> Any:
        """A strategy that rolls no dice for BACON_MARGIN points, and else BASELINE_NUM_ROLLS dice."""
        return strategy(score, opponent_score, names["BACON_MARGIN"], names["BASELINE_NUM_ROLLS"])

    return bacon_strategy


def for_swap(points: Points, swaps: Callable[[Names, int, int], bool]) -> Maker:
    def made(names: Names) -> Function:
        def strategy(score: int, opponent_score: int, margin: int, num_rolls: int) -> int:
            """A strategy that rolls no dice for a swap that helps, or for enough points unless a swap harms."""
            gained = points(names, score, opponent_score)
            total = score + gained
            if total != opponent_score and swaps(names, total, opponent_score):
                return 0 if total < opponent_score else num_rolls
            return 0 if gained >= margin else num_rolls

        return strategy

    return made


def for_swap_or_points(points: Points, swaps: Callable[[Names, int, int], bool]) -> Maker:
    def made(names: Names) -> Function:
        def strategy(score: int, opponent_score: int, margin: int, num_rolls: int) -> int:
            """A strategy that rolls no dice for a swap that helps, or for enough points, even if a swap harms then."""
            gained = points(names, score, opponent_score)
            total = score + gained
            helps = total < opponent_score and swaps(names, total, opponent_score)
            return 0 if helps or gained >= margin else num_rolls

        return strategy

    return made


def for_swap_of_module(points: Points, swaps: Callable[[Names, int, int], bool]) -> Maker:
    def made(names: Names) -> Function:
        strategy = for_swap(points, swaps)(names)

        def swap_strategy(score: int, opponent_score: int) -> Any:
            """A strategy that rolls no dice for a swap that helps, or for BACON_MARGIN points unless a swap harms, and else
            BASELINE_NUM_ROLLS dice."""
            return strategy(score, opponent_score, names["BACON_MARGIN"], names["BASELINE_NUM_ROLLS"])

        return swap_strategy

    return made


def for_swap_alone(names: Names) -> Function:
    def swap_strategy(score: int, opponent_score: int, num_rolls: int) -> int:
        """A strategy that rolls no dice for a swap that helps."""
        total = score + points_of_turn(names, score, opponent_score)
        return 0 if total < opponent_score and names["is_swap"](total, opponent_score) else num_rolls

    return swap_strategy


def for_own_swap(names: Names) -> Function:
    def swap_strategy(score: int, opponent_score: int, margin: int, num_rolls: int) -> int:
        """A strategy that rolls no dice for a swap that helps, or for enough points without a swap."""
        gained = points_of_turn(names, score, opponent_score)
        if names["is_swap"](score + gained):
            return 0 if score + gained < opponent_score else num_rolls
        return 0 if gained >= margin else num_rolls

    return swap_strategy


def for_power_swap(names: Names) -> Function:
    def swine_swap_strategy(score: int, opponent_score: int, cutoff: int, num_rolls: int) -> int:
        """A strategy that rolls no dice for a swap that gains enough."""
        total = score + names["picky_piggy"](opponent_score)
        return 0 if names["swine_swap"](total, opponent_score) and opponent_score - score >= cutoff else num_rolls

    return swine_swap_strategy


def for_square_swap(names: Names) -> Function:
    def swine_strategy(score: int, opponent_score: int, threshold: int, num_rolls: int) -> int:
        """A strategy that rolls no dice if its score rises enough, with Swine Swap."""
        total = score + names["picky_piggy"](opponent_score)
        if names["swine_swap"](total):
            total = opponent_score
        return 0 if total - score >= threshold else num_rolls

    return swine_strategy


def for_boost(names: Names) -> Function:
    def prime_strategy(score: int, opponent_score: int, margin: int, num_rolls: int) -> int:
        """A strategy that rolls no dice for a boost, or for enough points unless the opponent is boosted."""
        gained = points_of_turn(names, score, opponent_score)
        total = score + gained
        if total != opponent_score and names["is_prime"](total + opponent_score):
            return 0 if total > opponent_score else num_rolls
        return 0 if gained >= margin else num_rolls

    return prime_strategy


def for_bonus(points: Points, bonus: str) -> Maker:
    def made(names: Names) -> Function:
        def strategy(score: int, opponent_score: int, threshold: int, num_rolls: int) -> int:
            """A strategy that rolls no dice for the points of the rule on totals, or for enough points."""
            gained = points(names, score, opponent_score)
            return 0 if gained >= threshold or names[bonus](score + gained, opponent_score) > 0 else num_rolls

        return strategy

    return made


def for_turn(points: Points, again: str) -> Maker:
    def made(names: Names) -> Function:
        def strategy(score: int, opponent_score: int, cutoff: int, num_rolls: int) -> int:
            """A strategy that rolls no dice for a further turn, or for enough points."""
            gained = points(names, score, opponent_score)
            return 0 if gained >= cutoff or names[again](score + gained, opponent_score) else num_rolls

        return strategy

    return made


def for_gain(update: str) -> Maker:
    def made(names: Names) -> Function:
        def strategy(score: int, opponent_score: int, threshold: int, num_rolls: int) -> int:
            """A strategy that rolls no dice if its score rises enough, with the rule on totals."""
            return 0 if names[update](0, score, opponent_score) - score >= threshold else num_rolls

        return strategy

    return made


def make_comeback_strategy(margin: int, num_rolls: int) -> Function:
    """Returns a strategy that rolls one die more when it is behind by a margin."""

    def strategy(score: int, opponent_score: int) -> int:
        return num_rolls + 1 if opponent_score - score >= margin else num_rolls

    return strategy


def make_mean_strategy(names: Names) -> Function:
    def mean(min_points: int, num_rolls: int) -> Function:
        """Returns a strategy that rolls no dice for enough points, if that leaves the opponent with other or fewer dice."""

        def strategy(score: int, opponent_score: int) -> int:
            points = points_of_turn(names, score, opponent_score)
            total = score + points + opponent_score
            return 0 if points >= min_points and (total % 7 == 0 or total % 10 == 7) else num_rolls

        return strategy

    return mean


def final_strategy(semester: str) -> Function:
    def final(score: int, opponent_score: int) -> int:
        """Optimal play; in a game that remembers more than the scores, the best table found that sees only these, against the
        course's baseline. Zero dice once the game is over."""
        dice = _final_dice(semester)
        return 0 if max(score, opponent_score) >= len(dice) else int(dice[score, opponent_score])

    return final


@lru_cache(maxsize=8)
def _final_dice(semester: str) -> np.ndarray[tuple[int, ...], np.dtype[np.int8]]:
    game = Game(semester)
    if not game.memories:
        return game._final
    # By scripts/final_strategies.py.
    with np.load(Path(__file__).with_name("final_strategies.npz")) as tables:
        dice: np.ndarray[tuple[int, ...], np.dtype[np.int8]] = tables[game.id]
    return dice


# -- checks


def check_strategy_roll(fewest: int) -> Function:
    def check(score: int, opponent_score: int, num_rolls: Any) -> None:
        """Raises an AssertionError for a number of dice that the game does not allow."""
        message = f"strategy({score}, {opponent_score}) returned {num_rolls}"
        assert type(num_rolls) is int, message + " (not an integer)"
        assert fewest <= num_rolls <= 10, message + " (invalid number of rolls)"

    return check


def check_strategy(names: Names) -> Function:
    def check(strategy: Function, goal: int) -> None:
        """Checks the number of dice that a strategy rolls at all scores."""
        for score in range(goal):
            for opponent_score in range(goal):
                names["check_strategy_roll"](score, opponent_score, strategy(score, opponent_score))

    return check


def checked_strategy(names: Names) -> Function:
    check = check_strategy(names)

    def checked(strategy: Function, goal: int) -> Function:
        """Checks the number of dice that a strategy rolls at all scores, and returns the strategy."""
        check(strategy, goal)
        return strategy

    return checked


# -- experiments


def make_averaged(function: Callable[..., float], samples: int) -> Callable[..., float]:
    """Returns a function that returns the average of many calls of a function."""

    def averaged(*args: Any) -> float:
        return sum(function(*args) for _ in range(samples)) / samples

    return averaged


def _averages(names: Names, dice: Function, before: tuple[int, ...], samples: tuple[int, ...]) -> list[float]:
    averaged = names["make_averaged"](names["roll_dice"], *samples)
    return [averaged(*before, number, dice) for number in range(1, 11)]


def max_scoring_num_rolls(names: Names) -> Function:
    def best(dice: Function, *samples: int) -> int:
        """Returns the number of dice (1 to 10) that scores most on average; the smallest of several that tie."""
        averages = _averages(names, dice, (), samples)
        return averages.index(max(averages)) + 1

    return best


def max_scoring_num_rolls_at(names: Names) -> Function:
    def best(current_score: int, dice: Function, samples: int) -> int:
        """Returns the number of dice (1 to 10) that scores most on average; the smallest of several that tie."""
        averages = _averages(names, dice, (current_score,), (samples,))
        return averages.index(max(averages)) + 1

    return best


def max_scoring_num_rolls_aloud(names: Names) -> Function:
    def best(dice: Function) -> int:
        """Prints the average of each number of dice (1 to 10) and returns the number with the highest; the smallest of
        several that tie."""
        averages = _averages(names, dice, (), ())
        for number, average in enumerate(averages, 1):
            print(number, "dice scores", average, "on average")
        return averages.index(max(averages)) + 1

    return best


def winner(update: str | None = None) -> Maker:
    def made(names: Names) -> Function:
        def won(strategy0: Function, strategy1: Function) -> int:
            """Plays a game and returns 0 if strategy0 wins against strategy1, and 1 otherwise."""
            updates = () if update is None else (names[update],)
            score0, score1 = names["play"](strategy0, strategy1, *updates)
            return 0 if score0 > score1 else 1

        return won

    return made


def average_win_rate(averaged: str, won: str) -> Maker:
    def made(names: Names) -> Function:
        def rate(strategy: Function, baseline: Function) -> Any:
            """Returns the win rate of a strategy in simulated games, averaged over moving first and second."""
            as_first = 1 - names[averaged](names[won])(strategy, baseline)
            as_second = names[averaged](names[won])(baseline, strategy)
            return (as_first + as_second) / 2

        return rate

    return made


def eval_strategy_range(names: Names) -> Function:
    def best(make_strategy: Function, lower_bound: int, upper_bound: int) -> int:
        """Returns the argument, of those from one bound to the other, whose strategy wins most against the baseline."""
        best_value, best_rate = 0, 0.0
        for value in range(lower_bound, upper_bound + 1):
            rate = names["compare_strategies"](make_strategy(value))
            print("Win rate against the baseline using", value, "value:", rate)
            if rate > best_rate:
                best_value, best_rate = value, rate
        return best_value

    return best


def run_experiments(*strategies: str) -> Maker:
    """``strategies`` are the names of the semester's strategies."""

    def made(names: Names) -> Function:
        def run() -> None:
            """Runs the handout's experiments and prints what they find."""
            print("Max scoring num rolls for six-sided dice:", names["max_scoring_num_rolls"](names["six_sided"]))
            for name in (*strategies, "final_strategy"):
                print(f"{name} win rate:", names["average_win_rate"](names[name]))

        return run

    return made


def run_range_experiments(names: Names) -> Function:
    def run() -> None:
        """Runs the handout's experiments and prints what they find."""
        for kind, made, lower, upper in (
            ("always_roll", "always_roll", 1, 10),
            ("comeback", "make_comeback_strategy", 5, 15),
            ("mean", "make_mean_strategy", 1, 10),
        ):
            print(f"Best {kind} strategy:", names["eval_strategy_range"](names[made], lower, upper))

    return run
