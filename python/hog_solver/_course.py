"""The handouts' functions under their own names and signatures, standing on the library's rules.

A course's own autograder runs on them: ``hog.py`` is

    import hog_solver

    hog_solver.course("fa21").install(globals())

Scores and points are plain ints. What the handouts call dice are functions without arguments, as in the course's ``dice.py``.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache, wraps
from typing import Any

from . import _native
from ._errors import RulesError
from ._game import Game

Dice = Callable[[], int]
StrategyFunction = Callable[[int, int], int]

GOAL = 100


# -- dice.py


def make_fair_dice(sides: int) -> Dice:
    """A die that returns 1 to ``sides``, each as likely as any other."""
    assert type(sides) is int and sides >= 1, "Illegal value for sides"

    def dice() -> int:
        return random.randint(1, sides)

    return dice


four_sided = make_fair_dice(4)
six_sided = make_fair_dice(6)
eight_sided = make_fair_dice(8)


def make_test_dice(*outcomes: int) -> Dice:
    """A die that cycles through ``outcomes``."""
    assert len(outcomes) > 0, "You must supply outcomes to make_test_dice"
    for outcome in outcomes:
        assert type(outcome) is int and outcome >= 1, "Outcome is not a positive integer"
    index = len(outcomes) - 1

    def dice() -> int:
        nonlocal index
        index = (index + 1) % len(outcomes)
        return outcomes[index]

    return dice


# -- what differs from semester to semester


@dataclass(frozen=True)
class _Signatures:
    """The names a semester's handout gives to its functions."""

    #: The rule for no dice.
    zero_dice: str = "free_bacon"
    #: Whether it takes the player's score before the opponent's.
    zero_dice_of_both: bool = False
    #: Whether ``take_turn`` takes the player's score before the opponent's.
    turn_of_both: bool = False
    #: Whether ``roll_dice`` begins with the player's score, as Feral Hogs of parity need it.
    roll_of_score: bool = False
    #: A rule on totals that says what is added to the mover's.
    bonus: str | None = None
    #: A rule on totals that gives the mover's new total from both, and its name.
    total: str | None = None
    #: Whether players exchange totals.
    swap: str | None = None
    #: Whether the mover moves again.
    again: str | None = None
    #: Whether ``play`` takes an update function, the semester's first, and its name.
    update: str | None = None
    #: Whether ``take_turn`` also applies the rules on a turn's points, as Hogtimus Prime.
    boosted_turn: bool = False
    #: Whether ``play`` takes the goal after both scores, and no dice there.
    goal_before_dice: bool = False
    #: What ``announce_highest`` says: "record", "biggest", or "biggest" with points counted in words.
    record: str = "record"


_WILD = _Signatures(goal_before_dice=True)
_WILD_SWAP = _Signatures(swap="is_swap", goal_before_dice=True)
_PRIME_SWAP = _Signatures(swap="is_swap", goal_before_dice=True, boosted_turn=True)
_SWAP = _Signatures(swap="is_swap")
_COUNTED_SWAP = _Signatures(swap="is_swap", record="counted")
_BIGGEST_SWAP = _Signatures(swap="is_swap", record="biggest")
_BY_GAME = {
    **dict.fromkeys(("fa12", "sp13", "su13", "sp15"), _WILD),
    **dict.fromkeys(("fa13", "fa14", "su15"), _WILD_SWAP),
    **dict.fromkeys(("fa15", "fa16", "sp17", "su17"), _PRIME_SWAP),
    **dict.fromkeys(("fa17", "sp18"), _COUNTED_SWAP),
    **dict.fromkeys(("su18", "fa18", "sp19", "su19", "fa19"), _BIGGEST_SWAP),
    **dict.fromkeys(("sp20", "su20"), _SWAP),
    "fa20": _Signatures(again="extra_turn"),
    "sp21": _Signatures(zero_dice="piggy_points", again="more_boar"),
    "su21": _Signatures(again="extra_turn"),
    "fa21": _Signatures(zero_dice="picky_piggy", bonus="hog_pile"),
    "nju21": _Signatures(zero_dice="picky_piggy", swap="swine_swap", roll_of_score=True, turn_of_both=True),
    "sp22": _Signatures(zero_dice="hefty_hogs", zero_dice_of_both=True, turn_of_both=True, bonus="hog_pile"),
    "su22": _Signatures(zero_dice="oink_points", total="pigs_on_prime"),
    "fa22": _Signatures(zero_dice="tail_points", update="square_update"),
    "su23": _Signatures(zero_dice="boar_brawl", zero_dice_of_both=True, turn_of_both=True, update="sus_update"),
    "nju23": _Signatures(zero_dice="tail_points", swap="is_swap"),
}


