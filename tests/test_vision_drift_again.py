"""Pushes that are hard to see: about a corner, behind a lens, of a picture of another size."""

from dataclasses import replace

import cv2
import numpy as np
import pytest
from test_vision_lens import a_lens, mat_seen
from vision_filmed import MAT, frame, watcher

from device import demo_material
from device.sources import VideoSource
from vision.calibration import (
    MatCalibration,
    calibrate_from_corners,
    calibrate_from_markers,
    refine_by_markers,
)
from vision.drift import MOVED, RESIZED, DriftWatch
from vision.drift_places import anchored, moved_by, placed
from vision.errors import CalibrationError
from vision.lens import Lens
from vision.markers import marker_centres_mm
from vision.mat_view import rectify

Picture = np.ndarray


@pytest.fixture(scope="module")
def start() -> Picture:
    """A rendered table from a bit farther away, so that a turned mat stays in the picture."""
    with VideoSource(demo_material.clip()) as source:
        image = next(iter(source)).image_bgr
    height, width = image.shape[:2]
    matrix = cv2.getRotationMatrix2D((width / 2, height / 2), 0.0, 0.7)
    return np.asarray(cv2.warpAffine(image, matrix, (width, height)), np.uint8)


@pytest.mark.parametrize("degrees", [3.0, 5.0, 7.0])
def test_a_mat_turned_about_one_of_its_corners_is_noticed(start: Picture, degrees: float) -> None:
    mat = calibrate_from_markers(start)
    pivot = mat.to_px(marker_centres_mm()[:1])[0]
    matrix = cv2.getRotationMatrix2D(pivot.tolist(), degrees, 1.0)
    turned = np.asarray(cv2.warpAffine(start, matrix, start.shape[1::-1]), np.uint8)
    drift = DriftWatch(mat, start)
    seen = [drift.look(turned, number / 10) for number in range(25)]
    assert not seen[0].in_place
    assert MOVED in {sighting.state for sighting in seen}
    assert any(sighting.mat is not None for sighting in seen)


def test_places_seen_through_a_lens_are_straightened() -> None:
    size = (960, 720)
    camera = np.array([[800.0, 0, 480], [0, 800.0, 360], [0, 0, 1]])
    lens = Lens(camera, np.array([-0.25, 0.0, 0.0, 0.0, 0.0]), size, 0.1)
    mat = replace(calibrate_from_corners([[150, 90], [800, 95], [810, 610], [140, 600]],
                                         (420.0, 315.0)), lens=lens)  # fmt: skip
    places_mm = marker_centres_mm()
    pushed_px = mat.to_px(places_mm) + np.array([9.0, -6.0])
    found = placed(mat, pushed_px, places_mm, size)
    assert isinstance(found, MatCalibration)
    np.testing.assert_allclose(found.to_mm(pushed_px), places_mm, atol=0.05)


def test_the_four_places_are_seen_through_the_lens() -> None:
    """As a camera without one sees them: markers in the middle, straight."""
    bent, _ = mat_seen(a_lens())
    flat, _ = mat_seen(a_lens([0.0] * 5))
    through = anchored(calibrate_from_markers(bent, lens=a_lens()), bent)
    straight = anchored(calibrate_from_markers(flat), flat)
    assert through.printed
    for patch, wanted in zip(through.patches, straight.patches, strict=True):
        assert float(cv2.matchTemplate(patch, wanted, cv2.TM_CCOEFF_NORMED)[0, 0]) > 0.9


def test_a_push_behind_a_lens_is_measured_in_millimetres() -> None:
    lens = a_lens()
    picture, _ = mat_seen(lens)
    mat = calibrate_from_markers(picture, lens=lens)
    anchors = anchored(mat, picture)
    pushed_px = mat.to_px(anchors.places_mm + np.array([8.0, -5.0]))
    for place, (x, y) in enumerate((pushed_px - mat.to_px(anchors.places_mm)).tolist()):
        matrix = np.array([[1, 0, x], [0, 1, y]])
        pushed = cv2.warpAffine(picture, matrix, picture.shape[1::-1])
        moved_mm = moved_by(np.asarray(pushed, np.uint8), anchors, place, 16.0)
        np.testing.assert_allclose(moved_mm, [8.0, -5.0], atol=0.4)


@pytest.mark.parametrize("printed", [True, False])
def test_a_lens_is_scaled_with_the_picture(printed: bool) -> None:
    lens = a_lens()
    picture, _ = mat_seen(lens)
    mat = calibrate_from_markers(picture, lens=lens)
    if not printed:
        for place in mat.to_px(marker_centres_mm()).round().astype(int).tolist():
            cv2.circle(picture, place, 45, (90, 60, 50), cv2.FILLED)
    half = np.asarray(cv2.resize(picture, (640, 480), interpolation=cv2.INTER_AREA), np.uint8)
    drift = DriftWatch(mat, picture)
    seen = [drift.look(half, number / 10) for number in range(25)]
    found = next(sighting.mat for sighting in seen if sighting.mat is not None)
    assert rectify(half, found).shape == rectify(picture, mat).shape
    points_mm = np.array([[60.0, 60.0], [210, 157], [360, 280]])
    np.testing.assert_allclose(found.to_px(points_mm) * 2, mat.to_px(points_mm), atol=2.0)


def test_a_picture_of_another_shape_was_not_seen_by_the_measured_lens() -> None:
    lens = a_lens()
    picture, _ = mat_seen(lens)
    drift = DriftWatch(calibrate_from_markers(picture, lens=lens), picture)
    wide = np.asarray(cv2.resize(picture, (1280, 720), interpolation=cv2.INTER_AREA), np.uint8)
    seen = [drift.look(wide, number / 10) for number in range(25)]
    assert seen[-1].state == RESIZED
    assert not any(sighting.mat for sighting in seen)


def test_another_size_is_told_even_where_nothing_shows_a_push() -> None:
    dark = np.full((720, 960, 3), 20, np.uint8)
    mat = calibrate_from_corners([[150, 90], [800, 95], [810, 610], [140, 600]], (420.0, 315.0))
    drift = DriftWatch(mat, dark)
    assert not drift.can_tell
    assert drift.look(dark, 0.0).in_place
    seen = [drift.look(dark[::2, ::2].copy(), 1 + number / 10) for number in range(15)]
    assert not seen[0].in_place
    assert RESIZED in {sighting.state for sighting in seen}


@pytest.mark.usefixtures("colours_as_they_are")
def test_dice_stay_as_large_as_they_were_measured_when_the_mat_is_found_anew() -> None:
    eye = watcher()
    eye.receive(frame(), 0.0)
    eye.mat = replace(eye.mat, die_mm=22.0, die_measured=True)
    eye.anchor(MAT)
    assert (eye.mat.die_mm, eye.mat.die_measured) == (22.0, True)


def test_a_calibration_by_markers_is_not_believed_while_one_of_them_is_hidden(
    start: Picture,
) -> None:
    mat = calibrate_from_markers(start)
    hidden = start.copy()
    corner = mat.to_px(marker_centres_mm()[2:3])[0].round().astype(int)
    cv2.circle(hidden, corner.tolist(), 40, (90, 60, 50), cv2.FILLED)
    with pytest.raises(CalibrationError, match="must all be visible"):
        refine_by_markers(mat, hidden)
    pointed_out = replace(mat, by_hand=True)
    assert refine_by_markers(pointed_out, hidden) is pointed_out
