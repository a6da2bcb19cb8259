"""Ctrl-C stops long work and leaves the interpreter usable; other threads run during the work."""

from __future__ import annotations

import subprocess
import sys
import threading
import time

import pytest

import hog_solver as hs

STOPPED = """
import os, signal, threading, time
import hog_solver as hs
# A shell that starts the tests in the background may make them ignore the signal.
signal.signal(signal.SIGINT, signal.default_int_handler)
threading.Timer(0.3, os.kill, (os.getpid(), signal.SIGINT)).start()
try:
    WORK
except KeyboardInterrupt:
    print("stopped", hs.Game("fa21").final_strategy(20, 36))
"""


@pytest.mark.parametrize(
    "work",
    [
        'hs.Game("fa21", goal=400).solve(arithmetic="exact")',
        'hs.Game("fa21", goal=20).simulate("always_roll:4", games=10**12)',
        'hs.Game("fa21", goal=20).vary(goal=range(1000, 3000))',
    ],
)
def test_ctrl_c_stops_long_work(work: str) -> None:
    done = subprocess.run([sys.executable, "-c", STOPPED.replace("WORK", work)], capture_output=True, text=True, timeout=120, check=False)
    assert (done.stdout, done.stderr, done.returncode) == ("stopped 8\n", "", 0)


def test_other_threads_run_while_a_game_is_solved() -> None:
    game, counted, over = hs.Game("fa19", goal=99), [0], threading.Event()

    def count() -> None:
        while not over.is_set():
            counted[0] += 1
            time.sleep(0.001)

    thread = threading.Thread(target=count)
    thread.start()
    try:
        game.solve(arithmetic="float")
    finally:
        over.set()
        thread.join()
    assert counted[0] > 5


def test_the_progress_callback_is_called() -> None:
    steps: list[tuple[str, int, int]] = []
    hs.Game("fa19", goal=60).solve(arithmetic="float", progress=lambda *step: steps.append(step))
    assert steps and steps[-1][1] <= steps[-1][2]


def test_an_error_in_the_progress_callback_stops_the_work() -> None:
    def fail(what: str, done: int, of: int) -> None:
        raise RuntimeError("enough")

    try:
        hs.Game("fa19", goal=97).solve(arithmetic="float", progress=fail)
    except RuntimeError as error:
        assert str(error) == "enough"
    else:
        raise AssertionError("the error of the callback was not raised")
