"""The file of the log: how it is opened so that a power cut takes nothing from it.

The choice: write-ahead log, synchronised at every commit. SQLite's own words for it (`PRAGMA
synchronous`): with NORMAL "WAL mode does lose durability. A transaction committed in WAL mode with
synchronous=NORMAL might roll back following a power loss or system crash"; with FULL "an additional
sync operation of the WAL file happens after each transaction commit. The extra WAL sync following
each transaction helps ensure that transactions are durable across a power loss". Where a file
system has no write-ahead log (it needs shared memory), SQLite keeps its rollback journal, and only
EXTRA is durable: it "provides additional durability if the commit is followed closely by a power
loss".

A log says in which form it is written (`PRAGMA user_version`). A program that does not know that
form leaves it alone: it would overlook what it cannot read, and play on from something else.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from pathlib import Path
from urllib.parse import quote

from device.errors import NewerLogError

LOG_FORM = 1
"""Raised by whoever adds an entry, or changes the meaning of one, so that an older program would
make another game of the log: `tests/test_device_store_file.py` knows the entries of this form. 0
are logs from before forms were counted; they read like 1."""

BUSY_TIMEOUT_S = 5.0
"""How long a write waits for another process to finish its own, in seconds."""

CHECKPOINT_PAGES = 256
"""The write-ahead log is brought into the file when it is so long: 1 MB of pages of 4096 bytes. A
commit syncs only what was added to it; a checkpoint writes every page that changed once."""

WAL_BYTES = 2_000_000
"""What is left of the write-ahead log after a long transaction or a slow reader is cut to this."""

_SCHEMA = """
CREATE TABLE IF NOT EXISTS entries (
  seq INTEGER PRIMARY KEY,
  at_s REAL NOT NULL,
  type TEXT NOT NULL,
  data TEXT NOT NULL,
  previous TEXT NOT NULL,
  hash TEXT NOT NULL
) STRICT;
CREATE TRIGGER IF NOT EXISTS entries_are_final BEFORE UPDATE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never changed'); END;
CREATE TRIGGER IF NOT EXISTS entries_stay BEFORE DELETE ON entries
  BEGIN SELECT RAISE(ABORT, 'entries are never deleted'); END;
"""


def open_log(path: Path) -> sqlite3.Connection:
    """Open a log for writing; made when absent.

    Raises:
        NewerLogError: a later version has written it; nothing was changed.
        sqlite3.Error: no database, damaged, or not to be written.
    """
    check_form(path)
    db = sqlite3.connect(path, timeout=BUSY_TIMEOUT_S, check_same_thread=False)
    try:
        (mode,) = db.execute("PRAGMA journal_mode = WAL").fetchone()
        db.execute(f"PRAGMA synchronous = {'FULL' if mode == 'wal' else 'EXTRA'}")
        db.execute(f"PRAGMA wal_autocheckpoint = {CHECKPOINT_PAGES}")
        db.execute(f"PRAGMA journal_size_limit = {WAL_BYTES}")
        db.execute("PRAGMA temp_store = MEMORY")  # nothing of a moment's use goes to the card
        verdict = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if verdict != "ok":
            raise sqlite3.DatabaseError(verdict)
        if _form(db) < LOG_FORM:  # else nothing is written: a full disk can still be read
            db.executescript(_SCHEMA)
            db.execute(f"PRAGMA user_version = {LOG_FORM}")
    except BaseException:
        db.close()
        raise
    return db


def check_form(path: Path) -> None:
    """Look, without changing a byte, whether this version knows the form of a log.

    Raises:
        NewerLogError: it does not.
        sqlite3.Error: no database, or not to be read.
    """
    if not path.exists() or not path.stat().st_size:
        return
    with closing(read_only(path)) as db:
        form = _form(db)
    if form > LOG_FORM:
        raise NewerLogError(
            f"The log {path} was written by a later version (form {form}; this version knows "
            f"{LOG_FORM} and older). It was not touched. Start that version again "
            "(`schockauge update --rollback`), or name another log."
        )


def read_only(path: Path) -> sqlite3.Connection:
    """Open a log so that neither it nor what lies beside it is changed.

    Raises:
        sqlite3.Error: it cannot be opened.
    """
    # Without a write-ahead log beside it nobody writes, and reading must not leave files behind.
    alone = not path.with_name(f"{path.name}-wal").exists()
    uri = f"file:{quote(str(path.resolve()))}?mode=ro{'&immutable=1' if alone else ''}"
    return sqlite3.connect(uri, uri=True, timeout=BUSY_TIMEOUT_S)


def _form(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])
