"""Who is still in: the cut after the point rounds, the tables of a knockout round, the final."""

from collections.abc import Sequence
from dataclasses import dataclass, replace

from rules.tournament_chance import lot
from rules.tournament_format import Format
from rules.tournament_points import points_of
from rules.tournament_ranking import Group, Ranked, ranked, split_by_playoffs
from rules.tournament_scoring import Outcome, outcome_by_lives, outcome_by_points
from rules.tournament_standings_points import by_points
from rules.tournament_state import Round, TournamentState


@dataclass(frozen=True, kw_only=True)
class Needed:
    """A Stechen that has to be played.

    Attributes:
        players: who is equal.
        table: of a knockout table of the last round; 0: for a place in the standings.
        places: of how many of them it has to find the best.
    """

    players: tuple[str, ...]
    table: int
    places: int


@dataclass(frozen=True, kw_only=True)
class Pool:
    """Who plays the next knockout round, and every Stechen that has to say so first."""

    players: tuple[str, ...]
    needed: tuple[Needed, ...] = ()


def outcome(state: TournamentState, one: Round, table: int) -> Outcome | None:
    """How a knockout table has ended, with every Stechen; None if it has not handed in."""
    handed = one.handed.get(table)
    if handed is None:
        return None
    judge = outcome_by_lives if state.format.ko == "lives" else outcome_by_points
    seats = one.tables[table - 1]
    found = judge(state.format, one.kind, seats, handed.result, handed.gone)
    playoffs = [p for p in state.playoffs if (p.round, p.table) == (one.number, table)]
    groups = [part for group in found.places for part in split_by_playoffs(group, playoffs)]
    shared = [group for group in groups if set(group) & set(found.tied)]
    forfeited = tuple(name for group in shared for name in _forfeits(state, group))
    groups = [part for group in groups for part in _split(group, forfeited)]
    if state.format.tied_cut == "lot" and state.format.ko == "points":
        seed = f"{state.seed}\nround {one.number}"
        groups = [(name,) for group in groups for name in sorted(group, key=lambda n: lot(seed, n))]
    places = tuple(group for group in groups if group)
    return replace(found, places=places, forfeited=forfeited)


def _forfeits(state: TournamentState, group: Group) -> Group:
    """Of equals of whom only some go on, who has gone home: no Stechen waits for him."""
    here = _here(state, group)
    return tuple(name for name in group if name not in here) if here else ()


def _split(group: Group, last: Group) -> list[Group]:
    return [tuple(n for n in group if n not in last), tuple(n for n in group if n in last)]


def knockout_rounds(state: TournamentState) -> tuple[Round, ...]:
    """The knockout rounds that were drawn, with the final."""
    return tuple(one for one in state.rounds if one.kind != "points")


def next_pool(state: TournamentState) -> Pool:
    """Return who is in for the next knockout round; the last round must be complete."""
    drawn = knockout_rounds(state)
    if not drawn:
        return _cut(state)
    through: list[str] = []
    needed: list[Needed] = []
    for number in range(1, len(drawn[-1].tables) + 1):
        found = outcome(state, drawn[-1], number)
        if found is None:
            continue
        through += found.through
        tied, places = _here(state, found.tied), found.go_on - len(found.through)
        if len(tied) > places:
            needed.append(Needed(players=tied, table=number, places=places))
        else:
            through += tied
    return Pool(players=_here(state, through), needed=tuple(needed))


def cut_of(made: Format, field: int) -> int:
    """How many of a field go on: the largest cut that is at most half of it, or the smallest."""
    if not made.cuts or field <= made.cuts[0]:
        return field
    return max((cut for cut in made.cuts if 2 * cut <= field), default=made.cuts[0])


def _cut(state: TournamentState) -> Pool:
    here = state.here
    if not state.format.point_rounds:
        return Pool(players=here)
    order = points_order(state, here)
    places = cut_of(state.format, len(here))
    inside = [one for one in order if one.place <= places]
    if len(inside) <= places:
        return Pool(players=tuple(one.player for one in inside))
    last = inside[-1].place
    safe = tuple(one.player for one in inside if one.place < last)
    tied = tuple(one.player for one in inside if one.place == last)
    return Pool(players=safe, needed=(Needed(players=tied, table=0, places=places - len(safe)),))


def points_order(state: TournamentState, players: Sequence[str]) -> tuple[Ranked, ...]:
    """Order players by the point rounds alone, as the cut looks at them."""
    lots = state.format.tied_cut == "lot"
    return ranked(players, by_points(state, points_of(state), lots=lots))


def _here(state: TournamentState, players: Sequence[str]) -> tuple[str, ...]:
    """Those of some players who have not gone home."""
    return tuple(name for name in players if state.entrants[name].here)
