"""A table in one file: while it plays, to the last byte, and nothing is overwritten."""

import json
import shutil
import sqlite3
import threading
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from backup_table import Table, entries
from conftest import Run

from device import backup
from device.backup import LAST, LOG, back_up
from device.backup_restore import restore
from device.errors import SchockaugeError, SourceError, StoreError
from device.settings import load_settings
from device.settings_file import SettingsFile
from device.settings_versions import Versions
from device.store import SqliteLog


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "pub")
    made.play(60)
    return made


def test_a_table_comes_back_on_a_bare_appliance(table: Table, tmp_path: Path, run: Run) -> None:
    still = table.keep_still()
    known, files = entries(table.log), table.contents()
    usb = tmp_path / "usb"
    usb.mkdir()
    words = ("--settings", table.settings_file, "--to", usb, "--evidence", "--json")
    status, out, err = run("backup", *words)
    assert (status, err) == (0, "")
    told = json.loads(out)
    archive = Path(told["path"])
    assert archive.parent == usb
    assert archive.stat().st_mode & 0o777 == 0o600
    assert (told["entries"], told["seal"], told["lacking"]) == (len(known), known[-1], [])
    assert sorted(told["files"]) == [
        "book.toml", "calibration.toml", "evidence/throw-1.jpg", "log.sqlite3", "pairing.json",
        "pins.json", "settings.toml",
    ]  # fmt: skip
    note = json.loads((table.log.parent / LAST).read_text())
    assert note["path"] == str(archive)
    assert note["bytes"] == archive.stat().st_size
    assert abs(note["at_s"] - archive.stat().st_mtime) < 60
    assert not list(usb.glob("*.part")) + list(usb.glob("*.log"))

    for name in files:
        (table.folder / name).unlink()
    status, out, err = run("restore", archive, "--settings", table.settings_file, "--json")
    assert (status, err) == (0, "")
    assert json.loads(out)["aside"] == []
    assert entries(table.log) == known
    back = table.contents()
    for name in files.keys() - {"state/evening.sqlite3"}:
        assert back[name] == files[name], name
    assert still.read_bytes() == b"picture"
    pins = table.folder / "state" / "schockauge-pins.json"
    assert pins.stat().st_mode & 0o777 == 0o600


def test_a_backup_of_an_evening_under_way_is_a_moment_of_it(table: Table, tmp_path: Path) -> None:
    """Somebody writes all the time: every backup is a prefix, and no entry waits for long."""
    stop, written = threading.Event(), [0]

    def play() -> None:
        with SqliteLog(table.log) as log:
            while not stop.is_set():
                written[0] = log.append("x", {"text": "y" * 500}, at_s=0.0).seq

    player = threading.Thread(target=play)
    player.start()
    made = []
    try:
        for number in range(8):
            before = written[0]
            while written[0] < before + 20:
                pass
            said = written[0]
            settings = load_settings(table.settings_file)
            done = back_up(settings, table.settings_file, tmp_path / f"{number}.zip")
            assert done.entries >= said
            made.append(done)
    finally:
        stop.set()
        player.join()
    known = entries(table.log)
    for done in made:
        assert known[done.entries - 1] == done.seal
        with zipfile.ZipFile(done.path) as archive:
            archive.extract(LOG, tmp_path / "out")
        assert entries(tmp_path / "out" / LOG) == known[: done.entries]


def test_a_damaged_log_is_not_backed_up_as_if_nothing_were(table: Table, tmp_path: Path) -> None:
    with sqlite3.connect(table.log) as db:
        db.executescript("DROP TRIGGER entries_are_final; UPDATE entries SET at_s = 7 WHERE seq=5;")
    db.close()
    with pytest.raises(StoreError, match="is damaged, nothing was backed up: Entry 5"):
        table.back_up(tmp_path / "one.zip")
    assert not list(tmp_path.glob("one.zip*"))
    assert not (table.log.parent / LAST).exists()


