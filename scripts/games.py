#!/usr/bin/env python3
"""A second implementation of the games with last turns, rounds, fixed turns and dice that are kept, from the prose of their rules; makes the reference
values in crates/study/tests/variants/games.csv.

    python3 scripts/games.py            writes crates/study/tests/variants/games.csv, in some seconds
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


# Games in which a player chooses after the roll which dice to keep.


def of_a_face(count, face, doubles):
    """The points of dice of one face, or None where they may not be kept."""
    three = 1000 if face == 1 else 100 * face
    each = {1: 100, 5: 50}.get(face)
    if count >= 3:
        return three * 2 ** (count - 3) if doubles else three + (count - 3) * (each or 0)
    return 0 if not count else count * each if each else None


def kept_points(dice, doubles, runs):
    """The points of kept dice by faces and runs, counted in the best way; None if one does not score."""
    best = None
    for run, points in {**runs, (): 0}.items():
        left = list(dice)
        if run and not set(run) <= set(left):
            continue
        for face in run:
            left.remove(face)
        faces = [of_a_face(left.count(face), face, doubles) for face in set(left)]
        if None not in faces:
            best = max(best or 0, points + sum(faces))
    return best


def farkle_points(dice):
    """The points of kept dice in Farkle as it is sold."""
    counts = sorted((dice.count(face) for face in set(dice)), reverse=True)
    if counts == [3, 3]:
        return 2500
    if counts in ([1] * 6, [2, 2, 2], [4, 2]):
        return 1500
    total = 0
    for face in set(dice):
        count = dice.count(face)
        if count >= 4:
            total += 1000 * (count - 3)
        elif count == 3:
            total += 300 if face == 1 else 100 * face
        elif face in (1, 5):
            total += (100 if face == 1 else 50) * count
        else:
            return None
    return total


KCD_RUNS = {(1, 2, 3, 4, 5): 500, (2, 3, 4, 5, 6): 750, (1, 2, 3, 4, 5, 6): 1500}

#: By game: the points of kept dice, the number of dice, and the least pot that may be banked with a score.
RACES = {
    "kcd": (lambda dice: kept_points(dice, True, KCD_RUNS), 6, lambda score: 50),
    "farkle": (farkle_points, 6, lambda score: 500 if score == 0 else 50),
    "ten_thousand": (lambda dice: kept_points(dice, True, {(1, 2, 3, 4, 5, 6): 2000}), 6, lambda score: 350),
    "five_thousand": (lambda dice: kept_points(dice, False, {(1, 2, 3, 4, 5): 1500}), 5, lambda score: 350 if score == 0 else 50),
}


def subsets(dice):
    """The sets of dice that may be chosen of a roll, each once."""
    return {tuple(die for at, die in enumerate(dice) if bits >> at & 1) for bits in range(1, 1 << len(dice))}


def rolls_to_keep(dice, points):
    """The chances of rolls, each with what may be kept: the points and the dice left."""
    found = defaultdict(float)
    for faces in product(range(1, 7), repeat=dice):
        found[tuple(sorted(faces))] += 1 / 6**dice
    options = defaultdict(float)
    for faces, chance in found.items():
        most = {}
        for chosen in subsets(faces):
            left, scored = dice - len(chosen), points(list(chosen))
            # Of sets that leave as many dice, more points are never worse.
            if scored is not None:
                most[left] = max(scored, most.get(left, 0))
        options[tuple(sorted((scored, left) for left, scored in most.items()))] += chance
    return [(chance, list(of)) for of, chance in options.items()]


def race(game, goal):
    """The win rates at the start of a turn, by both scores in steps of 50."""
    points, most_dice, least = RACES[game]
    rolls = {dice: rolls_to_keep(dice, points) for dice in range(1, most_dice + 1)}
    starts = {}

    def turn(own, other, lost):
        @functools.cache
        def best(pot, dice):
            if own + pot >= goal and pot >= least(own):
                return 1.0
            values = []
            if pot and pot >= least(own):
                values.append(1 - starts[other, own + pot])
            rolled = 0.0
            for chance, kept in rolls[dice]:
                rolled += chance * max((best(min(pot + more, goal), left or most_dice) for more, left in kept), default=lost)
            return max([*values, rolled])

        return best(0, most_dice)

    for total in reversed(range(0, 2 * goal - 50, 50)):
        for own in range(max(0, total - goal + 50), min(goal, total + 50), 50):
            other = total - own
            if own > other:
                continue
            ours, theirs, change = 0.5, 0.5, 1.0
            while change > 1e-15:
                before = ours, theirs
                ours = turn(own, other, 1 - theirs)
                theirs = ours if own == other else turn(other, own, 1 - ours)
                change = abs(ours - before[0]) + abs(theirs - before[1])
            starts[own, other], starts[other, own] = ours, theirs
    return starts


@functools.cache
def choices_of(dice):
    """The chances of rolls, each with the sets of dice that may be kept."""
    found = defaultdict(float)
    for faces in product(range(1, 7), repeat=dice):
        found[tuple(sorted(faces))] += 1 / 6**dice
    return [(chance, subsets(faces)) for faces, chance in found.items()]


def turns_of_kept(most_dice, begin, after, ended):
    """The win rate of a single turn: `after` gives the next state of a state and kept dice, `ended` the value of a last state."""

    @functools.cache
    def best(state, dice):
        if not dice:
            return ended(state)
        total = 0.0
        for chance, sets in choices_of(dice):
            total += chance * max(best(after(state, kept), dice - len(kept)) for kept in sets)
        return total

    return best(begin, most_dice)


def one_turn_each(turn, scores):
    """The first player's win rate: `turn` plays a turn for the most of a value of its score."""
    answers = {score: turn(lambda own, other=score: win(own, other)) for score in scores}
    return turn(lambda own: 1 - answers[own])


