"""A camera whose driver hangs at every call can still be closed, and opened anew."""

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from device import camera
from device.camera import CameraSource
from device.errors import SourceError


class Capture:
    """What OpenCV would open; the tests pull its cable."""

    there = True
    hangs_at = ""
    released = 0
    go_on = threading.Event()

    def __init__(self, number: int) -> None:
        self._wait("open")

    def isOpened(self) -> bool:  # noqa: N802
        return Capture.there

    def read(self) -> tuple[bool, np.ndarray | None]:
        self._wait("read")
        return Capture.there, np.full((4, 6, 3), 7, np.uint8) if Capture.there else None

    def release(self) -> None:
        Capture.released += 1

    def _wait(self, where: str) -> None:
        if Capture.hangs_at == where:
            Capture.go_on.wait()


@pytest.fixture(autouse=True)
def capture(monkeypatch: pytest.MonkeyPatch) -> Iterator[type[Capture]]:
    Capture.there, Capture.hangs_at, Capture.released = True, "", 0
    Capture.go_on = threading.Event()
    monkeypatch.setattr("device.camera.cv2.VideoCapture", Capture)
    for name in ("CAMERA_TIMEOUT_S", "OPEN_TIMEOUT_S", "CLOSE_TIMEOUT_S"):
        monkeypatch.setattr(camera, name, 0.1)
    yield Capture
    Capture.go_on.set()
    for thread in camera._hanging:
        thread.join(5)
    camera._hanging.clear()


def test_pictures_come_with_their_time_and_number() -> None:
    ticks = iter(range(1000, 10_000_000))
    with CameraSource(0, clock=lambda: float(next(ticks))) as source:
        frames = iter(source)
        first, second = next(frames), next(frames)
    assert (first.taken_at_s, first.index, second.index) == (0.0, 0, 1)
    assert second.taken_at_s >= 1.0
    assert first.image_bgr.shape == (4, 6, 3)
    assert list(source) == []
    assert Capture.released == 1


def test_a_camera_that_is_pulled_out_and_comes_back_goes_on_counting() -> None:
    with CameraSource(0) as source:
        frames = iter(source)
        before = next(frames)
        Capture.there = False
        with pytest.raises(SourceError, match="no pictures any more"):
            list(source)
        with pytest.raises(SourceError, match="no camera 0 that can be opened"):
            source.reopen()
        Capture.there = True
        source.reopen()
        after = next(iter(source))
    assert after.index > before.index
    assert after.taken_at_s > before.taken_at_s


def test_a_slow_reader_gets_the_newest_picture(monkeypatch: pytest.MonkeyPatch) -> None:
    taken, enough = 0, threading.Event()

    def read(self: Capture) -> tuple[bool, np.ndarray]:
        nonlocal taken
        taken += 1
        if taken == 200:
            enough.set()
            Capture.go_on.wait()
        return True, np.full((4, 6, 3), taken, np.uint8)

    monkeypatch.setattr(Capture, "read", read)
    with CameraSource(0) as source:
        assert enough.wait(5)
        assert next(iter(source)).image_bgr[0, 0, 0] == 199
        Capture.go_on.set()


def test_whatever_a_driver_throws_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    def read(self: Capture) -> tuple[bool, np.ndarray]:
        raise RuntimeError("the bus is upside down")

    monkeypatch.setattr(Capture, "read", read)
    with (
        CameraSource(0) as source,
        pytest.raises(SourceError, match="camera 0 fails: RuntimeError: the bus is upside down"),
    ):
        list(source)
    assert Capture.released == 1


def test_a_read_that_never_returns_keeps_nobody() -> None:
    source = CameraSource(0)
    next(iter(source))
    Capture.hangs_at = "read"
    with pytest.raises(SourceError, match="no pictures any more"):
        list(source)
    released = Capture.released
    Capture.hangs_at = ""
    source.reopen()
    assert next(iter(source)).image_bgr.any()
    assert Capture.released == released, "the hanging thread still has the old one"
    source.close()
    source.close()


def test_an_opening_that_never_returns_is_an_error_and_a_few_are_enough() -> None:
    Capture.hangs_at = "open"
    for _ in range(camera.MOST_HANGING):
        with pytest.raises(SourceError, match="does not answer"):
            CameraSource(0)
    with pytest.raises(SourceError, match="driver of camera 0 hangs"):
        CameraSource(0)
    Capture.go_on.set()
    Capture.hangs_at = ""
    for thread in camera._hanging:
        thread.join(5)
    with CameraSource(0) as source:
        assert next(iter(source)).index == 0
