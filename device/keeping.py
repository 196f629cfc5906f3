"""Which facts get a still and a clip, and how the log comes to know of them.

Throws get theirs at once: the still's name stands in the fact's own entry, and `clip_s` says which
stretch of time the clip will show. Of other facts (a six turned, dice taken away, a cup lifted)
only what a case or a question is about: that shows when the rules have looked at it, so these get
an entry `evidence.kept` of their own. What waits behind a question may yet become a case.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from device.chain import LogEntry
from device.errors import StoreError
from device.evidence import Evidence, lying
from device.filming import CUT_OFF, Fault, Filming
from device.frames import Frame
from device.pipeline import BURNS, THROWS, Pipeline
from device.seen import Seen
from device.store import EventLog
from device.watching import Moment
from vision.events import TableEvent
from vision.watcher import Watcher

MAY_BECOME_CASES = frozenset({"turned", "dice_kept", "cup_up", "cleared"})
CONCERNED = frozenset({"case.opened", "case.seen", "packed_up", "question.asked"})
"""Entries that are about a fact, by its number in `seq`."""
PAGE_ENTRIES = 1000

Deed = Callable[[], object]
Do = Callable[[Deed, Deed], object]
"""Carries out the first, or later the second."""


def at_once(deed: Deed, late: Deed) -> None:
    """For a log that takes everything, or ends the evening."""
    deed()


class Keeping:
    """Keeps the evidence of one table.

    Args:
        evidence: where it goes; None: nothing is kept.
        filming: makes the clips; None: there are none.
        pipeline: knows what waits.
        fault: told of every still; it is there when the still is missing.
        model_version: noted beside every throw.
        do: carries out what writes to the log, or holds it (`device.unwritten`).
    """

    def __init__(
        self,
        evidence: Evidence | None,
        filming: Filming | None,
        pipeline: Pipeline,
        fault: Fault,
        model_version: str,
        do: Do = at_once,
    ) -> None:
        self._do = do
        self.evidence = evidence
        self.filming = filming
        self._pipeline = pipeline
        self._fault = fault
        self._model_version = model_version
        self._looks = -1

    def see(self, moment: Moment, *, live: bool) -> None:
        """Take in what became of a frame, before its events."""
        watcher, frame = moment.watcher, moment.frame
        if self.filming is None or frame is None or watcher is None:
            return
        still = watcher.looks == self._looks and not watcher.state.busy
        self._looks = watcher.looks
        self.filming.see(frame, watcher.mat, live=live, still=still)

    def receive(self, event: TableEvent, moment: Moment) -> None:
        """Hand a fact on with its evidence; where the log does not take it now, later.

        Raises:
            StoreError: the log cannot be written, and waiting does not help.
        """
        frame, watcher = moment.frame, moment.watcher
        known: dict[str, Any] = {}
        if event.type in THROWS | BURNS:
            known = {"model": self._model_version}
            if self.evidence is not None and frame is not None and watcher is not None:
                known |= self._still(event, watcher, frame) | self._announced(event)
        # A frame is not held, and what was told of where its dice lie is of now.
        self._do(
            lambda: self._enter(event, known, moment),
            lambda: self._enter(event, known, None),
        )

    def _enter(self, event: TableEvent, known: dict[str, Any], moment: Moment | None) -> None:
        seen = self._pipeline.receive(event, known)
        if self._pipeline.is_behind:
            self._do(self._pipeline.catch_up, self._pipeline.catch_up)
        if self.evidence is None:
            return
        if event.type not in THROWS | BURNS:
            if event.type not in MAY_BECOME_CASES or not self._matters(seen):
                return
            if moment is None or moment.frame is None or moment.watcher is None:
                return
            self._keep_afterwards(seen, moment.watcher, moment.frame)
        if self.filming is not None and ("clip_s" in known or moment is not None):
            self.filming.want(seen.seq, event)

    def finish(self) -> None:
        """No more frames: write what is open."""
        if self.filming is not None:
            self.filming.finish()

    def _announced(self, event: TableEvent) -> dict[str, Any]:
        if self.filming is None:
            return {}
        return {"clip_s": [round(side, 3) for side in self.filming.span_s(event)]}

    def _still(self, event: TableEvent, watcher: Watcher, frame: Frame) -> dict[str, Any]:
        assert self.evidence is not None, "asked for where there is a folder"
        try:
            picture = self.evidence.cropped(frame.image_bgr, watcher.mat)
            kept = self.evidence.keep(picture, t_s=event.t_s)
        except StoreError:
            self._fault(there=True)
            return {}
        self._fault(there=False)
        margin_mm = self.evidence.margin_mm
        return {**kept, "lying": lying(watcher, event.seat, margin_mm=margin_mm)}

    def _matters(self, seen: Seen) -> bool:
        """Whether a case or a question is about a fact, or may be."""
        if any(waits.seq == seen.seq for waits in self._pipeline.desk.waiting):
            return True
        after = self._pipeline.game.log.read(seen.seq)
        return any(e.type in CONCERNED and e.data.get("seq") == seen.seq for e in after)

    def _keep_afterwards(self, seen: Seen, watcher: Watcher, frame: Frame) -> None:
        kept = self._still(seen.event, watcher, frame)
        if not kept:
            return
        entry = {"seq": seen.seq, "kind": "still", "file": kept["still"], "sha256": kept["sha256"]}
        self._pipeline.game.note("evidence.kept", {**entry, **self._announced(seen.event)})


def note_cut_off(log: EventLog, note: Callable[[str, dict[str, Any]], None]) -> int:
    """Write down which announced clips a power cut has cost; how many they are.

    Args:
        log: of the evening before.
        note: writes an entry.
    """
    promised: dict[int, LogEntry] = {}
    seq = 0
    while page := log.read(seq, PAGE_ENTRIES):
        seq = page[-1].seq
        for entry in page:
            about = int(entry.data.get("seq", 0)) if entry.type.startswith("evidence.") else 0
            if "clip_s" in entry.data:
                promised[about or entry.seq] = entry
            elif entry.type in ("evidence.kept", "evidence.missing"):
                promised.pop(about, None)
    for about in promised:
        reason = "the appliance was switched off before it was written"
        note("evidence.missing", {"seq": about, "kind": "clip", "code": CUT_OFF, "reason": reason})
    return len(promised)
