import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from vision.crops import (
    CROP_MARGIN,
    CROP_PX,
    CUTS,
    STEEP,
    close_cuts,
    close_views,
    cut_crop,
    cut_crops,
    four_views,
    held_views,
    mean_by_die,
    upright_views,
)
from vision.errors import PictureError
from vision.evening import evened, evened_picture
from vision.images import MAX_PIXELS, as_bgr, scaled, turn_boxes_back, turn_picture


def test_grey_and_alpha_become_three_channels():
    grey = np.full((4, 5), 200, np.uint8)
    assert as_bgr(grey).shape == as_bgr(grey[:, :, None]).shape == (4, 5, 3)
    clear = np.zeros((4, 5, 4), np.uint8)
    assert (as_bgr(clear) == 127).all()
    clear[:, :, 3], clear[:, :, 0] = 255, 9
    assert as_bgr(clear)[0, 0].tolist() == [9, 0, 0]


def test_a_colour_picture_is_not_copied():
    picture = np.zeros((4, 5, 3), np.uint8)
    assert as_bgr(picture) is picture


@pytest.mark.parametrize(
    ("picture", "message"),
    [
        (np.zeros((0, 5, 3), np.uint8), "empty"),
        (np.zeros((5, 0), np.uint8), "empty"),
        (np.zeros((5, 5, 3), np.float32), "uint8"),
        (np.zeros((5, 5, 3), np.uint16), "uint8"),
        (np.zeros((5, 5, 2), np.uint8), "shape"),
        (np.zeros(5, np.uint8), "shape"),
        (np.zeros((2, 5, 5, 3), np.uint8), "shape"),
        (np.lib.stride_tricks.as_strided(np.zeros(1, np.uint8), (1, MAX_PIXELS + 1), (0, 0)), "at"),
        ("a.jpg", "numpy array"),
    ],
)
def test_what_is_no_picture_is_refused_in_a_sentence(picture, message):
    with pytest.raises(PictureError, match=message):
        as_bgr(picture)


@given(
    turn=st.integers(0, 3),
    size=st.tuples(st.integers(3, 30), st.integers(3, 30)),
    corner=st.tuples(st.floats(0, 1), st.floats(0, 1)),
)
def test_a_box_in_a_turned_picture_maps_back_to_its_pixels(turn, size, corner):
    height, width = size
    x, y = int(corner[0] * (width - 2)), int(corner[1] * (height - 2))
    picture = np.zeros((height, width, 3), np.uint8)
    picture[y : y + 2, x : x + 2] = 255
    rows, columns = np.nonzero(turn_picture(picture, turn)[:, :, 0])
    box = np.array([[columns.min(), rows.min(), columns.max() + 1, rows.max() + 1]], np.float32)
    back = turn_boxes_back(box, turn, width=width, height=height)
    assert back.tolist() == [[x, y, x + 2, y + 2]]


def test_scaling_never_loses_a_side():
    assert scaled(np.zeros((2, 900, 3), np.uint8), 0.1, 0.1).shape == (1, 90, 3)
    assert scaled(np.zeros((20, 30, 3), np.uint8), 2, 1).shape == (20, 60, 3)


def test_a_crop_is_the_square_around_the_die_at_one_and_a_third_of_its_side():
    picture = np.zeros((200, 200, 3), np.uint8)
    picture[80:120, 90:110] = 255  # 20 x 40: the square has the side 54
    crop = cut_crop(picture, (90, 80, 110, 120))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    white = crop[:, :, 0] > 127
    assert white.any(axis=1).sum() == pytest.approx(40 / 54 * 64, abs=1)
    assert white.any(axis=0).sum() == pytest.approx(20 / 54 * 64, abs=1)


@given(
    box=st.tuples(*[st.floats(-300, 900)] * 2, *[st.floats(0, 5000)] * 2),
    size=st.tuples(st.integers(1, 70), st.integers(1, 70)),
)
def test_a_crop_has_its_shape_wherever_the_box_lies(box, size):
    picture = np.full((*size, 3), 55, np.uint8)
    crop = cut_crop(picture, (box[0], box[1], box[0] + box[2], box[1] + box[3]))
    assert crop.shape == (CROP_PX, CROP_PX, 3)
    assert (crop == 55).all()  # the border is repeated, nothing is invented


def test_four_views_and_their_mean():
    crops = np.random.default_rng(1).integers(0, 255, (3, 64, 64, 3), dtype=np.uint8)
    turned = four_views(crops)
    assert turned.shape == (12, 64, 64, 3)
    assert (turned[4] == crops[1]).all()
    assert (turned[6] == crops[1, ::-1, ::-1][..., [1, 2, 0]]).all()
    assert all((np.sort(view.ravel()) == np.sort(crops[0].ravel())).all() for view in turned[:4])
    assert cut_crops(crops[0], []).shape == (0, 64, 64, 3)
    assert four_views(cut_crops(crops[0], [])).shape == (0, 64, 64, 3)
    assert (four_views(crops, dealt_from=1)[0] == crops[0][..., [2, 0, 1]]).all()
    upright = upright_views(crops, dealt_from=1)
    assert (upright[0] == crops[0][..., [2, 0, 1]]).all()
    assert (upright[1] == crops[0, :, ::-1][..., [1, 2, 0]]).all(), "mirrored, its top stays above"
    assert (upright[6] == crops[1][..., [2, 1, 0]]).all()
    words = np.arange(24, dtype=np.float32).reshape(8, 3)
    assert mean_by_die(words, 2).tolist() == [[4.5, 5.5, 6.5], [16.5, 17.5, 18.5]]
    assert mean_by_die(words[:0], 0).shape == (0, 3)


