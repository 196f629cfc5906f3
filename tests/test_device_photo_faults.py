"""What a camera may do to a photograph: always the same, and never another form."""

import numpy as np
import pytest

from device.photo_faults import AS_IT_IS, FAULTS, spoilt

HEIGHT, WIDTH = 480, 640


@pytest.fixture
def picture() -> np.ndarray:
    """A warm wood with a white die on it."""
    image = np.full((HEIGHT, WIDTH, 3), (60, 100, 140), np.uint8)
    image[160:320, 240:400] = 230
    image[224:256, 304:336] = 20
    return image


def test_as_it_is_nothing_is_done_and_an_unknown_fault_is_none(picture: np.ndarray) -> None:
    assert spoilt(picture, AS_IT_IS) is picture
    assert (spoilt(picture, "grey") == FAULTS["grey"](picture)).all()
    with pytest.raises(KeyError):
        spoilt(picture, "gray")


@pytest.mark.parametrize("name", FAULTS)
def test_a_picture_of_the_same_form_spoilt_alike_every_time(name: str, picture: np.ndarray) -> None:
    before = picture.copy()
    worse = FAULTS[name](picture)
    assert (worse.shape, worse.dtype) == (picture.shape, np.uint8)
    assert (picture == before).all(), "the photograph itself is left alone"
    assert (worse != picture).any()
    assert (FAULTS[name](picture) == worse).all()


@pytest.mark.parametrize("name", FAULTS)
@pytest.mark.parametrize("shape", [(1, 1, 3), (1, 40, 3), (40, 1, 3)])
def test_no_picture_is_too_small(name: str, shape: tuple[int, int, int]) -> None:
    assert FAULTS[name](np.full(shape, 128, np.uint8)).shape == shape


@pytest.mark.parametrize("name", FAULTS)
def test_the_pip_stays_darker_than_its_die(name: str, picture: np.ndarray) -> None:
    worse = FAULTS[name](picture).astype(float).mean(axis=2)
    assert worse[235:245, 315:325].mean() < 0.8 * worse[175:200, 255:385].mean()


def test_light_is_reckoned_as_light(picture: np.ndarray) -> None:
    """Two and a half times the light is 1.52 times the level; white stays white."""
    bright = FAULTS["bright"](picture)
    assert abs(int(bright[5, 5, 0]) - round(60 * 2.5 ** (1 / 2.2))) <= 1
    assert (bright[170, 250] == 255).all()


def test_colours_go_where_their_names_say(picture: np.ndarray) -> None:
    blue, _, red = FAULTS["warm"](picture)[170, 250].astype(int)
    assert red > blue + 50
    blue, _, red = FAULTS["cold"](picture)[170, 250].astype(int)
    assert blue > red + 30
    grey = FAULTS["grey"](picture)
    assert (grey[..., 0] == grey[..., 2]).all()


def test_the_shadow_has_an_edge(picture: np.ndarray) -> None:
    shadow = FAULTS["shadow"](picture)
    assert (shadow[-5, 5] == picture[-5, 5]).all()
    assert shadow[5, -5].mean() < 0.7 * picture[5, -5].mean()
