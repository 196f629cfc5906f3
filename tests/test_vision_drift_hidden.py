"""A push while hands are over the markers: three of them tell where the mat is."""

import cv2
import numpy as np
import pytest
from test_vision_drift import POINTS_MM, Picture, bumped, covered, picture, told, watch

from vision.calibration import calibrate_from_markers
from vision.drift import MOVED, DriftWatch

__all__ = ["picture"]


@pytest.mark.parametrize(("dx", "dy", "degrees"), [(25, 5, 0.0), (-20, 14, 1.2), (35, -25, 3.0)])
@pytest.mark.parametrize("place", [0, 2])
def test_with_a_hand_over_one_marker_the_other_three_tell_where_the_mat_is(
    picture: Picture, dx: float, dy: float, degrees: float, place: int
) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    after, _ = bumped(picture, dx, dy, degrees, scale=0.8)
    true = calibrate_from_markers(after)
    hand = covered(after, true, place)
    shows = lambda t: start if t < 1 else hand if t < 4 else after  # noqa: E731
    drift = DriftWatch(calibrate_from_markers(start), start)
    seen = watch(drift, shows, until_s=6)
    assert told(seen, MOVED) <= 2.1
    found_s, found = next((t, s) for t, s in seen if s.mat is not None)
    assert found_s < 3
    assert found.mat is not None
    strayed = found.mat.to_mm(true.to_px(POINTS_MM)) - POINTS_MM
    assert np.hypot(*strayed.T).max() < 1.0
    assert all(s.in_place for t, s in seen if t >= found_s), "with the hand and after it"
    again, _ = bumped(picture, dx + 20, dy, degrees, scale=0.8)
    later = watch(drift, lambda _: again, from_s=6.1, until_s=9)
    assert told(later, MOVED) <= 7.3, "it can be pushed again"
    assert later[-1][1].in_place


def test_with_hands_over_two_markers_a_bump_is_noticed_and_waits_for_them(
    picture: Picture,
) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    lies = calibrate_from_markers(start)
    after, _ = bumped(picture, 25, 5, scale=0.8)
    hand = covered(after, calibrate_from_markers(after), 2, 3)
    shows = lambda t: start if t < 1 else hand if t < 4 else after  # noqa: E731
    seen = watch(DriftWatch(lies, start), shows, until_s=6)
    assert told(seen, MOVED) <= 2.1
    assert all(s.state == MOVED and not s.in_place for t, s in seen if 2.2 < t < 4)
    assert seen[-1][1].in_place


def test_three_markers_that_show_a_bent_view_are_not_enough(picture: Picture) -> None:
    start, _ = bumped(picture, 0, 0, scale=0.8)
    lies = calibrate_from_markers(start)
    corners = np.array([[0, 0], [960, 0], [960, 720], [0, 720]], np.float32)
    bent = np.array([[40, 30], [900, 0], [960, 720], [0, 700]], np.float32)
    matrix = cv2.getPerspectiveTransform(corners, bent)
    after = np.asarray(cv2.warpPerspective(start, matrix, (960, 720)), np.uint8)
    hand = covered(after, calibrate_from_markers(after), 2)
    shows = lambda t: start if t < 1 else hand if t < 4 else after  # noqa: E731
    seen = watch(DriftWatch(lies, start), shows, until_s=6)
    assert not any(s.mat for t, s in seen if t < 4)
    assert seen[-1][1].in_place
