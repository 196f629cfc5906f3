"""Deletes evidence whose time is over, at the start and now and then; every deletion is logged.

The entry `evidence.dropped` is written first: a file that is gone was dropped by a rule, or
somebody else took it. What a power cut left undone in between is done the next time.

What has come since the start is as old as a clock says that nobody sets: a Pi that was off for
weeks begins in the past, and what it saw before the network told it the time would be too old.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from device.errors import StoreError
from device.filming import Fault
from device.retention import DAY_S, Needed, Rules, may_go
from device.store import EventLog

EVERY_S = 600.0
PAGE_ENTRIES = 1000

_log = logging.getLogger(__name__)


class Tidying:
    """Keeps a folder of evidence within its limits; as a context it does so in the background.

    Args:
        log: says what every file is evidence of.
        note: writes an entry.
        folder: of the files.
        rules: how much is kept.
        fault: told each time; it is there while what must stay takes more room than allowed, or
            the disk does not let files go.
        clock: Unix time in seconds.
        steady: monotonic seconds.
    """

    def __init__(
        self,
        log: EventLog,
        note: Callable[[str, dict[str, Any]], None],
        folder: Path,
        rules: Rules,
        fault: Fault,
        clock: Callable[[], float] = time.time,
        steady: Callable[[], float] = time.monotonic,
    ) -> None:
        self._log, self._note, self._folder = log, note, folder
        self._rules, self._fault, self._clock, self._steady = rules, fault, clock, steady
        self._came: list[tuple[int, float]] = []  # what is after this entry came then, or later
        self._needed = Needed()
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._now_and_then, name="tidying", daemon=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._thread.join()

    def tidy(self) -> None:
        """Delete what may go.

        Raises:
            StoreError: the log cannot be written; then nothing is deleted.
        """
        self._follow()
        young = self._young()
        for drop in may_go(self._needed, self._sizes(), self._rules, self._clock(), young=young):
            entry_data = {"files": list(drop.names), "rule": drop.rule, "bytes": drop.bytes}
            self._note("evidence.dropped", entry_data)
        self._follow()
        stays = self._delete_dropped()
        most = self._rules.most_bytes
        self._fault(there=stays or bool(most and sum(self._sizes().values()) > most))

    def _now_and_then(self) -> None:
        while True:
            try:
                self.tidy()
            except StoreError:
                pass  # the game's own entries say that the log is not writable
            except Exception:  # a disk that fails, say: it must not grow without a word
                _log.exception("stills and clips could not be tidied")
                with suppress(StoreError):
                    self._fault(there=True)
            if self._over.wait(EVERY_S):
                return

    def _follow(self) -> None:
        while page := self._log.read(self._needed.seq, PAGE_ENTRIES):
            for entry in page:
                self._needed.take(entry)

    def _young(self) -> int:
        """The entry after which everything is younger than it may get, by the steady clock."""
        now_s, last = self._steady(), self._needed.seq
        young = [came for came in self._came if now_s - came[1] <= self._rules.days * DAY_S]
        self._came = [*young, (last, now_s)]
        return self._came[0][0]

    def _sizes(self) -> dict[str, int]:
        """Bytes of every file of the folder that the log expects."""
        sizes = {}
        for name in self._needed.mentions.expected():
            path = self._folder / name
            if Path(name).name == name and path.is_file():
                with suppress(OSError):
                    sizes[name] = path.stat().st_size
        return sizes

    def _delete_dropped(self) -> bool:
        """Delete what the log says is gone; whether something does not go."""
        mentions, stays = self._needed.mentions, False
        for name in set(mentions.dropped) - set(mentions.expected()):
            if Path(name).name != name:
                continue
            try:
                (self._folder / name).unlink(missing_ok=True)
            except OSError:
                stays = True
        return stays
