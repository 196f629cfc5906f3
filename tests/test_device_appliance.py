"""The appliance at work: faults are shown and taken back, the game goes on."""

import hashlib
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from device_table import stand_in, value_of

from device import bootstrap
from device.appliance import Appliance
from device.calibrations import load_calibration, save_calibration
from device.errors import SourceError, StoreError
from device.evidence import Evidence
from device.settings import Settings
from device.sources import HostileSource, VideoSource, plan_from
from device.watching import watch
from vision.calibration import calibrate_from_markers
from vision.die_size import DieSizes
from vision.errors import CalibrationError
from vision.events import TableEvent
from web_ui.sentences import describe


@pytest.fixture
def appliance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Any:
    stand_in(monkeypatch)
    built = bootstrap.build(
        Settings(
            {
                "store.path": str(tmp_path / "evening.sqlite3"),
                "store.evidence_dir": str(tmp_path / "stills"),
            }
        )
    )
    yield built
    built.close()


def data(appliance: Appliance, type: str) -> list[dict[str, Any]]:
    return [e.data for e in appliance.log.read(limit=100_000) if e.type == type]


def test_lost_frames_do_not_change_what_is_read(appliance: Appliance, short_clip: Path) -> None:
    with HostileSource(plan_from("drop=3@0"), VideoSource(short_clip)) as source:
        appliance.play(source)
    assert [t["dice"] for t in data(appliance, "thrown")] == [[6, 5, 2], [6, 5, 1], [3, 2, 2]]


@pytest.mark.usefixtures("small_as_an_appliance")
def test_a_camera_that_breaks_off_is_a_fault_until_it_is_back(
    appliance: Appliance, short_clip: Path
) -> None:
    with (
        HostileSource(plan_from("unplug@6"), VideoSource(short_clip)) as source,
        pytest.raises(SourceError, match="no pictures any more"),
    ):
        appliance.play(source)
    appliance.report("camera")
    appliance.report("camera")
    assert [fault["what"] for fault in data(appliance, "fault")] == ["camera"]
    page = appliance.app.test_client().get("/").get_data(as_text=True)
    assert 'data-fault="camera"' in page
    # By hand meanwhile: the camera had seen the first throw.
    appliance.pipeline.submit({"type": "throw", "player": "B", "dice": [6, 5, 1]})
    with VideoSource(short_clip) as source:
        appliance.play(source)
    assert [over["what"] for over in data(appliance, "fault_over")] == ["camera"]
    assert appliance.app.test_client().get("/healthz").get_json()["status"] == "ok"


