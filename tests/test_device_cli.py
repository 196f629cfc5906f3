"""The command line: how it fails and with which status; logs, settings, doctor, photographs."""

import json
import sqlite3
from pathlib import Path

import pytest
from conftest import Run
from device_help import FixedReader, lines, picture

from device.store import SqliteLog


@pytest.mark.parametrize("words", [[], ["dance"], ["read"], ["read", "--nonsense", "a.jpg"]])
def test_bad_usage_has_status_2_and_says_error(run: Run, words: list[str]) -> None:
    status, out, err = run(*words)
    assert (status, out) == (2, "")
    assert "schockauge: error: " in err


def test_help_has_status_0(run: Run) -> None:
    status, out, _ = run("--help")
    assert status == 0
    assert "demo" in out


def test_a_setting_that_cannot_be_names_file_and_line(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "table.toml"
    path.write_text("[web]\nport = -1\n")
    status, _, err = run("settings", "--settings", path)
    assert status == 1
    assert f"schockauge: error: {path}, line 2: web.port is -1" in err


def test_a_changed_log_is_refused(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append("thrown", {"dice": [6, 5, 2]}, at_s=0.0)
    with sqlite3.connect(path) as db:
        db.execute("DROP TRIGGER entries_are_final")
        db.execute("UPDATE entries SET type = 'kept'")
    db.close()
    for command in (["replay"], ["export"]):
        status, _, err = run(*command, path)
        assert status == 1
        assert "was changed after it was written" in err


def test_a_written_game_is_replayed_and_a_wrong_line_is_named(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    table = {"book": "turnier", "players": ["A", "B"]}
    throws = [("A", [6, 5, 2]), ("B", [2, 2, 1])]
    written = [table, *({"type": "throw", "player": p, "dice": d} for p, d in throws)]
    path.write_text("\n".join(json.dumps(line) for line in written))
    status, out, _ = run("replay", path, "--json")
    assert status == 0
    assert lines(out)[0]["event"]["type"] == "match_started"
    assert lines(out)[-1]["state"]["holdings"] == {"A": 0, "B": 1}
    path.write_text(path.read_text() + '\n{"type": "stop", "player": "A"}')
    status, _, err = run("replay", path, "--last")
    assert status == 1
    assert f"{path}, line 4: " in err


def test_settings_lists_everything(run: Run) -> None:
    status, out, _ = run("settings", "--json")
    assert status == 0
    names = [line["name"] for line in lines(out)]
    assert "web.port" in names
    assert all(line["help"] for line in lines(out))


def test_doctor_says_what_is_missing(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    toml = tmp_path / "table.toml"
    toml.write_text('[web]\nport = 0\n[table]\nsource = "nowhere.mp4"\n')
    status, out, _ = run("doctor", "--settings", toml, "--json")
    states = {line["check"]: line["state"] for line in lines(out)}
    assert states["models"] == "ok"
    assert states["source"] == "missing"
    assert status == 0
    toml.write_text('[game]\nbook = "kneipe"\n[web]\nport = 0\n')
    status, out, err = run("doctor", "--settings", toml)
    assert status == 1
    assert "FAILED  rule book: " in out
    assert "schockauge: error: 1 checks failed" in err


def test_bench_photos_counts_per_source(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    for source, values in (("one", "5"), ("two", "5 6")):
        (tmp_path / source / "images").mkdir(parents=True)
        picture(tmp_path / source / "images" / "a.png")
        (tmp_path / source / "values.csv").write_text(f"file,values\na.png,{values}\n")
    details = tmp_path / "details.jsonl"
    status, out, _ = run("bench", "photos", tmp_path, "--json", "--details", details)
    assert status == 0
    rows = {line["source"]: line for line in lines(out)}
    assert (rows["one"]["right"], rows["two"]["right"]) == (1, 0)
    assert rows["all"] == {
        "source": "all", "photographs": 2, "right": 1, "dice": 3, "dice_right": 2,
        "sure": 0, "sure_but_wrong": 0, "ms": 1.5,
    }  # fmt: skip
    assert [line["right"] for line in lines(details.read_text())] == [True, False]
    status, out, _ = run("bench", "photos", tmp_path)
    assert "| one | 1 | 1 (100.0 %) |" in out
