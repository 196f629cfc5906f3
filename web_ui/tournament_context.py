"""What the views of a tournament share: the hall, seats for viewers, and boards drawn once for all.

A board that all viewers see alike is drawn at most once in `FRESH_S`, however many ask for it and
however much happens: whoever gets one that is older than what the live stream has told him asks
again (static/live.js compares the numbers).
"""

import threading
from collections import OrderedDict
from collections.abc import Callable, Hashable
from dataclasses import dataclass, field
from typing import cast

from flask import current_app

from rules.tournament import Tournament
from rules.tournament_standings import Standing
from web_ui.access import door
from web_ui.context import Seats
from web_ui.tournament_ports import Hall

_KEY = "schockauge.hall"

FRESH_S = 0.1
"""How old a board may be that is sent to one more viewer."""

MOST_BOARDS = 32
"""Pages, languages and themes that are kept; what only one viewer asks for is not."""


@dataclass
class _Drawn:
    text: str = ""
    at_s: float = float("-inf")
    lock: threading.Lock = field(default_factory=threading.Lock)


class Boards:
    """Boards that were drawn lately; safe to use from several threads."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._drawn: OrderedDict[Hashable, _Drawn] = OrderedDict()

    def get(self, key: Hashable, now_s: float, draw: Callable[[], str]) -> str:
        """Return a board, drawn anew if the last one is no longer fresh.

        Args:
            key: what tells it from others.
            now_s: seconds from any fixed moment on.
            draw: makes it.
        """
        with self._lock:
            drawn = self._drawn.setdefault(key, _Drawn())
            self._drawn.move_to_end(key)
            while len(self._drawn) > MOST_BOARDS:
                self._drawn.popitem(last=False)
        with drawn.lock:
            if now_s - drawn.at_s >= FRESH_S:
                drawn.text, drawn.at_s = draw(), now_s
            return drawn.text


class Places:
    """The standings of the latest tournament, worked out once for each of its states."""

    def __init__(self) -> None:
        self._known: tuple[Tournament, tuple[Standing, ...]] | None = None

    def of(self, tournament: Tournament) -> tuple[Standing, ...]:
        """Return the standings of a tournament."""
        known = self._known
        if known is None or known[0] is not tournament:
            known = tournament, tournament.standings
            self._known = known
        return known[1]


@dataclass(frozen=True)
class HallContext:
    """The seams of one hub."""

    hall: Hall
    seats: Seats = field(default_factory=Seats)
    boards: Boards = field(default_factory=Boards)
    places: Places = field(default_factory=Places)
    acting: threading.Lock = field(default_factory=threading.Lock)
    """Held from looking at what a form was made for until it is done: two desks are two."""

    def install(self, extensions: dict[str, object]) -> None:
        """Keep this context in the application's extensions."""
        extensions[_KEY] = self


def hall_context() -> HallContext:
    """Return the seams of the hub that serves this request."""
    return cast(HallContext, current_app.extensions[_KEY])


def hall() -> Hall:
    """Return the hall of the hub that serves this request."""
    return hall_context().hall


def standings_of(tournament: Tournament) -> tuple[Standing, ...]:
    """Return the standings, worked out once for all who look."""
    return hall_context().places.of(tournament)


def now_s() -> float:
    """Return the time of day by the hub's clock, Unix time in seconds."""
    return door().clock()
