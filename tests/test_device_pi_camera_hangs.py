"""What is known to hang in a Raspberry Pi's camera keeps nobody, and costs one restart at most."""

import atexit
import threading
from collections.abc import Iterator

import pytest
from pi_camera_scene import (
    ASKED,
    SERVICE,
    MakeWorld,
    driver,
    fault,
    source,
    worlds,
)

from device import camera, pi_camera
from device.camera_settings import CameraSettings
from device.errors import CameraStuckError, DriverHangsError, SourceError
from device.frames import Frame
from device.pi_camera import PiCameraSource, stuck_in_kernel
from device.pi_camera_world import World


@pytest.fixture
def world() -> Iterator[MakeWorld]:
    yield from worlds()


@pytest.fixture
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("CAMERA_TIMEOUT_S", "CLOSE_TIMEOUT_S"):
        monkeypatch.setattr(camera, name, 0.3)


def test_a_sensor_that_stops_is_closed_and_opened_anew(world: MakeWorld) -> None:
    scene = world(fault("hang", 20, 30))
    with source(scene) as frames:
        given: list[Frame] = []
        with pytest.raises(SourceError, match=r"sent no picture for 2 s.*ribbon"):
            given.extend(frames)
        last = given[-1].taken_at_s
        assert last < 20
        frames._grabber.close()
        assert not scene.is_taken, "closed in the regular way"
        while True:
            try:
                frames.reopen()
            except SourceError as error:
                assert "sent no picture" in str(error)  # noqa: PT017 - now and then, not always
                continue
            try:
                after = next(iter(frames))
                break
            except SourceError:
                continue
    assert after.taken_at_s > last + 25
    assert camera._hanging == []


@pytest.mark.usefixtures("impatient")
def test_a_call_that_does_not_even_end_in_time_keeps_nobody(world: MakeWorld) -> None:
    scene = world(fault("deaf", 20))
    real = scene.sleep
    scene.sleep = lambda seconds: (real(seconds), threading.Event().wait(0.001))  # type: ignore[assignment]
    with source(scene) as frames, pytest.raises(SourceError, match="sends no pictures any more"):
        list(frames)


@pytest.mark.usefixtures("impatient")
def test_closing_that_hangs_keeps_the_camera_taken_until_it_returns(world: MakeWorld) -> None:
    scene = world(fault("hang", 20), fault("stuck", 20, 1e9))
    with source(scene) as frames:
        with pytest.raises(SourceError):
            list(frames)
        for _ in range(3):
            with pytest.raises(DriverHangsError, match="driver of camera picamera:0 hangs"):
                frames.reopen()
        assert len(camera._hanging) == 1, "one thread is left behind, not one a try"
        scene._plan = ()
        scene.let_go.set()
        camera._hanging[0].join(5)
        frames.reopen()
        assert next(iter(frames)).image_bgr.any()


def stuck(world: World, asked: CameraSettings) -> PiCameraSource:
    """A camera that has worked, and now hangs in closing."""
    frames = source(world, asked)
    with pytest.raises(SourceError):
        list(frames)
    with pytest.raises(DriverHangsError):
        frames.reopen()
    world.sleep(asked.restart_s + 1)
    return frames


@pytest.mark.usefixtures("impatient")
def test_a_service_ends_to_be_started_again_when_only_that_helps(world: MakeWorld) -> None:
    frames = stuck(world(fault("hang", 20), fault("stuck", 20)), SERVICE)
    with pytest.raises(CameraStuckError, match="only a new process can open it"):
        frames.reopen()
    frames.close()


@pytest.mark.usefixtures("impatient")
def test_it_does_not_end_where_nobody_starts_it_again(world: MakeWorld) -> None:
    frames = stuck(world(fault("hang", 20), fault("stuck", 20)), ASKED)
    with pytest.raises(DriverHangsError):
        frames.reopen()
    frames.close()


@pytest.mark.usefixtures("impatient")
def test_it_does_not_end_when_the_kernel_holds_the_camera(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(pi_camera, "stuck_in_kernel", lambda: True)
    frames = stuck(world(fault("hang", 20), fault("stuck", 20)), SERVICE)
    with pytest.raises(DriverHangsError):
        frames.reopen()
    frames.close()


@pytest.mark.usefixtures("impatient")
def test_a_camera_that_never_worked_here_ends_nothing(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = world(fault("hang", 20), fault("stuck", 20))
    frames = stuck(scene, SERVICE)
    monkeypatch.setattr(type(frames), "frames_given", 0)
    with pytest.raises(DriverHangsError):
        frames.reopen()
    frames.close()


def test_a_thread_that_no_signal_wakes_is_found(tmp_path) -> None:
    for number, state in ((1, "S"), (2, "D"), (3, "R")):
        (tmp_path / str(number)).mkdir()
        (tmp_path / str(number) / "stat").write_text(f"{number} (a) b (c)) {state} 1 2 3")
    assert stuck_in_kernel(tmp_path, wait_s=0)
    (tmp_path / "2" / "stat").write_text("2 (x) S 1 2 3")
    assert not stuck_in_kernel(tmp_path, wait_s=0)
    assert not stuck_in_kernel(wait_s=0.001), "nothing here hangs in the kernel"


def test_the_end_of_the_program_does_not_wait_for_the_camera(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    left: list[object] = []
    monkeypatch.setattr(atexit, "register", left.append)
    monkeypatch.setattr(atexit, "unregister", left.remove)
    reader = driver(world())
    assert left == []
    left.append(reader._camera.close)  # what close() itself unregisters
    reader.release()
