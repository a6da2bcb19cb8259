"""The functions of every semester's handout: their names, parameters and defaults, and what implements each.

A key is a function's signature as in the semester's starter file, or the name of a constant; defaults are evaluated among the
names before it. `docs/handouts.md` says which starter files and graders each table was checked with.
"""

from __future__ import annotations

from typing import Any, TypeAlias

from . import _commentary as commentary
from . import _experiments as experiments
from . import _handout_rules as rules
from . import _handout_turns as turns
from . import _ucb as ucb
from ._dice import four_sided, make_fair_dice, make_test_dice, six_sided
from ._experiments import points_of, points_of_both, points_of_turn
from ._handout_turns import Maker, plain

#: Functions by signature and constants by name.
Handout: TypeAlias = dict[str, "Maker | Constant"]

GOAL = 100


class Constant:
    """A constant of a handout, such as the goal or a die."""

    def __init__(self, value: Any) -> None:
        self.value = value


def _constants(**values: Any) -> Handout:
    return {name: Constant(value) for name, value in values.items()}


_DICE = _constants(
    four_sided=four_sided, six_sided=six_sided, make_fair_dice=make_fair_dice, make_test_dice=make_test_dice
)
_GOAL_SCORE = {**_DICE, **_constants(GOAL_SCORE=GOAL)}
# The graders' check_strategy.py of later semesters still reads GOAL_SCORE.
_GOAL = {**_DICE, **_constants(GOAL=GOAL, GOAL_SCORE=GOAL)}

# The page of the course (hog_ui.py) of later semesters takes these from the student's file.
_UCB = _constants(main=ucb.main, trace=ucb.trace, interact=ucb.interact)

_ROLL: Handout = {"roll_dice(num_rolls, dice=six_sided)": turns.roll_dice()}
_OTHER: Handout = {"other(who)": plain(lambda who: 1 - who)}
_OTHER_PLAYER: Handout = {"other(player)": plain(lambda player: 1 - player)}
_NEXT_PLAYER: Handout = {"next_player(who)": plain(lambda who: 1 - who)}
_PRIMES: Handout = {"is_prime(n)": plain(rules.is_prime_of_starters), "next_prime(n)": plain(rules.next_prime)}
_WILD: Handout = {"select_dice(score, opponent_score)": rules.wild_dice()}


def _swaps(names: dict[str, Any], total: int, opponent_score: int) -> Any:
    return names["is_swap"](total, opponent_score)


def _doubles(names: dict[str, Any], total: int, opponent_score: int) -> bool:
    return rules.one_is_double(total, opponent_score)


def _averages(
    function: str, samples: str, baseline: int, update: str | None = None, of_best: str | None = None
) -> Handout:
    """The experiments since 2015, with the handout's names for a function and a number of samples; ``of_best`` is the latter's
    name in ``max_scoring_num_rolls`` where it differs."""
    return {
        f"make_averaged({function}, {samples}=1000)": plain(experiments.make_averaged),
        f"max_scoring_num_rolls(dice=six_sided, {of_best or samples}=1000)": experiments.max_scoring_num_rolls,
        **_win_rate(baseline, update),
    }


def _win_rate(baseline: int, update: str | None = None) -> Handout:
    return {
        "winner(strategy0, strategy1)": experiments.winner(update),
        f"average_win_rate(strategy, baseline=always_roll({baseline}))": experiments.average_win_rate(
            "make_averaged", "winner"
        ),
    }


def _strategies(strategies: Handout) -> Handout:
    """The semester's strategies, and the experiments that compare them."""
    return {**strategies, "run_experiments()": experiments.run_experiments(*map(function_name, strategies))}


def function_name(signature: str) -> str:
    """Returns the name of a function, from its signature."""
    return signature.partition("(")[0]


_ALWAYS: Handout = {"always_roll(n)": plain(experiments.always_roll)}


# -- Fall 2012 to Summer 2013: games for the winner, with announcements


