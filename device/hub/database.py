"""Opens the hub's database: PostgreSQL, or one SQLite file; brings it to the form of this version.

Both run the same code (SQLAlchemy Core). Whatever goes wrong is a `HubError` that names the
database without its password; `DatabaseAwayError` where trying again makes sense.
"""

from __future__ import annotations

import re
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import sqlalchemy as sa
from alembic import command
from alembic.config import Config
from alembic.runtime.migration import MigrationContext
from alembic.script import ScriptDirectory
from sqlalchemy import event
from sqlalchemy.exc import ArgumentError, DBAPIError, SQLAlchemyError
from tenacity import retry, retry_if_exception, stop_after_delay, wait_random

from device.errors import DatabaseAwayError, HubError
from device.hub.alone import alone_for_now
from device.hub.schema import metadata

BUSY_TIMEOUT_S = 5.0
"""How long a statement on SQLite waits for another connection to finish its own."""

_FORMS = "sqlite:///hub.sqlite3 or postgresql://user:password@host/schockauge"

_POSTGRESQL = {
    "connect_timeout": 5,
    "application_name": "schockauge-hub",
    # A host that vanished is noticed within about ten seconds, in both directions.
    "keepalives_idle": 5,
    "keepalives_interval": 2,
    "keepalives_count": 3,
    "tcp_user_timeout": 10_000,
    # What the hub has told a table to be kept must outlive a power cut.
    "options": "-c synchronous_commit=on -c tcp_keepalives_idle=5 -c tcp_keepalives_interval=2 "
    "-c tcp_keepalives_count=3",
}


def open_database(url: str) -> sa.Engine:
    """Open a database, make or bring up to date what the hub keeps there.

    Args:
        url: `sqlite:///FILE` or `postgresql://…`.

    Raises:
        HubError: no such database, not reachable, of a newer version, or in use by another hub
            while it would have to be changed.
    """
    engine = _engine(url)
    try:
        with telling(engine), engine.connect() as connection:
            _check(connection)
        with telling(engine), writing(engine).begin() as connection:
            _bring_up_to_date(connection)
    except BaseException:
        engine.dispose()
        raise
    return engine


def alembic_config(connection: sa.Connection) -> Config:
    """What `alembic.command` needs to work on the hub's database, without any file."""
    config = Config()
    config.set_main_option("script_location", str(Path(__file__).parent / "migrations"))
    config.set_main_option("path_separator", "os")
    config.attributes["connection"] = connection
    return config


def writing(engine: sa.Engine) -> sa.Engine:
    """The engine for transactions that write: on SQLite they wait for each other at their begin."""
    return engine.execution_options(schockauge_writes=True)


@contextmanager
def telling(engine: sa.Engine) -> Iterator[None]:
    """Tell every failure of the database as a `HubError`.

    Raises:
        DatabaseAwayError: it does not answer, or has no room; it may be mended meanwhile.
        HubError: it refuses what was asked.
    """
    try:
        yield
    except DBAPIError as error:
        away = error.connection_invalidated or isinstance(
            error, sa.exc.OperationalError | sa.exc.InterfaceError | sa.exc.InternalError
        )
        raise (DatabaseAwayError if away else HubError)(_text(engine.url, error.orig)) from error
    except SQLAlchemyError as error:
        raise HubError(_text(engine.url, error)) from error


def shown(url: sa.URL | str) -> str:
    """The address of a database without its password."""
    if isinstance(url, sa.URL):
        url = url.set(drivername=url.get_backend_name()).render_as_string(hide_password=False)
    return re.sub(r"(?<=password=)[^&]*", "***", re.sub(r"(://[^:/@]*:).*@", r"\1***@", url))


def _text(url: sa.URL, error: object) -> str:
    reason = " ".join(str(error).split()).rstrip(".")
    for secret in (url.password, url.query.get("password")):
        if secret:
            reason = reason.replace(str(secret), "***")
    return (
        f"Cannot use the hub's database {shown(url)}: {reason}. Expected {_FORMS}, running, "
        "writable and with free space; mend it, or name another one."
    )


