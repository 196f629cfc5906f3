"""Which finding continues which track."""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from vision.tracks import Track

__all__ = ["pair"]


def pair(
    tracks: Sequence[Track],
    centres: NDArray[np.float64],
    chosen: NDArray[np.intp],
    match_mm: float,
) -> list[tuple[int, Track | None]]:
    """Pair findings with tracks, the nearest pair first; None for a new thing.

    Args:
        tracks: what is followed.
        centres: middles of all findings, shape (n, 2), millimetres.
        chosen: which of them to pair.
        match_mm: none is paired over more than this.

    Returns:
        For every chosen finding its number and its track.
    """
    pairs = sorted(
        (float(np.hypot(*(centres[index] - track.position))), int(index), number)
        for index in chosen
        for number, track in enumerate(tracks)
    )
    partner: dict[int, Track | None] = {int(index): None for index in chosen}
    taken: set[int] = set()
    for distance, index, number in pairs:
        if distance > match_mm:
            break
        if partner[index] is None and number not in taken:
            partner[index] = tracks[number]
            taken.add(number)
    return list(partner.items())
