"""The watch's own measures: what passes through is unchanged, and its time is taken."""

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest
from health_fakes import Machine, Time, found

from device.frame_watch import Trouble
from device.frames import Frame, Missing
from device.health.assembling import link_of
from device.health.state import State
from device.health.subject import Link
from device.health.vitals import Vitals, Watching
from device.store import MemoryLog
from device.watching import Moment
from vision.events import TableEvent

PICTURE = np.zeros((2, 2, 3), np.uint8)


def thrown(t_s: float) -> TableEvent:
    return TableEvent(t_s, "throw_seen", None, (6, 5, 2), (), True, t_s - 1, t_s)


@dataclass
class Play:
    """Frames of a camera and what a watch makes of them; time passes where it is said."""

    time: Time = field(default_factory=Time)
    vitals: Vitals = field(init=False)
    watcher: Any = field(default_factory=lambda: SimpleNamespace(looks=0))

    def __post_init__(self) -> None:
        self.vitals = Vitals(self.time)

    def frames(self, count: int, *, every_s: float = 0.04) -> Iterator[Frame]:
        for index in range(count):
            self.time.pass_s(every_s)
            yield Frame(PICTURE, index * every_s, index)

    def watch(
        self, items: Iterable[Frame | Missing], *, takes_s: float = 0.0, reads: bool = True
    ) -> Iterator[Moment]:
        for item in items:
            if isinstance(item, Missing):
                yield Moment(None, trouble=Trouble("camera", item.since_s))
                continue
            self.time.pass_s(takes_s)
            self.watcher.looks += reads
            yield Moment(self.watcher, frame=item)

    def run(self, items: Iterable[Frame | Missing], *, live: bool = True, **how: Any) -> None:
        for _ in self.vitals.moments(self.watch(self.vitals.frames(items, live=live), **how)):
            pass

    def begin(self, items: Iterable[Frame | Missing], **how: Any) -> Iterator[Moment]:
        return self.vitals.moments(self.watch(self.vitals.frames(items, live=True), **how))


def test_everything_passes_as_it_came() -> None:
    play = Play()
    items = [Frame(PICTURE, 0.0, 0), Missing(0.0, "gone"), Frame(PICTURE, 0.1, 1)]
    assert list(play.vitals.frames(iter(items))) == items
    moments = [Moment(None), Moment(None, is_guarded=False)]
    assert list(play.vitals.moments(iter(moments))) == moments


def test_pictures_a_second_are_those_of_the_last_ten_seconds() -> None:
    play = Play()
    running = play.begin(play.frames(100_000))
    for _ in range(40):
        next(running)
    assert play.vitals.pulse().fps is None, "too early to say"
    for _ in range(960):
        next(running)
    assert play.vitals.pulse().fps == pytest.approx(25.0, abs=0.2)
    play.time.pass_s(5.0)
    assert play.vitals.pulse().fps == pytest.approx(12.5, abs=0.2)


def test_reading_times_are_those_of_pictures_that_the_networks_have_seen() -> None:
    play, took = Play(), []
    play.vitals.read_took = took.append
    play.run(play.frames(50), takes_s=0.2, reads=False)
    assert play.vitals.pulse().read is None
    play.run(play.frames(19), takes_s=0.1)
    play.run(play.frames(1), takes_s=0.9)
    read = play.vitals.pulse().read
    assert read is not None
    assert (read.median_ms, read.count) == (pytest.approx(100.0), 20)
    assert 100.0 < read.p95_ms <= 900.0
    assert took == pytest.approx([0.1] * 19 + [0.9])


