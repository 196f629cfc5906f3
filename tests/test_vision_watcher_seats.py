"""A watcher of a mat with seats, from pictures to events."""

from collections.abc import Mapping, Sequence

import cv2
import numpy as np
import pytest
from vision_fakes import ColourDetector, ColourReader, colour_of, table_picture
from vision_seats import CUP, MAT_MM, NAMES, THROW, aside, of_seat, on_mat, thrown
from vision_table import told, types

from vision.calibration import calibrate_from_corners
from vision.mat_view import MatView
from vision.seats import seats_around
from vision.watcher import Watcher

pytestmark = pytest.mark.usefixtures("colours_as_they_are")

SIZE_PX = (800, 600)
MAT = calibrate_from_corners([[10, 7], [790, 7], [790, 592], [10, 592]], MAT_MM)
FPS = 10
ARM_BGR = (120, 150, 150)

Moment = tuple[float, Sequence[tuple[int | str, float, float]], tuple[float, float] | None]
Script = Mapping[str, Sequence[Moment]]


class SeatsFilm:
    """Renders what every seat does, and plays it to a watcher."""

    def __init__(self, count: int) -> None:
        self.seats = {seat.name: seat for seat in seats_around(NAMES[:count], MAT_MM)}
        self.detector = ColourDetector()
        self.eye = Watcher(self.detector, ColourReader(), MAT, seats=tuple(self.seats.values()))
        self.grain = np.random.default_rng(3).normal(0, 3, (4, SIZE_PX[1], SIZE_PX[0], 3))
        self.number = 0

    def play(self, script: Script, *, until_s: float, arm: str | None = None) -> list:
        events = []
        while self.number <= round(until_s * FPS):
            now_s = self.number / FPS
            events += self.eye.receive(self.frame(script, now_s, arm), now_s)
            self.number += 1
        return events

    def frame(self, script: Script, now_s: float, arm: str | None) -> np.ndarray:
        picture = table_picture(*SIZE_PX)
        for name, moments in script.items():
            past = [moment for moment in moments if moment[0] <= now_s + 1e-9]
            _, dice, cup = past[-1] if past else (0.0, (), None)
            for kind, u, v in dice:
                x, y = on_mat(self.seats[name], u, v)
                square = [[x - 8, y - 8], [x + 8, y - 8], [x + 8, y + 8], [x - 8, y + 8]]
                cv2.fillConvexPoly(picture, MAT.to_px(square).round().astype(int), colour_of(kind))
            if cup is not None:
                centre = MAT.to_px([on_mat(self.seats[name], *cup)])[0].round().astype(int)
                cv2.circle(picture, centre.tolist(), 52, colour_of("cup"), cv2.FILLED)
        if arm is not None:  # it never lies still
            places = [(10 * (self.number % 3), 300), (10 * (self.number % 3), 110)]
            ends = MAT.to_px([on_mat(self.seats[arm], *place) for place in places])
            (a, b) = ends.round().astype(int).tolist()
            cv2.line(picture, a, b, ARM_BGR, 70)
        return np.clip(picture + self.grain[self.number % 4], 0, 255).astype(np.uint8)


TURN: Sequence[Moment] = [
    (1.0, (), CUP),
    (2.5, THROW, None),
    (4.0, [*aside(6), *THROW[1:]], None),
    (5.5, aside(6), CUP),
    (7.0, [*aside(6), *thrown(4, 1)], None),
]
TOLD = [
    ("cup_down", (), ()),
    ("cup_up", (), ()),
    ("throw_seen", (6, 5, 2), ()),
    ("cup_down", (), ()),
    ("dice_kept", (6,), (6,)),
    ("cup_up", (), (6,)),
    ("throw_seen", (4, 1), (6,)),
]


def later(moments: Sequence[Moment], by_s: float) -> list[Moment]:
    return [(start_s + by_s, dice, cup) for start_s, dice, cup in moments]


def everybody() -> dict[str, list[Moment]]:
    """All shake at once, A plays, then C, and all is cleared."""
    script = {"A": [*TURN, (16.0, (), None)], "B": [(1.2, (), CUP), (16.0, (), None)]}
    first, *rest = TURN
    return {**script, "C": [first, *later(rest, 7.0), (16.0, (), None)]}


def test_a_round_at_three_seats_from_frames_to_events():
    film = SeatsFilm(3)
    events = film.play(everybody(), until_s=18)
    for seat in "AC":
        assert told(of_seat(events, seat)) == [*TOLD, ("cleared", (), ())]
    assert types(of_seat(events, "B")) == ["cup_down", "cup_up", "cleared"]
    assert all(event.sure for event in events)
    assert SeatsFilm(3).play(everybody(), until_s=18) == events, "the same again"


