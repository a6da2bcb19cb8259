"""Contests and sweeps give the same numbers on every executor, even when a worker is lost."""

from __future__ import annotations

import os
from collections.abc import Iterable
from concurrent.futures import Executor, Future, ProcessPoolExecutor, ThreadPoolExecutor
from concurrent.futures.process import BrokenProcessPool
from multiprocessing import get_context
from operator import mul
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import hog_solver as hs
from hog_solver import _blocks


def _field() -> dict[str, Any]:
    random = np.random.default_rng(7)
    return {
        "best": "optimal",
        "six": lambda score, opponent: 6,
        "also six": np.full((100, 100), 6),
        **{f"random {n}": random.integers(0, 11, (100, 100)) for n in range(9)},
    }


def _numbers(contest: hs.Contest) -> Any:
    return contest.entrants, contest.matrix.tolist(), [row.to_dict() for row in contest.ranking]


def test_a_contest_ranks_valid_entrants_and_lists_rejected_ones(fa21: hs.Game) -> None:
    contest = fa21.contest({**_field(), "broken": lambda score, opponent: 12})
    assert contest.ranking[0].name == "best"
    assert [one.name for one in contest.rejected] == ["broken"]
    assert "returns 12" in contest.rejected[0].reason
    assert contest.same == [["six", "also six"]]
    assert contest.matrix[0, 1] == fa21.rate("optimal", "always_roll:6").average
    assert np.allclose(contest.matrix + contest.matrix.T, 1.0)
    assert "best" in contest._repr_html_()


def test_a_hostile_name_is_escaped(fa21: hs.Game) -> None:
    html = fa21.contest({"<script>": "always_roll:3", "b": "always_roll:4"})._repr_html_()
    assert "<script>" not in html and "&lt;script&gt;" in html


def test_numbers_do_not_depend_on_the_executor(fa21: hs.Game) -> None:
    alone = _numbers(fa21.contest(_field()))
    with ThreadPoolExecutor(2) as threads:
        assert _numbers(fa21.contest(_field(), executor=threads)) == alone
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert _numbers(fa21.contest(_field(), executor=processes)) == alone


def test_numbers_are_the_same_with_joblib(fa21: hs.Game) -> None:
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    alone = _numbers(fa21.contest(_field()))
    with joblib.Parallel(n_jobs=2) as parallel:
        assert _numbers(fa21.contest(_field(), executor=parallel)) == alone


def _die_once(marker: str, number: int) -> int:
    if number == 3 and not Path(marker).exists():
        Path(marker).touch()
        os._exit(1)
    return number * number


def test_blocks_of_a_broken_pool_run_in_the_calling_process(tmp_path: Path) -> None:
    blocks = [(str(tmp_path / "died"), number) for number in range(8)]
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        assert _blocks.run(_die_once, blocks, processes, lambda done: None) == [n * n for n in range(8)]
    assert (tmp_path / "died").exists()


def test_blocks_are_completed_when_joblib_loses_a_worker(tmp_path: Path) -> None:
    joblib = pytest.importorskip("joblib", reason="joblib is not installed")
    blocks = [(str(tmp_path / "died"), number) for number in range(8)]
    with joblib.Parallel(n_jobs=2) as parallel:
        assert _blocks.run(_die_once, blocks, parallel, lambda done: None) == [n * n for n in range(8)]
    assert (tmp_path / "died").exists()


def test_results_that_joblib_left_over_from_another_call_are_dropped() -> None:
    class Parallel:
        """As joblib after it has lost a worker: results of an abandoned call come with those of the next one."""

        def __init__(self) -> None:
            self.left: list[Any] = []

        def __call__(self, calls: Iterable[Any]) -> list[Any]:
            *found, last = (function(*arguments, **named) for function, arguments, named in calls)
            self.left, left = [last], self.left
            return [*left, *found, last]

    Parallel.__module__ = "joblib.parallel"
    parallel = Parallel()
    pytest.importorskip("joblib", reason="joblib is not installed")
    for factor in 2, 3:
        blocks = [(factor, number) for number in range(4)]
        assert _blocks.run(mul, blocks, parallel, lambda done: None) == [factor * number for number in range(4)]


class _Losing(Executor):
    """An executor that fails every block the first time it is submitted."""

    def __init__(self) -> None:
        self.seen: set[int] = set()

    def submit(self, fn: Any, /, *args: Any, **kwargs: Any) -> Future[Any]:
        future: Future[Any] = Future()
        if id(args[-1]) in self.seen:
            future.set_result(fn(*args, **kwargs))
        else:
            self.seen.add(id(args[-1]))
            future.set_exception(BrokenProcessPool("lost"))
        return future


def test_a_lost_block_is_submitted_again() -> None:
    values = [(object(),) for _ in range(5)]
    assert len(_blocks.run(lambda value: 1, values, _Losing(), lambda done: None)) == 5


