"""A backup brought back: what was there is kept beside it, and a running table is left alone."""

import sqlite3
from pathlib import Path

import pytest
from backup_table import Table, entries

from device.backup import back_up
from device.backup_restore import restore
from device.errors import SettingsError, StoreError
from device.settings import load_settings
from device.store import SqliteLog
from device.store_file import LOG_FORM


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "pub")
    made.play(60)
    return made


def test_what_was_there_is_kept_aside(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    files, known = table.contents(), entries(table.log)
    table.log.unlink()
    table.play(30, seed=9)  # another evening in its place
    other = entries(table.log)
    table.settings_file.write_text("[web]\nport = 9\n")
    done = restore(archive, table.settings_file, clock=lambda: 0.0)
    assert entries(table.log) == known
    assert table.settings_file.read_bytes() == files["table.toml"]
    aside = {path.name: path for path in done.aside}
    stamp = "before-restore-19700101-000000"
    assert set(aside) == {f"evening.sqlite3.{stamp}", f"table.toml.{stamp}"}
    assert entries(aside[f"evening.sqlite3.{stamp}"]) == other
    assert aside[f"table.toml.{stamp}"].read_text() == "[web]\nport = 9\n"


def test_a_damaged_log_is_replaced_and_kept(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    known = entries(table.log)
    table.log.write_bytes(b"rotten" * 1000)
    Path(f"{table.log}-wal").write_bytes(b"its write-ahead log")
    done = restore(archive, table.settings_file)
    assert entries(table.log) == known
    (aside,) = done.aside
    assert aside.read_bytes() == b"rotten" * 1000
    assert Path(f"{aside}-wal").read_bytes() == b"its write-ahead log"


def test_a_log_that_went_on_is_not_replaced_by_its_past(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    with SqliteLog(table.log) as log:
        log.append("x", {}, at_s=0.0)
    known = entries(table.log)
    with pytest.raises(StoreError, match=r"everything of the backup and 1 entries more"):
        restore(archive, table.settings_file)
    assert entries(table.log) == known
    done = restore(archive, table.settings_file, older=True)
    assert entries(table.log) == known[:-1]
    assert entries(done.aside[0]) == known


def test_a_running_table_is_left_alone(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    with SqliteLog(table.log) as log:
        log.append("x", {}, at_s=0.0)
        before = table.contents()
        with pytest.raises(StoreError, match="A program plays on the log"):
            restore(archive, table.settings_file, older=True)
        after = table.contents()
        assert log.append("x", {}, at_s=0.0).seq
    assert before.keys() == after.keys()


def test_settings_that_are_there_can_stay(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    known = entries(table.log)
    other = tmp_path / "new" / "table.toml"
    other.parent.mkdir()
    text = f'[store]\npath = "{tmp_path}/new/log.sqlite3"\nevidence_dir = ""\n'
    other.write_text(text)
    done = restore(archive, other, keep_settings=True)
    assert done.log == tmp_path / "new" / "log.sqlite3"
    assert entries(done.log) == known
    assert other.read_text() == text
    assert {path.name for path in done.placed} == {"log.sqlite3", "schockauge-pins.json"}


def test_a_log_of_a_later_version_is_not_brought_back(table: Table, tmp_path: Path) -> None:
    with sqlite3.connect(table.log) as db:
        db.execute(f"PRAGMA user_version = {LOG_FORM + 1}")
    db.close()
    archive = table.back_up(tmp_path / "one.zip")
    with pytest.raises(StoreError, match="was written by a later version"):
        restore(archive, table.settings_file)


def test_settings_that_were_broken_when_backed_up_are_told_of(table: Table, tmp_path: Path) -> None:
    """A table that plays is backed up by what it was started with."""
    settings, good = load_settings(table.settings_file), table.settings_file.read_text()
    table.settings_file.write_text(f"{good}[web]\nport = x\n")
    archive = back_up(settings, table.settings_file, tmp_path / "one.zip").path
    table.settings_file.write_text(good)
    with pytest.raises(SettingsError, match=r"changed: settings\.toml, line 12: .*--keep-settings"):
        restore(archive, table.settings_file)
    assert table.settings_file.read_text() == good
    assert restore(archive, table.settings_file, keep_settings=True).log == table.log