def _aloud(roll: str, turn: str, boost: Any = None, keeps_ones: bool = False) -> Handout:
    return {
        **_constants(
            four_sided_dice=four_sided,
            six_sided_dice=six_sided,
            make_fair_dice=make_fair_dice,
            make_test_dice=make_test_dice,
            goal=GOAL,
            commentary=False,
        ),
        f"roll_dice({roll})": turns.roll_dice_aloud,
        f"take_turn({turn})": turns.take_turn_aloud(rules.one_more_than_tens, boost),
        "announce(outcome, who)": commentary.announce,
        "draw_number(n, dot='*')": plain(commentary.draw_number),
        "draw_dice(c, f, b, s, dot)": plain(commentary.draw_dice),
        "num_allowed_dice(score, opponent_score)": plain(rules.num_allowed_dice),
        "select_dice(score, opponent_score)": rules.wild_dice("six_sided_dice", "four_sided_dice"),
        **_OTHER,
        "name(who)": plain(commentary.name),
        "play(strategy0, strategy1)": turns.play_for_the_winner(keeps_ones),
        **_ALWAYS,
        "make_average(fn, num_samples=100)": plain(experiments.make_averaged),
        "compare_strategies(strategy, baseline=always_roll(5))": experiments.average_win_rate("make_average", "play"),
        "eval_strategy_range(make_strategy, lower_bound, upper_bound)": experiments.eval_strategy_range,
        "make_comeback_strategy(margin, num_rolls=5)": plain(experiments.make_comeback_strategy),
        "make_mean_strategy(min_points, num_rolls=5)": experiments.make_mean_strategy,
        "run_experiments()": experiments.run_range_experiments,
    }


_ROLL_ALOUD = "num_rolls, dice=six_sided_dice, who='Boss Hogg'"
_TURN_ALOUD = "num_rolls, opponent_score, dice=six_sided_dice, who='Boss Hogg'"
_FA12 = _aloud(_ROLL_ALOUD, _TURN_ALOUD)
_SP13 = _aloud(_ROLL_ALOUD + ", ones_lose=True", _TURN_ALOUD + ", ones_lose=True", rules.touchdown, keeps_ones=True)
_SU13 = _aloud(_ROLL_ALOUD, _TURN_ALOUD, rules.touchdown_then_prime)

# -- Fall 2013 to Summer 2017: dice chosen by the rules

_TURN = "take_turn(num_rolls, opponent_score, dice=six_sided)"
_PLAY = "play(strategy0, strategy1, score0=0, score1=0, goal=GOAL_SCORE)"


def _bacon(margin: int, num_rolls: int, points: experiments.Points = points_of_turn) -> Handout:
    signature = f"bacon_strategy(score, opponent_score, margin={margin}, num_rolls={num_rolls})"
    return {signature: experiments.for_points(points)}


def _swap(
    margin: int, num_rolls: int, points: experiments.Points, swaps: Any = _swaps, made: Any = experiments.for_swap
) -> Handout:
    signature = f"swap_strategy(score, opponent_score, margin={margin}, num_rolls={num_rolls})"
    return {signature: made(points, swaps)}


_FN_WITHOUT_SAMPLES: Handout = {
    "make_averaged(fn, num_samples=1000)": plain(experiments.make_averaged),
    "max_scoring_num_rolls(dice=six_sided)": experiments.max_scoring_num_rolls,
    **_win_rate(5),
}

_FA13: Handout = {
    **_GOAL_SCORE,
    **_constants(BASELINE_NUM_ROLLS=5, BACON_MARGIN=8),
    **_ROLL,
    _TURN: turns.take_turn(rules.one_more_than_largest),
    **_WILD,
    **_OTHER,
    "play(strategy0, strategy1, goal=GOAL_SCORE)": turns.play_from_nothing,
    **_ALWAYS,
    "make_averaged(fn, num_samples=1000)": plain(experiments.make_averaged),
    "max_scoring_num_rolls(dice=six_sided)": experiments.max_scoring_num_rolls_aloud,
    **_win_rate(5),
    **_strategies(
        {
            "bacon_strategy(score, opponent_score)": experiments.for_points_of_module,
            "swap_strategy(score, opponent_score)": experiments.for_swap_of_module(points_of_turn, _doubles),
        }
    ),
}

