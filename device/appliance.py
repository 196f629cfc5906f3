"""The table appliance at work: frames in, a game in the log, faults shown instead of swallowed."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

from flask import Flask

from device.errors import SchockaugeError, StoreError
from device.evidence import Evidence, lying
from device.frames import Frame, Missing
from device.game import Game
from device.pipeline import BURNS, THROWS, Pipeline
from device.store import EventLog
from device.troubles import TROUBLES, UNWATCHED
from device.watching import Moment, watch
from vision.calibration import MatCalibration
from vision.errors import CalibrationError
from vision.events import TableEvent
from vision.watcher import Watcher

FAULTS: Mapping[str, tuple[str, str]] = {
    **TROUBLES,
    "drift": UNWATCHED,
    "disk": (
        "Es können keine Bilder der Würfe gespeichert werden; das Spiel geht ohne sie weiter.",
        "No pictures of throws can be stored; the game goes on without them.",
    ),
    "mat_file": (
        "Die gemessene Würfelgröße kann nicht in der Kalibrierung gespeichert werden; sie gilt nur "
        "bis zum Ausschalten.",
        "The measured size of the dice cannot be stored in the calibration; it holds until the "
        "appliance is switched off.",
    ),
}


@dataclass
class Appliance:
    """One table, put together by `device.bootstrap.build`.

    Attributes:
        log: everything that happens.
        game: the match, kept in step with the log.
        pipeline: from table events to actions.
        app: the dashboard.
        evidence: where stills go; None: nowhere.
        model_version: version of the weights, noted beside every throw.
        make_watcher: a watcher for the mat that a frame shows.
        keep_die_mm: stores the measured edge of the dice for the next evening.
        first_pin: the admin's generated PIN, until somebody has signed in with it; else None.
    """

    log: EventLog
    game: Game
    pipeline: Pipeline
    app: Flask
    evidence: Evidence | None
    model_version: str
    make_watcher: Callable[[Frame], Watcher]
    keep_die_mm: Callable[[float], None] = lambda die_mm: None
    first_pin: str | None = None
    _faults: set[str] = field(default_factory=set)

    def play(self, frames: Iterable[Frame | Missing], *, live: bool = False) -> None:
        """Watch frames to their end and play what they show; say so while nothing can be read.

        Args:
            frames: as they arrive.
            live: they come from a camera (see `device.watching.watch`).

        Raises:
            SourceError: the frames break off, or there are none.
            CalibrationError: the mat cannot be found in a recording.
        """
        mat: MatCalibration | None = None
        for moment in watch(frames, self.make_watcher, live=live):
            self._show_trouble(moment)
            if not moment.is_guarded:
                self.report("drift")
            if (watcher := moment.watcher) is None:
                continue
            for event in moment.events:
                self.pipeline.receive(event, self._evidence_of(event, watcher))
            watcher.dice_in_play = self.game.dice_in_play
            self._note_dice(mat, watcher.mat)
            mat = watcher.mat

    def report(self, what: str, **more: Any) -> None:
        """Show a fault on the dashboard until it is over; may be said again and again.

        Args:
            what: a code of `FAULTS`.
            more: what else the log is to know of it.
        """
        if what not in self._faults:
            self._faults.add(what)
            text_de, text_en = FAULTS[what]
            self.game.note("fault", {"what": what, "text_de": text_de, "text_en": text_en, **more})

    def fault_over(self, what: str, **more: Any) -> None:
        """Take a fault back; does nothing when there was none."""
        if what in self._faults:
            self._faults.remove(what)
            self.game.note("fault_over", {"what": what, **more})

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
        """Let the log go."""
        self.log.close()

    def _note_dice(self, before: MatCalibration | None, now: MatCalibration) -> None:
        """Tell that the dice were measured since the frame before, and store their size."""
        if before is None or not now.die_measured:
            return
        if (before.die_mm, before.die_measured) == (now.die_mm, True):
            return
        self.game.note("dice_measured", {"die_mm": now.die_mm})
        try:
            self.keep_die_mm(now.die_mm)
        except (SchockaugeError, CalibrationError):
            self.report("mat_file")
        else:
            self.fault_over("mat_file")

    def _evidence_of(self, event: TableEvent, watcher: Watcher) -> dict[str, Any]:
        if event.type not in THROWS | BURNS:
            return {}
        evidence: dict[str, Any] = {"model": self.model_version}
        if self.evidence is None or watcher.view is None:
            return evidence
        try:
            evidence |= self.evidence.keep(watcher.view, t_s=event.t_s)
            evidence["lying"] = lying(watcher, event.seat)
        except StoreError:
            self.report("disk")
        else:
            self.fault_over("disk")
        return evidence
