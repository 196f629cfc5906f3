"""Stills and clips of disputes that the hub has asked its tables for.

A file is named by its own digest, so that nothing can be slipped in for another one: what comes
under a digest and has it not, or was not asked for, is not kept.
"""

from __future__ import annotations

import threading
from collections.abc import Callable
from hashlib import sha256
from pathlib import Path

from device.errors import StoreError
from device.hub_wire import is_sha256

AGAIN_S = 10.0
"""A file that has not come is asked for again at most so often."""

Want = Callable[[str, str], None]


class Files:
    """The folder of the files; safe to use from several threads.

    Args:
        folder: made when absent.
        want: asks a table for a file by its digest.
        clock: seconds that only grow.

    Raises:
        StoreError: the folder cannot be made.
    """

    def __init__(self, folder: Path, want: Want, clock: Callable[[], float]) -> None:
        self._folder, self._want, self._clock = folder, want, clock
        self._wanted: dict[tuple[str, str], float] = {}
        self._lock = threading.Lock()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {folder} for pictures of disputes cannot be made: {error.strerror}. "
                "Name another one with --folder."
            ) from error

    def find(self, digest: str) -> Path | None:
        """A file that is here, or None."""
        path = self._folder / digest
        return path if is_sha256(digest) and path.is_file() else None

    def want(self, table: str, digest: str) -> None:
        """Ask a table for a file, unless it was asked just now."""
        now_s = self._clock()
        with self._lock:
            asked_s = self._wanted.get((table, digest))
            if asked_s is not None and now_s - asked_s < AGAIN_S:
                return
            self._wanted[table, digest] = now_s
        self._want(table, digest)

    def take(self, table: str, digest: str, content: bytes) -> bool:
        """Keep what has come; False: it was not asked for, or is something else.

        Raises:
            StoreError: the disk does not take it.
        """
        with self._lock:
            if (table, digest) not in self._wanted or sha256(content).hexdigest() != digest:
                return False
            del self._wanted[table, digest]
        part = self._folder / f"{digest}.part"
        try:
            part.write_bytes(content)
            part.replace(self._folder / digest)
        except OSError as error:
            raise StoreError(
                f"A picture of {table} cannot be kept in {self._folder}: {error.strerror}."
            ) from error
        return True
