import cv2
import numpy as np
import pytest
from vision_fakes import (
    ColourDetector,
    ColourReader,
    ColourStance,
    colour_of,
)
from vision_filmed import MAT, THROW, frame, watch, watcher
from vision_table import told, types

from vision.calibration import CalibrationError
from vision.detections import CUP
from vision.errors import FrameOrderError, PictureError
from vision.stance import PLACES
from vision.watcher import Watcher, WatcherSettings

pytestmark = pytest.mark.usefixtures("colours_as_they_are")

TURN = [
    (0.0, (), None),
    (1.0, (), (150, 150)),
    (2.5, THROW, None),
    (4.5, [(6, 380, 100), THROW[1], THROW[2]], None),
    (6.0, [(6, 380, 100)], (150, 150)),
    (7.5, [(6, 380, 100), (4, 120, 200), (1, 180, 210)], None),
    (10.0, (), None),
]


@pytest.mark.parametrize("fps", [6, 15])
def test_a_turn_from_frames_to_events(fps):
    eye = watcher()
    events = watch(eye, TURN, until_s=11.5, fps=fps, noisy=True)
    assert told(events) == [
        ("cup_down", (), ()),
        ("cup_up", (), ()),
        ("throw_seen", (6, 5, 2), ()),
        ("cup_down", (), ()),
        ("dice_kept", (6,), (6,)),
        ("cup_up", (), (6,)),
        ("throw_seen", (4, 1), (6,)),
        ("cleared", (), ()),
    ]
    assert all(event.sure for event in events)


def test_a_quiet_table_needs_few_looks():
    eye = watcher()
    watch(eye, [(0.0, THROW, None)], until_s=10, noisy=True)
    assert eye.frames == 151
    assert eye.looks < 0.15 * eye.frames
    assert [die.sure for die in eye.state.dice] == [True] * 3


def test_while_somebody_is_at_work_more_frames_need_no_more_looks():
    told_of, looks = [], []
    for fps in (10, 60):
        eye = watcher()
        moving = [(at / 30, (), (150 + 2 * at % 80, 150)) for at in range(60)]
        told_of.append(types(watch(eye, [*moving, (2.0, (), None)], until_s=2, fps=fps)))
        looks.append(eye.looks)
    assert told_of == [["cup_down"]] * 2
    assert looks[1] <= looks[0] + 2


def test_only_what_differs_from_the_bare_mat_is_looked_at_and_now_and_then_all_of_it():
    eye = watcher()
    watch(eye, [(0.0, (), None), (1.5, THROW, None)], until_s=6, noisy=True)
    areas = [height * width for height, width, _ in eye._detector.looks]
    full = [at for at, area in enumerate(areas) if area == areas[0]]
    assert full[:2] == [0, 1] != full, "all of it now and then"
    assert all(area < 0.2 * areas[0] for at, area in enumerate(areas) if at not in full)
    assert len(areas) >= 8
    assert {die.value for die in eye.state.dice if die.sure} == {6, 5, 2}


def test_the_same_video_gives_the_same_events_twice():
    runs = [watch(watcher(), TURN, until_s=11.5, noisy=True) for _ in range(2)]
    assert runs[0] == runs[1]


def test_a_second_reader_that_disagrees_makes_a_throw_unsure():
    events = watch(watcher(says={2: 3}), TURN[:3], until_s=5)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert events[-1].reason == "values"
    assert len(events[-1].readings) == 3


def standing(stance: ColourStance) -> Watcher:
    return Watcher(ColourDetector(), ColourReader(), MAT, stance_reader=stance)


def test_the_stance_reader_is_told_where_the_camera_is():
    stance = ColourStance()
    events = watch(standing(stance), TURN[:3], until_s=7)
    assert told(events)[-1] == ("throw_seen", (6, 5, 2), ())
    # The mat fills the picture: the camera hangs above its middle at about 340 mm.
    expected = [((210 - x) / 340, (157 - y) / 340) for _, x, y in THROW]
    pictures, left_over = divmod(len(stance.leans), len(THROW) * len(PLACES))
    assert 3 <= pictures <= 4, "each die, at each place, until all is sure"
    assert not left_over
    for lean in stance.leans:
        assert min(np.hypot(*(lean - e)) for e in np.array(expected)) < 0.05


