"""Progress reports of long work: to a tqdm bar, or to a function of (what, done, of)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, Union

Report: TypeAlias = Callable[[str, int, int], object]
Progress: TypeAlias = Union[bool, Report, None]


@contextmanager
def reporter(progress: Progress) -> Iterator[Report | None]:
    """Yields the function to which progress is reported; None if ``progress`` is ``None`` or ``False``."""
    if progress is None or progress is False:
        yield None
        return
    if callable(progress):
        yield progress
        return
    try:
        from tqdm.auto import tqdm
    except ImportError as error:
        raise ImportError("tqdm is not installed: `pip install tqdm`, or give progress a function") from error
    bar: Any = tqdm(total=None)

    def report(what: str, done: int, of: int) -> None:
        bar.set_description(what)
        bar.total = of
        bar.update(done - bar.n)

    try:
        yield report
    finally:
        bar.close()
