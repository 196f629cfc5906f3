"""The numbers of a calibration's quality, on pictures whose faults are known."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from test_vision_calibration import CORNERS, MAT_MM, camera_picture, mat_sheet
from test_vision_lens import PICTURE, a_lens, mat_seen

from vision.calibration import (
    calibrate_from_corners,
    calibrate_from_markers,
    refine_by_markers,
)
from vision.errors import CalibrationError
from vision.quality import RULES, VERDICTS, findings, measure, worst


def picture_of_mat() -> np.ndarray:
    return camera_picture(mat_sheet())


def verdicts(quality) -> dict[str, str]:
    return {f.rule.name: f.verdict for f in findings(quality)}


def test_pixels_per_millimetre_are_those_of_the_picture():
    square = [[60, 40], [900, 40], [900, 670], [60, 670]]  # 2 px a mm everywhere
    picture = camera_picture(mat_sheet(), square)
    quality = measure(picture, calibrate_from_markers(picture))
    assert quality.px_per_mm == pytest.approx([2.0] * 5, abs=0.02)
    assert quality.die_px == pytest.approx(32, abs=0.4)


def test_aslant_a_die_is_counted_where_it_is_seen_smallest():
    oblique = [[250, 150], [710, 150], [930, 690], [30, 690]]
    picture = camera_picture(mat_sheet(), oblique)
    quality = measure(picture, calibrate_from_markers(picture))
    middle, top_left, _, bottom_right, _ = quality.px_per_mm
    assert top_left < middle < bottom_right
    assert quality.die_px == pytest.approx(16 * min(quality.px_per_mm))
    assert quality.tilt_deg > 20
    assert verdicts(quality)["tilt_deg"] != "good"


def test_markers_fit_their_places_whatever_their_side():
    for side_mm in (20, 16):
        picture = camera_picture(mat_sheet(side_mm=side_mm))
        assert measure(picture, calibrate_from_markers(picture)).reprojection_mm < 0.25


def test_corners_pointed_at_badly_show_in_the_misfit():
    picture = picture_of_mat()
    good = calibrate_from_corners(CORNERS, MAT_MM)
    bad = calibrate_from_corners(np.add(CORNERS, [[12, 8], [0, 0], [0, 0], [0, 0]]), MAT_MM)
    assert measure(picture, good).reprojection_mm < 0.5
    quality = measure(picture, bad)
    assert quality.reprojection_mm > 1.5
    (finding,) = [f for f in findings(quality) if f.rule.name == "reprojection_mm"]
    assert finding.verdict == "bad"
    assert "Ecken genauer" in finding.advice


def test_a_bent_lens_shows_in_the_misfit_until_it_is_measured():
    lens = a_lens()
    picture, _ = mat_seen(lens)
    assert picture.shape[:2] == (PICTURE[1], PICTURE[0])
    without = measure(picture, calibrate_from_markers(picture)).reprojection_mm
    known = measure(picture, calibrate_from_markers(picture, lens=lens)).reprojection_mm
    assert known < 0.3 < 0.5 < without


def test_blur_widens_the_edges():
    picture = picture_of_mat()
    mat = calibrate_from_markers(picture)
    widths = [
        measure(cv2.GaussianBlur(picture, (0, 0), sigma), mat).sharpness_mm
        for sigma in (0.6, 1.5, 2.5)
    ]
    assert widths == sorted(widths)
    assert widths[0] < 1.5 < widths[2]


def test_dim_and_burnt_pictures_are_told():
    picture = picture_of_mat()
    mat = calibrate_from_markers(picture)
    dim = measure((picture * 0.1).astype(np.uint8), mat)
    assert dim.contrast < 50
    assert verdicts(dim)["contrast"] == "bad"
    burnt = picture.copy()
    cv2.circle(burnt, (480, 360), 150, (255, 255, 255), -1)
    assert measure(burnt, mat).overexposed == pytest.approx(np.pi * 150**2 / (860 * 640), rel=0.1)
    assert verdicts(measure(burnt, mat))["overexposed"] == "bad"
    assert measure(picture, mat).overexposed < 0.003  # the markers' own white


def test_without_markers_what_they_tell_is_not_measurable():
    blank = np.full((720, 960, 3), 120, np.uint8)
    quality = measure(blank, calibrate_from_corners(CORNERS, MAT_MM))
    assert (quality.reprojection_mm, quality.sharpness_mm) == (None, None)
    found = findings(quality)
    assert [f.value for f in found if f.rule.name == "sharpness_mm"] == [None]
    assert worst(found) == "bad"  # a grey wall has no contrast


def test_markers_of_something_else_are_not_judged():
    """A sheet of markers in the middle of the mat belongs to nobody."""
    sheet = np.full((1260, 1680, 3), 205, np.uint8)
    small = cv2.resize(mat_sheet(), None, fx=0.3, fy=0.3, interpolation=cv2.INTER_AREA)
    sheet[500 : 500 + small.shape[0], 600 : 600 + small.shape[1]] = small
    picture = cv2.resize(sheet, (960, 720), interpolation=cv2.INTER_AREA)
    mat = calibrate_from_corners([[0, 0], [960, 0], [960, 720], [0, 720]], MAT_MM)
    assert measure(picture, mat).reprojection_mm is None


@pytest.mark.parametrize("rule", RULES, ids=lambda rule: rule.name)
def test_bounds_are_ordered_and_every_side_has_its_advice(rule):
    assert rule.usable[0] <= rule.good[0] < rule.good[1] <= rule.usable[1]
    for language in ("de", "en"):
        assert rule.title[language]
        for value in (rule.usable[0] - 1, rule.usable[1] + 1):
            possible = np.isfinite(value) and value >= 0
            if possible and rule.verdict(value) == "bad":
                assert rule.advice(value, language)
    middle = min(rule.good[1], rule.good[0] + 1e-3)
    assert rule.verdict(middle) == VERDICTS[0]
    assert rule.advice(middle, "de") == ""


def test_where_two_mats_lie_corners_by_hand_are_believed():
    twice = camera_picture(mat_sheet(ids=(0, 1, 0, 3)))
    by_hand = calibrate_from_corners(CORNERS, MAT_MM)
    assert refine_by_markers(by_hand, twice) is by_hand
    assert measure(twice, by_hand).reprojection_mm is None
    with pytest.raises(CalibrationError, match="twice"):
        refine_by_markers(replace(by_hand, by_hand=False), twice)
