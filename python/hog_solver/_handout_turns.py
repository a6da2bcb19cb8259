"""The handouts' ``roll_dice``, ``take_turn``, updates and ``play``.

A maker is given the names of a module ``hog`` and returns a function that looks up the module's other functions when it is
called, as a student's own does: a grader that replaces ``hog.roll_dice`` or ``hog.six_sided`` is heeded.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ._handout_rules import one_is_double

Names: TypeAlias = dict[str, Any]
Function: TypeAlias = Callable[..., Any]
Maker: TypeAlias = Callable[[Names], Function]
#: The points of a roll with a 1, from the number of 1s and the number of dice.
Bust: TypeAlias = Callable[[int, int], int]
#: Takes a player's turn: from the player, the number of dice and both scores to both scores, the player's first, and
#: whether the same player moves again.
Turn: TypeAlias = Callable[[int, int, int, int], tuple[int, int, bool]]


def plain(function: Function) -> Maker:
    """Returns the maker of a function that needs no other."""
    return lambda names: function


# -- rolling


def pig_out(ones: int, num_rolls: int) -> int:
    return 1


def no_points(ones: int, num_rolls: int) -> int:
    return 0


def number_of_ones(ones: int, num_rolls: int) -> int:
    return ones


def capped_number_of_ones(ones: int, num_rolls: int) -> int:
    return min(ones, 11 - num_rolls)


def _check_rolled(num_rolls: int) -> None:
    assert type(num_rolls) is int, "num_rolls must be an integer."
    assert num_rolls > 0, "Must roll at least once."


def roll_dice(bust: Bust = pig_out) -> Maker:
    def made(names: Names) -> Function:
        def roll(num_rolls: int, dice: Function) -> int:
            """Returns the points of rolling dice: their sum, or the points of a roll with a 1."""
            _check_rolled(num_rolls)
            total, ones = 0, 0
            for _ in range(num_rolls):
                outcome = dice()
                total += outcome
                if outcome == 1:
                    ones += 1
            return bust(ones, num_rolls) if ones else total

        return roll

    return made


def roll_dice_with_parity(names: Names) -> Function:
    def roll(current_score: int, num_rolls: int, dice: Function) -> Any:
        """Returns the points of rolling dice. Feral Hogs: a further point for each outcome with the parity of the score."""
        assert type(current_score) is int, "current_score must be an integer."
        _check_rolled(num_rolls)
        outcomes = [dice() for _ in range(num_rolls)]
        extra = sum(outcome % 2 == current_score % 2 for outcome in outcomes)
        return (1 if 1 in outcomes else sum(outcomes)) + extra

    return roll


def roll_dice_aloud(names: Names) -> Function:
    def roll(num_rolls: int, dice: Function, who: str, ones_lose: bool = True) -> int:
        """Returns the points of rolling dice: 1 if a 1 is rolled and ones lose, else their sum. Announces each outcome if
        there is commentary."""
        _check_rolled(num_rolls)
        outcomes = []
        for _ in range(num_rolls):
            outcomes.append(dice())
            if names["commentary"]:
                names["announce"](outcomes[-1], who)
        return 1 if ones_lose and 1 in outcomes else sum(outcomes)

    return roll


# -- turns


def _check_turn(num_rolls: int) -> None:
    assert type(num_rolls) is int, "num_rolls must be an integer."
    assert num_rolls >= 0, "Cannot roll a negative number of dice in take_turn."
    assert num_rolls <= 10, "Cannot roll more than 10 dice."


def take_turn(zero: str | Function, boost: Callable[[int, int], int] | None = None) -> Maker:
    """``zero`` is the rule for zero dice, or its name in the module; ``boost`` rewrites the points of a turn."""

    def made(names: Names) -> Function:
        def turn(num_rolls: int, opponent_score: int, dice: Function, goal: int | None = None) -> int:
            """Returns the points of a turn."""
            _check_turn(num_rolls)
            assert goal is None or opponent_score < goal, "The game should be over."
            if num_rolls:
                points = names["roll_dice"](num_rolls, dice)
            else:
                points = names[zero](opponent_score) if isinstance(zero, str) else zero(opponent_score)
            return points if boost is None else boost(points, num_rolls)

        return turn

    return made


def take_turn_of_both(zero: str) -> Maker:
    def made(names: Names) -> Function:
        def turn(
            num_rolls: int, player_score: int, opponent_score: int, dice: Function, goal: int | None = None
        ) -> Any:
            """Returns the points of a turn."""
            _check_turn(num_rolls)
            assert goal is None or max(player_score, opponent_score) < goal, "The game should be over."
            return names["roll_dice"](num_rolls, dice) if num_rolls else names[zero](player_score, opponent_score)

        return turn

    return made


def take_turn_with_parity(names: Names) -> Function:
    def turn(num_rolls: int, current_score: int, opponent_score: int, dice: Function, goal: int) -> Any:
        """Returns the points of a turn."""
        _check_turn(num_rolls)
        assert current_score < goal and opponent_score < goal, "The game should be over."
        if num_rolls:
            return names["roll_dice"](current_score, num_rolls, dice)
        return names["picky_piggy"](opponent_score)

    return turn


def take_turn_aloud(zero: Function, boost: Callable[[int, int], int] | None = None) -> Maker:
    def made(names: Names) -> Function:
        def turn(num_rolls: int, opponent_score: int, dice: Function, who: str, *ones_lose: bool) -> int:
            """Returns the points of a turn; announces it if there is commentary."""
            assert type(num_rolls) is int, "num_rolls must be an integer."
            assert num_rolls >= 0, "Cannot roll a negative number of dice."
            if names["commentary"]:
                print(who, "is going to roll", num_rolls, "dice")
            points = names["roll_dice"](num_rolls, dice, who, *ones_lose) if num_rolls else zero(opponent_score)
            return points if boost is None else boost(points, num_rolls)

        return turn

    return made


def simple_update(sees_both: bool) -> Maker:
    def made(names: Names) -> Function:
        def update(num_rolls: int, player_score: int, opponent_score: int, dice: Function) -> Any:
            """Returns the player's total after a turn, without the rule on totals."""
            scores = (player_score, opponent_score) if sees_both else (opponent_score,)
            return player_score + names["take_turn"](num_rolls, *scores, dice)

        return update

    return made


