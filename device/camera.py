"""A USB camera that may hang, be pulled out and come back."""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from device.errors import SourceError
from device.frames import Closing, Frame
from device.image_pixels import Picture

CAMERA_TIMEOUT_S = 5.0
"""A camera that has sent nothing for so long is gone: cables and USB resets take under 3 s."""
OPEN_TIMEOUT_S = 10.0
"""Opening takes 1 to 3 s; a driver that needs longer hangs."""
CLOSE_TIMEOUT_S = 2.0
"""A thread that reads a frame at 1 a second is done by then; one that hangs is left behind."""
MOST_HANGING = 4
"""Threads left behind in a driver; no new one is begun before one of them has come back."""

_hanging: list[threading.Thread] = []


class CameraSource(Closing):
    """A USB camera; hands out the newest picture, so a slow reader never falls behind.

    Args:
        number: as the system counts cameras, 0 for the first.
        clock: seconds, monotonic; stamps the frames.

    Raises:
        SourceError: no such camera, or (while iterating) it has gone silent.
    """

    frame_count: int | None = None
    live = True

    def __init__(self, number: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._number = number
        self._clock = clock
        self._began_s: float | None = None
        self._index = 0
        self._grabber = _Grabber(number, clock)

    def __iter__(self) -> Iterator[Frame]:
        while (newest := self._grabber.newest()) is not None:
            taken_s, image = newest
            if self._began_s is None:
                self._began_s = taken_s
            frame = Frame(image, taken_s - self._began_s, self._index)
            self._index += 1
            yield frame

    def reopen(self) -> None:
        """Open the camera anew; the frames' time and numbers go on.

        Raises:
            SourceError: it is not there (yet).
        """
        self._grabber.close()
        self._grabber = _Grabber(self._number, self._clock)

    def close(self) -> None:
        """Let the camera go; may be called twice, and returns even if its driver hangs."""
        self._grabber.close()


class _Grabber:
    """One opening of a camera, on a thread of its own: every call of a driver may hang.

    The thread opens, reads and releases the camera. When it hangs it is left behind: should the
    driver ever return, the thread releases the camera and ends.
    """

    def __init__(self, number: int, clock: Callable[[], float]) -> None:
        self._name = f"camera {number}"
        self._clock = clock
        self._opened: queue.Queue[bool] = queue.Queue()
        self._newest: queue.Queue[tuple[float, Picture] | None] = queue.Queue(maxsize=1)
        self._stop = threading.Event()
        _hanging[:] = [thread for thread in _hanging if thread.is_alive()]
        if len(_hanging) >= MOST_HANGING:
            raise SourceError(f"The driver of {self._name} hangs. Unplug it and plug it in again.")
        self._thread = threading.Thread(
            target=self._grab, args=(number,), name=self._name, daemon=True
        )
        self._thread.start()
        try:
            there = self._opened.get(timeout=OPEN_TIMEOUT_S)
        except queue.Empty:
            self.close()
            raise SourceError(
                f"The {self._name} does not answer. Unplug it and plug it in again."
            ) from None
        if not there:
            raise SourceError(
                f"There is no {self._name} that can be opened; this machine has "
                f"{', '.join(camera_devices()) or 'none'}. Check the cable or name another."
            )

    def newest(self) -> tuple[float, Picture] | None:
        """The newest picture and its time; None once closed.

        Raises:
            SourceError: none has come for `CAMERA_TIMEOUT_S`, or the driver says that it is over.
        """
        try:
            newest = self._newest.get(timeout=CAMERA_TIMEOUT_S)
        except queue.Empty:
            newest = None
        if self._stop.is_set():
            return None
        if newest is None:
            raise SourceError(f"The {self._name} sends no pictures any more. Check the cable.")
        return newest

    def close(self) -> None:
        """Let the camera go, or leave behind a thread that hangs in its driver."""
        if self._stop.is_set():
            return
        self._stop.set()
        if self._thread is threading.current_thread():
            return
        self._thread.join(CLOSE_TIMEOUT_S)
        if self._thread.is_alive():
            _hanging.append(self._thread)

    def _grab(self, number: int) -> None:
        capture = cv2.VideoCapture(number)
        try:
            there = capture.isOpened()
            self._opened.put(there)
            while there and not self._stop.is_set():
                there, image = capture.read()
                self._put((self._clock(), np.asarray(image, dtype=np.uint8)) if there else None)
        finally:
            capture.release()

    def _put(self, item: tuple[float, Picture] | None) -> None:
        while True:  # replace the picture that nobody took
            try:
                self._newest.put_nowait(item)
            except queue.Full:
                try:
                    self._newest.get_nowait()
                except queue.Empty:
                    continue
            else:
                return


def camera_devices() -> list[str]:
    """The cameras that Linux knows, as `camera:N`; empty elsewhere."""
    numbers = (path.name.removeprefix("video") for path in Path("/dev").glob("video*"))
    return [f"camera:{number}" for number in sorted(numbers) if number.isdecimal()]
