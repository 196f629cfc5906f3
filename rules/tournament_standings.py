"""The standings at any time, and in the end the final ranking: each place with its reason."""

from dataclasses import dataclass
from typing import Literal

from rules.tournament_knockout import Needed, knockout_rounds, next_pool, outcome
from rules.tournament_points import points_of
from rules.tournament_ranking import Criterion, Group, Words, against, by_key, ranked
from rules.tournament_scoring import Outcome, Score
from rules.tournament_standings_points import by_points
from rules.tournament_state import TournamentState


@dataclass(frozen=True, kw_only=True)
class Standing:
    """A player's place and what it rests on.

    Attributes:
        place: 1 for the best; equals share the best of their places.
        player: who.
        team: of whom; "" without one.
        score: what counts of the point rounds.
        here: whether he has not gone home.
        equals: who shares the place.
        codes: the criteria that decided between him and his neighbours, machine-readable.
        reason_de: why this place, in German.
        reason_en: the same in English.
    """

    place: int
    player: str
    team: str
    score: Score
    here: bool
    equals: tuple[str, ...]
    codes: tuple[str, ...]
    reason_de: str
    reason_en: str


def standings(state: TournamentState) -> tuple[Standing, ...]:
    """Order everybody who is here or has played."""
    played = {name for one in state.rounds for name in (*one.players, *one.sitting_out)}
    names = [name for name, who in state.entrants.items() if who.here or name in played]
    points = points_of(state)
    criteria = [
        _by_leaving(state),
        *_by_knockout(state),
        *by_points(state, points, lots=state.format.tied_places == "lot"),
    ]
    return tuple(
        Standing(
            place=one.place,
            player=one.player,
            team=state.entrants[one.player].team,
            score=points[one.player].total,
            here=state.entrants[one.player].here,
            equals=one.equals,
            codes=one.codes,
            reason_de=one.reason_de,
            reason_en=one.reason_en,
        )
        for one in ranked(names, criteria)
    )


def nothing_left(state: TournamentState) -> bool:
    """Whether every round has been played, so that only a Stechen may be missing."""
    last = state.round
    if last is None or last.waiting or not state.points_over:
        return False
    if state.format.ko == "none" or last.kind == "final":
        return True
    pool = next_pool(state)
    return not pool.needed and len(pool.players) < 2


def stechen_needed(state: TournamentState) -> tuple[Needed, ...]:
    """Every Stechen that has to be played now: at the cut, at a table, for a place with a prize."""
    last = state.round
    if state.over or last is None or last.waiting or not state.points_over:
        return ()
    if state.format.ko != "none":
        needed = next_pool(state).needed
        if needed:
            return needed
    if not nothing_left(state) or state.format.tied_places != "stechen":
        return ()
    groups: dict[int, list[str]] = {}
    for one in standings(state):
        if one.equals and one.here and one.place <= state.format.prize_places:
            groups.setdefault(one.place, []).append(one.player)
    return tuple(
        Needed(players=tuple(names), table=0, places=state.format.prize_places - place + 1)
        for place, names in groups.items()
    )


def _by_leaving(state: TournamentState) -> Criterion:
    """Who leaves before the point rounds are over comes last, where the format says so."""
    behind = state.format.leavers == "behind"

    def left(name: str) -> bool:
        number = state.entrants[name].gone_in_round
        return behind and 0 < number <= state.format.point_rounds

    def words(name: str) -> Words | None:
        number = state.entrants[name].gone_in_round
        if not left(name):
            return None
        return f"gegangen in Runde {number}", f"left in round {number}"

    return by_key("left", left, told=words)


@dataclass(frozen=True, kw_only=True)
class _Reached:
    """How far a player has come: the last knockout round (1 the first) and how it ended for him."""

    round: int
    how: Literal["out", "waiting", "through"]
    final: bool
    place: int
    stechen: bool
    forfeited: bool

    @property
    def key(self) -> tuple[int, int]:
        """Smaller for who has come further."""
        return -self.round, -("out", "waiting", "through").index(self.how)


_NOT_IN = _Reached(round=0, how="out", final=False, place=0, stechen=False, forfeited=False)


def _by_knockout(state: TournamentState) -> list[Criterion]:
    """How far somebody has come, then the place at the table where it counts."""
    drawn = knockout_rounds(state)
    if not drawn:
        return []
    reached: dict[str, _Reached] = {}
    for at, one in enumerate(drawn, start=1):
        counts = one.kind == "final" or state.format.ko_order == "table"
        for number, seats in enumerate(one.tables, start=1):
            found = outcome(state, one, number)
            played = {
                name
                for playoff in state.playoffs
                if (playoff.round, playoff.table) == (one.number, number)
                for name in playoff.players
            }
            for name in seats:
                reached[name] = _Reached(
                    round=at,
                    how=_how(found, name, last=at == len(drawn)),
                    final=one.kind == "final",
                    place=_place_at_table(found, name) if found is not None and counts else 0,
                    stechen=name in played,
                    forfeited=found is not None and name in found.forfeited,
                )

    def table_words(name: str, ahead: Group, behind: Group) -> Words:
        one = reached[name]
        text = f"{one.place}. am Tisch", f"number {one.place} of the table"
        return against(text, ahead, behind) if one.final else text

    return [
        by_key(
            "knockout",
            lambda name: reached.get(name, _NOT_IN).key,
            told=lambda name: _knockout_words(reached.get(name, _NOT_IN)),
        ),
        by_key("table", lambda name: reached.get(name, _NOT_IN).place, decided=table_words),
    ]


def _how(found: Outcome | None, name: str, *, last: bool) -> Literal["out", "waiting", "through"]:
    """Equals wait for their Stechen until the next round is drawn, and for none after it."""
    if found is None or (last and name in found.tied):
        return "waiting"
    return "through" if name in found.through else "out"


def _place_at_table(found: Outcome, name: str) -> int:
    ahead = 0
    for group in found.places:
        if name in group:
            break
        ahead += len(group)
    return ahead + 1


def _knockout_words(reached: _Reached) -> Words:
    if not reached.round:
        return "nicht in der K.-o.-Runde", "not in the knockout"
    german, english = _round_words(reached)
    if reached.forfeited:
        return f"{german}, vor dem Stechen gegangen", f"{english}, left before the play-off"
    if reached.stechen:
        return f"{german} nach Stechen", f"{english} after a play-off"
    return german, english


def _round_words(reached: _Reached) -> Words:
    number = reached.round
    if reached.final:
        if reached.how == "through":
            return "Sieger des Finales", "winner of the final"
        return "im Finale", "in the final"
    german, english = {
        "through": ("weiter aus K.-o.-Runde", "through from knockout round"),
        "waiting": ("in K.-o.-Runde", "in knockout round"),
        "out": ("ausgeschieden in K.-o.-Runde", "out in knockout round"),
    }[reached.how]
    return f"{german} {number}", f"{english} {number}"
