"""An evening is proven unchanged: any byte that was changed is noticed, and its place is named."""

import json
import shutil
import sqlite3
import zipfile
from pathlib import Path

import pytest
from conftest import Run
from device_help import lines
from hypothesis import given
from hypothesis import strategies as st
from proof_evening import names, proof_of, write_evening, write_played

from device.chain import chain
from device.errors import LogDamagedError
from device.store import SqliteLog


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
    """Every byte of every file, each time another bit of it."""
    folder = copied / "export"
    count = 0
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        content = path.read_bytes()
        name = path.relative_to(folder).as_posix()
        for at in range(len(content)):
            line = content[:at].count(b"\n") + 1
            bit = 1 << at % 8
            path.write_bytes(content[:at] + bytes([content[at] ^ bit]) + content[at + 1 :])
            findings = proof_of(folder).findings
            assert findings, (name, at)
            if name == "log.jsonl":
                assert findings[0].seq in (line, line + 1), (at, findings[0])
            else:
                assert names(findings) == {name}
            count += 1
        path.write_bytes(content)
    assert count > 3000
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


@pytest.mark.parametrize(
    "change", ["data = NULL", "data = x'00'", "type = 3", "at_s = 'x'", "hash = NULL"]
)
def test_a_column_that_holds_something_else_is_damage(
    played: Path, tmp_path: Path, change: str
) -> None:
    """As when a bit of a row's header flips: the table then has no say in what its columns hold."""
    log = tmp_path / "evening.sqlite3"
    with sqlite3.connect(played.with_name("evening.sqlite3")) as whole:
        rows = whole.execute("SELECT * FROM entries").fetchall()
    whole.close()
    with sqlite3.connect(log) as changed:
        changed.execute("CREATE TABLE entries (seq, at_s, type, data, previous, hash)")
        changed.executemany("INSERT INTO entries VALUES (?, ?, ?, ?, ?, ?)", rows)
        changed.execute(f"UPDATE entries SET {change} WHERE seq = 2")
    changed.close()
    first = proof_of(log).findings[0]
    assert (first.code, first.seq) == ("entry_unreadable", 2)
    with pytest.raises(LogDamagedError, match="Entry 2 "):
        SqliteLog(log)


def test_a_database_whose_damage_cannot_even_be_spelled_is_damaged(played: Path) -> None:
    content = played.with_name("evening.sqlite3").read_bytes()
    damaged = played.with_name("damaged.sqlite3")
    damaged.write_bytes(content.replace(b"CREATE TABLE entries", b"CREATE\xa0TABLE entries"))
    assert damaged.read_bytes() != content
    first = proof_of(damaged).findings[0]
    assert first.code == "entry_unreadable"
    assert "the database is damaged" in str(first.found)
