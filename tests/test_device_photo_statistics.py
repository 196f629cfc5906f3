"""Figures about the reader, each worked out by hand."""

import re
import xml.etree.ElementTree as ET

import pytest

from device.photo_charts import reliability_svg, risk_coverage_svg
from device.photo_score import DieScore, PhotoScore
from device.photo_statistics import (
    BANDS,
    Point,
    Share,
    by_size,
    calibration_error,
    reliability,
    risk_coverage,
    wilson,
    working_point,
    worst,
)

BOX = (0.0, 0.0, 9.0, 9.0)


def die(true: int | None, read: int | None, score: float = 0.5, side: float = 30.0) -> DieScore:
    return DieScore(true, read, score if read else 0.0, side_px=side, box=BOX)


def photo(score: float, *, right: bool, sure: bool = False) -> PhotoScore:
    return PhotoScore((die(1, 1, score),), right=right, sure=sure, confidence=score)


def test_dice_fall_into_bands_by_their_side() -> None:
    dice = [
        die(1, 1, side=15.9),
        die(1, 2, side=16),
        die(1, None, side=23.9),
        die(1, 1, side=24),
        die(1, 1, side=64),
        die(None, 1, side=64),  # no die: counts nowhere
        DieScore(1, 1),  # of unknown side
    ]
    shares = by_size(dice)
    assert tuple(shares) == BANDS == ("<16", "16-24", "24-32", "32-48", "48-64", ">=64")
    assert [(s.right, s.total) for s in shares.values()] == [
        (1, 1),
        (0, 2),
        (1, 1),
        (0, 0),
        (0, 0),
        (1, 1),
    ]


def test_wilsons_interval() -> None:
    # p = 0.8, n = 10, z = 1.96: middle (0.8 + 0.19208) / 1.38416 = 0.71674,
    # half 1.96 / 1.38416 * sqrt(0.016 + 0.009604) = 0.22658.
    assert wilson(Share(8, 10)) == pytest.approx((0.49016, 0.94332), abs=2e-5)
    assert wilson(Share(0, 0)) == (0.0, 1.0)
    assert wilson(Share(10, 10))[1] == pytest.approx(1.0)
    assert wilson(Share(0, 10))[0] == pytest.approx(0.0)


def test_scores_are_held_against_what_came_true() -> None:
    dice = [
        die(1, 1, 0.90),
        die(1, 1, 1.00),
        die(1, 2, 0.95),
        die(None, 3, 0.15),
        die(4, None),  # missed: has no score
    ]
    bins = reliability(dice)
    assert [b.share.total for b in bins] == [0, 1, 0, 0, 0, 0, 0, 0, 0, 3]
    assert (bins[9].low, bins[9].high, bins[9].share.right) == (0.9, 1.0, 2)
    assert bins[9].mean_score == pytest.approx(0.95)
    assert bins[0].mean_score == pytest.approx(0.05)
    # (3 * |2/3 - 0.95| + 1 * |0 - 0.15|) / 4 = (0.85 + 0.15) / 4
    assert calibration_error(bins) == pytest.approx(0.25)
    assert calibration_error([]) == 0.0


def test_risk_grows_with_coverage_and_equals_come_together() -> None:
    photos = [
        photo(0.5, right=True),
        photo(0.9, right=False),
        photo(0.9, right=True),
        PhotoScore((die(1, None),)),
    ]
    assert risk_coverage(photos) == [
        Point(0.9, 0.5, 0.5),
        Point(0.5, 0.75, pytest.approx(1 / 3)),
        Point(0.0, 1.0, 0.5),
    ]
    assert risk_coverage([]) == []


def test_the_working_point_is_what_nobody_would_be_asked_about() -> None:
    photos = [
        photo(0.9, right=True, sure=True),
        photo(0.8, right=False, sure=True),
        photo(0.7, right=False),
        photo(0.6, right=True),
    ]
    assert working_point(photos) == (0.5, 0.5)
    assert working_point([]) == (0.0, 0.0)


def test_the_worst_failures_are_the_sure_ones_and_the_large_ones() -> None:
    first = PhotoScore((die(1, 2, 0.4), die(1, 1, 0.99), die(3, None, side=10)))
    second = PhotoScore((die(None, 5, 0.7), die(2, None, side=50), DieScore(6, None)))
    found = [(n, d.true, d.read) for n, d in worst([first, second], 9)]
    assert found == [(1, None, 5), (0, 1, 2), (1, 2, None), (0, 3, None)]
    assert [d.read for _, d in worst([first, second], 2)] == [5, None]
    assert [d.read for _, d in worst([first], 9)] == [2, None]
    many_missed = PhotoScore(tuple(die(1, None, side=side) for side in (3, 1, 2)))
    assert [d.side_px for _, d in worst([many_missed], 2)] == [3, 2]
    many_wrong = PhotoScore(tuple(die(1, 2, score) for score in (0.1, 0.3, 0.2)))
    assert [d.score for _, d in worst([many_wrong], 2)] == [0.3, 0.2]


def points(svg: str) -> list[list[float]]:
    (path,) = re.findall(r'<polyline points="([^"]*)"', svg)
    return [[float(number) for number in pair.split(",")] for pair in path.split()]


def test_the_diagrams_are_drawings_with_the_figures_in_them() -> None:
    svg = reliability_svg(reliability([die(1, 1, 0.95), die(1, 2, 0.95), die(1, 1, 0.15)]))
    assert ET.fromstring(svg).tag.endswith("svg")
    # |1/2 - 0.95| * 2 / 3 + |1 - 0.15| / 3
    assert "3 dice read; calibration error 58.3 %" in svg
    assert svg.count("<circle") == 2
    # Halfway up the axis from 356 to 48, at 95 % of the way from 64 to 500.
    assert '<circle cx="478.2" cy="202.0"' in svg

    svg = risk_coverage_svg([Point(0.9, 0.5, 0.0), Point(0.1, 1.0, 0.09)], (0.5, 0.0))
    ET.fromstring(svg)
    assert "sure: 50.0 % of the photographs, 0.0 % of them wrong" in svg
    # The axis ends at 10 %: 0.09 is nine tenths of the way up.
    assert points(svg) == [[282.0, 356.0], [500.0, pytest.approx(78.8)]]
    assert ">10 %<" in svg
    ET.fromstring(risk_coverage_svg([], (0.0, 0.0)))
