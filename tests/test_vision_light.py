"""What is wrong with the light over a mat, and where: known faults on the simulated table."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from setup_camera import FPS, bare, blurred, dark, flicker, glare, shaded, unmarked

from vision.calibration import MatCalibration, calibrate_from_markers
from vision.light import (
    KINDS,
    LEAST_SAMPLES,
    SAMPLES,
    LightFinding,
    LightSamples,
    check_light,
)

Look = Callable[[Any, float], Any]


@pytest.fixture(scope="module")
def picture() -> Any:
    return bare()


@pytest.fixture(scope="module")
def mat(picture: Any) -> MatCalibration:
    return calibrate_from_markers(picture)


def seen(picture: Any, look: Look | None = None, *, count: int = SAMPLES) -> LightSamples:
    samples = LightSamples()
    for index in range(count):
        samples.add(picture if look is None else look(picture, index / FPS))
    return samples


def judged(picture: Any, mat: MatCalibration, look: Look | None = None) -> dict[str, LightFinding]:
    return {f.kind: f for f in check_light(seen(picture, look), mat, fov_deg=34.5)}


def test_good_light_is_good(picture: Any, mat: MatCalibration):
    found = judged(picture, mat)
    assert list(found) == list(KINDS)
    assert {f.verdict for f in found.values()} == {"good"}
    assert all(f.places == () and f.advice("de") == "" for f in found.values())


@pytest.mark.parametrize(
    ("look", "kind"),
    [
        (dark, "dark"),
        (dark, "contrast"),
        (glare, "glare"),
        (shaded, "uneven"),
        (flicker, "flicker"),
        (blurred, "blur"),
    ],
)
def test_each_fault_is_told_with_its_place_and_what_to_do(
    picture: Any, mat: MatCalibration, look: Look, kind: str
):
    found = judged(picture, mat, look)[kind]
    assert found.verdict == "bad"
    assert found.places
    assert found.advice("de") != found.advice("en") != ""


def test_glare_is_where_the_lamp_is_mirrored(picture: Any, mat: MatCalibration):
    (spot,) = judged(picture, mat, glare)["glare"].places
    height, width = picture.shape[:2]
    assert spot.mean(axis=0) == pytest.approx([0.45 * width, 0.5 * height], abs=0.03 * width)


def test_glare_alone_makes_no_shade_of_the_rest(picture: Any, mat: MatCalibration):
    found = judged(picture, mat, glare)
    assert found["uneven"].verdict == "good"


def test_a_mat_that_is_all_burnt_out_is_not_judged_by_its_shade(picture: Any, mat: MatCalibration):
    found = judged(picture, mat, lambda p, t_s: np.clip(p.astype(int) + 240, 0, 255).astype("u1"))
    assert found["glare"].verdict == "bad"
    assert found["uneven"].verdict == "good"


def test_shade_is_where_no_light_comes(picture: Any, mat: MatCalibration):
    places = judged(picture, mat, shaded)["uneven"].places
    middles = np.array([place.mean(axis=0) for place in places])
    assert len(places) > 10
    assert (middles[:, 0] < picture.shape[1] / 3 + 20).all()


def test_bands_of_a_lamp_lie_across_the_mat(picture: Any, mat: MatCalibration):
    bands = judged(picture, mat, flicker)["flicker"].places
    left, right = mat.corners_px()[:, 0].min(), mat.corners_px()[:, 0].max()
    for band in bands:
        assert band[:, 0].min() == pytest.approx(left)
        assert band[:, 0].max() == pytest.approx(right)
        assert band[:, 1].max() - band[:, 1].min() < 0.5 * picture.shape[0]


def test_flicker_shows_only_in_several_pictures(picture: Any, mat: MatCalibration):
    few = seen(picture, flicker, count=LEAST_SAMPLES - 1)
    found = {f.kind: f for f in check_light(few, mat)}
    assert (found["flicker"].value, found["flicker"].verdict) == (None, "")
    few.add(flicker(picture, 1.0))
    found = {f.kind: f for f in check_light(few, mat)}
    assert found["flicker"].verdict == "bad"


def test_a_weak_flicker_counts_as_little_as_the_motion_gate_makes_of_it(
    picture: Any, mat: MatCalibration
):
    """Half of the real lamp's depth is within what the gate allows for, a tenth is nothing."""

    def weaker(share: float) -> Look:
        return lambda p, t_s: (p + share * (flicker(p, t_s).astype(float) - p)).astype(np.uint8)

    assert judged(picture, mat, weaker(0.5))["flicker"].verdict == "usable"
    assert judged(picture, mat, weaker(0.1))["flicker"].verdict == "good"


def test_an_arm_over_half_of_the_mat_is_no_flicker(picture: Any, mat: MatCalibration):
    def arm(p: Any, t_s: float) -> Any:
        covered = p.copy()
        shown = int(400 * (t_s % 0.5))
        covered[:, 60 : 60 + shown] = (60, 90, 140)
        return covered

    assert judged(picture, mat, arm)["flicker"].verdict == "good"


def test_a_brighter_lamp_than_before_is_a_change(picture: Any, mat: MatCalibration):
    def switched(p: Any, t_s: float) -> Any:
        return p if t_s < 0.5 else (0.6 * p).astype(np.uint8)

    assert judged(picture, mat, switched)["flicker"].verdict == "bad"


def test_without_markers_sharpness_is_not_measurable_and_the_rest_is(
    picture: Any, mat: MatCalibration
):
    found = judged(picture, mat, unmarked)
    assert (found["blur"].value, found["blur"].verdict) == (None, "")
    assert found["dark"].verdict == found["uneven"].verdict == "good"


def test_pictures_of_another_size_begin_anew(picture: Any, mat: MatCalibration):
    samples = seen(picture)
    assert samples.count == SAMPLES
    samples.add(picture[::2, ::2])
    assert samples.count == 1


def test_before_the_first_picture_nothing_is_judged(mat: MatCalibration):
    assert check_light(LightSamples(), mat) == ()
