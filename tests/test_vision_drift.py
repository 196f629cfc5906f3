"""A bumped camera and a moved mat are noticed within two seconds, and found again."""

import functools
from collections.abc import Callable, Sequence

import cv2
import numpy as np
import pytest

from device import demo_material
from device.sources import VideoSource
from vision.calibration import (
    MatCalibration,
    calibrate_from_corners,
    calibrate_from_markers,
)
from vision.drift import HIDDEN, MOVED, OK, RESIZED, DriftWatch, Sighting
from vision.drift_places import anchored
from vision.errors import PictureError
from vision.markers import marker_centres_mm

FPS = 10.0
Picture = np.ndarray
POINTS_MM = [[60, 60], [160, 150], [300, 250], [380, 80]]


@pytest.fixture(scope="module")
def picture() -> Picture:
    """A rendered pub table seen aslant, 960 x 720."""
    with VideoSource(demo_material.clip()) as source:
        return next(iter(source)).image_bgr


@pytest.fixture(scope="module")
def mat(picture: Picture) -> MatCalibration:
    return calibrate_from_markers(picture)


@functools.cache
def grain(number: int, shape: tuple[int, ...]) -> np.ndarray:
    return np.random.default_rng(number).normal(0, 5, shape).round().astype(np.int16)


def noisy(picture: Picture, number: int) -> Picture:
    return np.asarray(cv2.add(picture, grain(number % 3, picture.shape), dtype=cv2.CV_8U), np.uint8)


def bumped(
    picture: Picture, dx: float, dy: float = 0.0, degrees: float = 0.0, scale: float = 1.0
) -> tuple[Picture, np.ndarray]:
    """What the camera sees after a push, and the (3, 3) map of its pixels."""
    height, width = picture.shape[:2]
    matrix = np.eye(3)
    matrix[:2] = cv2.getRotationMatrix2D((width / 2, height / 2), degrees, scale)
    matrix[:2, 2] += (dx, dy)
    moved = cv2.warpPerspective(
        picture, matrix, (width, height), borderMode=cv2.BORDER_CONSTANT, borderValue=(60, 50, 40)
    )
    return np.asarray(moved, np.uint8), matrix


def covered(picture: Picture, mat: MatCalibration, *places: int) -> Picture:
    """Sleeves over some of the markers."""
    hidden, at = picture.copy(), marker_centres_mm(mat.mat_size_mm)
    for place in places:
        centre = mat.to_px([at[place]])[0].round().astype(int).tolist()
        cv2.circle(hidden, centre, 45, (90, 60, 50), cv2.FILLED)
    return hidden


def watch(
    drift: DriftWatch, show: Callable[[float], Picture], *, until_s: float, from_s: float = 0.0
) -> list[tuple[float, Sighting]]:
    """What it says of `show(t)`, frame by frame."""
    numbers = range(round(from_s * FPS), round(until_s * FPS) + 1)
    return [(n / FPS, drift.look(noisy(show(n / FPS), n), n / FPS)) for n in numbers]


def told(seen: Sequence[tuple[float, Sighting]], state: str) -> float:
    """When a state was told first."""
    return next(at_s for at_s, sighting in seen if sighting.state == state)


def test_a_mat_that_lies_still_is_in_place(picture: Picture, mat: MatCalibration) -> None:
    drift = DriftWatch(mat, picture)
    assert anchored(mat, picture).printed
    assert drift.can_tell
    seen = watch(drift, lambda t: picture, until_s=3)
    assert all(s == Sighting(in_place=True, state=OK, since_s=t) for t, s in seen)


PUSHES = [(6, 0, 0.0), (-20, 14, 0.0), (0, 0, 1.2), (35, -25, 3.0), (-60, 10, 8.0)]


