"""Exposure, white balance and focus are found, then kept, until the light is another."""

import pytest

from device.camera_look import (
    AF_DONE,
    CHANGED_S,
    LEAST_FRAMES,
    LOOK_S,
    REST_S,
    LightWatch,
    Locked,
    Look,
    flicker_free,
)
from device.camera_settings import CameraSettings, camera_settings
from device.settings import Settings

ASKED = CameraSettings(as_service=False)
FOUND = {
    "ExposureTime": 20000,
    "AnalogueGain": 2.0,
    "ColourGains": (1.9, 1.7),
    "LensPosition": 1.4,
    "AfState": 2,
}


def looked(look: Look, *told: dict, every_s: float = 0.04) -> tuple[int, Locked | None]:
    """How many frames it took, and what was found; the last is repeated."""
    for number in range(1000):
        locked = look.receive(told[min(number, len(told) - 1)], number * every_s)
        if locked is not None:
            return number + 1, locked
    return 1000, None


def test_what_stands_still_is_locked() -> None:
    frames, locked = looked(Look(ASKED, refocus=True), FOUND)
    assert frames == LEAST_FRAMES
    assert locked == Locked(20000, 2.0, (1.9, 1.7), 1.4)
    assert locked is not None
    assert locked.controls() == {
        "AeEnable": False,
        "ExposureTime": 20000,
        "AnalogueGain": 2.0,
        "AwbEnable": False,
        "ColourGains": (1.9, 1.7),
        "AfMode": 0,
        "LensPosition": 1.4,
    }


def test_it_waits_for_the_slowest_of_exposure_balance_and_focus() -> None:
    for moving in (
        [{**FOUND, "ExposureTime": 10000 + 500 * n} for n in range(30)],
        [{**FOUND, "ColourGains": (1.9, 1.0 + 0.05 * n)} for n in range(30)],
        [{**FOUND, "AfState": 1, "LensPosition": 9.0 - 0.2 * n} for n in range(30)],
    ):
        frames, locked = looked(Look(ASKED, refocus=True), *moving, FOUND)
        assert frames > 30
        assert locked is not None
        assert locked.settled
        assert locked.dioptres == 1.4


def test_what_never_stands_still_is_kept_as_it_is_in_the_end() -> None:
    restless = [{**FOUND, "ExposureTime": 10000 * (1 + n % 2)} for n in range(1000)]
    frames, locked = looked(Look(ASKED, refocus=True), *restless)
    assert frames == round(LOOK_S / 0.04) + 1
    assert locked is not None
    assert not locked.settled


def test_a_focus_that_is_not_found_does_not_hold_up_the_evening() -> None:
    assert 3 in AF_DONE
    frames, locked = looked(Look(ASKED, refocus=True), {**FOUND, "AfState": 3})
    assert frames == LEAST_FRAMES
    assert locked is not None


def test_a_camera_without_lens_or_colour_locks_what_it_has() -> None:
    _, locked = looked(Look(ASKED, refocus=True), {"ExposureTime": 5000, "AnalogueGain": 1.0})
    assert locked == Locked(5000, 1.0, None, None)
    assert locked is not None
    assert set(locked.controls()) == {"AeEnable", "ExposureTime", "AnalogueGain"}


def test_the_camera_is_let_loose_against_the_mains() -> None:
    free = Look(ASKED, refocus=True).controls(was_locked=False)
    assert free == {
        "AeEnable": True,
        "AwbEnable": True,
        "AeFlickerMode": 1,
        "AeFlickerPeriod": 10000,
        "AfMode": 1,
        "AfTrigger": 0,
    }
    again = Look(ASKED, refocus=False).controls(was_locked=True)
    assert (again["ExposureTime"], again["AnalogueGain"]) == (0, 0)
    assert "AfMode" not in again, "the lens stays where it is when only the light has changed"


def test_sixty_hertz_daylight_and_a_focus_that_is_set() -> None:
    assert CameraSettings(mains_hz=60).flicker_us == 8333
    assert "AeFlickerMode" not in Look(CameraSettings(mains_hz=0), refocus=True).controls(
        was_locked=False
    )
    fixed = CameraSettings(focus_dioptres=1.25)
    look = Look(fixed, refocus=True)
    assert look.controls(was_locked=False)["LensPosition"] == 1.25
    _, locked = looked(look, {**FOUND, "AfState": 0})
    assert locked is not None
    assert locked.dioptres == 1.25


@pytest.mark.parametrize(
    ("exposure_us", "gain", "whole"),
    [
        (9996, 2.0, (10000, 1.9992)),
        (20000, 1.5, (20000, 1.5)),
        (33000, 2.0, (30000, 2.2)),
        (4000, 1.0, (4000, 1.0)),
        (19000, 4.0, (10000, 7.6)),
    ],
)
def test_exposures_last_whole_half_periods_and_stay_as_bright(
    exposure_us: int, gain: float, whole: tuple[int, float]
) -> None:
    assert flicker_free(exposure_us, gain, 10000) == pytest.approx(whole)
    assert flicker_free(exposure_us, gain, 0) == (exposure_us, gain)


def seen(watch: LightWatch, level: float, from_s: float, to_s: float) -> list[float]:
    """When it said to look again."""
    times = [from_s + 0.04 * n for n in range(round((to_s - from_s) / 0.04))]
    return [now_s for now_s in times if watch.receive(level, now_s)]


def test_a_lamp_that_is_switched_is_looked_at_again_and_an_arm_is_not() -> None:
    watch = LightWatch()
    watch.begin(0)
    assert seen(watch, 100, 0, 30) == []
    assert seen(watch, 60, 30, 30 + CHANGED_S - 0.1) == [], "somebody leans over the table"
    assert seen(watch, 85, 34, 40) == []
    assert seen(watch, 60, 40, 60)[0] == pytest.approx(40 + CHANGED_S, abs=0.05)


def test_after_a_look_the_light_is_left_alone_for_a_while() -> None:
    watch = LightWatch()
    watch.begin(0)
    seen(watch, 100, 0, 1)
    assert seen(watch, 3, 1, REST_S - 0.05) == []
    assert seen(watch, 3, REST_S, REST_S + 1)
    watch.begin(30)
    assert seen(watch, 3, 30, 60) == [], "as dark as it was at the look"
    assert seen(watch, 90, 60, 70), "and light again"


def test_settings_become_what_is_asked_for() -> None:
    asked = camera_settings(Settings({"camera.width_px": 1920, "camera.height_px": 1080}))
    assert asked.size_px == (1920, 1080)
    assert asked.flicker_us == 10000
    odd = camera_settings(Settings({"camera.width_px": 1537, "camera.height_px": 863}))
    assert odd.size_px == (1536, 862), "no camera makes odd ones"
    assert CameraSettings() == camera_settings(Settings()), "both have the same defaults"
