"""The handouts' commentary functions."""

from __future__ import annotations

from typing import Any


def commentary_of(record: str) -> dict[str, Any]:
    """Returns the commentary functions by name. A commentary function is called with both scores after each turn and returns
    the one for the next turn."""

    def silence(score0: int, score1: int) -> Any:
        return silence

    def say_scores(score0: int, score1: int) -> Any:
        """Announces both scores."""
        print("Player 0 now has", score0, "and Player 1 now has", score1)
        return say_scores

    def announce_lead_changes(last_leader: int | None = None) -> Any:
        """Commentary that announces when the lead changes."""

        def say(score0: int, score1: int) -> Any:
            leader = 0 if score0 > score1 else 1 if score1 > score0 else None
            if leader is not None and leader != last_leader:
                print("Player", leader, "takes the lead by", abs(score0 - score1))
            return announce_lead_changes(leader)

        return say

    def both(f: Any, g: Any) -> Any:
        """Returns commentary that runs f, then g."""

        def say(score0: int, score1: int) -> Any:
            return both(f(score0, score1), g(score0, score1))

        return say

    def announce_highest(who: int, last_score: int = 0, running_high: int = 0) -> Any:
        """Commentary that announces a player's record gains."""
        assert who in (0, 1), "The who argument should indicate a player."

        def say(score0: int, score1: int) -> Any:
            score = (score0, score1)[who]
            gain = score - last_score
            if gain > running_high:
                print(_record(record, gain, who))
            return announce_highest(who, score, max(gain, running_high))

        return say

    def announce_biggest(who: int, previous_high: int = 0, previous_score: int = 0) -> Any:
        """Commentary that announces a player's biggest gains."""
        return announce_highest(who, previous_score, previous_high)

    announce_biggest.__name__ = announce_biggest.__qualname__ = "announce_highest"
    return {
        "silence": silence,
        "say_scores": say_scores,
        "announce_lead_changes": announce_lead_changes,
        "both": both,
        "announce_highest": announce_highest if record == "record" else announce_biggest,
    }


def _record(record: str, gain: int, who: int) -> str:
    """Returns the text that a semester's ``announce_highest`` prints."""
    if record == "record":
        return f"{gain} point(s)! That's a record gain for Player {who}!"
    points = "point(s)" if record == "biggest" else "point" if gain == 1 else "points"
    return f"{gain} {points}! That's the biggest gain yet for Player {who}"
