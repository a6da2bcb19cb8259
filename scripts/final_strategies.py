#!/usr/bin/env python3
"""Writes python/hog_solver/final_strategies.npz: for each game of a course that remembers more than a function of the scores is
told, the best table found that sees only the scores, against the course's baseline. It takes half an hour.

    target/python/bin/python scripts/final_strategies.py [SEMESTER...]

Where the solver has no search, a table is improved place by place, each time with exact win rates.
"""

import sys
from pathlib import Path

import hog_solver as hs
import numpy as np
from hog_solver._semesters import HANDOUTS

TABLES = Path(__file__).parents[1] / "python" / "hog_solver" / "final_strategies.npz"
PASSES = 8


def main():
    tables = dict(np.load(TABLES)) if TABLES.exists() else {}
    games = {game.id: game for game in map(hs.Game, sys.argv[1:] or HANDOUTS) if game.memories}
    for name, game in games.items():
        try:
            tables[name] = game.solve(against="baseline", sees="scores").dice
        except hs.Error:
            tables[name] = improved(game, first_table(game))
        rate = game.rate(tables[name]).average
        most = game.solve(against="baseline", arithmetic="float").win_rate.average
        print(f"{name}: {rate!r} against the baseline, at most {most!r} for anyone who sees everything", flush=True)
        np.savez_compressed(TABLES, **{name: tables[name].astype(np.int8) for name in sorted(tables)})


def first_table(game):
    """Returns a table that rolls what is best on average over the memories that are met when it is played itself."""
    scores = range(game.goal)
    classes = range(game.shape[2])
    (memory,) = game.memories
    win_rates = np.array(
        [[[game.best(s, o, memory={memory: m}, against="baseline").choices for m in classes] for o in scores] for s in scores]
    )
    dice = win_rates.mean(2).argmax(-1) + game.min_dice
    for _ in range(20):
        met = game.explain(dice, top=1).met + 1e-9
        dice = (met[..., None] * win_rates).sum(2).argmax(-1) + game.min_dice
    return dice


def improved(game, dice):
    """Tries every number of dice in every place, those that are met most often first, until hardly anything helps."""
    plan = game._native.plan_of
    opponent = game._native.plan("baseline", "baseline")
    choices = np.arange(game.min_dice, game.max_dice + 1)
    pairs = np.array([(place, len(choices)) for place in range(len(choices))], dtype=np.uint32).reshape(-1)
    for _ in range(PASSES):
        before = dice.copy()
        met = game.explain(dice, top=1).met.sum(2)
        for place in np.argsort(-met, axis=None)[: np.count_nonzero(met)]:
            where = np.unravel_index(place, met.shape)
            tried = np.repeat(dice[None].astype(np.int64), len(choices), axis=0)
            tried[(slice(None), *where)] = choices
            rates, _ = game._native.rate_pairs([*(plan("tried", one) for one in tried), opponent], pairs)
            averages = np.array([first + second for first, second in rates])
            averages[dice[where] - game.min_dice] += 1e-12
            dice[where] = choices[averages.argmax()]
        print(f"{game.id}: {game.rate(dice).average!r}", flush=True)
        if np.count_nonzero(dice != before) < 5:
            break
    return dice


main()
