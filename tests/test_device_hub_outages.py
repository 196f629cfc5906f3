"""Whatever becomes of its database, the hub ends with the logs of its tables, whole and once."""

import random
import shutil
import sqlite3
import subprocess
import threading
import time
from contextlib import closing
from pathlib import Path

import psycopg
import pytest
from hub_postgres import Postgres, opened, program
from hub_running import PATIENCE_S, Trouble, hub, some_tables, until
from hub_tables import SendingTable, message, some_log
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from device.chain import chain
from device.errors import DatabaseAwayError, HubError
from device.hub.alone import LOCK
from device.hub.table_log import HubLog

LENGTH = 800
"""Of logs that are not yet through when PostgreSQL dies for the third time."""


@pytest.mark.parametrize("made", [True, False])
def test_after_a_commit_of_unknown_outcome_everything_is_there_once(
    hub_url: str, made: bool
) -> None:
    with hub(hub_url, *some_tables(3, 50)) as it:
        it.receiver.put(*it.tables[0].messages(10)[0])
        until(lambda: it.tables[0].cursor)
        trouble = Trouble(it.streams)
        trouble.made = [made, made, made]
        it.send_all()
        it.holds_exactly()
        assert trouble.made == []


def test_a_commit_whose_outcome_stays_unknown_for_a_while_is_looked_up(postgres: Postgres) -> None:
    """It was made; then the database was away until the hub had given up asking at once."""
    with hub(postgres.fresh(), *some_tables(2, 30)) as it:
        it.send_all()
        for table in it.tables:
            table.log += chain(table.log[-1], [("more", {"n": n}) for n in range(20)], at_s=2.0)
        Trouble(it.streams, then=postgres.kill).made = [True]
        for table in it.tables:
            for each in table.messages(20):
                it.receiver.put(*each)
        until(lambda: ("database", True) in it.faults)
        assert not any(table.done for table in it.tables), "nothing is confirmed meanwhile"
        postgres.start()
        it.send_all()
        it.holds_exactly()
        assert it.faults[-1] == ("database", False)


def test_nothing_is_read_before_it_is_certain_what_a_failed_write_has_left(
    postgres: Postgres,
) -> None:
    """Who decides by what he reads would else decide again what is just being committed."""
    url = postgres.fresh()
    with opened(url) as streams:
        HubLog(streams).append("first", {}, at_s=1.0)
        with pytest.raises(RuntimeError, match="the cable"), streams.transaction():
            raise RuntimeError("the cable is out")
        with psycopg.connect(url) as before:  # the session of the failed write is not over yet
            before.execute("SELECT pg_advisory_lock(%s)", (LOCK,))
            with pytest.raises(DatabaseAwayError):
                streams.read()
        assert [entry.type for entry in streams.read()] == ["first"]


@pytest.mark.slow
def test_postgresql_is_killed_while_batches_stream(postgres: Postgres) -> None:
    chance = random.Random(7)
    with hub(postgres.fresh(), *some_tables(8, LENGTH)) as it:
        over, had = threading.Event(), [0]

        def kill() -> None:
            for _ in range(3):
                enough = had[-1] + chance.randint(100, 500)
                until(lambda enough=enough: it.receiver.counts().entries > enough)
                postgres.kill()
                had.append(it.receiver.counts().entries)
                postgres.start()
            over.set()

        killer = threading.Thread(target=kill)
        killer.start()
        # They send on while it dies, and do not wait for what they hear.
        deadline_s = time.monotonic() + PATIENCE_S
        while not over.is_set():
            assert time.monotonic() < deadline_s
            for table in it.tables:
                for each in table.messages(7, count=3):
                    it.receiver.put(*each)
            time.sleep(0.03)
        killer.join()
        assert had[3] < 8 * LENGTH, "it died in the middle of it"
        it.send_all(size=100)
        it.holds_exactly()
        assert ("database", True) in it.faults
        until(lambda: it.faults[-1] == ("database", False))


def test_sessions_that_an_administrator_ends_are_opened_again(postgres: Postgres) -> None:
    with hub(postgres.fresh(), *some_tables(3, 200)) as it:
        for _ in range(5):
            for table in it.tables:
                for each in table.messages(10, count=4):
                    it.receiver.put(*each)
            postgres.drop_sessions()
        it.send_all()
        it.holds_exactly()


def test_a_hub_that_is_killed_begins_where_its_database_ends(hub_url: str) -> None:
    tables = some_tables(3, 40)
    with hub(hub_url, *tables) as it:
        for table in tables:
            it.receiver.put(*table.messages(15)[0])
        until(lambda: all(table.cursor == 15 for table in tables))
    with hub(hub_url, *tables) as it:
        it.send_all()
        it.holds_exactly()


