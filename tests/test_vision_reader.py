import itertools
from collections.abc import Mapping
from dataclasses import dataclass, field, replace

import numpy as np
import pytest
from vision_fakes import ColourFinder, ColourNamer, ColourReader, draw, table_picture

from vision.confidence import Confidence, fused
from vision.detections import BURNING
from vision.errors import PictureError
from vision.reader import PhotoReader
from vision.testimony import ONLY_ONES

# Weights of round numbers, so that the tests do not move with the networks.
PLAIN = Confidence(die=(-1.9, 2.0, 0.5, 0.5, -0.2), value=(3.0, 1.0), sure=0.9)
DICE = ((6, 200, 150), (5, 420, 300), (1, 610, 420))
FIRST = 3
"""Looks that tell how large the dice are, before the four that are turned."""

pytestmark = pytest.mark.usefixtures("colours_as_they_are")


def reader(finder=None, second=None, namer=None, confidence=PLAIN):
    ticks = itertools.count()
    return PhotoReader(
        finder or ColourFinder(),
        namer or ColourNamer(),
        second or ColourReader(),
        clock=lambda: next(ticks) / 100,
        confidence=confidence,
    )


def picture(dice=DICE, width=800, height=600, side=50):
    image = table_picture(width, height)
    for kind, x, y in dice:
        draw(image, kind, x, y, side)
    return image


def values(reading):
    return sorted(die.value for die in reading.dice)


def test_two_witnesses_that_agree_are_sure():
    reading = reader().read(picture())
    assert [(die.value, die.sure) for die in reading.dice] == [(6, True), (5, True), (1, True)]
    assert reading.sure
    assert reading.ms == 10.0
    for die, (_, x, y) in zip(reading.dice, DICE, strict=True):
        assert die.box == pytest.approx((x - 25, y - 25, x + 25, y + 25), abs=3)
        assert 0.97 < die.score < 1
    assert 0.9 < reading.chance < min(die.score for die in reading.dice)


def test_a_second_reader_that_disagrees_makes_the_die_and_the_photograph_unsure():
    reading = reader(second=ColourReader(says={5: 6})).read(picture())
    assert [die.sure for die in reading.dice] == [True, False, True]
    assert not reading.sure


def test_a_second_reader_that_hesitates_makes_it_less_likely():
    hesitant = reader(second=ColourReader(certainty=0.4)).read(picture())
    assert hesitant.chance < reader().read(picture()).chance - 0.01


def test_a_namer_that_reads_one_turn_differently_is_not_sure():
    namer = ColourNamer(says=lambda turn, kind: 2 if (turn, kind) == (3, 4) else kind)
    reading = reader(namer=namer).read(picture())
    assert values(reading) == [1, 5, 6]
    assert [die.sure for die in reading.dice] == [True, False, True]


@pytest.mark.parametrize(("missed", "sure"), [({FIRST + 3}, True), ({FIRST + 2, FIRST + 3}, False)])
def test_a_die_missed_in_one_turn_of_four_may_be_sure_in_two_it_is_not(missed, sure):
    detector = ColourFinder(score=lambda look, kind: 0.05 if kind == 0 and look in missed else 0.9)
    reading = reader(detector).read(picture())
    assert [(die.value, die.sure) for die in reading.dice][2] == (1, sure)


def test_a_die_that_only_the_first_look_found_is_asked_about():
    detector = ColourFinder(score=lambda look, kind: 0.05 if kind == 0 and look > FIRST else 0.9)
    reading = reader(detector).read(picture())
    assert not reading.sure
    assert [(die.value, die.sure) for die in reading.dice] == [(6, True), (5, True), (1, False)]


def test_what_only_the_first_look_took_for_a_die_and_nobody_else_leaves_a_photograph_sure():
    detector = ColourFinder(score=lambda look, kind: 0.05 if kind == 2 and look > FIRST else 0.9)
    namer = ColourNamer(says=lambda turn, kind: 8 if kind == 2 else kind)
    image = picture([*DICE, (3, 100, 500)])
    reading = reader(detector, ColourReader(says={3: 7}), namer).read(image)
    assert values(reading) == [1, 5, 6]
    assert reading.sure


@dataclass
class Torn(ColourNamer):
    """Of two minds about a five: how much of its word goes to which class id."""

    fives: Mapping[int, float] = field(default_factory=dict)

    def shows(self, crops_bgr):
        words = super().shows(crops_bgr)
        torn = words[:, 4] > 0.9
        for class_id, share in self.fives.items():
            words[torn, class_id] = share
        return words


def test_a_value_that_outweighs_what_the_namer_says_is_not_sure():
    torn = Torn(certainty=0.99, fives={4: 0.45, 5: 0.5})
    reading = reader(namer=torn, second=ColourReader(certainty=1.0)).read(picture())
    assert [(die.value, die.sure) for die in reading.dice] == [(6, True), (5, False), (1, True)]
    assert not reading.sure


def test_a_die_that_the_picture_cuts_off_is_not_sure():
    image = picture()
    height, width = image.shape[:2]
    draw(image, 2, width - 15, height / 2, 50)
    reading = reader().read(image)
    assert values(reading) == [1, 2, 5, 6]
    assert [die.value for die in reading.dice if not die.sure] == [2]
    assert not reading.sure


@pytest.mark.parametrize(("side", "sure"), [(26, True), (19, False)])
def test_a_small_die_is_read_and_asked_about(side, sure):
    reading = reader().read(picture(side=side))
    assert values(reading) == [1, 5, 6]
    assert [die.sure for die in reading.dice] == [sure] * 3
    assert reading.sure == sure


