"""Stills of throws: clean pictures, named by time and content, never changed afterwards.

Beside a still goes what was seen where in it, so that a throw whose true dice a person tells can be
learned from (`device.confirmed`).
"""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from device.errors import StoreError
from device.image_pixels import Picture
from device.images import jpeg
from vision.watcher import Watcher

HASH_LETTERS = 12
"""Enough of the SHA-256 in the name to tell stills apart; the log has all of it."""


class Evidence:
    """A folder of stills.

    Args:
        folder: made when absent.

    Raises:
        StoreError: it cannot be made.
    """

    def __init__(self, folder: Path) -> None:
        self.folder = folder.resolve()
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {folder} for stills cannot be made: {error.strerror}. Set "
                "store.evidence_dir to another one, or to nothing."
            ) from error

    def keep(self, image_bgr: Picture, *, t_s: float) -> dict[str, Any]:
        """Keep a picture of a throw.

        Args:
            image_bgr: (H, W, 3) uint8, without anything drawn on it.
            t_s: when, in the time of the frames.

        Returns:
            For the log: `still` (file name) and `sha256` of the file.

        Raises:
            StoreError: the disk does not take it.
        """
        data = jpeg(image_bgr)
        digest = hashlib.sha256(data).hexdigest()
        name = f"throw-{t_s:09.2f}-{digest[:HASH_LETTERS]}.jpg"
        try:
            (self.folder / name).write_bytes(data)
        except OSError as error:
            raise StoreError(
                f"The still {self.folder / name} cannot be written: {error.strerror}. Make room "
                "on the disk, or set store.evidence_dir to another folder."
            ) from error
        return {"still": name, "sha256": digest}


def lying(watcher: Watcher, seat: str | None = None) -> dict[str, Any]:
    """Where in the newest picture of a watcher the mat and its flat dice lie.

    Args:
        watcher: has just told of a throw.
        seat: whose dice; None on a mat that all share.

    Returns:
        For the log: `mat` and each `box` are left, top, right, bottom in pixels of the picture,
        `probabilities` what both witnesses think of the values 1..6, `aside`: lies in the strip.
    """
    scale, margin_mm = watcher.mat.scale_px_per_mm, watcher.settings.margin_mm

    def to_px(box_mm: tuple[float, float, float, float]) -> list[float]:
        return [round((side + margin_mm) * scale, 1) for side in box_mm]

    found = watcher.seating.lying_at(seat)
    return {
        "mat": to_px((0.0, 0.0, *watcher.mat.mat_size_mm)),
        "dice": [
            {
                "box": to_px(die.box_mm),
                "probabilities": [round(share, 3) for share in die.probabilities],
                "aside": die in found.strip,
            }
            for die in found.flat
        ],
    }
