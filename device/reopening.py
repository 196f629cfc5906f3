"""A source that is opened again and again: a camera that was pulled out comes back by itself."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from typing import Self

from device.errors import SourceError
from device.frames import Frame, Missing, Source

FIRST_WAIT_S = 1.0
"""How long to wait before a lost camera is looked for again: it needs 1 to 3 s to come up."""
LONGEST_WAIT_S = 8.0
"""Every wait is twice the one before, up to this: who plugs it in again waits no longer."""


class Reopening:
    """Frames of a live source, and `Missing` while it is gone.

    The frames' time goes on across an outage: whoever watches them knows how long it was.

    Args:
        open_first: opens the source. What it says of a source that is not there is passed on as
            `Missing` if `patient`, and raised otherwise.
        patient: wait for a source that is not there when it is opened first.
        sleep: waits, seconds.

    Raises:
        SourceError: (while iterating) a recording broke off, or see `patient`.
    """

    def __init__(
        self,
        open_first: Callable[[], Source],
        *,
        patient: bool = False,
        sleep: Callable[[float], object] = time.sleep,
    ) -> None:
        self._open_first = open_first
        self._patient = patient
        self._sleep = sleep
        self._source: Source | None = None

    def __iter__(self) -> Iterator[Frame | Missing]:
        newest_s, wait_s, is_open = 0.0, FIRST_WAIT_S, False
        while True:
            try:
                if not is_open:
                    self._open()
                assert self._source is not None, "it has just been opened"
                is_open = True
                for frame in self._source:
                    newest_s, wait_s = frame.taken_at_s, FIRST_WAIT_S
                    yield frame
            except SourceError as error:
                comes_back = self._patient if self._source is None else self._source.live
                if not comes_back:
                    raise
                is_open = False
                yield Missing(newest_s, str(error))
                self._sleep(wait_s)
                wait_s = min(2 * wait_s, LONGEST_WAIT_S)
            else:
                return

    def look_again(self) -> bool:
        """Let the source find light and focus anew; False: see `Source.look_again`."""
        source = self._source  # a page asks while the frames' thread may close it
        return source is not None and source.look_again()

    def close(self) -> None:
        """Close the source; may be called twice."""
        if self._source is not None:
            self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _open(self) -> None:
        if self._source is None:
            self._source = self._open_first()
        else:
            self._source.reopen()
