#!/usr/bin/env python3
"""Writes python/hog_solver/final_strategies.npz: for each game of a course that remembers more than a function of the scores is
told, the best table found that sees only the scores, against the course's baseline. It takes ten minutes.

    target/python/bin/python scripts/final_strategies.py [SEMESTER...]
"""

import sys
from pathlib import Path

import hog_solver as hs
import numpy as np
from hog_solver._semesters import HANDOUTS

TABLES = Path(__file__).parents[1] / "python" / "hog_solver" / "final_strategies.npz"


def main():
    tables = dict(np.load(TABLES)) if TABLES.exists() else {}
    games = {game.id: game for game in map(hs.Game, sys.argv[1:] or HANDOUTS) if game.memories}
    for name, game in games.items():
        solution = game.solve(against="baseline", sees="scores")
        tables[name] = solution.dice
        most = game.solve(against="baseline", arithmetic="float").win_rate.average
        print(f"{name}: {solution.win_rate.average!r}, at most {most!r} for anyone who sees everything", flush=True)
        np.savez_compressed(TABLES, **{name: tables[name].astype(np.int8) for name in sorted(tables)})


main()
