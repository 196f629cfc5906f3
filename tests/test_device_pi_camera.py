"""A Raspberry Pi's camera: streams, light, focus, and how it is named."""

import sys
import types
from collections.abc import Iterator

import numpy as np
import pytest
from pi_camera_scene import ASKED, MakeWorld, driver, fault, opened, source, worlds

from device.camera_settings import CameraSettings
from device.errors import SourceError, UsageError
from device.pi_camera import PiCameraSource
from device.pi_camera_api import sensor_mode, small_size
from device.pi_camera_sensor import CONTROLS, MODES
from device.pi_camera_stub import StubPicamera2
from device.pi_camera_world import Fault, parted
from device.pi_driver import Memory
from device.sources import is_live, open_source


@pytest.fixture
def world() -> Iterator[MakeWorld]:
    yield from worlds()


# --- pictures ---------------------------------------------------------------------------------


def test_both_streams_show_the_same_view_in_blue_green_red(world: MakeWorld) -> None:
    shot = driver(world()).read()
    assert shot.small_bgr is not None
    assert shot.image_bgr.shape == (360, 640, 3)
    assert shot.small_bgr.shape == (180, 320, 3)
    for picture in (shot.image_bgr, shot.small_bgr):
        height, width = picture.shape[:2]
        blue, _, red = picture[height // 2, width // 10].astype(int)
        assert red > blue + 100, "red lies at the left"
        blue, _, red = picture[height // 2, -width // 10].astype(int)
        assert blue > red + 100, "blue at the right"


def test_times_are_the_sensors_and_go_on_when_it_is_opened_anew(world: MakeWorld) -> None:
    scene, memory = world(), Memory()
    first = driver(scene, memory=memory)
    before = [first.read().taken_s for _ in range(3)]
    assert np.diff(before) == pytest.approx(0.1, abs=1e-3)
    first.release()
    scene.sleep(7)
    after = driver(scene, memory=memory).read().taken_s
    assert after - before[-1] > 0.05


def test_padding_at_the_end_of_rows_is_cut_off(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = world()
    reader = driver(scene)
    real = scene.sensor.expose

    from device import pi_camera_stub

    def padded(self, name):
        array = whole(self, name)
        return array if name == "main" else np.pad(array, ((0, 0), (0, 64)))

    whole = pi_camera_stub.StubRequest.make_array
    monkeypatch.setattr(pi_camera_stub.StubRequest, "make_array", padded)
    shot = reader.read()
    assert real is not None
    assert shot.small_bgr is not None
    assert shot.small_bgr.shape == (180, 320, 3)


def test_a_frame_carries_the_small_picture_to_the_gate(world: MakeWorld) -> None:
    with source(world()) as frames:
        frame = next(iter(frames))
    assert frame.taken_at_s == 0.0
    assert frame.small_bgr is not None


@pytest.mark.parametrize(
    ("size", "small"),
    [((1536, 864), (768, 432)), ((1920, 1080), (960, 540)), ((640, 480), (320, 240)),
     ((1280, 960), (640, 480)), ((1000, 750), (448, 336)), ((320, 240), (128, 96))],
)  # fmt: skip
def test_the_small_picture_is_half_as_large_without_padding(
    size: tuple[int, int], small: tuple[int, int]
) -> None:
    assert small_size(size) == small
    assert size[0] / size[1] == pytest.approx(small[0] / small[1], rel=0.01)


def test_the_sensor_is_read_in_a_mode_that_shows_the_whole_view() -> None:
    modes = [dict(mode) for mode in MODES]
    wanted = {"output_size": (2304, 1296), "bit_depth": 10}
    assert sensor_mode(modes, CameraSettings()) == wanted, "that of 1536 x 864 shows the middle"
    assert sensor_mode(modes, CameraSettings(size_px=(4608, 2592), fps=10)) == {
        "output_size": (4608, 2592),
        "bit_depth": 10,
    }
    assert sensor_mode(modes, CameraSettings(size_px=(4608, 2592), fps=25)) == {}
    assert sensor_mode([{"format": "MJPEG"}], CameraSettings()) == {}


def test_rather_a_little_too_small_than_a_part_of_the_view() -> None:
    modes = [  # of a Camera Module 1
        {"size": (640, 480), "bit_depth": 10, "fps": 58.92, "crop_limits": (16, 0, 2560, 1920)},
        {"size": (1296, 972), "bit_depth": 10, "fps": 46.34, "crop_limits": (0, 0, 2592, 1944)},
        {
            "size": (1920, 1080),
            "bit_depth": 10,
            "fps": 32.81,
            "crop_limits": (348, 434, 1928, 1080),
        },
        {"size": (2592, 1944), "bit_depth": 10, "fps": 15.63, "crop_limits": (0, 0, 2592, 1944)},
    ]
    assert sensor_mode(modes, CameraSettings())["output_size"] == (1296, 972)
    assert sensor_mode(modes, CameraSettings(fps=15))["output_size"] == (2592, 1944)


# --- light and focus --------------------------------------------------------------------------


def test_light_and_focus_are_settled_before_the_first_picture(world: MakeWorld) -> None:
    scene, memory = world(), Memory()
    driver(scene, memory=memory).read()
    assert memory.locked is not None
    assert memory.locked.settled
    assert memory.locked.dioptres == pytest.approx(1.4)
    assert memory.locked.exposure_us % 10000 == 0, "50 Hz"
    kept = scene.sensor.set_to
    assert (kept["AeEnable"], kept["AwbEnable"], kept["AfMode"]) == (False, False, 0)
    assert kept["FrameDurationLimits"] == (40000, 40000)


def test_opened_anew_the_light_is_kept_as_it_was_found(world: MakeWorld) -> None:
    scene, memory = world(), Memory()
    first = driver(scene, memory=memory)
    locked = memory.locked
    first.release()
    scene.sensor.set({"AeEnable": True})
    driver(scene, memory=memory).read()
    assert memory.locked is locked
    assert scene.sensor.set_to["AeEnable"] is False


def test_when_the_light_has_changed_it_looks_again_and_pictures_go_on(world: MakeWorld) -> None:
    scene, memory = world(fault("dim", 40, 60, 0.25)), Memory()
    reader = driver(scene, memory=memory)
    first, levels = memory.locked, []
    while scene.now_s < 90:
        levels.append((scene.now_s, float(reader.read().image_bgr.mean())))
    dark = [level for at_s, level in levels if 40.5 < at_s < 43.5]
    later = [level for at_s, level in levels if at_s > 60]
    usual = [level for at_s, level in levels if at_s < 39]
    assert max(dark) < 0.7 * min(usual)
    assert min(later) > 0.9 * min(usual)
    assert memory.locked is not first
    assert memory.locked is not None
    assert scene.sensor.set_to["AeEnable"] is False, "and it is locked again"


def test_a_lens_that_found_nothing_in_the_dark_looks_again_when_the_lamp_is_on(
    world: MakeWorld,
) -> None:
    scene, memory = world(fault("dim", 0, 40, 0.01)), Memory()
    reader = driver(scene, memory=memory)
    assert memory.locked is not None
    assert not memory.locked.focused
    while scene.now_s < 60:
        reader.read()
    assert memory.locked.focused
    assert memory.locked.dioptres == pytest.approx(1.4)


def test_a_covered_lens_is_no_change_of_light(world: MakeWorld) -> None:
    scene, memory = world(fault("dim", 40, 30, 0.0001)), Memory()
    reader = driver(scene, memory=memory)
    first, levels = memory.locked, []
    while scene.now_s < 75:
        levels.append((scene.now_s, float(reader.read().image_bgr.mean())))
    usual = [level for at_s, level in levels if at_s < 39]
    after = [level for at_s, level in levels if at_s > 70.5]
    assert max(after) < 1.1 * max(usual), "read at once when the hand is gone"
    assert memory.locked is first


def test_it_can_be_left_to_the_first_look(world: MakeWorld) -> None:
    scene, memory = world(fault("dim", 40, 60, 0.25)), Memory()
    fixed = CameraSettings(size_px=(640, 360), look_again=False, as_service=False)
    reader = driver(scene, fixed, memory)
    first = memory.locked
    while scene.now_s < 90:
        reader.read()
    assert memory.locked is first


def test_a_look_can_be_asked_for(world: MakeWorld) -> None:
    scene = world()
    with source(scene) as frames:
        each = iter(frames)
        next(each)
        first = frames._memory.locked
        assert frames.look_again()
        assert any(
            frames._memory.locked is not first for _ in zip(range(10_000), each, strict=False)
        )
        assert not frames._memory.look_again.is_set()


def test_controls_that_a_camera_lacks_are_passed_over(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    fewer = {
        name: CONTROLS[name]
        for name in CONTROLS
        if name not in ("AfMode", "AfTrigger", "LensPosition", "AeFlickerMode", "AeFlickerPeriod")
    }
    for module in ("device.pi_camera_stub", "device.pi_camera_sensor"):
        monkeypatch.setattr(f"{module}.CONTROLS", fewer)
    scene, memory = world(), Memory()
    assert driver(scene, memory=memory).read().image_bgr.any()
    assert memory.locked is not None
    assert memory.locked.exposure_us % 10000 == 0, "rounded by ourselves"


# --- what a person names ----------------------------------------------------------------------


def test_off_a_pi_it_says_what_is_missing() -> None:
    with pytest.raises(SourceError, match=r"python3-picamera2.*--system-site-packages"):
        open_source("picamera:0")


def test_with_picamera2_there_it_is_opened_by_its_number(
    world: MakeWorld, monkeypatch: pytest.MonkeyPatch
) -> None:
    scene = world()
    module = types.ModuleType("picamera2")
    module.Picamera2 = type("Picamera2", (StubPicamera2,), {})  # type: ignore[attr-defined]
    module.Picamera2.__init__ = lambda self, number: StubPicamera2.__init__(  # type: ignore[misc,method-assign]
        self, number, allocator=scene
    )
    monkeypatch.setitem(sys.modules, "picamera2", module)
    with PiCameraSource(0, ASKED) as frames:
        assert next(iter(frames)).image_bgr.shape == (360, 640, 3)
    with pytest.raises(SourceError, match=r"no camera picamera:1; this Pi has picamera:0 \(stub\)"):
        PiCameraSource(1, ASKED)
    module.Picamera2 = type("Picamera2", (), {})  # type: ignore[attr-defined]
    with pytest.raises(SourceError, match=r"too old .* expected 0\.3\.21"):
        PiCameraSource(0, ASKED)


def test_a_taken_camera_and_one_that_is_not_there(world: MakeWorld) -> None:
    scene = world()
    with source(scene), pytest.raises(SourceError, match="did not complete"):
        source(scene)
    with pytest.raises(SourceError, match="No camera number 3"):
        PiCameraSource(3, ASKED, open_camera=opened(scene))


def test_the_stub_plays_another_source_in_colour_and_at_its_speed(make_clip) -> None:
    spec = f"picamera-stub:{make_clip(frames=30)}"
    assert is_live(spec)
    assert is_live("picamera:0")
    with open_source(spec, ASKED) as frames:
        each = iter(frames)
        first, second = next(each), next(each)
    assert second.taken_at_s > first.taken_at_s
    assert first.image_bgr.shape == (360, 640, 3)


def test_a_recording_that_ends_leaves_its_last_picture_with_grain(world: MakeWorld) -> None:
    reader = driver(world(frames=5))
    a, b = reader.read(), reader.read()
    assert b.taken_s > a.taken_s
    assert not np.array_equal(a.image_bgr, b.image_bgr), "else it would count as frozen"
    assert np.abs(a.image_bgr.astype(int) - b.image_bgr).max() <= 3


def test_a_plan_stands_before_the_source() -> None:
    assert parted("clip.mp4") == ((), "clip.mp4")
    assert parted("hostile:freeze@3:clip.mp4") == ((), "hostile:freeze@3:clip.mp4")
    plan, inner = parted("hang@10+5,dim=0.3@20:camera:0")
    assert inner == "camera:0"
    assert plan == (Fault("hang", 10, 5, 0), Fault("dim", 20, float("inf"), 0.3))
    with pytest.raises(UsageError, match="'melt@3' is no fault of a Raspberry Pi camera"):
        parted("melt@3:clip.mp4")
    with pytest.raises(UsageError, match="is no source, expected picamera:0"):
        open_source("picamera:left")