@pytest.mark.parametrize(("place", "kind"), [(1, "tower"), (2, "burning")])
def test_what_the_stance_reader_sees_standing_badly_is_burnt(place, kind):
    stance = ColourStance(says=lambda own: place)
    events = watch(standing(stance), TURN[:3], until_s=5)
    assert types(events) == ["cup_down", "cup_up", kind]


def test_a_stance_that_is_not_clear_is_a_question():
    events = watch(standing(ColourStance(certainty=0.6)), TURN[:3], until_s=5)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert events[-1].reason == "kind"


@pytest.mark.parametrize(("certainty", "reason"), [(0.98, "fewer"), (0.6, "kind")])
def test_two_dice_are_too_few_or_one_of_them_is_two(certainty, reason):
    script = [*TURN[:2], (2.5, THROW[:2], None)]
    events = watch(standing(ColourStance(certainty=certainty)), script, until_s=6)
    assert (events[-1].type, events[-1].reason) == ("unsure", reason)


def test_a_tower_that_the_stance_reader_calls_flat_is_no_fact():
    script = [*TURN[:2], (2.5, [*THROW[:2], ("tower", 200, 90)], None)]
    events = watch(standing(ColourStance(says=lambda own: 0)), script, until_s=6)
    assert types(events) == ["cup_down", "cup_up", "unsure"]
    assert events[-1].reason == "kind"


LOGO = (3, 60, 60)


def test_a_look_alike_that_lay_there_from_the_beginning_is_no_die():
    later = [(at_s, [*dice, LOGO], cup) for at_s, dice, cup in TURN[2:]]
    script = [(0.0, [LOGO], None), (1.5, [LOGO], (150, 150)), *later]
    events = watch(watcher(), script, until_s=12)
    assert [event[:2] for event in told(events)] == [
        ("cup_down", ()),
        ("cup_up", ()),
        ("throw_seen", (6, 5, 2)),
        ("cup_down", ()),
        ("dice_kept", (6,)),
        ("cup_up", ()),
        ("throw_seen", (4, 1)),
        ("cleared", ()),
    ]


def test_a_look_alike_is_known_around_a_cup_that_stands_there_from_the_beginning():
    """It is hidden by chance whenever the eye looks, until the throw lies there."""

    class SeesLogoLate(ColourDetector):
        def detect(self, image_bgr, **options):
            found = super().detect(image_bgr, **options)
            return found if late else found.select(found.class_id != LOGO[0] - 1)

    late, parked = False, (300, 220)
    eye = Watcher(SeesLogoLate(), ColourReader(), MAT)
    for number in range(40):
        late = number > 20
        eye.receive(frame([LOGO], parked), number / 10)
    assert not eye.state.dice


def test_dice_that_a_coarse_look_overlooks_are_not_learned_as_the_bare_mat():
    class SeesFinely(ColourDetector):
        def detect(self, image_bgr, *, size_px=640, **options):
            found = super().detect(image_bgr, size_px=size_px, **options)
            coarse = size_px < 0.7 * max(image_bgr.shape[:2])
            return found.select(found.class_id == CUP) if coarse else found

    eye = Watcher(SeesFinely(), ColourReader(), MAT)
    one = THROW[:1]  # too little of the mat to differ from the bare one
    events = watch(eye, [*TURN[:2], (2.5, one, None)], until_s=6)
    assert [(event.type, event.reason) for event in events[-1:]] == [("unsure", "fewer")]


def test_a_die_that_is_overlooked_at_one_size_is_found_in_closer_looks():
    class SeesOneClosely(ColourDetector):
        def detect(self, image_bgr, *, size_px=640, **options):
            found = super().detect(image_bgr, size_px=size_px, **options)
            close = size_px > 1.1 * max(image_bgr.shape[:2])
            return found if close else found.select(found.class_id != THROW[2][0] - 1)

    eye = Watcher(SeesOneClosely(), ColourReader(), MAT)
    events = watch(eye, TURN[:3], until_s=5, fps=10)
    assert told(events)[-1] == ("throw_seen", (6, 5, 2), ())


