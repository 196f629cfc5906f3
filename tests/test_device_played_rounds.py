"""The fold of a table's logs, of which one may be rest, damaged, or written by somebody else."""

import random
from dataclasses import dataclass, replace
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.hub_wire import Seating
from device.played_rounds import SEATED, PlayedRounds
from device.rehearsal_table import RehearsalTable
from device.store import LogEntry, MemoryLog
from rules.errors import IllegalEvent
from rules.events import EVENT_TYPES

SEATING = Seating(
    tournament="K", round=1, number=2, players=("Anna", "Ben", "Cem"), book="turnier", games=2
)
ALL = 1_000_000


@dataclass(frozen=True)
class Written:
    type: str
    data: dict[str, Any]


def table(log: MemoryLog, seed: int = 1) -> RehearsalTable:
    now_s = iter(range(seed * ALL, seed * ALL + ALL))
    return RehearsalTable(log, random.Random(seed), clock=lambda: float(next(now_s)))


def played_out(log: MemoryLog, seating: Seating, seed: int = 1, moves: int = ALL) -> MemoryLog:
    one = table(log, seed)
    one.seat(seating)
    for _ in range(moves):
        if not one.move() and not one.move():
            break
    return log


def told(fold: PlayedRounds, name: str, entries: list[LogEntry]) -> None:
    for entry in entries:
        fold.turn_to(name, entry.at_s)
        fold.take(entry)


def test_a_table_started_anew_between_two_games_goes_on_with_the_round() -> None:
    """Started, it begins a game by its own settings first; that is none of the round."""
    log = MemoryLog()
    one = table(log)
    one.seat(SEATING)
    while not one.game.match.is_over:
        one.move()
    again = table(log, seed=2)  # the plug was pulled before the next game began
    assert set(again.game.match.players) == {"A", "B"}
    while again.move() or again.move():
        pass
    fold = PlayedRounds()
    told(fold, "log", log.read(0, ALL))
    assert [game.players for game in fold.games(SEATING.place)] == [SEATING.players] * 2
    assert not fold.next_players(SEATING)


def test_a_game_that_comes_late_from_an_older_log_does_not_push_itself_between_the_others() -> None:
    old = played_out(MemoryLog(), SEATING).read(0, ALL)
    new = played_out(MemoryLog(), SEATING, seed=2).read(0, ALL)
    second = [n for n, entry in enumerate(old) if entry.type == "match_started"][-1] + 2
    fold = PlayedRounds()
    told(fold, "old", old[:second])
    told(fold, "new", new)
    before = fold.games(SEATING.place)
    assert len(before) >= 2
    told(fold, "old", old[second:])
    after = fold.games(SEATING.place)
    assert len(after) > len(before)
    assert after[: len(before)] == before


def test_the_rest_of_an_older_log_disturbs_nothing_in_the_newer_one() -> None:
    old = played_out(MemoryLog(), SEATING).read(0, ALL)
    later = replace(SEATING, round=2)
    new = played_out(MemoryLog(), later, seed=2).read(0, ALL)
    fold = PlayedRounds()
    told(fold, "old", old[: len(old) // 2])
    rest = old[len(old) // 2 :]
    told(fold, "new", new[: len(new) // 2])
    for n, entry in enumerate(new[len(new) // 2 :]):
        told(fold, "old", rest[n : n + 1])
        told(fold, "new", [entry])
    told(fold, "old", rest[len(new) - len(new) // 2 :])
    assert not fold.damaged
    assert fold.place == later.place
    assert len(fold.games(later.place)) == 2
    assert len(fold.games(SEATING.place)) == 2


def test_an_older_log_of_which_nothing_was_known_gives_way_to_the_one_that_goes_on() -> None:
    new = played_out(MemoryLog(), SEATING, seed=2).read(0, ALL)
    old = played_out(MemoryLog(), replace(SEATING, tournament="before")).read(0, ALL)
    fold = PlayedRounds()
    told(fold, "new", new[:-1])
    told(fold, "old", old)
    told(fold, "new", new[-1:])
    assert fold.place == SEATING.place
    assert len(fold.games(SEATING.place)) == 2


def test_a_log_begun_anew_in_the_middle_of_a_round_is_noticed_and_counts_on() -> None:
    first = played_out(MemoryLog(), replace(SEATING, games=1)).read(0, ALL)
    second = played_out(MemoryLog(), SEATING, seed=2).read(0, ALL)
    fold = PlayedRounds()
    told(fold, "first", first)
    assert not fold.began_anew()
    seated = next(n for n, entry in enumerate(second, start=1) if entry.type == SEATED)
    told(fold, "second", second[:seated])
    assert fold.began_anew()
    told(fold, "second", second[seated:])
    assert len(fold.games(SEATING.place)) == 2, "the third is played, but the round has two"


def test_sudden_death_in_a_log_that_cannot_be_followed_is_no_more_than_that() -> None:
    fold = PlayedRounds()
    fold.take(Written(SEATED, SEATING.to_body()))
    fold.take(Written("thrown", {"player": "Anna"}))
    assert fold.damaged
    fold.take(Written(SEATED, replace(SEATING, scharf=True).to_body()))
    with pytest.raises(IllegalEvent):
        fold.games(SEATING.place)


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=8), inner),
    max_leaves=6,
)


@given(
    st.lists(
        st.tuples(st.sampled_from([SEATED, *sorted(EVENT_TYPES)]), st.integers(0, 200), st.data()),
        min_size=1,
        max_size=4,
    )
)
def test_whatever_a_log_says_the_fold_never_raises(
    strange: list[tuple[str, int, st.DataObject]],
) -> None:
    fold = PlayedRounds()
    told(fold, "log", PLAYED[: strange[0][1]])
    for kind, at, data in strange:
        known = PLAYED[at % len(PLAYED)]
        content = dict(known.data)
        for name in list(content):
            if data.draw(st.booleans()):
                content[name] = data.draw(json_values)
        fold.take(Written(kind if data.draw(st.booleans()) else known.type, content))
    assert isinstance(fold.damaged, str)


PLAYED = played_out(MemoryLog(), SEATING, moves=60).read(0, ALL)
