"""Finds the hub's invitation, a QR code, under the table's camera."""

from __future__ import annotations

from collections.abc import Iterable

import cv2

from device.errors import SchockaugeError, SourceError
from device.frames import Frame, Missing
from device.pairing_client import Invitation

PATIENCE_S = 60.0
"""So long somebody may take to hold it there, in the time of the frames."""


def find_invitation(
    frames: Iterable[Frame | Missing], patience_s: float = PATIENCE_S
) -> Invitation:
    """Look until a frame shows an invitation; other QR codes are none.

    Raises:
        SourceError: none has shown one in time.
    """
    reader = cv2.QRCodeDetector()
    begun_s: float | None = None
    for frame in frames:
        if isinstance(frame, Missing):
            continue
        begun_s = frame.taken_at_s if begun_s is None else begun_s
        if frame.taken_at_s - begun_s > patience_s:
            break
        for picture in (frame.image_bgr, cv2.bitwise_not(frame.image_bgr)):  # a light terminal
            try:
                return Invitation.read(reader.detectAndDecode(picture)[0])
            except (SchockaugeError, cv2.error, UnicodeDecodeError):
                continue  # no code, another one, or what only looks like one
    raise SourceError(
        "The camera has seen no QR code of a hub. Hold it flat and larger, without glare; or enter "
        "address and code: schockauge pair URL CODE"
    )
