"""Commands that watch a clip: watch, run, demo, calibrate, bench."""

import re
import socket
from collections.abc import Callable
from pathlib import Path

import numpy as np
import pytest
from conftest import Run
from device_help import lines
from device_table import SMALL_GAME, stand_in
from PIL import Image

from device.store import SqliteLog
from vision.framing import framed_px


def test_watch_prints_table_events(run: Run, clip: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    stand_in(monkeypatch)
    status, out, err = run("watch", clip, "--json")
    assert (status, err) == (0, "")
    throws = [line for line in lines(out) if line["type"] == "throw_seen"]
    assert [line["dice"] for line in throws] == [dice for _, dice, _ in SMALL_GAME["thrown"]]
    assert set(throws[0]) >= {"t_s", "type", "seat", "dice", "outside", "sure"}
    kept = [line for line in lines(out) if line["type"] == "dice_kept"]
    assert [(line["dice"], line["outside"]) for line in kept] == [([1], [1])]


@pytest.mark.parametrize("command", [["watch"], ["run", "--once", "--port", "0", "--source"]])
def test_a_clip_cut_in_half_is_an_error_after_what_is_there(
    run: Run, short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, command: list[str]
) -> None:
    stand_in(monkeypatch)
    monkeypatch.chdir(tmp_path)
    half = tmp_path / "half.avi"
    half.write_bytes(short_clip.read_bytes()[: short_clip.stat().st_size // 2])
    status, _, err = run(*command, half)
    assert status == 1
    assert "schockauge: error: The clip" in err
    assert re.search(r"\d+ of \d+ frames could be read", err)


def test_what_a_clip_showed_before_it_broke_off_is_in_the_log(
    run: Run, short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Without `--once` too: a recording that broke off is not begun anew."""
    stand_in(monkeypatch)
    monkeypatch.chdir(tmp_path)
    half = tmp_path / "half.avi"
    half.write_bytes(short_clip.read_bytes()[: short_clip.stat().st_size // 2])
    status, _, err = run("run", "--source", half, "--port", 0, "--log", "half.sqlite3")
    assert status == 1
    assert "breaks off" in err
    status, out, _ = run("replay", "half.sqlite3", "--json")
    assert status == 0
    assert '"dice": [6, 5, 2]' in out


def test_watch_names_the_state_of_a_hostile_camera_on_stderr(
    run: Run, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    status, out, err = run("watch", f"hostile:black@0.2+0.6:{short_clip}", "--json")
    assert status == 0
    throws = [line["dice"] for line in lines(out) if line["type"] == "throw_seen"]
    assert throws[-1] == [3, 2, 2]
    assert "0.20 s: Das Kamerabild ist schwarz" in err
    assert err.strip().endswith("Das Bild ist wieder gut.")


def test_a_plan_that_makes_no_sense_is_bad_usage(run: Run, short_clip: Path) -> None:
    status, _, err = run("watch", f"hostile:melt@3:{short_clip}")
    assert status == 2
    assert "melt@3" in err


def test_a_clip_without_a_mat_is_an_error(
    run: Run, make_clip: Callable[..., Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    status, _, err = run("watch", make_clip())
    assert status == 1
    assert "schockauge: error: The markers 0..3" in err


def test_the_demo_plays_the_clip_to_its_standing(
    run: Run, clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    log = tmp_path / "demo.sqlite3"
    words = ("demo", "--clip", clip, "--fast", "--once", "--port", 0)
    status, out, err = run(*words, "--json", "--log", log)
    assert status == 0
    entries = lines(out)
    assert [entry["seq"] for entry in entries] == list(range(1, len(entries) + 1))
    thrown = [e["data"] for e in entries if e["type"] == "thrown"]
    assert [(t["player"], t["dice"], t["outside"]) for t in thrown] == SMALL_GAME["thrown"]
    moved = [e["data"] for e in entries if e["type"] == "deckel_moved"]
    assert moved[-1]["holdings"] == SMALL_GAME["holdings"]
    assert moved[-1]["stock"] == SMALL_GAME["stock"]
    seen = [e["data"] for e in entries if e["type"] == "table.throw_seen"]
    assert all(s["model"] == "painted" and s["still"].endswith(".jpg") for s in seen)
    assert "Die Anzeige: http://127.0.0.1:" in err

    # The log that was kept tells the same to replay, export and people.
    status, out, _ = run("replay", log, "--last", "--json")
    assert (status, lines(out)[0]["holdings"]) == (0, SMALL_GAME["holdings"])
    status, out, _ = run("replay", log)
    assert "C wirft im Zweiten: Schock Drei" in out
    assert "A   3 Deckel" in out
    status, out, _ = run("export", log, "--format", "json")
    assert lines(out) == entries
    exported = tmp_path / "log.jsonl"
    exported.write_text(out, encoding="utf-8")
    assert run("replay", exported, "--last")[1] == run("replay", log, "--last")[1]
    status, out, _ = run("export", log)
    assert out.splitlines()[0] == "seq,at,type,player,dice,text,data,hash"
    assert len(out.splitlines()) == len(entries) + 1

    status, _, err = run(*words, "--log", log)
    assert status == 1
    assert "exists already" in err


def test_a_throw_the_witnesses_disagree_about_is_asked_not_guessed(
    run: Run, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch, mistakes={6: 5})
    status, out, err = run("demo", "--clip", short_clip, "--fast", "--once", "--port", 0, "--json")
    entries = lines(out)
    assert status == 1
    assert "could not be read for sure" in err
    assert [e["data"]["player"] for e in entries if e["type"] == "question.asked"] == ["A"]
    assert not [e for e in entries if e["type"] == "thrown"]


def test_a_port_in_use_is_named_with_the_option(
    run: Run, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    with socket.create_server(("127.0.0.1", 0)) as other:
        port = other.getsockname()[1]
        status, out, err = run("demo", "--clip", short_clip, "--fast", "--once", "--port", port)
    assert (status, out) == (1, "")
    assert f"schockauge: error: The port {port} is in use" in err
    assert "--port" in err


def test_an_unknown_book_lists_the_known(
    run: Run, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    status, _, err = run("demo", "--clip", short_clip, "--once", "--port", 0, "--book", "kneipe")
    assert status == 1
    assert "schockauge: error: " in err
    assert "kneipe" in err
    assert "turnier" in err


def test_a_missing_clip_is_named(run: Run, tmp_path: Path) -> None:
    status, _, err = run("demo", "--clip", tmp_path / "none.mp4", "--once", "--port", 0)
    assert status == 1
    assert "none.mp4 does not exist" in err


def test_run_goes_on_with_the_match_of_its_log(
    run: Run, short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    monkeypatch.chdir(tmp_path)
    log = tmp_path / "evening.sqlite3"
    status, out, _ = run("run", "--source", short_clip, "--once", "--port", 0, "--log", log)
    assert status == 0
    assert "Stand: 1. Hälfte, Runde 1; Stock 12 von 13" in out
    assert len(list((tmp_path / "evidence").glob("*.jpg"))) == 3
    run("run", "--source", short_clip, "--once", "--port", 0, "--log", log)
    with SqliteLog(log) as kept:
        starts = [e for e in kept.read(limit=10_000) if e.type == "match_started"]
    assert len(starts) == 1


def test_calibrate_writes_what_watch_reads(
    run: Run, short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    mat, view = tmp_path / "mat.toml", tmp_path / "mat.jpg"
    status, out, _ = run("calibrate", short_clip, "--out", mat, "--preview", view, "--json")
    assert status == 0
    corners = lines(out)[0]["corners_px"]
    expected = [[40, 40], [880, 40], [880, 670], [40, 670]]
    assert np.abs(np.array(corners) - np.array(expected)).max() < 3
    with Image.open(view) as image:
        assert image.size == (924, 693)
    status, out, _ = run("watch", short_clip, "--mat", mat, "--json")
    first = next(line for line in lines(out) if line["type"] == "throw_seen")
    assert first["dice"] == [6, 5, 2]
    words = ["--corners", "40,40", "880,40", "880,670", "40,670"]
    status, out, _ = run("calibrate", short_clip, *words)
    assert status == 0
    assert "homography_px_to_mm" in out


def test_calibrate_refuses_corners_that_are_none(run: Run, short_clip: Path) -> None:
    status, _, err = run("calibrate", short_clip, "--corners", "40,40", "x", "1,2", "3,4")
    assert status == 2
    assert "The corner 'x' is not X,Y" in err


def test_bench_read_measures_every_stage(
    run: Run, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    monkeypatch.setattr(
        "device.commands.bench_read._yardsticks",
        lambda frames, settings: ({"torch": 100.0, "openvino": 50.0}, "stand-in"),
    )
    status, out, _ = run("bench", "read", "--source", short_clip, "--frames", 10, "--json")
    assert status == 0
    (line,) = lines(out)
    assert line["frames"] == 10
    ms = line["median_ms"]
    assert {
        "decode", "look at 640 px", "photograph: first look", "photograph: in all",
        "table: rectify", "table: look at the whole mat", "table: look at the part in use",
        "table: frame to events", "rules, one action",
    } <= set(ms)  # fmt: skip
    view_px, factor = (807, 1038), 777 / 1038  # the demo's mat and what is around it
    looks_px = [framed_px(view_px, factor, whole=True, look=look) for look in range(3)]
    assert min(abs(line["mat_look_px"] - px) for px in looks_px) <= 1
    for name, theirs in (("torch", 100), ("openvino", 50)):
        ratios = line["ours_per_predict"][name]
        for stage in ("look at 640 px", "photograph: first look", "table: look at the whole mat"):
            assert ratios[stage] == pytest.approx(ms[stage] / theirs, abs=0.001)


def test_bench_without_a_kind_reads_and_says_what_is_missing_for_the_yardsticks(
    run: Run, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    monkeypatch.setattr("device.commands.bench_read._yardsticks", lambda *_: ({}, "no `train`"))
    status, out, _ = run("bench", "--source", short_clip, "--frames", 5)
    assert status == 0
    assert "not measured (no `train`)" in out
    assert "long side" in out
