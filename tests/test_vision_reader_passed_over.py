"""What is passed over as no die: a doubt where a die may lie there all the same."""

from dataclasses import replace

import pytest
from test_vision_reader import DICE, PLAIN, Torn, picture, reader, values
from vision_fakes import ColourFinder, ColourNamer, ColourReader

from vision.detections import BURNING, TOWER

pytestmark = pytest.mark.usefixtures("colours_as_they_are")


def test_a_weak_finding_that_the_second_reader_calls_no_die_is_dropped_but_leaves_a_doubt():
    weak = ColourFinder(score=lambda _, kind: 0.3 if kind == 4 else 0.9)
    reading = reader(weak, ColourReader(says={5: 7})).read(picture())
    assert values(reading) == [1, 6]
    assert not reading.sure


@pytest.mark.parametrize(("score", "sure"), [(0.45, True), (0.55, False)])
def test_what_the_looks_see_and_neither_reader_can_read_is_asked_about(score, sure):
    finder = ColourFinder(score=lambda _, kind: score if kind == 4 else 0.9)
    nothing = ColourNamer(says=lambda _, kind: 8 if kind == 4 else kind)
    reading = reader(finder, ColourReader(says={5: 7}), nothing).read(picture())
    assert values(reading) == [1, 6]
    assert reading.chance > PLAIN.sure, "by chance it is none"
    assert reading.sure == sure


@pytest.mark.parametrize(("score", "sure"), [(0.3, True), (0.4, False)])
def test_what_all_looks_and_the_namer_take_for_a_die_of_no_value_is_asked_about(score, sure):
    finder = ColourFinder(score=lambda _, kind: score if kind == 4 else 0.9)
    doubting = replace(PLAIN, die=(-9.0, 12.0, *PLAIN.die[2:]))
    reading = reader(finder, ColourReader(says={5: 7}), confidence=doubting).read(picture())
    assert values(reading) == [1, 6]
    assert reading.chance > PLAIN.sure, "by chance it is none"
    assert reading.sure == sure


@pytest.mark.parametrize(("denied", "sure"), [(0.25, False), (0.35, True)])
def test_what_all_looks_see_and_the_namer_denies_by_a_third_is_passed_over(denied, sure):
    """A one that is a drawing, shown as a negative, had 0.25: nobody else took it for a die."""
    finder = ColourFinder(score=lambda _, kind: 0.4 if kind == 4 else 0.9)
    doubting = replace(PLAIN, die=(-9.0, 7.0, *PLAIN.die[2:]))
    torn = Torn(fives={4: 1 - denied, 8: denied})
    reading = reader(finder, ColourReader(says={5: 7}), torn, confidence=doubting).read(picture())
    assert values(reading) == [1, 6]
    assert reading.chance > PLAIN.sure, "by chance it is none"
    assert reading.sure == sure


@pytest.mark.parametrize(("counted", "sure"), [(4, True), (5, False)])
def test_what_the_looks_hardly_see_and_both_readers_read_alike_is_asked_about(counted, sure):
    finder = ColourFinder(score=lambda _, kind: 0.1 if kind == 4 else 0.9)
    doubting = replace(PLAIN, die=(-9.0, 12.0, *PLAIN.die[2:]))
    reading = reader(finder, ColourReader(says={5: counted}), confidence=doubting).read(picture())
    assert values(reading) == [1, 6]
    assert reading.chance > PLAIN.sure, "by chance it is none"
    assert reading.sure == sure


@pytest.mark.parametrize(("share", "sure"), [(0.15, True), (0.20, False)])
def test_what_the_namer_partly_reads_and_the_counter_reads_is_asked_about(share, sure):
    finder = ColourFinder(score=lambda _, kind: 0.1 if kind == 4 else 0.9)
    doubting = replace(PLAIN, die=(-9.0, 12.0, *PLAIN.die[2:]))
    torn = Torn(fives={4: share, 8: 1 - share})
    counter = ColourReader(certainty=1.0)
    reading = reader(finder, counter, torn, confidence=doubting).read(picture())
    assert values(reading) == [1, 6]
    assert reading.chance > PLAIN.sure, "by chance it is none"
    assert reading.sure == sure


@pytest.mark.parametrize(("score", "sure"), [(0.45, True), (0.55, False)])
@pytest.mark.parametrize("kind", [TOWER, BURNING])
def test_what_the_looks_take_for_a_tower_and_the_namer_for_nothing_is_asked_about(
    kind, score, sure
):
    finder = ColourFinder(score=lambda _, own: score if own == kind else 0.9)
    nothing = ColourNamer(says=lambda _, own: 8 if own == kind else own)
    name = "tower" if kind == TOWER else "burning"
    reading = reader(finder, namer=nothing).read(picture([*DICE, (name, 100, 500)]))
    assert (reading.towers, reading.burning) == ((), ())
    assert values(reading) == [1, 5, 6]
    assert reading.sure == sure
