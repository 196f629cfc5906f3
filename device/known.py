"""A throw whose true dice are known, and which die is which."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import permutations
from math import prod

Box = tuple[float, float, float, float]

HOW = ("corrected", "confirmed", "by_hand", "agreed")
MOST_DICE = 6
"""More dice than that in one throw are not sorted out: 720 orders, and no game has them."""
CLEAR = 0.95
"""A die gets a value when the camera's beliefs leave no more than one chance in twenty against."""


@dataclass(frozen=True)
class SeenDie:
    """A die in a still.

    Attributes:
        box: left, top, right, bottom in pixels of the still.
        probabilities: what both witnesses together thought of the values 1..6.
    """

    box: Box
    probabilities: tuple[float, ...]

    @property
    def read(self) -> int:
        """The likeliest value, 1..6."""
        return self.probabilities.index(max(self.probabilities)) + 1


@dataclass(frozen=True)
class KnownThrow:
    """A throw with its true dice.

    Attributes:
        seq: entry of the log in which the camera told of it.
        at_s: when that was written, Unix time.
        still: file name of its picture.
        sha256: of that file.
        model: version of the weights that read it.
        mat: the mat in the still: left, top, right, bottom in pixels.
        dice: those that were thrown.
        values: the true value of each, or None where it is not clear which one is meant.
        how: one of `HOW`.
        others: boxes of dice that nobody spoke of: those in the strip.
    """

    seq: int
    at_s: float
    still: str
    sha256: str
    model: str
    mat: Box
    dice: tuple[SeenDie, ...]
    values: tuple[int | None, ...]
    how: str
    others: tuple[Box, ...] = ()


def name_dice(
    probabilities: Sequence[Sequence[float]], told: Sequence[int]
) -> tuple[int | None, ...]:
    """Find out which die shows which of the values that a person has named.

    Args:
        probabilities: per die, what the camera thought of the values 1..6.
        told: as many values.

    Returns:
        The value of every die; None where the beliefs do not decide.

    Raises:
        ValueError: not as many values as dice.
    """
    if len(probabilities) != len(told):
        raise ValueError(f"{len(told)} values cannot belong to {len(probabilities)} dice.")
    orders = {order: _chance(probabilities, order) for order in set(permutations(told))}
    total = sum(orders.values())
    named: list[int | None] = []
    for number in range(len(told)):
        by_value: dict[int, float] = defaultdict(float)
        for order, chance in orders.items():
            by_value[order[number]] += chance / total
        value, share = max(by_value.items(), key=lambda item: item[1])
        named.append(value if share >= CLEAR else None)
    return tuple(named)


def _chance(probabilities: Sequence[Sequence[float]], order: Sequence[int]) -> float:
    # A value that the camera ruled out may be the true one: a floor, as in vision.confidence.fused.
    return prod(max(own[value - 1], 1e-3) for own, value in zip(probabilities, order, strict=True))