@pytest.mark.parametrize("count", [2, 8])
def test_a_turn_at_the_last_of_few_and_of_many_seats(count):
    last = NAMES[count - 1]
    events = SeatsFilm(count).play({last: TURN}, until_s=9)
    assert told(events) == TOLD
    assert {event.seat for event in events} == {last}


def test_looks_stay_small_while_dice_lie_at_other_seats():
    film = SeatsFilm(4)
    script = {"B": TURN[:2], "D": TURN[:2], "A": later(TURN, 5.0)}
    film.play(script, until_s=5.9)
    before = {die.track_id for die in film.eye.state.dice}
    assert len(before) == 6
    looked = len(film.detector.looks)
    film.play(script, until_s=8.5)
    areas = [height * width for height, width, _ in film.detector.looks[looked:]]
    whole = max(height * width for height, width, _ in film.detector.looks)
    assert sum(area == whole for area in areas) <= 4, "once a second, to be safe"
    assert all(area < 0.3 * whole for area in areas if area != whole)
    assert len(areas) >= 8
    assert before < {die.track_id for die in film.eye.state.dice}, "nobody lost sight of them"
    assert all(die.sure and die.at_rest for die in film.eye.state.dice if die.track_id in before)


def test_dice_that_lie_for_long_are_no_print_and_the_mat_beside_them_is_learned():
    film = SeatsFilm(4)
    script = {"A": TURN[:2], "B": [(1.0, (), CUP)]}
    film.play(script, until_s=25)
    assert len(film.eye.state.dice) == 3
    scale, margin_mm = MAT.scale_px_per_mm, film.eye.settings.margin_mm
    boxes = (np.array([die.box_mm for die in film.eye.state.dice], np.float32) + margin_mm) * scale
    assert not film.eye._known.prints.are_known(film.eye.view, boxes).any()
    assert film.eye.seating.signs.looks_bare == (False, False, True, True)
    assert film.eye.looks < 0.25 * film.eye.frames
    events = film.play({**script, "C": later(TURN[:2], 25)}, until_s=29)
    assert told(events) == TOLD[:3]


def test_light_that_changes_while_dice_lie_is_learned_seat_by_seat():
    film = SeatsFilm(4)
    film.play({"A": TURN[:2]}, until_s=6)
    film.grain = film.grain + 18
    film.play({"A": TURN[:2]}, until_s=12)
    assert film.eye.seating.signs.looks_bare == (False, True, True, True)
    events = film.play({"A": [*TURN[:2], (12.0, (), None)]}, until_s=14)
    assert [(event.type, event.seat) for event in events] == [("cleared", "A")]


def test_an_arm_at_another_seat_does_not_keep_a_throw_from_being_read():
    film = SeatsFilm(4)
    events = film.play({"A": TURN[:2]}, until_s=0.9)
    events += film.play({"A": TURN[:2]}, until_s=6, arm="C")
    assert told(events) == TOLD[:3]
    assert film.eye.seating.placed[2].is_occluded
    assert not film.eye.seating.placed[0].is_occluded
    quiet = SeatsFilm(4).play({"A": TURN[:2]}, until_s=6)
    assert abs(quiet[-1].t_s - events[-1].t_s) < 0.35


def test_a_quiet_mat_with_seats_needs_few_looks_and_few_full_pictures(monkeypatch):
    made = []
    monkeypatch.setattr(
        "vision.watcher.MatView", lambda *what, **how: made.append(1) or MatView(*what, **how)
    )
    film = SeatsFilm(8)
    film.play(dict.fromkeys(NAMES[:4], TURN[:2]), until_s=6)
    looks, made[:] = film.eye.looks, []
    film.play(dict.fromkeys(NAMES[:4], TURN[:2]), until_s=16)
    assert film.eye.looks - looks <= 10
    assert len(made) < 0.3 * 100


def test_dice_in_play_are_set_for_all_seats():
    film = SeatsFilm(2)
    film.eye.dice_in_play = 1
    script = {"A": [(1.0, (), CUP), (2.5, thrown(5), None)]}
    script["B"] = [(1.0, (), CUP), (2.5, thrown(5, 2), None)]
    events = film.play(script, until_s=6)
    assert types(of_seat(events, "A"))[-1] == "throw_seen"
    assert of_seat(events, "B")[-1].reason == "more"
    assert film.eye.dice_in_play == 1
