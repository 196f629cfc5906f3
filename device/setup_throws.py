"""Test throws: the real watcher looks at the mat, and a person says whether it read them right.

They belong to no game: nothing of them reaches the rules; the log only notes that they were made.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

from device.errors import SchockaugeError, SourceError
from device.frames import Frame, Missing
from device.image_pixels import Picture
from device.images import jpeg
from device.seen import BURNS, THROWS
from device.setup_pictures import with_scene
from device.troubles import TROUBLES
from device.watching import MakeWatcher, Moment, watch
from models import ModelFileError
from vision.calibration import MatCalibration
from vision.errors import VisionError
from vision.events import DOUBTS, TableEvent
from vision.table import SceneState
from web_ui.errors import ActionRefused
from web_ui.setup_ports import TestThrow, ThrowFacts, Words

MOST_KEPT = 12
"""Throws with their pictures; whoever throws more often sees the last ones."""

VERDICTS = ("right", "wrong")
KINDS: Mapping[str, Words] = {
    "tower": {"de": "Ein Würfel liegt auf einem anderen.", "en": "A die lies on another."},
    "burning": {"de": "Ein Würfel liegt schief.", "en": "A die is tilted."},
    "off_mat": {"de": "Ein Würfel liegt neben der Matte.", "en": "A die lies off the mat."},
}
NOT_FOUND: Words = {
    "de": "Die Matte ist nicht zu finden; erst den Schritt „Matte“ abschließen.",
    "en": "The mat cannot be found; finish the step “Mat” first.",
}

Note = Callable[[str, dict[str, Any]], None]


@dataclass(frozen=True)
class _Kept:
    throw: TestThrow
    picture: bytes


class TestThrows:
    """Watches for test throws in the thread of the frames; asked and told from others.

    Args:
        make_watcher: of the mat that a frame shows.
        note: writes into the log that a throw was made and what the person said of it.
    """

    __test__ = False  # no test, whatever pytest thinks of its name

    def __init__(self, make_watcher: MakeWatcher, note: Note) -> None:
        self._make_watcher = make_watcher
        self._note = note
        self._lock = threading.Lock()
        self._kept: dict[int, _Kept] = {}
        self._made = 0
        self._problem: Words | None = None
        self._now: tuple[Picture, MatCalibration, SceneState] | None = None
        self._wanted = threading.Event()

    @property
    def is_wanted(self) -> bool:
        """Whether somebody wants throws to be watched."""
        return self._wanted.is_set()

    def want(self, *, on: bool) -> None:
        """Begin to watch with the next frame, or stop."""
        (self._wanted.set if on else self._wanted.clear)()
        with self._lock:
            self._problem = None

    def watch(self, frames: Iterator[Frame | Missing]) -> None:
        """Watch until nobody wants it any more, or the frames end.

        Args:
            frames: of a camera.
        """
        try:
            for moment in watch(self._while_wanted(frames), self._make_watcher, live=True):
                self._take(moment)
        except SourceError:
            pass  # they ended before the mat was found
        except (SchockaugeError, VisionError, ModelFileError) as error:
            said = {"de": f"{NOT_FOUND['de']} {error}", "en": f"{NOT_FOUND['en']} {error}"}
            self._wanted.clear()
            with self._lock:
                self._problem = said
        finally:
            with self._lock:
                self._now = None

    def facts(self) -> ThrowFacts:
        """What was seen."""
        with self._lock:
            throws = tuple(kept.throw for kept in self._kept.values())
            return ThrowFacts(self.is_wanted, throws, self._problem)

    def look(self) -> Picture | None:
        """The mat with what is read on it now; None: it is not watched, or not found yet."""
        with self._lock:
            now = self._now
        return None if now is None else with_scene(*now)

    def picture(self, number: int) -> bytes | None:
        """The picture of a throw as JPEG; None: there is no such throw (any more)."""
        with self._lock:
            kept = self._kept.get(number)
        return None if kept is None else kept.picture

    def judge(self, number: int, verdict: str) -> None:
        """Keep what a person says of a throw.

        Raises:
            ActionRefused: there is no such throw or verdict.
        """
        with self._lock:
            kept = self._kept.get(number)
            if kept is None or verdict not in VERDICTS:
                raise ActionRefused(
                    f"Einen Probewurf {number} gibt es nicht (mehr).",
                    f"There is no test throw {number} (any more).",
                    "no_test_throw",
                )
            self._kept[number] = replace(kept, throw=replace(kept.throw, verdict=verdict))
        self._note("setup.test_throw_judged", {"number": number, "verdict": verdict})

    def _while_wanted(self, frames: Iterator[Frame | Missing]) -> Iterator[Frame | Missing]:
        while self._wanted.is_set():
            try:
                yield next(frames)
            except StopIteration:
                return

    def _take(self, moment: Moment) -> None:
        watcher, trouble = moment.watcher, moment.trouble
        with self._lock:
            self._problem = None if trouble is None else _said(trouble.what)
            if watcher is not None and moment.frame is not None:
                self._now = (moment.frame.image_bgr, watcher.mat, watcher.state)
            now = self._now
        for event in moment.events:
            if event.type in THROWS | BURNS and now is not None:
                self._keep(event, jpeg(with_scene(*now)))

    def _keep(self, event: TableEvent, picture: bytes) -> None:
        with self._lock:
            self._made += 1
            throw = _thrown(self._made, event)
            self._kept[throw.number] = _Kept(throw, picture)
            while len(self._kept) > MOST_KEPT:
                del self._kept[min(self._kept)]
        facts = {"number": throw.number, "kind": throw.kind, "dice": list(throw.dice)}
        reason = {"reason": event.reason} if event.reason else {}
        self._note("setup.test_throw", {**facts, "sure": throw.sure, **reason})


def _thrown(number: int, event: TableEvent) -> TestThrow:
    reason = KINDS.get(event.type)
    if event.reason:
        german, english = DOUBTS[event.reason]
        reason = {"de": german, "en": english}
    sure = event.sure and event.type == "throw_seen"
    return TestThrow(number, event.type, event.dice, sure, reason, "")


def _said(what: str) -> Words:
    german, english = TROUBLES[what]
    return {"de": german, "en": english}