def threes(value):
    """A turn of Threes; the score is what the sum of the dice, 3s counting nothing, is below 30."""
    return turns_of_kept(
        5, 0, lambda total, kept: total + sum(die for die in kept if die != 3), lambda total: value(max(30 - total, 0))
    )


def midnight(value, goal):
    """A turn of Midnight: a 1 and a 4 qualify, and the other four dice score, at most the goal less 1."""

    def after(state, kept):
        one, four, total = state
        kept = list(kept)
        for face, has in ((1, one), (4, four)):
            if not has and face in kept:
                kept.remove(face)
                one, four = one or face == 1, four or face == 4
        return one, four, total + sum(kept)

    def ended(state):
        one, four, total = state
        return value(min(total, goal - 1) if one and four else 0)

    return turns_of_kept(6, (False, False, 0), after, ended)


def ship_captain_crew(value):
    """A turn of Ship, Captain and Crew: three rolls for a 6, a 5 and a 4; the other two dice score."""

    @functools.cache
    def best(rolls, aboard, cargo):
        standing = value(cargo) if aboard == 3 else 0.0
        if rolls == 3:
            return value(cargo if aboard == 3 else 0)
        dice, total = 5 - aboard, 0.0
        for faces in product(range(1, 7), repeat=dice):
            choices, left, next_aboard = [best(rolls + 1, aboard, sum(faces) if aboard == 3 else 0)], list(faces), aboard
            if aboard < 3 and 6 - aboard in left:
                # Some of those that may be kept must be.
                choices = []
                while next_aboard < 3 and 6 - next_aboard in left:
                    left.remove(6 - next_aboard)
                    next_aboard += 1
                    choices.append(best(rolls + 1, next_aboard, sum(left) if next_aboard == 3 else 0))
            total += max(choices) / 6**dice
        return max(total, standing) if aboard == 3 else total

    return best(0, 0, 0)


def sets_of_tiles(tiles, total):
    """The sets of tiles that make up a total."""
    if total == 0:
        yield frozenset()
    for tile in tiles:
        if tile <= total:
            for others in sets_of_tiles([other for other in tiles if other > tile], total - tile):
                yield others | {tile}


