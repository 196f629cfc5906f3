"""One contract for every store, and what a damaged file is told."""

import sqlite3
import threading
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from hub_postgres import opened

from device.chain import GENESIS, verify_chain
from device.errors import LogDamagedError, StoreError
from device.hub.table_log import HubLog
from device.store import EventLog, MemoryLog, SqliteLog


@pytest.fixture(params=["memory", "sqlite", "hub_sqlite", "hub_postgresql"])
def log(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[EventLog]:
    if request.param == "memory":
        yield MemoryLog()
    elif request.param == "sqlite":
        with SqliteLog(tmp_path / "evening.sqlite3") as store:
            yield store
    else:
        with opened(request.getfixturevalue(request.param)) as streams:
            yield HubLog(streams)


class TestContract:
    def test_numbers_start_at_one_and_have_no_gaps(self, log: EventLog) -> None:
        entries = [log.append("thrown", {"n": n}, at_s=float(n)) for n in range(3)]
        assert [e.seq for e in entries] == [1, 2, 3]
        assert log.read() == entries

    def test_entries_are_chained(self, log: EventLog) -> None:
        first = log.append("a", {}, at_s=0.5)
        second = log.append("b", {"name": "Jürgen", "dice": (6, 6, 1)}, at_s=1.0)
        assert first.previous == GENESIS
        assert second.previous == first.hash
        assert second.data == {"name": "Jürgen", "dice": [6, 6, 1]}
        verify_chain(log.read())

    def test_read_pages_forward(self, log: EventLog) -> None:
        for n in range(5):
            log.append("x", {"n": n}, at_s=0.0)
        assert [e.seq for e in log.read(2, limit=2)] == [3, 4]
        assert log.read(5) == []
        assert [e.seq for e in log.read(-1, limit=1)] == [1]

    def test_several_are_written_all_or_none(self, log: EventLog) -> None:
        with pytest.raises(StoreError, match="cannot be written as JSON"):
            log.append_all([("ok", {}), ("bad", {"x": object()})], at_s=0.0)
        assert log.read() == []
        assert [e.seq for e in log.append_all([("a", {}), ("b", {})], at_s=0.0)] == [1, 2]
        assert log.append_all([], at_s=0.0) == []

    @pytest.mark.parametrize("item", [("x", {"player": "\ud800"}), ("\ud800", {})])
    def test_half_a_character_is_refused(self, log: EventLog, item: tuple[str, dict[str, str]]):
        with pytest.raises(StoreError, match="surrogates not allowed"):
            log.append(*item, at_s=0.0)
        assert log.append("x", {"player": "Zoë 🎲"}, at_s=0.0).seq == 1

    def test_wait_returns_at_once_when_there_is_more(self, log: EventLog) -> None:
        log.append("x", {}, at_s=0.0)
        assert log.wait(0, timeout_s=0.0)

    def test_wait_gives_up(self, log: EventLog) -> None:
        assert not log.wait(0, timeout_s=0.05)

    def test_wait_is_woken_by_another_thread(self, log: EventLog) -> None:
        writer = threading.Timer(0.05, lambda: log.append("x", {}, at_s=0.0))
        writer.start()
        began_s = time.monotonic()
        assert log.wait(0, timeout_s=10.0)
        writer.join()
        assert time.monotonic() - began_s < 5.0

    def test_what_no_disk_can_hold_is_refused(self, log: EventLog) -> None:
        with pytest.raises(StoreError, match="cannot be written as JSON"):
            log.append("x", {"name": "half a letter: \ud800"}, at_s=0.0)
        assert log.read() == []

    def test_every_letter_comes_back(self, log: EventLog) -> None:
        data = {"name": "Zoë \0 \U0001f3b2 \u2028", "n": [10**30, -0.0, 1e-320, 0.1 + 0.2, None]}
        log.append("x", data, at_s=1763900000.123456)
        (entry,) = log.read()
        assert entry.data == data
        verify_chain([entry])

    def test_data_do_not_change_behind_the_log(self, log: EventLog) -> None:
        dice = [6, 5, 2]
        entry = log.append("thrown", {"dice": dice}, at_s=0.0)
        dice.append(1)
        assert entry.data == {"dice": [6, 5, 2]}
        assert log.read()[0].data == {"dice": [6, 5, 2]}


def test_sqlite_keeps_the_evening_across_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append("a", {"n": 1}, at_s=1.25)
    with SqliteLog(path) as log:
        second = log.append("b", {}, at_s=2.0)
        assert second.seq == 2
        verify_chain(log.read())


def test_sqlite_is_seen_by_a_second_process_connection(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as writer, SqliteLog(path) as reader:
        writer.append("a", {}, at_s=0.0)
        assert reader.wait(0, timeout_s=2.0)


def _spoil(path: Path, statement: str) -> None:
    with sqlite3.connect(path) as db:
        db.executescript("DROP TRIGGER entries_are_final; DROP TRIGGER entries_stay;" + statement)
    db.close()


def test_a_changed_entry_shows(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append_all([("thrown", {"dice": [6, 5, 2]}), ("stopped", {})], at_s=0.0)
    _spoil(path, """UPDATE entries SET data = '{"dice":[1,1,1]}' WHERE seq = 1""")
    with pytest.raises(LogDamagedError, match=r"Entry 1 .thrown. of the log was changed"):
        SqliteLog(path)


def test_half_a_character_forced_into_the_file_shows(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    SqliteLog(path).close()
    with sqlite3.connect(path) as db:
        row = (1, 1.0, "thrown", r'{"player":"\ud800"}', GENESIS, "f" * 64)
        db.execute("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", row)
    with pytest.raises(LogDamagedError, match=r"Entry 1 \(thrown\) of the log was changed"):
        SqliteLog(path)


def test_a_removed_entry_shows(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append_all([("a", {}), ("b", {}), ("c", {})], at_s=0.0)
    _spoil(path, "DELETE FROM entries WHERE seq = 2")
    with pytest.raises(LogDamagedError, match="jumps from entry 1 to entry 3"):
        SqliteLog(path)


def test_entries_cannot_be_changed_by_accident(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append("a", {}, at_s=0.0)
    db = sqlite3.connect(path)
    with pytest.raises(sqlite3.IntegrityError, match="never changed"):
        db.execute("UPDATE entries SET type = 'b'")
    with pytest.raises(sqlite3.IntegrityError, match="never deleted"):
        db.execute("DELETE FROM entries")
    db.close()


def test_a_file_that_is_no_log_is_named(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    path.write_bytes(b"this is no database, but long enough to look like one" * 40)
    with pytest.raises(StoreError, match=r"evening\.sqlite3: file is not a database"):
        SqliteLog(path)


def test_a_truncated_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append_all([("x", {"text": "y" * 500})] * 200, at_s=0.0)
    path.write_bytes(path.read_bytes()[:20_000])
    with pytest.raises(StoreError, match=r"Cannot open the log .*restore it from a copy"):
        SqliteLog(path)


def test_a_missing_folder_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match="Cannot open the log"):
        SqliteLog(tmp_path / "nowhere" / "evening.sqlite3")


def test_a_closed_log_says_so(tmp_path: Path) -> None:
    log = SqliteLog(tmp_path / "evening.sqlite3")
    log.close()
    log.close()
    with pytest.raises(StoreError, match="is closed"):
        log.append("x", {}, at_s=0.0)
