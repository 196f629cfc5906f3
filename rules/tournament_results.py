"""What a table hands in: who went out of each half when, who lost, how many Schock aus.

A result comes from a match's log (`rules.tournament_log`) or from the card that a scribe fills in
by hand. It is checked against the table that was drawn, because a card is easily wrong.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from rules.changing import FrozenMapping
from rules.errors import MalformedRecord
from rules.tournament_format import LEAST_AT_TABLE, MOST_AT_TABLE, Format

HowEnded = Literal["final", "sweep", "champions_league", "scharf"]
"""By the final, by both halves, by several Schock aus in a round, or one sudden-death half."""

HALVES: Mapping[HowEnded, range] = {
    "final": range(2, 3),
    "sweep": range(2, 3),
    "champions_league": range(3),
    "scharf": range(1, 2),
}
"""How many halves a game that ended so may have had."""


@dataclass(frozen=True, kw_only=True)
class HalfRecord:
    """One half.

    Attributes:
        loser: who had all Deckel in the end.
        out: the others in the order in which they went out, the first first; players in one
            group went out at the same moment. Empty where the card does not say.
    """

    loser: str
    out: tuple[tuple[str, ...], ...] = ()


@dataclass(frozen=True, kw_only=True)
class GameRecord:
    """One game at a table: two halves and a final, or one half that was played scharf.

    Attributes:
        number: 1 for the first of the table.
        players: who played it.
        halves: in their order; a game that the Champions League ended may have had fewer.
        loser: who has lost the game; of a scharf half, that half.
        how: how it ended.
        schock_aus: how many Schock aus in one throw each player had; nobody with none.
    """

    number: int
    players: tuple[str, ...]
    halves: tuple[HalfRecord, ...]
    loser: str
    how: HowEnded
    schock_aus: Mapping[str, int] = field(default_factory=FrozenMapping)

    @property
    def scharf(self) -> bool:
        """Whether it was only one half, played as sudden death."""
        return self.how == "scharf"


@dataclass(frozen=True, kw_only=True)
class TableResult:
    """All games of a table in a round.

    Attributes:
        games: in their order.
        source: a match's log, or a card filled in by hand.
        by: who handed it in.
        cut_short: why fewer games were played than the format says; empty otherwise.
    """

    games: tuple[GameRecord, ...]
    source: Literal["log", "card"]
    by: str
    cut_short: str = ""


def problem_of(
    result: TableResult, seats: Sequence[str], made: Format, *, absent: Sequence[str] = ()
) -> tuple[str, str] | None:
    """Say what is wrong with a table's result, in German and English; None if nothing is.

    Args:
        result: what was handed in.
        seats: who was drawn to the table or seated there later.
        made: the tournament's format.
        absent: who of them need not be in every game: left, came later, or has no life left.
    """
    for at, game in enumerate(result.games, start=1):
        found = (
            (f"hat die Nummer {game.number}", f"has the number {game.number}")
            if game.number != at
            else _problem_of_game(game, seats, made, absent)
        )
        if found is not None:
            return f"Spiel {at} {found[0]}.", f"Game {at} {found[1]}."
    return None


def _problem_of_game(
    game: GameRecord, seats: Sequence[str], made: Format, absent: Sequence[str]
) -> tuple[str, str] | None:
    players = set(game.players)
    strangers, missing = players - set(seats), set(seats) - players - set(absent)
    if len(players) != len(game.players) or len(players) not in _SIZES:
        return _two("hat keine 2 bis 6 verschiedenen Spieler", "has no 2 to 6 different players")
    if strangers:
        names = ", ".join(sorted(strangers))
        return f"nennt {names}, nicht an diesem Tisch", f"names {names}, not at this table"
    if missing:
        names = ", ".join(sorted(missing))
        return f"wurde ohne {names} gespielt", f"was played without {names}"
    if unknown := set(game.schock_aus) - players:
        names = ", ".join(sorted(unknown))
        return f"hat ein Schock aus von {names}", f"has a Schock out of {names}"
    if any(count < 1 for count in game.schock_aus.values()):
        return _two("zählt weniger als ein Schock aus", "counts less than one Schock out")
    return _problem_of_halves(game, made)


def _problem_of_halves(game: GameRecord, made: Format) -> tuple[str, str] | None:
    losers = [half.loser for half in game.halves]
    if len(losers) not in HALVES[game.how]:
        return f"hat {len(losers)} Hälften", f"has {len(losers)} halves"
    if {game.loser, *losers} - set(game.players):
        return _two("nennt einen Verlierer, der nicht mitspielt", "names a loser who did not play")
    swept = len(losers) == 2 and losers[0] == losers[1]
    if (game.how == "sweep") != swept and game.how != "champions_league":
        return _two(
            "muss genau dann ein Durchmarsch sein, wenn einer beide Hälften verliert",
            "must be a sweep exactly when one player loses both halves",
        )
    if game.how in ("final", "sweep", "scharf") and game.loser not in losers:
        return (
            f"kann {game.loser} nicht verloren haben: keine Hälfte ging an ihn",
            f"cannot be lost by {game.loser}, who lost no half",
        )
    for number, half in enumerate(game.halves, start=1):
        told = [name for group in half.out for name in group]
        needed = made.counts_exits or (game.scharf and made.scharf == "half_decides")
        if (told or needed) and sorted([*told, half.loser]) != sorted(game.players):
            return (
                f"nennt in Hälfte {number} nicht jeden einmal, der ausgeschieden ist",
                f"does not name everybody once who went out of half {number}",
            )
    return None


def _two(german: str, english: str) -> tuple[str, str]:
    return german, english


_SIZES = range(LEAST_AT_TABLE, MOST_AT_TABLE + 1)


def check_result(result: TableResult) -> None:
    """Check what must be true of any result, whatever the tournament.

    Raises:
        MalformedRecord: it has no name of who handed it in, or an empty group of players.
    """
    if not result.by.strip():
        raise MalformedRecord("a table's result needs to say who handed it in, but 'by' is empty")
    for game in result.games:
        for half in game.halves:
            if not all(half.out):
                raise MalformedRecord(f"game {game.number} has an empty group of players in 'out'")
