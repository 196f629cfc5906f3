"""A Raspberry Pi camera that plays any other source: picamera2's calls, another's pictures.

Chosen explicitly, `picamera-stub:SOURCE` or `picamera-stub:PLAN:SOURCE` wherever a source is named,
never as a fallback; `device.pi_camera_world` tells of plans. It regulates exposure and focus as a
camera does until they are locked, refuses controls that it does not have, and is taken as long as
it is open.
"""

from __future__ import annotations

import atexit
from collections.abc import Mapping
from functools import partial
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from device.camera_settings import CameraSettings
from device.frames import Source
from device.image_pixels import Picture
from device.pi_camera import PiCameraSource
from device.pi_camera_sensor import CONTROLS, MODES
from device.pi_camera_world import Fault, World

PREFIX = "picamera-stub:"


class StubSource(PiCameraSource):
    """A Raspberry Pi camera that plays another source.

    Args:
        inner: what it plays.
        plan: what goes wrong.
        asked: what the settings ask for.

    Raises:
        SourceError: see `device.camera.LiveSource`.
    """

    def __init__(self, inner: Source, plan: tuple[Fault, ...], asked: CameraSettings) -> None:
        self._world = World(inner, plan)
        super().__init__(0, asked, open_camera=partial(StubPicamera2, allocator=self._world))

    def close(self) -> None:
        """Let the camera go, and what it plays."""
        super().close()
        self._world.close()


class StubRequest:
    """A completed frame, as picamera2 hands it out."""

    def __init__(self, camera: StubPicamera2, picture: Picture, metadata: dict[str, Any]) -> None:
        self._camera, self._picture, self._metadata = camera, picture, metadata
        self._held = True

    def make_array(self, name: str) -> NDArray[np.uint8]:
        """A stream's picture: the main one blue, green, red; the small one in planes."""
        if not self._held:
            raise RuntimeError("The request has been released.")
        stream = self._camera.camera_config.get(name)
        if stream is None:
            raise RuntimeError(f"Stream {name!r} is not defined")
        how = cv2.INTER_AREA if stream["size"][0] < self._picture.shape[1] else cv2.INTER_LINEAR
        picture = np.asarray(cv2.resize(self._picture, stream["size"], interpolation=how), np.uint8)
        if stream["format"] == "RGB888":
            return picture
        return np.asarray(cv2.cvtColor(picture, cv2.COLOR_BGR2YUV_I420), np.uint8)

    def get_metadata(self) -> dict[str, Any]:
        """What the sensor says of the frame."""
        return dict(self._metadata)

    def release(self) -> None:
        """Give it back."""
        self._held = False


class StubPicamera2:
    """Has the names and arguments of `picamera2.Picamera2`, as far as they are used.

    Args:
        camera_num: 0 is the only one.
        verbose_console: as the real one has it; unused.
        tuning: likewise.
        allocator: the world that it sees.

    Raises:
        RuntimeError: there is no such camera, or it is taken.
    """

    def __init__(
        self,
        camera_num: int = 0,
        verbose_console: int | None = None,
        tuning: object = None,
        allocator: Any = None,
    ) -> None:
        self._world: World = allocator
        if camera_num >= len(self.global_camera_info()):
            raise RuntimeError(f"No camera number {camera_num} found")
        if self._world.is_taken:
            raise RuntimeError("Camera __init__ sequence did not complete.")
        self._world.is_taken = True
        self._is_open = True
        self._started = False
        self._cancelled = False
        self.camera_config: dict[str, Any] = {}
        atexit.register(self.close)  # as the real one does

    @staticmethod
    def global_camera_info() -> list[dict[str, Any]]:
        """The cameras that there are."""
        return [{"Model": "stub", "Location": 2, "Rotation": 0, "Id": "/stub", "Num": 0}]

    @property
    def camera_controls(self) -> Mapping[str, Any]:
        """Least, greatest and usual value of every control."""
        return CONTROLS

    @property
    def sensor_modes(self) -> list[dict[str, Any]]:
        """Those of a Camera Module 3."""
        return [dict(mode) for mode in MODES]

    def create_video_configuration(
        self,
        main: dict[str, Any] | None = None,
        lores: dict[str, Any] | None = None,
        raw: dict[str, Any] | None = None,
        transform: object = None,
        colour_space: object = None,
        buffer_count: int = 6,
        controls: Mapping[str, Any] | None = None,
        display: str | None = "main",
        encode: str | None = "main",
        queue: bool = True,  # noqa: FBT001, FBT002 - as the real one has it
        sensor: dict[str, Any] | None = None,
        use_case: str = "video",
    ) -> dict[str, Any]:
        """A configuration of streams."""
        wanted = {"main": {"format": "XBGR8888", "size": (1280, 720), **(main or {})}}
        small = None if lores is None else {"format": "YUV420", **lores}
        own = {"lores": small, "raw": raw, "buffer_count": buffer_count, "queue": queue}
        more = {"display": display, "encode": encode, "sensor": sensor, "use_case": use_case}
        return {**wanted, **own, **more, "controls": dict(controls or {})}

    def configure(self, camera_config: dict[str, Any] | None = None) -> None:
        """Put a configuration into force; raises RuntimeError for one that cannot be."""
        config = dict(camera_config or self.create_video_configuration())
        if self._started:
            raise RuntimeError("Camera must be stopped before configuring")
        sizes = [config[name]["size"] for name in ("main", "lores") if config[name] is not None]
        if any(side % 2 for size in sizes for side in size):
            raise RuntimeError("width and height should be even")
        if sizes[-1][0] > sizes[0][0] or sizes[-1][1] > sizes[0][1]:
            raise RuntimeError("lores stream dimensions may not exceed main stream")
        self.camera_config = config
        self.set_controls(config["controls"])

    def camera_configuration(self) -> dict[str, Any]:
        """The configuration in force."""
        return self.camera_config

    def start(self, config: dict[str, Any] | None = None, show_preview: object = False) -> None:  # noqa: FBT002 - as the real one has it
        """Send pictures."""
        if config is not None:
            self.configure(config)
        if not self.camera_config:
            raise RuntimeError("Camera has not been configured")
        self._started = True

    def set_controls(self, controls: Mapping[str, Any]) -> None:
        """Set controls; raises RuntimeError for one that the camera does not have."""
        for name in controls:
            if name not in CONTROLS:
                raise RuntimeError(f"Control {name} is not advertised by libcamera")
        self._world.sensor.set(controls)

    def capture_request(
        self, wait: float | None = None, signal_function: object = None, flush: object = None
    ) -> StubRequest:
        """The next frame; raises TimeoutError when none comes in time."""
        if not self._started:
            raise RuntimeError("Camera has not been started")
        world = self._world
        seen = world.picture(float("inf") if wait is None else world.clock() + wait)
        if seen is None:
            raise TimeoutError
        dim = world.fault("dim")
        picture, metadata = world.sensor.expose(seen[0], 1.0 if dim is None else dim.value)
        return StubRequest(self, picture, {**metadata, "SensorTimestamp": seen[1]})

    def cancel_all_and_flush(self) -> None:
        """Nobody waits for anything any more."""
        self._cancelled = True

    def stop(self) -> None:
        """Send no more pictures; does not return while it is stuck."""
        if self._started and self._world.fault("stuck") is not None:
            self._world.let_go.wait()
        self._started = False

    def close(self) -> None:
        """Stop, and let it go."""
        atexit.unregister(self.close)
        if not self._is_open:
            return
        self.stop()
        self._is_open = False
        self._world.is_taken = False
