"""The last seconds of pictures, in memory: what a clip is cut from when something has happened.

Sans I/O: compressed pictures go in with their times, stretches of them come out. Bounded in
seconds and in bytes, whatever the camera does.
"""

from __future__ import annotations

from collections import deque
from dataclasses import dataclass

SPARE = 0.25
"""A picture may come so much of an interval early and is still kept: 25 a second are thinned to
12.5 and 30 to 15 when 12 are asked for, not to 8 and 10."""
STILL_GAP_S = 1.0
"""While nothing changes one picture is like the next."""


@dataclass(frozen=True)
class Shot:
    """A picture that is held.

    Attributes:
        t_s: when it was taken, in the time of the frames.
        jpeg: the picture, compressed.
    """

    t_s: float
    jpeg: bytes


class Ring:
    """Holds the newest pictures.

    Args:
        length_s: for so long.
        most_bytes: but not more than this.
        fps: so many a second, about.
    """

    def __init__(self, *, length_s: float, most_bytes: int, fps: float) -> None:
        self._length_s = length_s
        self._most_bytes = most_bytes
        self._least_gap_s = (1.0 - SPARE) / fps
        self._shots: deque[Shot] = deque()
        self.bytes = 0

    def wants(self, t_s: float, *, still: bool = False) -> bool:
        """Whether a picture of this time is to be added: pictures in between are not held.

        Args:
            t_s: when it was taken.
            still: nothing has changed since the one before.
        """
        if not self._shots:
            return True
        gap_s = t_s - self._shots[-1].t_s
        least_s = max(STILL_GAP_S - 1e-6 if still else 0.0, self._least_gap_s)
        return gap_s >= least_s or gap_s < 0

    def add(self, t_s: float, jpeg: bytes) -> None:
        """Hold a picture; one that is older than the newest begins a new time."""
        if self._shots and t_s < self._shots[-1].t_s:
            self.clear()
        self._shots.append(Shot(t_s, jpeg))
        self.bytes += len(jpeg)
        while self._shots and (
            self.bytes > self._most_bytes or t_s - self._shots[0].t_s > self._length_s
        ):
            self.bytes -= len(self._shots.popleft().jpeg)

    def between(self, from_s: float, to_s: float) -> tuple[Shot, ...]:
        """The pictures of a stretch of time, both ends included, oldest first."""
        return tuple(shot for shot in self._shots if from_s <= shot.t_s <= to_s)

    def clear(self) -> None:
        """Forget all pictures."""
        self._shots.clear()
        self.bytes = 0