def test_a_database_restored_from_a_backup_gets_the_rest_again(
    hub_sqlite: str, tmp_path: Path
) -> None:
    path = Path(hub_sqlite.removeprefix("sqlite:///"))
    tables = some_tables(3, 60)
    with hub(hub_sqlite, *tables) as it:
        for table in tables:
            it.receiver.put(*table.messages(25)[0])
        until(lambda: all(table.cursor == 25 for table in tables))
        with (
            closing(sqlite3.connect(path)) as running,
            closing(sqlite3.connect(tmp_path / "backup.sqlite3")) as copy,
        ):
            running.backup(copy)
        it.send_all()
    for rest in tmp_path.glob("hub.sqlite3*"):
        rest.unlink()
    shutil.copy(tmp_path / "backup.sqlite3", path)
    with hub(hub_sqlite, *tables) as it:
        until(lambda: all(table.cursor == 25 for table in tables))
        it.send_all()
        it.holds_exactly()


def test_a_dump_of_postgresql_that_is_read_back_gets_the_rest_again(postgres: Postgres) -> None:
    url, new = postgres.fresh(), postgres.fresh()
    tables = some_tables(2, 40)
    with hub(url, *tables) as it:
        for table in tables:
            it.receiver.put(*table.messages(15)[0])
        until(lambda: all(table.cursor == 15 for table in tables))
        dump = subprocess.run([program("pg_dump"), url], check=True, capture_output=True).stdout
        it.send_all()
    words = [program("psql"), "--quiet", "--set=ON_ERROR_STOP=1", new]
    subprocess.run(words, input=dump, check=True, capture_output=True)
    with hub(new, *tables) as it:
        until(lambda: all(table.cursor == 15 for table in tables))
        it.send_all()
        it.holds_exactly()
        with pytest.raises(HubError, match="never changed"), it.streams.transaction() as db:
            db.exec_driver_sql("DELETE FROM entries")


@pytest.mark.parametrize("first", ["the receiver", "the desk"])
def test_a_database_that_is_set_back_under_a_running_hub_gets_the_rest_again(
    postgres: Postgres, first: str
) -> None:
    url = postgres.fresh()
    tables = some_tables(1, 40)
    with hub(url, *tables) as it:
        it.send_all()
        with it.streams.transaction() as db:  # what a restored backup would look like
            db.exec_driver_sql("ALTER TABLE entries DISABLE TRIGGER USER")
            db.exec_driver_sql("DELETE FROM entries WHERE seq > 30")
            db.exec_driver_sql("ALTER TABLE entries ENABLE TRIGGER USER")
        postgres.drop_sessions()
        if first == "the desk":
            with pytest.raises(HubError):
                it.log.append("drawn", {}, at_s=3.0)
            assert [end.log_seq for end in it.streams.ends().values()] == [30]
        for table in tables:
            table.log += chain(table.log[-1], [("more", {"n": n}) for n in range(5)], at_s=2.0)
        it.send_all()
        for table in tables:
            assert it.streams.log(table.log[0].hash).read() == table.log
        assert it.log.read() == [], "that is nobody's fault"


def test_while_the_database_is_away_nothing_is_confirmed_and_closing_does_not_wait(
    postgres: Postgres,
) -> None:
    tables = some_tables(2, 30)
    with hub(postgres.fresh(), *tables) as it:
        until(lambda: all(table.heard for table in tables))
        postgres.kill()
        for table in tables:
            it.receiver.put(*table.messages(10)[0])
        until(lambda: it.faults == [("database", True)])
        time.sleep(0.3)
        assert [table.cursor for table in tables] == [0, 0]
        it.receiver.close()
    assert it.faults == [("database", True)]


@settings(max_examples=12, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(lengths=st.lists(st.integers(1, 40), min_size=1, max_size=4), seed=st.integers(0, 2**32))
def test_any_way_ends_with_the_logs_of_the_tables(
    postgres: Postgres, tmp_path: Path, lengths: list[int], seed: int
) -> None:
    """Lost, doubled, out of order, forged; with commits that fail; on both databases in turn."""
    chance = random.Random(seed)
    tables = [SendingTable(f"table-{n}", some_log(f"table-{n}", x)) for n, x in enumerate(lengths)]
    file = f"sqlite:///{tmp_path / f'hub-{seed}-{time.monotonic_ns()}.sqlite3'}"
    url = chance.choice([lambda: file, postgres.fresh])()
    with hub(url, *tables) as it:
        trouble = Trouble(it.streams)
        trouble.made = [chance.choice([True, False]) for _ in range(3)]
        for _ in range(10):
            sent = [m for t in tables for m in t.messages(chance.randint(1, 9), 4)]
            sent += [message(t.name, t.log[:1], key=b"?") for t in tables]
            sent = [m for m in sent for _ in range(chance.choice([0, 1, 1, 2]))]
            chance.shuffle(sent)
            for each in sent:
                it.receiver.put(*each)
        trouble.made = []
        it.send_all()
        it.holds_exactly()
