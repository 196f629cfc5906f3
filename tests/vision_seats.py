"""A table with seats to test with: each seat has a script of its own, in its own coordinates.

Places are (u, v) millimetres: v from the middle of the mat towards the player, u to the side.

table = SeatsTable(4)
table.at("B", 0.5, cup=CUP)
table.at("B", 2.0, dice=THROW)
events = table.play(until_s=4.0)
"""

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np
from vision_table import DIE_MM, Moment, Table, Thing, _box_px

from vision.detections import CUP as CUP_CLASS
from vision.detections import Detections
from vision.events import TableEvent
from vision.lying import Zones
from vision.memory import ThrowSettings
from vision.placing import Signs
from vision.scene import SceneSettings, TableScene
from vision.seating import Seating
from vision.seats import Seat, seats_around
from vision.table import DieReading

NAMES = "ABCDEFGH"
MAT_MM = (600.0, 450.0)
CUP = (0.0, 150.0)
PLACES = [(-22.0, 125.0), (20.0, 150.0), (-15.0, 185.0)]
"""Where dice lie after a throw: also within the narrow seats of eight."""
ASIDE = [(0.0, 72.0), (0.0, 52.0), (0.0, 32.0)]


def thrown(*values: int | str) -> list[Thing]:
    """Dice where they are thrown."""
    return [(value, *place) for value, place in zip(values, PLACES, strict=False)]


def aside(*values: int) -> list[Thing]:
    """Dice put aside."""
    return [(value, *place) for value, place in zip(values, ASIDE, strict=False)]


THROW = thrown(6, 5, 2)


def on_mat(seat: Seat, u: float, v: float) -> tuple[float, float]:
    """A seat's own coordinates on the mat."""
    x, y = seat.towards
    return (seat.middle[0] + v * x + u * y, seat.middle[1] + v * y - u * x)


@dataclass
class SeatsTable:
    """Scripts of several seats at one mat.

    Attributes:
        count: of the seats, A to H.
        scripts: moments by seat.
    """

    count: int
    scripts: dict[str, list[Moment]] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.seats = seats_around(NAMES[: self.count], MAT_MM)
        self.seating = Seating(self.seats, Zones(), ThrowSettings(), seat=None, margin_mm=0.0)

    def at(
        self,
        seat: str,
        start_s: float,
        dice: Sequence[Thing] = (),
        cup: tuple[float, float] | None = None,
        *,
        busy: bool = False,
        looks_bare: bool | None = None,
    ) -> "SeatsTable":
        moment = Moment(start_s, list(dice), [cup] if cup else [], busy, looks_bare, False)
        self.scripts.setdefault(seat, []).append(moment)
        return self

    def play(self, *, until_s: float, fps: float = 15.0) -> list[TableEvent]:
        scene = TableScene(SceneSettings(mat_size_mm=MAT_MM, seats=self.seats))
        rng = np.random.default_rng(7)
        events: list[TableEvent] = []
        for frame in range(round(until_s * fps) + 1):
            now_s = frame / fps
            dice, cups, signs = self._now(now_s)
            boxes = [_box_px(x, y, DIE_MM * 1.2, rng) for _, x, y in dice]
            boxes += [_box_px(x, y, 80.0, rng) for x, y in cups]
            classes = [value - 1 for value, *_ in dice] + [CUP_CLASS] * len(cups)
            scene.update(Detections.of(boxes, [0.9] * len(boxes), classes), now_s)
            moment = Moment(now_s, dice, cups, False, None, False)
            scene.hear_second(Table()._second(scene, moment))
            self.seating.place(scene.state(), signs)
            events += self.seating.follow()
        return events

    def _now(self, now_s: float) -> tuple[list[Thing], list[tuple[float, float]], Signs]:
        dice: list[Thing] = []
        cups: list[tuple[float, float]] = []
        nothing = Moment(0.0, [], [], False, None, False)
        signs: list[tuple[bool, bool | None]] = []
        for seat in self.seats:
            script = self.scripts.get(seat.name, [])
            moment = ([nothing] + [m for m in script if m.start_s <= now_s + 1e-9])[-1]
            dice += [(value, *on_mat(seat, u, v)) for value, u, v in moment.dice]
            cups += [on_mat(seat, u, v) for u, v in moment.cups]
            signs.append((moment.busy, moment.looks_bare))
        busy, bare = zip(*signs, strict=True)
        return dice, cups, Signs(busy, bare, (False,) * len(busy), (False,) * len(busy))


def shared(script: Sequence[Moment]) -> Table:
    """A seat's script at a mat that all share: what is aside there lies in the strip here."""
    table = Table()
    for moment in script:
        dice = [(value, 410 - v, 157 + u) for value, u, v in moment.dice]
        cups = [(410 - v, 157 + u) for u, v in moment.cups]
        table.moments.append(
            Moment(moment.start_s, dice, cups, moment.busy, moment.looks_bare, moment.traces)
        )
    return table


def of_seat(events: Sequence[TableEvent], seat: str) -> list[TableEvent]:
    """A seat's events."""
    return [event for event in events if event.seat == seat]


def gist(events: Sequence[TableEvent]) -> list[tuple[object, ...]]:
    """What events say, but for whose they are and where the dice lie."""
    return [
        (
            round(e.t_s, 6), e.type, e.dice, e.outside, e.sure, round(e.started_at_s, 6),
            e.reason, e.candidates, [_words(reading) for reading in e.readings],
        )
        for e in events
    ]  # fmt: skip


def _words(reading: DieReading) -> tuple[int, bool]:
    return reading.value, reading.sure
