"""Pairing at the hub: codes that are shown once, hold ten minutes, and cannot be guessed.

A code has six digits, a guess costs an exchange with the hub, and after `MOST_WRONG` wrong ones all
codes are void and the desk is told: one guess in 100,000 hits before that.
"""

from __future__ import annotations

import logging
import secrets
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass

from device.errors import SchockaugeError
from device.hub_wire import check_table
from device.pairing_exchange import MOST_OFFERS, Code, HubExchange, WrongCodeError
from device.pairing_file import Pairing
from web_ui.errors import ActionRefused

VALID_S = 600.0
MOST_WRONG = 10
SESSION_S = 60.0
"""A table that has begun has to go on within this time."""

MOST_BEGUN = 30
"""In a minute, of all together: beginning costs the hub some milliseconds of work."""

_log = logging.getLogger(__name__)


@dataclass(frozen=True)
class Offer:
    """A table that may be paired now.

    Attributes:
        table: its name.
        code: what is entered there.
        until_s: monotonic time.
    """

    table: str
    code: Code
    until_s: float


@dataclass(frozen=True)
class _Session:
    offer: Offer
    exchange: HubExchange
    until_s: float


class PairingDesk:
    """Offers codes and gives out pairings (a `web_ui.pairing.PairingPort`); safe between threads.

    Args:
        issue: makes the pairing of a table and lets the broker know it (`Issuer`); called once the
            table has proved that it knows the code.
        report: told (in English) when somebody has guessed wrong so often that all codes are void.
        clock: monotonic time, seconds.
    """

    def __init__(
        self,
        issue: Callable[[str], Pairing],
        report: Callable[[str], None],
        clock: Callable[[], float],
    ) -> None:
        self._issue, self._report, self._clock = issue, report, clock
        self._lock = threading.Lock()
        self._offers: dict[int, Offer] = {}
        self._sessions: dict[str, _Session] = {}
        self._begun_s: deque[float] = deque(maxlen=MOST_BEGUN)
        self._wrong = 0
        self._issuing: set[Code] = set()
        self._paired: set[Code] = set()

    def offer(self, table: str) -> Offer:
        """Offer a table a code; an older one of the same table is void.

        Raises:
            SchockaugeError: a table cannot be called so, or too many codes are open.
        """
        check_table(table)
        with self._lock:
            self._forget()
            return self._offer(table)

    def offer_once(self, table: str) -> Offer:
        """Return the open offer of a table, or make one; errors as of `offer`."""
        check_table(table)
        with self._lock:
            self._forget()
            known = (one for one in self._offers.values() if one.table == table)
            return next(known, None) or self._offer(table)

    def offers(self) -> list[Offer]:
        """All offers that are open."""
        with self._lock:
            self._forget()
            return list(self._offers.values())

    def withdraw(self, table: str) -> None:
        """Let the code of a table hold no more; without one nothing happens."""
        with self._lock:
            self._drop(table)

    def _drop(self, table: str) -> None:
        self._offers = {n: one for n, one in self._offers.items() if one.table != table}

    def _offer(self, table: str) -> Offer:
        self._drop(table)
        free = next((n for n in range(1, MOST_OFFERS + 1) if n not in self._offers), None)
        if free is None:
            raise SchockaugeError(f"{MOST_OFFERS} pairing codes are open; wait ten minutes.")
        made = Offer(table, Code.new(free), self._clock() + VALID_S)
        self._offers[made.code.offer] = made
        return made

    def is_open(self, offer: Offer) -> bool:
        """Whether a code still holds, or a table gets its pairing by it just now."""
        with self._lock:
            self._forget()
            in_offer = self._offers.get(offer.code.offer) == offer
            return in_offer or offer.code in self._issuing

    def is_paired(self, offer: Offer) -> bool:
        """Whether a table has got its pairing by this code."""
        with self._lock:
            return offer.code in self._paired

    def begin(self, offer: int, message: bytes) -> tuple[str, bytes]:
        """Take a table's first message.

        Returns:
            The session, and the hub's message.

        Raises:
            ActionRefused: there is no such offer (any more), or too many have begun just now.
        """
        with self._lock:
            self._forget()
            now_s = self._clock()
            if (found := self._offers.get(offer)) is None:  # costs nothing, so it is not counted
                raise _void()
            if len(self._begun_s) == MOST_BEGUN and now_s - self._begun_s[0] < 60.0:
                raise ActionRefused(
                    "Zu viele Versuche; bitte eine Minute warten.",
                    "Too many tries; please wait a minute.",
                    "pairing_busy",
                )
            self._begun_s.append(now_s)
        try:
            exchange = HubExchange(found.code, message)
        except WrongCodeError as error:
            raise _wrong() from error
        session = secrets.token_hex(16)
        with self._lock:
            self._sessions[session] = _Session(found, exchange, now_s + SESSION_S)
        return session, exchange.message

    def finish(self, session: str, proof: bytes) -> bytes:
        """Take a table's proof; the pairing, enciphered for it.

        Raises:
            ActionRefused: the proof is wrong, the code is void, or the pairing cannot be kept.
        """
        with self._lock:
            self._forget()
            begun = self._sessions.pop(session, None)
            if begun is None or self._offers.get(begun.offer.code.offer) != begun.offer:
                raise _void()
            if not begun.exchange.is_proved_by(proof):
                self._count_wrong()
                raise _wrong()
            del self._offers[begun.offer.code.offer]
            self._issuing.add(begun.offer.code)
        try:
            sealed = begun.exchange.seal(self._issue(begun.offer.table).to_json())
            with self._lock:
                self._paired.add(begun.offer.code)
        except SchockaugeError as error:
            _log.error("The pairing of %s could not be given out: %s", begun.offer.table, error)
            raise _failed() from error
        finally:
            with self._lock:
                self._issuing.discard(begun.offer.code)
        return sealed

    def _count_wrong(self) -> None:
        self._wrong += 1
        if self._wrong >= MOST_WRONG:
            self._wrong = 0
            self._offers.clear()
            self._sessions.clear()
            self._report(
                f"{MOST_WRONG} wrong pairing codes were entered; all open codes are void now."
            )

    def _forget(self) -> None:
        now_s = self._clock()
        self._offers = {n: offer for n, offer in self._offers.items() if offer.until_s > now_s}
        self._sessions = {n: begun for n, begun in self._sessions.items() if begun.until_s > now_s}


def _void() -> ActionRefused:
    return ActionRefused(
        "Dieser Code gilt nicht (mehr); an der Turnierleitung einen neuen holen.",
        "This code does not hold (any more); get a new one at the hub.",
        "pairing_void",
    )


def _wrong() -> ActionRefused:
    return ActionRefused("Der Code ist falsch.", "The code is wrong.", "pairing_wrong")


def _failed() -> ActionRefused:
    return ActionRefused(
        "Die Kopplung ließ sich nicht speichern; an der Turnierleitung nachsehen und einen neuen "
        "Code holen.",
        "The pairing could not be kept; look at the hub, and get a new code there.",
        "pairing_failed",
    )
