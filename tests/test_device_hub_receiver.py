"""The hub takes in what tables send, confirms what is kept, and reports what it refuses."""

import sqlite3

import pytest
from hub_postgres import opened
from hub_running import Hub, hub, some_tables, until
from hub_tables import SendingTable, key_of, keys_of, message, some_log

from device.chain import chain, verify_chain
from device.hub.inbox import Inbox
from device.hub_wire import EVENTS, MOST_BYTES, topic


def test_logs_arrive_and_their_tables_hear_of_it(hub_url: str) -> None:
    with hub(hub_url, *some_tables(5, 60)) as it:
        it.send_all()
        it.holds_exactly()
        until(lambda: it.receiver.counts().waiting == 0)  # a slow answer makes them send twice
        counts = it.receiver.counts()
        assert (counts.entries, counts.dropped) == (300, 0)
        assert it.faults == []


def test_at_its_start_the_hub_tells_every_table_how_far_it_is(hub_url: str) -> None:
    tables = some_tables(2, 20)
    with hub(hub_url, *tables) as it:
        it.send_all()
    for table in tables:
        table.cursor, table.heard = 0, []
    silent = SendingTable("table-9", some_log("table-9", 1))
    with hub(hub_url, *tables, silent) as it:
        until(lambda: all(table.heard for table in it.tables))
        assert [(t.heard[0].log, t.cursor) for t in tables] == [(t.log[0].hash, 20) for t in tables]
        assert (silent.heard[0].log, silent.heard[0].seq) == ("", 0)
        heard = [len(table.heard) for table in it.tables]
        it.receiver.announce()
        until(lambda: [len(table.heard) for table in it.tables] > heard)


def test_a_table_that_is_paired_while_the_hub_runs_is_heard(hub_url: str) -> None:
    table = SendingTable("table-7", some_log("table-7", 5))
    with opened(hub_url) as streams:
        it = Hub(streams, [table])
        with it.receiver:
            it.receiver.put(*message("table-7", table.log))
            assert [data["kind"] for data in it.incidents(1)] == ["stranger"]
            it.receiver.reload(keys_of("table-7"))
            until(lambda: table.heard)
            it.send_all()
            assert streams.log(table.log[0].hash).read() == table.log
            it.receiver.reload({})
            it.receiver.put(*message("table-7", some_log("table-7", 1, at_s=5.0)))
            it.now_s = 60.0
            assert [data["kind"] for data in it.incidents(2)] == ["stranger", "stranger"]


def test_what_is_refused_is_reported_and_disturbs_no_other_table(hub_url: str) -> None:
    tables = some_tables(2, 30)
    with hub(hub_url, *tables) as it:
        for _ in range(50):
            it.receiver.put(*message("table-0", tables[0].log[:3], key=key_of("evil")))
        it.receiver.put(topic("table-1", EVENTS), b"x" * (2 * MOST_BYTES))
        it.send_all()
        it.holds_exactly()
        data = it.incidents(2)
        assert {(d["kind"], d["table"]) for d in data} == {
            ("forged", "table-0"),
            ("too_large", "table-1"),
        }
        verify_chain(it.log.read())


def test_a_flood_is_written_down_at_once_and_then_once_a_minute(hub_sqlite: str) -> None:
    tables = some_tables(1, 5)
    forged = message("table-0", tables[0].log, key=key_of("evil"))
    with hub(hub_sqlite, *tables) as it:
        it.receiver.put(*forged)
        assert [data["count"] for data in it.incidents(1)] == [1]
        for _ in range(300):
            it.receiver.put(*forged)
        until(lambda: it.receiver.counts().messages == 301)
        it.now_s = 60.0
        assert [data["count"] for data in it.incidents(2)] == [1, 300]


def test_an_old_entry_with_other_content_is_a_conflict(hub_url: str) -> None:
    tables = some_tables(1, 6)
    log = tables[0].log
    other = log[:2] + chain(log[1], [("thrown", {"n": "other"})], at_s=1.0)
    with hub(hub_url, *tables) as it:
        it.send_all()
        it.receiver.put(*message("table-0", log[:3]))
        it.receiver.put(*message("table-0", other))
        (data,) = it.incidents(1)
        assert (data["kind"], data["log"], data["seq"]) == ("conflict", log[0].hash, 3)
        it.holds_exactly()


def test_what_the_database_refuses_of_one_table_leaves_the_others(hub_sqlite: str) -> None:
    tables = some_tables(3, 10)
    with opened(hub_sqlite, keys_of(*(table.name for table in tables))) as streams:
        with sqlite3.connect(hub_sqlite.removeprefix("sqlite:///")) as db:
            db.execute(
                "CREATE TRIGGER no BEFORE INSERT ON logs WHEN NEW.table_name = 'table-1' "
                "BEGIN SELECT RAISE(ABORT, 'not this one'); END"
            )
        db.close()
        it = Hub(streams, [tables[0], tables[2]])
        for table in tables:
            it.receiver.put(*table.messages(10)[0])
        with it.receiver:
            it.send_all()
            it.holds_exactly()
            (data,) = it.incidents(1)
            assert (data["kind"], data["table"]) == ("refused", "table-1")
            assert "not this one" in data["detail"]


def test_an_inbox_that_is_full_drops_and_counts() -> None:
    inbox = Inbox(most_bytes=100)
    assert inbox.put("t", b"x" * 60)
    assert not inbox.put("t", b"x" * 60)
    assert inbox.put("t", b"x" * 10)
    assert inbox.dropped == 1
    assert [len(payload) for _, payload in inbox.take(None)] == [60, 10]
    assert inbox.put("t", b"x" * 60), "there is room again"
    assert len(inbox) == 1
    inbox.ring()
    assert len(inbox.take(None)) == 1
    assert inbox.take(0.0) == []


def test_what_is_taken_at_once_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    inbox = Inbox()
    monkeypatch.setattr("device.hub.inbox.MOST_BYTES_AT_ONCE", 100)
    for _ in range(5):
        inbox.put("t", b"x" * 59)
    assert [len(inbox.take(None)) for _ in range(3)] == [2, 2, 1]
    assert inbox._bytes == 0


def test_a_broker_that_takes_no_answer_is_told_and_stops_nothing(hub_sqlite: str) -> None:
    tables = some_tables(2, 10)
    with opened(hub_sqlite, keys_of("table-0", "table-1")) as streams:
        it = Hub(streams, tables)
        good, broken = it.receiver._publish, [True]

        def publish(where: str, payload: bytes) -> None:
            if broken:
                raise RuntimeError("no broker")
            good(where, payload)

        it.receiver._publish = publish
        with it.receiver:
            until(lambda: it.faults == [("answers", True)])
            for table in tables:
                it.receiver.put(*table.messages(10)[0])
            until(lambda: it.receiver.counts().entries == 20)
            broken.clear()
            it.receiver.announce()
            until(lambda: all(table.done for table in tables))
            assert it.faults == [("answers", True), ("answers", False)]
