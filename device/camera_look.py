"""A look that settles a camera: exposure, white balance and focus are found once, then kept.

A camera that goes on regulating turns every hand over the mat into a change of light all over the
picture. So it may regulate for some frames, and what it found is locked; when the light itself has
changed much it looks again. Sans I/O: what a frame says of itself goes in, controls come out.

Names and values of controls are libcamera's (src/libcamera/control_ids_core.yaml); numbers stand
for its enumerations, so that nothing here needs libcamera.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from device.camera_settings import CameraSettings

Controls = dict[str, Any]

FLICKER_MANUAL = 1
"""AeFlickerMode: the period is the one of AeFlickerPeriod."""
AF_MANUAL, AF_AUTO = 0, 1
"""AfMode: the lens stays at LensPosition; or it moves when AfTrigger says so."""
AF_START = 0
"""AfTrigger."""
AF_FOCUSED, AF_FAILED = 2, 3
AF_DONE = frozenset({AF_FOCUSED, AF_FAILED})
"""AfState: focused, or no good focus found."""

LEAST_FRAMES = 10
"""Controls take effect some frames after they were sent; until then nothing seems to change."""
STEADY_FRAMES = 6
"""What has not moved by more than `STEADY` in so many frames has been found."""
STEADY = 0.03
LOOK_S = 5.0
"""Then what there is is kept: autofocus takes 1 to 2 s, exposure less than one."""

BRIGHTER, DARKER = 1.4, 0.7
"""The light has changed much when the picture's mean level has, by these factors: about twice as
much light, or half, as levels go with its square root. Arms and a tray over the mat change less."""
CHANGED_S = 4.0
"""Whoever leans over the table for a moment is no change of light."""
REST_S = 20.0
"""So long nothing is looked for anew after a look: a lamp that goes on and off is left to it."""
LEAST_LEVEL = 2.0
"""Below this mean level, 0..255, there is no light to compare."""


@dataclass(frozen=True)
class Locked:
    """What a look has found.

    Attributes:
        exposure_us: microseconds.
        gain: of the sensor, 1 or more.
        colour_gains: of red and blue; None: the camera has no colour, or told none.
        dioptres: where the lens is focused; None: it cannot be moved.
        settled: nothing moved any more; else the look's time was up.
        focused: the lens has found its place, or need not; else it is to look with the next light.
    """

    exposure_us: int
    gain: float
    colour_gains: tuple[float, float] | None = None
    dioptres: float | None = None
    settled: bool = True
    focused: bool = True

    def controls(self) -> Controls:
        """The controls that keep it."""
        kept: Controls = {
            "AeEnable": False,
            "ExposureTime": self.exposure_us,
            "AnalogueGain": self.gain,
        }
        if self.colour_gains is not None:
            kept |= {"AwbEnable": False, "ColourGains": self.colour_gains}
        if self.dioptres is not None:
            kept |= {"AfMode": AF_MANUAL, "LensPosition": self.dioptres}
        return kept


class Look:
    """One look.

    Args:
        asked: what the settings ask for.
        refocus: let the lens look, too; else it stays where it is.
    """

    def __init__(self, asked: CameraSettings, *, refocus: bool) -> None:
        self._asked = asked
        self._focuses = refocus and not asked.focus_dioptres
        self._began_s: float | None = None
        self._frames = 0
        self._newest: list[tuple[float, ...]] = []

    def controls(self, *, was_locked: bool) -> Controls:
        """The controls that let the camera regulate.

        Args:
            was_locked: exposure and gain are fixed; 0 leaves them to the camera again.
        """
        free: Controls = {"AeEnable": True, "AwbEnable": True}
        if was_locked:
            free |= {"ExposureTime": 0, "AnalogueGain": 0.0}
        if self._asked.flicker_us:
            free |= {"AeFlickerMode": FLICKER_MANUAL, "AeFlickerPeriod": self._asked.flicker_us}
        if self._focuses:
            free |= {"AfMode": AF_AUTO, "AfTrigger": AF_START}
        elif self._asked.focus_dioptres:
            free |= {"AfMode": AF_MANUAL, "LensPosition": self._asked.focus_dioptres}
        return free

    def receive(self, told: Mapping[str, Any], now_s: float) -> Locked | None:
        """Take in what a frame says of itself.

        Args:
            told: its metadata.
            now_s: when it was taken, seconds.

        Returns:
            What was found; None: not yet.
        """
        self._began_s = now_s if self._began_s is None else self._began_s
        self._frames += 1
        exposure, gain = float(told.get("ExposureTime", 0)), float(told.get("AnalogueGain", 1.0))
        colours = told.get("ColourGains") or (1.0, 1.0)
        self._newest = [*self._newest, (exposure * gain, *colours)][-STEADY_FRAMES:]
        focused = not self._focuses or told.get("AfState", min(AF_DONE)) in AF_DONE
        settled = self._frames >= LEAST_FRAMES and focused and self._is_steady()
        if not settled and now_s - self._began_s < LOOK_S:
            return None
        exposure_us, gain = flicker_free(round(exposure), gain, self._asked.flicker_us)
        told_gains = told.get("ColourGains")
        found = told.get("AfState", AF_FOCUSED) == AF_FOCUSED
        return Locked(
            exposure_us,
            gain,
            None if told_gains is None else (float(told_gains[0]), float(told_gains[1])),
            self._dioptres(told),
            settled=settled,
            focused=found or not self._focuses,
        )

    def _is_steady(self) -> bool:
        if len(self._newest) < STEADY_FRAMES:
            return False
        values = zip(*self._newest, strict=True)
        return all(max(each) - min(each) <= STEADY * max(each) for each in values)

    def _dioptres(self, told: Mapping[str, Any]) -> float | None:
        if self._asked.focus_dioptres:
            return self._asked.focus_dioptres
        place = told.get("LensPosition")
        return None if place is None else float(place)


def flicker_free(exposure_us: int, gain: float, period_us: int) -> tuple[int, float]:
    """Let an exposure last whole periods of a lamp's light, the picture staying as bright.

    Args:
        exposure_us: microseconds; shorter than a period it stays: only daylight is so bright.
        gain: that goes with it.
        period_us: 0: there is no such lamp.
    """
    # Sensors expose whole rows: 9,996 microseconds are meant to be 10,000.
    periods = int(exposure_us / period_us + 0.02) if period_us else 0
    if not periods:
        return exposure_us, gain
    whole_us = periods * period_us
    return whole_us, max(1.0, gain * exposure_us / whole_us)


class LightWatch:
    """Says when the light has changed so much that a camera should look again."""

    def __init__(self) -> None:
        self._usual: float | None = None
        self._rests_till_s = float("-inf")
        self._since_s: float | None = None

    def begin(self, now_s: float) -> None:
        """A look is over: how bright it is from now on is what is usual."""
        self._usual = None
        self._since_s = None
        self._rests_till_s = now_s + REST_S

    def blind(self) -> None:
        """A picture shows nothing: a covered lens, a lamp that is off; no light to look for."""
        self._since_s = None

    def receive(self, level: float, now_s: float) -> bool:
        """Take in how bright a picture is.

        Args:
            level: its mean, 0..255.
            now_s: when it was taken, seconds.

        Returns:
            Whether to look again.
        """
        level = max(level, LEAST_LEVEL)
        if self._usual is None:
            self._usual = level
        if DARKER < level / self._usual < BRIGHTER:
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = now_s
        return now_s >= max(self._rests_till_s, self._since_s + CHANGED_S)
