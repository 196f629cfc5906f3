"""The hall when something is lost in between: a write, a log, the hub itself."""

import random
from contextlib import suppress

import pytest
from hall_play import NAMES, HallInMemory, results
from hub_mosquitto import until

from device.errors import DatabaseAwayError, LogDamagedError
from device.hub.hall import Hall
from device.rehearsal_table import RehearsalTable
from device.store import MemoryLog
from web_ui.errors import ActionRefused


def test_a_result_that_the_desk_has_read_past_is_handed_in_all_the_same() -> None:
    """Whatever else reads the logs, what follows from them is not lost."""

    def refused(hall: HallInMemory) -> None:
        with pytest.raises(ActionRefused):
            hall.do("open_tournament", name="Noch eins", format="werl", seed="1", book="turnier")

    for reads in (
        refused,
        lambda hall: hall.hall.note("hall.file", {}),
        lambda hall: hall.hall.available("table-1", online=True),
    ):
        hall = HallInMemory(1)
        hall.open("werl", NAMES[:4])
        hall.do("draw_round")
        table = hall.tables["table-1"]
        hall.bring()
        while table.move() or table.move():
            pass
        hall.feed.bring("table-1", table.log)
        reads(hall)
        hall.bring()
        assert sorted(results(hall, 1)) == [1]


def test_a_result_that_could_not_be_written_is_written_later() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.log.is_away = True
    with pytest.raises(DatabaseAwayError):
        hall.play()
    hall.log.is_away = False
    hall.bring()
    assert sorted(results(hall, 1)) == [1]


def test_what_was_written_counts_although_what_follows_cannot_be() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.log.most = 1  # the draw is written, and then the database is away
    hall.feed.is_away = lambda: hall.log.most == 0
    assert [event.type for event in hall.do("draw_round")] == ["round_drawn"]
    hall.log.most, hall.feed.is_away = None, lambda: False
    hall.play()
    assert sorted(results(hall, 1)) == [1]


def test_a_hall_that_stumbles_says_so_until_it_goes_on() -> None:
    hall = HallInMemory(1)
    told: list[tuple[str, bool]] = []
    made = Hall(
        hall.feed, hall.log, clock=hall.clock, devices=lambda: hall.names, seat=hall.seat,
        report=lambda fault, why: told.append((fault, why is not None)),
    )  # fmt: skip
    hall.feed.is_broken = True
    made.start()
    try:
        until(lambda: told == [("hall", True)])
        hall.feed.is_broken = False
        until(lambda: told == [("hall", True), ("hall", False)])
    finally:
        made.close()


def test_a_hub_that_cannot_read_its_own_entries_says_so() -> None:
    """The hall stands still behind them, while what comes in is written and confirmed."""
    hall = HallInMemory(1)
    told: list[str] = []
    made = Hall(
        hall.feed, hall.log, clock=hall.clock, devices=lambda: hall.names, seat=hall.seat,
        report=lambda fault, why: told.append(str(why)),
    )  # fmt: skip

    def damaged() -> bool:
        raise LogDamagedError("Entry 7 of the hub holds something else than it got.")

    hall.feed.is_away = damaged
    hall.feed.is_broken = True
    made.start()
    try:
        until(lambda: told)
    finally:
        made.close()
    assert "Entry 7" in told[0]


def test_without_a_tournament_no_table_plays_what_another_hub_has_drawn() -> None:
    hall = HallInMemory(2)
    other = HallInMemory(1)
    other.open("werl", NAMES[:4])
    other.do("draw_round")
    table = hall.tables["table-1"]
    table.seat(other.waiting["table-1"])
    assert table.hosting.is_playing
    hall.hall.tell_all()
    hall.bring()
    while table.move() or table.move():
        pass  # the game under way to its end; there were four more to come
    begun = [e for e in table.log.read(0, 10_000) if e.type == "match_started"]
    assert [len(entry.data["players"]) for entry in begun] == [2, 4]
    untouched = hall.tables["table-2"].log.read(0, 100)
    assert "tournament.seated" not in {entry.type for entry in untouched}


def test_an_old_log_that_is_sent_later_leaves_the_round_as_it_is() -> None:
    """`schockauge uplink OLD.sqlite3` beside the game."""
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.bring()
    old = RehearsalTable(MemoryLog(), random.Random(5), clock=lambda: 5.0)
    for _ in range(40):
        hall.tables["table-1"].move()
    hall.bring()
    hall.feed.bring("table-1", old.log)
    hall.play()
    assert sorted(results(hall, 1)) == [1]
    assert not hall.hall.state.incidents
    newest = hall.tables["table-1"].log.read(0, 1)[0].hash
    assert hall.hall.state.tables["table-1"].log == newest


def test_a_new_log_in_the_middle_of_a_round_is_told_at_the_desk() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.bring()
    seating = hall.hall.state.seatings(["table-1"]).get("table-1")
    assert seating is not None
    for _ in range(40):
        hall.tables["table-1"].move()
    hall.bring()
    hall.tables["table-1"] = RehearsalTable(MemoryLog(), random.Random(9), clock=hall.clock)
    hall.tables["table-1"].seat(seating)
    hall.play()
    assert [one["kind"] for one in hall.hall.state.incidents] == ["log_begun_anew"]
    assert sorted(results(hall, 1)) == [1]