_FA14: Handout = {
    **_GOAL_SCORE,
    **_ROLL,
    _TURN: turns.take_turn(rules.difference_and(1)),
    **_WILD,
    "bid_for_start(bid0, bid1, goal=GOAL_SCORE)": plain(rules.bid_for_start),
    **_OTHER,
    _PLAY: turns.play_with_double_swap,
    **_ALWAYS,
    **_FN_WITHOUT_SAMPLES,
    **_strategies({**_bacon(8, 5), **_swap(8, 5, points_of_turn, _doubles)}),
}

_SP15: Handout = {
    **_GOAL_SCORE,
    **_ROLL,
    _TURN: turns.take_turn(rules.one_more_than_largest),
    **_WILD,
    "is_prime(n)": plain(rules.is_prime_of_starters),
    **_OTHER,
    _PLAY: turns.play_with_boost,
    **_ALWAYS,
    **_FN_WITHOUT_SAMPLES,
    **_strategies(
        {**_bacon(8, 5), "prime_strategy(score, opponent_score, margin=8, num_rolls=5)": experiments.for_boost}
    ),
}

_SU15: Handout = {
    **_GOAL_SCORE,
    **_ROLL,
    _TURN: turns.take_turn(rules.one_more_than_largest),
    **_WILD,
    "is_swap(score0, score1)": plain(rules.digits_are_reversed),
    **_OTHER,
    _PLAY: turns.play_with_swap,
    **_ALWAYS,
    **_averages("fn", "num_samples", 5),
    **_strategies({**_bacon(8, 5), **_swap(8, 5, points_of_turn)}),
}

_FA15: Handout = {
    **_GOAL_SCORE,
    "roll_dice(num_rolls, dice=six_sided)": turns.roll_dice(turns.no_points),
    **_PRIMES,
    _TURN: turns.take_turn(rules.one_more_than_largest, rules.hogtimus_prime),
    **_WILD,
    "is_swap(score0, score1)": plain(rules.digits_are_reversed),
    **_OTHER,
    _PLAY: turns.play_with_piggy_back,
    **_ALWAYS,
    **_averages("fn", "num_samples", 5),
    **_strategies(
        {**_bacon(8, 5), "swap_strategy(score, opponent_score, num_rolls=5)": experiments.for_swap_alone}
    ),
}

_LARGEST: Handout = {"free_bacon(opponent_score)": plain(rules.one_more_than_largest)}
_CHECK: Handout = {
    "check_strategy_roll(score, opponent_score, num_rolls)": plain(experiments.check_strategy_roll(0)),
    "check_strategy(strategy, goal=GOAL_SCORE)": experiments.check_strategy,
}

_SU16: Handout = {
    **_GOAL_SCORE,
    **_ROLL,
    **_LARGEST,
    **_PRIMES,
    _TURN: turns.take_turn("free_bacon", rules.hogtimus_prime),
    **_WILD,
    "max_dice(score, opponent_score)": plain(rules.num_allowed_dice),
    "is_swap(score)": plain(rules.digits_are_alike),
    **_OTHER_PLAYER,
    _PLAY: turns.play_with_most_dice,
    **_ALWAYS,
    **_CHECK,
    "check_strategy(strategy, goal=GOAL_SCORE)": experiments.checked_strategy,
    **_averages("fn", "num_samples", 6),
    **_strategies(
        {**_bacon(8, 6), "swap_strategy(score, opponent_score, margin=5, num_rolls=6)": experiments.for_own_swap}
    ),
}

