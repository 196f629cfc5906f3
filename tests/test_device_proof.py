"""An evening is proven unchanged: any byte that was changed is noticed, and its place is named."""

import json
import shutil
import sqlite3
import zipfile
from collections.abc import Iterable
from pathlib import Path

import pytest
from conftest import Run
from device_help import lines
from hypothesis import given
from hypothesis import strategies as st

from device.chain import chain
from device.commands.verify import _prove
from device.errors import StoreError
from device.evidence import Evidence
from device.game import Game
from device.proof import Finding, Proof
from device.store import SqliteLog
from rules.actions import ThrowDice

CLIP = b"\x1a\x45\xdf\xa3 a film"


def kept(evidence: Evidence, log: SqliteLog, about: int, t_s: float) -> str:
    clip = evidence.keep_clip(CLIP + bytes([about]), t_s=t_s)
    span = {"from_s": t_s - 3.0, "to_s": t_s + 2.0}
    log.append("evidence.kept", {"seq": about, "kind": "clip", **clip, **span}, at_s=1000.5)
    return str(clip["file"])


def write_log(folder: Path) -> None:
    """Three throws without a game: few bytes, and every kind of entry that names a file."""
    evidence = Evidence(folder / "evidence")
    with SqliteLog(folder / "evening.sqlite3") as log:
        for n in range(3):
            still = {"still": f"throw-{n}.jpg"}
            content = bytes([255, 216, n]) * 5
            (evidence.folder / still["still"]).write_bytes(content)
            entry = log.append(
                "table.throw_seen",
                {"dice": [6, 5, n + 1], "by": "Jörg", **still, "sha256": sha(content)},
                at_s=1000.0 + n,
            )
            name = kept(evidence, log, entry.seq, 5.0 * n)
        (evidence.folder / name).unlink()
        log.append("evidence.dropped", {"files": [name], "rule": "days"}, at_s=2000)


def sha(content: bytes) -> str:
    import hashlib

    return hashlib.sha256(content).hexdigest()


@pytest.fixture(scope="module")
def evening(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with a log, its evidence, and both forms of its export; not to be changed."""
    from device.evening import export_evening

    folder = tmp_path_factory.mktemp("evening")
    write_log(folder)
    log, evidence = folder / "evening.sqlite3", folder / "evidence"
    export_evening(log, evidence, folder / "export")
    export_evening(log, evidence, folder / "export.zip")
    return folder


@pytest.fixture
def copied(evening: Path, tmp_path: Path) -> Path:
    """The same, to be changed."""
    return Path(shutil.copytree(evening, tmp_path / "copy"))


def proof_of(path: Path) -> Proof:
    return _prove(path, None)


def names(findings: Iterable[Finding]) -> set[str | int | None]:
    return {f.name or f.seq for f in findings}


def test_an_unchanged_evening_is_proven(evening: Path, run: Run) -> None:
    for path, entries, files in (("evening.sqlite3", 9, 5), ("export", 8, 6), ("export.zip", 9, 6)):
        status, out, err = run("verify", evening / path, "--json")
        assert (status, err) == (0, "")
        (said,) = lines(out)
        assert said["unchanged"] is True
        assert (said["entries"], said["files"], said["dropped"]) == (entries, files, 1)
    assert "Unverändert: 9 Einträge, 6 Dateien geprüft" in run("verify", evening / "export.zip")[1]
    left = {path.name for path in evening.iterdir()}
    assert left == {"evening.sqlite3", "evidence", "export", "export.zip"}


def member_at(archive: Path, at: int) -> str | None:
    """Which file's content a byte of an archive belongs to."""
    with zipfile.ZipFile(archive) as opened:
        for member in opened.infolist():
            begin = member.header_offset + 30 + len(member.filename.encode())
            if begin <= at < begin + member.file_size:
                return member.filename
    return None


def test_any_byte_of_an_exported_folder_counts(evening: Path, copied: Path) -> None:
    """Every byte of every file, changed in two ways."""
    folder = copied / "export"
    count = 0
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        content = path.read_bytes()
        name = path.relative_to(folder).as_posix()
        for at in range(len(content)):
            line = content[:at].count(b"\n") + 1
            for bit in (1, 64):
                path.write_bytes(content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :])
                findings = proof_of(folder).findings
                assert findings, (name, at)
                if name == "log.jsonl":
                    assert findings[0].seq in (line, line + 1), (at, findings[0])
                else:
                    assert names(findings) == {name}
                count += 1
        path.write_bytes(content)
    assert count > 4000
    assert not proof_of(folder).findings


def test_any_byte_of_an_exported_archive_counts(evening: Path, copied: Path) -> None:
    """Every byte, those of its directory included; and what it belongs to is named."""
    archive = copied / "export.zip"
    content = archive.read_bytes()
    whole = {f.filename for f in zipfile.ZipFile(archive).infolist()}
    places = {at: member_at(evening / "export.zip", at) for at in range(len(content))}
    for at, place in places.items():
        archive.write_bytes(content[:at] + bytes([content[at] ^ 32]) + content[at + 1 :])
        findings = proof_of(archive).findings
        assert any(f.code == "archive_changed" for f in findings), at
        if place is not None and place != "log.jsonl":
            assert place in names(findings), (at, place)
        elif place == "log.jsonl":
            assert any(f.seq is not None for f in findings), (at, findings)
    assert set(places.values()) == whole | {None}