def test_games_of_an_older_log_that_come_later_are_told_at_the_desk() -> None:
    """The old device played while its cable was out; nobody had heard of its games."""
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    seating = hall.waiting.pop("table-1")
    old, new = (RehearsalTable(MemoryLog(), random.Random(n), clock=hall.clock) for n in (5, 6))
    old.seat(seating)
    for _ in range(2000):
        old.move()
    hall.tables["table-1"] = new
    new.seat(seating)
    for _ in range(40):
        new.move()
    hall.bring()
    assert not hall.hall.state.incidents
    hall.feed.bring("table-1", old.log)
    hall.play()
    assert [one["kind"] for one in hall.hall.state.incidents] == ["log_begun_anew"]


def test_a_table_whose_clock_was_set_back_goes_on_handing_in() -> None:
    """A new card in a device without a battery: its new log seems older than the old one's rest."""
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.bring()
    old, long_ago_s = hall.tables["table-1"], iter(range(1_000_000))
    seating = hall.hall.state.seatings(["table-1"])["table-1"]
    for _ in range(300):
        old.move()
    hall.feed.bring("table-1", old.log)
    for _ in range(30):
        old.move()
    new = RehearsalTable(MemoryLog(), random.Random(9), clock=lambda: float(next(long_ago_s)))
    hall.tables["table-1"] = new
    new.seat(seating)
    new.move()
    hall.bring()
    hall.feed.bring("table-1", old.log)
    hall.play()
    hall.do("draw_round")
    hall.play()
    assert sorted(results(hall, 2)) == [1]
    assert hall.hall.state.tables["table-1"].log == new.log.read(0, 1)[0].hash


def test_an_older_log_that_cannot_be_followed_is_told_at_the_desk() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.bring()
    old = RehearsalTable(MemoryLog(), random.Random(5), clock=lambda: 5.0)
    hall.feed.bring("table-1", old.log)
    hall.tables["table-1"].move()
    hall.bring()
    old.log.append("thrown", {"player": ["?"]}, at_s=5.0)
    hall.feed.bring("table-1", old.log)
    hall.play()
    assert [one["kind"] for one in hall.hall.state.incidents] == ["log_not_followed"]
    assert sorted(results(hall, 1)) == [1]


def test_an_entry_that_makes_no_sense_costs_its_table_alone() -> None:
    hall = HallInMemory(2)
    hall.open("werl", NAMES[:8])
    hall.do("draw_round")
    hall.bring()
    log = hall.tables["table-1"].log
    log.append("thrown", {"player": ["?"], "dice": {"a": None}}, at_s=1.0)
    hall.feed.bring("table-1", log)
    del hall.tables["table-1"]
    hall.play()
    assert sorted(results(hall, 1)) == [2]
    assert [one["kind"] for one in hall.hall.state.incidents] == ["log_not_followed"]


def test_a_table_that_says_it_sits_at_another_ones_place_holds_nobody_up() -> None:
    hall = HallInMemory(3)
    hall.open("werl", NAMES[:8])
    hall.do("draw_round")
    hall.tables["table-3"].seat(hall.waiting["table-1"])
    hall.play()
    assert sorted(results(hall, 1)) == [1, 2]
    assert results(hall, 1)[1].result.by == "table-1"
    assert not hall.hall.state.incidents


def test_sudden_death_by_lives_comes_to_an_end_at_every_table() -> None:
    hall = HallInMemory(2)
    hall.open("leben", NAMES[:8])
    hall.do("draw_round")
    hall.bring()
    for table in hall.tables.values():
        table.move()
    hall.do("call_scharf", tables=[1, 2])
    hall.play()
    tournament = hall.hall.state.tournament
    assert tournament is not None
    assert tournament.round is not None
    assert not tournament.round.waiting
    assert not hall.hall.state.incidents
    for handed in results(hall, 1).values():
        assert {game.how for game in handed.result.games} == {"scharf"}
        assert len(handed.result.games) == 2, "two of four go on"


@pytest.mark.parametrize("writes", [0, 1, 2])
def test_a_hub_that_is_killed_between_two_writes_goes_on_right(writes: int) -> None:
    """Between a result and the next one, and before its table was told."""
    hall = HallInMemory(2)
    hall.open("werl", NAMES[:8])
    hall.do("draw_round")
    hall.log.most = writes
    with suppress(DatabaseAwayError):
        hall.play()
    hall.log.most = None
    hall.waiting.clear()  # told by nobody any more
    hall.hall = hall.new_hall()
    hall.hall.follow()
    hall.play()
    assert sorted(results(hall, 1)) == [1, 2]
    types = [entry.type for entry in hall.log.read(0, 1000)]
    assert types.count("tournament.table_handed_in") == 2
    assert hall.hall.state.seatings(["table-1"]).get("table-1") == hall.hall.state.seatings(
        ["table-2"]
    ).get("table-2")
    assert not hall.hall.state.incidents
