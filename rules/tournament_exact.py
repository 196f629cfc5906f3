"""Search a small field to the end: is there a seating that costs less?

Branch and bound: the first player without a seat gets a table, then companions one by one; what
cannot be better any more is given up. The bound of what is still to come: everybody needs at least
the cheapest companions that are left, each pair shared by two, and the seats at unusual tables go
to those whom they cost least. A field that needs more than `NODES` steps, or has
more than `MOST_PLAYERS`, is given up, unproved.
"""

from collections.abc import Mapping, Sequence

from rules.tournament_sizes import usual_size

MOST_PLAYERS = 24
"""A larger field is not even tried: its bounds alone would take seconds."""

NODES = 600_000
"""Steps after which a field counts as too large: a second or so."""


def prove_least(
    tables: Sequence[int],
    pairs: Sequence[Mapping[int, int]],
    extra: Sequence[int],
    seats: list[list[int]],
    total: int,
) -> tuple[list[list[int]], bool]:
    """Look for a seating that costs less than a known one.

    Args:
        tables: their sizes.
        pairs: for each player what sitting with another costs, where it costs something.
        extra: for each player what a seat at a table of an unusual size costs.
        seats: the known seating, players as numbers.
        total: what it costs.

    Returns:
        The best seating found, in the order of `tables`, and whether none is better.
    """
    if len(pairs) > MOST_PLAYERS:
        return seats, False
    search = _Bounded(tables, pairs, extra, seats, total)
    search.next_table(tuple(range(len(pairs))), sorted(tables, reverse=True), 0, [])
    best = sorted(search.best, key=len, reverse=True)
    return best, search.nodes <= NODES


class _Bounded:
    """The search; `best` and `total` are the cheapest seating so far and what it costs."""

    def __init__(
        self,
        tables: Sequence[int],
        pairs: Sequence[Mapping[int, int]],
        extra: Sequence[int],
        seats: list[list[int]],
        total: int,
    ) -> None:
        self.usual = usual_size(tables)
        everyone = range(len(pairs))
        self.together = [[row.get(other, 0) for other in everyone] for row in pairs]
        self.extra = extra
        self.best, self.total = seats, total
        self.nodes = 0

    def next_table(
        self, free: tuple[int, ...], sizes: list[int], cost: int, done: list[list[int]]
    ) -> None:
        """Fill one more table, with the first player who has no seat."""
        if not free:
            if cost < self.total:
                self.best, self.total = [list(table) for table in done], cost
            return
        self.nodes += len(free)  # the bound looks at all of them
        if self.nodes > NODES or cost + self._at_least(free, sizes) >= self.total:
            return
        for size in sorted(set(sizes), reverse=True):
            rest = list(sizes)
            rest.remove(size)
            first = cost + (self.extra[free[0]] if size != self.usual else 0)
            self.nodes += 1
            if first < self.total:
                self._companions(free, 1, [free[0]], size, rest, first, done)

    def _companions(
        self,
        free: tuple[int, ...],
        begin: int,
        table: list[int],
        size: int,
        rest: list[int],
        cost: int,
        done: list[list[int]],
    ) -> None:
        """Add companions with higher numbers until the table is full."""
        if len(table) == size:
            seated = set(table)
            left = tuple(one for one in free if one not in seated)
            self.next_table(left, rest, cost, [*done, table])
            return
        for at in range(begin, len(free) - (size - len(table)) + 1):
            one = free[at]
            together = self.together[one]
            more = self.extra[one] if size != self.usual else 0
            for other in table:
                more += together[other]
            self.nodes += 1
            if self.nodes > NODES:
                return
            if cost + more < self.total:
                self._companions(free, at + 1, [*table, one], size, rest, cost + more, done)

    def _at_least(self, free: tuple[int, ...], sizes: list[int]) -> int:
        companions = min(sizes) - 1
        twice = 0
        for one in free:
            together = self.together[one]
            costs = sorted([together[other] for other in free if other != one])
            twice += sum(costs[:companions])
        unusual_seats = sum(size for size in sizes if size != self.usual)
        alone = sum(sorted([self.extra[one] for one in free])[:unusual_seats])
        return (twice + 1) // 2 + alone
