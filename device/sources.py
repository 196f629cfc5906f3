"""Where frames come from: clip, folder, USB camera, and siblings that misbehave on purpose.

A source is an iterable context manager of `Frame`s; time travels inside the frame. A source that
ends too early or breaks off raises `SourceError`, it never just stops.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol, Self

import cv2
import numpy as np

from device.errors import SourceError
from device.image_pixels import Picture
from device.images import load_image, pictures_in

FOLDER_FPS = 10.0
"""Assumed for a folder of pictures, which carry no time."""

CAMERA_TIMEOUT_S = 5.0
"""A camera that has sent nothing for so long is gone: cables and USB resets take under 3 s."""


@dataclass(frozen=True)
class Frame:
    """One picture of the table.

    Attributes:
        image_bgr: (H, W, 3) uint8.
        taken_at_s: seconds since the source's first frame.
        index: 0, 1, 2 ... as the source counts them.
    """

    image_bgr: Picture
    taken_at_s: float
    index: int


class Source(Protocol):
    """What all sources can do."""

    frame_count: int | None

    def __iter__(self) -> Iterator[Frame]:
        """The frames, in the order they were taken."""

    def close(self) -> None:
        """Let the device or file go; may be called twice."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class _Closing:
    def close(self) -> None:
        """Let the device or file go; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


class VideoSource(_Closing):
    """A recorded clip.

    Raises:
        SourceError: no such file, no clip, or (while iterating) fewer frames than it announces.
    """

    def __init__(self, path: Path) -> None:
        if not path.exists():
            raise SourceError(f"The clip {path} does not exist.")
        self.path = path
        # One thread decodes faster than anybody watches, and does not take a core from reading.
        self._capture = cv2.VideoCapture(str(path), cv2.CAP_ANY, [cv2.CAP_PROP_N_THREADS, 1])
        if not self._capture.isOpened():
            raise SourceError(
                f"{path} is no clip that can be opened; it may be cut off, or no video at all. "
                "Copy it again from where it was recorded."
            )
        count = int(self._capture.get(cv2.CAP_PROP_FRAME_COUNT))
        self.frame_count: int | None = count if count > 0 else None
        fps = float(self._capture.get(cv2.CAP_PROP_FPS))
        self._frame_s = 1.0 / fps if fps > 0 else 1.0 / FOLDER_FPS

    def __iter__(self) -> Iterator[Frame]:
        taken_at_s, index = 0.0, 0
        while True:
            there, image = self._capture.read()
            if not there:
                break
            # The container's own time; phones record with a changing rate.
            stamp_s = float(self._capture.get(cv2.CAP_PROP_POS_MSEC)) / 1000.0
            if index:
                taken_at_s = stamp_s if stamp_s > taken_at_s else taken_at_s + self._frame_s
            yield Frame(np.asarray(image, dtype=np.uint8), taken_at_s, index)
            index += 1
        if self.frame_count is not None and index < self.frame_count:
            raise SourceError(
                f"The clip {self.path} breaks off: {index} of {self.frame_count} frames could be "
                "read. Copy it again from where it was recorded."
            )

    def close(self) -> None:
        """Let the file go; may be called twice."""
        self._capture.release()


class FolderSource(_Closing):
    """A folder of pictures, sorted by name, as if taken at a fixed rate.

    Raises:
        SourceError: no folder, or no picture in it.
    """

    def __init__(self, folder: Path, *, fps: float = FOLDER_FPS) -> None:
        if not folder.is_dir():
            raise SourceError(f"{folder} is no folder.")
        self._paths = pictures_in(folder)
        self._fps = fps
        self.frame_count: int | None = len(self._paths)

    def __iter__(self) -> Iterator[Frame]:
        for index, path in enumerate(self._paths):
            yield Frame(load_image(path), index / self._fps, index)


class CameraSource(_Closing):
    """A USB camera; hands out the newest picture, so a slow reader never falls behind.

    Args:
        number: as the system counts cameras, 0 for the first.
        clock: seconds, monotonic; stamps the frames.

    Raises:
        SourceError: no such camera, or (while iterating) it has gone silent.
    """

    frame_count: int | None = None

    def __init__(self, number: int, *, clock: Callable[[], float] = time.monotonic) -> None:
        self._name = f"camera {number}"
        self._capture = cv2.VideoCapture(number)
        if not self._capture.isOpened():
            raise SourceError(
                f"There is no {self._name} that can be opened; this machine has "
                f"{', '.join(camera_devices()) or 'none'}. Check the cable or name another."
            )
        self._clock = clock
        self._newest: queue.Queue[tuple[float, Picture] | None] = queue.Queue(maxsize=1)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._grab, name=self._name, daemon=True)
        self._thread.start()

    def __iter__(self) -> Iterator[Frame]:
        began_s: float | None = None
        index = 0
        while not self._stop.is_set():
            try:
                newest = self._newest.get(timeout=CAMERA_TIMEOUT_S)
            except queue.Empty:
                newest = None
            if newest is None:
                if self._stop.is_set():
                    return
                raise SourceError(f"The {self._name} sends no pictures any more. Check the cable.")
            taken_s, image = newest
            began_s = taken_s if began_s is None else began_s
            yield Frame(image, taken_s - began_s, index)
            index += 1

    def close(self) -> None:
        """Let the camera go; may be called twice."""
        self._stop.set()
        if self._thread.is_alive() and self._thread is not threading.current_thread():
            self._thread.join(CAMERA_TIMEOUT_S)
        self._capture.release()

    def _grab(self) -> None:
        while not self._stop.is_set():
            there, image = self._capture.read()
            item = (self._clock(), np.asarray(image, dtype=np.uint8)) if there else None
            self._put(item)
            if item is None:
                return

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


class FaultySource(_Closing):
    """A source that fails like real ones: loses pictures, or breaks off. Chosen explicitly.

    Args:
        inner: where the pictures come from.
        lose: index of a frame -> True when it never arrives.
        break_after: this many frames arrive, then the cable is pulled; None: never.
    """

    def __init__(
        self,
        inner: Source,
        *,
        lose: Callable[[int], bool] = lambda index: False,
        break_after: int | None = None,
    ) -> None:
        self._inner = inner
        self._lose = lose
        self._break_after = break_after
        self.frame_count: int | None = inner.frame_count

    def __iter__(self) -> Iterator[Frame]:
        for frame in self._inner:
            if self._break_after is not None and frame.index >= self._break_after:
                raise SourceError("The simulated camera sends no pictures any more.")
            if not self._lose(frame.index):
                yield frame

    def close(self) -> None:
        """Close the inner source."""
        self._inner.close()


def open_source(spec: str) -> Source:
    """Open what a person names: a camera's number, a folder, or a clip.

    Args:
        spec: `0` or `camera:0`, a folder of pictures, or a video file.

    Raises:
        SourceError: says what was looked for and not found.
    """
    number = spec.removeprefix("camera:")
    if number.isdecimal():
        return CameraSource(int(number))
    path = Path(spec)
    return FolderSource(path) if path.is_dir() else VideoSource(path)


def at_real_speed(
    frames: Iterator[Frame],
    *,
    clock: Callable[[], float] = time.monotonic,
    sleep: Callable[[float], object] = time.sleep,
) -> Iterator[Frame]:
    """Hand out recorded frames no sooner than they were taken.

    A reader that is too slow gets every frame all the same: a recorded game is read the same way
    at any speed, it only takes longer.
    """
    began_s: float | None = None
    for frame in frames:
        if began_s is None:
            began_s = clock() - frame.taken_at_s
        early_s = began_s + frame.taken_at_s - clock()
        if early_s > 0:
            sleep(early_s)
        yield frame
