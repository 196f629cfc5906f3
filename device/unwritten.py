"""What the log does not take now: held in memory, in order, and written as soon as it does.

A full disk, or another process that holds the database for long, must not end the evening. What
the camera has seen meanwhile waits here, the pages say so by an alarm that needs no log, and hand
entries are refused with the reason. Once a second it is tried again; then the log gets a `fault`
`log` with the time since when, what was held, and `fault_over`. Only what waits here is lost when
the power goes as well; it was never counted, and the pages said so.
"""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from typing import Any

from device.errors import LogDamagedError, LogTakenError, NewerLogError, StoreError
from web_ui.errors import ActionRefused
from web_ui.ports import Submit

Deed = Callable[[], object]
"""Writes to the log; raises `StoreError` when it cannot, and then nothing has happened."""

AGAIN_S = 1.0
MOST_HELD = 1000
"""More than an hour of throws; what comes then is counted and told of, but not held."""
FOR_GOOD = (LogDamagedError, LogTakenError, NewerLogError)
"""Waiting does not mend these."""
WHAT = "log"
TEXT = (
    "Das Protokoll kann nicht geschrieben werden (Speicherkarte voll oder defekt?); es wird nichts "
    "gezählt. Was die Kamera sieht, wird nachgetragen, sobald Platz ist. Bitte den Wirt rufen.",
    "The log cannot be written (is the disk full or broken?); nothing is counted. What the camera "
    "sees is entered as soon as there is room. Please call the landlord.",
)
REFUSED = (
    "Das ist nicht eingetragen: Das Protokoll kann nicht geschrieben werden (Speicherkarte voll "
    "oder defekt?). Bitte Platz schaffen und noch einmal eintragen.",
    "This was not entered: the log cannot be written (is the disk full or broken?). Please make "
    "room and enter it again.",
)
HELD = (
    "Das Protokoll kann nicht geschrieben werden (Speicherkarte voll oder defekt?). Was inzwischen "
    "geschehen ist, wartet im Speicher und ginge dabei verloren. Bitte zuerst Platz schaffen.",
    "The log cannot be written (is the disk full or broken?). What has happened meanwhile "
    "waits in memory and would be lost by this. Please make room first.",
)
"""Why nobody may end an appliance now."""


class Unwritten:
    """Carries deeds out at once, or holds them in order; safe to use from several threads.

    Args:
        note: writes an entry that is no event of the rules.
        left: faults that the log still shows; its own is taken back, as it takes entries again.
        again_s: how often it is tried again, seconds.
        clock: Unix time in seconds.
    """

    def __init__(
        self,
        note: Callable[[str, dict[str, Any]], None],
        left: Iterable[str] = (),
        *,
        again_s: float = AGAIN_S,
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._note, self._again_s, self._clock = note, again_s, clock
        self._lock = threading.Lock()
        self._held: deque[Deed] = deque()
        self._since_s: float | None = None
        self._told = False
        self._lost = 0
        self._for_good: Exception | None = None
        self._over = threading.Event()
        self._thread: threading.Thread | None = None
        if WHAT in left:
            note("fault_over", {"what": WHAT})

    def do(self, deed: Deed, late: Deed | None = None) -> None:
        """Carry a deed out, or hold it behind those that are held.

        Args:
            deed: what is to be written.
            late: what is to be done instead where it cannot be done now; None: the same.

        Raises:
            StoreError: it cannot be written, and waiting does not help.
        """
        if self._for_good is not None:
            raise self._for_good
        if self._since_s is None:
            try:
                deed()
                return
            except FOR_GOOD:
                raise
            except StoreError:
                pass
        with self._lock:
            self._begin()
            if len(self._held) < MOST_HELD:
                self._held.append(late or deed)
            else:
                self._lost += 1

    def failed(self) -> None:
        """Somebody else's entry could not be written; show it until one can."""
        with self._lock:
            self._begin()

    @property
    def held(self) -> int:
        """How much waits."""
        return len(self._held)

    def alarms(self) -> tuple[Mapping[str, Any], ...]:
        """What the pages are to show although the log does not say it, as entries `fault`."""
        if self._since_s is None:
            return ()
        return ({"what": WHAT, "text_de": TEXT[0], "text_en": TEXT[1]},)

    def close(self) -> None:
        """Try a last time, and stop."""
        self._over.set()
        if (thread := self._thread) is not None:
            thread.join()
        self._try()

    def _begin(self) -> None:
        if self._since_s is None:
            self._since_s = self._clock()
        if self._thread is None:
            self._thread = threading.Thread(target=self._again, name="unwritten", daemon=True)
            self._thread.start()

    def _again(self) -> None:
        while not self._over.wait(self._again_s):
            if self._try():
                return

    def _try(self) -> bool:
        """Write what waits; whether there is nothing more to wait for.

        Only one thread does so at a time; whoever has more to write lays it behind meanwhile.
        """
        if self._since_s is None or self._for_good is not None:
            return True
        try:
            self._tell()
            while True:
                while self._held:
                    self._held[0]()
                    self._held.popleft()
                if self._told:  # what was laid behind meanwhile is no new fault
                    self._note("fault_over", {"what": WHAT})
                    self._told = False
                with self._lock:
                    if not self._held:
                        self._since_s, self._lost, self._thread = None, 0, None
                        return True
        except StoreError as error:
            if not isinstance(error, FOR_GOOD):
                return False
            self._for_good = error  # the next deed tells of it
        except Exception as error:  # a mistake of ours shows where it would have shown
            self._for_good = error
        return True

    def _tell(self) -> None:
        """Say in the log since when it could not be written, as soon as it can be."""
        if not self._told and self._since_s is not None:
            said = {"since_s": round(self._since_s, 3), "held": len(self._held)}
            texts = {"text_de": TEXT[0], "text_en": TEXT[1]}
            self._note("fault", {"what": WHAT, **texts, **said, "not_held": self._lost})
            self._told = True


def by_hand(submit: Submit, unwritten: Unwritten) -> Submit:
    """What people enter, refused with the reason while the log cannot be written."""

    def submit_or_refuse(action: dict[str, Any]) -> Mapping[str, Any]:
        try:
            return submit(action)
        except StoreError as error:
            unwritten.failed()
            raise ActionRefused(*REFUSED, "log_unwritable") from error

    return submit_or_refuse