def full_update(total: Callable[[Names, int], int]) -> Maker:
    def made(names: Names) -> Function:
        def update(num_rolls: int, player_score: int, opponent_score: int, dice: Function) -> int:
            """Returns the player's total after a turn, with the rule on totals."""
            return total(names, names["simple_update"](num_rolls, player_score, opponent_score, dice))

        return update

    return made


# -- games


def _played(
    strategies: tuple[Function, Function],
    scores: list[int],
    goal: int,
    turn: Turn,
    heard: Callable[[int, int], None] | None = None,
) -> tuple[int, int]:
    who = 0
    while scores[0] < goal and scores[1] < goal:
        own, opponent = scores[who], scores[1 - who]
        scores[who], scores[1 - who], again = turn(who, strategies[who](own, opponent), own, opponent)
        if heard is not None:
            heard(scores[0], scores[1])
        if not again:
            who = 1 - who
    return scores[0], scores[1]


def _swapped(swap: bool, own: int, opponent: int) -> tuple[int, int, bool]:
    return (opponent, own, False) if swap else (own, opponent, False)


def _wild_turn(names: Names, num_rolls: int, own: int, opponent: int) -> Any:
    return names["take_turn"](num_rolls, opponent, names["select_dice"](own, opponent))


def play_for_the_winner(keeps_ones: bool) -> Maker:
    """The game of 2012 and 2013; with ``keeps_ones``, a 1 loses nothing at a score of 49."""

    def made(names: Names) -> Function:
        def play(strategy0: Function, strategy1: Function) -> int:
            """Simulates a game and returns 0 if the first player wins and 1 otherwise."""

            def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
                rolled = min(num_rolls, names["num_allowed_dice"](own, opponent))
                ones_lose = (own != 49,) if keeps_ones else ()
                dice = names["select_dice"](own, opponent)
                return own + names["take_turn"](rolled, opponent, dice, names["name"](who), *ones_lose), opponent, False

            score0, score1 = _played((strategy0, strategy1), [0, 0], names["goal"], turn)
            return 0 if score0 > score1 else 1

        return play

    return made


