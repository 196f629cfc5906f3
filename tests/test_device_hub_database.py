"""Opening the hub's database: what it becomes, what is refused, and what is said then."""

import os
import signal
import sqlite3
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from threading import Timer

import pytest
import sqlalchemy as sa
from alembic import command
from hub_postgres import Postgres, opened
from hub_tables import keys_of, some_log

from device.errors import DatabaseAwayError, HubError
from device.hub.database import alembic_config, open_database, shown, writing
from device.hub.feed import Accepted
from device.hub.schema import metadata
from device.hub.streams import Streams
from device.hub.tables import Tables

HOLD = """
import sys, time
from device.hub.database import open_database
from device.hub.streams import Streams
streams = Streams(open_database(sys.argv[1]))
print("holding", flush=True)
time.sleep(600)
"""


def test_a_database_is_made_and_opened_again(hub_url: str) -> None:
    log = some_log("table-1", 3)
    with opened(hub_url, keys_of("table-1")) as streams:
        streams.add([Accepted("table-1", log[0].hash, tuple(log))])
    with opened(hub_url) as streams:
        assert streams.log(log[0].hash).read() == log
        assert Tables(streams).keys() == keys_of("table-1")


def test_the_migrations_make_what_the_code_knows(hub_url: str) -> None:
    engine = open_database(hub_url)
    with engine.connect() as connection:
        command.check(alembic_config(connection))  # raises what differs
    engine.dispose()


def test_every_migration_goes_back_and_forth(hub_url: str) -> None:
    engine = open_database(hub_url)
    with writing(engine).begin() as connection:
        command.downgrade(alembic_config(connection), "base")
    with engine.connect() as connection:
        assert not set(sa.inspect(connection).get_table_names()) & set(metadata.tables)
    engine.dispose()
    with opened(hub_url) as streams:
        assert streams.ends() == {}


@pytest.mark.parametrize("statement", ["UPDATE entries SET type = 'x'", "DELETE FROM entries"])
def test_entries_are_never_changed_or_deleted(hub_url: str, statement: str) -> None:
    log = some_log("table-1", 2)
    with opened(hub_url, keys_of("table-1")) as streams:
        streams.add([Accepted("table-1", log[0].hash, tuple(log))])
        with pytest.raises(HubError, match="never changed or deleted"), streams.transaction() as db:
            db.exec_driver_sql(statement)
        with pytest.raises(HubError, match="never changed or deleted"), streams.transaction() as db:
            db.exec_driver_sql("UPDATE logs SET table_name = 'table-2'")
        assert streams.log(log[0].hash).read() == log


def test_postgresql_does_not_even_truncate_entries(hub_postgresql: str) -> None:
    with (
        opened(hub_postgresql) as streams,
        pytest.raises(HubError, match="never changed or deleted"),
        streams.transaction() as db,
    ):
        db.exec_driver_sql("TRUNCATE entries CASCADE")


def test_a_database_of_a_newer_version_is_named(hub_url: str) -> None:
    engine = open_database(hub_url)
    with writing(engine).begin() as connection:
        connection.exec_driver_sql("UPDATE alembic_version SET version_num = '9999'")
    engine.dispose()
    with pytest.raises(HubError, match=r"9999 of a newer Schockauge.*Update Schockauge"):
        open_database(hub_url)


def test_a_file_of_something_else_is_named(tmp_path: Path) -> None:
    from device.store import SqliteLog

    SqliteLog(tmp_path / "evening.sqlite3").close()
    with pytest.raises(HubError, match="something else: entries"):
        open_database(f"sqlite:///{tmp_path / 'evening.sqlite3'}")
    with SqliteLog(tmp_path / "evening.sqlite3") as log:
        assert log.append("x", {}, at_s=0.0).seq == 1, "it is as it was"


@pytest.mark.parametrize(
    ("url", "said"),
    [
        ("nonsense", "'nonsense' is no database"),
        ("mysql://me:secret-word@host/x", r"mysql://me:\*\*\*@host/x"),
        ("sqlite://", "cannot keep its logs"),
        ("sqlite:///:memory:", "cannot keep its logs"),
        ("sqlite:////nowhere/at/all/hub.sqlite3", "unable to open database file"),
        ("postgresql://me:secret-word@127.0.0.1:1/hub", "Connection refused"),
        ("postgresql://me:secret-word@127.0.0.1:port/hub", "is no database"),
        ("postgresql://me:secret-word@127.0.0.1/hub?nonsense=1", "invalid connection option"),
        ("postgresql://127.0.0.1:1/hub?password=secret-word&user=me", "Connection refused"),
        ("postgresql://me:se@secret-word@127.0.0.1:port/hub", r"me:\*\*\*@127"),
    ],
)
def test_an_address_that_leads_nowhere_is_told_without_its_password(url: str, said: str) -> None:
    with pytest.raises(HubError, match=said) as caught:
        open_database(url)
    assert "secret-word" not in str(caught.value)
    assert "Expected sqlite:///" in str(caught.value)


def test_a_wrong_password_is_told_without_it(postgres: Postgres) -> None:
    url = postgres.url("postgres").replace(postgres.password, "secret-word")
    with pytest.raises(HubError, match="password authentication failed") as caught:
        open_database(url)
    assert "secret-word" not in str(caught.value)
    assert "***" in shown(url)