def shut_the_box(value, goal):
    """A turn of Shut the Box with tiles 1, 2, 3, ... of which the goal is the sum; `value` is that of the sum of those shut."""
    tiles = frozenset(tile for tile in range(1, 10) if tile * (tile + 1) // 2 <= goal)

    @functools.cache
    def best(tiles):
        if not tiles:
            return value(goal)
        chances = [defaultdict(float) for _ in (1, 2)]
        for one, two in product(range(1, 7), repeat=2):
            chances[0][one] += 1 / 36
            chances[1][one + two] += 1 / 36
        rolled = []
        for of_sums in chances:
            stuck = value(goal - sum(tiles))
            shut = {total: (best(tiles - shut) for shut in sets_of_tiles(tiles, total)) for total in of_sums}
            rolled.append(sum(chance * max(shut[total], default=stuck) for total, chance in of_sums.items()))
        return rolled[1] if max(tiles) > 6 else max(rolled)

    return best(tiles)


def shut_the_box_for_two(goal):
    """The win rate of the first of two players; who shuts the box wins."""
    return one_turn_each(lambda value: shut_the_box(lambda shut: 1.0 if shut == goal else value(shut), goal), range(goal))


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
    for game, goal in [("kcd", 500), ("farkle", 600), ("ten_thousand", 600), ("five_thousand", 600)]:
        starts = race(game, goal)
        for own, other in [(0, 0), (50, goal - 100), (goal - 50, goal - 50)]:
            yield game, goal, own, other, "", starts[own, other]
    yield "threes", 31, 0, 20, "second=1", threes(lambda own: win(own, 20))
    yield "threes", 31, 0, 0, "", one_turn_each(threes, range(31))
    for goal in (8, 18):
        turn = functools.partial(midnight, goal=goal)
        yield "midnight", goal, 0, 0, "", one_turn_each(turn, range(goal))
    yield "ship_captain_crew", 13, 0, 7, "second=1", ship_captain_crew(lambda own: win(own, 7))
    yield "ship_captain_crew", 13, 0, 0, "", one_turn_each(ship_captain_crew, range(13))
    yield "shut_the_box", 15, 0, 0, "", shut_the_box_for_two(15)
    yield "shut_the_box", 15, 0, 11, "second=1", shut_the_box(lambda own: win(own, 11), 15)


def main():
    if sys.argv[1:] == ["full"]:
        print("boyan_moore_pig", boyan_moore_pig(100)[0, 0])
        gro = great_rolled_ones(50)
        print("great_rolled_ones", gro[0, 0], "with a handicap of 3:", gro[3, 0])
        dead = drop_dead(299)
        print("drop_dead: mean", sum(score * chance for score, chance in dead.items()), "299 or more", dead[299])
        print("going_to_boston: mean", sum(total * chance for total, chance in going_to_boston().items()))
        print("skunk_in_turns", skunk_in_turns(150), flush=True)
        for game, goal in [("kcd", 2000), ("farkle", 2000), ("ten_thousand", 2000), ("five_thousand", 2000)]:
            print(game, goal, race(game, goal)[0, 0], flush=True)
        print("threes", one_turn_each(threes, range(31)))
        print("midnight", one_turn_each(functools.partial(midnight, goal=25), range(25)))
        print("ship_captain_crew", one_turn_each(ship_captain_crew, range(13)))
        print("shut_the_box", shut_the_box_for_two(45))
        print("shut_the_box for one", shut_the_box(lambda shut: float(shut == 45), 45))
        return
    folder = pathlib.Path(__file__).resolve().parent.parent / "crates/study/tests/variants"
    with open(folder / "games.csv", "w") as file:
        file.write("rules,goal,score,opponent,memories,win_rate\n")
        for *row, value in reference():
            file.write(",".join(map(str, row)) + f",{value!r}\n")


if __name__ == "__main__":
    main()
