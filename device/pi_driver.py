"""One opening of a Raspberry Pi's camera: its streams, its light and focus, its frames."""

from __future__ import annotations

import atexit
import logging
import threading
from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera import Shot
from device.camera_look import Controls, LightWatch, Locked, Look
from device.camera_settings import CameraSettings
from device.errors import SourceError
from device.frame_watch import is_black
from device.image_pixels import Picture
from device.pi_camera_api import OpenCamera, configuration

_log = logging.getLogger(__name__)

CAPTURE_S = 2.0
"""A frame that takes longer does not come: libcamera itself gives up after one second."""


class Memory:
    """What outlives one opening of a camera.

    Attributes:
        locked: what the last look has found; None: none has been.
        look_again: set: look, as soon as a frame comes.
        light: compares it with how it was after the last look.
    """

    def __init__(self) -> None:
        self.locked: Locked | None = None
        self.look_again = threading.Event()
        self.light = LightWatch()


class PiDriver:
    """One opening of a Raspberry Pi's camera; see `device.camera.Driver`.

    Args:
        open_camera: opens it.
        number: as libcamera counts them.
        asked: what the settings ask for.
        memory: of the openings before.

    Raises:
        SourceError: it gives no frames.
    """

    def __init__(
        self, open_camera: OpenCamera, number: int, asked: CameraSettings, memory: Memory
    ) -> None:
        self._asked = asked
        self._memory = memory
        self._look: Look | None = None
        self._has_small = False
        self._camera = open_camera(number)
        # Left to the end of the program, closing a camera that hangs would keep it from ending.
        atexit.unregister(self._camera.close)
        try:
            self._begin()
        except BaseException:
            self.release()
            raise

    def read(self) -> Shot:
        """The next frame.

        Raises:
            SourceError: none comes.
        """
        if self._memory.look_again.is_set():
            self._memory.look_again.clear()
            self._begin_look(refocus=True)
        try:
            request = self._camera.capture_request(wait=CAPTURE_S)
        except TimeoutError:
            self._camera.cancel_all_and_flush()
            raise SourceError(
                f"The camera has sent no picture for {CAPTURE_S:g} s. Check both ends of the "
                "ribbon cable."
            ) from None
        try:
            told = request.get_metadata()
            image = np.asarray(request.make_array("main"), np.uint8)
            planes = request.make_array("lores") if self._has_small else None
        finally:
            request.release()
        taken_s = told["SensorTimestamp"] / 1e9
        self._regulate(told, planes, taken_s)
        small = None if planes is None else _bgr(planes, self._small_px)
        return Shot(taken_s, image, small)

    def release(self) -> None:
        """Let the camera go."""
        self._camera.close()

    def _begin(self) -> None:
        """Configure and start the camera; the first time, wait until light and focus are found."""
        camera = self._camera
        camera.configure(configuration(camera, self._asked))
        given = camera.camera_configuration()
        self._has_small = given.get("lores") is not None
        self._small_px = given["lores"]["size"] if self._has_small else (0, 0)
        if (locked := self._memory.locked) is not None:  # it was lost for a while
            self._send(locked.controls())
            camera.start()
            return
        self._begin_look(refocus=True)
        camera.start()
        while self._look is not None:
            self.read()

    def _begin_look(self, *, refocus: bool) -> None:
        self._look = Look(self._asked, refocus=refocus)
        self._send(self._look.controls(was_locked=self._memory.locked is not None))

    def _regulate(
        self, told: Mapping[str, Any], planes: NDArray[np.uint8] | None, now_s: float
    ) -> None:
        """Lock what a look has found, and look again when the light has changed."""
        if self._look is not None:
            locked = self._look.receive(told, now_s)
            if locked is None:
                return
            self._look, self._memory.locked = None, locked
            if not (locked.settled and locked.focused):
                _log.warning("The camera's light or focus could not be found for sure: %s", locked)
            self._send(locked.controls())
            self._memory.light.begin(now_s)
        elif self._asked.look_again and planes is not None:
            width, height = self._small_px
            grey = planes[:height, :width]
            if is_black(grey):
                self._memory.light.blind()
            elif self._memory.light.receive(float(grey[::4, ::4].mean()), now_s):
                found = self._memory.locked is not None and self._memory.locked.focused
                self._begin_look(refocus=not found)

    def _send(self, controls: Controls) -> None:
        """Set the controls that this camera has: most have no lens to move."""
        there = self._camera.camera_controls
        self._camera.set_controls({name: controls[name] for name in controls if name in there})


def _bgr(planes: NDArray[np.uint8], size_px: tuple[int, int]) -> Picture:
    """A picture of the second stream; its rows may be padded at their end."""
    bgr = cv2.cvtColor(planes, cv2.COLOR_YUV2BGR_I420)
    return np.asarray(bgr[: size_px[1], : size_px[0]], np.uint8)
