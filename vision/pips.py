"""Counting pips: from places where a pip may be to the probability of every value.

A network marks the pips of a die's top face (`vision.readers.PipCounter`); nothing in it knows
values. Each mark is a pip with some probability, so their number follows a Poisson binomial
distribution (Wang 1993, "On the number of successes in independent trials"), and k pips must lie
the way k pips do on a die. A pip lost in a glare therefore does not turn a six into a five: five
of six pips are no quincunx.
"""

from dataclasses import dataclass
from functools import cache

import numpy as np
from numpy.typing import NDArray

MOST = 6
MARKS = 10
"""Marks looked at per die; the weakest beyond are ignored."""
LEAST_MARK = 0.03
SLACK = 0.16
"""How far a pip may lie from its place, as a share of the pips' distance (perspective, worn dice,
cells of the map): the standard deviation of the layout's plausibility."""
CONSTRAINTS = (0, 0, 2, 2, 4, 6)
"""How many numbers of the places of 1 to 6 pips follow from the others: the middle of a three (x,
y), a fourth corner, both for a five, a corner and two pips in the middle of edges for a six."""
EVIDENCE = 1.6
"""How much likelier marks are to be pips for each such number that fits: strewn marks would seldom
lie so. A normal density of `SLACK` against an even one over the face gives 2.5; marks of one die
are not independent, and on photographs 1.6 to 2.0 read best (`models/EXPERIMENTS.md`)."""

Points = NDArray[np.float64]


@dataclass(frozen=True)
class Marks:
    """Possible pips of one die: places (M, 2) as shares of the crop, probabilities (M,)."""

    places: Points
    chances: NDArray[np.float64]


def marks_of(heat: NDArray[np.float32]) -> Marks:
    """The local peaks of one map.

    Args:
        heat: (S, S) probability of a pip at each cell, 0..1.

    Returns:
        At most `MARKS` peaks, the clearest first, placed to a fraction of a cell.
    """
    padded = np.pad(heat, 1)
    size = heat.shape[0]
    around = np.stack(
        [padded[y : y + size, x : x + size] for y in range(3) for x in range(3) if (y, x) != (1, 1)]
    )
    rows, columns = np.nonzero((heat > around.max(axis=0)) & (heat >= LEAST_MARK))
    best = np.argsort(-heat[rows, columns])[:MARKS]
    rows, columns = rows[best], columns[best]
    shift_x = _offset(padded[rows + 1, columns], heat[rows, columns], padded[rows + 1, columns + 2])
    shift_y = _offset(padded[rows, columns + 1], heat[rows, columns], padded[rows + 2, columns + 1])
    places = np.stack([columns + 0.5 + shift_x, rows + 0.5 + shift_y], axis=1) / size
    return Marks(places, np.asarray(heat[rows, columns], np.float64))


def _offset(
    before: NDArray[np.float32], peak: NDArray[np.float32], after: NDArray[np.float32]
) -> NDArray[np.float64]:
    """Where between cells a peak lies: the vertex of a parabola, -0.5..0.5."""
    bend = 2 * peak - before - after
    with np.errstate(divide="ignore", invalid="ignore"):
        shift = np.where(bend > 1e-6, (after - before) / (2 * bend), 0.0)
    return np.asarray(np.clip(shift, -0.5, 0.5), np.float64)


def count_chances(chances: NDArray[np.float64]) -> NDArray[np.float64]:
    """P(0 pips), P(1), ... of independent marks: (M,) to (M + 1,), sums to 1."""
    total = np.ones(1)
    for chance in chances:
        total = np.convolve(total, [1 - chance, chance])
    return total


def layout_error(places: Points) -> float:
    """How badly K points lie as the pips of the value K: 0 is perfect.

    What holds in every oblique view of a flat face is asked for (affine invariants): a three is a
    line with its middle in the middle, a four a parallelogram, a five a parallelogram around a
    pip, a six two such lines.

    Args:
        places: (K, 2), K 1..6.

    Returns:
        The largest distance of a pip from where the others want it / the points' mean distance
        from their centre.
    """
    if len(places) < 3:
        return 0.0
    centre = places.mean(axis=0)
    reach = float(np.linalg.norm(places - centre, axis=1).mean()) or 1.0
    return _worst_place(places, centre) / reach


def _worst_place(places: Points, centre: Points) -> float:
    if len(places) % 2:  # 3 and 5: one pip in the middle, the others opposite one another
        far = np.linalg.norm(places - centre, axis=1)
        middle = int(np.argmin(far))
        rest = np.delete(places, middle, axis=0)
        return max(float(far[middle]), _worst_place(rest, places[middle]))
    pairs = places[_pairings(len(places))]  # opposite one another around the centre
    errors = np.linalg.norm(pairs.mean(axis=2) - centre, axis=2).max(axis=1)
    if len(places) == MOST:
        errors = np.maximum(errors, _rows_errors(pairs))
    return float(errors.min())


@cache
def _pairings(count: int) -> NDArray[np.int64]:
    """Every way to pair an even number of points: (ways, count / 2, 2) their numbers."""

    def of(points: tuple[int, ...]) -> list[list[tuple[int, int]]]:
        if not points:
            return [[]]
        first, *rest = points
        return [
            [(first, other), *others]
            for other in rest
            for others in of(tuple(point for point in rest if point != other))
        ]

    return np.array(of(tuple(range(count))), np.int64)


def _rows_errors(pairs: Points) -> NDArray[np.float64]:
    """One pair of a six lies halfway between the corners that the others are: (ways, 3, 2, 2)."""
    arms = (pairs[:, :, 0] - pairs[:, :, 1]) / 2
    wanted = []
    for inner, one, other in ((0, 1, 2), (1, 0, 2), (2, 0, 1)):
        for half in ((arms[:, one] + arms[:, other]) / 2, (arms[:, one] - arms[:, other]) / 2):
            wanted += [arms[:, inner] - half, arms[:, inner] + half]
    return np.asarray(np.linalg.norm(wanted, axis=2).min(axis=0))


def value_chances(marks: Marks) -> NDArray[np.float64]:
    """(7,): probability of the values 1..6, and of anything else (no die, or not readable)."""
    counts = count_chances(marks.chances)
    out = np.zeros(MOST + 1)
    explained = 0.0
    for value in range(1, min(MOST, len(marks.chances)) + 1):
        error = layout_error(marks.places[:value])
        fits = np.exp(-((error / SLACK) ** 2) / 2) * EVIDENCE ** CONSTRAINTS[value - 1]
        out[value - 1] = counts[value] * fits
        explained += counts[value] * min(1.0, fits)
    out[MOST] = max(0.0, 1.0 - explained)
    return np.asarray(out / out.sum())


def read_maps(heats: NDArray[np.float32]) -> tuple[list[Marks], NDArray[np.float32]]:
    """What is marked on (N, S, S) maps, and what each says of its value: (N, 7), rows sum to 1."""
    marks = [marks_of(heat) for heat in heats]
    chances = np.array([value_chances(seen) for seen in marks], np.float32)
    return marks, chances.reshape(-1, MOST + 1)