class Course:
    """A semester's functions, as attributes and in :meth:`functions`.

    ``roll_dice``, ``take_turn``, ``play``, ``always_roll``, ``make_averaged``, ``max_scoring_num_rolls``, ``winner``,
    ``average_win_rate``, the commentary, and the rules under the names that this semester's handout gives them.
    """

    def __init__(self, name: str) -> None:
        self._name = name
        self._rules = _native.NativeRules(name, None)
        #: The game's id.
        self.id = self._rules.id
        if self.id not in _BY_GAME:
            raise RulesError(f"{self.id} is no game of a course's handout")
        self._functions = self.install({})

    def install(self, namespace: dict[str, Any]) -> dict[str, Any]:
        """Puts all functions into a namespace, as ``globals()`` of a module ``hog``; returns it.

        They look for the dice in it, so that tests may put others in their place: ``hog.six_sided = make_test_dice(3)``.
        """
        _define(namespace, self._name, self._rules)
        return namespace

    def functions(self) -> dict[str, Any]:
        """All functions by name."""
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
    """The functions of a semester: an id or alias of CS 61A or NJU, as ``"fa21"`` or ``"sp25"``."""
    return Course(name)


def _define(known: dict[str, Any], name: str, rules: _native.NativeRules) -> None:
    signatures = _BY_GAME[rules.id]
    table = _Table(name)
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
    known.update(_rules_of(table, signatures))
    known.update(_turns_of(table, signatures, known))
    known.update(_commentary(signatures.record))
    known.update(_experiments(table, signatures, known))


class _Table:
    """The rules for any goal: the handouts ask about scores and goals of all sizes."""

    def __init__(self, name: str) -> None:
        self._name = name
        self.rules = lru_cache(maxsize=64)(self._of_goal)

    def _of_goal(self, goal: int) -> _native.NativeRules:
        return _native.NativeRules(self._name, goal)

    def above(self, *scores: int) -> _native.NativeRules:
        """Rules in which a game with these scores still goes on."""
        goal = GOAL
        while goal <= max(scores):
            goal *= 10
        return self.rules(goal)


def _rules_of(table: _Table, signatures: _Signatures) -> dict[str, Any]:
    """The rules as functions of scores."""

    def zero_points(score: int, opponent: int) -> int:
        return table.above(score, opponent).take_turn((score, opponent, []), [], 0)[0]

    functions: dict[str, Any] = {}
    if signatures.zero_dice_of_both:

        def of_both(player_score: int, opponent_score: int) -> int:
            return zero_points(player_score, opponent_score)

        functions[signatures.zero_dice] = of_both
    else:

        def of_opponent(score: int) -> int:
            return zero_points(0, score)

        functions[signatures.zero_dice] = of_opponent

    def settled(player_score: int, opponent_score: int) -> tuple[int, int, bool, bool]:
        return table.rules(GOAL).settle(player_score, opponent_score, 0)

    if signatures.swap:

        def is_swap(player_score: int, opponent_score: int) -> bool:
            return settled(player_score, opponent_score)[2]

        functions[signatures.swap] = is_swap
        functions.setdefault("is_swap", is_swap)
    if signatures.again:

        def extra_turn(player_score: int, opponent_score: int) -> bool:
            return settled(player_score, opponent_score)[3]

        functions[signatures.again] = extra_turn
    if signatures.bonus:

        def bonus(player_score: int, opponent_score: int) -> int:
            return settled(player_score, opponent_score)[0] - player_score

        functions[signatures.bonus] = bonus
    if signatures.total:

        def total(player_score: int, opponent_score: int = 0) -> int:
            return settled(player_score, opponent_score)[0]

        functions[signatures.total] = total
    if signatures.update == "square_update":
        functions.update(_squares())
    if signatures.update == "sus_update":
        functions.update(_sus(settled))
    functions.update(is_prime=_is_prime, next_prime=_next_prime)
    for function_name, function in functions.items():
        if callable(function):
            function.__name__ = function.__qualname__ = function_name
    return functions


