"""How large the dice of a photograph are, where looks of several sizes may disagree."""

from dataclasses import dataclass, field

import numpy as np
import pytest

from vision.detections import CUP, Detections
from vision.first_look import FIRST_PX, HOLDS_PX, MOST_READ, WIDE_PX, find_dice, holds_dice

PICTURE = np.zeros((960, 1280, 3), np.uint8)
Things = tuple[tuple[float, float], ...]


@dataclass
class Sizes:
    """A finder that finds other things in every size of a picture: (side in the picture, score)."""

    things: dict[int, Things]
    class_id: int = 2
    looks: list[int] = field(default_factory=list)

    def detect(self, image_bgr, *, size_px=640, min_score=0.25, view=0):
        self.looks.append(size_px)
        found = self.things.get(size_px, ())
        left = 60.0 * np.arange(len(found))
        boxes = [(x, 0, x + side, side) for x, (side, _) in zip(left, found, strict=True)]
        return Detections.of(boxes, [score for _, score in found], [self.class_id] * len(found))


@dataclass
class Readers:
    """They can read what has one of these sides, so well."""

    agree: dict[float, float] = field(default_factory=dict)
    asked: list[int] = field(default_factory=list)

    def __call__(self, found):
        self.asked.append(len(found))
        sides = found.sides.round().tolist()
        return np.array([self.agree.get(side, 0.0) for side in sides], np.float32)


def side_of(finder, readers=None):
    found = find_dice(finder, PICTURE, min_score=0.1, readable=readers or Readers())
    return round(float(np.median(found.sides))) if len(found) else None


def test_looks_that_agree_need_no_reader_and_the_first_one_counts():
    readers = Readers()
    finder = Sizes({480: ((50, 0.8), (54, 0.8)), 240: ((58, 0.9),), 120: ((62, 0.9),)})
    assert side_of(finder, readers) == 52
    assert readers.asked == []
    assert finder.looks == [480, 240, 120]


def test_the_pips_of_a_die_that_fills_the_picture_are_no_dice():
    pips = ((50, 0.4), (50, 0.35), (50, 0.3))
    finder = Sizes({480: pips, 960: pips, 240: ((500, 0.6),), 120: ((500, 0.9),)})
    assert side_of(finder, Readers({50: 0.1, 500: 0.9})) == 500


def test_a_sheet_of_paper_with_a_die_on_it_is_no_die():
    paper = ((380, 0.3),)
    finder = Sizes({480: paper, 240: paper, 960: ((31, 0.8),)})
    assert side_of(finder, Readers({31: 0.9, 380: 0.6})) == 31


def test_the_die_counts_and_not_the_paper_it_lies_on_however_well_that_reads():
    paper = ((380, 0.9),)
    finder = Sizes({240: paper, 120: paper, 480: ((31, 0.6),)})
    assert side_of(finder, Readers({31: 0.8, 380: 0.9})) == 31
    assert side_of(finder, Readers({31: 0.4, 380: 0.9})) == 380, "what cannot be read is a pip"
    assert side_of(finder, Readers({31: 0.55, 380: 0.9})) == 380, "nor is what hardly can"


def test_what_looks_clearer_is_none_where_the_readers_cannot_read_it():
    finder = Sizes({480: ((380, 0.9),), 960: ((31, 0.5),)})
    assert side_of(finder, Readers({31: 0.9, 380: 0.2})) == 31
    assert side_of(finder, Readers({31: 0.2, 380: 0.9})) == 380


def test_a_faint_finding_of_another_size_has_no_say():
    readers = Readers({31: 1.0})
    finder = Sizes({480: ((380, 0.9),), 960: ((31, 0.15),)})
    assert side_of(finder, readers) == 380
    assert readers.asked == []


@pytest.mark.parametrize(("side", "wide"), [(24, True), (60, False), (120, False), (140, True)])
def test_a_larger_look_is_taken_where_dice_are_tiny_or_may_be_trays(side, wide):
    finder = Sizes({FIRST_PX: ((side, 0.9),)})
    assert side_of(finder) == side
    assert (WIDE_PX in finder.looks) == wide


def test_nothing_at_first_sight_is_looked_for_in_every_size():
    finder = Sizes({})
    assert side_of(finder) is None
    assert finder.looks == [480, 240, 120, 960]


def test_a_cup_and_nothing_else_is_found():
    assert side_of(Sizes({480: ((200, 0.9),)}, class_id=CUP)) == 200
    assert side_of(Sizes({120: ((700, 0.9),)}, class_id=CUP)) == 700


def test_the_readers_are_shown_so_many_findings_at_most():
    readers = Readers({8: 0.9})
    many = tuple((8.0, 0.2) for _ in range(3 * MOST_READ))
    assert side_of(Sizes({480: many, 120: ((500, 0.9),)}), readers) == 8
    assert max(readers.asked) == MOST_READ


@dataclass
class Inside:
    """A finder that finds one thing of this share of the longer side of whatever it is shown."""

    share: float
    shown: list[tuple[int, int]] = field(default_factory=list)
    sizes_px: list[int] = field(default_factory=list)

    def detect(self, image_bgr, *, size_px=640, min_score=0.25, view=0):
        height, width = image_bgr.shape[:2]
        self.shown.append((height, width))
        self.sizes_px.append(size_px)
        side = self.share * max(height, width)
        return Detections.of([(2, 2, 2 + side, 2 + side)], [0.8], [3])


def all_read(found):
    return np.ones(len(found), np.float32)


BIG = (400.0, 300.0, 800.0, 700.0)


def holds(finder, *boxes, readers):
    return holds_dice(finder, PICTURE, boxes, min_score=0.1, readable=readers)


@pytest.mark.parametrize(("read", "told"), [(0.9, True), (0.3, False)])
def test_a_die_that_holds_one_that_can_be_read_is_none(read, told):
    finder, readers = Inside(0.1), Readers({40: read})
    assert holds(finder, BIG, readers=readers) == told
    assert finder.shown == [(401, 401)]


@pytest.mark.parametrize("share", [0.95, 0.6])
def test_neither_the_die_itself_nor_its_top_face_is_held_by_it(share):
    assert not holds(Inside(share), BIG, readers=all_read)


def test_small_dice_are_not_looked_into():
    finder = Inside(0.3)
    box = (10, 10, 10 + HOLDS_PX - 1, 10 + HOLDS_PX - 1)
    assert not holds(finder, box, readers=Readers({20: 0.9}))
    assert finder.shown == []


@pytest.mark.parametrize(("side", "size_px"), [(HOLDS_PX, HOLDS_PX), (120, 120), (700, FIRST_PX)])
def test_what_is_small_is_looked_into_pixel_by_pixel(side, size_px):
    finder = Inside(0.3)
    assert holds(finder, (10, 10, 10 + side, 10 + side), readers=all_read)
    assert finder.sizes_px == [size_px]


def test_a_die_at_the_edge_of_the_picture_is_looked_into_as_far_as_it_is_seen():
    finder = Inside(0.1)
    holds(finder, (-50.0, 700.0, 350.0, 1000.0), readers=Readers())
    assert finder.shown == [(260, 351)]
