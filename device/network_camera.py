"""A camera in the network, by RTSP: the newest picture only, and connected anew when it is lost.

Whoever reads its address could log in to it, so no text has more of it than
`device.address.shown` leaves.
"""

from __future__ import annotations

import os
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

import cv2

from device.address import shown
from device.camera import CaptureDriver, Driver, LiveSource, Model
from device.camera_settings import CameraSettings

SCHEMES = ("rtsp://", "rtsps://")

OPTIONS = "OPENCV_FFMPEG_CAPTURE_OPTIONS"
"""How OpenCV hands words on to FFmpeg; read when a stream or a clip is opened."""
LOW_DELAY = "rtsp_transport;tcp|fflags;nobuffer|flags;low_delay|analyzeduration;500000"
"""Over UDP a lost packet leaves blocks in the picture that look like dice for a second or more;
over TCP it comes late. Nothing is kept back to be played evenly, and half a second of looking what
kind of stream it is, in microseconds, is enough."""


class NetworkCamera(LiveSource):
    """A camera in the network.

    Args:
        url: `rtsp://[user:password@]host[:port]/path`.
        asked: what the settings ask for.
        clock: seconds, monotonic; stamps the frames: the sender's own times begin anew with every
            connection.

    Raises:
        SourceError: see `device.camera.LiveSource`.
    """

    def __init__(
        self, url: str, asked: CameraSettings, *, clock: Callable[[], float] = time.monotonic
    ) -> None:
        name = f"camera at {shown(url)}"
        scheme, _, rest = url.partition("://")
        address = f"{scheme.lower()}://{rest}"  # FFmpeg knows no others
        limit_ms = round(1000 * asked.network_s)
        waits = (cv2.CAP_PROP_OPEN_TIMEOUT_MSEC, cv2.CAP_PROP_READ_TIMEOUT_MSEC)
        limits = [word for wait in waits for word in (wait, limit_ms)]

        def opened() -> Driver | None:
            with _options():
                capture = cv2.VideoCapture(address, cv2.CAP_FFMPEG, limits)
            return CaptureDriver.of(capture, clock)

        def absent() -> str:
            return (
                f"The {name} cannot be connected. Check its address, user and password, and that "
                "it is in this network; `ffplay URL` shows more."
            )

        silent = "Check its power and the network."
        super().__init__(
            Model(
                name,
                opened,
                absent,
                mend=silent,
                silent=silent,
                patience_s=asked.network_s,
                is_coded=True,
            )
        )


@contextmanager
def _options() -> Iterator[None]:
    """Words for FFmpeg while a stream is opened: a clip that is opened later wants none of them."""
    own = os.environ.get(OPTIONS)
    os.environ[OPTIONS] = own or LOW_DELAY
    try:
        yield
    finally:
        if own is None:
            os.environ.pop(OPTIONS, None)
