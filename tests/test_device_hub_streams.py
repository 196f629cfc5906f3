"""Logs of many tables in one database: numbers, waiting, and a commit that nobody heard of."""

import threading
import time
from collections import deque
from collections.abc import Iterator

import pytest
from hub_postgres import opened
from hub_running import Trouble
from hub_tables import keys_of, some_log

from device.chain import LogEntry, verify_chain
from device.errors import DatabaseAwayError, HubError, StoreError
from device.hub import schema
from device.hub.feed import Accepted
from device.hub.streams import _FEED, Streams
from device.hub.table_log import HubLog
from device.hub.tables import Tables

NAMES = ("table-1", "table-2")


@pytest.fixture
def streams(hub_url: str) -> Iterator[Streams]:
    with opened(hub_url, keys_of(*NAMES)) as streams:
        yield streams


def part(name: str, log: list[LogEntry], start: int = 0, end: int | None = None) -> Accepted:
    return Accepted(name, log[0].hash, tuple(log[start:end]))


def test_the_feed_numbers_all_logs_in_the_order_of_commits(streams: Streams) -> None:
    one, two = some_log("table-1", 3), some_log("table-2", 2)
    streams.add([part("table-1", one, 0, 1), part("table-2", two)])
    own = HubLog(streams).append("opened", {"n": 1}, at_s=9.0)
    streams.add([part("table-1", one, 1)])
    feed = streams.read()
    assert [(e.seq, e.table, e.log_seq) for e in feed] == [
        (1, "table-1", 1),
        (2, "table-2", 1),
        (3, "table-2", 2),
        (4, "", 1),
        (5, "table-1", 2),
        (6, "table-1", 3),
    ]
    assert [e.entry() for e in feed if e.table == "table-1"] == one
    assert feed[3].entry() == own
    assert streams.read(4) == feed[4:]
    assert streams.read(1, limit=2) == feed[1:3]
    assert streams.read(6) == []


def test_ends_are_the_last_entries_and_whose_they_are(streams: Streams) -> None:
    one, two = some_log("table-1", 3), some_log("table-2", 2)
    assert streams.ends() == {}
    streams.add([part("table-1", one), part("table-2", two)])
    known = streams.ends()
    assert {log: (e.table, e.entry()) for log, e in known.items()} == {
        one[0].hash: ("table-1", one[-1]),
        two[0].hash: ("table-2", two[-1]),
    }
    with streams.transaction():
        pass
    streams._known = None
    assert streams.ends() == known, "read anew they are the same"


def test_several_parts_of_one_new_log_are_one_log(streams: Streams) -> None:
    log = some_log("table-1", 4)
    streams.add([part("table-1", log, 0, 1), part("table-1", log, 1, 3), part("table-1", log, 3)])
    assert streams.log(log[0].hash).read() == log


def test_logs_are_listed_oldest_first(streams: Streams) -> None:
    old, new = some_log("table-1", 1), some_log("table-1", 1, at_s=1.0)
    other = some_log("table-2", 1)
    for name, log in (("table-1", old), ("table-2", other), ("table-1", new)):
        streams.add([part(name, log)])
    HubLog(streams).append("opened", {}, at_s=0.0)
    assert [info.id for info in streams.logs("table-1")] == [old[0].hash, new[0].hash]
    assert [(info.kind, info.table) for info in streams.logs("")] == [("hub", "")]
    assert [info.table for info in streams.logs()] == ["table-1", "table-2", "table-1", ""]
    assert streams.logs("table-9") == []


def test_the_log_of_a_table_is_read_by_its_own_numbers_and_not_written(streams: Streams) -> None:
    log = some_log("table-1", 5)
    HubLog(streams).append("opened", {}, at_s=0.0)
    streams.add([part("table-1", log)])
    there = streams.log(log[0].hash)
    assert there.read(2, limit=2) == log[2:4]
    assert there.wait(4, 0.0)
    assert not there.wait(5, 0.0)
    with pytest.raises(StoreError, match="only the table itself"):
        there.append("x", {}, at_s=0.0)
    assert streams.log("ab" * 32).read() == []
    there.close()


def test_who_waits_for_a_log_is_woken_by_it(streams: Streams) -> None:
    log = some_log("table-1", 2)
    woken: list[bool] = []
    waiting = [
        threading.Thread(target=lambda w=wait: woken.append(w()))
        for wait in (
            lambda: streams.wait(0, 30.0),
            lambda: streams.log(log[0].hash).wait(1, 30.0),
        )
    ]
    for thread in waiting:
        thread.start()
    began_s = time.monotonic()
    streams.add([part("table-1", log)])
    for thread in waiting:
        thread.join()
    assert woken == [True, True]
    assert time.monotonic() - began_s < 15.0


