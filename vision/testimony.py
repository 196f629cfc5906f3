"""What both readers say of the things on a photograph, and how well each can be seen.

`vision.reader` decides by it; the rules here are about one thing alone, or about how all dice look
together.
"""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.confidence import Words
from vision.detections import BURNING, CUP, TOWER, VALUE_CLASSES
from vision.eye import NOTHING
from vision.reading import Box, ReadDie
from vision.votes import Cluster

SEEN = 0.3
"""A die that the looks see more faintly, in the mean, is a doubt, however well it reads: then they
look at the wrong scale or into bad light, and others may not be found at all."""
FOUND_IN = 0.75
"""A die that fewer of the four looks found is a doubt: one look in four overlooks what is there."""
EDGE_PX = 2.0
"""A box that ends this close to the picture's edge may be cut off by it."""
SURE_PX = 22.0
"""A die that is smaller (root of its box's area) is a doubt: the photographs that looks and readers
agree about and are wrong have such dice (`models/EXPERIMENTS.md`). 24 px is what the card says; a
box may be drawn a little smaller."""
LOOKS = 4
READ = 0.5
"""Dice that both readers read so well are dice; pips, too, are found, but not read."""
PARTLY_READ = 0.16
"""What each reader gives two fifths of its word to the same value of may be a die: a doubt where it
is passed over, however faintly it was seen."""
ALL_SEE, DENIED = 0.35, 0.3
"""What all looks see at least so clearly, and the namer takes for nothing by less than that, is a
doubt where it is passed over: of 77 such things on rendered photographs that it denies by less than
0.1 74 were dice whose value nobody could read; a die with a drawn pip had 0.25
(`models/EXPERIMENTS.md`)."""
OTHERWISE_READ = 0.12
"""Another value that each reader gives a third of its word to, once the picture is turned upside
down, is a doubt: nobody told how the camera was held, and a front face may be taken for the top."""
ONLY_ONES = 0.99
"""Where nothing but ones is read, each has to be this likely: a sheet of paper with anything small
in its middle looks like a one, and like no other value."""


@dataclass(frozen=True, eq=False)
class Testimony:
    """What both readers say of N clusters, each asked in twelve views.

    Attributes:
        names: (N, 9) the namer's mean.
        steady: (N,) bool, whether it says the same in most of them (`vision.reader.STEADY`).
        opinions: (N, 7) the counter's mean.
        upended: (N, 7) its mean where the picture is turned upside down.
    """

    names: NDArray[np.float32]
    steady: NDArray[np.bool_]
    opinions: NDArray[np.float32]
    upended: NDArray[np.float32]


def readable(said: Testimony) -> NDArray[np.float32]:
    """(N,) how far both readers read the same value there, 0..1."""
    both = said.names[:, :VALUE_CLASSES] * said.opinions[:, :VALUE_CLASSES]
    return np.asarray(both.max(axis=1, initial=0.0), np.float32)


def all_see_it(words: Words) -> bool:
    """Whether all looks and the namer take it for a die, whichever value it may show."""
    denied = float(words.names[NOTHING]) >= DENIED
    return words.found_in >= 1.0 and words.seen >= ALL_SEE and not denied


def reads_otherwise(said: Testimony, row: int, value_id: int) -> bool:
    """Whether, upside down, that one may be read as another value than this, 0..5."""
    both = said.names[row, :VALUE_CLASSES] * said.upended[row, :VALUE_CLASSES]
    return bool(np.delete(both, value_id).max() >= OTHERWISE_READ)


def badly_seen(cluster: Cluster, size_px: tuple[int, int]) -> bool:
    """Whether the picture ends where this die may go on, or shows it too small."""
    x1, y1, x2, y2 = (float(value) for value in cluster.box)
    cut_off = min(x1, y1, size_px[0] - x2, size_px[1] - y2) <= EDGE_PX
    return cut_off or (x2 - x1) * (y2 - y1) < SURE_PX**2


def spread(dice: list[ReadDie]) -> float:
    """How many times as large as the smallest die the largest is; 1 without dice."""
    sides = [max(die.box[2] - die.box[0], die.box[3] - die.box[1]) for die in dice]
    return max(sides) / max(min(sides), 1e-6) if sides else 1.0


def may_be_sheets(dice: list[ReadDie]) -> bool:
    """Whether all that was read are ones, and one of them is not likely enough for that."""
    return all(die.value == 1 for die in dice) and any(die.score < ONLY_ONES for die in dice)


def words_of(clusters: list[Cluster], said: Testimony) -> list[Words]:
    """What is known of every cluster, for `vision.confidence`."""
    return [
        Words(
            cluster.weights(LOOKS)[[0, TOWER, BURNING]],
            said.names[row],
            said.opinions[row],
            cluster.found_in() / LOOKS,
            bool(said.steady[row]),
        )
        for row, cluster in enumerate(clusters)
    ]


def class_of(cluster: Cluster, shares: NDArray[np.float32]) -> int:
    """Class id of a cluster; 0 for a flat die of whatever value."""
    weights = cluster.weights(LOOKS)
    if int(weights.argmax()) == CUP:
        return CUP
    return (0, TOWER, BURNING)[int(shares.argmax())]


def strength(cluster: Cluster, words: Words) -> float:
    """How clearly there is a thing that is no flat die, 0..1."""
    weights = cluster.weights(LOOKS)
    if int(weights.argmax()) == CUP:
        return min(1.0, float(weights[CUP]))
    return min(1.0, words.seen) * (1.0 - float(words.names[NOTHING]))


def agreed(words: Words, value_id: int) -> bool:
    """No number outweighs this: three looks found it, clearly, and both readers name this value."""
    named, counted = int(words.names.argmax()), int(words.opinion[:VALUE_CLASSES].argmax())
    found = words.found_in >= FOUND_IN and words.seen >= SEEN
    return found and words.steady and named == counted == value_id


def box_of(cluster: Cluster) -> Box:
    """Its place, tenths of a pixel."""
    x1, y1, x2, y2 = (round(float(value), 1) for value in cluster.box)
    return (x1, y1, x2, y2)
