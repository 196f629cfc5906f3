"""A tournament of real processes, in which everything is killed that can be killed.

What the parts do alone is tried elsewhere: sending through deaths of the broker and on broken roads
(`test_device_hub_broker.py`, `test_device_uplink.py`), a database that dies while batches stream
(`test_device_hub_outages.py`), what is refused of strange messages (`test_device_hub_intake.py`).
"""

import random
import threading
from collections.abc import Callable, Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from hub_desk import until
from hub_mosquitto import Hall, Proxy
from hub_postgres import Postgres, opened
from hub_processes import ALL, HallOfProcesses, Spy, Table, speaker
from hub_tournament import chains_agree, games_of, running
from tournament_recount import recount

from device.chain import LogEntry, seal_of
from device.hub.assembly import Hub
from device.hub.hall_state import HallState
from device.hub.streams import Streams
from device.hub_troubles import HUB_TROUBLES
from device.hub_wire import EVENTS, Batch, seal, topic
from device.played_rounds import SEATED
from device.rehearsal import Organiser, names

CUT_S = 60.0
"""The cable of one table is out for so long, beside everything else."""

MOVE_S = 0.2
"""Slow enough that no table is done with its round before all has happened."""


@pytest.fixture
def processes(
    hall: Hall, postgres: Postgres, tmp_path: Path, road: Callable[[int], Proxy]
) -> Iterator[tuple[HallOfProcesses, Proxy]]:
    way = road(hall.folder.settings.port)
    made = HallOfProcesses(tmp_path, hall, postgres, 5, MOVE_S, way.port)
    try:
        made.start()
        yield made, way
    finally:
        made.close()


# paho leaves a socket to the garbage collector when a broker is killed in the handshake.
@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
@pytest.mark.slow
def test_nothing_is_lost_doubled_or_swapped_whatever_is_killed(
    processes: tuple[HallOfProcesses, Proxy],
) -> None:
    at, way = processes
    desk, cut_off = at.desk, at.tables[0]
    desk.do("open_tournament", name="Kirmes", format="werl", seed="5", book="turnier")
    for name in names(20):
        desk.do("register", player=name)
        desk.do("pay_fee", player=name, eur=10)
    desk.do("draw_round", by="R")
    at.has_gone_on(entries=40)
    kill_everything(at, way)
    until(lambda: is_played(at), "the round is played")
    assert sorted(map(int, desk.round()["results"])) == [1, 2, 3, 4, 5]
    desk.do("finish", by="R", reason="das Bier ist aus")
    end_tables(at)
    shown = desk.tournament()["tournament"]
    at.close()
    with opened(at.database) as streams:
        logs = {table.name: table.entries() for table in at.tables}
        holds_exactly(streams, logs)
        state, events = recomputed(streams), told(streams)
    results_are_those_of_the_logs(state, logs)
    ranking = [(one["place"], one["player"]) for one in shown["standings"]]
    assert [(one.place, one.player) for one in state.tournament.standings] == ranking
    assert recount(events) == ranking
    assert not state.incidents
    for name, entries in logs.items():
        assert seated_places(entries) == [(1, int(name.removeprefix("table-")))]
        assert faults_end(entries)
    assert "hub" in {e.data["what"] for e in logs[cut_off.name] if e.type == "fault"}


@pytest.mark.parametrize("kind", ["forged", "conflict", "stranger"])
def test_who_means_harm_is_told_at_the_desk_and_the_round_goes_on(
    kind: str, hall: Hall, hub_sqlite: str, tmp_path: Path
) -> None:
    """With passwords of the broker; without one nobody gets in (`test_device_hub_broker.py`)."""
    with running(hall, hub_sqlite, tmp_path, 2, move_s=0.01) as (hub, tables):
        organiser = Organiser(hub.front, format="werl", players=names(8), seed="1")
        organiser.open()
        organiser.step()
        pairing = next(p for p in tables.pairings if p.table == "table-1")
        known = tables.tables["table-1"].log.read(0, 1)
        said = replace(known[0], data={**known[0].data, "players": ["X", "Y"]})
        other = Batch(known[0].hash, (replace(said, hash=seal_of(said)),))
        if kind == "forged":
            pairing = replace(pairing, key=bytes(32))
        elif kind == "stranger":
            pairing = hall.folder.issue("table-9")  # the hub does not know that yet
        where = topic(pairing.table, EVENTS)
        with speaker(pairing) as connection:
            assert connection.publish(where, seal(pairing.key, where, other.to_body()))
            until(lambda: told_at_desk(hub), "the desk is told")
        (incident,) = told_at_desk(hub)
        assert (incident["what"], incident["table"]) == (kind, pairing.table)
        assert incident["text_de"]
        until(lambda: all(one.games_done for one in hub.front.tables()), "the games go on")
        assert told_at_desk(hub) == [incident]
        chains_agree(hub, tables)


def told_at_desk(hub: Hub) -> list[Any]:
    return list(hub.front.incidents())


