"""What `device.pi_camera_stub` exposes pictures with: a sensor that regulates itself, or does not.

Its controls and modes are those of a Raspberry Pi Camera Module 3, by libcamera's names. The
pictures of the source are taken to be well exposed at `USUAL_US`: with less light, or locked in
another, they come out darker or lighter, as levels do (with the power 1/2.2).
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np

from device.image_pixels import Picture

CONTROLS: Mapping[str, Any] = {
    "AeEnable": (False, True, True),
    "AeFlickerMode": (0, 1, 0),
    "AeFlickerPeriod": (100, 1000000, None),
    "AfMode": (0, 2, 0),
    "AfTrigger": (0, 1, 0),
    "AnalogueGain": (1.123, 16.0, 1.123),
    "AwbEnable": (False, True, None),
    "ColourGains": (0.0, 32.0, None),
    "ExposureTime": (26, 66666, 20000),
    "FrameDurationLimits": (33333, 120000, 33333),
    "LensPosition": (0.0, 15.0, 1.0),
    "NoiseReductionMode": (0, 4, 0),
}
"""Least, greatest and usual values."""

MODES: tuple[Mapping[str, Any], ...] = (
    {"size": (1536, 864), "bit_depth": 10, "fps": 120.13, "crop_limits": (768, 432, 3072, 1728)},
    {"size": (2304, 1296), "bit_depth": 10, "fps": 56.03, "crop_limits": (0, 0, 4608, 2592)},
    {"size": (4608, 2592), "bit_depth": 10, "fps": 14.35, "crop_limits": (0, 0, 4608, 2592)},
)
"""The first shows only the middle of the view."""

USUAL_US = 30000.0
"""Exposure times gain in the light in which the source's pictures were taken."""
STEP = 0.4
"""So much of the way to the right exposure is done in a frame."""
SCAN_FRAMES = 15
"""So long the lens moves until it is in focus."""
FOCUS_LIGHT = 0.05
"""With less of the usual light the lens does not find its place."""
FOCUSED_AT, COLOUR_GAINS = 1.4, (1.9, 1.7)
LONGEST_US = 40000
"""A frame at 25 a second lasts no longer."""


class Sensor:
    """The state of exposure, white balance and focus."""

    def __init__(self) -> None:
        self.set_to: dict[str, Any] = {"AeEnable": True, "AwbEnable": True, "AfMode": 0}
        self._total_us = USUAL_US / 3
        self._lens = 1.0
        self._scans = 0
        self._af_state = 0

    def set(self, controls: Mapping[str, Any]) -> None:
        """Take controls."""
        self.set_to.update(controls)
        if controls.get("AfMode") == 0:
            self._af_state = self._scans = 0
            self._lens = float(self.set_to.get("LensPosition", self._lens))
        if controls.get("AfTrigger") == 0 and self.set_to["AfMode"] == 1:
            self._af_state, self._scans = 1, SCAN_FRAMES

    def expose(self, picture: Picture, light: float) -> tuple[Picture, dict[str, Any]]:
        """Take a picture.

        Args:
            picture: as it would be, well exposed in the usual light.
            light: how much of that there is.

        Returns:
            How it comes out, and what the camera says of it.
        """
        wanted_us = USUAL_US / light
        exposure_us, gain = self._split()
        if self.set_to["AeEnable"]:
            self._total_us += STEP * (wanted_us - self._total_us)
            exposure_us, gain = self._split()
        else:
            exposure_us = int(self.set_to.get("ExposureTime") or exposure_us)
            gain = float(self.set_to.get("AnalogueGain") or gain)
        self._focus(light)
        told = {
            "ExposureTime": exposure_us,
            "AnalogueGain": gain,
            "ColourGains": COLOUR_GAINS,
            "LensPosition": self._lens,
            "AfState": self._af_state,
            "FrameDuration": LONGEST_US,
        }
        factor = (exposure_us * gain / wanted_us) ** (1 / 2.2)
        if abs(factor - 1) < 0.01:
            return picture, told
        levels = np.clip(np.arange(256) * factor, 0, 255).astype(np.uint8)
        return levels[picture], told

    def _split(self) -> tuple[int, float]:
        """Exposure and gain of the whole; against flicker in whole periods."""
        period = self.set_to.get("AeFlickerPeriod") if self.set_to.get("AeFlickerMode") else None
        exposure = min(self._total_us, LONGEST_US)
        if period and exposure >= period:
            exposure = exposure // period * period
        return int(exposure), max(1.0, self._total_us / exposure)

    def _focus(self, light: float) -> None:
        if self._scans:
            self._scans -= 1
            self._lens = FOCUSED_AT + 0.2 * self._scans + (0.0 if light >= FOCUS_LIGHT else 3.0)
            if not self._scans:
                self._af_state = 2 if light >= FOCUS_LIGHT else 3
