#!/usr/bin/env python3
"""An independent implementation of every published game, written from the prose of its rules alone; makes the
reference data in crates/study/tests/variants.

    python3 scripts/variants.py            writes crates/study/tests/variants/turns.jsonl and crates/study/tests/variants/small_exact.csv

It shares only the names of games and memories with hog: each game is a Python function of one turn with given dice, and
small games are solved by listing every roll and adding fractions. The five games of the handouts have reference data of
their own in tests/conformance.
"""

import functools
import itertools
import json
import math
import pathlib
import random
from fractions import Fraction

PI = ("3141592653589793238462643383279502884197169399375105820974944592307816406286208998628034825342117067982148"
      "0865132823066470938446095505822317253594081284811174502841027019385211055596446229489549303819")
GOAL = 100


def tu(score):
    return score // 10 % 10, score % 10


def prime(n):
    return n > 1 and all(n % d for d in range(2, math.isqrt(n) + 1))


def next_prime(n):
    n += 1
    while not prime(n):
        n += 1
    return n


def square(n):
    return math.isqrt(n) ** 2 == n


def cube(n):
    return any(i ** 3 == n for i in range(n + 1))


class Turn:
    """The input of a turn: k dice (or a negative move), their faces, scores, memories and goal; and what it changes."""

    def __init__(self, k, faces, score, opponent, memory, goal):
        self.k, self.faces, self.m, self.o, self.goal = k, faces, score, opponent, goal
        self.memory = dict(memory)
        self.again = False

    def roll(self, bust=1):
        """Returns the sum of the faces, or `bust` if a die shows 1."""
        return bust if 1 in self.faces else sum(self.faces)

    def points(self, zero, bust=1):
        return self.roll(bust) if self.k > 0 else 1 if self.k < 0 else zero


def swap_if(condition, score, opponent):
    return (opponent, score) if condition else (score, opponent)


def free_bacon_max(turn):
    return 1 + max(tu(turn.o))


def is_double(a, b):
    return a == 2 * b or b == 2 * a


def is_reversed(a, b):
    return f"{a % 100:02}" == f"{b % 100:02}"[::-1]


def boosted(v):
    return next_prime(v) if prime(v) else v


def touchdown(v):
    return v + v // 6 if v % 6 == 0 else v


def feral(turn, v):
    previous = turn.memory["last_points"]
    turn.memory["last_points"] = v
    return v + 3 if abs(turn.k - previous) == 2 else v


def three_to_the(total):
    digits = str(3 ** total)
    return digits[0] == digits[-1]


# One function per game: it returns the points of the turn, and both scores after all effects.

