"""Draw the tables of a round: by lot, so that as few as possible meet again.

A table has three to six players, so this is no pairing of two: a field is cut into tables. What
is counted, the first before the second and so on:

1. team mates at one table;
2. pairs that have met before, once for each time they have;
3. players at a table of an unusual size (or sitting out) who were so before.

The lot puts the players in an order; from it a tabu search swaps players until nobody meets
again or its steps are used up. A small field is then searched to the end
(`rules.tournament_exact`), and the draw says whether it is proved that none has less (`exact`).
The same seed gives the same draw: it can be proved again.

Source: min-conflicts with a tabu list, Galinier & Hao, Tabu search for maximal constraint
satisfaction problems, CP 1997; the field is a social golfer problem without a fixed end.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from rules.tournament_chance import Chance
from rules.tournament_exact import prove_least
from rules.tournament_sizes import plan, usual_size

METHOD = "tabu-1"
"""Named in the log: another version of the program may draw otherwise from the same seed."""

EVALUATIONS = 400_000
"""Swaps that are tried at most: a quarter of a second or so."""
STEPS_A_PLAYER = 40
"""Swaps that are made at most, for each player: a small field is soon gone through."""
TABU_STEPS = 12
"""Steps for which a player who has been moved stays, plus up to as many by lot."""

TEAM, MEETING, UNEVEN = 10**12, 10**6, 1
"""Weights: no number of what is further down outweighs one of what is above it."""

Pair = frozenset[str]


@dataclass(frozen=True, kw_only=True)
class Past:
    """What a draw has to look at.

    Attributes:
        met: how often two players have sat at one table; pairs that have not are missing.
        teams: the team of each player who has one.
        uneven: how often a player has sat at a table of an unusual size.
        sat_out: how often a player has sat out.
    """

    met: Mapping[Pair, int]
    teams: Mapping[str, str]
    uneven: Mapping[str, int]
    sat_out: Mapping[str, int]


NO_PAST = Past(met={}, teams={}, uneven={}, sat_out={})


@dataclass(frozen=True, kw_only=True)
class Draw:
    """The tables of a round.

    Attributes:
        tables: who sits where; the largest tables first.
        sitting_out: who finds no table that the format wants.
        repeats: pairs at a table who have met before.
        team_pairs: pairs of team mates at a table.
        exact: whether it is proved that no draw of these players at such tables is better.
    """

    tables: tuple[tuple[str, ...], ...]
    sitting_out: tuple[str, ...] = ()
    repeats: int
    team_pairs: int
    exact: bool


def draw(players: Sequence[str], sizes: Sequence[int], past: Past, seed: str) -> Draw:
    """Draw the tables of a point round.

    Args:
        players: who plays, two or more.
        sizes: of a table, the most wanted first.
        past: who has met whom, and so on.
        seed: decides everything that is left to the lot.
    """
    tables, out = plan(len(players), sizes)
    lots = Chance(seed).shuffled(sorted(players))
    waiting = sorted(lots, key=lambda name: past.sat_out.get(name, 0))[:out]
    left = set(waiting)
    return seat([name for name in lots if name not in left], tables, past, seed, waiting)


def seat(
    lots: Sequence[str],
    tables: Sequence[int],
    past: Past,
    seed: str,
    sitting_out: Sequence[str] = (),
) -> Draw:
    """Seat players at tables of given sizes.

    Args:
        lots: the players in an order by lot, as many as there are seats.
        tables: the sizes.
        past: who has met whom, and so on.
        seed: decides between equals.
        sitting_out: who has no seat.
    """
    search = _Search(lots, tables, past, Chance(f"{seed}\nsearch"))
    seats = search.run()
    proved = search.total <= search.least
    if not proved:
        better, proved = prove_least(tables, search.pairs, search.extra, seats, search.total)
        seats = better
    named = tuple(tuple(lots[at] for at in sorted(table)) for table in seats)
    return Draw(tables=named, sitting_out=tuple(sitting_out), exact=proved, **counted(named, past))


def counted(tables: Sequence[Sequence[str]], past: Past) -> dict[str, int]:
    """Count the pairs at tables who have met before, and those of one team."""
    pairs = [(a, b) for t in tables for at, a in enumerate(t) for b in t[at + 1 :]]
    return {
        "repeats": sum(1 for a, b in pairs if past.met.get(frozenset((a, b)))),
        "team_pairs": sum(1 for a, b in pairs if same_team(past.teams, a, b)),
    }


def same_team(teams: Mapping[str, str], one: str, other: str) -> bool:
    """Whether two players are team mates."""
    return bool(teams.get(one)) and teams.get(one) == teams.get(other)


class _Search:
    """A tabu search over swaps of two players; players are numbers in the order of the lot.

    Attributes:
        pairs: for each player what sitting with another costs, where it costs something.
        extra: for each player what a table of an unusual size costs.
        total: what the best seating found costs.
        least: what every seating costs at least.
    """

    def __init__(
        self, lots: Sequence[str], tables: Sequence[int], past: Past, chance: Chance
    ) -> None:
        self.chance = chance
        self.tables = tables
        usual = usual_size(tables)
        self.unusual = [size != usual for size in tables]
        self.pairs = _pair_costs(lots, past)
        self.extra = [UNEVEN * past.uneven.get(name, 0) for name in lots]
        bad_seats = sum(size for size, bad in zip(tables, self.unusual, strict=True) if bad)
        self.least = sum(sorted(self.extra)[:bad_seats])
        starts = [sum(tables[:at]) for at in range(len(tables) + 1)]
        self.table_of = [at for at, size in enumerate(tables) for _ in range(size)]
        self.cost_at = [[extra if bad else 0 for bad in self.unusual] for extra in self.extra]
        for one, others in enumerate(self.pairs):
            for other, cost in others.items():
                self.cost_at[one][self.table_of[other]] += cost
        self.total = self._now = self._count()
        self._best = [list(range(a, b)) for a, b in pairwise(starts)]

    def run(self) -> list[list[int]]:
        """Search until nothing is left to be better or the steps are used up."""
        steps, tabu = 0, [0] * len(self.pairs)
        players = len(self.pairs)
        budget = min(EVALUATIONS // players, STEPS_A_PLAYER * players)
        while self.total > self.least and steps < budget and len(self.tables) > 1:
            steps += 1
            troubled = [one for one, table in enumerate(self.table_of) if self.cost_at[one][table]]
            one = troubled[self.chance.below(len(troubled))]
            found = self._best_swap(one, tabu, steps)
            if found is None:
                continue
            change, other = found
            self._swap(one, other)
            self._now += change
            tabu[one] = steps + TABU_STEPS + self.chance.below(TABU_STEPS)
            tabu[other] = tabu[one]
            if self._now < self.total:
                self.total, self._best = self._now, self._seats()
        return self._best

    def _best_swap(self, one: int, tabu: Sequence[int], step: int) -> tuple[int, int] | None:
        """The swap that helps most; a tabu one only if it beats the best seating so far."""
        here, mine, pairs = self.table_of[one], self.cost_at[one], self.pairs[one]
        leaving, begin, count = mine[here], self.chance.below(len(tabu)), len(tabu)
        best: tuple[int, int] | None = None
        for at in range(begin, begin + count):
            other = at - count if at >= count else at
            there = self.table_of[other]
            if there == here:
                continue
            theirs = self.cost_at[other]
            change = mine[there] - leaving + theirs[here] - theirs[there]
            if other in pairs:
                change -= 2 * pairs[other]
            if best is not None and change >= best[0]:
                continue
            if (tabu[other] > step or tabu[one] > step) and self._now + change >= self.total:
                continue
            best = change, other
        return best

    def _swap(self, one: int, other: int) -> None:
        here, there = self.table_of[one], self.table_of[other]
        for mover, source, target in ((one, here, there), (other, there, here)):
            for friend, cost in self.pairs[mover].items():
                costs = self.cost_at[friend]
                costs[source] -= cost
                costs[target] += cost
        self.table_of[one], self.table_of[other] = there, here

    def _count(self) -> int:
        """What the seating costs: a pair is in the costs of both."""
        costs = sum(self.cost_at[one][table] for one, table in enumerate(self.table_of))
        alone = sum(self.extra[one] for one, t in enumerate(self.table_of) if self.unusual[t])
        return (costs + alone) // 2

    def _seats(self) -> list[list[int]]:
        seats: list[list[int]] = [[] for _ in self.tables]
        for one, table in enumerate(self.table_of):
            seats[table].append(one)
        return seats


def _pair_costs(lots: Sequence[str], past: Past) -> list[dict[int, int]]:
    number = {name: at for at, name in enumerate(lots)}
    costs: list[dict[int, int]] = [{} for _ in lots]
    for pair, times in past.met.items():
        one, other = (number.get(name, -1) for name in pair)
        if min(one, other) >= 0:
            costs[one][other] = costs[other][one] = MEETING * times
    members: dict[str, list[int]] = {}
    for name, at in number.items():
        if team := past.teams.get(name):
            members.setdefault(team, []).append(at)
    for mates in members.values():
        for one in mates:
            for other in mates:
                if one != other:
                    costs[one][other] = costs[one].get(other, 0) + TEAM
    return costs
