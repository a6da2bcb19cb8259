"""Runs work in blocks on an executor of ``concurrent.futures`` or Dask, or with joblib.

Each block is a call ``function(*arguments)`` of a function of a module, so that it can be pickled. Results come in the order of
the blocks. A block that is lost with its worker is run again; an exception of the block itself is raised here.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import FIRST_COMPLETED, BrokenExecutor, CancelledError, Executor, Future, wait
from typing import Any, TypeAlias
from uuid import uuid4

#: Where blocks run: a ``concurrent.futures.Executor``, a ``joblib.Parallel``, or None for this process.
Runner: TypeAlias = Any

#: How often a block is submitted to workers before it is run in this process.
_TRIES = 3

#: Exceptions that mean the loss of a worker, not a failure of the work; by name, because Dask is optional.
_LOST = {"KilledWorker", "CommClosedError", "TimeoutError", "FutureCancelledError", "CancelledError", "TerminatedWorkerError"}

Block: TypeAlias = tuple[Any, ...]


class Shared:
    """An argument shared by many blocks: on Dask it is sent to the workers once, and with the block when that is run again."""

    def __init__(self, value: Any, runner: Runner) -> None:
        self.value = value
        client: Any = getattr(runner, "_client", None)
        self.sent = client.scatter(value, broadcast=True) if hasattr(client, "scatter") else value


def _arguments(block: Block, first_try: bool) -> Block:
    return tuple((part.sent if first_try else part.value) if isinstance(part, Shared) else part for part in block)


def run(
    function: Callable[..., Any], blocks: Sequence[Block], runner: Runner, done: Callable[[int], object]
) -> list[Any]:
    """Runs all blocks and returns their results; ``done`` is called with the number of finished blocks."""
    if runner is None:
        return _here(function, blocks, done)
    if _is_joblib(runner):
        return _by_joblib(function, blocks, runner, done)
    return _submitted(function, blocks, runner, done)


def _here(function: Callable[..., Any], blocks: Sequence[Block], done: Callable[[int], object]) -> list[Any]:
    results = []
    for block in blocks:
        results.append(function(*_arguments(block, False)))
        done(len(results))
    return results


def _by_joblib(
    function: Callable[..., Any], blocks: Sequence[Block], runner: Runner, done: Callable[[int], object]
) -> list[Any]:
    """Runs all blocks with joblib. When a worker is lost, joblib abandons all blocks, and those that are missing are run again."""
    results: dict[int, Any] = {}
    run = uuid4().hex
    for _ in range(_TRIES):
        missing = [number for number in range(len(blocks)) if number not in results]
        try:
            found = list(runner(_delayed(function, run, number, blocks[number]) for number in missing))
        except (Exception, CancelledError) as error:
            if not _is_loss(error):
                raise
        else:
            # Some may be left over from a call that joblib has abandoned: of this run or of another one.
            results.update((number, result) for of_run, number, result in found if of_run == run)
            if len(results) == len(blocks):
                done(len(blocks))
                return [results[number] for number in range(len(blocks))]
    return _here(function, blocks, done)


def _numbered(function: Callable[..., Any], run: str, number: int, arguments: Block) -> tuple[str, int, Any]:
    return run, number, function(*arguments)


def _is_loss(error: BaseException) -> bool:
    """Whether an exception means the loss of a worker, not a failure of the work."""
    return isinstance(error, BrokenExecutor) or type(error).__name__ in _LOST


def workers(runner: Runner) -> int:
    """Returns how many blocks run in parallel, as far as that is known."""
    if runner is None:
        return 1
    if _is_joblib(runner):
        return max(1, int(runner._effective_n_jobs()))
    client: Any = getattr(runner, "_client", None)
    if hasattr(client, "nthreads"):
        return max(1, int(sum(client.nthreads().values())))
    return int(getattr(runner, "_max_workers", None) or os.cpu_count() or 1)


def check_runner(runner: Runner) -> None:
    """Raises TypeError for an executor that cannot run blocks."""
    if runner is None or _is_joblib(runner) or callable(getattr(runner, "submit", None)):
        return
    kind = type(runner)
    ray = "; for Ray, call ray.util.joblib.register_ray() and give joblib.Parallel(n_jobs=-1, backend='ray')"
    raise TypeError(
        "executor= is a concurrent.futures.Executor, such as a ProcessPoolExecutor or Dask's client.get_executor(), or a "
        f"joblib.Parallel, not a {kind.__module__}.{kind.__qualname__}, which has no submit"
        + (ray if kind.__module__.split(".")[0] == "ray" else "")
    )


def _is_joblib(runner: Any) -> bool:
    return type(runner).__module__.split(".")[0] == "joblib"


def _delayed(function: Callable[..., Any], run: str, number: int, block: Block) -> Any:
    from joblib import delayed

    return delayed(_numbered)(function, run, number, _arguments(block, False))


def _submitted(
    function: Callable[..., Any], blocks: Sequence[Block], executor: Executor, done: Callable[[int], object]
) -> list[Any]:
    results: dict[int, Any] = {}
    waiting: dict[Future[Any], tuple[int, int]] = {}
    broken = False

    def submit(number: int, tries: int) -> None:
        nonlocal broken
        if not broken and tries < _TRIES:
            try:
                waiting[executor.submit(function, *_arguments(blocks[number], tries == 0))] = (number, tries + 1)
                return
            except (BrokenExecutor, RuntimeError):
                # The pool is gone: the remaining blocks run in this process.
                broken = True
        results[number] = function(*_arguments(blocks[number], False))
        done(len(results))

    try:
        for number in range(len(blocks)):
            submit(number, 0)
        while waiting:
            for future in list(_finished(waiting)):
                number, tries = waiting.pop(future)
                try:
                    results[number] = future.result()
                except (Exception, CancelledError) as error:
                    if not _is_loss(error):
                        raise
                    submit(number, tries)
                else:
                    done(len(results))
    finally:
        for future in waiting:
            future.cancel()
    return [results[number] for number in range(len(blocks))]


def _finished(waiting: dict[Future[Any], tuple[int, int]]) -> Iterator[Future[Any]]:
    finished, _ = wait(waiting, return_when=FIRST_COMPLETED)
    yield from finished
