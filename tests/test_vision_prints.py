"""What belongs to the mat is no die."""

import cv2
import numpy as np
import pytest
from vision_fakes import draw, table_picture

from vision.prints import Prints

BOX = np.array([[40, 40, 70, 70]], np.float32)


def mat(*, printed: bool, level: int = 0) -> np.ndarray:
    picture = table_picture(200, 160)
    if printed:
        picture[40:70, 40:70] = 200
        picture[50:60, 50:60] = 20
    return np.clip(picture.astype(int) + level, 0, 255).astype(np.uint8)


def test_nothing_is_known_before_anything_was_learned():
    assert Prints().are_known(mat(printed=True), BOX).tolist() == [False]
    assert Prints().are_known(mat(printed=True), np.zeros((0, 4), np.float32)).shape == (0,)


def test_it_tells_what_lies_beneath_where_it_knows():
    prints, bare = Prints(), mat(printed=True)
    now = bare.copy()
    draw(now, 3, 60, 62, 26)
    assert (prints.beneath(now) == now).all(), "nobody knows yet"
    prints.learn(bare, besides_px=np.array([[100, 40, 130, 70]], np.float32))
    now[50:60, 110:120] = 7
    beneath = prints.beneath(now)
    assert (beneath[40:90, 30:90] == bare[40:90, 30:90]).all()
    assert (beneath[50:60, 110:120] == 7).all(), "something lay there when it was learned"
    assert (prints.beneath(now[:, :100]) == now[:, :100]).all(), "another mat"


@pytest.mark.parametrize("level", [-40, 0, 40])
def test_a_print_is_known_in_other_light(level):
    prints = Prints()
    prints.learn(mat(printed=True))
    assert prints.are_known(mat(printed=True, level=level), BOX).tolist() == [True]


def test_a_die_that_falls_on_a_print_counts():
    prints = Prints()
    prints.learn(mat(printed=True))
    now = mat(printed=True)
    draw(now, 3, 60, 62, 26)
    assert prints.are_known(now, BOX).tolist() == [False]


def test_a_die_on_an_even_mat_counts():
    prints = Prints()
    prints.learn(mat(printed=False))
    assert prints.are_known(mat(printed=True), BOX).tolist() == [False]
    assert prints.are_known(mat(printed=False), BOX).tolist() == [False]


def test_a_pale_die_beside_a_bold_line_counts():
    lined = mat(printed=False)
    lined[64:74] = 0
    prints = Prints()
    prints.learn(lined)
    assert prints.are_known(lined, BOX).tolist() == [True]
    now = lined.copy()
    now[42:64, 43:67] = 90
    for x, y in ((48, 47), (61, 47), (48, 58), (61, 58)):
        cv2.circle(now, (x, y), 2, (30, 30, 30), cv2.FILLED)
    assert prints.are_known(now, BOX).tolist() == [False]


def test_a_print_half_covered_looks_somewhat_as_it_did_and_a_die_on_it_does_not():
    prints, bare = Prints(), mat(printed=True)
    assert prints.are_like(bare, BOX).tolist() == [False], "nothing is known yet"
    prints.learn(bare)
    below, beside, on_it = (bare.copy() for _ in range(3))
    below[54:90, 30:80] = beside[30:80, 56:90] = 120
    draw(on_it, 3, 55, 55, 28)
    now = (bare, below, beside, on_it)
    assert [prints.are_known(view, BOX).item() for view in now] == [True, False, False, False]
    assert [prints.are_like(view, BOX).item() for view in now] == [True, True, True, False]
    assert prints.are_like(np.zeros((10, 10, 3), np.uint8), BOX).tolist() == [False]
    assert prints.are_like(bare, np.zeros((0, 4), np.float32)).shape == (0,)


def test_bold_squares_around_a_die_do_not_make_it_look_like_the_mat():
    rows, columns = np.indices((200, 160)) // 16
    bare = np.where(((rows + columns) % 2)[:, :, None], 150, 30) * np.ones(3)
    prints, now = Prints(), bare.astype(np.uint8)
    prints.learn(now)
    now = now.copy()
    now[40:70, 40:70] = 90
    for x, y in ((48, 48), (62, 48), (48, 62), (62, 62)):
        cv2.circle(now, (x, y), 3, (20, 20, 20), cv2.FILLED)
    assert prints.are_like(now, BOX).tolist() == [False]
    assert prints.are_like(bare.astype(np.uint8), BOX).tolist() == [True]


