"""Progress of long work: a tqdm bar where one is asked for and installed, or a function of (what, done, of)."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeAlias, Union

Told: TypeAlias = Callable[[str, int, int], object]
Progress: TypeAlias = Union[bool, Told, None]


@contextmanager
def reporter(progress: Progress) -> Iterator[Told | None]:
    """What to tell steps to; nothing for ``None`` and ``False``."""
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

    def told(what: str, done: int, of: int) -> None:
        bar.set_description(what)
        bar.total = of
        bar.update(done - bar.n)

    try:
        yield told
    finally:
        bar.close()