@pytest.mark.parametrize(
    ("toward", "marked"),
    [((0.0, 0.5), "bottom"), ((0.5, 0.0), "right"), ((0.0, -0.5), "top"), ((-0.9, 0.0), "left")],
)
def test_dice_seen_aslant_are_held_so_that_the_camera_is_below_them(toward, marked):
    crop = np.zeros((64, 64, 3), np.uint8)
    sides = {"top": np.s_[:8], "bottom": np.s_[-8:], "left": np.s_[:, :8], "right": np.s_[:, -8:]}
    crop[sides[marked]] = 200
    for view in held_views(crop[None], np.array([toward])):
        assert view[-6:, 8:-8].min() == 200
        assert view[:-10, 8:-8].max() == 0


def test_dice_seen_from_above_are_shown_in_all_turns():
    crops = np.random.default_rng(3).integers(0, 255, (2, 64, 64, 3), dtype=np.uint8)
    toward = np.array([[0.99 * STEEP, 0.0], [0.0, 1.01 * STEEP]])
    shown = held_views(crops, toward)
    assert (shown[:4] == four_views(crops[:1])).all()
    assert (shown[4:] == upright_views(crops[1:])).all()
    assert held_views(crops[:0], toward[:0]).shape == (0, 64, 64, 3)


def test_close_views_show_every_die_in_all_widths_one_die_after_the_other():
    picture = np.random.default_rng(2).integers(0, 255, (90, 120, 3), dtype=np.uint8)
    boxes = [(10, 10, 40, 40), (60, 30, 100, 70)]
    cuts = close_cuts(picture, boxes)
    views, still = close_views(cuts, four_views), close_views(cuts, upright_views)
    assert views.shape == (2 * 4 * len(CUTS), 64, 64, 3)
    for die, box in enumerate(boxes):
        for number, width in enumerate(CUTS):
            crop = evened(cut_crop(picture, box, margin=CROP_MARGIN * width)[None])
            at = 12 * die + 4 * number
            assert (views[at : at + 4] == four_views(crop, dealt_from=number)).all()
            assert (still[at : at + 4] == upright_views(crop, dealt_from=number)).all()
    assert close_views(close_cuts(picture, []), four_views).shape == (0, 64, 64, 3)


def test_evening_out_brings_faint_colours_forth_and_keeps_the_mean():
    crop = np.full((64, 64, 3), (60, 60, 70), np.uint8)
    crop[8:16] = (200, 200, 210)  # a mirrored lamp: light, no colour
    crop[30:40, 30:40] = (45, 45, 110)  # a red pip that is about as light as the die
    (even,) = evened(crop[None])
    before, after = (part.reshape(-1, 3).mean(axis=0) for part in (crop, even))
    assert after == pytest.approx(before, abs=2)

    def contrast(picture: np.ndarray, rows: slice, columns: slice) -> float:
        colours = picture.astype(float)
        return float(np.linalg.norm(colours[rows, columns].mean((0, 1)) - colours[50, 5]))

    pip, lamp = (slice(30, 40), slice(30, 40)), (slice(8, 16), slice(0, 64))
    assert contrast(even, *pip) > 1.5 * contrast(crop, *pip)
    assert contrast(even, *lamp) < contrast(crop, *lamp)


def test_a_whole_picture_is_evened_out_as_its_crops_are():
    picture = np.random.default_rng(4).integers(60, 90, (200, 320, 3), dtype=np.uint8)
    picture[..., 2] //= 2
    whole = evened_picture(picture)
    assert whole.dtype == np.uint8
    assert np.abs(whole.astype(int) - evened(picture[None])[0]).max() <= 2
    assert np.std(whole.astype(float), axis=(0, 1)).min() > 1.5 * np.std(picture[..., 2])


@pytest.mark.parametrize("size", [(1, 1), (1, 700), (2000, 3)])
def test_a_picture_of_any_size_can_be_evened_out(size):
    picture = np.full((*size, 3), 255, np.uint8)
    assert (evened_picture(picture) == picture).all()


def test_evening_out_leaves_a_plain_crop_and_no_crop_alone():
    plain = np.full((2, 64, 64, 3), 90, np.uint8)
    assert evened(plain) == pytest.approx(plain, abs=1)
    assert evened(plain[:0]).shape == (0, 64, 64, 3)
