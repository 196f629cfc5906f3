"""The table appliance at work: frames in, a game in the log, faults shown instead of swallowed."""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterable
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from device.errors import SchockaugeError
from device.evidence import Evidence
from device.faults import FAULTS
from device.filming import Fault, Filming, FilmSettings
from device.frames import Frame, Missing
from device.game import Game
from device.health.monitor import Monitor
from device.health.vitals import Vitals
from device.hosting import Hosting
from device.hub_troubles import HUB_TROUBLES
from device.keeping import Keeping
from device.pipeline import Pipeline
from device.restarting import Restart
from device.retention import Rules
from device.store import EventLog
from device.tidying import Tidying
from device.troubles import TROUBLES
from device.unwritten import Unwritten
from device.uplink import Uplink
from device.watching import Moment, Reseat, as_they_sit, watch
from vision.calibration import MatCalibration
from vision.errors import CalibrationError
from vision.watcher import Watcher


@dataclass
class Appliance:
    """One table, put together by `device.bootstrap.build`.

    Attributes:
        log: everything that happens.
        game: the match, kept in step with the log.
        pipeline: from table events to actions.
        app: the dashboard.
        evidence: where stills and clips go; None: nowhere.
        film: what clips are like; None: none are made.
        retention: how much evidence is kept; None: all of it.
        model_version: version of the weights, noted beside every throw.
        make_watcher: a watcher for the mat that a frame shows.
        reseat: the same, or one for the players of the game under way (`device.watching.watch`).
        keep_die_mm: stores the measured edge of the dice for the next evening.
        blind: why no picture can be read, all evening long; None: they can.
        first_pin: the admin's generated PIN, until somebody has signed in with it; else None.
        uplink: to the hub of a tournament, begun by `connect`; None: the table plays for itself.
        hosting: plays what the hub has drawn; None likewise.
        sees_mat: the mat has been found in the frames.
        unwritten: holds what the log does not take now.
        vitals: of the watch.
        monitor: watches over all of it, begun by `connect`; None: nobody does.
        restarting: whether somebody wants it to be started anew, as a service.
    """

    log: EventLog
    game: Game
    pipeline: Pipeline
    app: Flask
    evidence: Evidence | None
    model_version: str
    make_watcher: Callable[[Frame], Watcher]
    unwritten: Unwritten
    keep_die_mm: Callable[[float], None] = lambda die_mm: None
    reseat: Reseat = as_they_sit
    blind: str | None = None
    first_pin: str | None = None
    film: FilmSettings | None = None
    retention: Rules | None = None
    uplink: Uplink | None = None
    hosting: Hosting | None = None
    sees_mat: bool = False
    vitals: Vitals = field(default_factory=Vitals)
    monitor: Monitor | None = None
    restarting: Restart = field(default_factory=Restart)
    _faults: set[str] = field(default_factory=set)
    _lock: threading.RLock = field(default_factory=threading.RLock)

    def play(self, frames: Iterable[Frame | Missing], *, live: bool = False) -> None:
        """Watch frames to their end and play what they show; say so while nothing can be read.

        Args:
            frames: as they arrive.
            live: they come from a camera (see `device.watching.watch`).

        Raises:
            SourceError: the frames break off, or there are none.
            CalibrationError: the mat cannot be found in a recording.
        """
        if self.blind is not None:
            self.report("model", problem=self.blind)
            return
        self.fault_over("model")
        keeping = self._keeping()
        with self._tidying():
            try:
                seen = self.vitals.frames(frames, live=live)
                moments = watch(seen, self.make_watcher, live=live, reseat=self.reseat)
                self._play(self.vitals.moments(moments), keeping, live=live)
            finally:
                keeping.finish()

    def report(self, what: str, **more: Any) -> None:
        """Show a fault on the dashboard until it is over; may be said again and again.

        Args:
            what: a code of `FAULTS`.
            more: what else the log is to know of it.

        Raises:
            StoreError: the log cannot be written, and waiting does not help.
        """
        with self._lock:
            if what in self._faults:
                return
            text_de, text_en = FAULTS[what]
            self.note("fault", {"what": what, "text_de": text_de, "text_en": text_en, **more})
            self._faults.add(what)

    def fault_over(self, what: str, **more: Any) -> None:
        """Take a fault back; does nothing when there was none."""
        with self._lock:
            if what in self._faults:
                self.note("fault_over", {"what": what, **more})
                self._faults.remove(what)

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of all faults that are shown now, with those that the log cannot take."""
        alarms = {str(alarm["what"]) for alarm in self.unwritten.alarms()}
        with self._lock:
            return tuple(sorted(self._faults | alarms))

    def note(self, type: str, data: dict[str, Any]) -> None:
        """Write an entry that is no event of the rules, as soon as the log takes it.

        Raises:
            StoreError: the log cannot be written, and waiting does not help.
        """
        self.unwritten.do(lambda: self.game.note(type, data))

    def connect(self) -> None:
        """Begin to look after it all, and to tell the hub, where the table is paired with one."""
        if self.monitor is not None:
            self.monitor.start()
        parts = [part for part in (self.hosting, self.uplink) if part is not None]
        for part in parts:
            part.start()
        if parts:
            return
        for what in HUB_TROUBLES:  # of an evening before, when it was paired
            self.fault_over(what)

    def _play(self, moments: Iterable[Moment], keeping: Keeping, *, live: bool) -> None:
        mat: MatCalibration | None = None
        for moment in moments:
            self._show_trouble(moment)
            if not moment.is_guarded:
                self.report("drift")
            self.sees_mat = moment.watcher is not None
            if (watcher := moment.watcher) is None:
                continue
            keeping.see(moment, live=live)
            for event in moment.events:
                keeping.receive(event, moment)
            watcher.dice_in_play = self.game.dice_in_play
            self._note_dice(mat, watcher.mat)
            mat = watcher.mat

    def _keeping(self) -> Keeping:
        filming = None
        if self.evidence is not None and self.film is not None:
            clips = self._fault_of("clips")
            tell = self.game.note
            filming = Filming(self.evidence, lambda t, d: tell(t, dict(d)), clips, self.film)
        stills = self._fault_of("disk")
        return Keeping(
            self.evidence, filming, self.pipeline, stills, self.model_version, self.unwritten.do
        )

    def _tidying(self) -> AbstractContextManager[object]:
        """Deletes old evidence in the background."""
        if self.evidence is None or self.retention is None:
            return nullcontext()
        folder, show = self.evidence.folder, self._fault_of("evidence")
        return Tidying(self.log, self.game.note, folder, self.retention, show)

    def _fault_of(self, what: str) -> Fault:
        def show(*, there: bool) -> None:
            (self.report if there else self.fault_over)(what)

        return show

    def _show_trouble(self, moment: Moment) -> None:
        """One trouble at a time: the one that keeps the table from being read now."""
        trouble = moment.trouble
        anchored_mm = moment.anchored_mm
        mended = {} if anchored_mm is None else {"shift_mm": round(anchored_mm, 1)}
        for what in TROUBLES:
            if trouble is None or what != trouble.what:
                self.fault_over(what, **mended)
        if trouble is not None:
            said: dict[str, Any] = {"shift_mm": trouble.shift_mm} if trouble.shift_mm else {}
            said |= {"problem": trouble.problem} if trouble.problem else {}
            self.report(trouble.what, t_s=round(trouble.since_s, 3), **said)

    def close(self) -> None:
        """Say goodbye to the hub, and let the log go."""
        for part in (self.monitor, self.uplink, self.hosting, self.unwritten):
            if part is not None:
                part.close()
        self.log.close()

    def _note_dice(self, before: MatCalibration | None, now: MatCalibration) -> None:
        """Tell that the dice were measured since the frame before, and store their size."""
        if before is None or not now.die_measured:
            return
        if (before.die_mm, before.die_measured) == (now.die_mm, True):
            return
        self.note("dice_measured", {"die_mm": now.die_mm})
        try:
            self.keep_die_mm(now.die_mm)
        except (SchockaugeError, CalibrationError):
            self.report("mat_file")
        else:
            self.fault_over("mat_file")
