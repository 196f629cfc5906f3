"""Stills and clips of throws: clean pictures, named by time and content, never changed afterwards.

Whatever is kept is cropped to the mat first, with a small margin: guests are nobody's evidence.

Beside a still goes what was seen where in it, so that a throw whose true dice a person tells can be
learned from (`device.confirmed`).
"""

from __future__ import annotations

import errno
import hashlib
import os
import threading
from contextlib import suppress
from pathlib import Path
from typing import Any

from device.errors import StoreError
from device.film import SUFFIX as CLIP_SUFFIX
from device.image_pixels import Picture
from device.images import jpeg
from vision.calibration import MatCalibration
from vision.mat_view import rectify
from vision.watcher import Watcher

LOG_ROOM_BYTES, LOG_SHARE = 50_000_000, 0.01
"""So much of the disk, or this share of a small one, is left to the log: pictures, which are nearly
all that a card gets to write, must not be what keeps the next throw from being written down."""
HASH_LETTERS = 12
"""Enough of the SHA-256 in the name to tell files apart; the log has all of it."""
PART = ".part"
"""Ends the name of a file that is being written; one that stays was cut off by a power cut."""
MARGIN_MM = 30.0
"""A die that fell off the mat is told of up to 26 mm beside it (`vision.margin`)."""


class Evidence:
    """A folder of stills and clips.

    Args:
        folder: made when absent.
        margin_mm: so much around the mat is kept.

    Raises:
        StoreError: it cannot be made.
    """

    def __init__(self, folder: Path, *, margin_mm: float = MARGIN_MM) -> None:
        self.folder = folder.resolve()
        self.margin_mm = margin_mm
        try:
            self.folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            raise StoreError(
                f"The folder {folder} for stills cannot be made: {error.strerror}. Set "
                "store.evidence_dir to another one, or to nothing."
            ) from error

    def cropped(
        self, image_bgr: Picture, mat: MatCalibration, *, px_per_mm: float | None = None
    ) -> Picture:
        """What may be kept of a frame: the mat seen from above, and the margin around it.

        Args:
            image_bgr: (H, W, 3) uint8, as the camera took it.
            mat: where it lies.
            px_per_mm: resolution; None: the mat's own.
        """
        return rectify(image_bgr, mat, margin_mm=self.margin_mm, scale_px_per_mm=px_per_mm)

    def keep(self, image_bgr: Picture, *, t_s: float) -> dict[str, Any]:
        """Keep a picture of a throw; the disk takes it in the background, nobody waits.

        Args:
            image_bgr: (H, W, 3) uint8, cropped, without anything drawn on it.
            t_s: when, in the time of the frames.

        Returns:
            For the log: `still` (file name) and `sha256` of the file.

        Raises:
            StoreError: the disk does not take it.
        """
        name, digest = self._put("throw", jpeg(image_bgr), ".jpg", t_s=t_s, safely=False)
        return {"still": name, "sha256": digest}

    def keep_clip(self, webm: bytes, *, t_s: float) -> dict[str, Any]:
        """Keep a clip; waits until the disk has it.

        Args:
            webm: the file's content.
            t_s: when it begins, in the time of the frames.

        Returns:
            For the log: `file` (its name) and `sha256`.

        Raises:
            StoreError: the disk does not take it.
        """
        name, digest = self._put("clip", webm, CLIP_SUFFIX, t_s=t_s, safely=True)
        return {"file": name, "sha256": digest}

    def clear_parts(self) -> None:
        """Remove what a power cut has left half written; nothing of it was ever in the log.

        Raises:
            StoreError: the disk does not let it.
        """
        try:
            for path in self.folder.glob(f"*{PART}"):
                path.unlink()
        except OSError as error:
            raise StoreError(f"{self.folder} cannot be tidied: {error.strerror}.") from error

    def _put(
        self, kind: str, data: bytes, suffix: str, *, t_s: float, safely: bool
    ) -> tuple[str, str]:
        """Write a file at once or not at all; its name and digest."""
        digest = hashlib.sha256(data).hexdigest()
        name = f"{kind}-{t_s:09.2f}-{digest[:HASH_LETTERS]}{suffix}"
        part = self.folder / f"{name}{PART}"
        try:
            self._leave_room(len(data))
            with part.open("wb") as file:
                file.write(data)
                file.flush()
                if safely:
                    os.fsync(file.fileno())
            part.replace(self.folder / name)
            if not safely:
                _flush_later(self.folder / name)
        except OSError as error:
            with suppress(OSError):
                part.unlink(missing_ok=True)
            raise StoreError(
                f"The {'clip' if safely else 'still'} {self.folder / name} cannot be written: "
                f"{error.strerror}. Make room on the disk, or set store.evidence_dir to another "
                "folder."
            ) from error
        return name, digest

    def _leave_room(self, size: int) -> None:
        """Check that the log has room left when a file of `size` bytes is written.

        Raises:
            OSError: it has not.
        """
        disk = os.statvfs(self.folder)
        left = disk.f_bavail * disk.f_frsize - size
        if left < min(LOG_ROOM_BYTES, LOG_SHARE * disk.f_blocks * disk.f_frsize):
            raise OSError(errno.ENOSPC, "the rest of the disk is kept for the log")


def _flush_later(path: Path) -> None:
    """Have the disk take a file, in a thread of its own.

    Without that a file system may leave it in memory for half a minute while the log, which is
    flushed, names it already: after a power cut it would be there without content, as if somebody
    had emptied it.
    """

    def flush() -> None:
        with suppress(OSError):  # a disk that fails is told of with the next file, or by the log
            handle = os.open(path, os.O_RDONLY)
            try:
                os.fsync(handle)
            finally:
                os.close(handle)

    threading.Thread(target=flush, name="flush", daemon=True).start()


def lying(watcher: Watcher, seat: str | None = None, *, margin_mm: float) -> dict[str, Any]:
    """Where in a still of what a watcher saw last the mat and its flat dice lie.

    Args:
        watcher: has just told of a throw.
        seat: whose dice; None on a mat that all share.
        margin_mm: of the still.

    Returns:
        For the log: `mat` and each `box` are left, top, right, bottom in pixels of the picture,
        `probabilities` what both witnesses think of the values 1..6, `aside`: lies in the strip.
    """
    scale = watcher.mat.scale_px_per_mm

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