def test_how_late_a_throw_is_told_counts_the_picture_s_own_delay() -> None:
    """A camera that hands out old pictures makes everything late."""
    play = Play()

    def camera() -> Iterator[Frame]:
        yield from play.frames(10)
        play.time.pass_s(2.0)
        yield Frame(PICTURE, 10 * 0.04, 10)

    def thrown_at_last(moments: Iterable[Moment]) -> Iterator[Moment]:
        for moment in moments:
            assert moment.frame is not None
            last = moment.frame.index == 10
            events = (thrown(0.4),) if last else ()
            yield Moment(play.watcher, events, frame=moment.frame)

    items = play.vitals.frames(camera(), live=True)
    for moment in play.vitals.moments(thrown_at_last(play.watch(items, takes_s=0.0))):
        play.time.pass_s(0.3 if moment.events else 0.0)  # the game takes it in
    told = play.vitals.pulse().told
    assert told is not None
    assert told.median_ms == pytest.approx(2000 + 300 - 40, abs=1)


def test_a_lost_camera_is_alive_and_a_hanging_watch_is_not(tmp_path: Path) -> None:
    play = Play()

    def lost() -> Iterator[Missing]:
        while True:
            play.time.pass_s(8.0)
            yield Missing(0.0, "no camera")

    subject = Machine(tmp_path).subject(time=play.time, vitals=play.vitals)
    assert found(subject, "watch").state is State.UNKNOWN
    running = play.begin(lost())
    for _ in range(20):
        next(running)
    assert found(subject, "watch").state is State.GOOD
    camera = found(subject, "camera")
    assert camera.state is State.BAD
    assert "keine Bilder" in camera.said[0]
    play.time.pass_s(29.0)
    assert found(subject, "watch").state is State.GOOD
    play.time.pass_s(2.0)
    assert found(subject, "watch").state is State.BAD


def test_a_camera_that_is_lost_is_not_a_slow_one_as_well(tmp_path: Path) -> None:
    """The fault of the camera is shown; a second one would only confuse."""
    play = Play()
    subject = Machine(tmp_path).subject(time=play.time, vitals=play.vitals)
    running = play.begin(play.frames(100_000, every_s=0.25))
    for _ in range(100):
        next(running)
    assert found(subject, "frame_rate").state is State.BAD
    play.time.pass_s(2.0)
    assert found(subject, "frame_rate").state is State.UNKNOWN
    assert found(subject, "camera").state is State.WARN
    play.time.pass_s(3.0)
    assert found(subject, "camera").state is State.BAD


def test_a_recording_that_is_over_hangs_nothing(tmp_path: Path) -> None:
    play = Play()
    play.run(play.frames(5), live=False)
    play.time.pass_s(9999.0)
    assert play.vitals.pulse().watching is Watching.OVER
    subject = Machine(tmp_path).subject(time=play.time, vitals=play.vitals)
    for key in ("watch", "camera", "frame_rate"):
        assert found(subject, key).state is State.NOTED, key


def test_a_watch_that_breaks_is_over() -> None:
    play = Play()

    def broken() -> Iterator[Frame]:
        yield from play.frames(3)
        raise RuntimeError("oh")

    with pytest.raises(RuntimeError, match="oh"):
        play.run(broken())
    assert play.vitals.pulse().watching is Watching.OVER


def test_the_road_to_the_hub_is_looked_at_as_the_uplink_knows_it() -> None:
    uplink: Any = SimpleNamespace(is_connected=False, cursor=3)
    log = MemoryLog()
    log.append_all([("note", {})] * 10, at_s=0.0)
    link = link_of(uplink, log)
    assert (link.is_connected(), link.waiting()) == (False, 7)
    uplink.is_connected, uplink.cursor = True, 10
    assert (link.is_connected(), link.waiting()) == (True, 0)


def test_what_waits_for_the_hub_is_counted(tmp_path: Path) -> None:
    pairing = {"hub.pairing_file": "pairing.json"}
    subject = Machine(tmp_path).subject(**pairing)
    assert found(subject, "outbox").state is State.UNKNOWN
    subject.link = Link(lambda: False, lambda: 600)
    assert found(subject, "hub_link").said == ("nicht zu erreichen", "cannot be reached")
    assert found(subject, "outbox").state is State.BAD
    subject.link = Link(lambda: True, lambda: 3)
    assert [found(subject, key).state for key in ("hub_link", "outbox")] == ["good", "good"]
    alone = Machine(tmp_path).subject()
    assert found(alone, "hub_link").state is State.NOTED
