"""Clips: cut out of a ring of pictures, written by a thread of their own, never lost silently."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import pytest
from device_table import BORDER_PX, PX_PER_MM, paint
from hypothesis import given
from hypothesis import strategies as st

from device.errors import StoreError
from device.evidence import Evidence
from device.film import encode, webm
from device.filming import MOST_WAITING, Filming, FilmSettings
from device.frames import Frame
from device.images import jpeg
from device.ring import Ring, Shot
from vision.calibration import MatCalibration, calibrate_from_markers
from vision.events import TableEvent


@given(
    st.lists(st.tuples(st.floats(0.001, 2.0), st.integers(1, 400)), max_size=80),
    st.floats(0.5, 5.0),
    st.integers(300, 2000),
)
def test_the_ring_holds_no_more_seconds_and_bytes_than_it_may(
    steps: list[tuple[float, int]], length_s: float, most_bytes: int
) -> None:
    ring = Ring(length_s=length_s, most_bytes=most_bytes, fps=10.0)
    t_s, added = 0.0, []
    for gap_s, size in steps:
        t_s += gap_s
        if ring.wants(t_s):
            ring.add(t_s, bytes(size))
            added.append(Shot(t_s, bytes(size)))
        held = ring.between(0.0, float("inf"))
        assert sum(len(shot.jpeg) for shot in held) == ring.bytes <= most_bytes
        assert held == tuple(added[len(added) - len(held) :]), "the newest, none left out"
        assert not held or held[-1].t_s - held[0].t_s <= length_s


@pytest.mark.parametrize(("camera_fps", "kept"), [(10, 10), (15, 15), (25, 12.5), (30, 15)])
def test_the_ring_thins_out_what_a_camera_sends(camera_fps: float, kept: float) -> None:
    ring = Ring(length_s=100, most_bytes=10**9, fps=12.0)
    for n in range(round(20 * camera_fps)):
        if ring.wants(n / camera_fps):
            ring.add(n / camera_fps, b"x")
    assert len(ring.between(0, 100)) == pytest.approx(20 * kept, abs=1)


def test_while_nothing_changes_the_ring_holds_a_picture_a_second() -> None:
    ring = Ring(length_s=100, most_bytes=10**9, fps=12.0)
    for n in range(150):
        if ring.wants(n / 15, still=n % 75 > 15):
            ring.add(n / 15, b"x")
    held = [round(15 * shot.t_s) for shot in ring.between(0, 100)]
    assert [n for n in held if n % 75 <= 15] == [*range(16), *range(75, 91)], "every one that moves"
    assert [n for n in held if n % 75 > 15] == [30, 45, 60, 105, 120, 135]


def test_while_nothing_changes_no_more_are_held_than_are_asked_for() -> None:
    ring = Ring(length_s=100, most_bytes=10**9, fps=0.5)
    ring.add(0.0, b"x")
    assert [ring.wants(t_s, still=still) for t_s in (1.2, 2.0) for still in (False, True)] == [
        False, False, True, True,
    ]  # fmt: skip


def test_a_new_time_begins_a_new_ring() -> None:
    ring = Ring(length_s=10, most_bytes=10**6, fps=10.0)
    ring.add(500.0, b"before")
    assert ring.wants(0.0)
    ring.add(0.0, b"after")
    assert ring.between(0.0, 1000.0) == (Shot(0.0, b"after"),)


def shots(*times_s: float) -> list[Shot]:
    """Grey pictures that get brighter by 10 from one to the next; 65 x 49 pixels."""
    return [
        Shot(t_s, jpeg(np.full((49, 65, 3), 10 * n, np.uint8))) for n, t_s in enumerate(times_s)
    ]


def levels(film: bytes, folder: Path) -> tuple[float, list[int]]:
    """Pictures a second of a clip, and their brightness in tens."""
    path = folder / "clip.webm"
    path.write_bytes(film)
    reader = cv2.VideoCapture(str(path))
    found = []
    while (read := reader.read())[0]:
        assert read[1].shape == (48, 64, 3)
        found.append(round(float(np.asarray(read[1]).mean()) / 10))
    fps = float(reader.get(cv2.CAP_PROP_FPS))
    reader.release()
    return fps, found


def test_a_clip_shows_every_picture_as_long_as_it_was_the_newest(tmp_path: Path) -> None:
    fps, found = levels(webm(shots(2.0, 2.1, 2.2, 2.3, 2.6, 2.7)), tmp_path)
    assert fps == pytest.approx(10.0, rel=0.01)
    assert found == [0, 1, 2, 3, 3, 3, 4, 5]


def test_a_clip_that_is_still_at_first_shows_what_moves_then(tmp_path: Path) -> None:
    fps, found = levels(webm(shots(0.0, 1.0, 2.0, 3.0, 3.1, 3.2, 3.3)), tmp_path)
    assert fps == pytest.approx(10.0, rel=0.01)
    assert found == [0] * 10 + [1] * 10 + [2] * 10 + [3, 4, 5, 6]


def test_a_clip_of_one_picture_is_one(tmp_path: Path) -> None:
    assert levels(webm(shots(7.0)), tmp_path)[1] == [0]


def test_a_clip_that_cannot_be_read_back_is_none(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    for number, shot in enumerate(shots(0.0, 0.1, 0.2)):
        (tmp_path / f"{number}.jpg").write_bytes(shot.jpeg)
    (tmp_path / "times.json").write_text("[0.0, 0.1, 0.2]")
    monkeypatch.setattr("device.film._frames_in", lambda path: 1)
    with pytest.raises(StoreError, match="1 of 3 pictures can be read back"):
        encode(tmp_path)


def test_pictures_of_which_no_clip_can_be_made_are_told_of() -> None:
    with pytest.raises(StoreError, match=r"The picture of 0\.10 s is no JPEG any more"):
        webm([*shots(0.0), Shot(0.1, b"no picture")])
    with pytest.raises(StoreError, match="there are none of that time"):
        webm([])


PICTURE = paint([(6, 120.0, 120.0)], cup=False)


@pytest.fixture(scope="module")
def mat() -> MatCalibration:
    return calibrate_from_markers(PICTURE)


class Told:
    """A log that only notes."""

    def __init__(self) -> None:
        self.entries: list[tuple[str, dict[str, Any]]] = []
        self.faults: list[bool] = []
        self.full = False

    def tell(self, type: str, data: Any) -> None:
        if self.full:
            raise StoreError("no space left")
        self.entries.append((type, dict(data)))

    def fault(self, *, there: bool) -> None:
        self.faults.append(there)

    def of(self, type: str) -> list[dict[str, Any]]:
        return [data for kind, data in self.entries if kind == type]


@pytest.fixture
def told() -> Told:
    return Told()


@pytest.fixture
def filming(tmp_path: Path, told: Told) -> Iterator[Filming]:
    made = Filming(Evidence(tmp_path), told.tell, told.fault, FilmSettings(ring_s=10.0))
    yield made
    made.finish()


def event(t_s: float, *, began_s: float | None = None) -> TableEvent:
    began_s = t_s - 0.5 if began_s is None else began_s
    return TableEvent(t_s, "throw_seen", None, (6, 5, 2), (), True, began_s, t_s)


def show(filming: Filming, mat: MatCalibration, from_s: float, to_s: float, **more: Any) -> None:
    """Frames of a quiet table, 10 a second."""
    for n in range(round(from_s * 10), round(to_s * 10)):
        filming.see(Frame(PICTURE, n / 10, n), mat, live=more.get("live", False))


def test_a_clip_goes_from_3_s_before_to_2_s_after_and_waits_for_them(
    filming: Filming, told: Told, mat: MatCalibration, tmp_path: Path
) -> None:
    show(filming, mat, 0, 6)
    filming.want(7, event(5.9))
    show(filming, mat, 6, 7)
    filming.want(8, event(6.9))  # another one meanwhile
    show(filming, mat, 7, 7.9)
    assert not told.entries, "the two seconds after it have not passed"
    show(filming, mat, 7.9, 9.5)
    filming.finish()
    kept = {data["seq"]: data for data in told.of("evidence.kept")}
    assert [(kept[n]["from_s"], kept[n]["to_s"]) for n in (7, 8)] == [(2.4, 7.9), (3.4, 8.9)]
    assert told.faults == [False, False]
    assert set(kept[7]) == {"seq", "kind", "file", "sha256", "from_s", "to_s"}
    assert sorted(p.name for p in tmp_path.iterdir()) == sorted(k["file"] for k in kept.values())


def test_the_end_of_a_film_ends_its_clips(
    filming: Filming, told: Told, mat: MatCalibration
) -> None:
    show(filming, mat, 0, 2)
    filming.want(3, event(1.9))
    filming.finish()
    filming.finish()
    (kept,) = told.of("evidence.kept")
    assert (kept["from_s"], kept["to_s"]) == (0.0, 1.9)


def test_where_no_picture_shows_the_mat_the_clip_is_missing(filming: Filming, told: Told) -> None:
    filming.want(3, event(1.9))
    filming.finish()
    (missing,) = told.of("evidence.missing")
    assert (missing["seq"], missing["kind"], missing["code"]) == (3, "clip", "no_pictures")
    assert told.faults == [True]


def test_a_full_disk_is_a_fault_until_there_is_room(
    filming: Filming, told: Told, mat: MatCalibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    def full(*_: object, **__: object) -> None:
        raise OSError(28, "No space left on device")

    with monkeypatch.context() as patch:
        patch.setattr("device.evidence.os.fsync", full)
        show(filming, mat, 0, 3)
        filming.want(3, event(0.9))
        filming.finish()
    (missing,) = told.of("evidence.missing")
    assert missing["code"] == "failed"
    assert "No space left on device" in missing["reason"]
    assert not list(filming.evidence.folder.iterdir()), "nothing half written stays"
    show(filming, mat, 3, 6)
    filming.want(4, event(3.9))
    filming.finish()
    assert [data["seq"] for data in told.of("evidence.kept")] == [4]
    assert told.faults == [True, False]


def test_a_slow_disk_holds_up_no_camera_and_every_clip_is_accounted_for(
    filming: Filming, told: Told, mat: MatCalibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr("device.filming.webm", lambda shots: may_go_on.wait(60) and b"film")
    wanted = range(10, 10 + MOST_WAITING + 4)
    show(filming, mat, 0, 4, live=True)
    for seq in wanted:
        filming.want(seq, event(1.0))
    show(filming, mat, 4, 4.2, live=True)  # does not wait for the disk
    assert {data["code"] for data in told.of("evidence.missing")} == {"slow"}
    assert told.faults[0] is True
    may_go_on.set()
    filming.finish()
    lost = [data["seq"] for data in told.of("evidence.missing")]
    kept = [data["seq"] for data in told.of("evidence.kept")]
    assert len(kept) >= MOST_WAITING
    assert sorted(lost + kept) == list(wanted)


def test_a_disk_that_hangs_at_the_end_is_told_of(
    filming: Filming, told: Told, mat: MatCalibration, monkeypatch: pytest.MonkeyPatch
) -> None:
    may_go_on = threading.Event()
    monkeypatch.setattr("device.filming.webm", lambda shots: may_go_on.wait(60) and b"film")
    monkeypatch.setattr("device.filming.PATIENCE_S", 0.05)
    show(filming, mat, 0, 4)
    filming.want(5, event(1.0))
    filming.finish()
    assert [data["code"] for data in told.of("evidence.missing")] == ["switched_off"]
    may_go_on.set()
    assert not told.of("evidence.kept")


def test_what_the_log_could_not_take_it_is_told_later(
    filming: Filming, told: Told, mat: MatCalibration
) -> None:
    told.full = True
    filming.want(3, event(1.9))
    filming.finish()
    assert not told.entries
    told.full = False
    filming.finish()
    assert [data["seq"] for data in told.of("evidence.missing")] == [3]


def test_nothing_beyond_the_margin_is_in_what_is_kept(mat: MatCalibration, tmp_path: Path) -> None:
    """A guest in loud red sits at the edge of the picture."""
    loud = paint([], cup=False)
    loud[:, : BORDER_PX - round(10 * PX_PER_MM)] = (0, 0, 255)
    loud[: BORDER_PX - round(10 * PX_PER_MM)] = (0, 0, 255)
    for margin_mm, may_be_seen in ((8.0, False), (20.0, True)):
        kept = Evidence(tmp_path, margin_mm=margin_mm).cropped(loud, mat).astype(int)
        red = (kept[:, :, 2] - kept[:, :, 1] > 60).any()
        assert red == may_be_seen
