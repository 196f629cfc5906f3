"""Deletes evidence whose time is over, at the start and now and then; every deletion is logged.

The entry `evidence.dropped` is written first: a file that is gone was dropped by a rule, or
somebody else took it. What a power cut left undone in between is done the next time.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any, Self

from device.errors import StoreError
from device.filming import Fault
from device.retention import Needed, Rules, may_go
from device.store import EventLog

EVERY_S = 600.0
PAGE_ENTRIES = 1000


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
    """

    def __init__(
        self,
        log: EventLog,
        note: Callable[[str, dict[str, Any]], None],
        folder: Path,
        rules: Rules,
        fault: Fault,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._log, self._note, self._folder = log, note, folder
        self._rules, self._fault, self._clock = rules, fault, clock
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
        for drop in may_go(self._needed, self._sizes(), self._rules, self._clock()):
            entry_data = {"files": list(drop.names), "rule": drop.rule, "bytes": drop.bytes}
            self._note("evidence.dropped", entry_data)
        self._follow()
        stays = self._delete_dropped()
        most = self._rules.most_bytes
        self._fault(there=stays or bool(most and sum(self._sizes().values()) > most))

    def _now_and_then(self) -> None:
        while True:
            with suppress(StoreError):  # the game's own entries say that the log is not writable
                self.tidy()
            if self._over.wait(EVERY_S):
                return

    def _follow(self) -> None:
        while page := self._log.read(self._needed.seq, PAGE_ENTRIES):
            for entry in page:
                self._needed.take(entry)

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