@pytest.mark.parametrize("wrong", ["gap", "double", "fork", "other table", "not first", "unpaired"])
def test_nothing_is_written_that_does_not_continue_its_log(streams: Streams, wrong: str) -> None:
    log, other = some_log("table-1", 5), some_log("table-2", 2)
    streams.add([part("table-1", log, 0, 2)])
    bad = {
        "gap": part("table-1", log, 3),
        "double": part("table-1", log, 1),
        "fork": Accepted("table-1", log[0].hash, (some_log("other", 3)[2],)),
        "other table": Accepted("table-2", log[0].hash, tuple(log[2:])),
        "not first": Accepted("table-1", other[0].hash, tuple(other[1:])),
        "unpaired": part("table-9", some_log("table-9", 1)),
    }[wrong]
    with pytest.raises(HubError):
        streams.add([part("table-2", other), bad])
    assert [e.entry() for e in streams.read()] == log[:2], "all or none"
    streams.add([part("table-2", other), part("table-1", log, 2)])
    assert streams.log(log[0].hash).read() == log


def test_the_hub_s_own_log_goes_on_after_a_restart(hub_url: str) -> None:
    with opened(hub_url) as streams:
        first = HubLog(streams).append("a", {}, at_s=1.0)
    with opened(hub_url) as streams:
        log = HubLog(streams)
        second = log.append("b", {}, at_s=2.0)
        assert (second.seq, second.previous) == (2, first.hash)
        verify_chain(log.read())


def test_who_is_unpaired_loses_its_key_and_keeps_its_log(streams: Streams) -> None:
    log = some_log("table-1", 2)
    streams.add([part("table-1", log)])
    tables = Tables(streams)
    tables.replace(keys_of("table-2", "table-3"), at_s=5.0)
    assert tables.keys() == keys_of("table-2", "table-3")
    assert streams.log(log[0].hash).read() == log
    tables.replace({"table-1": b"new key"}, at_s=6.0)
    assert tables.keys() == {"table-1": b"new key"}


@pytest.mark.parametrize("made", [True, False])
def test_a_commit_of_unknown_outcome_is_looked_up(streams: Streams, made: bool) -> None:
    one, two = some_log("table-1", 3), some_log("table-2", 3)
    streams.add([part("table-1", one, 0, 1)])
    trouble = Trouble(streams)
    trouble.made = [made]
    new = [part("table-1", one, 1), part("table-2", two)]
    if made:
        streams.add(new)
    else:
        with pytest.raises(DatabaseAwayError):
            streams.add(new)
        streams.add(new)
    assert streams.log(one[0].hash).read() == one
    assert streams.log(two[0].hash).read() == two
    assert [e.seq for e in streams.read()] == [1, 2, 3, 4, 5, 6]
    assert trouble.made == []


@pytest.mark.parametrize("made", [True, False])
def test_the_hub_s_own_log_writes_nothing_twice(streams: Streams, made: bool) -> None:
    log, trouble = HubLog(streams), Trouble(streams)
    trouble.made = [made]
    if made:
        assert log.append("a", {}, at_s=1.0).seq == 1
    else:
        with pytest.raises(DatabaseAwayError):
            log.append("a", {}, at_s=1.0)
    log.append("b", {}, at_s=2.0)
    assert [e.type for e in log.read()] == (["a", "b"] if made else ["b"])
    verify_chain(log.read())


def test_several_threads_write_one_after_the_other(streams: Streams) -> None:
    log = HubLog(streams)

    def write(name: str) -> None:
        for n in range(20):
            log.append(name, {"n": n}, at_s=0.0)

    threads = [threading.Thread(target=write, args=(name,)) for name in "abc"]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    entries = log.read()
    assert len(entries) == 60
    verify_chain(entries)
    assert [e.data["n"] for e in entries if e.type == "a"] == list(range(20))


def test_what_is_read_from_memory_is_what_the_database_has(
    streams: Streams, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(streams, "_latest", deque(maxlen=7))
    for start, end in ((0, 5), (5, 9), (9, 12)):
        streams.add([part(name, some_log(name, 12), start, end) for name in NAMES])
    everything = streams._select(_FEED.order_by(schema.entries.c.number))
    for after in range(len(everything) + 2):
        for limit in (1, 3, 1000):
            assert streams.read(after, limit) == everything[after : after + limit]
    streams._known = None
    streams.ends()
    assert streams.read(0) == everything