def fa12(t):
    v = t.points(1 + t.o // 10)
    return v, t.m + v, t.o


def sp13(t):
    v = touchdown(t.points(1 + t.o // 10, sum(t.faces) if t.m == 49 else 1))
    return v, t.m + v, t.o


def su13(t):
    v = boosted(touchdown(t.points(1 + t.o // 10)))
    return v, t.m + v, t.o


def flip(t, when):
    if when:
        t.memory["dice_exchanged"] ^= 1


def fa13(t):
    v = t.points(free_bacon_max(t))
    if "dice_exchanged" in t.memory:
        flip(t, t.k == -1)
    return v, *swap_if(is_double(t.m + v, t.o), t.m + v, t.o)


def fa14(t):
    tens, ones = tu(t.o)
    v = t.points(1 + abs(tens - ones))
    return v, *swap_if(is_double(t.m + v, t.o), t.m + v, t.o)


def sp15c(t):
    v = t.points(free_bacon_max(t))
    a, b = t.m + v, t.o
    if prime(a + b) and a != b:
        a, b = (a + v, b) if a > b else (a, b + v)
    return v, a, b


def su15c(t):
    v = t.points(free_bacon_max(t))
    flip(t, t.k == -1)
    if 1 in t.faces:
        t.memory["pig_outs"] = min(3, t.memory["pig_outs"] + 1)
    else:
        v *= max(1, min(3, t.memory["pig_outs"]))
        t.memory["pig_outs"] = 0
    return v, *swap_if(is_reversed(t.m + v, t.o), t.m + v, t.o)


def fa15(t):
    v = boosted(t.points(free_bacon_max(t), 0))
    if "dice_exchanged" in t.memory:
        flip(t, t.k == -1)
    o = t.o + t.k if v == 0 else t.o
    return v, *swap_if(is_reversed(t.m + v, o), t.m + v, o)


def fa16(t):
    flip(t, t.k == -1)
    v = min(boosted(t.points(free_bacon_max(t), t.faces.count(1))), 25 - t.k)
    return v, *swap_if(is_double(t.m + v, t.o), t.m + v, t.o)


def sp17(t):
    v = boosted(t.points(free_bacon_max(t), min(t.faces.count(1), 11 - t.k)))
    return v, *swap_if(is_double(t.m + v, t.o), t.m + v, t.o)


def su17(t):
    v = boosted(t.points(free_bacon_max(t)))
    flip(t, v != 1 and (square(v) or cube(v)))
    return v, *swap_if(is_double(t.m + v, t.o), t.m + v, t.o)


def divides(a, b):
    return a > 1 and b > 1 and max(a, b) % min(a, b) == 0


def su16(t):
    v = boosted(t.points(free_bacon_max(t)))
    return v, *swap_if(len(set(str(t.m + v))) == 1, t.m + v, t.o)


def fa17(t):
    v = t.points(free_bacon_max(t))
    time_trot(t, 8)
    return v, *swap_if(divides(t.m + v, t.o), t.m + v, t.o)


def sp18(t):
    tens, ones = tu(t.o)
    v = t.points(2 + abs(tens - ones))
    return v, *swap_if(divides(t.m + v, t.o), t.m + v, t.o)


def time_trot(t, modulus=5):
    if "turn" in t.memory:
        t.again |= t.memory["turn"] == t.k and not t.memory["extra_turn"]
        t.memory["turn"] = (t.memory["turn"] + 1) % modulus
        t.memory["extra_turn"] = int(t.again)


def su18(t):
    tens, ones = tu(t.o)
    v = t.points(1 + (tens * ones) % 10)
    time_trot(t)
    return v, *swap_if((t.m + v) % 10 == t.o // 10 % 10, t.m + v, t.o)


def fa18(t):
    tens, ones = tu(t.o)
    v = t.points(max(1, 2 * tens - ones))
    time_trot(t)
    (a, b), (c, d) = tu(t.m + v), tu(t.o)
    return v, *swap_if(abs(a - b) == abs(c - d), t.m + v, t.o)


def shared_digit(a, b):
    if a == 0 or b == 0:
        return False
    (ta, ua), (tb, ub) = tu(a), tu(b)
    if ta == 0 or tb == 0:
        return ua == ub
    return ta == tb or ua == ub


def sp19(t):
    v = t.points(1 + min(tu(t.o)))
    time_trot(t)
    return v, *swap_if(shared_digit(t.m + v, t.o), t.m + v, t.o)


def su19(t):
    v = t.points(10 - min(tu(t.o)))
    time_trot(t)
    return v, *swap_if(str(t.m + v)[0] == str(t.o)[-1], t.m + v, t.o)


def sp20(t):
    digits = [int(d) for d in str(t.o ** 3)]
    v = feral(t, t.points(1 + abs(sum(digits[::2]) - sum(digits[1::2]))))
    return v, *swap_if(three_to_the(t.m + v + t.o), t.m + v, t.o)


def su20(t):
    tens, ones = tu(t.o)
    v = feral(t, t.points(10 + tens - ones))
    return v, *swap_if(abs((t.m + v) % 10 - t.o % 10) == t.o // 10 % 10, t.m + v, t.o)


def fa20(t):
    v = t.points(3 + int(PI[t.o]))
    m = t.m + v
    t.again = 0 < t.o - m < 3 or (m > 0 and t.o > 0 and math.gcd(m, t.o) >= 10)
    if "extra_turn" in t.memory:
        t.memory["extra_turn"] = int(t.again)
    return v, m, t.o


def sp21(t):
    v = t.points(3 + min(int(d) for d in str(t.o ** 2)))
    mine, theirs = (f"{n:02}"[:2] for n in (t.m + v, t.o))
    t.again = all(a < b for a, b in zip(mine, theirs))
    time_trot(t, 8)
    return v, t.m + v, t.o


def su21(t):
    tens, ones = tu(t.o)
    v = t.points(4 + abs(tens - ones))
    mine, theirs = str(t.m + v), str(t.o)
    t.again = min(mine) < min(theirs) and max(mine) > max(theirs)
    return v, t.m + v, t.o


HEFTY = [
    lambda v: v + 1, lambda v: v ** 2, lambda v: 3 * v, lambda v: v // 4, lambda v: v - 5,
    lambda v: v % 6, lambda v: int((v % 7) * 8), lambda v: int(v * 8.8), lambda v: int(v / 99 * 15) + 10, lambda v: v,
]


def sp22(t):
    zero = 1
    if t.o:
        zero = t.m
        for digit in reversed(str(t.o)):
            zero = HEFTY[int(digit)](zero)
        zero %= 30
    v = t.points(zero)
    m = t.m + v
    return v, m + m % 10 if m % 10 == t.o % 10 else m, t.o


def su22(t):
    tens, ones = tu(t.o)
    v = t.points(max(1, 2 * tens - ones))
    # The course's own is_prime counts 1 as prime.
    return v, 2 if t.m + v == 1 else boosted(t.m + v), t.o


def pig_tail(t):
    tens, ones = tu(t.o)
    return t.points(2 * abs(tens - ones) + 1)


def fa22(t):
    v = pig_tail(t)
    m = t.m + v
    return v, (math.isqrt(m) + 1) ** 2 if square(m) else m, t.o


def boar_brawl(t):
    return t.points(max(1, 3 * abs(t.o // 10 % 10 - t.m % 10)))


def su23(t):
    v = boar_brawl(t)
    m = t.m + v
    common = math.gcd(m, 100)
    return v, m + 2 * tu(common)[0] if common > 10 else m, t.o


def fa23(t):
    v = boar_brawl(t)
    m = t.m + v
    divisors = sum(m % d == 0 for d in range(1, m + 1))
    return v, next_prime(m) if divisors in (3, 4) else m, t.o


def nju23(t):
    v = pig_tail(t)
    return v, *swap_if(square(t.m + v), t.m + v, t.o)


# One function per die: it returns the weight of each face, given the scores and memories before the turn.

def fair(sides):
    return {face: 1 for face in range(1, sides + 1)}


def six(m, o, memory):
    return fair(6)


def wild(m, o, memory):
    return fair(4 if ((m + o) % 7 == 0) != bool(memory.get("dice_exchanged", 0)) else 6)


def exchanged(m, o, memory):
    return fair(4 if memory["dice_exchanged"] else 6)


def reroll_odd(m, o, memory):
    faces = exchanged(m, o, memory)
    if (m + o) % 7:
        return faces
    weights = {face: 0 for face in faces}
    for first in faces:
        for second in faces:
            weights[second if first % 2 else first] += 1
    return weights


def eight_on_extra(m, o, memory):
    return fair(8 if memory["extra_turn"] else 6)


def hog_tied(m, o, k):
    return min(k, 1) if (m + o) % 10 == 7 else k


FLAG = {"dice_exchanged": (1, "game")}
TROT = {"turn": (4, "game"), "extra_turn": (1, "game")}
TROT_OF_8 = {"turn": (7, "game"), "extra_turn": (1, "game")}
LAST = {"last_points": (60, "player")}
# id: (turn, dice, memories with their largest value and owner, fewest dice, clamp)
GAMES = {
    "fa12": (fa12, wild, {}, 0, hog_tied), "sp13": (sp13, wild, {}, 0, hog_tied), "su13": (su13, wild, {}, 0, hog_tied),
    "fa13": (fa13, wild, {}, 0, None), "fa13c": (fa13, wild, FLAG, -1, None), "fa14": (fa14, wild, {}, 0, None),
    "sp15c": (sp15c, wild, {}, 0, None),
    "su15c": (su15c, wild, {**FLAG, "pig_outs": (3, "player")}, -1, None),
    "fa15": (fa15, wild, {}, 0, None), "sp16c": (fa15, wild, FLAG, -1, None), "fa16": (fa16, reroll_odd, FLAG, -1, None),
    "su16": (su16, wild, {}, 0, hog_tied), "sp17": (sp17, wild, {}, 0, None), "su17": (su17, exchanged, FLAG, 0, None),
    "fa17": (fa17, six, {}, 0, None), "fa17c": (fa17, six, TROT_OF_8, 0, None), "sp18": (sp18, six, {}, 0, None),
    "su18": (su18, six, {}, 0, None), "su18c": (su18, six, TROT, 0, None),
    "fa18": (fa18, six, {}, 0, None), "fa18c": (fa18, six, TROT, 0, None), "sp19": (sp19, six, {}, 0, None),
    "sp19c": (sp19, six, TROT, 0, None), "su19": (su19, six, {}, 0, None), "su19c": (su19, six, TROT, 0, None),
    "sp20": (sp20, six, LAST, 0, None), "su20": (su20, six, LAST, 0, None), "fa20": (fa20, six, {}, 0, None),
    "fa20c": (fa20, eight_on_extra, {"extra_turn": (1, "game")}, 0, None), "sp21": (sp21, six, {}, 0, None),
    "sp21c": (sp21, eight_on_extra, TROT_OF_8, 0, None),
    "su21": (su21, six, {}, 0, None), "sp22": (sp22, six, {}, 0, None), "su22": (su22, six, {}, 0, None),
    "fa22": (fa22, six, {}, 0, None), "su23": (su23, six, {}, 0, None), "fa23": (fa23, six, {}, 0, None),
    "nju23": (nju23, six, {}, 0, None),
}


def play(game, k, faces, m, o, memory, goal=GOAL):
    turn = Turn(k, faces, m, o, memory, goal)
    points, score, opponent = GAMES[game][0](turn)
    return points, score, opponent, bool(turn.again), turn.memory


def cases(game, count=40):
    dice = random.Random(f"hog {game}")
    _, die, memories, fewest, clamp = GAMES[game]
    for number in range(count):
        # Small scores, any scores, and scores near the goal; zero dice and negative moves often.
        spread = [range(12), range(GOAL), range(85, GOAL)][number % 3]
        m, o = dice.choice(spread), dice.choice(range(GOAL) if number % 2 else spread)
        k = dice.choice([fewest, 0, 0, 1, 2, 3, 4, 5, 6, 8, 10])
        k = clamp(m, o, k) if clamp else k
        before = {name: dice.randint(0, most) for name, (most, _) in memories.items()}
        if "last_points" in before:
            before["last_points"] = dice.choice([0, max(0, k - 2), k + 2, dice.randint(0, 60)])
        weights = die(m, o, before)
        faces = dice.choices(list(weights), k=max(k, 0))
        if number % 2:
            faces = [face if face > 1 else 2 for face in faces]
        points, score, opponent, again, after = play(game, k, faces, m, o, before)
        turn = {"score": m, "opponent": o, "dice": faces if k >= 0 else k, "memory": before}
        result = {"points": points, "score": score, "opponent": opponent, "again": again, "memory": after}
        yield {"rules": game, "turn": turn, "after": result}


def win_rate(game, goal, max_dice):
    """Returns the first player's equilibrium win rate and all best first rolls, by listing every roll."""
    _, die, memories, fewest, clamp = GAMES[game]

    @functools.cache
    def rolls(weights, k):
        faces = [face for face, weight in weights for _ in range(weight)]
        total = {}
        for roll in itertools.product(faces, repeat=max(k, 0)):
            key = tuple(sorted(roll))
            total[key] = total.get(key, 0) + 1
        return total, len(faces) ** max(k, 0)

    @functools.cache
    def value(m, o, mine, theirs, shared):
        return max(action_values(m, o, mine, theirs, shared).values())

    def action_values(m, o, mine, theirs, shared):
        memory = {**dict(shared), **dict(mine)}
        return {k: action_value(m, o, mine, theirs, memory, k) for k in range(fewest, max_dice + 1)}

    def action_value(m, o, mine, theirs, memory, request):
        k = clamp(m, o, request) if clamp else request
        counts, total = rolls(tuple(die(m, o, memory).items()), k)
        won = Fraction(0)
        for faces, count in counts.items():
            _, score, opponent, again, after = play(game, k, list(faces), m, o, memory, goal)
            kept = tuple((name, after[name]) for name, _ in mine)
            shared = tuple((name, n) for name, n in after.items() if memories[name][1] == "game")
            if score >= goal or opponent >= goal:
                won += count * Fraction((score > opponent) - (score < opponent) + 1, 2)
            elif again:
                won += count * value(score, opponent, kept, theirs, shared)
            else:
                won += count * (1 - value(opponent, score, theirs, kept, shared))
        return won / total

    own = tuple((name, 0) for name, (_, owner) in memories.items() if owner == "player")
    shared = tuple((name, 0) for name, (_, owner) in memories.items() if owner == "game")
    first = action_values(0, 0, own, own, shared)
    best = max(first.values())
    return best, [k for k, value in first.items() if value == best]


def main():
    folder = pathlib.Path(__file__).resolve().parent.parent / "crates/study/tests/variants"
    with open(folder / "turns.jsonl", "w") as file:
        for case in itertools.chain.from_iterable(map(cases, GAMES)):
            file.write(json.dumps(case, separators=(",", ":")) + "\n")
    with open(folder / "small_exact.csv", "w") as file:
        file.write("rules,goal,max_dice,first_player_win_rate,best_first_rolls\n")
        for game, (_, _, memories, fewest, _) in GAMES.items():
            # Hefty Hogs may score nothing, which makes cycles; the recursion needs every turn to raise the sum of
            # scores.
            if game == "sp22":
                continue
            for goal, max_dice in [(8, 2), (14, 3)]:
                rate, best = win_rate(game, goal, max_dice)
                file.write(f"{game},{goal},{max_dice},{rate},{' '.join(map(str, best))}\n")


if __name__ == "__main__":
    main()