def _squares() -> dict[str, Any]:
    from math import isqrt

    def perfect_square(score: int) -> bool:
        return isqrt(score) ** 2 == score

    def next_perfect_square(score: int) -> int:
        return (isqrt(score) + 1) ** 2

    return {"perfect_square": perfect_square, "next_perfect_square": next_perfect_square}


def _sus(settled: Callable[[int, int], tuple[int, int, bool, bool]]) -> dict[str, Any]:
    def num_factors(n: int) -> int:
        return sum(n % divisor == 0 for divisor in range(1, n + 1))

    def sus_points(score: int) -> int:
        return settled(score, 0)[0]

    return {"num_factors": num_factors, "sus_points": sus_points}


def _is_prime(n: int) -> bool:
    return n > 1 and all(n % divisor for divisor in range(2, int(n**0.5) + 1))


def _next_prime(n: int) -> int:
    n += 1
    while not _is_prime(n):
        n += 1
    return n


def _reroll(dice: Dice) -> Dice:
    """Dice that roll once more, for good, what comes out odd."""

    def rerolled() -> int:
        outcome = dice()
        return dice() if outcome % 2 else outcome

    return rerolled


def _die(weights: list[int], known: dict[str, Any], exchanged: bool = False) -> Dice:
    """The module's die with these weights of faces; six- and four-sided dice may be exchanged."""
    if len(weights) == 8:
        return known.get("eight_sided", eight_sided)  # type: ignore[no-any-return]
    die: Dice = known["four_sided" if (len(weights) == 4) != exchanged else "six_sided"]
    return die if len(set(weights)) == 1 else _reroll(die)


def _perfect_piggy(known: dict[str, Any]) -> dict[str, Any]:
    def select_dice(dice_swapped: bool) -> Dice:
        return known["four_sided" if dice_swapped else "six_sided"]  # type: ignore[no-any-return]

    def is_perfect_piggy(turn_score: int) -> bool:
        return turn_score > 1 and any(turn_score in (n**2, n**3) for n in range(turn_score + 1))

    return {"select_dice": select_dice, "is_perfect_piggy": is_perfect_piggy}


def _turns_of(table: _Table, signatures: _Signatures, known: dict[str, Any]) -> dict[str, Any]:
    """``roll_dice``, ``take_turn``, ``select_dice``, ``play`` and updates."""

    def rolled(faces: list[int], score: int, opponent: int) -> tuple[int, int]:
        turn = table.above(score, opponent).take_turn((score, opponent, []), faces, len(faces))
        return turn[0], turn[1]

    def fair(number: int, dice: Dice) -> list[int]:
        assert type(number) is int, "num_rolls must be an integer."
        assert number > 0, "Must roll at least once."
        return [dice() for _ in range(number)]

    functions: dict[str, Any] = {}
    if signatures.roll_of_score:

        def roll_dice(cur_score: int, num_rolls: int, dice: Dice = six_sided) -> int:
            return rolled(fair(num_rolls, dice), cur_score, 0)[1]
    else:

        def roll_dice(num_rolls: int, dice: Dice = six_sided) -> int:  # type: ignore[misc]
            return _points(fair(num_rolls, dice), table)

    def taken(num_rolls: int, score: int, opponent: int, dice: Dice) -> int:
        assert type(num_rolls) is int, "num_rolls must be an integer."
        assert 0 <= num_rolls <= 10, "Invalid number of rolls."
        if num_rolls == 0:
            return rolled([], score, opponent)[1 if signatures.boosted_turn else 0]
        faces = [dice() for _ in range(num_rolls)]
        if signatures.roll_of_score or signatures.boosted_turn:
            return rolled(faces, score, opponent)[1]
        return _points(faces, table)

    if signatures.turn_of_both:

        def take_turn(num_rolls: int, player_score: int, opponent_score: int, dice: Dice = six_sided) -> int:
            return taken(num_rolls, player_score, opponent_score, dice)
    else:

        def take_turn(num_rolls: int, opponent_score: int, dice: Dice = six_sided) -> int:  # type: ignore[misc]
            return taken(num_rolls, 0, opponent_score, dice)

    functions.update(roll_dice=roll_dice, take_turn=take_turn)
    if "Hog Wild" in table.rules(GOAL).names:

        def select_dice(score: int, opponent_score: int, dice_swapped: bool = False) -> Dice:
            _, weights = table.above(score, opponent_score).dice((score, opponent_score, []), 1)
            return _die(weights, known, dice_swapped)

        functions["select_dice"] = select_dice
    if table.rules(GOAL).id == "fa16":
        functions["reroll"] = _reroll
    if table.rules(GOAL).id == "su17":
        functions.update(_perfect_piggy(known))

    def other(who: int) -> int:
        return 1 - who

    functions.update(other=other, next_player=other)
    if signatures.update:
        functions.update(_updates(table, signatures, taken))
        functions["play"] = _play_by_updates(known)
    else:
        play = _play_by_rules(table, known)
        functions["play"] = _goal_before_dice(play) if signatures.goal_before_dice else play
    return functions


