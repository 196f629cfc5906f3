"""A table's result from the log of its matches: what a scribe would have written on the card.

The version that counts is read: a corrected throw, a round that was ruled otherwise and a move
that was taken back change the result as they have changed the game.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from rules import events
from rules.correcting import replayed
from rules.dice import DICE_PER_PLAYER
from rules.errors import IllegalEvent, MalformedRecord
from rules.match import Match
from rules.phases import Part
from rules.results import RankedResult
from rules.tournament_results import GameRecord, HalfRecord, TableResult

AUS = (1,) * DICE_PER_PLAYER


def table_result(
    log: Iterable[events.Event | Mapping[str, Any]],
    *,
    by: str,
    separate: bool = True,
    scharf_from: int = 0,
    drop_unfinished: bool = False,
    cut_short: str = "",
) -> TableResult:
    """Read a table's result from the log of all its games in a round.

    Args:
        log: the events of one game after the other, or their JSON objects.
        by: which table or device hands it in.
        separate: whoever is out in the same round is told apart by his throw of that round, the
            better one out first; False: they are out together (`exit_ties` of the format).
        scharf_from: the number of the first game of which only halves count, because they were
            played as sudden death; 0 for none.
        drop_unfinished: leave out the last game if it is not over, because the time was up.
        cut_short: why fewer games were played than the format says.

    Raises:
        IllegalEvent: the log is damaged; the message says where.
        MalformedRecord: an entry is no event, or a game is not over.

    A game that the referee has abandoned does not count.
    """
    games: list[GameRecord] = []
    for played in _games(log):
        match = Match.replay(played)
        sharp = 0 < scharf_from <= len(games) + 1
        if not sharp and not match.is_over and not drop_unfinished:
            raise MalformedRecord(
                f"game {len(games) + 1} is not over; finish or abandon it, or hand in without it "
                "(drop_unfinished)"
            )
        games += records_of(match, len(games) + 1, separate=separate, sharp=sharp)
    return TableResult(games=tuple(games), source="log", by=by, cut_short=cut_short)


def _games(log: Iterable[events.Event | Mapping[str, Any]]) -> list[list[events.Event]]:
    games: list[list[events.Event]] = []
    for entry in log:
        event = entry if isinstance(entry, events.Event) else events.event_from_json(entry)
        if isinstance(event, events.MatchStarted):
            games.append([])
        if not games:
            raise IllegalEvent(f"a log must begin with 'match_started', not {event.type!r}")
        games[-1].append(event)
    return games


def records_of(
    match: Match, number: int, *, separate: bool = True, sharp: bool = False
) -> list[GameRecord]:
    """The records of one game: one, or of a sudden-death game one for each half.

    Args:
        match: the game; one that is not over, or was abandoned, has no record.
        number: of its first record.
        separate: see `table_result`.
        sharp: only halves count.
    """
    told: list[events.Event] = []
    replayed(match.state, match.state.record, told=told.append)
    halves = _halves(match, told, separate=separate)
    aus = _schock_aus(told)
    if sharp:
        return [
            GameRecord(
                number=number + at,
                players=match.players,
                halves=(half,),
                loser=half.loser,
                how="scharf",
                schock_aus=aus if at == 0 else {},
            )
            for at, half in enumerate(halves)
        ]
    ended = next((event for event in told if isinstance(event, events.GameOver)), None)
    if ended is None:
        return []
    return [
        GameRecord(
            number=number,
            players=match.players,
            halves=tuple(halves),
            loser=ended.loser,
            how=ended.how,
            schock_aus=aus,
        )
    ]


class _Exits:
    """Who has gone out of the half that is being played, after which round."""

    def __init__(self, ranking: Sequence[RankedResult] = ()) -> None:
        self.groups: list[tuple[list[str], Sequence[RankedResult]]] = [([], ranking)]

    def settled(self, ranking: Sequence[RankedResult]) -> None:
        """A round is over; whoever goes out now does so by it."""
        self.groups.append(([], ranking))

    def out(self, name: str) -> None:
        """Somebody is out."""
        self.groups[-1][0].append(name)

    def back(self, name: str) -> None:
        """Somebody has come back in."""
        for names, _ in self.groups:
            if name in names:
                names.remove(name)

    def over(self, loser: str, players: Sequence[str], *, separate: bool) -> HalfRecord:
        """The half is over: everybody else who was in is out now, too."""
        gone = {name for names, _ in self.groups for name in names}
        for name in players:
            if name not in gone and name != loser:
                self.out(name)
        groups: list[tuple[str, ...]] = []
        for names, ranking in self.groups:
            known = [result.player for result in ranking if result.player in names]
            order = known if separate else []
            groups += [(name,) for name in order]
            groups.append(tuple(name for name in names if name not in order))
        return HalfRecord(loser=loser, out=tuple(group for group in groups if group))


def _halves(match: Match, told: Sequence[events.Event], *, separate: bool) -> list[HalfRecord]:
    halves: list[HalfRecord] = []
    exits, opening = _Exits(), _Exits()
    for event in told:
        if isinstance(event, events.OpeningSettled):
            opening = exits = _Exits(event.ranking)
        elif isinstance(event, events.HalfStarted):
            exits = opening if event.part == Part.HALF1 else _Exits()
        elif isinstance(event, events.RoundSettled):
            exits.settled(event.ranking)
        elif isinstance(event, events.HalfOver):
            halves.append(exits.over(event.loser, match.players, separate=separate))
        elif isinstance(event, events.PlayerOut) and event.part != Part.FINAL:
            exits.out(event.player)
        elif isinstance(event, events.Reentered) and event.part != Part.FINAL:
            exits.back(event.player)
    return halves


def _schock_aus(told: Sequence[events.Event]) -> dict[str, int]:
    """Count the Schock aus in one throw, in all parts of the game."""
    counts: dict[str, int] = {}
    for event in told:
        if isinstance(event, events.Thrown) and event.from_hand and event.dice == AUS:
            counts[event.player] = counts.get(event.player, 0) + 1
    return counts
