"""Which of the backups in a folder are too old."""

import json
from pathlib import Path

import pytest
from backup_table import Table
from conftest import Run

from device.backup import back_up
from device.backup_folder import tidy_folder
from device.settings import load_settings
from device.store import SqliteLog


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "pub")
    made.play(60)
    return made


def test_old_backups_go_and_other_files_stay(table: Table, tmp_path: Path, run: Run) -> None:
    usb = tmp_path / "usb"
    usb.mkdir()
    settings = load_settings(table.settings_file)
    made = [back_up(settings, None, usb, clock=lambda n=n: n * 86_400.0).path for n in range(4)]
    other = usb / "schockauge-of-mine.zip"
    other.write_bytes(b"")
    assert tidy_folder(usb, 2, made[3]) == made[:2]
    assert sorted(usb.iterdir()) == sorted([*made[2:], other])
    status, out, _ = run("backup", usb, "--settings", table.settings_file, "--keep", 1, "--json")
    assert status == 0
    assert json.loads(out)["removed"] == [str(path) for path in made[2:]]
    assert run("backup", tmp_path / "x.zip", "--settings", table.settings_file, "--keep", 1)[0] == 2


def test_a_folder_that_two_tables_share_keeps_what_the_other_one_has(
    table: Table, tmp_path: Path
) -> None:
    usb = tmp_path / "usb"
    usb.mkdir()
    other = Table(tmp_path / "other")
    with SqliteLog(other.log) as log:
        log.append("x", {}, at_s=2.0)
    theirs = [
        back_up(load_settings(other.settings_file), None, usb, clock=lambda n=n: n * 60.0).path
        for n in range(3)
    ]
    settings = load_settings(table.settings_file)
    ours = [back_up(settings, None, usb, clock=lambda n=n: n * 60.0 + 7).path for n in range(3)]
    assert tidy_folder(usb, 1, ours[2]) == ours[:2]
    assert sorted(usb.iterdir()) == sorted([*theirs, ours[2]])


def test_backups_of_the_same_second_are_all_kept_apart(table: Table, tmp_path: Path) -> None:
    settings = load_settings(table.settings_file)
    usb = tmp_path / "usb"
    usb.mkdir()
    made = [back_up(settings, None, usb, clock=lambda: 60.0).path for _ in range(3)]
    assert len(set(made)) == 3
    assert tidy_folder(usb, 1, made[2]) == made[:2]