def _points(faces: list[int], table: _Table) -> int:
    """The points of dice before any rule rewrites them: the sum, or what a 1 makes of it."""
    rules = table.rules(GOAL)
    return rules.take_turn((1, 0, rules.start(1, 0)), faces, len(faces))[0]


def _updates(
    table: _Table, signatures: _Signatures, taken: Callable[[int, int, int, Dice], int]
) -> dict[str, Any]:
    def simple_update(num_rolls: int, player_score: int, opponent_score: int, dice: Dice = six_sided) -> int:
        return player_score + taken(num_rolls, player_score, opponent_score, dice)

    def update(num_rolls: int, player_score: int, opponent_score: int, dice: Dice = six_sided) -> int:
        score = simple_update(num_rolls, player_score, opponent_score, dice)
        return table.rules(GOAL).settle(score, opponent_score, 0)[0]

    assert signatures.update is not None
    update.__name__ = update.__qualname__ = signatures.update
    return {"simple_update": simple_update, signatures.update: update}


def _play_by_updates(known: dict[str, Any]) -> Callable[..., tuple[int, int]]:
    def play(
        strategy0: StrategyFunction,
        strategy1: StrategyFunction,
        update: Callable[[int, int, int, Dice], int],
        score0: int = 0,
        score1: int = 0,
        dice: Dice | None = None,
        goal: int = GOAL,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        scores, who = [score0, score1], 0
        dice = known["six_sided"] if dice is None else dice
        while max(scores) < goal:
            own, opponent = scores[who], scores[1 - who]
            num_rolls = (strategy0, strategy1)[who](own, opponent)
            scores[who] = update(num_rolls, own, opponent, dice)
            who = 1 - who
        return scores[0], scores[1]

    return play


def _goal_before_dice(play: Callable[..., tuple[int, int]]) -> Callable[..., tuple[int, int]]:
    """``play`` as of the semesters that choose the dice by rule."""

    def earlier(
        strategy0: StrategyFunction,
        strategy1: StrategyFunction,
        score0: int = 0,
        score1: int = 0,
        goal: int = GOAL,
        dice: Dice | None = None,
        say: Callable[[int, int], Any] | None = None,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        return play(strategy0, strategy1, score0, score1, dice, goal, say)

    earlier.__name__ = earlier.__qualname__ = "play"
    return earlier


def _play_by_rules(table: _Table, known: dict[str, Any]) -> Callable[..., tuple[int, int]]:
    """``play`` with all rules of the semester, memories and extra turns included."""

    def play(
        strategy0: StrategyFunction,
        strategy1: StrategyFunction,
        score0: int = 0,
        score1: int = 0,
        dice: Dice | None = None,
        goal: int = GOAL,
        say: Callable[[int, int], Any] | None = None,
        feral_hogs: bool = True,
    ) -> tuple[int, int]:
        """Simulates a game and returns the final scores of both players."""
        rules, scores, who = table.rules(goal), [score0, score1], 0
        seen: tuple[int, int, list[int]] | None = None
        if max(scores) < goal:
            seen = (score0, score1, rules.start(score0, score1))
        while seen is not None:
            request = (strategy0, strategy1)[who](seen[0], seen[1])
            if not feral_hogs and seen[2]:
                # Feral Hogs asks for a difference of 2 from what is remembered.
                seen = (seen[0], seen[1], [request, *seen[2][1:]])
            number, weights = rules.dice(seen, request)
            chosen = _die(weights, known) if dice is None else dice
            faces = [chosen() for _ in range(number)] if request > 0 else []
            turn = rules.take_turn(seen, faces, number if request > 0 else request)
            scores[who], scores[1 - who] = turn[2], turn[3]
            who, seen = (who if turn[4] else 1 - who), turn[5]
            if say is not None:
                say = say(scores[0], scores[1])
        return scores[0], scores[1]

    return play


def _commentary(record: str) -> dict[str, Any]:
    """Commentary functions: each is called with both scores and returns the next."""

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
        """Commentary that says what f says, then what g says."""

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
    """What a semester's ``announce_highest`` prints."""
    if record == "record":
        return f"{gain} point(s)! That's a record gain for Player {who}!"
    points = "point(s)" if record == "biggest" else "point" if gain == 1 else "points"
    return f"{gain} {points}! That's the biggest gain yet for Player {who}"


def _experiments(table: _Table, signatures: _Signatures, known: dict[str, Any]) -> dict[str, Any]:
    """Strategies and what the handouts do with them. Rates are averages of games played; exact ones are ``Game.rate``."""

    def always_roll(n: int) -> StrategyFunction:
        """A strategy that always rolls n dice."""
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
        """The number of dice (1 to 10) that scores most on average; the fewest of those that tie."""
        roll = known["roll_dice"]
        if signatures.roll_of_score:
            averages = [make_averaged(roll, samples)(0, number, dice) for number in range(1, 11)]
        else:
            averages = [make_averaged(roll, samples)(number, dice) for number in range(1, 11)]
        return averages.index(max(averages)) + 1

    def winner(strategy0: StrategyFunction, strategy1: StrategyFunction) -> int:
        """0 if strategy0 wins against strategy1, and 1 otherwise."""
        updates = [known[signatures.update]] if signatures.update else []
        score0, score1 = known["play"](strategy0, strategy1, *updates)
        return 0 if score0 > score1 else 1

    usual_dice = int((table.rules(GOAL).baseline or "always_roll:6").split(":")[-1])
    usual = always_roll(usual_dice)

    def average_win_rate(strategy: StrategyFunction, baseline: StrategyFunction = usual) -> float:
        """The average win rate of a strategy, moving first and second, over games played."""
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
    for name, parameter in table.rules(GOAL).strategies:
        functions[name] = _threshold(name, parameter, table)

    def final_strategy(score: int, opponent_score: int) -> int:
        """The strongest play, from the library's table; no dice once the game is over."""
        if max(score, opponent_score) >= GOAL:
            return 0
        return _final(table.rules(GOAL).id, score, opponent_score)

    functions["final_strategy"] = final_strategy

    def run_experiments() -> None:
        """Runs the handouts' experiments and prints what they find."""
        print("Max scoring num rolls for six-sided dice:", known["max_scoring_num_rolls"](known["six_sided"]))
        played = {name: known[name] for name, _ in table.rules(GOAL).strategies}
        for name, strategy in {f"always_roll({usual_dice})": usual, **played, "final_strategy": final_strategy}.items():
            print(f"{name} win rate:", known["average_win_rate"](strategy))

    functions["run_experiments"] = run_experiments
    return functions


#: What the handouts have called the number of trials.
_TRIALS = ("trials_count", "num_samples", "samples_count", "total_samples", "times_called")


def _renamed(function: Callable[..., Any]) -> Callable[..., Any]:
    """The same function whose number of trials may be named as in any semester's handout."""

    @wraps(function)
    def renamed(*args: Any, **named: Any) -> Any:
        return function(*args, **{("samples" if key in _TRIALS else key): value for key, value in named.items()})

    return renamed


def _threshold(name: str, parameter: str, table: _Table) -> Callable[..., int]:
    """One of the handout's strategies; what is left out is as in the handout."""

    def strategy(score: int, opponent_score: int, *given: int, **named: int) -> int:
        arguments = dict(zip((parameter, "num_rolls"), given, strict=False)) | named
        if len(given) > 2 or not arguments.keys() <= {parameter, "num_rolls"}:
            raise TypeError(f"{name} takes score, opponent_score, {parameter} and num_rolls")
        rules = table.above(score, opponent_score)
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