_FA16: Handout = {
    **_GOAL_SCORE,
    "roll_dice(num_rolls, dice=six_sided)": turns.roll_dice(turns.number_of_ones),
    **_LARGEST,
    **_PRIMES,
    _TURN: turns.take_turn("free_bacon", rules.prime_then_pigs_fly),
    "reroll(dice)": plain(rules.reroll),
    "select_dice(score, opponent_score, dice_swapped)": rules.swapped_and_wild_dice,
    **_OTHER_PLAYER,
    _PLAY: turns.play_with_pork_chop,
    **_ALWAYS,
    **_CHECK,
    "check_strategy_roll(score, opponent_score, num_rolls)": plain(experiments.check_strategy_roll(-1)),
    **_averages("fn", "num_samples", 4),
    **_strategies({**_bacon(8, 4), **_swap(8, 4, points_of_turn, _doubles)}),
}

_SP17: Handout = {
    **_GOAL_SCORE,
    "roll_dice(num_rolls, dice=six_sided)": turns.roll_dice(turns.capped_number_of_ones),
    **_LARGEST,
    **_PRIMES,
    _TURN: turns.take_turn("free_bacon", rules.hogtimus_prime),
    **_WILD,
    "is_swap(score0, score1)": plain(rules.one_is_double),
    **_OTHER_PLAYER,
    _PLAY: turns.play_with_swap,
    **_ALWAYS,
    **_CHECK,
    **_averages("fn", "num_samples", 4),
    **_strategies({**_bacon(8, 4), **_swap(8, 4, points_of_turn)}),
}

_SU17: Handout = {
    **_GOAL_SCORE,
    **_ROLL,
    **_LARGEST,
    **_PRIMES,
    _TURN: turns.take_turn("free_bacon", rules.hogtimus_prime),
    "select_dice(dice_swapped)": rules.swapped_dice,
    "is_perfect_piggy(turn_score)": plain(rules.is_perfect_piggy),
    "is_swap(score0, score1)": plain(rules.one_is_double),
    **_OTHER_PLAYER,
    _PLAY: turns.play_with_perfect_piggy,
    **_ALWAYS,
    **_CHECK,
    **_averages("fn", "num_samples", 4),
    **_strategies({**_bacon(8, 4), **_swap(8, 4, points_of_turn)}),
}

# -- Fall 2017 to Fall 2021: commentary that prints

_PLAY_SAY = "play(strategy0, strategy1, score0=0, score1=0, dice=six_sided, goal=GOAL_SCORE, say=silence)"
_PLAY_FERAL = _PLAY_SAY[:-1] + ", feral_hogs=True)"
_SILENCE: Handout = {"silence(score0, score1)": commentary.silence}


def _commentary(leader: str, highest: str, text: commentary.Text) -> Handout:
    """The commentary, with the handout's name for the last leader and its parameters of a gain."""
    high_first = highest.split(", ")[0].endswith("high")
    gains = ", ".join(f"{name}=0" for name in highest.split(", "))
    return {
        "say_scores(score0, score1)": commentary.say_scores,
        f"announce_lead_changes({leader}=None)": plain(commentary.announce_lead_changes),
        "both(f, g)": plain(commentary.both),
        f"announce_highest(who, {gains})": commentary.announce_highest(text, high_first),
    }


_PREVIOUS = ("previous_leader", "previous_high, previous_score")
_LAST = ("last_leader", "last_score, running_high")


def _bacon_and_swap(
    free_bacon: Any,
    swap: str,
    rule: Any,
    text: commentary.Text = commentary.biggest_gain,
    swap_strategy: Any = experiments.for_swap,
) -> Handout:
    """A semester from Fall 2017 to Summer 2019."""
    bacon = points_of("free_bacon")
    return {
        **_GOAL_SCORE,
        **_ROLL,
        "free_bacon(score)": plain(free_bacon),
        _TURN: turns.take_turn("free_bacon"),
        swap: plain(rule),
        **_OTHER_PLAYER,
        **_SILENCE,
        _PLAY_SAY: turns.play(turns.swap_turn),
        **_commentary(*_PREVIOUS, text),
        **_ALWAYS,
        **_averages("fn", "num_samples", 4),
        **_strategies({**_bacon(8, 4, bacon), **_swap(8, 4, bacon, made=swap_strategy)}),
    }