def test_a_damaged_file_is_named(tmp_path: Path) -> None:
    path = tmp_path / "hub.sqlite3"
    path.write_bytes(b"this is no database, but long enough to look like one" * 40)
    with pytest.raises(HubError, match="file is not a database"):
        open_database(f"sqlite:///{path}")


def test_a_database_that_loses_letters_is_refused(postgres: Postgres) -> None:
    url = postgres.fresh("ENCODING 'LATIN1' LOCALE 'C' TEMPLATE template0")
    with pytest.raises(HubError, match="LATIN1; expected UTF8"):
        open_database(url)


def test_one_database_has_one_hub_and_a_killed_one_leaves_it_at_once(
    hub_url: str, root: Path
) -> None:
    with opened(hub_url):
        pass
    with subprocess.Popen(
        [sys.executable, "-c", HOLD, hub_url], stdout=subprocess.PIPE, text=True,
        env={**os.environ, "PYTHONPATH": str(root)},
    ) as other:  # fmt: skip
        try:
            assert other.stdout is not None
            assert other.stdout.readline() == "holding\n"
            engine = open_database(hub_url)
            with pytest.raises(HubError, match=r"Another hub writes to .*stop the other"):
                Streams(engine)
            engine.dispose()
        finally:
            other.send_signal(signal.SIGKILL)
    with opened(hub_url, keys_of("table-1")) as streams:
        assert streams.ends() == {}


def test_who_comes_back_to_its_database_is_alone_there_again(postgres: Postgres) -> None:
    url = postgres.fresh()
    with opened(url) as streams:
        postgres.drop_sessions()
        with pytest.raises(DatabaseAwayError), streams.transaction() as db:
            db.exec_driver_sql("SELECT 1")
        assert streams.ends() == {}
        engine = open_database(url)
        with pytest.raises(HubError, match="Another hub writes"):
            Streams(engine)
        engine.dispose()


def test_several_that_open_a_new_database_make_it_once(hub_url: str) -> None:
    with ThreadPoolExecutor(4) as pool:
        engines = list(pool.map(open_database, [hub_url] * 4))
    for engine in engines:
        with engine.connect() as connection:
            assert set(metadata.tables) <= set(sa.inspect(connection).get_table_names())
        engine.dispose()


def test_a_file_that_another_is_writing_to_becomes_the_hubs_as_soon_as_it_is_done(
    tmp_path: Path,
) -> None:
    """SQLite refuses at once to change a file's journal while another connection writes."""
    file = tmp_path / "hub.sqlite3"
    other = sqlite3.connect(file, isolation_level=None, check_same_thread=False)
    other.execute("BEGIN IMMEDIATE")
    release = Timer(0.3, lambda: other.execute("COMMIT"))
    release.start()
    open_database(f"sqlite:///{file}").dispose()
    release.join()
    other.close()


def test_the_form_is_not_changed_under_a_hub_that_runs(hub_url: str) -> None:
    with opened(hub_url) as streams:
        with streams.transaction() as connection:
            connection.exec_driver_sql("DELETE FROM alembic_version")
            for name in ("entries", "logs", "tables"):
                connection.exec_driver_sql(f"ALTER TABLE {name} RENAME TO old_{name}")
        with pytest.raises(DatabaseAwayError, match="Another hub"):
            open_database(hub_url)


def test_sqlite_survives_a_power_cut(hub_sqlite: str) -> None:
    with opened(hub_sqlite) as streams, streams.transaction() as db:
        assert db.exec_driver_sql("PRAGMA journal_mode").scalar() == "wal"
        assert db.exec_driver_sql("PRAGMA synchronous").scalar() == 2
        assert db.exec_driver_sql("PRAGMA foreign_keys").scalar() == 1


def test_postgresql_commits_for_good_even_where_its_owner_does_not_care(postgres: Postgres) -> None:
    url = postgres.fresh()
    name = url.rpartition("/")[2]
    with opened(url) as streams, streams.transaction() as db:
        db.exec_driver_sql(f"ALTER DATABASE {name} SET synchronous_commit = off")
    with opened(url) as streams, streams.transaction() as db:
        assert db.exec_driver_sql("SHOW synchronous_commit").scalar() == "on"


def test_a_closed_database_says_so(hub_url: str) -> None:
    with opened(hub_url) as streams:
        streams.close()
        with pytest.raises(HubError, match="is closed"):
            streams.ends()


def test_a_row_that_was_changed_behind_the_hub_is_found(hub_sqlite: str) -> None:
    from device.errors import LogDamagedError
    from device.hub.table_log import HubLog

    with opened(hub_sqlite) as streams:
        HubLog(streams).append_all([("a", {"n": 1}), ("b", {})], at_s=1.0)
    db = sqlite3.connect(hub_sqlite.removeprefix("sqlite:///"))
    db.executescript("""DROP TRIGGER entries_update; UPDATE entries SET data = '{"n":2}'
        WHERE number = 1""")
    db.close()
    with opened(hub_sqlite) as streams, pytest.raises(LogDamagedError, match="Entry 1"):
        HubLog(streams)
