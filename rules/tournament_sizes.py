"""How many tables of which size: of those that a format wants, as many of the first as can be."""

from collections.abc import Sequence

from rules.tournament_format import MOST_AT_TABLE

PAIR = 2
"""Two are no table, but where only two are left they play all the same."""

STEP = 10_000
"""How much worse a table of the next size in the list is: more than there are tables."""


def plan(players: int, sizes: Sequence[int]) -> tuple[tuple[int, ...], int]:
    """Split a field into tables.

    Args:
        players: how many there are, 2 or more.
        sizes: of a table, the most wanted first; a later one is used as rarely as possible.

    Returns:
        The sizes of the tables, the largest first, and how many sit out because no table that
        is wanted can be made of them.

    >>> plan(7, (4, 3, 5)), plan(5, (4, 3, 5)), plan(5, (4, 3)), plan(2, (4, 3))
    (((4, 3), 0), ((5,), 0), ((4,), 1), ((2,), 0))
    """
    if players == PAIR:
        return (PAIR,), 0
    costs = {size: STEP**at if at else 1 for at, size in enumerate(sizes)}
    best: list[tuple[int, int] | None] = [(0, 0)]  # cost of so many players, and the last table
    for count in range(1, players + 1):
        ways = [
            (before[0] + costs[size], size)
            for size in sizes
            if size <= count and (before := best[count - size]) is not None
        ]
        best.append(min(ways, default=None))
    seated = next(count for count in range(players, -1, -1) if best[count] is not None)
    out, tables = players - seated, []
    while seated and (step := best[seated]) is not None:
        tables.append(step[1])
        seated -= step[1]
    return tuple(sorted(tables, reverse=True)), out


def knockout_plan(players: int, sizes: Sequence[int], final_most: int) -> tuple[int, ...]:
    """Split a knockout field: nobody sits out, and one single table is the final.

    Args:
        players: how many are still in, 2 or more.
        sizes: as for `plan`.
        final_most: so many or fewer play the final.
    """
    if players <= final_most:
        return (players,)
    tables, out = plan(players, sizes)
    if out:
        tables, out = plan(players, (*sizes, *(n for n in range(3, MOST_AT_TABLE + 1))))
    return tables


def usual_size(tables: Sequence[int]) -> int:
    """The size that most seats are at; who sits at another one is noted, to be evened out."""
    return max(set(tables), key=lambda size: (size * tables.count(size), size))
