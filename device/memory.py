"""How the C library hands memory out: pictures go back to the system when they are done with.

glibc raises the size from which it maps memory by itself whenever a large piece is freed
(mallopt(3), M_MMAP_THRESHOLD). Pictures then lie between small things in the heap, which cannot
shrink any more: some 45 MB after half a minute of play, more after an evening.
"""

from __future__ import annotations

import ctypes
import gc

M_TRIM_THRESHOLD, M_MMAP_THRESHOLD, M_ARENA_MAX = -1, -3, -8
"""Names of glibc's options in malloc.h."""

LARGE_BYTES = 256 * 1024
ARENAS = 2
"""Heaps for all threads together; most of the dozens only wait for the next event of a page."""


def keep_small() -> bool:
    """Fix where large pieces go and how many heaps there are; False: not glibc, all stays."""
    try:
        mallopt = ctypes.CDLL(None).mallopt
    except (OSError, AttributeError):
        return False
    wanted = {M_MMAP_THRESHOLD: LARGE_BYTES, M_TRIM_THRESHOLD: LARGE_BYTES, M_ARENA_MAX: ARENAS}
    done = [mallopt(name, value) for name, value in wanted.items()]  # each of them, in any case
    return all(done)


def give_back() -> None:
    """Give back what nobody holds any more, such as the pictures of an appliance before this."""
    gc.collect()
    try:
        ctypes.CDLL(None).malloc_trim(0)
    except (OSError, AttributeError):
        return  # not glibc
