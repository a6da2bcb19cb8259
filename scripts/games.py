#!/usr/bin/env python3
"""A second implementation of the games with last turns, rounds and fixed turns, from the prose of their rules; makes the reference
values in crates/engine/tests/variants/games.csv.

    python3 scripts/games.py            writes crates/engine/tests/variants/games.csv, in some seconds
    python3 scripts/games.py full       prints the values of the games as they are published, in some minutes

It shares only names with hog. Each value is the win rate of the player to move, by plain recursion in floats; where a turn may leave
all as it was, two equations for both players are iterated until nothing changes.
"""

import functools
import pathlib
import sys
from collections import defaultdict
from itertools import product
from math import comb

sys.setrecursionlimit(100_000)


def win(own, other):
    return 1.0 if own > other else 0.5 if own == other else 0.0


def boyan_moore_pig(goal):
    """The win rates at the start of a turn, by both scores: a 1 loses the pot and scores 1 point."""
    turns = {}

    def value(own, other):
        return 1.0 if own >= goal else 1 - turns[other, own]

    for total in reversed(range(2 * goal - 1)):
        for own in range(max(0, total - goal + 1), min(goal, total + 1)):
            other = total - own

            @functools.cache
            def pot(points):
                if own + points >= goal:
                    return 1.0
                rolled = (value(own + 1, other) + sum(pot(points + face) for face in range(2, 7))) / 6
                # Holding an empty pot is never better.
                return max(rolled, value(own + points, other)) if points else rolled

            turns[own, other] = pot(0)
    return turns


def great_rolled_ones(target):
    """The win rates of the first player at the start of a turn, by both scores below the target. The first player's points count
    up to twice the target less 2."""
    cap = 2 * target - 2
    chance = [[comb(dice, ones) * 5 ** (dice - ones) / 6**dice for ones in range(dice + 1)] for dice in range(6)]

    @functools.cache
    def exceeds(lead, ones):
        """The last turn of the second player, who is so many points behind and must roll on."""
        total = 0.0
        for more in range(3 - ones):
            scored = 5 - ones - more
            total += chance[5 - ones][more] * (1.0 if scored > lead else exceeds(lead - scored, ones + more))
        return total

    def turn(hold, lost, most):
        """The best of a turn: `hold` has the win rate of each pot, `lost` that after three 1s, no pot is above `most`."""

        @functools.cache
        def best(pot, ones):
            if pot >= most:
                return hold(most)
            dice = 5 - ones
            rolled = sum(
                chance[dice][more] * (lost if ones + more >= 3 else best(pot + dice - more, ones + more))
                for more in range(dice + 1)
            )
            return max(rolled, hold(pot)) if pot else rolled

        return best(0, 0)

    first, second = {}, {}
    for total in reversed(range(2 * target - 1)):
        for own in range(max(0, total - target + 1), min(target, total + 1)):
            other = total - own

            def held_first(pot):
                score = min(own + pot, cap)
                return 1 - (exceeds(score - other, 0) if score >= target else second[other, score])

            def held_second(pot):
                return 1.0 if other + pot >= target else 1 - first[own, other + pot]

            ours, theirs, change = 0.5, 0.5, 1.0
            while change > 1e-15:
                before = ours, theirs
                ours = turn(held_first, 1 - theirs, cap - own)
                theirs = turn(held_second, 1 - ours, target - other)
                change = abs(ours - before[0]) + abs(theirs - before[1])
            first[own, other], second[other, own] = ours, theirs
    return first


def skunk_in_turns(goal):
    """The first player's win rate: five turns each, scores up to the goal less 1 and a pot up to 100."""
    most = min(goal, 101) - 1
    sums = defaultdict(int)
    for one, other in product(range(2, 7), repeat=2):
        sums[one + other] += 1
    after = [[win(own, other) for other in range(goal)] for own in range(goal)]
    for turn in reversed(range(10)):
        # By the mover's score and the opponent's; `after` is seen by the player who moves next, or by the last mover at the end.
        def ended(own, other):
            return after[own][other] if turn == 9 else 1 - after[other][own]

        now = [[0.0] * goal for _ in range(goal)]
        for own in range(goal):
            for other in range(goal):
                lost = (10 * ended(own, other) + ended(0, other)) / 36
                pots = [0.0] * (most + 1)
                # The largest pot stays as it is when more is rolled: then holding is best.
                pots[most] = ended(min(own + most, goal - 1), other)
                for pot in reversed(range(most)):
                    rolled = lost + sum(ways * pots[min(pot + sum_, most)] for sum_, ways in sums.items()) / 36
                    pots[pot] = max(rolled, ended(min(own + pot, goal - 1), other)) if pot else rolled
                now[own][other] = pots[0]
        after = now
    return after[0][0]


