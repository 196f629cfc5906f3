"""What is used of picamera2, and how its camera is to be set up.

`tests/test_device_pi_camera_contract.py` compares names, arguments and controls with the source of
the released package, which cannot be imported off a Pi; `device.pi_camera_stub` has the same ones.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from device.camera_look import Controls
from device.camera_settings import CameraSettings

MAIN_FORMAT = "RGB888"
"""libcamera names the bits from the top: in memory, and so in numpy, this is blue, green, red."""
SMALL_FORMAT = "YUV420"
"""The only kind that the second stream has on a Pi 4: grey first, then half as fine the colours."""
ALIGNED_PX = 64
"""Widths of whole multiples have no padding at the end of their rows."""
BUFFERS = 4
"""Frames in the making; each holds both streams, all in the Pi's memory for cameras (CMA)."""
ENLARGED = 0.8
"""So much smaller than asked for a mode may be where none is as large: rather a little blur than
an edge of the mat that nobody sees (Camera Module 1: 1296 x 972)."""
WHOLE_VIEW = 0.97
"""A sensor's mode shows all that it can see when it crops no more than the rest of this share."""


class Request(Protocol):
    """A frame that picamera2 has completed (`CompletedRequest`)."""

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """A copy of a stream's picture."""

    def get_metadata(self) -> dict[str, Any]:
        """What the camera says of the frame, by libcamera's names."""

    def release(self) -> None:
        """Give its memory back to the camera."""


class Camera(Protocol):
    """A camera that picamera2 has opened (`Picamera2`)."""

    @property
    def camera_controls(self) -> Mapping[str, Any]:
        """Least, greatest and usual value of every control that it has."""

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        """How its sensor can be read."""

    def create_video_configuration(
        self,
        *,
        main: dict[str, Any],
        lores: dict[str, Any],
        buffer_count: int,
        controls: Controls,
        display: None,
        encode: None,
        sensor: dict[str, Any],
    ) -> dict[str, Any]:
        """A configuration for steady pictures."""

    def configure(self, camera_config: dict[str, Any]) -> None:
        """Put a configuration into force."""

    def camera_configuration(self) -> dict[str, Any]:
        """The one that is in force, as the camera has rounded it."""

    def start(self) -> None:
        """Let it send pictures."""

    def set_controls(self, controls: Controls) -> None:
        """Set controls, some frames later."""

    def capture_request(self, *, wait: float) -> Any:
        """The next frame, a `Request`; raises TimeoutError after so many seconds."""

    def cancel_all_and_flush(self) -> None:
        """Wait for nothing any more, so that it can be closed."""

    def close(self) -> None:
        """Stop it and let it go."""


OpenCamera = Callable[[int], Camera]


def configuration(camera: Camera, asked: CameraSettings) -> dict[str, Any]:
    """Both streams, at a fixed rate, without a preview.

    Args:
        camera: opened.
        asked: what the settings ask for.
    """
    frame_us = round(1e6 / asked.fps)
    return camera.create_video_configuration(
        main={"size": asked.size_px, "format": MAIN_FORMAT},
        lores={"size": small_size(asked.size_px), "format": SMALL_FORMAT},
        buffer_count=BUFFERS,
        controls={"FrameDurationLimits": (frame_us, frame_us)},
        display=None,
        encode=None,
        sensor=sensor_mode(camera.sensor_modes, asked),
    )


def small_size(size_px: tuple[int, int]) -> tuple[int, int]:
    """Size of the second stream: half of the main one, without padding, of the same ratio."""
    width, height = size_px
    small = max(ALIGNED_PX, width // 2 // ALIGNED_PX * ALIGNED_PX)
    return small, round(height * small / width / 2) * 2


def sensor_mode(modes: list[dict[str, Any]], asked: CameraSettings) -> dict[str, Any]:
    """The mode in which the sensor is to be read.

    Left to itself picamera2 takes one of the size asked for, though that may show only the middle
    of the view (Camera Module 3, 1536 x 864).

    Args:
        modes: `Picamera2.sensor_modes`.
        asked: what the settings ask for.

    Returns:
        `sensor` of a configuration: the smallest that shows the whole view and is fast and large
        enough, or the largest that is nearly so; {}: none is, so let picamera2 choose.
    """
    known = [mode for mode in modes if {"size", "crop_limits", "fps", "bit_depth"} <= mode.keys()]
    views = [mode["crop_limits"][2] * mode["crop_limits"][3] for mode in known]
    fit = [
        mode
        for mode, view in zip(known, views, strict=True)
        if view >= WHOLE_VIEW * max(views)
        and mode["fps"] >= asked.fps
        and _share(mode, asked) >= ENLARGED
    ]
    if not fit:
        return {}

    def order(mode: dict[str, Any]) -> tuple[bool, float, int]:
        large, area = _share(mode, asked) >= 1, mode["size"][0] * mode["size"][1]
        return not large, area if large else -area, -mode["bit_depth"]

    best = min(fit, key=order)
    return {"output_size": best["size"], "bit_depth": best["bit_depth"]}


def _share(mode: dict[str, Any], asked: CameraSettings) -> float:
    """How large a mode is, by the side that is worse off, of what is asked for."""
    return float(min(mode["size"][side] / asked.size_px[side] for side in (0, 1)))
