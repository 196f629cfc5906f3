"""One die partly out of sight, and no other."""

import numpy as np
import pytest

from device.photo_covers import COVERS
from device.photo_labels import LabelledDie

HEIGHT, WIDTH, SIDE = 480, 640, 60
SPOTS = ((160, 120), (320, 360), (500, 200))
DICE = tuple(
    LabelledDie(value, (x / WIDTH, y / HEIGHT), (SIDE / WIDTH, SIDE / HEIGHT))
    for value, (x, y) in zip((4, 5, 1), SPOTS, strict=True)
)
WHITE = 255


@pytest.fixture
def picture() -> np.ndarray:
    """Three white dice on a dark table."""
    image = np.full((HEIGHT, WIDTH, 3), 40, np.uint8)
    for x, y in SPOTS:
        image[y - 30 : y + 30, x - 30 : x + 30] = WHITE
    return image


def left_of(image: np.ndarray, corner_px: tuple[int, int]) -> list[float]:
    """How much of each die is still to be seen, sorted."""
    shares = []
    for x, y in np.add(SPOTS, corner_px).tolist():
        part = image[max(0, y - 30) : max(0, y + 30), max(0, x - 30) : max(0, x + 30)]
        shares.append(float((part == WHITE).all(axis=2).sum()) / SIDE**2)
    return sorted(shares)


@pytest.mark.parametrize(
    ("kind", "least", "most"),
    [("touched", 0.55, 0.97), ("covered", 0.35, 0.9), ("half", 0.15, 0.7), ("cut_off", 0.4, 0.6)],
)
def test_a_part_of_one_die_is_out_of_sight(
    kind: str, least: float, most: float, picture: np.ndarray
) -> None:
    before = picture.copy()
    shown = COVERS[kind](picture, DICE)
    assert shown is not None
    assert (picture == before).all(), "the photograph itself is left alone"
    hidden, *others = left_of(shown.image_bgr, shown.corner_px)
    assert least <= hidden <= most
    assert others == [1.0, 1.0]
    again = COVERS[kind](picture, DICE)
    assert again is not None
    assert (shown.image_bgr == again.image_bgr).all(), "the same every time"


def test_the_more_lies_over_it_the_less_is_seen(picture: np.ndarray) -> None:
    shown = [COVERS[kind](picture, DICE) for kind in ("touched", "covered", "half")]
    seen = [left_of(one.image_bgr, one.corner_px)[0] for one in shown if one is not None]
    assert seen == sorted(seen, reverse=True)
    assert len(set(seen)) == 3


def test_where_a_picture_is_cut_its_boxes_find_their_way_back(picture: np.ndarray) -> None:
    shown = COVERS["cut_off"](picture, DICE)
    assert shown is not None
    assert sorted(shown.image_bgr.shape[:2]) != sorted((HEIGHT, WIDTH))
    whole = 0
    for x, y in SPOTS:
        left, top = x - 30 + shown.corner_px[0], y - 30 + shown.corner_px[1]
        box = (left, top, left + SIDE, top + SIDE)
        assert shown.in_photo(box) == (x - 30, y - 30, x + 30, y + 30)
        cut = shown.image_bgr[max(0, top) : top + SIDE, max(0, left) : left + SIDE]
        whole += cut.shape[:2] == (SIDE, SIDE)
    assert whole == 2


@pytest.mark.parametrize("kind", COVERS)
@pytest.mark.parametrize(
    "dice",
    [DICE[:1], (*DICE[:2], LabelledDie(3)), (DICE[0], LabelledDie(3, (0.5, 0.5)))],
    ids=["one", "a value alone", "no size"],
)
def test_a_photograph_whose_labels_do_not_tell_enough_is_not_shown(
    kind: str, dice: tuple[LabelledDie, ...], picture: np.ndarray
) -> None:
    assert COVERS[kind](picture, dice) is None


@pytest.mark.parametrize("kind", ["touched", "covered", "half"])
def test_dice_that_lie_close_are_never_covered_together(kind: str) -> None:
    close = tuple(
        LabelledDie(value, ((100 + 20 * value) / WIDTH, 0.5), (SIDE / WIDTH, SIDE / HEIGHT))
        for value in range(1, 7)
    )
    assert COVERS[kind](np.zeros((HEIGHT, WIDTH, 3), np.uint8), close) is None