@pytest.mark.parametrize(("dx", "dy", "degrees"), PUSHES)
def test_a_bumped_camera_is_noticed_and_the_mat_found_again(
    picture: Picture, mat: MatCalibration, dx: float, dy: float, degrees: float
) -> None:
    # Seen from a bit farther away, so that the mat stays in the picture.
    start, _ = bumped(picture, 0, 0, scale=0.8)
    lies = calibrate_from_markers(start)
    after, _ = bumped(picture, dx, dy, degrees, scale=0.8)
    seen = watch(DriftWatch(lies, start), lambda t: start if t < 1 else after, until_s=4)
    assert all(s.in_place for t, s in seen if t < 1)
    noticed_s = told(seen, MOVED)
    assert noticed_s - 1 <= 1.1, "within two seconds"
    found_s, found = next((t, s) for t, s in seen if s.mat is not None)
    assert found_s - 1 < 2
    assert not any(s.in_place for t, s in seen if 1 <= t < found_s)
    assert all(s.in_place and s.state == OK for t, s in seen if t >= found_s)
    assert found.mat is not None
    true = calibrate_from_markers(after)
    strayed = found.mat.to_mm(true.to_px(POINTS_MM)) - POINTS_MM
    assert np.hypot(*strayed.T).max() < 0.5
    at_mm = marker_centres_mm()
    pushed_mm = np.hypot(*(lies.to_mm(true.to_px(at_mm)) - at_mm).T).mean()
    assert found.shift_mm == pytest.approx(pushed_mm, rel=0.25)


def test_a_mat_turned_round_is_the_same_mat(picture: Picture, mat: MatCalibration) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    after, _ = bumped(picture, 0, 0, 180.0, scale=0.8)
    drift = DriftWatch(calibrate_from_markers(start), start)
    seen = watch(drift, lambda t: start if t < 0.5 else after, until_s=3)
    found = next(s.mat for _, s in seen if s.mat is not None)
    assert told(seen, MOVED) < 2
    assert (
        np.abs(found.to_mm(calibrate_from_markers(after).to_px(POINTS_MM)) - POINTS_MM).max() < 0.5
    )


@pytest.mark.parametrize("shift_px", [0.5, 1.0, 1.8])
def test_less_than_a_millimetre_is_no_move(
    picture: Picture, mat: MatCalibration, shift_px: float
) -> None:
    after, _ = bumped(picture, shift_px)
    px_per_mm = np.hypot(*(mat.to_px([[210, 150]]) - mat.to_px([[211, 150]])).T)[0]
    assert shift_px / px_per_mm < 1.0
    seen = watch(DriftWatch(mat, picture), lambda t: after, until_s=2)
    assert all(s.in_place for _, s in seen)


def test_a_mat_that_creeps_is_noticed_when_it_matters(
    picture: Picture, mat: MatCalibration
) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    lies = calibrate_from_markers(start)

    def creeps(t: float) -> Picture:
        return bumped(picture, 1.5 * min(t, 6.0), scale=0.8)[0]

    seen = watch(DriftWatch(lies, start), creeps, until_s=9)
    assert seen[-1][1].in_place
    assert any(s.mat is not None for _, s in seen)
    read_mm = [
        float(np.abs(lies.to_mm(bumped_px(lies, 1.5 * t)) - POINTS_MM).max())
        for t, s in seen
        if s.in_place and t < told(seen, MOVED)
    ]
    assert max(read_mm) < 2.0, "never read where a die would seem to have moved"


def bumped_px(mat: MatCalibration, dx: float) -> np.ndarray:
    return mat.to_px(POINTS_MM) + np.array([dx, 0.0])


@pytest.mark.parametrize("places", [(0,), (1, 2), (0, 1, 3)])
def test_hands_over_markers_are_no_move(
    picture: Picture, mat: MatCalibration, places: tuple[int, ...]
) -> None:
    hand = covered(picture, mat, *places)
    seen = watch(DriftWatch(mat, picture), lambda t: hand if 1 < t < 4 else picture, until_s=5)
    assert all(s.in_place and s.state == OK for _, s in seen)


def test_a_bump_that_swings_back_only_pauses(picture: Picture, mat: MatCalibration) -> None:
    away, _ = bumped(picture, 15, 10)
    seen = watch(DriftWatch(mat, picture), lambda t: away if 1 <= t < 1.8 else picture, until_s=3)
    assert {s.state for _, s in seen} == {OK}
    assert [s.in_place for _, s in seen].count(False) == 8
    assert not any(s.mat for _, s in seen)


def test_a_camera_that_still_swings_is_not_anchored(picture: Picture, mat: MatCalibration) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    lies = calibrate_from_markers(start)

    def swings(t: float) -> Picture:
        if t < 0.5:
            return start
        return bumped(picture, 20 + (12 * np.sin(9 * t) if t < 3.5 else 0), scale=0.8)[0]

    seen = watch(DriftWatch(lies, start), swings, until_s=5.5)
    assert not any(s.in_place for t, s in seen if 0.6 < t < 3.5)
    assert seen[-1][1].in_place


