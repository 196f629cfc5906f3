"""What the pages of a tournament are given from outside: the hall, to look at and to act in."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Literal, Protocol

from rules.tournament import Tournament
from web_ui.errors import ActionRefused
from web_ui.ports import EventLog, LogEntry

OPEN, CLOCK = "open_tournament", "start_clock"
ASSIGN, COLLECT = "assign_table", "collect"
HALL_ACTIONS = (OPEN, CLOCK, ASSIGN, COLLECT)
"""Actions that are the hall's own; all others are of `rules.tournament_actions`.

`open_tournament`: `name`, `seed`, `book` (key of the rule book that is played by), and either
`format` (key of one that ships) or `format_text` (an organiser's own as TOML, else ""); refused
while a tournament is under way. `start_clock`: the minutes of the round count from now on; refused
unless a round is under way. `assign_table`: `device`, the name of a paired one, plays at `table`
of the round from now on; "" takes the device off, and the result comes on a card. `collect`: the
time is up at these `tables` of the round, and what their logs say so far counts, with the `reason`
(`cut_short` of the result); refused where no device stands, and nothing is counted then.
"""


@dataclass(frozen=True, kw_only=True)
class LastThrow:
    """The latest throw at a table.

    Attributes:
        player: who.
        dice: what lies, () under a cup.
        text_de: how it is called, such as "Schock 5", in German.
        text_en: the same in English.
    """

    player: str
    dice: tuple[int, ...] = ()
    text_de: str = ""
    text_en: str = ""


@dataclass(frozen=True, kw_only=True)
class TableStatus:
    """A table of the current draw, a paired table, or both.

    Attributes:
        name: of the paired table's device, "" where none stands: results come on cards.
        number: of the table in the current draw, from 1; 0: it has no part in it.
        online: whether the device can be reached.
        players: who sits there.
        turn: whose turn it is; "" where that is not known.
        last_throw: the latest throw, or None.
        games_done: games that are over in this round.
        behind: entries of its log that are known to be missing here yet.
        last_seen_s: seconds since something came of it; None: nothing ever has.
        url: of its own page; "" where it has none that a browser may open.
        faults: what it reports, as pairs of a German and an English sentence.
        source: whether its results come of the device's log, or of a card.
    """

    name: str = ""
    number: int = 0
    online: bool = False
    players: tuple[str, ...] = ()
    turn: str = ""
    last_throw: LastThrow | None = None
    games_done: int = 0
    behind: int = 0
    last_seen_s: float | None = None
    url: str = ""
    faults: tuple[tuple[str, str], ...] = ()
    source: Literal["log", "card"] = "card"


@dataclass(frozen=True, kw_only=True)
class Pending:
    """Something a table asks for: a throw that was not read for sure, a case, a claim.

    Attributes:
        table: name of the table's device.
        id: the `question_id` or `case_id` at that table.
        kind: a question is answered, a case or a claim is ruled.
        player: about whom; "" for nobody.
        dice: what was read, or what stands in the log.
        candidates: throws that are likely, the likeliest first.
        verdicts: what a question may be answered with instead of dice (`web_ui.ports.VERDICTS`).
        at_s: when it was asked, Unix time in seconds.
        still: SHA-256 of the picture, "" without one.
        clip: SHA-256 of the clip, "" without one.
        text_de: what is asked, in German.
        text_en: the same in English.
    """

    table: str
    id: str
    kind: Literal["question", "case", "claim"]
    player: str = ""
    dice: tuple[int, ...] = ()
    candidates: tuple[tuple[int, ...], ...] = ()
    verdicts: tuple[str, ...] = ()
    at_s: float
    still: str = ""
    clip: str = ""
    text_de: str
    text_en: str


@dataclass(frozen=True, kw_only=True)
class RoundClock:
    """When the round under way began.

    Attributes:
        round: its number.
        drawn_at_s: when it was drawn, Unix time in seconds.
        started_at_s: when the clock was started (`start_clock`); 0: it was not, the draw counts.
    """

    round: int
    drawn_at_s: float
    started_at_s: float = 0.0


class Hall(Protocol):
    """The tournament, the tables, and what they ask for. Safe to use from several threads.

    Whatever is asked of it may raise OSError: it cannot read or write now, and may later.
    """

    @property
    def log(self) -> EventLog:
        """Everything that happens in the hall, in one row: what the live stream tells."""

    @property
    def seq(self) -> int:
        """Number of the newest entry of `log`; 0: it is empty."""

    def history(self, most: int) -> Sequence[LogEntry]:
        """Return the latest entries of `log` that are events of the tournament, newest first.

        An entry's `type` is the event's, its `data` the rest of the event's JSON object.
        """

    def tournament(self) -> Tournament | None:
        """Return the tournament that is under way or was the last; None before the first."""

    def clock(self) -> RoundClock | None:
        """Return when the last round that was drawn began; None before the first."""

    def do(self, action: dict[str, Any], by: str) -> Sequence[Mapping[str, Any]]:
        """Carry out an action, and return the events that it led to.

        Args:
            action: of `rules.tournament_actions` or `HALL_ACTIONS`, as JSON.
            by: who asks for it.

        Raises:
            ActionRefused: it is not allowed now; nothing has changed.
            MalformedRecord: it is no action.
        """

    def refusal(self, action: dict[str, Any]) -> ActionRefused | None:
        """Return why `do` would refuse an action now, or None.

        Raises:
            MalformedRecord: it is no action.
        """

    def tables(self) -> Sequence[TableStatus]:
        """Return the tables: of the current draw by their number, then other devices by name."""

    def queue(self) -> Sequence[Pending]:
        """Return what all tables ask for, the oldest first."""

    def rule(self, table: str, action: dict[str, Any], by: str) -> None:
        """Send a referee's action to a table, which carries it out.

        Args:
            table: name of its device.
            action: as the table's own `POST /api/actions` takes it.
            by: who decides.

        Raises:
            ActionRefused: the table does not allow it, or cannot be reached.
        """

    def evidence(self, table: str, sha256: str) -> Path | None:
        """Return a picture or clip; None: it is not here yet, and the table has been asked for it.

        Pages ask again with every look; the table need be asked only once in a while. An entry of
        `log` tells when the file has come. Its name ends as `web_ui.evidence.TYPES` says.
        """

    def incidents(self) -> Sequence[Mapping[str, Any]]:
        """Return what somebody should look into, the latest first.

        Each has `at_s`, `what` (a code), `table` ("" for none), `text_de` and `text_en`, perhaps
        `count`: messages that were forged, tables that have gone, cards that differ from the log;
        and what is wrong with the hub itself now (`web_ui.tournament_incidents.ALARMS`).
        """
