"""Half a die at the picture's edge is found as if the edge were a mirror."""

import numpy as np
import pytest
from vision_fakes import ColourFinder, draw, table_picture

from vision.rim import halves

DIE_PX = 24.0
WIDTH, HEIGHT, SIDE = 800, 600, 48
SCALE = (DIE_PX / SIDE, DIE_PX / SIDE)


def found(picture, *, scale=SCALE, score=0.9, min_score=0.5):
    boxes, scores = halves(
        ColourFinder(smallest_px=9, score=score), picture, scale, DIE_PX, min_score=min_score
    )
    assert len(boxes) == len(scores)
    return boxes.tolist()


@pytest.mark.parametrize(
    ("at", "there"),
    [
        ((0, 300), (0, 276, 24, 324)),
        ((WIDTH, 300), (776, 276, 800, 324)),
        ((400, 0), (376, 0, 424, 24)),
        ((400, HEIGHT), (376, 576, 424, 600)),
    ],
)
@pytest.mark.parametrize("outside", [0, 9, -9])
def test_half_a_die_at_any_edge_is_found_where_it_is(at, there, outside):
    picture = table_picture(WIDTH, HEIGHT)
    draw(picture, 5, 200, 300, SIDE)
    outwards = np.sign(np.subtract(at, (WIDTH / 2, HEIGHT / 2))) * np.equal(
        np.mod(at, (WIDTH, HEIGHT)), 0
    )
    x, y = np.add(at, outwards * outside)
    draw(picture, 3, x, y, SIDE)
    (box,) = found(picture)
    assert box == pytest.approx(there, abs=2)


def test_whole_dice_are_none_however_near_the_edge_they_lie():
    picture = table_picture(WIDTH, HEIGHT)
    draw(picture, 5, 24, 300, SIDE)
    draw(picture, 4, 400, HEIGHT - 30, SIDE)
    draw(picture, 4, WIDTH - 60, 200, SIDE)
    assert found(picture) == []


def test_what_is_too_large_too_small_or_too_faint_to_be_a_half_is_none():
    for side in (2 * SIDE, SIDE // 3):
        picture = table_picture(WIDTH, HEIGHT)
        draw(picture, 3, 0, 300, side)
        assert found(picture) == []
    picture = table_picture(WIDTH, HEIGHT)
    draw(picture, 3, 0, 300, SIDE)
    assert found(picture, score=0.4) == []


def test_nor_is_a_cup():
    picture = table_picture(WIDTH, HEIGHT)
    draw(picture, "cup", 0, 300, SIDE)
    assert found(picture) == []


def test_a_picture_seen_aslant_is_stretched_as_its_dice_are():
    picture = table_picture(WIDTH, HEIGHT)
    draw(picture, 3, 400, 0, SIDE)
    squeezed = np.ascontiguousarray(picture[:, ::2])
    (box,) = found(squeezed, scale=(2 * SCALE[0], SCALE[1]))
    assert box == pytest.approx((188, 0, 212, 24), abs=2)


def test_a_long_edge_is_looked_at_in_pieces():
    looks: list[tuple[int, int]] = []

    class Noting(ColourFinder):
        def find(self, image_bgr, *, size_px, min_score):
            looks.append(image_bgr.shape[:2])
            return super().find(image_bgr, size_px=size_px, min_score=min_score)

    picture = table_picture(6000, 300)
    draw(picture, 2, 5500, 300, 24)
    boxes, _ = halves(Noting(smallest_px=9), picture, (1.0, 1.0), DIE_PX, min_score=0.5)
    assert next(box for box in boxes.tolist() if box[0] > 5400) == pytest.approx(
        (5488, 288, 5512, 300), abs=2
    )
    assert max(max(look) for look in looks) <= 1600


def test_pictures_of_a_few_pixels_are_looked_at_too():
    for size in ((1, 1), (3, 40), (40, 3)):
        assert found(table_picture(*size)) == []
