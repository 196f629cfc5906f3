"""Looks of two scales at one picture: what the turned ones missed, the first one may have seen."""

import numpy as np
import pytest

from vision.detections import BURNING, Detections
from vision.votes import cluster_looks, with_overlooked

PLACE = (100.0, 100.0, 140.0, 140.0)
BESIDE = (88.0, 104.0, 128.0, 144.0)
ELSEWHERE = (300.0, 100.0, 340.0, 140.0)
FIRST = 4
"""Number of the look of the other scale."""


def found(*things: tuple[tuple[float, ...], float], class_id: int = 2) -> Detections:
    boxes, scores = [box for box, _ in things], [score for _, score in things]
    return Detections.of(boxes, scores, [class_id] * len(things))


def places(turned: list[Detections], first: Detections) -> list[tuple[float, ...]]:
    clusters = with_overlooked(cluster_looks(turned), first, look=FIRST)
    return sorted(tuple(float(side) for side in cluster.box) for cluster in clusters)


def test_what_only_the_first_look_found_is_added_as_a_die_of_no_value() -> None:
    turned = [found((PLACE, 0.8))] * 4
    clusters = with_overlooked(
        cluster_looks(turned), found((PLACE, 0.5), (ELSEWHERE, 0.4)), look=FIRST
    )
    assert [cluster.looks for cluster in clusters] == [[0, 1, 2, 3], [FIRST]]
    assert clusters[1].classes == [0]
    assert clusters[1].scores == pytest.approx([0.4])


def test_a_burning_die_stays_one() -> None:
    (cluster,) = with_overlooked([], found((PLACE, 0.5), class_id=BURNING), look=FIRST)
    assert cluster.classes == [BURNING]


def test_one_faint_box_beside_a_die_does_not_stand_for_it() -> None:
    turned = [found((BESIDE, 0.1)), *[found()] * 3]
    assert places(turned, found((PLACE, 0.3))) == [PLACE]


@pytest.mark.parametrize(
    "turned",
    [
        [found((BESIDE, 0.1))] * 2 + [found()] * 2,
        [found((BESIDE, 0.4)), *[found()] * 3],
        [found((BESIDE, 0.1), class_id=BURNING), *[found()] * 3],
    ],
    ids=["two looks saw it", "one look saw it more clearly", "one look saw it burning"],
)
def test_what_the_turned_looks_saw_better_stays_where_they_saw_it(turned: list[Detections]) -> None:
    (place,) = places(turned, found((PLACE, 0.3)))
    assert np.allclose(place, BESIDE)