_SWAP01, _SWAP = "is_swap(score0, score1)", "is_swap(player_score, opponent_score)"
_FA17 = _bacon_and_swap(rules.one_more_than_largest, _SWAP01, rules.one_divides_the_other, commentary.counted_gain)
_SP18 = _bacon_and_swap(
    rules.difference_and(2),
    _SWAP01,
    rules.one_divides_the_other,
    commentary.counted_gain,
    experiments.for_swap_or_points,
)
_SU18 = _bacon_and_swap(
    rules.one_more_than_product, _SWAP, rules.ones_is_tens, swap_strategy=experiments.for_swap_or_points
)
_FA18 = _bacon_and_swap(rules.twice_tens_less_ones, _SWAP, rules.differences_are_equal)
_SP19 = _bacon_and_swap(rules.one_more_than_smallest, _SWAP, rules.a_digit_is_shared)
_SU19 = _bacon_and_swap(rules.ten_less_smallest, _SWAP, rules.first_is_last)
_FA19: Handout = {
    **_bacon_and_swap(rules.ten_less_smallest, _SWAP, rules.products_are_equal),
    _PLAY_FERAL: turns.play(turns.feral_turn(remembers_points=False), turns.swap_turn),
}


def _feral(free_bacon: Any, swap: Any, words: tuple[str, str], averages: Handout, strategies: Handout) -> Handout:
    """A semester of 2020 with Feral Hogs."""
    return {
        **_GOAL_SCORE,
        **_ROLL,
        "free_bacon(score)": plain(free_bacon),
        _TURN: turns.take_turn("free_bacon"),
        _SWAP: plain(swap),
        **_OTHER,
        **_SILENCE,
        _PLAY_FERAL: turns.play(turns.feral_turn(remembers_points=True), turns.swap_turn),
        **_commentary(*words, commentary.biggest_gain),
        **_ALWAYS,
        **averages,
        **_strategies(strategies),
    }


def _threshold(name: str, parameter: str, usual: int, strategy: Maker) -> Handout:
    return {f"{name}(score, opponent_score, {parameter}={usual}, num_rolls=6)": strategy}


_BACON = points_of("free_bacon")
_SP20 = _feral(
    rules.digits_of_cube,
    rules.power_begins_as_it_ends,
    ("prev_leader", "prev_high, prev_score"),
    _averages("g", "num_samples", 6),
    {**_bacon(8, 6, _BACON), **_swap(8, 6, _BACON)},
)
_SU20 = _feral(
    rules.ten_and_tens_less_ones,
    rules.difference_is_tens,
    _LAST,
    _averages("original_function", "trials_count", 6),
    {
        **_threshold("bacon_strategy", "cutoff", 8, experiments.for_points(_BACON)),
        **_threshold("swap_strategy", "cutoff", 8, experiments.for_swap(_BACON, _swaps)),
    },
)


def _since_fa20(first: Handout, play: Maker, text: commentary.Text, strategies: Handout) -> Handout:
    """A semester from Fall 2020 to Fall 2021."""
    return {
        **_GOAL_SCORE,
        **_ROLL,
        **first,
        **_SILENCE,
        _PLAY_SAY: play,
        **_commentary(*_LAST, text),
        **_ALWAYS,
        **_averages("original_function", "trials_count", 6),
        **_strategies(strategies),
    }


def _any_again(names: dict[str, Any]) -> turns.Function:
    def extra_turn(player_score: int, opponent_score: int) -> Any:
        """Whether the player moves again."""
        return names["pig_pass"](player_score, opponent_score) or names["swine_align"](player_score, opponent_score)

    return extra_turn


