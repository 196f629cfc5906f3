"""What disturbs the camera in a pub: the names that clips are ordered by."""

from __future__ import annotations

from collections.abc import Iterable

from device.errors import UsageError

LAYOUT_NAMES = ("shared", "seats")
DISTURBANCES = {
    "arms": "other players reach over the table",
    "things": "glasses, coasters and a telephone on the mat's edge, brought and taken away",
    "shadow": "people lean over the table",
    "warm_light": "only a warm bulb is lit",
    "television": "a screen's light changes",
    "flicker": "a lamp on 50 Hz mains and a rolling shutter",
    "exposure": "the camera hunts for its exposure",
    "motion_blur": "long exposures: what moves is smeared",
    "noise": "a dim room: four times the usual noise",
    "bump": "the camera is knocked and does not come back quite",
    "lost_frames": "frames are lost, now and then many on end",
    "late_frames": "frames come late, several at once",
    "two_tone": "dice of two colours",
    "own_dice": "every player throws dice of another colour",
    "rim": "the cup's rim is held over a die before it is taken away",
}
"""Name: what it is."""
OF_CLIPS = ("lost_frames", "late_frames")
"""What happens to pictures on their way into a recording."""


def check(names: Iterable[str]) -> tuple[str, ...]:
    """The names, if they are some of `DISTURBANCES`.

    Raises:
        UsageError: one is not.
    """
    found = tuple(names)
    for name in found:
        if name not in DISTURBANCES:
            raise UsageError(f"--disturb knows {', '.join(DISTURBANCES)}, but got {name!r}.")
    return found
