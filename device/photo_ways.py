"""Every way but as it is to show a labelled photograph, to see what the reader makes of it then.

They come in groups that `schockauge bench photos` takes as options: bad light and bad cameras,
other dice, more or less around them, one of them partly out of sight.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from types import MappingProxyType

from device.photo_covers import COVERS
from device.photo_dice import OTHER_DICE
from device.photo_faults import AS_IT_IS, FAULTS, spoilt
from device.photo_frames import FRAMES, Framed, Show
from device.photo_labels import LabelledDie
from vision.images import Image


@dataclass(frozen=True)
class Ways:
    """A group of ways.

    Attributes:
        tells: what its rows are, for a help text.
        shows: by name.
    """

    tells: str
    shows: Mapping[str, Show]


def _spoilt(picture: Image, _: Sequence[LabelledDie], *, fault: str) -> Framed:
    return Framed(spoilt(picture, fault))


GROUPS: Mapping[str, Ways] = MappingProxyType(
    {
        "faults": Ways(
            "a row per fault of a camera or its light instead of one per source: every photograph "
            "as it is, and spoilt in each of these ways",
            {fault: partial(_spoilt, fault=fault) for fault in FAULTS},
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


WAYS: Mapping[str, Show] = MappingProxyType(
    {
        AS_IT_IS: partial(_spoilt, fault=AS_IT_IS),
        **{name: show for group in GROUPS.values() for name, show in group.shows.items()},
    }
)
"""Those of all groups by name, and none of them."""
