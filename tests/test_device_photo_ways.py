"""All ways to show a photograph: every name means one of them."""

import numpy as np
import pytest

from device.photo_faults import AS_IT_IS
from device.photo_labels import LabelledDie
from device.photo_ways import GROUPS, WAYS

DICE = (LabelledDie(4, (0.25, 0.5), (0.15, 0.2)), LabelledDie(5, (0.75, 0.5), (0.15, 0.2)))


@pytest.fixture
def picture() -> np.ndarray:
    return np.random.default_rng(1).integers(0, 256, (120, 160, 3), np.uint8)


def test_no_two_ways_have_one_name():
    names = [AS_IT_IS, *(name for group in GROUPS.values() for name in group.shows)]
    assert len(names) == len(set(names)) == len(WAYS)


@pytest.mark.parametrize("way", WAYS)
def test_each_shows_another_picture_but_none_of_them(way: str, picture: np.ndarray):
    shown = WAYS[way](picture, DICE)
    assert shown is not None
    same = shown.image_bgr.shape == picture.shape and bool((shown.image_bgr == picture).all())
    assert same == (way == AS_IT_IS)
