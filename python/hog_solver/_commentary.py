"""The handouts' commentary functions, and the announcements of 2012 and 2013."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeAlias

from ._handout_turns import Function, Maker, Names

#: The text of a gain, from the gain and the player.
Text: TypeAlias = Callable[[int, int], str]


def _leader(score0: int, score1: int) -> int | None:
    return None if score0 == score1 else int(score1 > score0)


# -- commentary that prints, and returns the commentary for the next turn


def silence(names: Names) -> Function:
    def silent(score0: int, score1: int) -> Any:
        """Announces nothing."""
        return names["silence"]

    return silent


def say_scores(names: Names) -> Function:
    def say(score0: int, score1: int) -> Any:
        """Announces both scores."""
        print("Player 0 now has", score0, "and Player 1 now has", score1)
        return names["say_scores"]

    return say


def announce_lead_changes(last_leader: int | None) -> Function:
    """Returns commentary that announces when the lead changes."""

    def say(score0: int, score1: int) -> Any:
        leader = _leader(score0, score1)
        if leader is not None and leader != last_leader:
            print("Player", leader, "takes the lead by", abs(score0 - score1))
        return announce_lead_changes(leader)

    return say


def both(f: Function, g: Function) -> Function:
    """Returns commentary that runs f, then g."""

    def say(score0: int, score1: int) -> Any:
        return both(f(score0, score1), g(score0, score1))

    return say


def counted_gain(gain: int, who: int) -> str:
    return f"{gain} point{'' if gain == 1 else 's'}! That's the biggest gain yet for Player {who}"


def biggest_gain(gain: int, who: int) -> str:
    return f"{gain} point(s)! That's the biggest gain yet for Player {who}"


def most_points(gain: int, who: int) -> str:
    return f"{gain} point(s)! The most yet for Player {who}"


def maximum_gain(gain: int, who: int) -> str:
    return f"Player {who} has reached a new maximum point gain. {gain} point(s)!"


def record_gain(gain: int, who: int) -> str:
    return f"{gain} point(s)! That's a record gain for Player {who}!"


def announce_highest(text: Text, high_first: bool = False) -> Maker:
    """``high_first`` says that the highest gain comes before the last score among the parameters."""

    def announced(who: int, last_score: int, running_high: int) -> Function:
        """Returns commentary that announces when a player's score increases by more than before."""
        assert who == 0 or who == 1, "The who argument should indicate a player."

        def say(score0: int, score1: int) -> Any:
            score = score1 if who else score0
            gain = score - last_score
            if gain > running_high:
                print(text(gain, who))
            return announced(who, score, max(gain, running_high))

        return say

    def made(names: Names) -> Function:
        if not high_first:
            return announced

        def swapped(who: int, previous_high: int, previous_score: int) -> Function:
            return announced(who, previous_score, previous_high)

        swapped.__doc__ = announced.__doc__
        return swapped

    return made


# -- commentary that returns a player and a message


def silence_with_leader(score0: int, score1: int, leader: int | None) -> tuple[int | None, None]:
    """Announces nothing."""
    return leader, None


def scores_with_player(score0: int, score1: int, player: int | None) -> tuple[int | None, str]:
    """Announces both scores."""
    return player, f"Player 0 now has {score0} and now Player 1 has {score1}"


def lead_change(score0: int, score1: int, last_leader: int | None) -> tuple[int | None, str | None]:
    """Announces when the lead changes."""
    leader = _leader(score0, score1)
    if leader is None or leader == last_leader:
        return leader, None
    return leader, f"Player {leader} takes the lead by {abs(score0 - score1)}"


def both_messages(f: Function, g: Function) -> Function:
    """Returns commentary that says what f says, then what g says."""

    def say(score0: int, score1: int, player: int | None = None) -> tuple[int | None, str | None]:
        _, first = f(score0, score1, player)
        player, second = g(score0, score1, player)
        return player, first + "\n" + second if first and second else first or second

    return say


# -- announcements of each outcome


def announce(names: Names) -> Function:
    def announced(outcome: int, who: str) -> None:
        """Prints a description of who rolled an outcome."""
        print(who, "rolled a", outcome)
        print(names["draw_number"](outcome))

    return announced


def draw_number(n: int, dot: str) -> str:
    """Returns a text with the dots of a number on a die."""
    return draw_dice(n % 2 == 1, n > 1, n > 3, n == 6, dot)


def draw_dice(c: bool, f: bool, b: bool, s: bool, dot: str) -> str:
    """Returns a text with dots in the centre (c), on the diagonals (f and b) and at the sides (s)."""
    assert len(dot) == 1, "Dot must be a single symbol"
    centre, forward, backward, side = (dot if filled else " " for filled in (c, f, b, s))
    border = " -------"
    rows = ((backward, " ", forward), (side, centre, side), (forward, " ", backward))
    return "\n".join([border, *(f"| {' '.join(row)} |" for row in rows), border])


def name(who: int) -> str:
    """Returns the name of a player."""
    return f"Player {who}" if who in (0, 1) else "An unknown player"
