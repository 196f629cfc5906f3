"""Drawing tables: everybody once, sizes, seeds, and as few as possible who meet again."""

from collections import Counter
from collections.abc import Iterator, Sequence
from itertools import combinations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from rules.tournament_chance import Chance
from rules.tournament_draw import NO_PAST, Past, draw
from rules.tournament_sizes import knockout_plan, plan, usual_size

SIZES = (4, 3, 5)


def names(count: int) -> list[str]:
    return [f"P{n:03}" for n in range(count)]


def past(tables: Sequence[Sequence[str]], **other: dict[str, int]) -> Past:
    met = Counter(frozenset(pair) for table in tables for pair in combinations(table, 2))
    return Past(met=met, teams={}, **{"uneven": {}, "sat_out": {}, **other})


@pytest.mark.parametrize(
    ("count", "sizes", "tables", "out"),
    [
        (2, SIZES, (2,), 0), (3, SIZES, (3,), 0), (4, SIZES, (4,), 0), (5, SIZES, (5,), 0),
        (6, SIZES, (3, 3), 0), (7, SIZES, (4, 3), 0), (9, SIZES, (3, 3, 3), 0),
        (10, SIZES, (4, 3, 3), 0), (11, SIZES, (4, 4, 3), 0), (5, (4, 3), (4,), 1),
        (7, (4,), (4,), 3), (13, (5, 4, 6, 3), (5, 4, 4), 0), (10, (5, 4), (5, 5), 0),
    ],
)  # fmt: skip
def test_a_field_is_split_into_tables(
    count: int, sizes: tuple[int, ...], tables: tuple[int, ...], out: int
) -> None:
    assert plan(count, sizes) == (tables, out)


@given(count=st.integers(6, 2000))
def test_from_six_players_on_three_and_four_always_do(count: int) -> None:
    tables, out = plan(count, SIZES)
    assert (sum(tables), out) == (count, 0)
    assert set(tables) <= {3, 4}
    assert tables.count(3) <= 3 or count == 9


@pytest.mark.parametrize(
    ("count", "most", "tables"), [(2, 4, (2,)), (6, 6, (6,)), (6, 4, (3, 3)), (5, 4, (5,))]
)
def test_a_knockout_seats_everybody(count: int, most: int, tables: tuple[int, ...]) -> None:
    assert knockout_plan(count, SIZES, most) == tables
    assert knockout_plan(count, (4,), most) == tables


@settings(max_examples=60)
@given(count=st.integers(2, 60), seed=st.text(max_size=5), sizes=st.permutations([3, 4, 5, 6]))
def test_everybody_gets_one_seat_and_the_same_seed_draws_the_same(
    count: int, seed: str, sizes: list[int]
) -> None:
    field = names(count)
    one = draw(field, sizes, NO_PAST, seed)
    seated = [name for table in one.tables for name in table]
    assert sorted([*seated, *one.sitting_out]) == field
    assert (tuple(map(len, one.tables)), len(one.sitting_out)) == plan(count, sizes)
    assert one == draw(field[::-1], sizes, NO_PAST, seed), "the order of registration decides"
    assert (one.repeats, one.exact) == (0, True)


def test_another_seed_draws_otherwise_and_every_seat_is_as_likely() -> None:
    field = names(8)
    mates = Counter(
        name
        for seed in range(700)
        for table in draw(field, SIZES, NO_PAST, str(seed)).tables
        if field[0] in table
        for name in table
    )
    assert mates.pop(field[0]) == 700
    assert set(mates) == set(field[1:])
    assert all(240 < count < 360 for count in mates.values()), mates  # 300 each, deviation 13


def seatings(left: frozenset[str], sizes: tuple[int, ...]) -> Iterator[list[tuple[str, ...]]]:
    """Every way to seat these players, by trying them all."""
    if not left:
        yield []
        return
    first = min(left)
    for size in sorted(set(sizes)):
        rest = list(sizes)
        rest.remove(size)
        for others in combinations(sorted(left - {first}), size - 1):
            for more in seatings(left - {first, *others}, tuple(rest)):
                yield [(first, *others), *more]