def test_an_exception_in_a_block_is_raised_to_the_caller() -> None:
    with ThreadPoolExecutor(2) as threads, pytest.raises(ZeroDivisionError):
        _blocks.run(lambda n: 1 // n, [(1,), (0,)], threads, lambda done: None)


@pytest.mark.slow
def test_a_dask_cluster_that_loses_a_worker_gives_the_same_numbers(fa21: hs.Game) -> None:
    distributed = pytest.importorskip("distributed", reason="dask.distributed is not installed")
    alone = _numbers(fa21.contest(_field()))
    cluster = distributed.LocalCluster(n_workers=2, threads_per_worker=1, dashboard_address=None)
    with cluster, distributed.Client(cluster) as client:
        killed: list[int] = []

        def kill_one(*_: object) -> None:
            if not killed:
                worker = next(iter(cluster.workers.values()))
                killed.append(worker.process.pid)
                os.kill(worker.process.pid, 9)

        assert _numbers(fa21.contest(_field(), executor=client.get_executor(), progress=kill_one)) == alone
        assert killed


def test_a_sweep_has_a_row_of_figures_for_each_combination(tmp_path: Path) -> None:
    sweep = hs.sweep("fa21", {"goal": range(10, 14), "max_dice": [3, 7]})
    assert [(row.goal, row.max_dice) for row in sweep.rows] == [(g, d) for g in range(10, 14) for d in (3, 7)]
    solved = hs.Game("fa21", goal=12, max_dice=7).solve()
    row = next(row for row in sweep.rows if (row.goal, row.max_dice) == (12, 7))
    assert row.win_rate.first == pytest.approx(solved.win_rate.first, abs=1e-12) and row.error is None
    # The baseline rolls six dice, which max_dice = 3 does not allow, so there is no best response to it.
    assert sweep.rows[0].best_response is None
    faulty = hs.sweep("fa21", {"goal": [0, 10]}).rows
    assert "goal" in faulty[0].error and faulty[1].error is None
    template = tmp_path / "mine.toml"
    template.write_text(hs.Game("fa21", goal=20).rules.replace('bust = "1"', 'bust = "$bust"'))
    rates = [row.win_rate.first for row in hs.sweep(template, {"bust": range(3), "goal": [20]}).rows]
    assert len(set(rates)) == 3
    with pytest.raises(ValueError, match=r"no \$boost"):
        hs.sweep(template, {"boost": [1]})


def test_a_sweep_continues_after_values_that_make_no_game() -> None:
    rows = hs.sweep("fa21", {"goal": [-1, 20.5, "x", 12]}).rows
    assert [row.error is None for row in rows] == [False, False, False, True]
    pandas = pytest.importorskip("pandas", reason="pandas is not installed")
    sweep = hs.sweep("fa21", {"goal": np.arange(10, 12)})
    assert sweep.to_dict()["rows"][0]["goal"] == 10
    assert pandas.api.types.is_float_dtype(sweep.to_pandas()["win_rate.first"])
    assert "<th>win_rate.first</th>" in sweep._repr_html_()


def test_a_sweep_gives_the_same_numbers_on_processes() -> None:
    alone = hs.sweep("fa21", {"goal": range(10, 20)})
    with ProcessPoolExecutor(2, mp_context=get_context("spawn")) as processes:
        spread = hs.sweep("fa21", {"goal": range(10, 20)}, executor=processes)
    assert [row.win_rate for row in spread.rows] == [row.win_rate for row in alone.rows]


def test_an_executor_without_submit_is_refused_with_what_is_wanted(fa21: hs.Game) -> None:
    class Pool:
        __module__ = "ray.util.multiprocessing.pool"

    for pool, words in ((Pool(), "register_ray"), (3, "not a builtins.int")):
        for asked in (
            lambda pool=pool: fa21.contest({"a": "always_roll:3"}, executor=pool),
            lambda pool=pool: hs.sweep("fa21", {"goal": [10]}, executor=pool),
        ):
            with pytest.raises(TypeError, match="concurrent.futures.Executor") as error:
                asked()
            assert words in str(error.value) and "joblib.Parallel" in str(error.value)


def test_a_contest_is_scored_as_the_command_scores_it(fa21: hs.Game) -> None:
    entrants = {"best": "optimal", "four": "always_roll:4", "none": "always_roll:0"}
    assert all(row.points is None and row.baseline is None for row in fa21.contest(entrants).ranking)
    contest = fa21.contest(entrants, rank_by="mean", break_ties="baseline", points="plays=1,baseline=2,mean:0.9=4")
    assert contest.scoring.to_dict() == {"rank_by": "mean", "break_ties": "baseline"}
    for row in contest.ranking:
        rate = fa21.rate(entrants[row.name]).average
        assert row.baseline == pytest.approx(rate, abs=1e-12)
        assert row.points == 1 + 2 * (rate > 0.500001) + 4 * (row.mean >= 0.9)
    assert fa21.contest(entrants, win_above=0.99).ranking[0].wins < 2
    for wrong, words in [
        ({"rank_by": "luck"}, "rank_by"),
        ({"break_ties": "luck"}, "break_ties"),
        ({"win_above": 0.4}, "win_above"),
        ({"points": "luck=3"}, "luck=3"),
    ]:
        with pytest.raises(ValueError, match=words):
            fa21.contest(entrants, **wrong)
