"""The state of a tournament: one frozen value that events lead from one to the next."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from rules.changing import FrozenMapping
from rules.tournament_format import Format
from rules.tournament_results import TableResult

Kind = Literal["points", "ko", "final"]
"""What a round is for."""


@dataclass(frozen=True, kw_only=True)
class Entrant:
    """A player of the tournament.

    Attributes:
        name: as it stands on cards and tables.
        team: of whom; "" without one.
        first_round: the first round that he could be drawn for.
        paid_eur: entry fee that he has paid.
        charity_eur: what he has given for his Schock aus.
        gone_in_round: he has left for good, in this round or before it is drawn; 0: he is here.
    """

    name: str
    team: str = ""
    first_round: int = 1
    paid_eur: int = 0
    charity_eur: int = 0
    gone_in_round: int = 0

    @property
    def here(self) -> bool:
        """Whether he takes part in what comes."""
        return self.gone_in_round == 0


@dataclass(frozen=True, kw_only=True)
class Handed:
    """A table's result and who had gone home by then."""

    result: TableResult
    gone: tuple[str, ...] = ()


@dataclass(frozen=True, kw_only=True)
class Round:
    """A drawn round.

    Attributes:
        number: from 1, point rounds and knockout rounds together.
        kind: point round, knockout round or final.
        tables: who sits where; table 1 is the first.
        sitting_out: who had no seat (Springer).
        attempt: 1, or more if an unplayed draw was replaced; part of the seed.
        here: everybody who was there when it was drawn.
        late: who was seated after the draw.
        away: who left a table while it played, also if he came back.
        moved: who was seated at another table while it played, and the number of the one before.
        handed: results by the number of the table.
        scharf: tables that the referee lets play sudden death.
    """

    number: int
    kind: Kind
    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...]
    attempt: int
    here: frozenset[str]
    late: tuple[str, ...] = ()
    away: tuple[str, ...] = ()
    moved: tuple[tuple[str, int], ...] = ()
    handed: Mapping[int, Handed] = field(default_factory=FrozenMapping)
    scharf: frozenset[int] = frozenset()

    @property
    def waiting(self) -> tuple[int, ...]:
        """Numbers of the tables that have not handed in a result; one that all left has none."""
        return tuple(n for n, t in enumerate(self.tables, start=1) if t and n not in self.handed)

    @property
    def players(self) -> tuple[str, ...]:
        """Everybody at a table."""
        return tuple(name for table in self.tables for name in table)

    def table_of(self, name: str) -> int:
        """The number of a player's table; 0 without one."""
        numbers = (n for n, table in enumerate(self.tables, start=1) if name in table)
        return next(numbers, 0)

    def moved_from(self, table: int) -> tuple[str, ...]:
        """Who sat at a table in this round and sits at another one now."""
        seats = self.tables[table - 1]
        return tuple(dict.fromkeys(n for n, at in self.moved if at == table and n not in seats))


@dataclass(frozen=True, kw_only=True)
class Playoff:
    """A Stechen.

    Attributes:
        round: the last round that was drawn by then.
        table: of a knockout table of that round; 0: for a place in the standings.
        order: who was better, groups of equals.
    """

    round: int
    table: int
    order: tuple[tuple[str, ...], ...]

    @property
    def players(self) -> frozenset[str]:
        """Everybody who took part."""
        return frozenset(name for group in self.order for name in group)


@dataclass(frozen=True, kw_only=True)
class TournamentState:
    """Everything that the rest of a tournament depends on.

    Attributes:
        format: how it is played.
        name: what it is called.
        seed: decides every lot.
        entrants: everybody who has registered, by name, in that order.
        rounds: drawn rounds, oldest first.
        playoffs: every Stechen, oldest first.
        over: it has ended.
        ended_early: why it has ended before its time; "" if it has not.
    """

    format: Format
    name: str
    seed: str
    entrants: Mapping[str, Entrant] = field(default_factory=FrozenMapping)
    rounds: tuple[Round, ...] = ()
    playoffs: tuple[Playoff, ...] = ()
    over: bool = False
    ended_early: str = ""

    @property
    def round(self) -> Round | None:
        """The last round that was drawn, or None."""
        return self.rounds[-1] if self.rounds else None

    @property
    def next_number(self) -> int:
        """The number of the round that is being played, or is drawn next."""
        last = self.round
        if last is None:
            return 1
        return last.number if last.waiting else last.number + 1

    @property
    def here(self) -> tuple[str, ...]:
        """Who takes part in what comes, in the order of registration."""
        return tuple(name for name, entrant in self.entrants.items() if entrant.here)

    @property
    def point_rounds(self) -> tuple[Round, ...]:
        """The point rounds that were drawn."""
        return tuple(one for one in self.rounds if one.kind == "points")

    @property
    def points_over(self) -> bool:
        """Whether every point round has been played."""
        played = [one for one in self.point_rounds if not one.waiting]
        return len(played) == self.format.point_rounds
