"""Sets one table up: what the pages of `web_ui.setup` ask for and do (`SetUp`).

While it is on, the frames go here instead of to the game (`take`), from the same opening of the
camera (`device.setup_life`); what is decided goes into the settings file at once, so that the
set-up can be left at any moment, by a power cut, too.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any

from device import setup_mat
from device.address import shown
from device.errors import SchockaugeError, SettingsError
from device.frames import Frame, Missing
from device.mat_sheet import mat_pdf
from device.setting import Value
from device.settings import Settings
from device.setup_looks import Looks, wrong_with
from device.setup_progress import ProgressFile
from device.setup_running import Table
from device.setup_seen import Seen
from device.setup_settings import Change, SetupSettings
from device.setup_throws import TestThrows
from vision.errors import CalibrationError
from vision.watcher import Watcher
from web_ui import setup_ports as ports
from web_ui.errors import ActionRefused

RENEWAL_S = 30.0
"""Longest wait for the appliance to begin anew: a camera that hangs, networks on a slow card."""


class TableSetup:
    """The set-up of one table; implements `web_ui.setup_ports.SetUp`.

    Args:
        settings: as they are now.
        change: writes settings into their file and returns all of them.
        progress: how far it has come.
        path: the settings file that is written.
        devices: the cameras there are.
        clock: Unix time in seconds.

    Attributes:
        table: the appliance that is running.
        woken: something was decided for which the frames' thread need not wait.
        renewed: the appliance has begun anew.
    """

    def __init__(
        self,
        settings: Settings,
        change: Change,
        progress: ProgressFile,
        *,
        path: Path,
        devices: Callable[[], Sequence[str]],
        clock: Callable[[], float] = time.time,
    ) -> None:
        self._own = SetupSettings(settings, change)
        self.table = Table()
        self._progress = progress
        self.path = path
        self._devices, self._clock = devices, clock
        self._problem = ""
        self._folder = Path(settings["store.path"]).resolve().parent
        self._seen = Seen()
        self._throws = TestThrows(self._try_watcher, self._note)
        taps = lambda: self._progress.now.taps  # noqa: E731
        self._looks = Looks(self._seen, self._throws, lambda: self._own.now, taps)
        self.woken, self.renewed = threading.Event(), threading.Event()

    # --- the frames' thread -----------------------------------------------------------------

    @property
    def settings(self) -> Settings:
        """All settings as they are by now."""
        return self._own.now

    @property
    def is_on(self) -> bool:
        """Whether the camera belongs to the set-up."""
        return self._progress.now.is_on

    def take(self, frames: Iterator[Frame | Missing]) -> None:
        """Take in frames until the set-up ends, another camera is chosen or there are no more."""
        source = self.settings["table.source"]
        self._seen.forget()
        for frame in frames:
            self._seen.receive(frame)
            if self._throws.is_wanted:
                self._throws.watch(self._seen_too(frames, source))
            if not self._goes_on(source):
                return

    def _seen_too(
        self, frames: Iterator[Frame | Missing], source: str
    ) -> Iterator[Frame | Missing]:
        for frame in frames:
            self._seen.receive(frame)
            yield frame
            if not self._goes_on(source):
                return

    def _goes_on(self, source: str) -> bool:
        return self.is_on and self.settings["table.source"] == source

    def lost(self, problem: str) -> None:
        """There is no picture now."""
        self._seen.receive(Missing(0.0, problem))

    def failed(self, problem: str) -> None:
        """Go on setting up: the appliance could not begin with what was set up."""
        self._problem = problem
        self._progress.change(is_on=True)

    # --- where it is ------------------------------------------------------------------------

    def state(self) -> ports.State:
        """Where it is."""
        now = self._progress.now
        due = now.is_on and now.finished_at_s is None
        return ports.State(now.is_on, due, now.steps, self._problem)

    def begin(self, by: str) -> None:
        """Take the camera from the game, and say so on the dashboard."""
        if self.is_on:
            return
        self.table.check_log()
        with suppress(ActionRefused):  # a broken file is told with the first change
            self._own.set({})  # somebody may have changed it since the start
        self._kept(lambda: self._progress.change(is_on=True))
        self.table.show(there=True)
        self.table.note("setup.begun", {"by": by})
        self.woken.set()

    def finish(self, by: str) -> None:
        """Give the camera back, and wait until the appliance has begun anew."""
        if not self.is_on:
            return
        self._own.set({})  # the landlord may have changed more at the page of the settings
        self._throws.want(on=False)
        self.renewed.clear()
        now_s, self._problem = self._clock(), ""
        # Before the frames' thread hears of it: then that appliance and its log are closed.
        self.table.note("setup.finished", {"by": by, "steps": dict(self._progress.now.steps)})
        self._kept(lambda: self._progress.change(is_on=False, finished_at_s=now_s))
        self.woken.set()
        self.renewed.wait(RENEWAL_S)

    def mark(self, step: str, state: str, by: str) -> None:
        """Note that a step is done or skipped."""
        self._kept(lambda: self._progress.mark(step, state))
        more = {"light": wrong_with(self.light().findings)} if step == ports.LIGHT else {}
        self.table.note("setup.step", {"step": step, "state": state, "by": by, **more})

    # --- facts ------------------------------------------------------------------------------

    def camera(self) -> ports.CameraFacts:
        """About the camera."""
        picture, source = self._seen.picture, self.settings["table.source"]
        size = None if picture is None else (picture.shape[1], picture.shape[0])
        fov_deg, named = self.settings["table.camera_fov_deg"], tuple(self._sources())
        return ports.CameraFacts(shown(source), named, fov_deg, size, self._seen.problem)

    def _sources(self) -> dict[str, str]:
        """What can be chosen, by the name that the page may show: one without passwords."""
        return {shown(one): one for one in (self.settings["table.source"], *self._devices())}

    def mat(self) -> ports.MatFacts:
        """About the mat."""
        return setup_mat.facts(self.settings, self._seen.picture, self._progress.now.taps)

    def seats(self) -> ports.SeatFacts:
        """About the seats."""
        return self._own.seats()

    def light(self) -> ports.LightFacts:
        """About the light."""
        return self._looks.light_facts()

    def throw(self) -> ports.ThrowFacts:
        """About the test throws."""
        return self._throws.facts()

    def rules(self) -> ports.RuleFacts:
        """About the game."""
        return self._own.rules()

    def look(self, view: str) -> bytes | None:
        """A picture as JPEG; None: there is none now, or the camera belongs to the game."""
        return self._looks.look(view) if self.is_on else None

    # --- deeds ------------------------------------------------------------------------------

    def choose_camera(self, source: str, fov_deg: float) -> None:
        """Use a camera, and know how much it sees in width."""
        sources = self._sources()
        if source not in sources:
            raise ActionRefused(
                f"Die Kamera {source} gibt es hier nicht.",
                f"There is no camera {source} here.",
                "no_camera",
            )
        before = self.settings["table.source"]
        self._set({"table.source": sources[source], "table.camera_fov_deg": fov_deg})
        if sources[source] != before:  # else a lost camera would be looked for without a pause
            self.woken.set()

    def size_mat(self, width_mm: float, height_mm: float) -> None:
        """Say how large the mat is; what was stored of another one is not used any more."""
        self._own.set_size(width_mm, height_mm)
        self._looks.forget()

    def tap(self, points: Sequence[tuple[float, float]]) -> None:
        """Point at corners, after those before; none: begin anew."""
        before = self._progress.now.taps if points else ()
        taps = (*before, *points) if len(before) < 4 else tuple(points)
        self._kept(lambda: self._progress.change(taps=taps[:4]))

    def save_mat(self) -> None:
        """Store where the mat lies."""
        picture, taps = self._seen.picture, self._progress.now.taps
        if picture is None:
            raise ActionRefused(
                "Es ist kein Bild da, in dem die Matte zu finden wäre.",
                "There is no picture in which the mat could be found.",
                "no_picture",
            )
        try:
            mat = setup_mat.found(self.settings, picture, taps)
        except CalibrationError as error:
            raise ActionRefused(
                f"So ist die Matte nicht zu finden: {error}",
                f"The mat cannot be found like this: {error}",
                "no_mat",
            ) from error
        self._kept(lambda: self._set(setup_mat.save(self.settings, mat, self._folder)))

    def save_seats(self, layout: str, names: Sequence[str]) -> None:
        """Say who sits around the mat."""
        self._own.save_seats(layout, names)
        self._looks.forget()

    def look_again(self) -> None:
        """Let the camera find light and focus anew."""
        self.table.look_again_or_say_why()

    def watch_throws(self, *, on: bool) -> None:
        """Watch the mat for test throws, or stop it."""
        self._throws.want(on=on)

    def judge_throw(self, number: int, verdict: str) -> None:
        """Say whether a test throw was read right or wrong."""
        self._throws.judge(number, verdict)

    def save_rules(self, rules: ports.RuleFacts) -> None:
        """Say what is played, and how the table is called."""
        self._own.save_rules(rules)

    def need_table_pin(self, *, needed: bool) -> None:
        """Say whether acting at the table needs its PIN."""
        self._set({"web.table_needs_pin": needed})

    def mat_pdf(self) -> bytes:
        """The mat to print on A4."""
        try:
            return mat_pdf(setup_mat.size_of(self.settings), "a4")
        except SettingsError as error:
            raise ActionRefused(
                f"Eine solche Matte lässt sich nicht drucken: {error}", str(error), "no_sheet"
            ) from error

    def _set(self, values: Mapping[str, Value | None]) -> None:
        self._own.set(values)
        self._looks.forget()

    def _note(self, kind: str, data: dict[str, Any]) -> None:
        self.table.note(kind, data)

    def _try_watcher(self, frame: Frame) -> Watcher:
        if self.table.try_watcher is None:
            raise SchockaugeError("No appliance is running that could read dice.")
        return self.table.try_watcher(self.settings, frame)

    def _kept(self, do: Callable[[], object]) -> None:
        try:
            do()
        except SchockaugeError as error:
            raise ActionRefused(
                f"Das lässt sich nicht speichern: {error}",
                f"This cannot be stored: {error}",
                "not_stored",
            ) from error