_TURN_GOAL = "take_turn(num_rolls, opponent_score, dice=six_sided, goal=GOAL_SCORE)"
_FA20 = _since_fa20(
    {
        **_constants(FIRST_101_DIGITS_OF_PI=rules.PI),
        "free_bacon(score)": plain(rules.pi_and_three),
        _TURN: turns.take_turn("free_bacon"),
        "extra_turn(player_score, opponent_score)": _any_again,
        "swine_align(player_score, opponent_score)": plain(rules.swine_align),
        "pig_pass(player_score, opponent_score)": plain(rules.pig_pass),
        **_OTHER,
    },
    turns.play(turns.extra_turn("extra_turn", passes_goal=False)),
    commentary.most_points,
    {
        **_threshold("bacon_strategy", "cutoff", 8, experiments.for_points(_BACON)),
        **_threshold("extra_turn_strategy", "cutoff", 8, experiments.for_turn(_BACON, "extra_turn")),
    },
)


def _more_boar(piggy_points: Any, more_boar: Any) -> Handout:
    """A semester of 2021 with More Boar."""
    points = points_of("piggy_points")
    return _since_fa20(
        {
            "piggy_points(score)": plain(piggy_points),
            _TURN_GOAL: turns.take_turn("piggy_points"),
            "more_boar(player_score, opponent_score)": plain(more_boar),
            **_NEXT_PLAYER,
        },
        turns.play(turns.extra_turn("more_boar", passes_goal=True)),
        commentary.maximum_gain,
        {
            **_threshold("piggypoints_strategy", "cutoff", 8, experiments.for_points(points)),
            **_threshold("more_boar_strategy", "cutoff", 8, experiments.for_turn(points, "more_boar")),
        },
    )


_SP21 = _more_boar(rules.three_and_smallest_of_square, rules.leftmost_are_less)
_SU21 = _more_boar(rules.difference_and(4), rules.digits_are_wider)

_PICKY = points_of("picky_piggy")
_FA21 = _since_fa20(
    {
        "picky_piggy(score)": plain(rules.digit_of_a_seventh),
        _TURN_GOAL: turns.take_turn("picky_piggy"),
        "hog_pile(player_score, opponent_score)": plain(rules.hog_pile),
        **_NEXT_PLAYER,
    },
    turns.play(turns.bonus_turn("hog_pile", sees_both=False)),
    commentary.record_gain,
    {
        **_threshold("picky_piggy_strategy", "cutoff", 8, experiments.for_points(_PICKY)),
        **_threshold("hog_pile_strategy", "cutoff", 8, experiments.for_bonus(_PICKY, "hog_pile")),
    },
)

# -- Spring and Summer 2022: commentary that returns messages


def _messages(zero: str, rule: Any, bonus: str, bonus_rule: Any, helpers: Handout) -> Handout:
    points = points_of_both(zero)
    return {
        **_GOAL_SCORE,
        **_ROLL,
        f"{zero}(player_score, opponent_score)": plain(rule),
        "take_turn(num_rolls, player_score, opponent_score, dice=six_sided, goal=GOAL_SCORE)": turns.take_turn_of_both(
            zero
        ),
        **helpers,
        f"{bonus}(player_score, opponent_score)": plain(bonus_rule),
        **_NEXT_PLAYER,
        "silence(score0, score1, leader=None)": plain(commentary.silence_with_leader),
        _PLAY_SAY: turns.play_with_messages(turns.bonus_turn(bonus, sees_both=True)),
        "say_scores(score0, score1, player=None)": plain(commentary.scores_with_player),
        "announce_lead_changes(score0, score1, last_leader=None)": plain(commentary.lead_change),
        "both(f, g)": plain(commentary.both_messages),
        **_ALWAYS,
        **_averages("original_function", "total_samples", 6),
        **_strategies(
            {
                **_threshold(f"{zero}_strategy", "threshold", 8, experiments.for_points(points)),
                **_threshold(f"{bonus}_strategy", "threshold", 8, experiments.for_bonus(points, bonus)),
            }
        ),
    }