def play_with_double_swap(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            own += _wild_turn(names, num_rolls, own, opponent)
            return _swapped(one_is_double(own, opponent), own, opponent)

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


def play_from_nothing(names: Names) -> Function:
    play = play_with_double_swap(names)

    def from_nothing(strategy0: Function, strategy1: Function, goal: int) -> Any:
        """Simulates a game and returns the final scores of both players."""
        return play(strategy0, strategy1, 0, 0, goal)

    return from_nothing


def play_with_swap(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            own += _wild_turn(names, num_rolls, own, opponent)
            return _swapped(names["is_swap"](own, opponent), own, opponent)

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


def play_with_most_dice(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            own += _wild_turn(names, min(num_rolls, names["max_dice"](own, opponent)), own, opponent)
            return _swapped(names["is_swap"](own), own, opponent)

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


def play_with_boost(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            points = _wild_turn(names, num_rolls, own, opponent)
            own += points
            if own != opponent and names["is_prime"](own + opponent):
                own, opponent = (own + points, opponent) if own > opponent else (own, opponent + points)
            return own, opponent, False

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


def play_with_piggy_back(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            points = _wild_turn(names, num_rolls, own, opponent)
            own, opponent = own + points, opponent if points else opponent + num_rolls
            return _swapped(names["is_swap"](own, opponent), own, opponent)

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


def play_with_pork_chop(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        dice_swapped = False

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            nonlocal dice_swapped
            if num_rolls == -1:
                dice_swapped = not dice_swapped
                own += 1
            else:
                own += names["take_turn"](num_rolls, opponent, names["select_dice"](own, opponent, dice_swapped))
            return _swapped(one_is_double(own, opponent), own, opponent)

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


def play_with_perfect_piggy(names: Names) -> Function:
    def play(strategy0: Function, strategy1: Function, score0: int, score1: int, goal: int) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        dice_swapped = False

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            nonlocal dice_swapped
            points = names["take_turn"](num_rolls, opponent, names["select_dice"](dice_swapped))
            own += points
            if names["is_perfect_piggy"](points):
                dice_swapped = not dice_swapped
            return _swapped(names["is_swap"](own, opponent), own, opponent)

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return play


#: Makes the turn of a game from the names, the dice and the goal.
TurnOf: TypeAlias = Callable[[Names, Function, int], Turn]


def swap_turn(names: Names, dice: Function, goal: int) -> Turn:
    def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
        own += names["take_turn"](num_rolls, opponent, dice)
        return _swapped(names["is_swap"](own, opponent), own, opponent)

    return turn


def square_swap_turn(names: Names, dice: Function, goal: int) -> Turn:
    def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
        own += names["take_turn"](num_rolls, opponent, dice)
        return _swapped(names["swine_swap"](own), own, opponent)

    return turn


def power_swap_turn(names: Names, dice: Function, goal: int) -> Turn:
    def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
        own += names["take_turn"](num_rolls, own, opponent, dice, goal)
        return _swapped(names["swine_swap"](own, opponent), own, opponent)

    return turn


def extra_turn(again: str, passes_goal: bool) -> TurnOf:
    def made(names: Names, dice: Function, goal: int) -> Turn:
        last = (goal,) if passes_goal else ()

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            own += names["take_turn"](num_rolls, opponent, dice, *last)
            return own, opponent, names[again](own, opponent)

        return turn

    return made


def bonus_turn(bonus: str, sees_both: bool) -> TurnOf:
    def made(names: Names, dice: Function, goal: int) -> Turn:
        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            scores = (own, opponent) if sees_both else (opponent,)
            own += names["take_turn"](num_rolls, *scores, dice, goal)
            return own + names[bonus](own, opponent), opponent, False

        return turn

    return made


def feral_turn(remembers_points: bool) -> TurnOf:
    """Feral Hogs: 3 more points if the number of dice differs by 2 from the player's last number of dice, or last points."""

    def made(names: Names, dice: Function, goal: int) -> Turn:
        last = [0, 0]

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            points = names["take_turn"](num_rolls, opponent, dice)
            own += points + (3 if abs(num_rolls - last[who]) == 2 else 0)
            last[who] = points if remembers_points else num_rolls
            return _swapped(names["is_swap"](own, opponent), own, opponent)

        return turn

    return made


def play(turn_of: TurnOf, without_hogs: TurnOf | None = None) -> Maker:
    """The game with dice and commentary; ``without_hogs`` takes the turns if the game is played without Feral Hogs."""

    def made(names: Names) -> Function:
        def played(
            strategy0: Function,
            strategy1: Function,
            score0: int,
            score1: int,
            dice: Function,
            goal: int,
            say: Function | None = None,
            feral_hogs: bool = True,
        ) -> tuple[int, int]:
            """Simulates a game and returns the final scores of both players."""

            def heard(score0: int, score1: int) -> None:
                nonlocal say
                say = say(score0, score1)  # type: ignore[misc]

            turns = turn_of if feral_hogs or without_hogs is None else without_hogs
            listened = None if say is None else heard
            return _played((strategy0, strategy1), [score0, score1], goal, turns(names, dice, goal), listened)

        return played

    return made


def play_with_messages(turn_of: TurnOf) -> Maker:
    """The game whose commentary returns a leader and a message."""

    def made(names: Names) -> Function:
        def played(
            strategy0: Function,
            strategy1: Function,
            score0: int,
            score1: int,
            dice: Function,
            goal: int,
            say: Function,
        ) -> tuple[int, int]:
            """Simulates a game and returns the final scores of both players."""
            leader = None

            def heard(score0: int, score1: int) -> None:
                nonlocal leader
                leader, message = say(score0, score1, leader)
                if message:
                    print(message)

            return _played((strategy0, strategy1), [score0, score1], goal, turn_of(names, dice, goal), heard)

        return played

    return made


def play_by_updates(names: Names) -> Function:
    def played(
        strategy0: Function,
        strategy1: Function,
        update: Function,
        score0: int,
        score1: int,
        dice: Function,
        goal: int,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""

        def turn(who: int, num_rolls: int, own: int, opponent: int) -> tuple[int, int, bool]:
            return update(num_rolls, own, opponent, dice), opponent, False

        return _played((strategy0, strategy1), [score0, score1], goal, turn)

    return played
