"""How a game begins at the dashboard: who plays, by which book, on which day."""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from device.clerk import Clerk
from rules.actions import Abandon
from rules.book import RuleBook
from rules.errors import UnknownBook
from rules.events import Event
from rules.library import find_book
from rules.phases import Part
from rules.reasons import refuse
from vision.errors import SeatsError
from web_ui.errors import ActionRefused

Events = tuple[Event, ...]

NOT_PLAYED = "ein neues Spiel vor der ersten Runde"
"""Why a game is abandoned that nobody has played a round of; nobody has to say so."""


def _anywhere(players: Sequence[str]) -> None:
    """For a mat that all share: everybody has room."""


@dataclass(frozen=True)
class Room:
    """What a table has for those who begin a game.

    Attributes:
        books: a pub's own, besides those of the package.
        verify_seats: raises `SeatsError` where the mat has no seats for these players.
    """

    books: tuple[RuleBook, ...] = ()
    verify_seats: Callable[[Sequence[str]], object] = _anywhere


class Starting:
    """Begins games.

    Args:
        clerk: acts and writes.
        room: books and seats of the table.
        settle: closes what is open of a game that is over.
    """

    def __init__(self, clerk: Clerk, room: Room, settle: Callable[[], None]) -> None:
        self._clerk = clerk
        self._room = room
        self._settle = settle

    def start(self, action: Mapping[str, Any]) -> Events:
        """Begin a game: `players`, `book`, `weekday` (or None), `by`.

        One that is under way ends without a loser: without a word as long as no round was begun,
        after that only with a `reason`.

        Raises:
            Refused, ActionRefused: not allowed now; nothing has changed.
            MalformedRecord: these players cannot play by this book.
        """
        clerk, game = self._clerk, self._clerk.game
        players = tuple(map(str, action.get("players", ())))
        match = game.new_match(self._book(str(action.get("book"))), players, action.get("weekday"))
        self.verify_seats(players)
        ended: Events = ()
        if not game.match.is_over:
            reason = action.get("reason")
            if reason is None and game.match.part is not Part.OPENING:
                raise refuse(game.match.book, "game_under_way")
            ended = clerk.do(Abandon(str(action.get("by")), str(reason or NOT_PLAYED)))
        self._settle()
        begun = clerk.begin(match)
        clerk.note("entered_by_hand", {"action": dict(action)})
        return (*ended, *begun)

    def verify_seats(self, players: Sequence[str]) -> None:
        """Check that these players fit around the mat.

        Raises:
            ActionRefused: they do not.
        """
        try:
            self._room.verify_seats(players)
        except SeatsError as error:
            raise ActionRefused(
                f"Auf dieser Matte haben nicht alle einen Platz: {error} Mit weniger Spielern "
                "beginnen oder in den Einstellungen table.layout auf shared stellen.",
                f"This mat has no seats for all of them: {error} Begin with fewer players, or set "
                "table.layout to shared.",
                "no_seat",
            ) from error

    def _book(self, key: str) -> RuleBook:
        """A book of the package or the pub's own; never a file that somebody names."""
        own = (*self._room.books, self._clerk.game.match.book)
        try:
            return next((book for book in own if book.key == key), None) or find_book(key)
        except UnknownBook as error:
            raise ActionRefused(
                f"Es gibt kein Regelwerk {key!r}.", f"There is no rule book {key!r}.", "no_book"
            ) from error
