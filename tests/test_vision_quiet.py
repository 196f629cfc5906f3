"""A mat on which nothing happens: it costs little, and nobody sees things on it."""

from dataclasses import dataclass

import pytest
from test_vision_watcher import MAT, TURN, frame, watch
from vision_fakes import ColourDetector, ColourReader
from vision_table import types

from vision.detections import CUP, Detections
from vision.mat_view import MatView
from vision.watcher import Watcher

pytestmark = pytest.mark.usefixtures("colours_as_they_are")

GONE_S = 5.0
SCRIPT = [*TURN[:3], (GONE_S, (), None)]


@dataclass
class SeesCups(ColourDetector):
    """Sees a cup that is not there, from some look on."""

    from_look: int = 10**9

    def detect(self, image_bgr, *, size_px=640, min_score=0.25, view=0) -> Detections:
        found = super().detect(image_bgr, size_px=size_px, min_score=min_score, view=view)
        if len(self.looks) < self.from_look:
            return found
        return Detections.of(
            [*found.xyxy.tolist(), [300.0, 60.0, 480.0, 240.0]],
            [*found.score.tolist(), 0.9],
            [*found.class_id.tolist(), CUP],
        )


def test_a_cup_is_not_believed_on_a_mat_that_looks_bare_all_over():
    """What a leaving sleeve was taken for must not keep the mat from being cleared."""
    detector = SeesCups()
    eye = Watcher(detector, ColourReader(), MAT)
    events = watch(eye, SCRIPT, until_s=GONE_S - 0.1)
    detector.from_look = len(detector.looks)
    for number in range(75, 121):
        events += eye.receive(frame(), number / 15)
    assert types(events) == ["cup_down", "cup_up", "throw_seen", "cleared"]


def test_the_detector_looks_once_more_when_a_movement_has_ended():
    """What it saw in the last picture that had changed may have been leaving."""
    eye = Watcher(ColourDetector(), ColourReader(), MAT)
    watch(eye, SCRIPT[:1], until_s=0.9)
    before = eye.looks
    eye.receive(frame(cup=(150, 150)), 1.0)
    assert eye.looks == before + 1, "it has changed"
    for number in range(16, 30):
        eye.receive(frame(), number / 15)
    assert eye.looks >= before + 3, "it has changed back; and once more, when nothing moved"
    looks = eye.looks
    for number in range(30, 45):
        eye.receive(frame(), number / 15)
    assert eye.looks <= looks + 1


def test_the_full_picture_is_made_only_for_those_who_look(monkeypatch):
    made = []
    monkeypatch.setattr(
        "vision.watcher.MatView",
        lambda *what, **how: made.append(MatView(*what, **how)) or made[-1],
    )
    eye = Watcher(ColourDetector(), ColourReader(), MAT)
    watch(eye, SCRIPT[:1], until_s=10)
    assert {view.shape for view in made} == {eye.view.shape}
    assert eye.frames == 151
    assert len(made) < 0.25 * eye.frames
    assert eye.view is not None
