"""What the set-up shows of the camera: views by name, made no more often than a person can see."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Sequence
from dataclasses import replace

from device import pi_camera, pi_camera_stub, setup_mat, setup_pictures
from device.image_pixels import Picture
from device.images import jpeg
from device.places import seats as seats_of
from device.settings import Settings
from device.setup_seen import Seen
from device.setup_throws import TestThrows
from vision.calibration import MatCalibration
from vision.errors import CalibrationError, SeatsError, VisionError
from vision.light import LEAST_SAMPLES, LightFinding, LightSamples, check_light
from vision.quality import Finding
from vision.seats import Seat
from web_ui.setup_ports import LightFacts, Measured

REGULATED = (pi_camera.PREFIX, pi_camera_stub.PREFIX)
"""Sources whose light and focus are found once, and anew when they are asked to."""
EVERY_S = 0.3
"""A view is made anew no more often, however many ask for it."""
MOST_KEPT = 12
"""Views that are remembered: one for each kind of finding, and some."""


class Looks:
    """Makes the pictures; safe to use from several threads.

    Args:
        seen: the camera's pictures.
        throws: the test throws.
        settings: returns them as they are by now.
        taps: returns the corners that were pointed at.
        clock: seconds from any fixed moment on.
    """

    def __init__(
        self,
        seen: Seen,
        throws: TestThrows,
        settings: Callable[[], Settings],
        taps: Callable[[], setup_mat.Taps],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._seen, self._throws = seen, throws
        self._settings, self._taps = settings, taps
        self._clock = clock
        self._made: dict[str, tuple[float, bytes | None]] = {}
        self._lock = threading.Lock()

    def look(self, view: str) -> bytes | None:
        """A picture as JPEG; None: there is none now, or no such view."""
        kind, _, what = view.partition("-")
        if kind == "throw" and what.isascii() and what.isdigit():
            return self._throws.picture(int(what))
        with self._lock:
            made_s, made = self._made.get(view, (float("-inf"), None))
            if made is None or self._clock() - made_s >= EVERY_S:
                picture = self._drawn(kind, what)
                made = None if picture is None else jpeg(picture)
                if made is not None:
                    self._made[view] = (self._clock(), made)
                while len(self._made) > MOST_KEPT:
                    self._made.pop(next(iter(self._made)))
            return made

    def forget(self) -> None:
        """What is seen may look different now: make every view anew."""
        with self._lock:
            self._made.clear()

    def light(self, samples: LightSamples) -> tuple[LightFinding, ...]:
        """What is found about the light; nothing where nobody knows where the mat is."""
        if samples.newest is None:
            return ()
        try:
            mat = setup_mat.seen_now(self._settings(), samples.newest)
            return check_light(samples, mat, fov_deg=self._settings()["table.camera_fov_deg"])
        except VisionError:
            return ()

    def light_facts(self) -> LightFacts:
        """The same for the page."""
        samples = self._seen.samples
        shown = tuple(
            replace(
                setup_mat.measured(
                    Finding(f.rule, f.value, f.verdict, ""),
                    {lang: f.advice(lang) for lang in ("de", "en")},
                ),
                name=f.kind,
            )
            for f in self.light(samples)
        )
        missing = max(0, LEAST_SAMPLES - samples.count)
        return LightFacts(shown, missing, self._settings()["table.source"].startswith(REGULATED))

    def _drawn(self, kind: str, what: str) -> Picture | None:
        samples = self._seen.samples
        picture, taps = samples.newest, self._taps()
        if picture is None:
            return None
        if kind == "camera":
            return setup_pictures.plain(picture)
        if kind == "mat":
            return setup_pictures.with_mat(picture, self._found(picture), taps)
        try:
            mat = setup_mat.seen_now(self._settings(), picture)
            if kind == "throw":
                watched = self._throws.look()
                bare = watched is None
                return setup_pictures.with_scene(picture, mat, None) if bare else watched
            if kind == "seats":
                return setup_pictures.with_seats(picture, mat, self._seats(mat))
            found = next((f for f in self.light(samples) if f.kind == what), None)
            return None if found is None else setup_pictures.with_finding(picture, mat, found)
        except VisionError:
            return None  # without a mat nothing but the mat is looked for

    def _found(self, picture: Picture) -> MatCalibration | None:
        try:
            return setup_mat.found(self._settings(), picture, self._taps())
        except CalibrationError:
            return None

    def _seats(self, mat: MatCalibration) -> Sequence[Seat]:
        try:
            return seats_of(self._settings(), mat.mat_size_mm)
        except SeatsError:
            return ()


def wrong_with(findings: Sequence[Measured]) -> dict[str, str]:
    """What was wrong with the light when somebody went on all the same."""
    return {f.name: f.verdict for f in findings if f.verdict not in ("", "good")}
