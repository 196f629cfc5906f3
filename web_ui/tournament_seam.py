"""The hall as the pages look at it: legible whatever a table says, and away is not broken.

What tables send is told on by the hall, and nobody knows what another program has written there.
So it is mended where it comes in, once for every page (`web_ui.legible` does so for a table's log).
A hall whose database or broker is away raises OSError; that becomes an answer which says so.
"""

import logging
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from math import isfinite
from pathlib import Path
from typing import Any

from rules.tournament import Tournament
from web_ui.errors import ActionRefused, HallAway
from web_ui.legible import LATEST_S, LegibleLog, legible, mended
from web_ui.ports import EventLog, LogEntry
from web_ui.tournament_ports import Hall, LastThrow, Pending, RoundClock, TableStatus
from web_ui.wording import dice_of

LONGEST_SHOWN = 500
"""Characters of anything that comes of a table; what is longer ends with an ellipsis."""

MOST_SHOWN = 50
"""Players of a table, its faults, likely throws of a question: more are none."""

_SCHEMES = ("http://", "https://")

_log = logging.getLogger(__name__)


class LegibleHall:
    """A hall of which everything can be written down; see `web_ui.tournament_ports.Hall`.

    Whatever it is asked may raise `HallAway`: the hall cannot read or write now.
    """

    def __init__(self, hall: Hall) -> None:
        self._hall = hall

    @property
    def log(self) -> EventLog:
        """Everything that happens; reading it may raise OSError, which ends a stream."""
        return LegibleLog(self._hall.log)

    @property
    def seq(self) -> int:
        """Number of the newest entry."""
        with _present():
            return self._hall.seq

    def history(self, most: int) -> Sequence[LogEntry]:
        """Return the latest events of the tournament, newest first."""
        with _present():
            return [legible(entry) for entry in self._hall.history(most)]

    def tournament(self) -> Tournament | None:
        """Return the tournament that is under way or was the last."""
        with _present():
            return self._hall.tournament()

    def clock(self) -> RoundClock | None:
        """Return when the last round that was drawn began."""
        with _present():
            clock = self._hall.clock()
        if clock is None:
            return None
        drawn_s, started_s = _moment(clock.drawn_at_s), _moment(clock.started_at_s)
        return replace(clock, drawn_at_s=drawn_s, started_at_s=started_s)

    def do(self, action: dict[str, Any], by: str) -> Sequence[Mapping[str, Any]]:
        """Carry out an action."""
        with _present():
            return self._hall.do(action, by)

    def refusal(self, action: dict[str, Any]) -> ActionRefused | None:
        """Return why `do` would refuse an action now."""
        with _present():
            return self._hall.refusal(action)

    def tables(self) -> Sequence[TableStatus]:
        """Return the tables."""
        with _present():
            return [_status(one) for one in self._hall.tables()]

    def queue(self) -> Sequence[Pending]:
        """Return what all tables ask for."""
        with _present():
            return [_pending(one) for one in self._hall.queue()]

    def rule(self, table: str, action: dict[str, Any], by: str) -> None:
        """Send a referee's action to a table."""
        with _present():
            self._hall.rule(table, action, by)

    def evidence(self, table: str, sha256: str) -> Path | None:
        """Return a picture or clip, or None."""
        with _present():
            return self._hall.evidence(table, sha256)

    def incidents(self) -> Sequence[Mapping[str, Any]]:
        """Return what somebody should look into."""
        with _present():
            return [mended(dict(one)) for one in self._hall.incidents()]


@contextmanager
def _present() -> Iterator[None]:
    try:
        yield
    except OSError as error:
        _log.error("The hall cannot read or write now: %s", error)
        raise HallAway from error


def _moment(at_s: float) -> float:
    """A time that is a date; 0 for what is none."""
    return at_s if abs(at_s) < LATEST_S else 0.0


def _words(said: str) -> str:
    whole = str(mended(str(said)))
    return whole if len(whole) <= LONGEST_SHOWN else f"{whole[: LONGEST_SHOWN - 1]}…"


def _all_words(said: Sequence[str]) -> tuple[str, ...]:
    return tuple(map(_words, said[:MOST_SHOWN]))


def _thrown(one: LastThrow) -> LastThrow:
    return LastThrow(
        player=_words(one.player),
        dice=dice_of(one.dice),
        text_de=_words(one.text_de),
        text_en=_words(one.text_en),
    )


def _status(one: TableStatus) -> TableStatus:
    seen_s, url = one.last_seen_s, _words(one.url)
    return replace(
        one,
        name=_words(one.name),
        players=_all_words(one.players),
        turn=_words(one.turn),
        last_throw=None if one.last_throw is None else _thrown(one.last_throw),
        last_seen_s=None if seen_s is None or not isfinite(seen_s) else seen_s,
        # A table may say anything; what a browser would run instead of opening is no address.
        url=url if url.lower().startswith(_SCHEMES) else "",
        faults=tuple((_words(de), _words(en)) for de, en in one.faults[:MOST_SHOWN]),
    )


def _pending(one: Pending) -> Pending:
    return replace(
        one,
        table=_words(one.table),
        id=_words(one.id),
        player=_words(one.player),
        dice=dice_of(one.dice),
        candidates=tuple(map(dice_of, one.candidates[:MOST_SHOWN])),
        verdicts=_all_words(one.verdicts),
        at_s=_moment(one.at_s),
        still=_words(one.still),
        clip=_words(one.clip),
        text_de=_words(one.text_de),
        text_en=_words(one.text_en),
    )