@pytest.mark.parametrize("how", ["all covered", "newspaper", "blocks", "white"])
def test_a_mat_that_cannot_be_made_out_is_hidden_and_comes_back(
    picture: Picture, mat: MatCalibration, how: str
) -> None:
    rng = np.random.default_rng(5)
    blocks = rng.integers(0, 256, (45, 60, 3), np.uint8).repeat(16, 0).repeat(16, 1)
    pictures = {
        "all covered": covered(picture, mat, 0, 1, 2, 3),
        "newspaper": np.full_like(picture, 190),
        "blocks": blocks,
        "white": np.full_like(picture, 255),
    }
    hidden = pictures[how]
    seen = watch(DriftWatch(mat, picture), lambda t: hidden if 1 <= t < 4 else picture, until_s=5)
    assert told(seen, HIDDEN) <= 2.1
    assert not any(s.in_place for t, s in seen if 1 <= t < 4)
    assert all(s.in_place and s.state == OK for t, s in seen if t >= 4)
    assert not any(s.mat for _, s in seen)


def test_another_size_of_picture_is_anchored_by_the_markers(
    picture: Picture, mat: MatCalibration
) -> None:
    """The smaller one also shows less of the table: only the markers can tell."""
    small = cv2.resize(picture[10:700, 10:950], (800, 600), interpolation=cv2.INTER_AREA)
    drift = DriftWatch(mat, picture)
    seen = watch(drift, lambda t: picture if t < 1 else small, until_s=4)
    assert told(seen, RESIZED) <= 2.1
    found = next(s.mat for _, s in seen if s.mat is not None)
    true = calibrate_from_markers(np.asarray(small, np.uint8))
    assert np.abs(found.to_mm(true.to_px(POINTS_MM)) - POINTS_MM).max() < 0.5


def by_hand(picture: Picture, mat: MatCalibration) -> tuple[Picture, MatCalibration]:
    """The mat without its markers, its corners set by hand."""
    bare = covered(picture, mat, 0, 1, 2, 3)
    return bare, calibrate_from_corners(mat.corners_px(), mat.mat_size_mm)


def test_a_mat_without_markers_is_followed_by_its_corners(
    picture: Picture, mat: MatCalibration
) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    bare, lies = by_hand(start, calibrate_from_markers(start))
    drift = DriftWatch(lies, bare)
    assert not anchored(lies, bare).printed
    assert drift.can_tell
    after, push = bumped(bare, 9, -6, 0.5)
    seen = watch(drift, lambda t: bare if t < 1 else after, until_s=4)
    assert told(seen, MOVED) <= 2.1
    found = next(s.mat for _, s in seen if s.mat is not None)
    true_px = cv2.perspectiveTransform(lies.to_px(POINTS_MM)[None], push)[0]
    assert np.abs(found.to_mm(true_px) - POINTS_MM).max() < 1.0


def test_a_mat_without_markers_is_scaled_with_the_picture(
    picture: Picture, mat: MatCalibration
) -> None:
    bare, lies = by_hand(picture, mat)
    half = np.asarray(cv2.resize(bare, (480, 360), interpolation=cv2.INTER_AREA), np.uint8)
    seen = watch(DriftWatch(lies, bare), lambda t: bare if t < 1 else half, until_s=4)
    found = next(s.mat for _, s in seen if s.mat is not None)
    assert np.abs(found.to_mm(lies.to_px(POINTS_MM) / 2) - POINTS_MM).max() < 1e-6
    wide = np.asarray(cv2.resize(bare, (640, 360)), np.uint8)
    seen = watch(DriftWatch(lies, bare), lambda t: bare if t < 1 else wide, until_s=4)
    assert seen[-1][1].state == RESIZED
    assert not any(s.mat for _, s in seen)


def test_without_anything_to_go_by_it_says_so() -> None:
    plain = np.full((720, 960, 3), 70, np.uint8)
    lies = calibrate_from_corners([[34, 25], [926, 25], [926, 694], [34, 694]], (420.0, 315.0))
    drift = DriftWatch(lies, plain)
    assert not drift.can_tell
    assert all(s.in_place for _, s in watch(drift, lambda t: plain, until_s=1))


def test_what_is_no_picture_is_refused(picture: Picture, mat: MatCalibration) -> None:
    with pytest.raises(PictureError):
        DriftWatch(mat, picture).look(np.zeros((0, 0, 3), np.uint8), 0.0)