def test_dice_that_lie_open_when_the_watch_begins_stay_dice():
    eye = watcher()
    watch(eye, [(0.0, THROW, None)], until_s=4)
    assert len(eye.state.dice) == 3
    strip = watcher()
    watch(strip, [(0.0, [(6, 380, 100)], None)], until_s=4)
    assert [die.value for die in strip.state.dice] == [6]


def test_without_a_second_reader():
    eye = Watcher(detector := ColourDetector(), None, MAT)
    assert told(watch(eye, TURN[:3], until_s=5))[-1] == ("throw_seen", (6, 5, 2), ())
    assert detector.views == list(range(eye.looks))  # the namer never sees a die alike twice


def test_a_cup_that_the_detector_overlooks_is_not_a_cleared_mat():
    class BlindToCups(ColourDetector):
        def detect(self, image_bgr, **options):
            found = super().detect(image_bgr, **options)
            return found.select(found.class_id < 8)

    hidden = [(0.0, (), None), *TURN[2:3], (4.5, (), (150, 150)), (7.0, (), None)]
    eye = Watcher(BlindToCups(), ColourReader(), MAT)
    cleared = [event.t_s for event in watch(eye, hidden, until_s=8.5) if event.type == "cleared"]
    assert cleared == [pytest.approx(7.6, abs=0.2)]


def test_a_die_on_a_marker_is_not_read_but_missed():
    script = [*TURN[:2], (2.5, [*THROW[:2], (2, 14, 14)], None)]
    events = watch(watcher(), script, until_s=6)
    assert (events[-1].type, events[-1].reason) == ("unsure", "fewer")


def test_a_die_beside_the_mat_is_seen():
    script = [*TURN[:2], (2.5, [*THROW[:2], (2, 200, -6)], None)]
    eye = Watcher(ColourDetector(), ColourReader(), MAT, WatcherSettings(margin_mm=14))
    events = watch(eye, script, until_s=6)
    assert types(events)[-1] == "off_mat"


def test_frames_that_cannot_be_used_are_refused_and_the_next_one_goes_on():
    eye = watcher()
    eye.receive(frame(THROW), 1.0)
    with pytest.raises(FrameOrderError):
        eye.receive(frame(THROW), 0.5)
    with pytest.raises(CalibrationError):
        eye.receive(np.zeros((480, 640, 3), np.uint8), 1.1)
    with pytest.raises(PictureError):
        eye.receive(np.zeros((0, 0, 3), np.uint8), 1.2)
    assert eye.receive(frame(THROW), 1.3) == ()


def test_dice_too_large_for_what_was_assumed_are_read_once_they_were_measured():
    """Five throws of 26 mm dice, turned by 20 degrees; 16 mm were assumed."""
    cos, sin = 13 * np.cos(np.radians(20)), 13 * np.sin(np.radians(20))
    eye = watcher()
    events = []
    for number in range(round(5 * 6.0 * 10)):
        throw, now_s = divmod(number / 10, 6.0)
        picture = frame((), (150, 150) if 1.5 <= now_s < 2.5 else None)
        for value, x, y in THROW if 2.5 <= now_s < 5.0 else ():
            middle = np.array([x * 1.4 + 5 * throw, y * 1.6])
            turned = np.array([[cos - sin, sin + cos], [-cos - sin, -sin + cos]])
            corners = middle + np.concatenate([turned, -turned])
            cv2.fillConvexPoly(picture, MAT.to_px(corners).round().astype(int), colour_of(value))
        events += eye.receive(picture, number / 10)
    assert eye.mat.die_measured
    assert eye.mat.die_mm == pytest.approx(26, rel=0.12)
    seen = [(event.t_s, event.dice) for event in events if event.type == "throw_seen"]
    assert seen, "the fifth throw is read"
    assert [dice for _, dice in seen] == [(6, 5, 2)]
    assert seen[0][0] > 24