def kill_everything(at: HallOfProcesses, way: Proxy) -> None:
    """The broker three times, the hub twice, the database once, tables five times; and a cut."""
    cut_off, *tables = at.tables
    spy = Spy(at.broker.folder.hub_access())
    way.cut()
    mended = threading.Timer(CUT_S, way.mend)
    mended.start()
    at.broker.kill()
    at.has_gone_on(cut_off)
    kill_and_start(tables[0])
    at.has_gone_on(cut_off)
    at.hub.kill()
    at.has_gone_on(*at.tables)  # they play on alone
    at.hub.start()
    at.has_gone_on(cut_off)
    at.postgres.kill()
    at.has_gone_on(*at.tables)
    kill_and_start(tables[1])
    at.postgres.start()
    at.has_gone_on(cut_off)
    kill_and_start(tables[2], tables[3])
    at.broker.kill()
    replay(spy, tables[0])
    at.has_gone_on(cut_off)
    at.hub.kill()
    at.broker.kill()
    kill_and_start(tables[0])
    at.hub.start()
    at.has_gone_on(cut_off)
    mended.join()
    at.has_gone_on()
    spy.close()


def kill_and_start(*tables: Table) -> None:
    for table in tables:
        table.kill()
    for table in tables:
        table.start()


def end_tables(at: HallOfProcesses) -> None:
    """Kill the tables for good, and send what their logs, which now are whole, have left.

    A table that was started again would do: it sends all of it. But it writes as it starts, and
    nobody can tell from outside when it has written the last of that.
    """
    until(lambda: not any(table.shows_fault() for table in at.tables), "no table shows a fault")
    for table in at.tables:
        table.kill()
    for table in at.tables:
        table.send_rest()


def is_played(at: HallOfProcesses) -> bool:
    """Whether all tables have handed in; the time is up for who has played a game."""
    one = at.desk.tournament()
    waiting = one["tournament"]["rounds"][-1]["waiting"]
    for status in one["tables"]:
        if status["number"] in waiting and status["games_done"]:
            at.desk.do("collect", tables=[status["number"]], reason="die Zeit ist um")
    return not at.desk.round()["waiting"]


def replay(spy: Spy, table: Table) -> None:
    """Send what a table has sent once more, in another order, with its own password."""
    messages = spy.of(table.name)
    assert len(messages) > 5
    random.Random(5).shuffle(messages)
    with speaker(table.pairing) as said:
        for content in messages:
            assert said.publish(topic(table.name, EVENTS), content)
        for content in messages:
            assert said.publish(topic(table.name, EVENTS), content)


def holds_exactly(streams: Streams, logs: dict[str, list[LogEntry]]) -> None:
    """Every entry of every table once, in order, with its hash; and nothing that no table has."""
    feed = streams.read(0, ALL)
    assert [entry.seq for entry in feed] == list(range(1, len(feed) + 1))
    for name, own in logs.items():
        there = [entry for entry in feed if entry.table == name]
        assert [entry.hash for entry in there] == [entry.hash for entry in own], name
        assert [entry.log_seq for entry in there] == list(range(1, len(own) + 1))
    assert {entry.table for entry in feed} == {"", *logs}


def recomputed(streams: Streams) -> Any:
    """The hall, folded anew from the database."""
    state = HallState()
    for entry in streams.read(0, ALL):
        state.take(entry)
    return state


def told(streams: Streams) -> list[dict[str, Any]]:
    """The tournament's events, as the hub's own log has them."""
    own = [entry for entry in streams.read(0, ALL) if entry.type.startswith("tournament.")]
    own = [entry for entry in own if not entry.table]
    return [{**entry.data, "type": entry.type.removeprefix("tournament.")} for entry in own]


def results_are_those_of_the_logs(state: Any, logs: dict[str, list[LogEntry]]) -> None:
    (one,) = state.tournament.state.rounds
    devices = state.devices(one)
    assert sorted(devices) == [1, 2, 3, 4, 5]
    for number, handed in one.handed.items():
        assert handed.result.games
        played = games_of(Read(logs[devices[number]]), 1)
        if handed.result.cut_short:  # a game may have ended after the time was up
            played = played[: len(handed.result.games)]
        assert list(handed.result.games) == played


def seated_places(entries: list[LogEntry]) -> list[tuple[int, int]]:
    """Round and table of each seating of a log, as often as it was noted."""
    return [
        (entry.data["round"], entry.data["number"])
        for entry in entries
        if entry.type == SEATED and entry.data["round"]
    ]


class Read:
    """Entries that were read, as a log."""

    def __init__(self, entries: list[LogEntry]) -> None:
        self._entries = entries

    def read(self, after_seq: int = 0, limit: int = ALL) -> list[LogEntry]:
        return self._entries[after_seq : after_seq + limit]


def faults_end(entries: list[LogEntry]) -> bool:
    """Whether all faults that a table has shown are those of its way to the hub, and are over."""
    shown: set[str] = set()
    for entry in entries:
        if entry.type == "fault":
            assert entry.data["what"] in HUB_TROUBLES
            shown.add(entry.data["what"])
        elif entry.type == "fault_over":
            shown.discard(entry.data["what"])
    return not shown
