"""What was refused, told in the log for people to see, but never so often that it fills the disk.

A bucket of entries refills slowly; what is refused while it is empty is counted, and the next entry
of that kind says how many times. Who was refused is told on the console alone: an evening is
exported and kept, the addresses of guests are not for it.
"""

import logging
import threading
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

ENTRY = "access.refused"

LOGGED = frozenset(
    {
        "sign_in",
        "wrong_role",
        "bad_token",
        "bad_cookie",
        "wrong_pin",
        "too_many_tries",
        "other_site",
        "bad_host",
        "bad_path",
        "bad_number",
        "too_large",
        "not_json",
        "not_form",
    }
)
"""Refusals that are told: what somebody tries who may not, or who tries things."""

BURST_ENTRIES = 10
REFILL_S = 300.0
"""Ten at once, then one in five minutes: below 300 entries, or 100 kB, a day."""

Note = Callable[[str, dict[str, Any]], object]
"""Writes an entry that is no event of the rules into the log."""


class Refusals:
    """Writes refusals into the log, some of them; safe to use from several threads.

    Args:
        note: writes an entry; may raise OSError when the log cannot be written.
        clock: seconds from any fixed moment on.
    """

    def __init__(self, note: Note, clock: Callable[[], float]) -> None:
        self._note = note
        self._clock = clock
        self._lock = threading.Lock()
        self._left = float(BURST_ENTRIES)
        self._counted_s = clock()
        self._times: Counter[str] = Counter()

    def refused(self, what: str, *, address: str, logger: logging.Logger) -> None:
        """Tell of a refusal.

        Args:
            what: its code; only those of `LOGGED` are told.
            address: where the request came from, for the console.
            logger: the console.
        """
        if what not in LOGGED:
            return
        entry = self._entry(what)
        if entry is None:
            return
        logger.warning("Refused %s (%d times), last from %s.", what, entry["times"], address)
        try:
            self._note(ENTRY, dict(entry))
        except OSError as error:
            logger.error("A refusal cannot be written into the log: %s", error)

    def _entry(self, what: str) -> Mapping[str, Any] | None:
        """Count one; what is to be written of it, or None where the bucket is empty."""
        with self._lock:
            now_s = self._clock()
            refilled = (now_s - self._counted_s) / REFILL_S
            self._left = min(float(BURST_ENTRIES), self._left + refilled)
            self._counted_s = now_s
            self._times[what] += 1
            if self._left < 1.0:
                return None
            self._left -= 1.0
            return {"what": what, "times": self._times.pop(what)}
