"""The log's file: durable at every commit, bounded beside it, and left alone by older versions."""

import multiprocessing
import random
import shutil
import sqlite3
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from device.desk import _FOLDS
from device.errors import NewerLogError
from device.store import SqliteLog
from device.store_file import LOG_FORM, WAL_BYTES, open_log
from rules.events import EVENT_TYPES

COPIES = 40
EVENTS_OF_FORM_1 = """
    abandoned burnt carried_over covered deckel_moved deckel_ruled doofmann_paid fault_reported
    final_started game_over half_over half_started kept left_covered limit_set match_started
    opening_settled opening_tied part_forfeited paused player_out reentered resumed returned
    round_ruled round_settled round_started round_void showdown_started stopped taken_back
    throw_corrected thrown took_voluntarily turn_forfeited turn_handed_over turn_replaced
    turn_started turned"""
DESK_OF_FORM_1 = """
    answer_dropped burnt caught_up covered entered_by_hand fault fault_over left_covered
    match_started packed_up round_settled thrown waits case.closed case.opened case.seen
    question.answered question.asked question.unread question.withdrawn"""


def pragma(log: SqliteLog, name: str) -> Any:
    assert log._db is not None
    return log._db.execute(f"PRAGMA {name}").fetchone()[0]


def test_every_commit_is_synchronised_in_a_write_ahead_log(tmp_path: Path) -> None:
    full, memory = 2, 2
    with SqliteLog(tmp_path / "log.sqlite3") as log:
        assert pragma(log, "journal_mode") == "wal"
        assert pragma(log, "synchronous") == full
        assert pragma(log, "temp_store") == memory
        assert pragma(log, "user_version") == LOG_FORM


def test_a_file_system_without_shared_memory_gets_the_durable_rollback_journal(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """SQLite then answers with the mode that it keeps."""

    class NoSharedMemory(sqlite3.Connection):
        def execute(self, sql: str, *more: Any) -> sqlite3.Cursor:
            keeps = sql.replace("journal_mode = WAL", "journal_mode = DELETE")
            return super().execute(keeps, *more)

    connect = sqlite3.connect
    monkeypatch.setattr(
        "device.store_file.sqlite3.connect",
        lambda *path, **more: connect(*path, **more, factory=NoSharedMemory),
    )
    extra = 3
    with SqliteLog(tmp_path / "log.sqlite3") as log:
        assert (pragma(log, "journal_mode"), pragma(log, "synchronous")) == ("delete", extra)
        assert log.append("x", {}, at_s=0.0).seq == 1


def _write(path: Path, acknowledged: Any, wanted: Any) -> None:
    """Write entries of all sizes while they are wanted, and say after each that it is there."""
    chance = random.Random(3)
    with SqliteLog(path) as log:
        while True:
            entry = log.append("x", {"text": "y" * chance.randint(0, 3000)}, at_s=0.0)
            acknowledged.value = entry.seq
            wanted.wait()


def test_what_was_acknowledged_is_in_a_copy_of_the_files_at_any_moment(tmp_path: Path) -> None:
    """Database first, then the write-ahead log: what a card holds when the power goes.

    A checkpoint writes to the database what the log has had for long, so a database that is older
    than its write-ahead log is what a power cut leaves; the copies run through many checkpoints.
    """
    path = tmp_path / "log.sqlite3"
    forks = multiprocessing.get_context("forkserver")
    acknowledged, wanted = forks.Value("q", 0), forks.Event()
    writer = forks.Process(target=_write, args=(path, acknowledged, wanted), daemon=True)
    writer.start()
    chance, counts, sizes = random.Random(7), [], []
    try:
        for number in range(COPIES):
            wanted.set()
            enough = acknowledged.value + chance.randint(1, 60)
            while acknowledged.value < enough:
                assert writer.is_alive()
                time.sleep(0.001)  # whoever only asks leaves no core to the writer
            folder = tmp_path / str(number)
            folder.mkdir()
            # A checkpoint that ends between the two copies begins the write-ahead log anew: the
            # old database would then lack what no power cut can take. Those copies are made again.
            while True:
                said, salt = acknowledged.value, _salt(path)
                shutil.copyfile(path, folder / path.name)
                shutil.copyfile(f"{path}-wal", folder / f"{path.name}-wal")
                if salt == _salt(path) == _salt(folder / path.name):
                    break
            wanted.clear()  # looking at a copy takes long, and longer the more there is
            sizes.append((folder / f"{path.name}-wal").stat().st_size)
            with SqliteLog(folder / path.name) as found:  # checks the chain
                counts.append((said, len(found.read(limit=10_000_000))))
    finally:
        writer.kill()
        writer.join()
    assert all(there >= said for said, there in counts), counts
    assert max(said for said, _ in counts) > 10 * COPIES
    assert max(sizes) <= WAL_BYTES


def _salt(path: Path) -> bytes:
    """What names this run of the write-ahead log."""
    with Path(f"{path}-wal").open("rb") as wal:
        return wal.read(32)


def _newer(path: Path) -> None:
    with SqliteLog(path) as log:
        log.append("x", {}, at_s=0.0)
    with sqlite3.connect(path) as db:
        db.execute(f"PRAGMA user_version = {LOG_FORM + 1}")
    db.close()


def contents(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


@pytest.mark.parametrize("use", [SqliteLog, open_log])
def test_a_log_of_a_later_version_is_named_and_not_touched(
    tmp_path: Path, use: Callable[[Path], object]
) -> None:
    path = tmp_path / "log.sqlite3"
    _newer(path)
    before = contents(tmp_path)
    with pytest.raises(NewerLogError, match=r"form 2; this version knows 1 .* --rollback"):
        use(path)
    assert contents(tmp_path) == before


def test_a_log_of_a_later_version_that_is_being_written_is_not_touched_either(
    tmp_path: Path,
) -> None:
    path = tmp_path / "log.sqlite3"
    _newer(path)
    writing = sqlite3.connect(path)
    writing.execute("INSERT INTO entries VALUES (2, 0.0, 'x', '{}', '', '')")
    writing.commit()
    before = contents(tmp_path)
    with pytest.raises(NewerLogError):
        SqliteLog(path)
    after = contents(tmp_path)
    assert after.keys() == before.keys()
    for name in ("log.sqlite3", "log.sqlite3-wal"):
        assert after[name] == before[name]
    writing.close()


def test_a_log_from_before_forms_were_counted_is_taken_up(tmp_path: Path) -> None:
    path = tmp_path / "log.sqlite3"
    with SqliteLog(path) as log:
        log.append("x", {}, at_s=0.0)
    with sqlite3.connect(path) as db:
        db.execute("PRAGMA user_version = 0")
    db.close()
    with SqliteLog(path) as log:
        assert pragma(log, "user_version") == LOG_FORM
        assert log.append("x", {}, at_s=0.0).seq == 2


def test_whoever_adds_an_entry_that_makes_a_game_raises_the_form() -> None:
    """An older version would overlook it and play on from something else."""
    assert LOG_FORM == 1
    assert set(EVENT_TYPES) == set(EVENTS_OF_FORM_1.split())
    assert set(_FOLDS) == set(DESK_OF_FORM_1.split())
