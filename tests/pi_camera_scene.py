"""A Raspberry Pi's camera before a scene, with what goes wrong."""

from collections.abc import Callable, Iterator
from functools import partial

import numpy as np

from device import camera
from device.camera_settings import CameraSettings
from device.frames import Closing, Frame
from device.pi_camera import PiCameraSource
from device.pi_camera_stub import StubPicamera2
from device.pi_camera_world import Fault, World
from device.pi_driver import Memory, PiDriver

ASKED = CameraSettings(size_px=(640, 360), as_service=False)
SERVICE = CameraSettings(size_px=(640, 360), as_service=True)


class Scene(Closing):
    """Ten pictures a second: red at the left, blue at the right, grey in between."""

    frame_count: int | None = None

    def __init__(self, frames: int = 100_000) -> None:
        self._frames = frames
        self.closed = 0

    def __iter__(self) -> Iterator[Frame]:
        picture = np.full((90, 160, 3), 120, np.uint8)
        picture[:, :40] = (20, 20, 200)
        picture[:, -40:] = (200, 20, 20)
        for number in range(self._frames):
            yield Frame(picture, number / 10, number)

    def close(self) -> None:
        self.closed += 1


class Time:
    """A clock that a camera's thread moves by sleeping."""

    def __init__(self) -> None:
        self.now_s = 1000.0

    def __call__(self) -> float:
        return self.now_s

    def sleep(self, seconds: float) -> None:
        self.now_s += seconds


MakeWorld = Callable[..., World]


def worlds() -> Iterator[MakeWorld]:
    """For a fixture: makes worlds and ends them; what still hangs in them comes back."""
    worlds: list[World] = []

    def make(*plan: Fault, frames: int = 100_000) -> World:
        time = Time()
        worlds.append(World(Scene(frames), plan, clock=time, sleep=time.sleep))
        return worlds[-1]

    yield make
    for each in worlds:
        each.close()
    for thread in camera._hanging:
        thread.join(5)
    camera._hanging.clear()


def fault(kind: str, start_s: float, seconds: float = float("inf"), value: float = 0.0) -> Fault:
    return Fault(kind, start_s, seconds, value)


def opened(world: World) -> Callable[[int], StubPicamera2]:
    return partial(StubPicamera2, allocator=world)


def driver(world: World, asked: CameraSettings = ASKED, memory: Memory | None = None) -> PiDriver:
    return PiDriver(opened(world), 0, asked, memory or Memory())


def source(world: World, asked: CameraSettings = ASKED) -> PiCameraSource:
    return PiCameraSource(0, asked, open_camera=opened(world), clock=world.clock)