_SP22 = _messages(
    "hefty_hogs", rules.hefty_hogs, "hog_pile", rules.hog_pile_of_ones, {"digit_fn(digit)": plain(rules.digit_fn)}
)
_SU22 = _messages(
    "oink_points",
    rules.oink_points,
    "pigs_on_prime",
    rules.pigs_on_prime,
    {"is_prime(n)": plain(rules.is_prime_or_one)},
)

# -- since Fall 2022: updates


def _first_strategies(goal: str) -> Handout:
    return {
        "always_roll(n)": plain(experiments.always_roll_allowed),
        "catch_up(score, opponent_score)": plain(experiments.catch_up),
        f"is_always_roll(strategy, goal={goal})": plain(experiments.is_always_roll),
    }


_ROLL_5: Handout = {"always_roll_5(score, opponent_score)": plain(experiments.always_roll_5)}
_UPDATE = "(num_rolls, player_score, opponent_score, dice=six_sided)"
_PLAY_UPDATE = "play(strategy0, strategy1, update, score0=0, score1=0, dice=six_sided, goal=GOAL)"


def _squared(names: dict[str, Any], score: int) -> int:
    return names["next_perfect_square"](score) if names["perfect_square"](score) else score


def _sus(names: dict[str, Any], score: int) -> Any:
    return names["sus_points"](score)


_FA22: Handout = {
    **_GOAL,
    **_UCB,
    **_ROLL,
    "tail_points(opponent_score)": plain(rules.difference_and(1, times=2)),
    _TURN: turns.take_turn("tail_points"),
    f"simple_update{_UPDATE}": turns.simple_update(sees_both=False),
    f"square_update{_UPDATE}": turns.full_update(_squared),
    "perfect_square(score)": plain(rules.is_square),
    "next_perfect_square(score)": plain(rules.next_square),
    **_ROLL_5,
    _PLAY_UPDATE: turns.play_by_updates,
    **_first_strategies("GOAL"),
    **_averages("original_function", "total_samples", 6, "square_update"),
    **_strategies(
        {
            **_threshold("tail_strategy", "threshold", 12, experiments.for_points(points_of("tail_points"))),
            **_threshold("square_strategy", "threshold", 12, experiments.for_gain("square_update")),
        }
    ),
}


def _fuzzy(names: dict[str, Any], score: int) -> Any:
    return names["fuzzy_points"](score)


_SUS_FUSS: Handout = {
    "is_prime(n)": plain(rules.is_prime_of_starters),
    "num_factors(n)": plain(rules.num_factors),
    "sus_points(score)": plain(rules.sus_points),
    f"sus_update{_UPDATE}": turns.full_update(_sus),
}


def _boar(samples: str, update: str, threshold: int, total: Handout) -> Handout:
    """A semester since Summer 2023, with its name for a number of samples, its update and the functions of its rule on
    totals."""
    return {
        **_GOAL,
        **_UCB,
        **_ROLL,
        "boar_brawl(player_score, opponent_score)": plain(rules.boar_brawl),
        "take_turn(num_rolls, player_score, opponent_score, dice=six_sided)": turns.take_turn_of_both("boar_brawl"),
        f"simple_update{_UPDATE}": turns.simple_update(sees_both=True),
        **total,
        **_ROLL_5,
        _PLAY_UPDATE: turns.play_by_updates,
        **_first_strategies("GOAL"),
        **_averages("original_function", samples, 6, f"{update}_update"),
        **_strategies(
            {
                **_threshold(
                    "boar_strategy", "threshold", threshold, experiments.for_points(points_of_both("boar_brawl"))
                ),
                **_threshold(f"{update}_strategy", "threshold", threshold, experiments.for_gain(f"{update}_update")),
            }
        ),
    }


_SU23 = _boar(
    "total_samples",
    "fuzzy",
    12,
    {
        "hog_gcd(x, y)": plain(rules.hog_gcd),
        "fuzzy_points(score)": plain(rules.fuzzy_points),
        f"fuzzy_update{_UPDATE}": turns.full_update(_fuzzy),
    },
)


