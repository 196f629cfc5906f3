"""Our own mistakes while facts are handled: told to people, tried no further, and the game goes on.

A mistake in the code that shows with one fact would show again at every start, and a table that
cannot be switched on is worse than a throw that has to be entered by hand. So what the mistaken
step has done is taken back, the log gets a `fault` that names it, and the table is asked about the
fact, which is on record like any other. Errors of the log itself still stop the table.
"""

from __future__ import annotations

import traceback
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

from device import judging
from device.clerk import Clerk
from device.errors import StoreError
from device.seen import Seen

Result = TypeVar("Result")

WHAT = "mistake"
"""The fault's name in the log and on the dashboard."""
MOST_ERROR_CHARS = 300

TOLD = (
    "Etwas auf dem Tisch konnte nicht verarbeitet werden (ein Fehler im Programm). Bitte die Frage "
    "dazu beantworten oder von Hand eintragen, was geschah; das Spiel geht weiter.",
    "Something on the table could not be handled (a mistake in the program). Please answer the "
    "question about it or enter by hand what happened; the game goes on.",
)
ASKED = (
    "Was die Kamera hier sah, konnte nicht verarbeitet werden (ein Fehler im Programm). Was wurde "
    "geworfen? Es kann auch von Hand eingetragen werden.",
    "What the camera saw here could not be handled (a mistake in the program). What was thrown? It "
    "can be entered by hand, too.",
)


class Mishaps:
    """Guards the steps in which facts are handled.

    Args:
        clerk: asks and writes.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def guard(self, step: Callable[[], Result], seen: Seen | None = None) -> Result | None:
        """Take a step; what it did before it failed has not happened. Inside `together`.

        Args:
            step: what to do.
            seen: the fact that it handles; None: none, and it may be tried again.

        Returns:
            What the step returns, or None when it failed.

        Raises:
            StoreError: the log cannot be read or written.
        """
        try:
            with self._clerk.together():
                return step()
        except StoreError:
            raise
        except Exception as error:
            self._tell(error, seen)
            return None

    def settle(self) -> None:
        """Somebody has answered or acted by hand: take the fault back when nothing is asked."""
        clerk = self._clerk
        if WHAT in clerk.desk.faults and clerk.desk.question is None:
            clerk.note("fault_over", {"what": WHAT})

    def _tell(self, error: Exception, seen: Seen | None) -> None:
        clerk = self._clerk
        if seen is None and WHAT in clerk.desk.faults:
            return  # it is on show
        at = traceback.extract_tb(error.__traceback__)[-1]
        fault = {
            "what": WHAT,
            "error": f"{type(error).__name__}: {error}"[:MOST_ERROR_CHARS],
            "at": f"{Path(at.filename).name}:{at.lineno}",
            "text_de": TOLD[0],
            "text_en": TOLD[1],
        }
        if seen is None:
            clerk.note("fault", fault)
            return
        clerk.note("fault", {**fault, "seq": seen.seq})
        clerk.note("caught_up", {"upto": seen.seq})  # also at the next start it is handled
        self.guard(lambda: self._ask(seen))

    def _ask(self, seen: Seen) -> None:
        clerk = self._clerk
        unread, cup_of = clerk.desk.unread_ids, seen.before.cup_of
        player = judging.whose(clerk.game.match, seen.event.seat, unread, cup_of=cup_of)
        if player is not None:
            clerk.ask(seen, player, ASKED)
