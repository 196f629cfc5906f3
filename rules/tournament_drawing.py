"""Which round comes next, who plays it, and its draw."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations

from rules.changing import changed
from rules.tournament_chance import Chance
from rules.tournament_draw import Draw, Pair, Past, counted, draw, seat
from rules.tournament_format import MOST_AT_TABLE
from rules.tournament_knockout import Pool, next_pool
from rules.tournament_reasons import refuse
from rules.tournament_sizes import PAIR, knockout_plan, usual_size
from rules.tournament_state import Kind, TournamentState


@dataclass(frozen=True, kw_only=True)
class Due:
    """The round that can be drawn.

    Attributes:
        state: the tournament before it; without a round that is drawn anew.
        number: of the round.
        attempt: 1, or more where an unplayed draw is replaced.
        kind: point round, knockout round or final.
        players: who plays it.
    """

    state: TournamentState
    number: int
    attempt: int
    kind: Kind
    players: tuple[str, ...]

    @property
    def seed(self) -> str:
        """What decides this draw: the tournament's seed, the round, and which attempt it is."""
        return f"{self.state.seed}\nround {self.number}\nattempt {self.attempt}"


def due_round(state: TournamentState, *, redraw: bool) -> Due:
    """Say which round is to be drawn.

    Args:
        state: the tournament.
        redraw: replace the last round, of which nothing has been played.

    Raises:
        Refused: `over`, `tables_missing`, `redraw_needs_reason`, `reason_without_redraw`,
            `fee_open`, `too_few`, `no_more_rounds` or `stechen_needed`.
    """
    made, last, attempt = state.format, state.round, 1
    if state.over:
        raise refuse(made, "over")
    if last is not None and last.waiting:
        if last.handed:
            raise refuse(made, "tables_missing", round=last.number, tables=last.waiting)
        if not redraw:
            raise refuse(made, "redraw_needs_reason", round=last.number)
        attempt = last.attempt + 1
        state = changed(state, rounds=state.rounds[:-1])
    elif redraw:
        raise refuse(made, "reason_without_redraw", round=state.next_number)
    number = state.next_number
    points = len(state.rounds) < made.point_rounds
    if not points and (made.ko == "none" or (state.rounds and state.rounds[-1].kind == "final")):
        raise refuse(made, "no_more_rounds")
    pool = Pool(players=state.here) if points else next_pool(state)
    _check_pool(state, pool, number, points=points)
    kind: Kind = "points"
    if not points:
        sizes = knockout_plan(len(pool.players), made.table_sizes, made.final_most)
        kind = "final" if len(sizes) == 1 else "ko"
    return Due(state=state, number=number, attempt=attempt, kind=kind, players=pool.players)


def _check_pool(state: TournamentState, pool: Pool, number: int, *, points: bool) -> None:
    made = state.format
    if pool.needed:
        first = pool.needed[0]
        verb = "kommt" if first.places == 1 else "kommen"
        raise refuse(made, "stechen_needed", names=first.players, places=first.places, verb_de=verb)
    if len(pool.players) < PAIR:
        if not points and state.rounds:
            raise refuse(made, "no_more_rounds")
        raise refuse(made, "too_few", round=number, count=len(pool.players))
    entrants = state.entrants
    if owing := tuple(n for n in pool.players if entrants[n].paid_eur < made.entry_fee_eur):
        raise refuse(made, "fee_open", names=owing)


def draw_due(due: Due) -> Draw:
    """Draw a round by its seed."""
    state, past = due.state, past_of(due.state)
    made = state.format
    if due.kind == "points":
        return draw(due.players, made.table_sizes, past, due.seed)
    sizes = knockout_plan(len(due.players), made.table_sizes, made.final_most)
    lots = Chance(due.seed).shuffled(sorted(due.players))
    return seat(lots, sizes, past, due.seed)


def drawn_by_hand(due: Due, tables: Sequence[tuple[str, ...]]) -> Draw:
    """Take over a draw from a pot; who of a point round is not named sits out.

    Raises:
        Refused: `not_the_field`.
    """
    named = [name for table in tables for name in table]
    left = tuple(name for name in due.players if name not in set(named))
    problem = None
    if len(set(named)) < len(named):
        twice = min(name for name in named if named.count(name) > 1)
        problem = f"{twice} sitzt zweimal", f"{twice} sits twice"
    elif strangers := sorted(set(named) - set(due.players)):
        names = ", ".join(strangers)
        problem = f"{names} spielt nicht mit", f"{names} does not play"
    elif left and due.kind != "points":
        problem = f"{', '.join(left)} hat keinen Platz", f"{', '.join(left)} has no seat"
    elif wrong := [len(t) for t in tables if len(t) not in range(PAIR, MOST_AT_TABLE + 1)]:
        problem = f"ein Tisch mit {wrong[0]} Spielern", f"a table of {wrong[0]} players"
    if problem is not None:
        raise refuse(due.state.format, "not_the_field", what_de=problem[0], what_en=problem[1])
    return Draw(
        tables=tuple(tables), sitting_out=left, exact=False, **counted(tables, past_of(due.state))
    )


def past_of(state: TournamentState) -> Past:
    """Who has met whom so far, and who sat at a table of an unusual size or out."""
    met: Counter[Pair] = Counter()
    uneven: Counter[str] = Counter()
    sat_out: Counter[str] = Counter()
    for one in state.rounds:
        usual = usual_size([len(table) for table in one.tables])
        for table in one.tables:
            met.update(frozenset(pair) for pair in combinations(table, 2))
            if len(table) != usual:
                uneven.update(table)
        sat_out.update(one.sitting_out)
    teams = {name: one.team for name, one in state.entrants.items() if one.team}
    return Past(met=met, teams=teams, uneven=uneven, sat_out=sat_out)
