"""The rules of the handouts as functions of scores.

They accept scores and points of any size, and are written as the handouts and their starter files say; `test_course_rules.py`
compares them with the rule files at all scores.
"""

from __future__ import annotations

from collections.abc import Callable
from math import gcd, isqrt
from typing import Any

#: The decimals of pi that the handout of Fall 2020 gives, and those of fractions with a period of six.
PI = 31415926535897932384626433832795028841971693993751058209749445923078164062862089986280348253421170679
_SEVENTHS, _TWENTY_FIRSTS = "142857", "047619"


def _ones(n: int) -> int:
    return n % 10


def _tens(n: int) -> int:
    return n // 10 % 10


def _first(n: int) -> int:
    return int(str(n)[0])


# -- points for rolling zero dice, from the opponent's score


def one_more_than_tens(score: int) -> int:
    """Free Bacon: one more than the opponent's score divided by ten."""
    return 1 + score // 10


def one_more_than_largest(score: int) -> int:
    """Free Bacon: one more than the larger of the last two digits."""
    return 1 + max(_tens(score), _ones(score))


def one_more_than_smallest(score: int) -> int:
    """Free Bacon: one more than the smaller of the last two digits."""
    return 1 + min(_tens(score), _ones(score))


def ten_less_smallest(score: int) -> int:
    """Free Bacon: ten less the smaller of the last two digits."""
    return 10 - min(_tens(score), _ones(score))


def difference_and(extra: int, times: int = 1) -> Callable[[int], int]:
    """Returns a rule: a multiple of the difference of the last two digits, and ``extra``."""

    def points(score: int) -> int:
        """The difference of the last two digits of the opponent's score, with what the handout adds to it."""
        return extra + times * abs(_tens(score) - _ones(score))

    return points


def one_more_than_product(score: int) -> int:
    """Free Bacon: one more than the last digit of the product of the last two digits."""
    return 1 + _tens(score) * _ones(score) % 10


def twice_tens_less_ones(score: int) -> int:
    """Twice the tens digit less the ones digit, at least 1."""
    return max(1, 2 * _tens(score) - _ones(score))


def oink_points(player_score: int, opponent_score: int) -> int:
    """Oink Points: twice the opponent's tens digit less its ones digit, at least 1."""
    return twice_tens_less_ones(opponent_score)


def ten_and_tens_less_ones(score: int) -> int:
    """Free Bacon: ten and the tens digit, less the ones digit."""
    return 10 + _tens(score) - _ones(score)


def digits_of_cube(score: int) -> int:
    """Free Bacon: one more than the alternating sum of the digits of the opponent's score cubed."""
    digits = [int(digit) for digit in str(score**3)]
    return 1 + abs(sum(digits[::2]) - sum(digits[1::2]))


def pi_and_three(score: int) -> int:
    """Free Bacon: three more than a decimal of pi."""
    assert score < 100, "The game should be over."
    return int(str(PI)[score]) + 3


def three_and_smallest_of_square(score: int) -> int:
    """Piggy Points: three more than the smallest digit of the opponent's score squared."""
    return 3 + int(min(str(score**2)))


def digit_of_a_seventh(score: int) -> int:
    """Picky Piggy: a decimal of 1/7; 7 at 0."""
    return int(_SEVENTHS[(score - 1) % 6]) if score else 7


def digit_of_a_twenty_first(score: int) -> int:
    """Picky Piggy: a decimal of 1/21; 1 at 0."""
    return int(_TWENTY_FIRSTS[(score - 1) % 6]) if score else 1


_DIGIT_FUNCTIONS: tuple[Callable[[int], int], ...] = (
    lambda value: value + 1,
    lambda value: value**2,
    lambda value: value * 3,
    lambda value: value // 4,
    lambda value: value - 5,
    lambda value: value % 6,
    lambda value: int((value % 7) * 8),
    lambda value: int(value * 8.8),
    lambda value: int(value / 99 * 15) + 10,
    lambda value: value,
)


def digit_fn(digit: int) -> Callable[[int], int]:
    """Returns the function of a digit in Hefty Hogs."""
    assert isinstance(digit, int) and 0 <= digit < 10
    return _DIGIT_FUNCTIONS[digit]


def hefty_hogs(player_score: int, opponent_score: int) -> int:
    """Hefty Hogs: the functions of the opponent's digits, from the right, applied to the player's score, modulo 30."""
    if opponent_score == 0:
        return 1
    value = player_score
    for digit in reversed(str(opponent_score)):
        value = _DIGIT_FUNCTIONS[int(digit)](value)
    return value % 30


