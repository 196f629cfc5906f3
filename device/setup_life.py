"""The life of a table: playing and being set up, one after the other, at one camera and one page.

The camera is opened once; its frames go to the game or to the set-up, never to both. When a set-up
ends, the appliance is put together anew by the new settings, behind the same address: the server
stays, what it serves is exchanged (`Stage`). An appliance that cannot be put together leaves the
one before in its place, and the set-up says why.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import ExitStack, suppress
from pathlib import Path
from typing import Any

from device import bootstrap
from device.appliance import Appliance
from device.books import book_named
from device.bootstrap_signals import signals
from device.camera_devices import cameras_here
from device.camera_settings import camera_settings
from device.errors import CameraStuckError, SchockaugeError
from device.frames import Frame, Missing, Source
from device.game import Game
from device.health.systemd import Notifier, Watchdog
from device.health.vitals import Pulse, Vitals
from device.memory import give_back
from device.setting import Value
from device.settings import BY_NAME, Settings, load_settings
from device.settings_file import SettingsFile
from device.settings_sense import UNFIT
from device.setup_progress import FILE_NAME, ProgressFile
from device.setup_running import Table
from device.setup_stage import Camera, Stage
from device.setup_table import TableSetup
from device.sources import is_live, open_source
from rules.phases import Part
from web_ui.errors import ActionRefused
from web_ui.ports import START

SETTINGS_FILE = "table.toml"
"""Beside the log, where no other file is named."""
BY = "setup"
TOLD_BY_HAND = ("table.mat_file", "table.layout", "table.seats", "game.players", "game.book")
"""Whoever has said something of these has set his table up himself,"""
CHOSEN = frozenset({"table.source"})
"""and whoever names a source on the command line wants to play from it."""
PAGE_S = 5.0
"""How long the main thread sleeps at a time while the page stays after a recording."""
AGAIN_S = 1.0
"""A recording that has ended while a table is set up is shown again after so long."""


class SetupBegins(Exception):  # noqa: N818 - no failure: the game hands the camera over
    """Ends the watching of a game when somebody begins to set the table up."""


def settings_path(named: Path | None, settings: Settings) -> Path:
    """The file that a set-up writes: the one that was named, or `table.toml` beside the log."""
    return named or Path(settings["store.path"]).resolve().parent / SETTINGS_FILE


def make_setup(
    settings: Settings, path: Path, options: Mapping[str, Any], *, wanted: bool, fresh: bool
) -> TableSetup:
    """The set-up of a table, on where it is to begin now.

    Args:
        settings: as they are, with the options of the command line.
        path: the settings file that is written.
        options: of the command line, by setting name (None: not given); what the set-up changes
            it changes for this run, too.
        wanted: somebody asks for it (`--setup`).
        fresh: it begins by itself where nobody has set this table up: no log, no progress.

    Raises:
        StoreError: its progress cannot be kept.
    """
    file = SettingsFile(path)
    kept = {name: value for name, value in options.items() if value is not None}

    def change(values: Mapping[str, Value | None]) -> Settings:
        if not values:
            return load_settings(path if path.exists() else None).with_values(kept)
        # The landlord may have changed other settings at their page since the step before.
        changed = file.change(values, by=BY, at_s=time.time(), stamp=file.stamp)
        for name in values:
            kept.pop(name, None)
        return changed.with_values(kept)

    log = Path(settings["store.path"]).resolve()
    progress = ProgressFile(log.parent / FILE_NAME)
    untouched = not log.exists() and not progress.path.exists()
    plain = all(settings[name] == BY_NAME[name].default for name in TOLD_BY_HAND)
    if wanted or (fresh and untouched and plain and not kept.keys() & CHOSEN):
        progress.change(is_on=True)
    return TableSetup(settings, change, progress, path=path, devices=cameras_here)


def built(settings: Settings, setup: TableSetup) -> Appliance:
    """An appliance that can be set up; errors as of `device.bootstrap.build`."""
    path = setup.path if setup.path.exists() else None
    return bootstrap.build(settings, settings_file=path, setup=setup)


class Life:
    """One table from its start to its end.

    Args:
        setup: of this table.
        appliance: the first one, put together already.
        stage: what the server serves.
        patient: wait for a camera that is not there yet.
        build: puts an appliance together by settings.

    Attributes:
        setup: of this table.
        appliance: the one that is running.
        stage: what the server serves.
        camera: where frames come from.
    """

    def __init__(
        self,
        setup: TableSetup,
        appliance: Appliance,
        stage: Stage,
        *,
        patient: bool = True,
        build: Callable[[Settings, TableSetup], Appliance] = built,
    ) -> None:
        self.setup, self.appliance, self.stage = setup, appliance, stage
        self.camera = Camera(patient=patient, wait=setup.woken.wait, open_spec=self._opened)
        self._build = build
        self._settings = setup.settings
        self._was_set_up = False
        self._beside = ExitStack()
        self._introduce()

    def start(self) -> None:
        """Connect the appliance that is running, and let lamp and button follow it."""
        self.appliance.connect()
        self._beside.enter_context(signals(self._settings, self.appliance))

    def _opened(self, spec: str) -> Source:
        return open_source(spec, camera_settings(self.setup.settings))

    def go_on(self) -> None:
        """Play, and be set up where somebody wants it, until a recording ends.

        Raises:
            SourceError, CalibrationError: see `Appliance.play`.
        """
        while True:
            if self.setup.is_on:
                self._was_set_up = True
                self._set_up()
                continue
            if self._was_set_up:
                self._was_set_up = False
                self._renew()
                continue
            spec = self.setup.settings["table.source"]
            self.setup.woken.clear()
            frames = self.camera.frames(spec)
            try:
                self.appliance.play(self._until_setup(frames), live=is_live(spec))
            except SetupBegins:
                continue
            return

    def _set_up(self) -> None:
        """Let the set-up have the frames, until it ends or wants another camera."""
        setup, spec = self.setup, self.setup.settings["table.source"]
        setup.woken.clear()
        try:
            setup.take(self.camera.frames(spec, slowly=True))
        except CameraStuckError:
            raise
        except SchockaugeError as error:
            setup.lost(str(error))
        if not setup.is_on and not is_live(spec):
            self.camera.close()  # a recording is played from its beginning
        elif setup.is_on and setup.settings["table.source"] == spec:  # a recording is over
            self.camera.close()
            setup.woken.wait(AGAIN_S)

    def _until_setup(self, frames: Iterator[Frame | Missing]) -> Iterator[Frame | Missing]:
        for frame in frames:
            if self.setup.is_on:
                raise SetupBegins
            yield frame

    def _renew(self) -> None:
        """Put the appliance together by the new settings, in the place of the old one."""
        self.stage.app = None
        self._beside.close()
        self.appliance.close()
        try:
            self.appliance = self._build(self.setup.settings, self.setup)
            self._settings = self.setup.settings
        except UNFIT as error:
            self.appliance = self._build(self._settings, self.setup)
            self.setup.failed(str(error))
        self._introduce()
        self._seat_players()
        self.start()
        self.stage.app = self.appliance.app
        give_back()  # what the one before has seen; nobody knows it any more
        self.setup.renewed.set()

    def _introduce(self) -> None:
        """Let the set-up know the appliance that is running now."""
        appliance = self.appliance

        def show(*, there: bool) -> None:
            (appliance.report if there else appliance.fault_over)("setup")

        self.setup.table = Table(
            appliance.note,
            bootstrap.watcher,
            show,
            self.camera.look_again,
            lambda: appliance.unwritten.held,
        )
        show(there=self.setup.is_on)

    def _seat_players(self) -> None:
        """A game in which nobody has thrown yet is begun anew with those of the set-up."""
        game, settings = self.appliance.game, self._settings
        players, book = tuple(settings["game.players"]), book_named(settings["game.book"]).key
        if (game.match.players, game.match.book.key) == (players, book) or _is_touched(game):
            return
        action = {"type": START, "players": list(players), "book": book, "weekday": None, "by": BY}
        with suppress(ActionRefused):  # whoever begins the evening says who plays
            self.appliance.pipeline.submit(action)

    def idle(self) -> None:
        """A recording is over: wait until somebody sets the table up."""
        while not self.setup.is_on:
            self.setup.woken.wait(PAGE_S)

    def close(self) -> None:
        """Let camera and appliance go."""
        self.camera.close()
        self._beside.close()
        self.appliance.close()


class _LifeVitals(Vitals):
    """Of the appliance that is running; while it is set up nobody watches the table."""

    def __init__(self, life: Life) -> None:
        super().__init__()
        self._life = life

    def pulse(self) -> Pulse:
        """How the watch is."""
        if self._life.setup.is_on:
            return super().pulse()  # of a watch that has not begun
        return self._life.appliance.vitals.pulse()


def watched_life(life: Life, url: str) -> Watchdog:
    """What tells systemd of a table whose page is served; a context manager."""

    def status() -> str:
        monitor = life.appliance.monitor
        return "" if monitor is None else monitor.line()

    return Watchdog(Notifier(), _LifeVitals(life), url, status)


def _is_touched(game: Game) -> bool:
    """Whether the game under way is over its opening, or somebody has thrown in it."""
    if game.match.part is not Part.OPENING:
        return True
    touched, seq = False, 0
    while page := game.log.read(seq):
        seq = page[-1].seq
        for entry in page:
            if entry.type == "match_started":
                touched = False
            touched = touched or entry.type in ("thrown", "burnt")
    return touched
