"""A table in one file and back: while it plays, to the last byte, and nothing is overwritten."""

import hashlib
import json
import random
import sqlite3
import threading
import zipfile
from collections.abc import Callable
from pathlib import Path

import pytest
from conftest import Run

from device.backup import LAST, LOG, MANIFEST, SETTINGS, back_up, tidy_folder
from device.backup_restore import restore
from device.errors import SchockaugeError, SourceError, StoreError
from device.game import Game
from device.pin_file import PinFile
from device.proof_files import seal_archive
from device.random_play import random_action
from device.settings import load_settings
from device.store import SqliteLog
from device.store_file import LOG_FORM

PAIRING = '{"table": "table-1", "password": "very secret"}\n'
FLIPS = 60


class Table:
    """The files of a table in a folder; all names in its settings are relative to it."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.settings_file = folder / "table.toml"
        (folder / "state" / "evidence").mkdir(parents=True)
        self.settings_file.write_text(
            f'# of the pub\n[store]\npath = "{folder}/state/evening.sqlite3"\n'
            f'evidence_dir = "{folder}/state/evidence"\n'
            f'[table]\nmat_file = "{folder}/state/mat.toml"\n'
            f'[hub]\npairing_file = "{folder}/state/pairing.json"\n'
            f'[game]\nbook = "{folder}/state/haus.toml"\n'
        )
        (folder / "state" / "mat.toml").write_text("die_mm = 16.0\n")
        (folder / "state" / "pairing.json").write_text(PAIRING)
        (folder / "state" / "haus.toml").write_text('based_on = "turnier"\n')
        PinFile(folder / "state" / "schockauge-pins.json").save({"secret_key": "k", "pins": {}})
        self.log = folder / "state" / "evening.sqlite3"

    def play(self, entries: int, seed: int = 1) -> None:
        chance = random.Random(seed)
        with SqliteLog(self.log) as log:
            game = Game(log, book="turnier", players=["A", "B", "C"], clock=lambda: 1.0)
            while len(log.read(limit=1_000_000)) < entries and not game.match.is_over:
                game.do(random_action(game.match, chance))

    def keep_still(self) -> Path:
        still = self.folder / "state" / "evidence" / "throw-1.jpg"
        still.write_bytes(b"picture")
        with SqliteLog(self.log) as log:
            digest = hashlib.sha256(b"picture").hexdigest()
            kept = {"seq": 1, "kind": "still", "file": still.name, "sha256": digest}
            log.append("evidence.kept", kept, at_s=2.0)
        return still

    def back_up(self, to: Path, **more: bool) -> Path:
        return back_up(load_settings(self.settings_file), self.settings_file, to, **more).path

    def contents(self) -> dict[str, bytes]:
        files = (path for path in self.folder.rglob("*") if path.is_file())
        return {str(path.relative_to(self.folder)): path.read_bytes() for path in files}


@pytest.fixture
def table(tmp_path: Path) -> Table:
    made = Table(tmp_path / "pub")
    made.play(60)
    return made


def entries(path: Path) -> list[str]:
    with SqliteLog(path) as log:
        return [entry.hash for entry in log.read(limit=1_000_000)]


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


def test_any_changed_byte_is_noticed_and_nothing_is_touched(table: Table, tmp_path: Path) -> None:
    table.keep_still()
    archive = table.back_up(tmp_path / "one.zip", evidence=True)
    whole, before = archive.read_bytes(), table.contents()
    chance = random.Random(5)
    bad = tmp_path / "bad.zip"
    for number in range(FLIPS):
        at = chance.randrange(len(whole)) if number else len(whole) // 2
        bad.write_bytes(
            whole[:at] + bytes([whole[at] ^ 1 << chance.randrange(8)]) + whole[at + 1 :]
        )
        with pytest.raises(SchockaugeError, match=r"bad\.zip"):
            restore(bad, table.settings_file)
    for length in (0, 10, len(whole) // 2, len(whole) - 1):
        bad.write_bytes(whole[:length])
        with pytest.raises(SchockaugeError, match=r"bad\.zip"):
            restore(bad, table.settings_file)
    assert table.contents() == before


def rewritten(archive: Path, out: Path, change: Callable[[dict[str, bytes]], None]) -> Path:
    """A backup by somebody who knows how they are made."""
    with zipfile.ZipFile(archive) as old:
        files, comment = {name: old.read(name) for name in old.namelist()}, old.comment
    change(files)
    with zipfile.ZipFile(out, "w", zipfile.ZIP_STORED) as new:
        new.comment = comment
        for name, content in files.items():
            new.writestr(name, content)
    seal_archive(out)
    return out


def _later(files: dict[str, bytes]) -> None:
    files[MANIFEST] = json.dumps({**json.loads(files[MANIFEST]), "format": 99}).encode()


def _stranger(files: dict[str, bytes]) -> None:
    files["../../etc/passwd"] = b"root"


def _other_settings(files: dict[str, bytes]) -> None:
    files[SETTINGS] = b"[web]\nport = 1\n"


def _lacks(files: dict[str, bytes]) -> None:
    del files["pins.json"]


def _shorter_log(files: dict[str, bytes]) -> None:
    manifest = json.loads(files[MANIFEST])
    manifest["log"]["entries"] -= 1
    files[MANIFEST] = json.dumps(manifest).encode()


@pytest.mark.parametrize(
    ("change", "said"),
    [
        (_later, "made by a later version"),
        (_stranger, r"not those of its list.*passwd"),
        (_other_settings, "settings.toml was changed"),
        (_lacks, r"not those of its list.*pins\.json"),
        (_shorter_log, "The log in the backup has"),
    ],
)
def test_a_backup_that_somebody_made_up_is_refused(
    table: Table, tmp_path: Path, change: Callable[[dict[str, bytes]], None], said: str
) -> None:
    archive = table.back_up(tmp_path / "one.zip")
    before = table.contents()
    with pytest.raises(SchockaugeError, match=said):
        restore(rewritten(archive, tmp_path / "two.zip", change), table.settings_file)
    assert table.contents() == before


def test_a_log_of_a_later_version_is_not_brought_back(table: Table, tmp_path: Path) -> None:
    with sqlite3.connect(table.log) as db:
        db.execute(f"PRAGMA user_version = {LOG_FORM + 1}")
    db.close()
    archive = table.back_up(tmp_path / "one.zip")
    with pytest.raises(StoreError, match="was written by a later version"):
        restore(archive, table.settings_file)


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


def test_old_backups_go_and_other_files_stay(table: Table, tmp_path: Path, run: Run) -> None:
    usb = tmp_path / "usb"
    usb.mkdir()
    settings = load_settings(table.settings_file)
    made = [back_up(settings, None, usb, clock=lambda n=n: n * 86_400.0).path for n in range(4)]
    other = usb / "schockauge-of-mine.zip"
    other.write_bytes(b"")
    assert tidy_folder(usb, 2) == made[:2]
    assert sorted(usb.iterdir()) == sorted([*made[2:], other])
    status, out, _ = run("backup", usb, "--settings", table.settings_file, "--keep", 1, "--json")
    assert status == 0
    assert json.loads(out)["removed"] == [str(path) for path in made[2:]]
    assert run("backup", tmp_path / "x.zip", "--settings", table.settings_file, "--keep", 1)[0] == 2


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
