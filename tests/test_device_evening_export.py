"""An evening leaves the house whole, while the table may be playing; what is lacking is told."""

import shutil
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import Run
from device_help import lines
from proof_evening import proof_of, write_evening, write_played

from device.chain import LogEntry
from device.errors import StoreError
from device.mentions import Mentions
from device.store import SqliteLog
from web_ui.sentences import describe


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Not to be changed."""
    return write_evening(tmp_path_factory.mktemp("evening"))


@pytest.fixture
def copied(evening: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(evening, tmp_path / "copy"))


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The archive of an evening with a game and its book."""
    return write_played(tmp_path_factory.mktemp("played"))


def test_a_played_evening_has_its_rule_book_and_can_be_replayed(
    played: Path, tmp_path: Path, run: Run, root: Path
) -> None:
    with zipfile.ZipFile(played) as archive:
        book = (root / "rules" / "books" / "turnier.toml").read_bytes()
        assert archive.read("books/turnier.toml") == book
        (tmp_path / "log.jsonl").write_bytes(archive.read("log.jsonl"))
    status, out, _ = run("replay", tmp_path / "log.jsonl")
    assert status == 0
    assert "Jörg" in out
    assert run("verify", tmp_path / "log.jsonl")[0] == 0


def test_files_that_are_missing_changed_or_strange_are_named(copied: Path, run: Run) -> None:
    evidence = copied / "evidence"
    (evidence / "throw-0.jpg").unlink()
    (evidence / "throw-1.jpg").write_bytes(b"another")
    (evidence / "throw-2.jpg").unlink()
    (evidence / "throw-2.jpg").symlink_to(copied / "export" / "evidence" / "throw-2.jpg")
    (evidence / "sub").mkdir()
    (evidence / "sub" / "more.jpg").write_bytes(b"?")
    status, out, _ = run("verify", copied / "evening.sqlite3", "--json")
    *findings, end = lines(out)
    assert status == 1
    assert end["entries"] == 9
    assert {(f["file"], f["finding"], f["seq"]) for f in findings} == {
        ("throw-0.jpg", "file_missing", 1),
        ("throw-1.jpg", "file_changed", 3),
        ("throw-2.jpg", "file_changed", 5),
        ("sub/more.jpg", "file_unmentioned", None),
    }


def test_without_a_folder_the_log_alone_is_proven_and_that_is_said(copied: Path, run: Run) -> None:
    shutil.move(copied / "evidence", copied / "elsewhere")
    status, out, _ = run("verify", copied / "evening.sqlite3")
    assert status == 0
    assert "Bilder und Filme nicht geprüft" in out
    words = ("verify", copied / "evening.sqlite3", "--evidence", copied / "elsewhere")
    assert "5 Dateien geprüft" in run(*words)[1]


@pytest.mark.parametrize(
    ("words", "status", "said"),
    [
        (["none.sqlite3"], 1, "none.sqlite3 cannot be read"),
        (["export", "--evidence", "evidence"], 2, "an export has its files with it"),
        (["evening.sqlite3", "--evidence", "none"], 1, "none is no folder"),
    ],
)
def test_what_cannot_be_verified_is_said(
    evening: Path, run: Run, monkeypatch: pytest.MonkeyPatch, words: list[str], status: int,
    said: str,
) -> None:  # fmt: skip
    monkeypatch.chdir(evening)
    assert (run("verify", *words)[0], said in run("verify", *words)[2]) == (status, True)


def test_a_log_may_be_read_while_the_table_writes(copied: Path) -> None:
    with SqliteLog(copied / "evening.sqlite3") as log:
        log.append("note", {}, at_s=1.0)
        assert proof_of(copied / "evening.sqlite3").entries == 10


def test_an_export_beside_the_playing_table_is_noted_and_the_game_goes_on(
    copied: Path, run: Run
) -> None:
    path, out = copied / "evening.sqlite3", copied / "again.zip"
    with SqliteLog(path) as log:
        log.append("note", {}, at_s=1.0)
        words = ("export", path, "--evening", out, "--evidence", copied / "evidence")
        status, said, _ = run(*words)
        assert status == 0
        assert "11 Einträge, 5 Dateien" in said
        assert log.append("note", {}, at_s=2.0).seq == 12
        assert run(*words)[0] == 1, "an export is never overwritten"
    assert not proof_of(path).findings
    assert not proof_of(out).findings


def test_two_tables_never_play_on_one_log(tmp_path: Path) -> None:
    with SqliteLog(tmp_path / "a.sqlite3") as one, SqliteLog(tmp_path / "a.sqlite3") as other:
        one.append("thrown", {}, at_s=1.0)
        with pytest.raises(StoreError, match="another program plays on it"):
            other.append("thrown", {}, at_s=1.0)
        assert one.append("thrown", {}, at_s=1.0).seq == 2


@pytest.mark.parametrize("name", ["full.zip", "full"])
def test_an_export_that_does_not_fit_on_the_disk_leaves_nothing(
    copied: Path, run: Run, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr("device.evening.shutil.copyfile", full)
    monkeypatch.setattr("device.evening.shutil.copyfileobj", full)
    before = sorted(copied.iterdir())
    words = ("--evening", copied / name, "--evidence", copied / "evidence")
    status, _, err = run("export", copied / "evening.sqlite3", *words)
    assert status == 1
    assert f"{name} cannot be written: No space left on device" in err
    assert sorted(copied.iterdir()) == before
    with SqliteLog(copied / "evening.sqlite3") as log:
        *_, noted, failed = log.read()
    assert (noted.type, failed.type) == ("evidence.exported", "evidence.export_failed")
    assert failed.data["seq"] == noted.seq
    assert "No space left on device" in failed.data["reason"]
    assert "No space left" in describe("de", failed.type, failed.data).text
    monkeypatch.undo()
    status, _, _ = run("export", copied / "evening.sqlite3", *words)
    assert (status, proof_of(copied / name).findings) == (0, [])


def test_an_export_goes_on_though_the_table_writes_at_the_same_moment(
    copied: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Between the look at the log and the note in it, and before the note that it failed."""
    path = copied / "evening.sqlite3"
    table = SqliteLog(path)

    def table_writes(*_: object) -> None:
        table.append("note", {}, at_s=1.0)
        raise OSError(5, "Input/output error")

    real = Mentions.of

    def of(entries: Iterable[LogEntry]) -> Mentions:
        table.append("note", {}, at_s=1.0)
        return real(entries)

    monkeypatch.setattr(Mentions, "of", of)
    monkeypatch.setattr("device.evening.shutil.copyfile", table_writes)
    words = ("--evening", copied / "out", "--evidence", copied / "evidence")
    with table:
        status, _, err = run("export", path, *words)
        types = [entry.type for entry in table.read()]
    assert (status, "Input/output error" in err) == (1, True)
    assert types[-4:] == ["note", "evidence.exported", "note", "evidence.export_failed"]
    assert not proof_of(path).findings


def test_an_export_says_what_is_lacking_and_takes_what_is_there(copied: Path, run: Run) -> None:
    (copied / "evidence" / "throw-1.jpg").unlink()
    out = copied / "lacking"
    words = ("--evening", out, "--evidence", copied / "evidence")
    status, _, err = run("export", copied / "evening.sqlite3", *words)
    assert status == 1
    assert "1 stills or clips are missing" in err
    assert {(f.code, f.name) for f in proof_of(out).findings} == {
        ("file_missing", "evidence/throw-1.jpg")
    }
    assert run("export", copied / "evening.sqlite3", "--evidence", "x")[0] == 2
    assert run("export", copied / "evening.sqlite3", "--evening", "x", "--json")[0] == 2