def test_what_lies_there_but_does_not_belong_there_is_left_out():
    prints, view = Prints(), mat(printed=True)
    view[90:120, 90:120] = view[40:70, 40:70]
    both = np.concatenate([BOX, BOX + 50])
    prints.learn(view, besides_px=BOX)
    assert prints.are_known(view, both).tolist() == [False, True]
    prints.learn(view)
    assert prints.are_known(view, both).tolist() == [True, True]
    covered = view.copy()
    draw(covered, 3, 55, 55, 28)
    prints.learn(covered, besides_px=BOX)
    assert prints.are_known(view, both).tolist() == [True, True]


def test_boxes_beyond_the_picture_and_another_picture_do_no_harm():
    prints = Prints()
    things = np.array([[-30, -30, 2, 2], [500, 500, 600, 600]], np.float32)
    prints.learn(mat(printed=True), besides_px=things)
    boxes = np.array([[-90, -90, -60, -60], [190, 150, 260, 240]], np.float32)
    assert prints.are_known(mat(printed=True), boxes).shape == (2,)
    assert prints.are_known(np.zeros((10, 10, 3), np.uint8), boxes).tolist() == [False, False]


def test_a_smooth_cup_on_a_patterned_mat_is_no_print_and_the_pattern_alone_is_no_cup():
    rng = np.random.default_rng(3)
    pattern = cv2.resize(rng.integers(60, 200, (20, 16, 3)).astype(np.uint8), (160, 200))
    prints, cup, one = Prints(), np.array([[30, 30, 110, 110]], np.float32), np.array([True])
    prints.learn(pattern)
    assert prints.are_known(pattern, cup, are_cups=one).tolist() == [True]
    covered = cv2.circle(pattern.copy(), (70, 70), 36, (40, 45, 60), -1)
    assert prints.are_known(covered, cup, are_cups=one).tolist() == [False]


def test_a_cup_under_the_edge_of_a_shadow_that_fell_on_the_mat_is_no_print():
    light = np.where(np.arange(160) < 70, 0.6, 1.0)[None, :, None]
    prints, cup = Prints(), np.array([[30, 30, 110, 110]], np.float32)
    prints.learn((np.full((200, 160, 3), (90, 90, 220)) * light).astype(np.uint8))
    covered = (np.full((200, 160, 3), (230, 210, 170)) * light).astype(np.uint8)
    assert prints.are_known(covered, cup, are_cups=np.array([True])).tolist() == [False]


def test_the_edge_of_the_mat_behind_a_cup_does_not_say_that_it_has_always_stood_there():
    """A leather cup on a leather mat: the bright edge is all that both pictures have much of."""
    rng = np.random.default_rng(5)
    grain = cv2.GaussianBlur(rng.normal(0, 30, (200, 160, 3)), (0, 0), 3)
    bare = np.clip(np.full((200, 160, 3), (60, 80, 120)) + grain, 0, 255).astype(np.uint8)
    bare[:28] = (200, 215, 230)
    cup = cv2.circle(bare.copy(), (70, 70), 38, (66, 90, 138), -1)
    cup = cv2.circle(cup, (70, 66), 24, (52, 72, 110), -1)
    box, one = np.array([[30, 26, 110, 110]], np.float32), np.array([True])
    first = Prints(whole_cups=True)
    first.learn(bare)
    assert first.are_known(cup, box, are_cups=one).tolist() == [False]
    stood = Prints(whole_cups=True)
    stood.learn(cup)
    noise = rng.normal(0, 3, cup.shape)
    dimmer = np.clip(cup * 0.8 + noise, 0, 255).astype(np.uint8)
    assert stood.are_known(dimmer, box, are_cups=one).tolist() == [True]


def test_a_smooth_coaster_stands_where_it_stood():
    rng = np.random.default_rng(5)
    mat = np.full((200, 160, 3), (60, 80, 120), np.uint8)
    coaster = cv2.circle(mat, (70, 70), 40, (190, 200, 205), -1)
    box, one = np.array([[30, 30, 110, 110]], np.float32), np.array([True])
    stood = Prints(whole_cups=True)
    stood.learn(coaster)
    later = np.clip(coaster + rng.normal(0, 3, coaster.shape), 0, 255).astype(np.uint8)
    assert stood.are_known(later, box, are_cups=one).tolist() == [True]
