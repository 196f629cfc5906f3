"""Where frames come from: cameras of all kinds, clips, folders, and siblings of them on purpose."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path

import cv2
import numpy as np

from device import network_camera, pi_camera, pi_camera_stub
from device.address import shown
from device.camera import CameraSource
from device.camera_settings import CameraSettings
from device.errors import SourceError, UsageError
from device.frames import Closing, Frame, Missing, Source
from device.images import load_image, pictures_in
from device.network_camera import NetworkCamera
from device.pi_camera import PiCameraSource
from device.pi_camera_stub import StubSource
from device.pi_camera_world import parted
from device.reopening import Reopening
from device.sources_hostile import HostileSource, plan_from

__all__ = [
    "CameraSource",
    "FolderSource",
    "Frame",
    "HostileSource",
    "Missing",
    "NetworkCamera",
    "PiCameraSource",
    "Reopening",
    "Source",
    "VideoSource",
    "at_real_speed",
    "is_live",
    "open_source",
    "plan_from",
    "shown",
    "verify_source",
]

HOSTILE = "hostile:"
SIMULATED = "simulated"
DEVICES = "/dev/"

FOLDER_FPS = 10.0
"""Assumed for a folder of pictures, which carry no time."""


class VideoSource(Closing):
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


class FolderSource(Closing):
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


def is_live(spec: str) -> bool:
    """Whether what a person names shows the table as it is now, and may come back when lost."""
    lives = (HOSTILE, pi_camera.PREFIX, pi_camera_stub.PREFIX)
    return spec.startswith(lives) or _is_address(spec) or _usb_camera(spec) is not None


def verify_source(spec: str) -> None:
    """Say what keeps a source from ever giving pictures, without opening it.

    A camera that is not there may still come; a recording that is not there, or a word that names
    neither, does not.

    Args:
        spec: see `open_source`.

    Raises:
        UsageError: a plan, number or address that is none.
        SourceError: there is no such file.
    """
    if spec.startswith(HOSTILE):
        plan, _, inner = spec.removeprefix(HOSTILE).partition(":")
        plan_from(plan)
        verify_source(inner)
    elif spec.startswith(pi_camera_stub.PREFIX):
        verify_source(parted(spec.removeprefix(pi_camera_stub.PREFIX))[1])
    elif spec.startswith(pi_camera.PREFIX):
        _number(spec, pi_camera.PREFIX)
    elif spec.startswith(f"{SIMULATED}:"):
        _number(spec, f"{SIMULATED}:")
    elif not (spec == SIMULATED or _is_address(spec) or _usb_camera(spec) is not None):
        _recording(spec)


def open_source(spec: str, asked: CameraSettings | None = None) -> Source:
    """Open what a person names: a camera, a folder, or a clip.

    Args:
        spec: `0`, `camera:0` or `/dev/v4l/by-id/...` (USB), `picamera:0` (a Raspberry Pi's own),
            `rtsp://...` (in the network), a folder of pictures, a video file, `simulated` or
            `simulated:SEED` (a table that is played at); `picamera-stub:[PLAN:]SPEC`, any of these
            as if a Raspberry Pi's camera saw it (`device.pi_camera_world`); or
            `hostile:PLAN:SPEC`, any of these as a camera with faults by `device.sources_hostile`.
        asked: what the settings ask of cameras; None: the defaults.

    Raises:
        SourceError: says what was looked for and not found.
        UsageError: a plan, number or address that is none.
        ExtraMissingError: the simulated table is not installed.
    """
    asked = asked or CameraSettings()
    if spec.startswith(HOSTILE):
        plan, _, inner = spec.removeprefix(HOSTILE).partition(":")
        return HostileSource(plan_from(plan), open_source(inner, asked))
    if spec.startswith(pi_camera_stub.PREFIX):
        faults, inner = parted(spec.removeprefix(pi_camera_stub.PREFIX))
        return StubSource(open_source(inner, asked), faults, asked)
    if spec.startswith(pi_camera.PREFIX):
        return PiCameraSource(_number(spec, pi_camera.PREFIX), asked)
    if _is_address(spec):
        return NetworkCamera(spec, asked)
    if spec == SIMULATED or spec.startswith(f"{SIMULATED}:"):
        return _simulated(_number(spec, f"{SIMULATED}:") if ":" in spec else 0)
    camera = _usb_camera(spec)
    if camera is not None:
        return CameraSource(camera)
    path = _recording(spec)
    return FolderSource(path) if path.is_dir() else VideoSource(path)


def _is_address(spec: str) -> bool:
    return spec.lower().startswith(network_camera.SCHEMES)


def _recording(spec: str) -> Path:
    """The clip or folder that somebody names."""
    if "://" in spec:
        raise UsageError(
            f"{shown(spec)} is no source: a camera in the network has an address that begins with "
            f"{' or '.join(network_camera.SCHEMES)}."
        )
    path = Path(spec)
    if not spec or not path.exists():
        raise SourceError(
            f"The clip {spec} does not exist, and no camera is called that; expected picamera:0, "
            "camera:0, rtsp://..., or the path of a clip or a folder of pictures."
        )
    return path


def _simulated(seed: int) -> Source:
    from device.simulate import Request  # the physics are an extra, and heavy
    from device.simulate_live import SimulatedTable

    return SimulatedTable(Request(out=Path(), seed=seed, rounds=None))


def _number(spec: str, prefix: str) -> int:
    number = spec.removeprefix(prefix)
    if not number.isdecimal():
        raise UsageError(f"{spec!r} is no source, expected {prefix}0 or another number.")
    return int(number)


def _usb_camera(spec: str) -> int | str | None:
    """Its number, or the device by its path, which a camera keeps at whatever plug it is."""
    if spec.startswith(DEVICES):
        return spec
    number = spec.removeprefix("camera:")
    return int(number) if number.isdecimal() else None


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
