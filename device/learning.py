"""From known throws to packs, and from packs to what the namer says of their dice."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from device.errors import SourceError
from device.image_pixels import Picture
from device.images import jpeg, load_image
from device.known import Box, KnownThrow
from device.packs import PackedDie, PackedThrow
from vision.confirmed import ConfirmedDice
from vision.crop_changes import die_pictures

PACK_QUALITY = 95
"""Of a still that is cropped and encoded once more: a die of 35 px keeps its pips."""
VARIED = 12
"""Changed crops of every die, beside the four views that reading has."""


class FeatureReader(Protocol):
    """What a last stage is tuned on; `vision.readers.Namer` is the real one."""

    def logits_and_features(
        self, crops_bgr: Picture
    ) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        """(N, 64, 64, 3) uint8 -> (N, C) logits and (N, F) features."""
        ...


def pack_throws(
    throws: Iterable[KnownThrow], stills: Path
) -> tuple[list[PackedThrow], Mapping[str, int]]:
    """Crop the stills of throws to the mat.

    Args:
        throws: known ones.
        stills: the evening's folder of stills.

    Returns:
        What goes into a pack, and how many throws do not, by reason (a sentence).
    """
    packed: list[PackedThrow] = []
    left_out: Counter[str] = Counter()
    for throw in throws:
        path = stills / Path(throw.still).name
        try:
            if hashlib.sha256(path.read_bytes()).hexdigest() != throw.sha256:
                left_out["the still was changed since"] += 1
                continue
            packed.append(_packed(throw, load_image(path)))
        except (OSError, SourceError):
            left_out["the still is not there any more"] += 1
    return packed, dict(left_out)


def show_throws(
    throws: Iterable[PackedThrow], reader: FeatureReader, *, varied: int = VARIED
) -> ConfirmedDice:
    """Show the dice of known value of packs to the namer; see `show_dice`."""
    pictures = (
        (throw.image(), [(die.box, die.value) for die in throw.dice if die.value is not None])
        for throw in throws
    )
    return show_dice(pictures, reader, varied=varied)


def show_dice(
    pictures: Iterable[tuple[Picture, Sequence[tuple[Box, int]]]],
    reader: FeatureReader,
    *,
    varied: int = VARIED,
) -> ConfirmedDice:
    """Show dice of known value to the namer, as they lie and changed.

    Args:
        pictures: (H, W, 3) uint8 BGR, one a throw, and box (pixels) and value of its dice.
        reader: without a tuned stage.
        varied: changed crops of every die.

    Returns:
        Its answers; the same pictures always give the same.

    Raises:
        SourceError: no die at all.
        ModelError: the reader has no features.
    """
    logits, features, values, numbers = [], [], [], []
    for number, (image, dice) in enumerate(pictures):
        rng = np.random.default_rng(number)
        for box, value in dice:
            said, seen = reader.logits_and_features(
                die_pictures(image, box, varied=varied, rng=rng)
            )
            logits.append(said)
            features.append(seen)
            values.append(value - 1)
            numbers.append(number)
    if not values:
        raise SourceError("There is no die of known value.")
    return ConfirmedDice(
        np.stack(logits),
        np.stack(features),
        np.asarray(values, dtype=np.int64),
        np.asarray(numbers, dtype=np.int64),
    )


def _packed(throw: KnownThrow, still: Picture) -> PackedThrow:
    height, width = still.shape[:2]
    left, top = (max(0, round(side)) for side in throw.mat[:2])
    right, bottom = min(width, round(throw.mat[2])), min(height, round(throw.mat[3]))

    def moved(box: Box) -> Box:
        x1, y1, x2, y2 = (round(side, 1) for side in box)
        return (
            round(x1 - left, 1), round(y1 - top, 1), round(x2 - left, 1), round(y2 - top, 1),
        )  # fmt: skip

    return PackedThrow(
        jpeg(np.ascontiguousarray(still[top:bottom, left:right]), quality=PACK_QUALITY),
        tuple(
            PackedDie(moved(die.box), value, die.read)
            for die, value in zip(throw.dice, throw.values, strict=True)
        ),
        tuple(moved(box) for box in throw.others),
        throw.how,
        Path(throw.model).name,  # a version, or files that were named: no folders of theirs
    )