def cost(tables: Sequence[Sequence[str]], known: Past) -> tuple[int, int]:
    pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
    usual = usual_size([len(table) for table in tables])
    uneven = [n for table in tables if len(table) != usual for n in table]
    return sum(known.met.get(p, 0) for p in pairs), sum(known.uneven.get(n, 0) for n in uneven)


@settings(max_examples=40)
@given(
    count=st.integers(6, 9),
    met=st.dictionaries(
        st.tuples(st.integers(0, 8), st.integers(0, 8)), st.integers(1, 3), max_size=30
    ),
    uneven=st.lists(st.integers(0, 2), min_size=9, max_size=9),
)
def test_a_small_field_is_drawn_as_well_as_can_be(
    count: int, met: dict[tuple[int, int], int], uneven: list[int]
) -> None:
    field = names(count)
    pairs = {
        frozenset((field[a], field[b])): times
        for (a, b), times in met.items()
        if a != b and max(a, b) < count
    }
    odd = dict(zip(field, uneven, strict=False))
    known = Past(met=pairs, teams={}, uneven=odd, sat_out={})
    one = draw(field, SIZES, known, "x")
    assert one.exact
    sizes, _ = plan(count, SIZES)
    assert cost(one.tables, known) == min(
        cost(tables, known) for tables in seatings(frozenset(field), sizes)
    )


@pytest.mark.parametrize("count", [24, 30, 48, 96])
def test_nobody_meets_again_in_four_rounds_of_a_larger_field(count: int) -> None:
    played: list[Sequence[str]] = []
    for number in range(4):
        one = draw(names(count), SIZES, past(played), f"round {number}")
        assert (one.repeats, one.exact) == (0, True)
        played += one.tables


def test_a_thousand_players_meet_nobody_again() -> None:
    first = draw(names(1000), SIZES, NO_PAST, "a")
    second = draw(names(1000), SIZES, past(first.tables), "b")
    assert (len(second.tables), second.repeats, second.exact) == (250, 0, True)


def test_team_mates_are_kept_apart_before_anything_else() -> None:
    field = names(12)
    teams = {name: str(at // 3) for at, name in enumerate(field)}
    met = past([field[at::3] for at in range(3)]).met  # whoever could sit together has
    one = draw(field, SIZES, Past(met=met, teams=teams, uneven={}, sat_out={}), "x")
    assert (one.team_pairs, one.exact) == (0, True)
    assert one.repeats > 0


def test_team_mates_who_cannot_be_kept_apart_are_counted() -> None:
    one = draw(names(4), SIZES, Past(met={}, teams=dict.fromkeys(names(3), "T"), uneven={},
                                     sat_out={}), "x")  # fmt: skip
    assert (one.team_pairs, one.exact) == (3, True)


def test_who_sat_at_the_small_table_sits_at_the_large_one() -> None:
    field = names(7)
    one = draw(field, SIZES, past([], uneven=dict.fromkeys(field[:4], 1)), "x")
    assert sorted(one.tables[0]) == field[:4]


def test_nobody_sits_out_twice_before_all_have_once() -> None:
    sat_out: Counter[str] = Counter()
    for number in range(5):
        one = draw(names(5), (4, 3), past([], sat_out=sat_out), str(number))
        sat_out.update(one.sitting_out)
    assert set(sat_out.values()) == {1}
    assert len(sat_out) == 5


@given(limit=st.integers(1, 40), seed=st.text(max_size=3))
def test_chance_stays_below_its_limit(limit: int, seed: str) -> None:
    chance = Chance(seed)
    assert all(0 <= chance.below(limit) < limit for _ in range(50))


def test_a_shuffle_reaches_every_order_about_as_often() -> None:
    seen = Counter("".join(Chance(str(seed)).shuffled("ABC")) for seed in range(1200))
    assert len(seen) == 6
    assert all(150 < count < 250 for count in seen.values()), seen


@pytest.mark.parametrize("count", range(6, 17))
def test_up_to_sixteen_players_every_one_of_five_rounds_is_proved_to_be_the_best(
    count: int,
) -> None:
    played: list[Sequence[str]] = []
    for number in range(5):
        one = draw(names(count), SIZES, past(played), f"{count} {number}")
        assert one.exact
        played += one.tables