def bunco_round(goal):
    """The win rates at the start of a turn, by both scores."""
    chances = defaultdict(float)
    for dice in product(range(1, 7), repeat=3):
        alike = len(set(dice)) == 1
        chances[(21 if dice[0] == 6 else 5) if alike else dice.count(6)] += 1 / 216
    miss = chances.pop(0)
    values = {}
    for total in reversed(range(2 * goal - 1)):
        for own in range(max(0, total - goal + 1), min(goal, total + 1)):
            other = total - own

            def scored(mine, theirs):
                return sum(
                    chance * (1.0 if mine + points >= goal else values[mine + points, theirs]) for points, chance in chances.items()
                )

            # ours = ours_scored + miss (1 - theirs), and the same for the other player.
            ours, theirs = scored(own, other), scored(other, own)
            values[own, other] = (ours + miss * (1 - theirs - miss)) / (1 - miss * miss)
    return values


def going_to_boston():
    """The chance of each sum of three dice of which the highest is kept each time."""
    totals = {0: 1.0}
    for dice in (3, 2, 1):
        after = defaultdict(float)
        for total, chance in totals.items():
            for faces in product(range(1, 7), repeat=dice):
                after[total + max(faces)] += chance / 6**dice
        totals = after
    return totals


def drop_dead(most):
    """The chance of each score of a turn; more than `most` counts as that."""
    scores, alive = defaultdict(float), {(5, 0): 1.0}
    while alive:
        after = defaultdict(float)
        for (dice, score), chance in alive.items():
            if chance < 1e-30:
                scores[score] += chance
                continue
            for faces, weight in rolls_of(dice).items():
                dead, points = faces
                left, total = dice - dead, min(score + points, most)
                if left == 0:
                    scores[total] += chance * weight
                else:
                    after[left, total] += chance * weight
        alive = after
    return scores


@functools.cache
def rolls_of(dice):
    """The chances of (dice that show 2 or 5, points)."""
    found = defaultdict(float)
    for faces in product(range(1, 7), repeat=dice):
        dead = sum(face in (2, 5) for face in faces)
        found[dead, 0 if dead else sum(faces)] += 1 / 6**dice
    return dict(found)


def beats(scores, other):
    """The win rate of who has a turn with these chances against a score; equal scores are half a win."""
    return sum(chance * win(score, other) for score, chance in scores.items())


def reference():
    """The rows of games.csv: the game, its goal, the scores, the values of memories, the win rate of the mover."""
    for goal in (10, 30):
        turns = boyan_moore_pig(goal)
        for own, other in [(0, 0), (3, 7), (goal - 1, goal - 1)]:
            yield "boyan_moore_pig", goal, own, other, "", turns[own, other]
    for target in (8, 20):
        first = great_rolled_ones(target)
        for own, other in [(0, 0), (3, 7), (target - 1, target - 1)]:
            yield "great_rolled_ones", 2 * target, own, other, "", first[own, other]
    for goal in (12, 25):
        yield "skunk_in_turns", goal, 0, 0, "", skunk_in_turns(goal)
    bunco = bunco_round(21)
    for own, other in [(0, 0), (3, 7), (20, 20)]:
        yield "bunco_round", 21, own, other, "", bunco[own, other]
    boston = going_to_boston()
    tie = 0.5  # Both begin again: by symmetry half a win.
    yield "going_to_boston", 19, 0, 0, "", 0.5
    for other in (9, 14, 17):
        above = sum(chance for total, chance in boston.items() if total > other)
        yield "going_to_boston", 19, 0, other, "second=1", above + tie * boston[other]
    dead = drop_dead(299)
    yield "drop_dead", 300, 0, 0, "", 0.5
    for other in (0, 16, 40):
        yield "drop_dead", 300, 0, other, "second=1", beats(dead, other)


def main():
    if sys.argv[1:] == ["full"]:
        print("boyan_moore_pig", boyan_moore_pig(100)[0, 0])
        gro = great_rolled_ones(50)
        print("great_rolled_ones", gro[0, 0], "with a handicap of 3:", gro[3, 0])
        dead = drop_dead(299)
        print("drop_dead: mean", sum(score * chance for score, chance in dead.items()), "299 or more", dead[299])
        print("going_to_boston: mean", sum(total * chance for total, chance in going_to_boston().items()))
        print("skunk_in_turns", skunk_in_turns(150), flush=True)
        return
    folder = pathlib.Path(__file__).resolve().parent.parent / "crates/engine/tests/variants"
    with open(folder / "games.csv", "w") as file:
        file.write("rules,goal,score,opponent,memories,win_rate\n")
        for *row, value in reference():
            file.write(",".join(map(str, row)) + f",{value!r}\n")


if __name__ == "__main__":
    main()