def test_secrets_can_stay_at_home(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip", secrets=False)
    assert b"very secret" not in archive.read_bytes()
    with zipfile.ZipFile(archive) as made:
        assert not {"pins.json", "pairing.json"} & set(made.namelist())


def test_nothing_is_overwritten_and_a_missing_stick_is_named(table: Table, tmp_path: Path) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    before = archive.read_bytes()
    with pytest.raises(SchockaugeError, match="a backup is never overwritten"):
        table.back_up(archive)
    assert archive.read_bytes() == before
    with pytest.raises(SchockaugeError, match="Is the disk plugged in"):
        table.back_up(tmp_path / "usb" / "one.zip")
    table.log.unlink()
    with pytest.raises(SourceError, match="nothing to back up"):
        table.back_up(tmp_path / "two.zip")


def test_a_disk_that_keeps_something_else_is_told_of(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def forgets(path: Path) -> None:
        content = path.read_bytes()
        path.write_bytes(content[:2000] + b"?" * 100 + content[2100:])

    monkeypatch.setattr("device.backup.seal_archive", forgets)
    with pytest.raises(SchockaugeError, match="reads back as something else"):
        table.back_up(tmp_path / "one.zip")
    assert not list(tmp_path.glob("one.zip*"))


def test_earlier_versions_of_the_settings_come_back(table: Table, tmp_path: Path) -> None:
    file = SettingsFile(table.settings_file)
    file.change({"web.language": "en"}, by="Wirt", at_s=5.0)
    known = file.versions()
    archive = table.back_up(tmp_path / "one.zip")
    contents = {version.number: file.version(version.number) for version in known}
    shutil.rmtree(Versions(table.settings_file).folder)
    restore(archive, table.settings_file)
    assert file.versions() == known
    assert {version.number: file.version(version.number) for version in known} == contents
    text = table.settings_file.read_text()
    file.change({"web.language": "de"}, by="Wirt", at_s=6.0)
    restore(archive, table.settings_file)
    assert table.settings_file.read_text() == text
    assert [v.number for v in file.versions()][-len(known) :] == [v.number for v in known]


def test_what_the_table_drops_meanwhile_ends_no_backup(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    still = table.keep_still()

    def dropped(log: Path, folder: Path) -> Iterator[tuple[str, Path]]:
        yield from _evidence(log, folder)
        still.unlink()

    _evidence = backup._evidence
    monkeypatch.setattr(backup, "_evidence", dropped)
    settings = load_settings(table.settings_file)
    made = back_up(settings, table.settings_file, tmp_path / "one.zip", evidence=True)
    assert "evidence/throw-1.jpg" not in made.files
    assert restore(made.path, table.settings_file).entries == made.entries


def test_a_card_that_takes_no_note_is_backed_up_all_the_same(
    table: Table, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, run: Run
) -> None:
    def refuse(path: Path, *_: object, **__: object) -> None:
        raise SchockaugeError(f"{path} cannot be written: Read-only file system.")

    monkeypatch.setattr(backup, "write_secret", refuse)
    words = ("backup", "--settings", table.settings_file)
    status, out, _ = run(*words, tmp_path / "one.zip", "--json")
    assert (status, json.loads(out)["noted"]) == (0, False)
    assert "ließ sich nicht vermerken" in run(*words, tmp_path / "two.zip")[1]
    assert restore(tmp_path / "one.zip", table.settings_file).log == table.log


def test_a_backup_on_the_logs_own_disk_hides_none_that_lies_elsewhere(
    table: Table, tmp_path: Path
) -> None:
    """An update makes one beside the log, and a stick that is pulled out leaves its folder."""
    note = table.log.parent / LAST
    table.back_up(tmp_path / "one.zip")
    assert json.loads(note.read_text())["same_disk"] is True
    elsewhere = {"at_s": 5.0, "path": "/media/usb/x.zip", "bytes": 1, "same_disk": False}
    note.write_text(json.dumps(elsewhere))
    table.back_up(tmp_path / "two.zip")
    assert json.loads(note.read_text()) == elsewhere
    note.write_text("{")
    table.back_up(tmp_path / "three.zip")
    assert json.loads(note.read_text())["path"] == str(tmp_path / "three.zip")
