"""Independent pieces of work on several processes; a process that cannot start ends the work.

`multiprocessing.Pool` starts a process that dies in its initialiser anew, for ever; the executor
of `concurrent.futures` says that it is broken.
"""

from __future__ import annotations

import multiprocessing
from collections.abc import Callable, Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor, as_completed
from concurrent.futures.process import BrokenProcessPool
from typing import Any, TypeVar

Result = TypeVar("Result")


class WorkerError(RuntimeError):
    """A process did not start, or was killed; what it printed says why."""


def finished(
    work: Callable[[Any], Result],
    items: Iterable[Any],
    *,
    processes: int,
    start: Callable[..., None],
    start_with: tuple[Any, ...],
) -> Iterator[Result]:
    """Results of `work` on every item, in the order in which they get ready.

    Args:
        work: what to do with one item; it must be importable, as its processes are new ones.
        items: what there is to do.
        processes: how many at a time.
        start: called once in every process.
        start_with: its arguments.

    Raises:
        WorkerError: a process did not start, or was killed.
    """
    spawn = multiprocessing.get_context("spawn")
    pool = ProcessPoolExecutor(processes, spawn, start, start_with)
    try:
        for future in as_completed([pool.submit(work, item) for item in items]):
            yield future.result()
    except BrokenProcessPool as error:
        raise WorkerError(f"a worker process died (see its words above): {error}") from error
    finally:
        pool.shutdown(wait=True, cancel_futures=True)
