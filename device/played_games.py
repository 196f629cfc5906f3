"""One log of a table as it is followed, and one game of a round in it."""

from __future__ import annotations

from dataclasses import dataclass

from device.hub_wire import Seating
from rules.match import Match
from rules.phases import Part
from rules.tournament_log import records_of
from rules.tournament_results import GameRecord

BEFORE_A_HALF = (Part.OPENING, Part.HALF1)
"""Parts of a game in which no half of it is over."""

Place = tuple[str, int, int, int]
"""Tournament, round, which draw of it, number of the table (`Seating.place`)."""


@dataclass
class Followed:
    """One log, as far as it was followed.

    Attributes:
        last_s: when the latest entry was written.
        match: the game under way or over.
        game: the same as one of the round; None: it belongs to none.
        seating: the newest one that was noted.
        is_free: the hub wants nothing to be played.
        place: where the table plays, or has played last.
        damaged: why it cannot be followed any more.
    """

    last_s: float = float("-inf")
    match: Match | None = None
    game: Game | None = None
    seating: Seating | None = None
    is_free: bool = False
    place: Place | None = None
    damaged: str = ""

    def is_later(self, at_s: float, other: Followed) -> bool:
        """Whether an entry of it, written then, shows that the table plays on this log now.

        In one tournament the later draw tells: the clock of a table may have been set back.
        """
        if self.place is not None and other.place is not None and self.place[0] == other.place[0]:
            ours, theirs = self.place[1:3], other.place[1:3]
            if ours != theirs:
                return ours > theirs
        return at_s > other.last_s


class Game:
    """One game of a round, and its records as long as nothing has changed in it."""

    def __init__(self, match: Match, log: Followed, place: Place) -> None:
        self.match, self.log, self.place = match, log, place
        self.is_done = False
        self._read_of = match
        self._read: dict[tuple[int, bool, bool], list[GameRecord]] = {}

    def records(self, number: int, *, separate: bool, sharp: bool) -> list[GameRecord]:
        """See `rules.tournament_log.records_of`."""
        if not self.match.is_over and (not sharp or self.match.part in BEFORE_A_HALF):
            return []  # without replaying the game at every move
        if self._read_of is not self.match:
            self._read_of, self._read = self.match, {}
        wanted = (number, separate, sharp)
        if wanted not in self._read:
            made = records_of(self.match, number, separate=separate, sharp=sharp)
            self._read[wanted] = made
        return self._read[wanted]
