"""Which errors at the start are the log's, and what the page then says; pure but for the files."""

import errno
import sqlite3
from pathlib import Path

import pytest

from device import store_trouble as st
from device.errors import SettingsError, SourceError, StoreError
from device.health import storing
from device.settings import Settings
from device.store import SqliteLog
from device.store_file import LOG_FORM


@pytest.fixture
def log(tmp_path: Path) -> Path:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as made:
        for _ in range(3):
            made.append("note", {}, at_s=1.0)
    return path


def trouble(error: Exception, log: Path) -> st.StoreTrouble | None:
    return st.store_trouble(error, Settings({"store.path": str(log)}))


def opening(log: Path) -> StoreError:
    with pytest.raises(StoreError) as told:
        SqliteLog(log)
    return told.value


def change(log: Path, script: str) -> None:
    db = sqlite3.connect(log)
    db.executescript(script)
    db.close()


def test_a_damaged_log_is_told_with_what_to_do(log: Path) -> None:
    change(log, "DROP TRIGGER entries_are_final; UPDATE entries SET at_s = 7 WHERE seq = 2;")
    found = trouble(opening(log), log)
    assert found is not None
    assert "Entry 2" in found.said[0]
    assert "schockauge restore" in found.said[0]
    assert not found.is_over


def test_what_is_no_database_is_a_damaged_log(log: Path) -> None:
    log.write_bytes(b"rotten" * 1000)
    found = trouble(opening(log), log)
    assert found is not None
    assert found.said[1].startswith("The log is damaged")


def test_a_log_of_a_later_version_names_the_way_back(log: Path) -> None:
    change(log, f"PRAGMA user_version = {LOG_FORM + 1}")
    found = trouble(opening(log), log)
    assert found is not None
    assert "update --rollback" in found.said[0]


def test_a_log_that_is_nowhere_is_a_mistake_in_the_settings(tmp_path: Path) -> None:
    nowhere = tmp_path / "gone" / "evening.sqlite3"
    assert trouble(opening(nowhere), nowhere) is None


def test_what_is_not_the_logs_is_left_to_the_settings(log: Path) -> None:
    assert trouble(SettingsError("web.port is 0"), log) is None
    assert trouble(SourceError("no camera"), log) is None


@pytest.mark.parametrize("why", [storing.FULL, storing.READ_ONLY, storing.LOCKED])
def test_the_table_is_tried_again_as_soon_as_the_disk_takes_entries(
    log: Path, monkeypatch: pytest.MonkeyPatch, why: tuple[str, str]
) -> None:
    monkeypatch.setattr(st, "why_not_writable", lambda path: why)
    found = trouble(StoreError("cannot be written"), log)
    assert found is not None
    assert (found.said, found.is_over) == (st.TODO[why], False)
    monkeypatch.setattr(st, "why_not_writable", lambda path: None)
    assert found.is_over


def test_a_full_disk_of_the_pins_alone_is_told_of(log: Path) -> None:
    error = StoreError("The PINs cannot be written")
    error.__cause__ = OSError(errno.ENOSPC, "No space left on device")
    found = trouble(error, log)
    assert found is not None
    assert "voll" in found.said[0]