@pytest.mark.parametrize(("side", "sure"), [(80, True), (100, False)])
def test_a_die_much_larger_than_the_others_may_be_in_a_hand(side, sure):
    image = picture(DICE[:2])
    draw(image, 4, 650, 450, side)
    reading = reader().read(image)
    assert values(reading) == [4, 5, 6]
    assert all(die.sure for die in reading.dice)
    assert reading.sure == sure


@pytest.mark.parametrize(
    ("value", "others", "sure"), [(1, (), False), (2, (), True), (1, (2,), True)]
)
def test_nothing_but_a_one_that_is_likely_and_not_very_likely_is_asked_about(value, others, sure):
    dice = [(shown, 250 * at, 300) for at, shown in enumerate((value, *others), 1)]
    finder = ColourFinder(score=lambda _, kind: 0.5 if kind == value - 1 else 0.9)
    reading = reader(finder).read(picture(dice))
    least = min(die.score for die in reading.dice)
    assert values(reading) == sorted((value, *others))
    assert PLAIN.sure < least < ONLY_ONES
    assert reading.sure == sure


@pytest.mark.parametrize(("burning", "sure"), [(0.25, True), (0.35, False)])
def test_a_die_that_may_be_tilted_is_not_sure_however_clear_its_value(burning, sure):
    class Hesitant(ColourNamer):
        def shows(self, crops_bgr):
            words = super().shows(crops_bgr)
            fives = words[:, 4] > 0.9
            words[fives, 4] -= burning
            words[fives, BURNING] += burning
            return words

    reading = reader(namer=Hesitant()).read(picture())
    assert [(die.value, die.sure) for die in reading.dice] == [(6, True), (5, sure), (1, True)]
    assert reading.sure == sure
    assert reading.dice[1].score > PLAIN.sure, "nothing but the way it stands is in doubt"


@pytest.mark.parametrize(("score", "sure"), [(0.35, True), (0.25, False)])
def test_a_die_that_the_looks_hardly_see_is_not_sure_however_likely_it_is(score, sure):
    finder = ColourFinder(score=lambda _, kind: score if kind == 4 else 0.9)
    trusting = replace(PLAIN, die=(6.0, *PLAIN.die[1:]))
    reading = reader(finder, confidence=trusting).read(picture())
    assert [(die.value, die.sure) for die in reading.dice] == [(6, True), (5, sure), (1, True)]
    assert reading.chance > PLAIN.sure
    assert reading.sure == sure


@pytest.mark.parametrize(("there", "sure"), [(0.94, False), (0.96, True)])
def test_dice_that_may_be_none_are_not_sure_however_clear_their_values(there, sure):
    odds = float(np.log(there / (1 - there)))
    likely = replace(PLAIN, die=(odds, 0.0, 0.0, 0.0, 0.0), sure=0.7)
    reading = reader(confidence=likely).read(picture())
    assert reading.chance == pytest.approx(there**3, abs=0.02), "nothing but that is in doubt"
    assert [die.sure for die in reading.dice] == [sure] * 3
    assert reading.sure == sure


def test_a_clear_finding_that_the_second_reader_calls_no_die_stays_unsure():
    reading = reader(second=ColourReader(says={5: 7})).read(picture())
    assert values(reading) == [1, 5, 6]
    assert not reading.sure


def test_a_ghost_in_one_turn_makes_the_photograph_unsure():
    weak = {FIRST + 1: 0.5}
    detector = ColourFinder(score=lambda look, kind: 0.9 if kind != 4 else weak.get(look, 0.05))
    reading = reader(detector).read(picture())
    assert values(reading) == [1, 6]
    assert not reading.sure


@pytest.mark.parametrize(("kind", "where"), [("tower", "towers"), ("burning", "burning")])
def test_a_tower_or_a_burning_die_is_told_and_never_sure(kind, where):
    reading = reader().read(picture([*DICE, (kind, 100, 500)]))
    assert [round(sum(thing.box) / 4) for thing in getattr(reading, where)] == [300]
    assert values(reading) == [1, 5, 6]
    assert not reading.sure


def test_cups_do_not_matter_for_the_dice():
    reading = reader().read(picture([*DICE, ("cup", 100, 500)]))
    assert len(reading.cups) == 1
    assert reading.sure


def test_a_cup_alone_is_found():
    assert len(reader().read(picture([("cup", 100, 400)])).cups) == 1


def test_an_empty_table_is_not_sure_of_anything():
    reading = reader().read(picture([]))
    assert (reading.dice, reading.sure) == ((), False)


def test_grey_and_alpha_pictures_are_read():
    image = picture()
    alpha = np.dstack([image, np.full(image.shape[:2], 255, np.uint8)])
    assert values(reader().read(alpha)) == [1, 5, 6]
    assert reader().read(image[:, :, 0]).dice == ()


@pytest.mark.parametrize(
    "bad", [np.zeros((0, 0, 3), np.uint8), np.zeros((9, 9, 3), np.float64), np.zeros(7, np.uint8)]
)
def test_what_is_no_picture_is_refused(bad):
    with pytest.raises(PictureError):
        reader().read(bad)


def test_fusing_needs_both_witnesses():
    belief = np.array([0, 0, 0, 0, 0.9, 0, 0, 0, 0], np.float32)
    agree = np.array([0, 0, 0, 0, 1, 0, 0], np.float32)
    differ = np.array([0, 0, 0, 0, 0, 1, 0], np.float32)
    assert fused(belief, agree)[4] > 0.9
    assert fused(belief, differ)[4:].max() < 0.5
    assert fused(belief, differ).sum() == pytest.approx(1)
