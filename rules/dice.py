"""Dice as multisets: tuples of values 1 to 6, highest first."""

from collections import Counter
from collections.abc import Iterable
from itertools import combinations_with_replacement
from typing import Any

from rules.errors import DiceError

Dice = tuple[int, ...]

DICE_PER_PLAYER = 3

ALL_MULTISETS: tuple[Dice, ...] = tuple(
    sorted(
        (combo[::-1] for combo in combinations_with_replacement(range(1, 7), DICE_PER_PLAYER)),
        reverse=True,
    )
)
"""The 56 different results of three dice, the highest number first."""


def as_dice(values: Any, *, least: int = 1, most: int = DICE_PER_PLAYER) -> Dice:
    """Check dice values and sort them, highest first.

    Args:
        values: any iterable of whole numbers 1 to 6.
        least: fewest dice allowed.
        most: most dice allowed.

    Returns:
        The values as a tuple, highest first.

    Raises:
        DiceError: not a list of whole numbers 1 to 6, or the wrong number of them.
    """
    if isinstance(values, (str, bytes)) or not isinstance(values, Iterable):
        raise DiceError(f"dice must be a list of numbers 1 to 6, but got {values!r}")
    listed = list(values)
    for value in listed:
        if isinstance(value, bool) or not isinstance(value, int) or not 1 <= value <= 6:
            raise DiceError(f"a die shows 1 to 6, but got {value!r} in {listed!r}")
    if not least <= len(listed) <= most:
        wanted = str(least) if least == most else f"{least} to {most}"
        raise DiceError(f"expected {wanted} dice, but got {len(listed)}: {listed!r}")
    return tuple(sorted(listed, reverse=True))


def contains(dice: Dice, part: Dice) -> bool:
    """Tell whether every die of `part` is among `dice`, counted with repetition."""
    return not Counter(part) - Counter(dice)


def without(dice: Dice, part: Dice) -> Dice:
    """Take the dice of `part` away from `dice`.

    Raises:
        DiceError: a die of `part` is not among `dice`.
    """
    if not contains(dice, part):
        raise DiceError(f"{list(part)} is not among the dice {list(dice)}")
    return as_dice((Counter(dice) - Counter(part)).elements(), least=0)


def together(*groups: Dice) -> Dice:
    """Put groups of dice into one, highest first."""
    return tuple(sorted((die for group in groups for die in group), reverse=True))
