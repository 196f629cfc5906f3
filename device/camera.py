"""A camera that may hang, be pulled out and come back: USB, network, or a Raspberry Pi's own.

Whatever a driver does, it does on a thread of its own, and nobody waits for it longer than a few
seconds. `LiveSource` is what all live cameras have in common; what differs is a `Driver`.
"""

from __future__ import annotations

import logging
import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np

from device.camera_devices import usb_cameras
from device.errors import DriverHangsError, SourceError
from device.frames import Closing, Frame
from device.image_pixels import Picture

CAMERA_TIMEOUT_S = 5.0
"""A camera that has sent nothing for so long is gone: cables and USB resets take under 3 s."""
OPEN_TIMEOUT_S = 10.0
"""Opening takes 1 to 3 s, with a look at light and focus up to 7; what needs longer hangs."""
CLOSE_TIMEOUT_S = 2.0
"""A thread that reads a frame at 1 a second is done by then; one that hangs is left behind."""
MOST_HANGING = 4
"""Threads left behind in a driver; no new one is begun before one of them has come back."""

_log = logging.getLogger(__name__)

_hanging: list[threading.Thread] = []


@dataclass(frozen=True)
class Shot:
    """What a driver reads.

    Attributes:
        taken_s: when it was taken, seconds by the driver's own clock, which goes on when the
            camera is opened anew.
        image_bgr: (H, W, 3) uint8.
        small_bgr: the same view made smaller by the camera; None: there is none.
    """

    taken_s: float
    image_bgr: Picture
    small_bgr: Picture | None = None


class Driver(Protocol):
    """One opening of a camera; called from one thread alone, and any call may hang."""

    def read(self) -> Shot | None:
        """The next picture; None: the camera is gone.

        Raises:
            SourceError: likewise, in words.
        """

    def release(self) -> None:
        """Let the camera go."""


@dataclass(frozen=True)
class Model:
    """How cameras of a kind are opened, and spoken of.

    Attributes:
        name: in a sentence, such as "camera 0"; never with a password.
        open_driver: opens it; None: it is not there.
        absent: what to say then.
        mend: what to do about a driver that hangs.
        silent: what to do about one that sends nothing.
        most_hanging: threads that may be left behind in its driver.
        is_coded: its pictures are, see `Frame`.
        patience_s: how long its driver itself waits for a device or a picture, seconds.
    """

    name: str
    open_driver: Callable[[], Driver | None]
    absent: Callable[[], str]
    mend: str = "Unplug it and plug it in again."
    silent: str = "Check the cable."
    most_hanging: int = MOST_HANGING
    patience_s: float = 0.0
    is_coded: bool = False


class LiveSource(Closing):
    """A live camera; hands out the newest picture, so a slow reader never falls behind.

    Args:
        model: which one.

    Raises:
        SourceError: no such camera, or (while iterating) it has gone silent.
        DriverHangsError: its driver hangs.
    """

    frame_count: int | None = None
    live = True

    def __init__(self, model: Model) -> None:
        self._model = model
        self._began_s: float | None = None
        self._index = 0
        self._grabber = _Grabber(model)

    @property
    def frames_given(self) -> int:
        """How many frames it has handed out."""
        return self._index

    def __iter__(self) -> Iterator[Frame]:
        while (shot := self._grabber.newest()) is not None:
            if self._began_s is None:
                self._began_s = shot.taken_s
            at_s = shot.taken_s - self._began_s
            coded = self._model.is_coded
            frame = Frame(shot.image_bgr, at_s, self._index, shot.small_bgr, coded)
            self._index += 1
            yield frame

    def reopen(self) -> None:
        """Open the camera anew; the frames' time and numbers go on.

        Raises:
            SourceError: it is not there (yet).
            DriverHangsError: its driver hangs.
        """
        self._grabber.close()
        self._grabber = _Grabber(self._model)

    def close(self) -> None:
        """Let the camera go; may be called twice, and returns even if its driver hangs."""
        self._grabber.close()