def test_a_full_disk_costs_the_stills_and_not_the_game(
    appliance: Appliance, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("no space left")

    monkeypatch.setattr(Evidence, "keep", full)
    with VideoSource(short_clip) as source:
        appliance.play(source)
    assert [fault["what"] for fault in data(appliance, "fault")] == ["disk"]
    assert len(data(appliance, "thrown")) == 3
    assert all("still" not in seen for seen in data(appliance, "table.throw_seen"))


def test_a_source_without_the_mat_says_so(
    appliance: Appliance, make_clip: Callable[..., Path]
) -> None:
    with VideoSource(make_clip()) as source, pytest.raises(CalibrationError, match="markers"):
        appliance.play(source)


def test_every_throw_has_its_still_and_hash(appliance: Appliance, short_clip: Path) -> None:
    with VideoSource(short_clip) as source:
        appliance.play(source)
    seen = data(appliance, "table.throw_seen")
    assert len(seen) == 3
    assert appliance.evidence is not None
    for throw in seen:
        content = (appliance.evidence.folder / throw["still"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == throw["sha256"]
        answer = appliance.app.test_client().get(f"/evidence/{throw['still']}")
        assert answer.data == content
        answer.close()


def test_beside_every_still_goes_where_its_dice_lie(appliance: Appliance, short_clip: Path) -> None:
    from device.images import load_image

    with VideoSource(short_clip) as source:
        appliance.play(source)
    first = data(appliance, "table.throw_seen")[0]
    assert appliance.evidence is not None
    still = load_image(appliance.evidence.folder / first["still"])
    left, top, right, bottom = first["lying"]["mat"]
    assert 0 < left < right < still.shape[1]
    assert 0 < top < bottom < still.shape[0]
    read = {}
    for die in first["lying"]["dice"]:
        x1, y1, x2, y2 = (round(side) for side in die["box"])
        hsv = cv2.cvtColor(still[y1 + 8 : y2 - 8, x1 + 8 : x2 - 8], cv2.COLOR_BGR2HSV)
        best = max(range(6), key=lambda index, die=die: die["probabilities"][index]) + 1
        read[best] = value_of(float(np.median(hsv[:, :, 0])))
        assert not die["aside"]
    assert read == {6: 6, 5: 5, 2: 2}


def test_every_throw_has_its_clip_in_the_chain(appliance: Appliance, short_clip: Path) -> None:
    with VideoSource(short_clip) as source:
        appliance.play(source)
    entries = appliance.log.read(limit=100_000)
    throws = [entry for entry in entries if entry.type == "table.throw_seen"]
    clips = {e.data["seq"]: e.data for e in entries if e.type == "evidence.kept"}
    assert set(clips) == {throw.seq for throw in throws}
    assert appliance.evidence is not None
    for throw in throws:
        clip = clips[throw.seq]
        content = (appliance.evidence.folder / clip["file"]).read_bytes()
        assert hashlib.sha256(content).hexdigest() == clip["sha256"]
        from_s, to_s = throw.data["clip_s"]
        assert from_s == max(0.0, throw.data["evidence_s"][0] - 3.0)
        assert clip["from_s"] == pytest.approx(from_s, abs=0.11)
        assert clip["to_s"] == pytest.approx(min(to_s, 12.3), abs=0.11), "the film ends then"
    assert "evidence.missing" not in {entry.type for entry in entries}


def test_clips_that_cannot_be_written_are_a_fault_and_the_game_goes_on(
    appliance: Appliance, short_clip: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise StoreError("no space left")

    monkeypatch.setattr(Evidence, "keep_clip", full)
    with VideoSource(short_clip) as source:
        appliance.play(source)
    assert [fault["what"] for fault in data(appliance, "fault")] == ["clips"]
    assert len(data(appliance, "thrown")) == 3
    missing = data(appliance, "evidence.missing")
    assert [(told["code"], told["reason"]) for told in missing] == [("failed", "no space left")] * 3
    page = appliance.app.test_client().get("/").get_data(as_text=True)
    assert "konnte kein Film gespeichert werden" in page
    assert f"Zu Eintrag {missing[-1]['seq']} fehlt der Film." in page


def test_a_case_about_what_was_no_throw_gets_still_and_clip(
    appliance: Appliance, short_clip: Path
) -> None:
    """A turn of a six that nobody may make: the rules refuse it, and only then it is a case."""
    with VideoSource(short_clip) as source:
        frames = list(source)
        mat = next(m for m in watch(iter(frames), appliance.make_watcher) if m.watcher)
        keeping = appliance._keeping()
        for dice, to_s in (((6, 5, 2), 1), ((6, 5, 1), 2), ((3, 2, 2), 3), ((6, 6, 1), 4)):
            appliance.pipeline.submit(
                {"type": "throw", "player": appliance.game.player, "dice": list(dice)}
            )
            keeping.see(replace(mat, frame=frames[10 * to_s]), live=False)
        quiet = TableEvent(4.2, "cleared", None, (), (), True, 4.1, 4.2)
        turned = TableEvent(4.5, "turned", None, (1, 1, 1, 1), (), True, 4.3, 4.5)
        now = replace(mat, frame=frames[45])
        keeping.receive(turned, now)
        keeping.receive(quiet, now)
        keeping.finish()
    (case,) = data(appliance, "case.opened")
    assert case["kind"] == "six_turned"
    kept = data(appliance, "evidence.kept")
    assert [(k["kind"], k["seq"]) for k in kept] == [("still", case["seq"]), ("clip", case["seq"])]
    assert kept[0]["clip_s"] == [1.3, 6.5]


def test_clips_that_a_power_cut_has_cost_are_told_of_at_the_next_start(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    paths = {
        "store.path": str(tmp_path / "evening.sqlite3"),
        "store.evidence_dir": str(tmp_path / "stills"),
    }
    first = bootstrap.build(Settings(paths))
    for t_s in (1.0, 2.0):
        event = TableEvent(t_s, "throw_seen", None, (6, 5, 2), (), True, t_s, t_s)
        first.pipeline.receive(event, {"clip_s": [0.0, t_s + 2.0]})
    seqs = [e.seq for e in first.log.read() if e.type == "table.throw_seen"]
    first.game.note("evidence.kept", {"seq": seqs[0], "kind": "clip", "file": "a", "sha256": "0"})
    first.close()
    (tmp_path / "stills" / "clip-1.webm.part").write_bytes(b"half")
    for _ in range(2):
        again = bootstrap.build(Settings(paths))
        (missing,) = data(again, "evidence.missing")
        assert (missing["seq"], missing["code"]) == (seqs[1], "switched_off")
        assert len(data(again, "thrown")) == 2
        again.close()
    assert not list((tmp_path / "stills").iterdir())


def test_the_appliance_tidies_up_before_it_plays(
    short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    paths: dict[str, Any] = {
        "store.path": str(tmp_path / "evening.sqlite3"),
        "store.evidence_dir": str(tmp_path / "stills"),
        "store.evidence_days": 1,
        "store.clip_fps": 0.0,
    }
    built = bootstrap.build(Settings(paths))
    old = {"seq": 1, "kind": "clip", "file": "old.webm", "sha256": "0"}
    built.log.append("evidence.kept", old, at_s=0.0)
    (tmp_path / "stills" / "old.webm").write_bytes(b"old")
    with VideoSource(short_clip) as source:
        built.play(source)
    assert [d["files"] for d in data(built, "evidence.dropped")] == [["old.webm"]]
    assert len(list((tmp_path / "stills").glob("*.jpg"))) == 3
    assert not list((tmp_path / "stills").glob("*.webm"))
    assert "clip_s" not in data(built, "table.throw_seen")[0]
    built.close()


def test_the_evidence_folder_that_cannot_be_made_is_named(tmp_path: Path) -> None:
    (tmp_path / "file").touch()
    with pytest.raises(StoreError, match=r"store\.evidence_dir"):
        Evidence(tmp_path / "file" / "stills")


def test_measured_dice_are_noted_and_kept_for_the_next_evening(
    short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    file = tmp_path / "mat.toml"
    with VideoSource(short_clip) as source:
        save_calibration(file, calibrate_from_markers(next(iter(source)).image_bgr))
    monkeypatch.setattr(DieSizes, "edge_mm", lambda self: 18.04)
    appliance = bootstrap.build(
        Settings(
            {
                "store.path": str(tmp_path / "evening.sqlite3"),
                "store.evidence_dir": "",
                "table.mat_file": str(file),
            }
        )
    )
    try:
        with VideoSource(short_clip) as source:
            appliance.play(source)
        assert data(appliance, "dice_measured") == [{"die_mm": 18.0}]
        kept = load_calibration(file)
        assert (kept.die_mm, kept.die_measured) == (18.0, True)
        assert (
            "Die Würfel sind gemessen: 18.0 mm."
            in describe("de", "dice_measured", {"die_mm": 18.0}).text
        )
        file.unlink()
        file.mkdir()
        appliance._note_dice(kept, replace(kept, die_mm=20.0))
        assert [fault["what"] for fault in data(appliance, "fault")] == ["mat_file"]
    finally:
        appliance.close()
