"""A table to test with: things appear, move and vanish at given times; no camera, no model.

table = Table()
table.at(0.0, cup=(150, 150))
table.at(1.0, dice=[(6, 100, 100), (5, 150, 120), (2, 200, 90)])
events = table.play(fps=15, until_s=4.0)
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from vision.detections import BURNING, TOWER, Detections
from vision.detections import CUP as CUP_CLASS
from vision.scene import SceneSettings, SceneState, TableScene
from vision.throws import TableEvent, ThrowTracker

DIE_MM = 16.0
CUP_MM = 80.0
CUP = (150, 150)
THROW = [(6, 100, 100), (5, 150, 120), (2, 200, 90)]
TREMBLE_MM = 0.25

Thing = tuple[int | str, float, float]
CLASS_OF = {"tower": TOWER, "burning": BURNING}


@dataclass
class Moment:
    start_s: float
    dice: Sequence[Thing]
    cups: Sequence[tuple[float, float]]
    busy: bool
    looks_bare: bool | None
    traces: bool
    gone: bool = False
    stood: bool = False


@dataclass
class Table:
    """The script of a clip.

    Attributes:
        second_says: value -> what the second reader takes it for.
        detector_says: value -> what the detector takes it for, every other frame.
        second_reader: whether there is one.
        score: of every finding.
        unseen: frames from the first to the second time never arrive.
    """

    second_says: Mapping[int, int] = field(default_factory=dict)
    detector_says: Mapping[int, int] = field(default_factory=dict)
    second_reader: bool = True
    score: float = 0.9
    unseen: tuple[float, float] | None = None
    moments: list[Moment] = field(default_factory=list)
    tracker: ThrowTracker = field(default_factory=ThrowTracker)
    states: list[SceneState] = field(default_factory=list)

    def at(
        self,
        start_s: float,
        dice: Sequence[Thing] = (),
        cup: tuple[float, float] | None = None,
        *,
        parked: Sequence[tuple[float, float]] = (),
        busy: bool = False,
        looks_bare: bool | None = None,
        traces: bool = False,
        gone: bool = False,
        stood: bool = False,
    ) -> "Table":
        """From `start_s` on; `stood`: its cups stand there as they did from the beginning."""
        cups = [*parked, *([cup] if cup else [])]
        moment = Moment(start_s, list(dice), cups, busy, looks_bare, traces, gone, stood)
        self.moments.append(moment)
        return self

    def play(self, *, until_s: float, fps: float = 15.0) -> list[TableEvent]:
        scene = TableScene(SceneSettings(second_reader=self.second_reader))
        rng = np.random.default_rng(7)
        events: list[TableEvent] = []
        for frame in range(round(until_s * fps) + 1):
            now_s = frame / fps
            if self.unseen is not None and self.unseen[0] < now_s < self.unseen[1]:
                continue
            moment = [m for m in self.moments if m.start_s <= now_s + 1e-9][-1]
            found = self._look(moment, frame, rng)
            scene.update(
                found,
                now_s,
                busy=moment.busy,
                looks_bare=moment.looks_bare,
                traces=moment.traces,
                stood=(found.class_id == CUP_CLASS) & moment.stood,
            )
            scene.hear_second(self._second(scene, moment))
            state = replace(scene.state(), gone=moment.gone)
            self.states.append(state)
            events += self.tracker.receive(state)
        return events

    def _look(self, moment: Moment, frame: int, rng: np.random.Generator) -> Detections:
        boxes, scores, classes = [], [], []
        for kind, x, y in moment.dice:
            seen = self.detector_says.get(kind, kind) if frame % 2 else kind

            boxes.append(_box_px(x, y, DIE_MM * 1.2, rng))
            scores.append(self.score)
            classes.append(seen - 1 if isinstance(seen, int) else CLASS_OF[seen])
        for cup in moment.cups:
            boxes.append(_box_px(*cup, CUP_MM, rng))
            scores.append(self.score)
            classes.append(CUP_CLASS)
        return Detections.of(boxes, scores, classes)

    def _second(self, scene: TableScene, moment: Moment) -> dict[int, np.ndarray]:
        opinions = {}
        for track_id, box in scene.wants_second().items():
            x, y = (box[0] + box[2]) / 2 / 2.2, (box[1] + box[3]) / 2 / 2.2
            kind = min(moment.dice, key=lambda die: abs(die[1] - x) + abs(die[2] - y))[0]
            opinion = np.full(7, 0.02, dtype=np.float32)
            value = 7 if isinstance(kind, str) else self.second_says.get(kind, kind)
            opinion[value - 1] = 0.88
            opinions[track_id] = opinion
        return opinions


def _box_px(x: float, y: float, side_mm: float, rng: np.random.Generator) -> list[float]:
    x, y = x + rng.uniform(-TREMBLE_MM, TREMBLE_MM), y + rng.uniform(-TREMBLE_MM, TREMBLE_MM)
    half = side_mm / 2
    return [2.2 * side for side in (x - half, y - half, x + half, y + half)]


def told(events: Sequence[TableEvent]) -> list[tuple[str, tuple[int, ...], tuple[int, ...]]]:
    """Type, dice and outside of every event."""
    return [(event.type, event.dice, event.outside) for event in events]


def types(events: Sequence[TableEvent]) -> list[str]:
    return [event.type for event in events]


def thrown(dice=THROW, **says) -> Table:
    """Cup down at 0.5 s, lifted at 2 s over these dice."""
    return Table(**says).at(0.0).at(0.5, cup=CUP).at(2.0, dice)


def look(*things, score=0.9, side_mm=18.0):
    """Findings of one frame: (class id, x mm, y mm)."""
    boxes = [
        [2.2 * v for v in (x - side_mm / 2, y - side_mm / 2, x + side_mm / 2, y + side_mm / 2)]
        for _, x, y in things
    ]
    return Detections.of(boxes, [score] * len(things), [class_id for class_id, *_ in things])


def alone(**changes):
    return TableScene(SceneSettings(second_reader=False, **{"born_looks": 1, **changes}))
