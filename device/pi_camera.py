"""A Raspberry Pi's own camera, by picamera2: one configuration with two streams.

The main stream is read, a smaller one of the same view tells whether anything moves. Exposure,
white balance and focus are found once and kept (`device.camera_look`). Times are the sensor's.

When a ribbon cable is loose or the sensor stops, picamera2 waits for a frame for ever, and so may
stopping and closing (picamera2's issues 962, 1065, 1264, 1295). Its maintainers' way out, which is
gone here: wait with a limit, `cancel_all_and_flush()`, then close, and open anew (pull request
1069). When closing hangs as well the camera stays taken by this process (issue 1048), and only a
new one can open it: then `CameraStuckError` says so, once, and only where somebody starts the
program again. What hangs in the kernel (issue 1275) outlives its process; only switching off helps,
so the program stays, with its page and what is entered by hand.

picamera2 and libcamera come from Raspberry Pi OS, not from a package index; they are imported here
alone, when a camera is opened.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from functools import partial
from pathlib import Path

from device.camera import LiveSource, Model
from device.camera_settings import CameraSettings
from device.errors import CameraStuckError, DriverHangsError, SourceError
from device.pi_camera_api import Camera, OpenCamera
from device.pi_driver import Memory, PiDriver

PREFIX = "picamera:"
LOOKS_AT_KERNEL = 5
"""A thread that is in the kernel for an instant is not stuck there."""


class PiCameraSource(LiveSource):
    """A Raspberry Pi's own camera.

    Args:
        number: as libcamera counts them, 0 for the first.
        asked: what the settings ask for.
        open_camera: opens it; None: picamera2 does.
        clock: seconds, monotonic; only to tell how long a driver hangs.

    Raises:
        SourceError, DriverHangsError: see `LiveSource`.
        CameraStuckError: (when opened anew) only a new process can open it.
    """

    def __init__(
        self,
        number: int,
        asked: CameraSettings,
        *,
        open_camera: OpenCamera | None = None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._asked = asked
        self._clock = clock
        self._hangs_since_s: float | None = None
        self._memory = Memory()
        name = f"camera picamera:{number}"
        opened = partial(PiDriver, open_camera or _picamera2, number, asked, self._memory)
        super().__init__(
            Model(
                name,
                opened,
                lambda: f"There is no {name}.",
                mend="Switch the Pi off and on again, and check both ends of the ribbon cable.",
                silent="Check both ends of the ribbon cable.",
                most_hanging=1,  # while one hangs the camera is taken
            )
        )

    def look_again(self) -> bool:
        """Let exposure, white balance and focus be found anew, with the next frames."""
        self._memory.look_again.set()
        return True

    def reopen(self) -> None:
        """Open the camera anew.

        Raises:
            SourceError, DriverHangsError: see `LiveSource`.
            CameraStuckError: only a new process can open it.
        """
        try:
            super().reopen()
        except DriverHangsError as hangs:
            self._give_up_on(hangs)
            raise
        self._hangs_since_s = None

    def _give_up_on(self, hangs: DriverHangsError) -> None:
        now_s = self._clock()
        if self._hangs_since_s is None:
            self._hangs_since_s = now_s
        restart_s = self._asked.restart_s
        # One that never worked in this process will not in the next: by hand, it goes on for hours.
        helps = self._asked.as_service and self.frames_given > 0 and restart_s > 0
        if helps and now_s - self._hangs_since_s >= restart_s and not stuck_in_kernel():
            raise CameraStuckError(
                f"{hangs} The program ends, to be started again: only a new process can open it."
            ) from hangs


def stuck_in_kernel(tasks: Path = Path("/proc/self/task"), wait_s: float = 0.2) -> bool:
    """Whether a thread of ours sleeps in the kernel where no signal wakes it: it outlives us."""
    stuck: set[str] | None = None
    for _ in range(LOOKS_AT_KERNEL):
        now = {path.name for path in tasks.glob("*") if _state(path) == "D"}
        stuck = now if stuck is None else stuck & now
        if not stuck:
            return False
        time.sleep(wait_s)
    return True


def _state(task: Path) -> str:
    try:
        return (task / "stat").read_text().rpartition(")")[2].split()[0]
    except (OSError, IndexError):
        return ""  # it has ended meanwhile


def _picamera2(number: int) -> Camera:
    try:
        from picamera2 import Picamera2
    except ImportError as error:
        raise SourceError(
            f"A Raspberry Pi camera needs picamera2 of Raspberry Pi OS ({error}): apt install "
            "python3-picamera2, and make the environment with --system-site-packages. Off a Pi: "
            "picamera-stub:SOURCE."
        ) from error
    if not hasattr(Picamera2, "cancel_all_and_flush"):
        raise SourceError(
            "This picamera2 is too old to come back from a camera that hangs, expected 0.3.21 or "
            "newer: apt update, apt upgrade."
        )
    there = Picamera2.global_camera_info()
    if number >= len(there):
        names = ", ".join(f"{PREFIX}{n} ({info['Model']})" for n, info in enumerate(there))
        raise SourceError(
            f"There is no camera {PREFIX}{number}; this Pi has {names or 'none'}. Check both ends "
            "of the ribbon cable, and `rpicam-hello --list-cameras`."
        )
    camera: Camera = Picamera2(number)
    return camera
