"""Writes a clip: H.264 in MP4, playable everywhere and from its beginning."""

from __future__ import annotations

from fractions import Fraction
from pathlib import Path
from types import TracebackType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from device.errors import SourceError

CRF = 23
"""x264's constant quality; dice stay readable and a minute takes about 2 MB."""
KEYFRAME_S = 2.0
TIME_BASE_S = Fraction(1, 90_000)
"""What frames' times are counted in: that of most cameras, fine enough for late ones."""


class ClipWriter:
    """Encodes pictures one after the other; a context manager.

    The clip is written beside its place and moved there when it is complete, so that no half clip
    is ever found.

    Args:
        path: the clip, `.mp4`.
        size_px: width and height, both even.
        fps: frames per second.

    Raises:
        SourceError: the clip cannot be written.
    """

    def __init__(self, path: Path, *, size_px: tuple[int, int], fps: float) -> None:
        import av

        self._path = path
        self._unfinished = path.with_name(f".{path.stem}.part.mp4")
        self._frame_of = av.VideoFrame.from_ndarray
        rate = Fraction(fps).limit_denominator(1001)
        try:
            self._container = av.open(
                str(self._unfinished), "w", format="mp4", options={"movflags": "+faststart"}
            )
        except OSError as error:
            raise SourceError(f"{path} cannot be written: {error}.") from error
        stream: Any = self._container.add_stream("libx264", rate=rate)
        stream.width, stream.height = size_px
        stream.pix_fmt = "yuv420p"
        stream.options = {"crf": str(CRF), "preset": "medium"}
        stream.codec_context.gop_size = round(KEYFRAME_S * fps)
        stream.codec_context.time_base = TIME_BASE_S
        self._last_tick = -1
        self._stream = stream

    def add(self, picture_bgr: NDArray[np.uint8], at_s: float) -> None:
        """Encode the next frame, (H, W, 3) uint8, BGR, that a reader gets at `at_s`."""
        frame = self._frame_of(picture_bgr, format="bgr24")
        tick = max(round(at_s / TIME_BASE_S), self._last_tick + 1)
        frame.pts, frame.time_base = tick, TIME_BASE_S
        self._last_tick = tick
        for packet in self._stream.encode(frame):
            self._container.mux(packet)

    def __enter__(self) -> ClipWriter:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        if kind is None:
            for packet in self._stream.encode():
                self._container.mux(packet)
        self._container.close()
        if kind is None:
            self._unfinished.replace(self._path)
        else:
            self._unfinished.unlink(missing_ok=True)