def boar_brawl(player_score: int, opponent_score: int) -> int:
    """Boar Brawl: three times the difference of the opponent's tens digit and the player's ones digit, at least 1."""
    return max(1, 3 * abs(_tens(opponent_score) - _ones(player_score)))


# -- swaps


def one_is_double(score0: int, score1: int) -> bool:
    """Swine Swap: one of the scores is double the other."""
    return score0 == 2 * score1 or score1 == 2 * score0


def digits_are_reversed(score0: int, score1: int) -> bool:
    """Swine Swap: the last two digits of one score are those of the other, reversed."""
    return _tens(score0) == _ones(score1) and _ones(score0) == _tens(score1)


def digits_are_alike(score: int) -> bool:
    """Swine Swap: all digits of the score are the same."""
    return len(set(str(score))) == 1


def one_divides_the_other(score0: int, score1: int) -> bool:
    """Swine Swap: one of the scores is a multiple of the other, and both are above 1."""
    return score0 > 1 and score1 > 1 and (score0 % score1 == 0 or score1 % score0 == 0)


def ones_is_tens(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: the player's ones digit is the opponent's tens digit."""
    return _ones(player_score) == _tens(opponent_score)


def differences_are_equal(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: the last two digits of both scores have the same difference."""
    return abs(_tens(player_score) - _ones(player_score)) == abs(_tens(opponent_score) - _ones(opponent_score))


def a_digit_is_shared(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: both scores have the same digit in the same place of the last two."""
    if player_score == 0 or opponent_score == 0:
        return False
    tens = _tens(player_score)
    return _ones(player_score) == _ones(opponent_score) or (tens > 0 and tens == _tens(opponent_score))


def first_is_last(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: the player's first digit is the opponent's last."""
    return _first(player_score) == _ones(opponent_score)


def products_are_equal(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: the products of the first and the last digit of both scores are equal."""
    return _first(player_score) * _ones(player_score) == _first(opponent_score) * _ones(opponent_score)


def power_begins_as_it_ends(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: the first and the last digit of 3 to the power of the sum of both scores are equal."""
    power = 3 ** (player_score + opponent_score)
    return _first(power) == _ones(power)


def difference_is_tens(player_score: int, opponent_score: int) -> bool:
    """Swine Swap: the difference of the ones digits is the opponent's tens digit."""
    return abs(_ones(player_score) - _ones(opponent_score)) == _tens(opponent_score)


def is_square(score: int) -> bool:
    """Whether a score is a perfect square."""
    return isqrt(score) ** 2 == score


# -- further turns


def swine_align(player_score: int, opponent_score: int) -> bool:
    """Swine Align: both scores are above 0 and have a common divisor of at least 10."""
    return player_score > 0 and opponent_score > 0 and gcd(player_score, opponent_score) >= 10


def pig_pass(player_score: int, opponent_score: int) -> bool:
    """Pig Pass: the player is behind by less than 3."""
    return 0 < opponent_score - player_score < 3


def leftmost_are_less(player_score: int, opponent_score: int) -> bool:
    """More Boar: both of the two leftmost digits are less than the opponent's."""
    own, other = f"{player_score:02}", f"{opponent_score:02}"
    return own[0] < other[0] and own[1] < other[1]


def digits_are_wider(player_score: int, opponent_score: int) -> bool:
    """More Boar: the smallest digit is less and the largest digit is more than the opponent's."""
    own, other = str(player_score), str(opponent_score)
    return min(own) < min(other) and max(own) > max(other)


# -- rules on totals: the points that they add


def hog_pile(player_score: int, opponent_score: int) -> int:
    """Hog Pile: as many points again, if both scores are equal."""
    return player_score if player_score == opponent_score else 0


def hog_pile_of_ones(player_score: int, opponent_score: int) -> int:
    """Hog Pile: the ones digit, if both scores have the same."""
    return _ones(player_score) if _ones(player_score) == _ones(opponent_score) else 0


def is_prime(n: int) -> bool:
    """Whether a number is prime."""
    return n > 1 and all(n % divisor for divisor in range(2, isqrt(n) + 1))


def is_prime_of_starters(n: int) -> bool:
    """Whether a number is prime. As in the starters' own function, 0 is."""
    return n == 0 or is_prime(n)


def is_prime_or_one(n: int) -> bool:
    """Whether a number is prime. As in the handout's own function, 1 is."""
    return n == 1 or is_prime(n)


def next_prime(n: int) -> int:
    """Returns the smallest prime above a number."""
    n += 1
    while not is_prime(n):
        n += 1
    return n


def pigs_on_prime(player_score: int, opponent_score: int) -> int:
    """Pigs on Prime: the points to the next prime, if the score is prime or 1."""
    return next_prime(player_score) - player_score if is_prime_or_one(player_score) else 0


def next_square(score: int) -> int:
    """Returns the smallest perfect square above a score."""
    return (isqrt(score) + 1) ** 2


def num_factors(n: int) -> int:
    """Returns the number of factors of a number, with 1 and itself."""
    return sum(n % divisor == 0 for divisor in range(1, n + 1))


def sus_points(score: int) -> int:
    """Sus Fuss: the next prime, if the score has three or four factors."""
    return next_prime(score) if num_factors(score) in (3, 4) else score


def hog_gcd(x: int, y: int) -> int:
    """Returns the greatest common divisor of two numbers."""
    return gcd(x, y)


def fuzzy_points(score: int) -> int:
    """Fuzzy Factors: twice the tens digit of the greatest common divisor with 100, if that is above 10."""
    divisor = gcd(score, 100)
    return score + 2 * _tens(divisor) if divisor > 10 else score


# -- rules on the points of a turn


def touchdown(points: int, num_rolls: int) -> int:
    """Touchdown: a sixth more, if the points are a multiple of 6."""
    return points + points // 6 if points % 6 == 0 else points


def hogtimus_prime(points: int, num_rolls: int) -> int:
    """Hogtimus Prime: the next prime, if the points are prime."""
    return next_prime(points) if is_prime(points) else points


def touchdown_then_prime(points: int, num_rolls: int) -> int:
    """Touchdown, then Hogtimus Prime."""
    return hogtimus_prime(touchdown(points, num_rolls), num_rolls)


def prime_then_pigs_fly(points: int, num_rolls: int) -> int:
    """Hogtimus Prime, then When Pigs Fly: at most 25 less the number of dice."""
    return min(hogtimus_prime(points, num_rolls), 25 - num_rolls)


def is_perfect_piggy(turn_score: int) -> bool:
    """Perfect Piggy: the points are a square or a cube, and not 1."""
    return turn_score > 1 and any(turn_score in (n**2, n**3) for n in range(2, turn_score + 1))


# -- bids


def bid_for_start(bid0: int, bid1: int, goal: int) -> tuple[int, int, int]:
    """Returns both starting scores and the number of the player who rolls first."""
    assert bid0 >= 0 and bid1 >= 0, "Bids should be non-negative!"
    assert type(bid0) is int and type(bid1) is int, "Bids should be integers!"
    if bid0 == bid1:
        return goal, goal, 0
    if bid1 == bid0 + 5:
        return 0, 10, 1
    if bid0 == bid1 + 5:
        return 10, 0, 0
    return bid1, bid0, int(bid1 > bid0)


# -- dice


def num_allowed_dice(score: int, opponent_score: int) -> int:
    """Hog Tied: at most one die, if the sum of both scores ends in 7."""
    return 1 if (score + opponent_score) % 10 == 7 else 10


def reroll(dice: Callable[[], int]) -> Callable[[], int]:
    """Returns dice that reroll an odd outcome once."""

    def rerolled() -> int:
        outcome = dice()
        return dice() if outcome % 2 else outcome

    return rerolled


def wild_dice(six: str = "six_sided", four: str = "four_sided") -> Callable[[dict[str, Any]], Callable[..., Any]]:
    """Hog Wild: four-sided dice, if the sum of both scores is a multiple of 7."""

    def made(names: dict[str, Any]) -> Callable[..., Any]:
        def select_dice(score: int, opponent_score: int) -> Any:
            """Returns the dice of a turn."""
            return names[four if (score + opponent_score) % 7 == 0 else six]

        return select_dice

    return made


def swapped_dice(names: dict[str, Any]) -> Callable[..., Any]:
    def select_dice(dice_swapped: bool) -> Any:
        """Perfect Piggy: four-sided dice while the dice are swapped."""
        return names["four_sided" if dice_swapped else "six_sided"]

    return select_dice


def swapped_and_wild_dice(names: dict[str, Any]) -> Callable[..., Any]:
    def select_dice(score: int, opponent_score: int, dice_swapped: bool) -> Any:
        """Pork Chop: four-sided dice while the dice are swapped. Hog Wild: rerolled, if the sum of both scores is a
        multiple of 7."""
        dice = names["four_sided" if dice_swapped else "six_sided"]
        return names["reroll"](dice) if (score + opponent_score) % 7 == 0 else dice

    return select_dice
