"""What has changed on the mat, and whether it is bare."""

import numpy as np
import pytest

from vision.bare_mat import BareMat
from vision.motion import MotionGate, thumb


def test_the_motion_gate_sums_up_slow_change_and_ignores_noise():
    gate, rng = MotionGate(), np.random.default_rng(5)
    view = np.full((660, 880, 3), 90, np.uint8)

    def noisy(picture):
        grain = rng.normal(0, 6, picture.shape)
        return thumb(np.clip(picture + grain, 0, 255).astype(np.uint8), 2.2)

    assert gate.changed_mm2(noisy(view)) == float("inf")
    gate.accept(noisy(view))
    assert gate.changed_mm2(noisy(view)) < 20
    changes = []
    for level in range(90, 130, 4):
        view[100:200, 100:200] = level
        changes.append(gate.changed_mm2(noisy(view)))
    assert changes[0] < 20
    assert changes[-1] == pytest.approx((100 / 2.2) ** 2, rel=0.1)


def test_the_bare_mat_knows_things_from_a_lamp_that_dims():
    bare = BareMat(600.0, 150.0)
    rng = np.random.default_rng(6)
    mat = rng.integers(60, 120, (165, 220, 3)).astype(np.float32)
    assert bare.look(mat).bare[0] is None
    bare.learn(mat)
    assert bare.look(mat * 0.8).bare[0] is True
    covered = mat.copy()
    covered[50:90, 50:90] = 220
    assert bare.look(covered).bare[0] is False
    assert bare.look(mat[:100]).bare[0] is None


def test_faint_things_leave_traces_where_the_mat_still_looks_bare():
    bare, rng = BareMat(600.0, 150.0), np.random.default_rng(6)
    mat = rng.integers(60, 120, (165, 220, 3)).astype(np.float32)
    assert not bare.look(mat).traces[0]
    bare.learn(mat)
    noisy = mat * 0.9 + rng.normal(0, 2, mat.shape)
    assert not bare.look(noisy.astype(np.float32)).traces[0]
    faint = noisy.astype(np.float32)
    faint[50:57, 50:57] += 20
    assert bare.look(faint).bare[0] is True
    assert bare.look(faint).traces[0]


FELT_BGR, LEATHER_BGR = (58, 75, 35), (38, 50, 88)
"""Just as light, to a camera without colours."""


@pytest.mark.parametrize("light", [(1.0, 1.0, 1.0), (0.5, 0.5, 0.5), (0.7, 0.9, 1.1)])
def test_a_thing_as_light_as_the_mat_is_known_by_its_colour(light):
    felt = np.full((330, 440, 3), FELT_BGR, np.uint8)
    bare = BareMat(600.0, 150.0)
    bare.learn(thumb(felt, 1.0))
    lit = (felt * light).astype(np.uint8)
    assert bare.look(thumb(lit, 1.0)).bare == (True,)
    place = np.array([[180.0, 120.0, 240.0, 200.0]])
    assert bare.look(thumb(lit, 1.0)).is_bare_at(place)
    lit[100:200, 160:260] = np.multiply(LEATHER_BGR, light)
    grey = thumb(lit, 1.0)[..., 0]
    assert np.ptp(grey) < 15, "the greys tell nothing"
    assert bare.look(thumb(lit, 1.0)).traces[0]
    assert not bare.look(thumb(lit, 1.0)).is_bare_at(place)


def test_a_dark_sleeve_over_a_place_is_no_shadow():
    felt = np.full((330, 440, 3), 120, np.uint8)
    bare = BareMat(600.0, 150.0)
    bare.learn(thumb(felt, 1.0))
    place = np.array([[180.0, 120.0, 240.0, 200.0]])
    shaded, sleeve = felt.copy(), felt.copy()
    shaded[90:230, 150:270] = 100
    sleeve[90:230, 150:270] = 60
    assert bare.look(thumb(shaded, 1.0)).is_bare_at(place)
    assert not bare.look(thumb(sleeve, 1.0)).is_bare_at(place)


def flickering(mat, phase, *, along=0):
    """The mat with bands of light, six per cent up and down, that wander over it."""
    places = np.arange(mat.shape[along])
    gain = 1 + 0.06 * np.sin(2 * np.pi * (places / 70 + phase))
    shape = (-1, 1, 1) if along == 0 else (1, -1, 1)
    return (mat * gain.reshape(shape)).astype(np.float32)


@pytest.mark.parametrize("along", [0, 1])
def test_bands_of_a_flickering_lamp_are_no_motion_even_on_what_is_white(along):
    gate = MotionGate()
    mat = np.full((165, 220, 3), 60, np.float32)
    mat[20:60, 10:50] = 230  # a telephone's screen
    gate.accept(flickering(mat, 0.0, along=along))
    for phase in (0.2, 0.5, 0.8):
        assert gate.changed_mm2(flickering(mat, phase, along=along))[0] == 0
        thrown = mat.copy()
        thrown[100:108, 100:108] = 220
        assert gate.changed_mm2(flickering(thrown, phase, along=along))[0] >= 4 * 64


def test_what_covers_most_of_the_mat_is_no_light():
    gate = MotionGate()
    mat = np.full((165, 220, 3), 120, np.float32)
    gate.accept(mat)
    sleeve = mat.copy()
    sleeve[:, :180] = 60
    assert gate.changed_mm2(sleeve)[0] > 0.7 * 4 * mat[..., 0].size
    assert gate.changed_mm2(0.6 * mat)[0] == 4 * mat[..., 0].size, "the lamp went out"


@pytest.mark.parametrize(("height", "width"), [(6, 8), (5, 8), (6, 7), (5, 7)])
def test_a_small_copy_shows_all_of_the_picture_two_millimetres_a_pixel(height, width):
    picture = np.random.default_rng(3).integers(0, 256, (height, width, 3), dtype=np.uint8)
    grey = thumb(picture, 1.0)[..., 0]
    assert grey.shape == (3, 4)
    corner = thumb(picture[-1:, -1:].repeat(2, 0).repeat(2, 1), 1.0)[0, 0, 0]
    if height % 2 and width % 2:
        assert grey[-1, -1] == corner, "the odd corner stands for itself"
    assert grey[0, 0] == thumb(picture[:2, :2], 1.0)[0, 0, 0]