class CameraSource(LiveSource):
    """A USB camera.

    Args:
        number: as the system counts cameras, 0 for the first; or the path of its device.
        clock: seconds, monotonic; stamps the frames.

    Raises:
        SourceError: see `LiveSource`.
    """

    def __init__(self, number: int | str, *, clock: Callable[[], float] = time.monotonic) -> None:
        def absent() -> str:
            there = ", ".join(usb_cameras()) or "none"
            return (
                f"There is no camera {number} that can be opened; this machine has {there}. "
                "Check the cable or name another."
            )

        def opened() -> Driver | None:
            named = (number, cv2.CAP_V4L2) if isinstance(number, str) else (number,)
            return CaptureDriver.of(cv2.VideoCapture(*named), clock)

        super().__init__(Model(f"camera {number}", opened, absent))


class CaptureDriver:
    """What OpenCV has opened.

    Args:
        capture: opened.
        clock: seconds, monotonic; stamps the pictures.
    """

    def __init__(self, capture: cv2.VideoCapture, clock: Callable[[], float]) -> None:
        self._capture = capture
        self._clock = clock

    @classmethod
    def of(cls, capture: cv2.VideoCapture, clock: Callable[[], float]) -> CaptureDriver | None:
        """The driver of a capture; None, and the capture is released, if it is not open."""
        if capture.isOpened():
            return cls(capture, clock)
        capture.release()
        return None

    def read(self) -> Shot | None:
        """The next picture; None: there is none."""
        there, image = self._capture.read()
        return Shot(self._clock(), np.asarray(image, dtype=np.uint8)) if there else None

    def release(self) -> None:
        """Let it go."""
        self._capture.release()


class _Grabber:
    """One opening of a camera, on a thread of its own: every call of a driver may hang.

    The thread opens, reads and releases the camera. When it hangs it is left behind: should the
    driver ever return, the thread releases the camera and ends.
    """

    def __init__(self, model: Model) -> None:
        self._model = model
        self._opened: queue.Queue[SourceError | None] = queue.Queue()
        self._newest: queue.Queue[Shot | SourceError] = queue.Queue(maxsize=1)
        self._stop = threading.Event()
        self._gone = SourceError(f"The {model.name} sends no pictures any more. {model.silent}")
        _hanging[:] = [thread for thread in _hanging if thread.is_alive()]
        if sum(thread.name == model.name for thread in _hanging) >= model.most_hanging:
            raise DriverHangsError(f"The driver of {model.name} hangs. {model.mend}")
        self._thread = threading.Thread(target=self._grab, name=model.name, daemon=True)
        self._thread.start()
        try:
            problem = self._opened.get(timeout=max(OPEN_TIMEOUT_S, 2 * model.patience_s))
        except queue.Empty:
            self.close()
            raise SourceError(f"The {model.name} does not answer. {model.mend}") from None
        if problem is not None:
            raise problem

    def newest(self) -> Shot | None:
        """The newest picture; None once closed.

        Raises:
            SourceError: none has come for `CAMERA_TIMEOUT_S`, or longer where the model is more
            patient, or the driver says that it is over.
        """
        try:
            patience_s = max(CAMERA_TIMEOUT_S, self._model.patience_s)
            newest: Shot | SourceError = self._newest.get(timeout=patience_s)
        except queue.Empty:
            newest = self._gone
        if self._stop.is_set():
            return None
        if isinstance(newest, SourceError):
            raise newest
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

    def _grab(self) -> None:
        try:
            driver = self._model.open_driver()
        except Exception as error:  # whatever a driver throws: somebody waits for the answer
            self._opened.put(self._told(error))
            return
        if driver is None:
            self._opened.put(SourceError(self._model.absent()))
            return
        try:
            self._opened.put(None)
            while not self._stop.is_set():
                shot = driver.read()
                self._put(self._gone if shot is None else shot)
                if shot is None:
                    return
        except Exception as error:
            self._put(self._told(error))
        finally:
            self._release(driver)

    def _release(self, driver: Driver) -> None:
        try:
            driver.release()
        except Exception as error:  # the next opening tells the table whether that matters
            _log.warning("%s", self._told(error))

    def _told(self, error: Exception) -> SourceError:
        if isinstance(error, SourceError):
            return error
        return SourceError(f"The {self._model.name} fails: {type(error).__name__}: {error}")

    def _put(self, item: Shot | SourceError) -> None:
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
