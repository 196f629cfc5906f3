"""Clips: written by a thread of their own, waited for, never lost silently."""

import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from device_table import BORDER_PX, PX_PER_MM, paint

from device.errors import StoreError
from device.evidence import Evidence
from device.filming import MOST_WAITING, Filming, FilmSettings
from device.frames import Frame
from vision.calibration import MatCalibration, calibrate_from_markers
from vision.events import TableEvent

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
