"""What sources of pictures have in common: frames, and the way they are opened and closed.

A source is an iterable context manager of `Frame`s; time travels inside the frame. A source that
ends too early or breaks off raises `SourceError`, it never just stops.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Protocol, Self

from device.errors import SourceError
from device.image_pixels import Picture


@dataclass(frozen=True)
class Frame:
    """One picture of the table.

    Attributes:
        image_bgr: (H, W, 3) uint8.
        taken_at_s: seconds since the source's first frame.
        index: 0, 1, 2 ... as the source counts them.
        small_bgr: (h, w, 3) uint8, the same view made smaller by the camera itself, to see
            whether anything moves; None: there is none.
        is_coded: it came through a network as what has changed since the one before: while
            nothing moves it is the same to the last bit.
    """

    image_bgr: Picture
    taken_at_s: float
    index: int
    small_bgr: Picture | None = None
    is_coded: bool = False


@dataclass(frozen=True)
class Missing:
    """No picture comes where one should.

    Attributes:
        since_s: time of the last frame that came; 0 when none has.
        problem: what is wrong, as a sentence.
    """

    since_s: float
    problem: str


class Source(Protocol):
    """What all sources can do.

    Attributes:
        frame_count: how many frames there are, if that is known.
        live: it shows the table as it is now, and goes on after a fault; a recording does not.
    """

    frame_count: int | None
    live: bool

    def __iter__(self) -> Iterator[Frame]:
        """The frames, in the order they were taken; of a live source those from now on."""

    def reopen(self) -> None:
        """Open the device anew after it broke off; the frames' time goes on.

        Raises:
            SourceError: it is not there (yet), or it is a recording.
        """

    def look_again(self) -> bool:
        """Let it find light and focus anew; False: it regulates itself, or is a recording."""

    def close(self) -> None:
        """Let the device or file go; may be called twice."""

    def __enter__(self) -> Self: ...

    def __exit__(self, *_: object) -> None: ...


class Closing:
    """A source that need not do anything to be closed, and cannot be opened anew."""

    live = False

    def reopen(self) -> None:
        """Say that a recording does not come back."""
        raise SourceError("A recording that broke off does not go on; copy it again.")

    def look_again(self) -> bool:
        """Nothing is to be found anew."""
        return False

    def close(self) -> None:
        """Let the device or file go; may be called twice."""

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
