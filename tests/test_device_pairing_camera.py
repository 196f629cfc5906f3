"""A table's camera reads the invitation that a hub shows as a QR code."""

from collections.abc import Iterator

import cv2
import numpy as np
import pytest
import segno

from device.errors import SourceError
from device.frames import Frame
from device.pairing_camera import find_invitation
from device.pairing_client import Invitation
from device.pairing_exchange import Code


def frames(text: str) -> Iterator[Frame]:
    """A QR code as the camera sees it: small, seen askew, a little dark, between empty frames."""
    rows = np.array([list(row) for row in segno.make(text, micro=False).matrix_iter(border=4)])
    code = np.where(rows, 30, 220).astype(np.uint8).repeat(6, 0).repeat(6, 1)
    side = code.shape[0]
    corners = np.array([[0, 0], [side, 0], [side, side], [0, side]], np.float32)
    seen = np.array([[210, 90], [480, 110], [460, 380], [190, 350]], np.float32)
    askew = cv2.getPerspectiveTransform(corners, seen)
    paper = cv2.warpPerspective(code, askew, (640, 480), borderValue=120)
    for n, grey in enumerate((np.full_like(paper, 120), paper)):
        yield Frame(cv2.cvtColor(grey, cv2.COLOR_GRAY2BGR), float(n), n)


@pytest.mark.parametrize("inverted", [False, True])
def test_the_camera_reads_the_invitation(inverted: bool) -> None:
    invitation = Invitation("http://192.168.1.5:8081/", Code(7, "004711"))
    seen = (
        Frame(255 - frame.image_bgr if inverted else frame.image_bgr, frame.taken_at_s, frame.index)
        for frame in frames(invitation.to_text())
    )
    assert find_invitation(seen) == invitation


@pytest.mark.parametrize("text", ["https://example.org/", "schockauge:pair?code=7-12"])
def test_another_qr_code_is_no_invitation(text: str) -> None:
    with pytest.raises(SourceError, match="no QR code of a hub"):
        find_invitation(frames(text))