# -- Nanjing University

_NJU21: Handout = {
    **_GOAL_SCORE,
    "roll_dice(current_score, num_rolls, dice=six_sided)": turns.roll_dice_with_parity,
    "picky_piggy(score)": plain(rules.digit_of_a_twenty_first),
    "take_turn(num_rolls, current_score, opponent_score, dice=six_sided, goal=GOAL_SCORE)": turns.take_turn_with_parity,
    "swine_swap(player_score, opponent_score)": plain(rules.power_begins_as_it_ends),
    **_NEXT_PLAYER,
    **_SILENCE,
    _PLAY_SAY: turns.play(turns.power_swap_turn),
    **_commentary(*_LAST, commentary.record_gain),
    **_ALWAYS,
    "make_averaged(original_function, trials_count=1000)": plain(experiments.make_averaged),
    "max_scoring_num_rolls(current_score=0, dice=six_sided, trials_count=1000)": experiments.max_scoring_num_rolls_at,
    **_win_rate(6),
    **_strategies(
        {
            **_threshold("picky_piggy_strategy", "cutoff", 8, experiments.for_points(_PICKY)),
            **_threshold("swine_swap_strategy", "cutoff", 8, experiments.for_power_swap),
        }
    ),
}

_NJU24: Handout = {
    **_GOAL_SCORE,
    **_ROLL,
    "picky_piggy(opponent_score)": plain(rules.difference_and(1, times=2)),
    _TURN: turns.take_turn("picky_piggy"),
    "swine_swap(score)": plain(rules.is_square),
    "play(strategy0, strategy1, score0=0, score1=0, dice=six_sided, goal=GOAL_SCORE)": turns.play(
        turns.square_swap_turn
    ),
    **_ROLL_5,
    **_first_strategies("GOAL_SCORE"),
    **_averages("original_function", "trials_count", 6, of_best="total_samples"),
    **_strategies(
        {
            **_threshold("picky_strategy", "threshold", 8, experiments.for_points(_PICKY)),
            **_threshold("swine_strategy", "threshold", 8, experiments.for_square_swap),
        }
    ),
}

_SAMPLES_COUNT = _boar("samples_count", "sus", 11, _SUS_FUSS)
_TIMES_CALLED = _boar("times_called", "sus", 11, _SUS_FUSS)

#: The handouts by semester.
HANDOUTS: dict[str, Handout] = {
    "fa12": _FA12,
    "sp13": _SP13,
    "su13": _SU13,
    "fa13": _FA13,
    "sp14": _FA13,
    "fa14": _FA14,
    "sp15": _SP15,
    "su15": _SU15,
    "fa15": _FA15,
    "sp16": _FA15,
    "su16": _SU16,
    "fa16": _FA16,
    "sp17": _SP17,
    "su17": _SU17,
    "fa17": _FA17,
    "sp18": _SP18,
    "su18": _SU18,
    "fa18": _FA18,
    "sp19": _SP19,
    "su19": _SU19,
    "fa19": _FA19,
    "sp20": _SP20,
    "su20": _SU20,
    "fa20": _FA20,
    "sp21": _SP21,
    "su21": _SU21,
    "fa21": _FA21,
    "sp22": _SP22,
    "su22": _SU22,
    "fa22": _FA22,
    "sp23": _FA22,
    "su23": _SU23,
    "fa23": _SAMPLES_COUNT,
    "sp24": _SAMPLES_COUNT,
    "su24": _SAMPLES_COUNT,
    "fa24": _TIMES_CALLED,
    "sp25": _TIMES_CALLED,
    "su25": _TIMES_CALLED,
    "fa25": _TIMES_CALLED,
    "sp26": _TIMES_CALLED,
    "su26": _TIMES_CALLED,
    "nju20": _SP20,
    "nju21": _NJU21,
    "nju23": _NJU24,
    "nju24": _NJU24,
    "nju25": _NJU24,
}
