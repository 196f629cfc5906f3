"""Every way but as it is to show a labelled photograph, to see what the reader makes of it then.

They come in groups that `schockauge bench photos` takes as options: bad light and bad cameras,
other dice, more or less around them, one of them partly out of sight.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from device.photo_covers import COVERS
from device.photo_dice import OTHER_DICE
from device.photo_faults import FAULTS
from device.photo_frames import FRAMES, Framed
from device.photo_labels import LabelledDie
from vision.images import Image

Show = Callable[[Image, Sequence[LabelledDie]], Framed | None]
"""Of a picture, (H, W, 3) uint8 BGR, and its labels; None where it cannot be shown so."""


@dataclass(frozen=True)
class Ways:
    """A group of ways.

    Attributes:
        tells: what its rows are, for a help text.
        shows: by name.
    """

    tells: str
    shows: Mapping[str, Show]


def _spoilt(fault: Callable[[Image], Image], picture: Image, _: Sequence[LabelledDie]) -> Framed:
    return Framed(fault(picture))


GROUPS: Mapping[str, Ways] = MappingProxyType(
    {
        "faults": Ways(
            "a row per fault of a camera or its light instead of one per source: every photograph "
            "as it is, and spoilt in each of these ways",
            {name: partial(_spoilt, fault) for name, fault in FAULTS.items()},
        ),
        "dice": Ways(
            "likewise a row for dice of another make: all colours a third of the circle further or "
            "back, light for dark, or left and right exchanged",
            OTHER_DICE,
        ),
        "frames": Ways(
            "likewise a row per frame: cut around the dice (where labels tell where they lie), "
            "laid on a ground, that from afar (dice too small to be read)",
            FRAMES,
        ),
        "covered": Ways(
            "likewise a row for one die partly out of sight (labels tell its size): by 25, 40 or "
            "55 hundredths, or the picture ends there",
            COVERS,
        ),
    }
)
"""By the name of their option."""


def shown(picture: Image, dice: Sequence[LabelledDie], way: str) -> Framed | None:
    """The photograph shown in one of these ways, else as it is; None where that cannot be done."""
    for group in GROUPS.values():
        if show := group.shows.get(way):
            return show(picture, dice)
    return Framed(picture)
