"""Where dice lay and cups stood since the mat was cleared: there it must look bare again."""

from collections.abc import Sequence

from vision.table import Box, SceneState

SAME_PLACE_MM = 4.0
"""Boxes of a thing at rest tremble by less."""
MOST_PLACES = 24
"""Places that are remembered: three dice and what hands look like while they take them."""


def followed(trail: Sequence[Box], state: SceneState, in_play: int) -> list[Box]:
    """The places with what lies there now; what was noted before a throw was read is forgotten.

    Args:
        trail: the places so far: left, top, right, bottom, mm.
        state: what lies there now.
        in_play: so many dice at rest are all there are.
    """
    dice = [die.box_mm for die in state.dice if die.at_rest]
    if len(dice) >= in_play:
        return dice
    things = dice + [cup.box_mm for cup in state.cups if cup.settled]
    new = [box for box in things if not any(_is_at(box, other) for other in trail)]
    return [*trail, *new][-MOST_PLACES:]


def _is_at(box: Box, other: Box) -> bool:
    return all(abs(a - b) <= SAME_PLACE_MM for a, b in zip(box, other, strict=True))
