"""Stills of throws: clean pictures, named by time and content, never changed afterwards."""

from __future__ import annotations

import hashlib
from pathlib import Path
from typing import Any

from device.errors import StoreError
from device.image_pixels import Picture
from device.images import jpeg

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
