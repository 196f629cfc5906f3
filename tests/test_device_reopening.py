"""A camera that is lost is opened anew; a recording that breaks off is not."""

from collections.abc import Iterator

import numpy as np
import pytest

from device.errors import SourceError
from device.frames import Closing
from device.reopening import FIRST_WAIT_S, LONGEST_WAIT_S
from device.sources import Frame, Missing, Reopening

PICTURE = np.zeros((4, 4, 3), np.uint8)


class Cable(Closing):
    """A camera that sends two frames, is pulled out, and can be opened the fifth time."""

    frame_count: int | None = None

    def __init__(self, *, live: bool = True, fails: int = 4) -> None:
        self.live = live
        self._fails = fails
        self._sent = 0
        self.closed = 0

    def __iter__(self) -> Iterator[Frame]:
        for _ in range(2):
            self._sent += 1
            yield Frame(PICTURE, float(self._sent), self._sent)
        if self._sent <= 2:
            raise SourceError("pulled out")

    def reopen(self) -> None:
        self._fails -= 1
        if self._fails > 0:
            raise SourceError("not there")

    def close(self) -> None:
        self.closed += 1


def times(items: list[Frame | Missing]) -> list[float | str]:
    return [item.problem if isinstance(item, Missing) else item.taken_at_s for item in items]


def test_a_lost_camera_comes_back_and_its_time_goes_on() -> None:
    waits: list[float] = []
    cable = Cable()
    with Reopening(lambda: cable, sleep=waits.append) as source:
        items = list(source)
    assert times(items) == [1.0, 2.0, "pulled out", *["not there"] * 3, 3.0, 4.0]
    assert all(item.since_s == 2.0 for item in items if isinstance(item, Missing))
    assert waits == [1.0, 2.0, 4.0, 8.0]
    assert cable.closed == 1


def test_the_wait_grows_to_a_bound() -> None:
    waits: list[float] = []
    list(Reopening(lambda: Cable(fails=8), sleep=waits.append))
    assert waits[0] == FIRST_WAIT_S
    assert waits[-1] == max(waits) == LONGEST_WAIT_S


def test_a_recording_that_breaks_off_is_an_error_at_once() -> None:
    items = iter(Reopening(lambda: Cable(live=False)))
    assert [next(items), next(items)]
    with pytest.raises(SourceError, match="pulled out"):
        next(items)


def test_who_is_patient_waits_for_a_camera_that_is_not_there_yet() -> None:
    tries: list[int] = []

    def opens() -> Cable:
        tries.append(1)
        if len(tries) < 3:
            raise SourceError("no camera 0")
        return Cable(fails=1)

    with pytest.raises(SourceError, match="no camera"):
        list(Reopening(opens))
    tries.clear()
    items = list(Reopening(opens, patient=True, sleep=lambda s: None))
    assert times(items)[:4] == ["no camera 0", "no camera 0", 1.0, 2.0]


def test_closing_before_it_was_opened_does_nothing() -> None:
    Reopening(Cable).close()