def _engine(url: str) -> sa.Engine:
    try:
        parsed = sa.make_url(url)
        backend = parsed.get_backend_name()
    except (ArgumentError, ValueError) as error:
        raise HubError(f"{shown(url)!r} is no database. Expected {_FORMS}.") from error
    if backend == "postgresql":
        return sa.create_engine(
            parsed.set(drivername="postgresql+psycopg"),
            connect_args=_POSTGRESQL,
            pool_pre_ping=True,  # a reader gets no connection from before the database's restart
        )
    if backend != "sqlite" or parsed.database in (None, "", ":memory:"):
        raise HubError(f"The hub cannot keep its logs in {shown(parsed)!r}. Expected {_FORMS}.")
    engine = sa.create_engine(parsed, connect_args={"timeout": BUSY_TIMEOUT_S})
    event.listen(engine, "connect", _prepare_sqlite)
    event.listen(engine, "begin", _begin_sqlite)
    return engine


def _prepare_sqlite(connection: sqlite3.Connection, _record: object) -> None:
    connection.isolation_level = None  # transactions begin where SQLAlchemy begins them
    _write_ahead(connection)
    for pragma in ("synchronous = FULL", "foreign_keys = ON"):
        connection.execute(f"PRAGMA {pragma}").close()


def _is_busy(error: BaseException) -> bool:
    code = getattr(error, "sqlite_errorcode", sqlite3.SQLITE_OK)
    return code & 0xFF == sqlite3.SQLITE_BUSY  # its extended codes say why in the upper bits


@retry(
    retry=retry_if_exception(_is_busy),
    stop=stop_after_delay(BUSY_TIMEOUT_S),
    wait=wait_random(0.005, 0.05),
    reraise=True,
)
def _write_ahead(connection: sqlite3.Connection) -> None:
    """Have a file kept in write-ahead form; of several that open a new one, one changes it.

    SQLite does not wait for that as it does for all else: the others are told at once that the
    file is locked (https://sqlite.org/c3ref/busy_handler.html).
    """
    connection.execute("PRAGMA journal_mode = WAL").close()


def _begin_sqlite(connection: sa.Connection) -> None:
    writes = connection.get_execution_options().get("schockauge_writes", False)
    connection.exec_driver_sql("BEGIN IMMEDIATE" if writes else "BEGIN")


def _check(connection: sa.Connection) -> None:
    """Refuse a damaged file, and a database that would not keep every letter."""
    if connection.dialect.name == "sqlite":
        verdict = connection.exec_driver_sql("PRAGMA quick_check(1)").scalar()
        if verdict != "ok":
            raise HubError(_text(connection.engine.url, verdict))
        return
    encoding = connection.exec_driver_sql("SHOW server_encoding").scalar()
    if encoding != "UTF8":
        raise HubError(
            f"The hub's database {shown(connection.engine.url)} is written in {encoding}; expected "
            "UTF8. Make another one: createdb --encoding=UTF8 --template=template0 NAME."
        )


def _bring_up_to_date(connection: sa.Connection) -> None:
    if _is_up_to_date(connection):
        return
    with alone_for_now(connection):
        if _is_up_to_date(connection):
            return  # somebody else has done it meanwhile
        _check_is_ours(connection)
        command.upgrade(alembic_config(connection), "head")


def _is_up_to_date(connection: sa.Connection) -> bool:
    script = ScriptDirectory.from_config(alembic_config(connection))
    found = MigrationContext.configure(connection).get_current_revision()
    head = script.get_current_head()
    if found is not None and found not in {each.revision for each in script.walk_revisions()}:
        raise HubError(
            f"The hub's database {shown(connection.engine.url)} has the form {found} of a newer "
            f"Schockauge; this one knows up to {head}. Update Schockauge, or name another database."
        )
    return found == head


def _check_is_ours(connection: sa.Connection) -> None:
    """Refuse a database without form that has tables of these names, such as a table's own log."""
    if MigrationContext.configure(connection).get_current_revision() is not None:
        return
    others = sorted(set(sa.inspect(connection).get_table_names()) & set(metadata.tables))
    if others:
        raise HubError(
            f"{shown(connection.engine.url)} holds something else: {', '.join(others)} of it are "
            "not the hub's. Name another database for the hub, a new one or an empty one."
        )
