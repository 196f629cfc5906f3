import numpy as np
import pytest

from vision.crops import cut_crops, cut_evened, four_views
from vision.detections import BURNING, CUP, TOWER
from vision.evening import evened_picture
from vision.eye import FINDS, MOST_NAMED, Eye, Finds, named

PICTURE = np.zeros((100, 200, 3), np.uint8)


def finds(*rows):
    """Rows: left, top, right, bottom, score, kind."""
    table = np.array(rows, np.float32).reshape(-1, 6)
    return Finds(table[:, :4], table[:, 4], table[:, 5].astype(np.int64))


def says(**chances):
    """(9,) what the namer says; the rest is spread evenly."""
    order = ["v1", "v2", "v3", "v4", "v5", "v6", "tower", "burning", "nothing"]
    row = np.array([chances.get(name, 0.0) for name in order])
    left = 1 - row.sum()
    return row + left / 9


class FakeFinder:
    def __init__(self, found):
        self.found = found

    def find(self, image_bgr, *, size_px, min_score):
        return self.found


class FakeNamer:
    def __init__(self, *rows):
        self.rows = rows
        self.asked = 0

    def shows(self, crops_bgr):
        self.asked += len(crops_bgr)
        return np.resize(np.array(self.rows, np.float32), (len(crops_bgr), 9))


def test_the_namer_gives_a_found_die_its_value():
    eye = Eye(FakeFinder(finds((10, 10, 40, 40, 0.9, 0))), FakeNamer(says(v5=0.97)))
    found = eye.detect(PICTURE)
    assert found.class_id.tolist() == [4]
    assert found.score[0] > 0.85
    assert found.if_flat[0].argmax() == 4
    assert found.if_flat.sum() == pytest.approx(1)
    assert found.xyxy.tolist() == [[10, 10, 40, 40]]


def test_the_namer_is_shown_dice_as_they_are_and_the_counter_other_pictures():
    picture = np.random.default_rng(3).integers(90, 110, (100, 200, 3), dtype=np.uint8)
    box = (10, 10, 74, 74)

    class Looking(FakeNamer):
        def shows(self, crops_bgr):
            self.shown = crops_bgr
            return super().shows(crops_bgr)

    namer = Looking(says(v5=0.97))
    Eye(FakeFinder(finds((*box, 0.9, 0))), namer).detect(picture)
    assert np.array_equal(namer.shown, cut_crops(picture, [box]))
    assert not np.array_equal(namer.shown, cut_evened(picture, [box]))


def test_every_look_shows_the_namer_a_die_in_another_way():
    picture = np.random.default_rng(3).integers(0, 255, (100, 200, 3), dtype=np.uint8)
    box = (10, 10, 74, 74)
    shown = []

    class Looking(FakeNamer):
        def shows(self, crops_bgr):
            shown.append(crops_bgr)
            return super().shows(crops_bgr)

    eye = Eye(FakeFinder(finds((*box, 0.9, 0))), Looking(says(v5=0.97)))
    for view in range(8):
        eye.detect(picture, view=view)
    assert (np.concatenate(shown[:4]) == four_views(cut_crops(picture, [box]))).all()
    assert all((again == first).all() for first, again in zip(shown[:4], shown[4:], strict=True))


def test_every_second_look_shows_the_finder_the_picture_evened_out():
    picture = np.random.default_rng(3).integers(60, 90, (100, 200, 3), dtype=np.uint8)
    shown = []

    class Looking(FakeFinder):
        def find(self, image_bgr, **options):
            shown.append(image_bgr)
            return super().find(image_bgr, **options)

    eye = Eye(Looking(finds()), FakeNamer(says(v5=0.97)))
    for view in range(4):
        eye.detect(picture, view=view)
    assert all((seen == picture).all() for seen in shown[::2])
    assert all((seen == evened_picture(picture)).all() for seen in shown[1::2])


@pytest.mark.parametrize("view", [0, 1, 2, 3])
def test_what_is_found_in_an_evened_look_lies_where_it_does_in_the_picture(view: int):
    picture = np.full((601, 803, 3), 60, np.uint8)
    picture[400:450, 500:560] = 200

    class Seeing(FakeFinder):
        def find(self, image_bgr, **options):
            rows, columns = np.nonzero(image_bgr[..., 0] > image_bgr.mean() + 40)
            ends = columns.min(), rows.min(), columns.max() + 1, rows.max() + 1
            return finds((*map(float, ends), 0.9, 0))

    found = Eye(Seeing(finds()), FakeNamer(says(v5=0.97))).detect(picture, size_px=300, view=view)
    np.testing.assert_allclose(found.xyxy[0], [500, 400, 560, 450], atol=3.0)


@pytest.mark.parametrize(
    ("kind", "word", "class_id"),
    [(1, {"tower": 0.9}, TOWER), (2, {"burning": 0.9}, BURNING), (0, {"burning": 0.97}, BURNING)],
)
def test_towers_and_burning_dice_need_both_or_a_very_clear_word(kind, word, class_id):
    found = named(finds((0, 0, 9, 9, 0.8, kind)), np.array([says(**word)]))
    assert found.class_id.tolist() == [class_id]


def test_two_readers_that_disagree_about_the_kind_are_not_clear():
    agreed = named(finds((0, 0, 9, 9, 0.8, 2)), np.array([says(burning=0.9)]))
    apart = named(finds((0, 0, 9, 9, 0.8, 2)), np.array([says(v3=0.9)]))
    assert apart.score[0] < agreed.score[0]


def test_what_the_namer_calls_nothing_fades():
    clear = named(finds((0, 0, 9, 9, 0.3, 0)), np.array([says(v2=0.9)]))
    nothing = named(finds((0, 0, 9, 9, 0.3, 0)), np.array([says(nothing=0.97)]))
    assert nothing.score[0] < 0.1 < clear.score[0]


def test_cups_are_not_cut_out_and_keep_the_finders_score():
    namer = FakeNamer(says(v1=0.9))
    found = Eye(FakeFinder(finds((10, 10, 90, 90, 0.7, FINDS.index("cup")))), namer).detect(PICTURE)
    assert found.class_id.tolist() == [CUP]
    assert found.score.tolist() == pytest.approx([0.7])
    assert namer.asked == 0


def test_an_empty_table_and_a_crowd_are_looked_at_in_bounded_time():
    namer = FakeNamer(says(v1=0.99))
    assert len(Eye(FakeFinder(finds()), namer).detect(PICTURE)) == 0
    crowd = finds(
        *[(i % 20 * 10, i // 20 * 5, i % 20 * 10 + 8, i // 20 * 5 + 4, 0.9, 0) for i in range(300)]
    )
    found = Eye(FakeFinder(crowd), namer).detect(PICTURE)
    assert namer.asked == MOST_NAMED
    assert set(found.class_id.tolist()) == {0}, "what was not named is nothing, and no tower"


def test_one_finding_stays_at_one_place():
    rows = finds((10, 10, 50, 50, 0.9, 0), (11, 11, 51, 51, 0.8, 2))
    assert len(Eye(FakeFinder(rows), FakeNamer(says(v4=0.95))).detect(PICTURE)) == 1