@pytest.fixture(scope="module")
def played(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The export of an evening with a game and its book."""
    from device.evening import export_evening

    folder = tmp_path_factory.mktemp("played")
    with SqliteLog(folder / "evening.sqlite3") as log:
        game = Game(log, book="turnier", players=["Anna", "Jörg"], clock=lambda: 1e9)
        for player, dice in (("Anna", (6, 5, 2)), ("Jörg", (6, 5, 1)), ("Jörg", (4, 2, 1))):
            game.do(ThrowDice(player, dice))
    export_evening(folder / "evening.sqlite3", None, folder / "evening.zip")
    return folder / "evening.zip"


@given(st.data())
def test_no_changed_added_or_missing_byte_of_a_played_evening_passes(
    played: Path, data: st.DataObject
) -> None:
    content = bytearray(played.read_bytes())
    at = data.draw(st.integers(0, len(content) - 1))
    what = data.draw(st.sampled_from(("changed", "added", "removed")))
    if what == "changed":
        content[at] ^= data.draw(st.integers(1, 255))
    elif what == "added":
        content.insert(at, data.draw(st.integers(0, 255)))
    else:
        del content[at]
    changed = played.with_name("changed.zip")
    changed.write_bytes(content)
    assert proof_of(changed).findings or bytes(content) == played.read_bytes()


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


def test_the_first_changed_entry_of_a_log_is_named(copied: Path, run: Run) -> None:
    with sqlite3.connect(copied / "evening.sqlite3") as db:
        db.execute("DROP TRIGGER entries_are_final")
        db.execute("UPDATE entries SET data = replace(data, '[6,5,2]', '[6,6,2]') WHERE seq = 3")
        db.execute("UPDATE entries SET at_s = 5 WHERE seq = 5")
    db.close()
    status, out, _ = run("verify", copied / "evening.sqlite3", "--json")
    first, end = lines(out)
    assert status == 1
    assert (first["finding"], first["seq"]) == ("entry_hash", 3)
    assert first["text"].startswith("Entry 3 (table.throw_seen) was changed")
    assert len(first["expected"]) == len(first["found"]) == 64
    assert (end["unchanged"], end["entries"], end["files"]) == (False, 2, 5)
    status, out, _ = run("verify", copied / "evening.sqlite3")
    assert out.splitlines()[0].startswith("Eintrag 3 (table.throw_seen) wurde verändert")
    assert out.splitlines()[1].startswith("VERÄNDERT: 1 Befunde; 2 Einträge stimmen davor")


def test_a_missing_entry_and_a_forged_one_are_told_apart(copied: Path) -> None:
    path = copied / "export" / "log.jsonl"
    log = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(log[:3] + log[4:]), encoding="utf-8")
    first = proof_of(copied / "export").findings[0]
    assert (first.code, first.seq, first.expected, first.found) == ("entry_number", 4, "4", "5")
    # An entry that is sealed anew does not carry the one behind it.
    old = json.loads(log[3])
    (forged,) = chain(None, [(old["type"], {**old["data"], "by": "Eve"})], at_s=old["at_s"])
    line = {**forged.to_json(), "seq": 4, "previous": old["previous"]}
    path.write_text("".join([*log[:3], json.dumps(line) + "\n", *log[4:]]), encoding="utf-8")
    assert proof_of(copied / "export").findings[0].code == "entry_hash"


def test_an_end_that_was_cut_off_is_noticed_in_an_export(copied: Path) -> None:
    path = copied / "export" / "log.jsonl"
    log = path.read_text(encoding="utf-8").splitlines(keepends=True)
    path.write_text("".join(log[:-1]), encoding="utf-8")
    assert {f.code for f in proof_of(copied / "export").findings} >= {"log_end"}
    path.write_text("".join(log[:-1]) + log[-1].rstrip("\n"), encoding="utf-8")
    assert proof_of(copied / "export").findings[0].code == "entry_unreadable"
    path.unlink()
    assert "there is no log.jsonl" in proof_of(copied / "export").findings[0].text("en")


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


ODD = (
    "1e999", "-1e999", "NaN", "null", "[]", "{}", '"x"', "true", "1e400", '"\\ud800"', "9" * 5000,
    "[" * 5000, "0",
)  # fmt: skip


@pytest.mark.parametrize("odd", ODD, ids=lambda odd: odd[:8])
@pytest.mark.parametrize("field", ["seq", "at_s", "type", "data", "previous", "hash"])
def test_an_entry_in_any_odd_form_is_a_finding(copied: Path, field: str, odd: str) -> None:
    path = copied / "export" / "log.jsonl"
    log = path.read_text(encoding="utf-8").splitlines(keepends=True)
    record = {**json.loads(log[2]), field: "HERE"}
    log[2] = json.dumps(record).replace('"HERE"', odd) + "\n"
    path.write_text("".join(log), encoding="utf-8")
    first = proof_of(copied / "export").findings[0]
    assert first.seq == 3
    assert all(first.text(language) for language in ("de", "en"))


@given(st.binary(max_size=300))
def test_any_bytes_are_a_finding_and_no_crash(played: Path, noise: bytes) -> None:
    for name in ("noise.jsonl", "noise.zip"):
        path = played.with_name(name)
        path.write_bytes(noise)
        assert proof_of(path).findings or (name == "noise.jsonl" and not noise)


@given(st.data())
def test_a_damaged_database_is_a_finding_or_as_good_as_before(
    played: Path, data: st.DataObject
) -> None:
    log = played.with_name("evening.sqlite3")
    content = bytearray(log.read_bytes())
    content[data.draw(st.integers(16, len(content) - 1))] ^= data.draw(st.integers(1, 255))
    damaged = played.with_name("damaged.sqlite3")
    damaged.write_bytes(content)
    before, after = proof_of(log), proof_of(damaged)
    assert after.findings or after.seal == before.seal, "what differs is in no entry"


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
