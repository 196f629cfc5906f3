"""How well photographs are read: whole photographs right, dice right, sure, sure but wrong.

Box conventions differ between sources, so nothing is compared by overlap: a die that was read
belongs to the labelled die whose centre lies in its box, or whose centre is closer than half a
die. Where labels only list values, a reading belongs to a label of the same value. What counts most
is a whole photograph: the sorted values must be exactly the labelled ones.
"""

from __future__ import annotations

import statistics
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from device.photo_labels import LabelledDie
from vision.reading import Box, ReadDie


@dataclass(frozen=True)
class DieScore:
    """A die that was labelled, read, or both.

    Attributes:
        true: the labelled value; None: a false finding.
        read: the value read; None: missed.
        score: the reader's belief in its value, 0..1; 0 when missed.
        sure: the reader would not have asked.
        side_px: side of the die in the picture, as labelled, else as read; None: unknown.
        box: where it was read, else where it is labelled; None: unknown.
    """

    true: int | None
    read: int | None
    score: float = 0.0
    sure: bool = False
    side_px: float | None = None
    box: Box | None = None

    @property
    def right(self) -> bool:
        """Found, and named right."""
        return self.true is not None and self.true == self.read

    @property
    def found(self) -> str:
        """`matched`, `missed` or `false`."""
        if self.read is None:
            return "missed"
        return "false" if self.true is None else "matched"


@dataclass(frozen=True)
class PhotoScore:
    """How one photograph was read.

    Attributes:
        dice: labelled dice in the order of their labels, then false findings.
        right: the sorted values are exactly the labelled ones.
        sure: nobody would be asked.
        confidence: probability that it is read right, by the reader's own word, 0..1.
    """

    dice: tuple[DieScore, ...]
    right: bool = False
    sure: bool = False
    confidence: float = 0.0

    @property
    def labelled(self) -> int:
        """How many dice there are."""
        return sum(die.true is not None for die in self.dice)

    @property
    def dice_right(self) -> int:
        """How many of them were found and named right."""
        return sum(die.right for die in self.dice)

    @property
    def sure_but_wrong(self) -> bool:
        """The worst case: nobody would be asked."""
        return self.sure and not self.right


def score(
    labelled: Sequence[LabelledDie],
    read: Sequence[ReadDie],
    *,
    size_px: tuple[int, int],
    sure: bool,
    chance: float = 0.0,
) -> PhotoScore:
    """Compare what was read with the labels.

    Args:
        labelled: the true dice.
        read: the dice read, boxes in pixels.
        size_px: width and height of the picture.
        sure: what the reader says of itself.
        chance: how likely it says it is right.
    """
    if all(die.centre is None for die in labelled):
        belongs = _match_values(labelled, read)
    else:
        belongs = match_places(labelled, read, size_px)
    dice = [
        _die(die, read[belongs[number]] if number in belongs else None, size_px)
        for number, die in enumerate(labelled)
    ]
    used = set(belongs.values())
    dice += [_die(None, die, size_px) for index, die in enumerate(read) if index not in used]
    truth, values = Counter(die.value for die in labelled), Counter(die.value for die in read)
    return PhotoScore(tuple(dice), right=truth == values, sure=sure, confidence=chance)


def unread(labelled: Sequence[LabelledDie], size_px: tuple[int, int] = (0, 0)) -> PhotoScore:
    """The score of a photograph that cannot be read: every die is missed."""
    return score(labelled, [], size_px=size_px, sure=False)


def smallest_labelled_px(labelled: Sequence[LabelledDie], size_px: tuple[int, int]) -> float | None:
    """Side of the smallest labelled die in pixels; None where no label says where dice lie."""
    return min(
        (side for die in labelled if (side := die.side_px(size_px)) is not None), default=None
    )


def typical_read_px(read: Sequence[ReadDie]) -> float | None:
    """Median side of the dice read in pixels; None without dice.

    The median and not the smallest, so that a false finding of a few pixels, which is a mistake of
    the reader, does not excuse the photograph from being counted.
    """
    return statistics.median([_side_px(die.box) for die in read]) if read else None


def match_places(
    labelled: Sequence[LabelledDie], read: Sequence[ReadDie], size_px: tuple[int, int]
) -> dict[int, int]:
    """Each labelled die's nearest free reading that fits in place.

    Args:
        labelled: the true dice; those without a place belong to no reading.
        read: the dice read, boxes in pixels.
        size_px: width and height of the picture.

    Returns:
        Index in `labelled` -> index in `read`, each at most once.
    """
    width, height = size_px
    pairs = []
    for number, die in enumerate(labelled):
        if die.centre is None:
            continue
        x, y = die.centre[0] * width, die.centre[1] * height
        for index, other in enumerate(read):
            box = other.box
            apart = _distance((x, y), box)
            half = max(die.side[0] * width, die.side[1] * height) / 2
            inside = box[0] <= x <= box[2] and box[1] <= y <= box[3]
            if inside or apart < half:
                pairs.append((apart, number, index))
    belongs: dict[int, int] = {}
    for _, number, index in sorted(pairs):
        if number not in belongs and index not in belongs.values():
            belongs[number] = index
    return belongs


def _match_values(labelled: Sequence[LabelledDie], read: Sequence[ReadDie]) -> dict[int, int]:
    """Each labelled die's clearest free reading of the same value."""
    belongs: dict[int, int] = {}
    clearest = sorted(range(len(read)), key=lambda index: -read[index].score)
    for number, die in enumerate(labelled):
        free = (i for i in clearest if read[i].value == die.value and i not in belongs.values())
        index = next(free, None)
        if index is not None:
            belongs[number] = index
    return belongs


def _die(labelled: LabelledDie | None, read: ReadDie | None, size_px: tuple[int, int]) -> DieScore:
    side = labelled.side_px(size_px) if labelled else None
    box = read.box if read else None
    if side is None and read:
        side = _side_px(read.box)
    if box is None and side and labelled and labelled.centre:
        x, y = labelled.centre[0] * size_px[0], labelled.centre[1] * size_px[1]
        box = (x - side / 2, y - side / 2, x + side / 2, y + side / 2)
    return DieScore(
        true=labelled.value if labelled else None,
        read=read.value if read else None,
        score=read.score if read else 0.0,
        sure=read.sure if read else False,
        side_px=side,
        box=box,
    )


def _side_px(box: Box) -> float:
    return float((max(box[2] - box[0], 0) * max(box[3] - box[1], 0)) ** 0.5)


def _distance(point: tuple[float, float], box: Box) -> float:
    x, y = (box[0] + box[2]) / 2, (box[1] + box[3]) / 2
    return float(((x - point[0]) ** 2 + (y - point[1]) ** 2) ** 0.5)
