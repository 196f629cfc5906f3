"""The camera that misbehaves on purpose does what its plan says, and nothing else."""

from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from device.errors import SourceError, UsageError
from device.frames import Closing
from device.sources import Frame, HostileSource, Reopening, is_live, open_source, plan_from
from device.sources_hostile import KINDS, Step


class Still(Closing):
    """Ten equal pictures a second for three seconds."""

    frame_count: int | None = 30

    def __iter__(self) -> Iterator[Frame]:
        ramp = np.tile(np.linspace(40, 200, 64).astype(np.uint8)[None, :, None], (48, 1, 3))
        for index in range(30):
            yield Frame(ramp.copy(), index / 10, index)


def hostile(plan: str) -> HostileSource:
    return HostileSource(plan_from(plan), Still())


def at_s(frames: list[Frame]) -> list[float]:
    return [round(frame.taken_at_s, 1) for frame in frames]


def equal(a: Frame, b: Frame) -> bool:
    return np.array_equal(a.image_bgr, b.image_bgr)


def test_without_a_fault_it_is_a_camera_with_grain() -> None:
    frames = list(hostile(""))
    assert at_s(frames) == [n / 10 for n in range(30)]
    assert not any(equal(a, b) for a, b in pairwise(frames))
    clean = next(iter(Still())).image_bgr.astype(int)
    assert all(np.abs(frame.image_bgr - clean).max() == 1 for frame in frames)
    assert hostile("").live


def test_frozen_pictures_are_the_same_to_the_last_bit_and_time_goes_on() -> None:
    frames = list(hostile("freeze@1+0.5"))
    assert at_s(frames) == [n / 10 for n in range(30)]
    assert [equal(frames[9], frame) for frame in frames[9:17]] == [True] * 6 + [False] * 2


def test_black_pictures_have_no_light_and_some_noise() -> None:
    dark = list(hostile("black@1+0.5"))[10:15]
    assert all(frame.image_bgr.max() < 8 and frame.image_bgr.std() > 1 for frame in dark)


def test_other_sizes_and_broken_blocks() -> None:
    frames = list(hostile("resize=32x24@1+0.5,corrupt@2+0.5"))
    assert [f.image_bgr.shape[:2] for f in frames[9:16]] == [(48, 64)] + [(24, 32)] * 5 + [(48, 64)]
    before = frames[19].image_bgr.astype(int)
    assert np.abs(frames[20].image_bgr - before).mean() > 30
    assert np.abs(frames[25].image_bgr - before).mean() < 1


def test_a_bumped_camera_sees_the_same_elsewhere() -> None:
    frames = list(hostile("bump=4x0@1+0.5"))
    before, after = frames[9].image_bgr.astype(int), frames[10].image_bgr.astype(int)
    assert np.abs(after[:, 4:] - before[:, :-4]).max() <= 2
    turned = list(hostile("bump=0x0x90@1"))[15].image_bgr.astype(int)
    assert turned[4:44, 32].std() > turned[24, 12:52].std() + 10


def test_swapped_doubled_lost_and_slow_frames() -> None:
    assert at_s(list(hostile("swap@1+0.5")))[8:17] == [
        0.8, 0.9, 1.1, 1.0, 1.3, 1.2, 1.4, 1.5, 1.6,
    ]  # fmt: skip
    assert at_s(list(hostile("duplicate@1+0.2")))[9:15] == [0.9, 1.0, 1.0, 1.1, 1.1, 1.2]
    assert at_s(list(hostile("drop@1+0.5")))[8:12] == [0.8, 0.9, 1.5, 1.6]
    assert [frame.index for frame in hostile("drop=3@0")][:4] == [0, 1, 3, 4]
    assert at_s(list(hostile("slow=0.5@1+1")))[9:13] == [0.9, 1.4, 1.9, 2.0]


def test_a_pulled_cable_breaks_off_and_the_table_goes_on_without_it() -> None:
    source = hostile("unplug@1+0.5")
    with pytest.raises(SourceError, match="no pictures any more"):
        list(source)
    source.reopen()
    assert at_s(list(source))[:2] == [1.5, 1.6]


def test_a_cable_that_stays_out_cannot_be_opened_anew() -> None:
    source = hostile("unplug@1")
    with pytest.raises(SourceError):
        list(source)
    for _ in range(2):
        with pytest.raises(SourceError, match="not there"):
            source.reopen()


@pytest.mark.parametrize("kind", KINDS)
def test_every_fault_lets_all_frames_after_it_through(kind: str) -> None:
    value = {"resize": (32.0, 24.0), "bump": (5.0, -3.0, 2.0)}.get(kind, ())
    frames = list(HostileSource([Step(kind, 1.0, 0.6, value)], Still()))
    assert at_s(frames)[-14:] == [n / 10 for n in range(16, 30)]
    assert all(frame.image_bgr.shape == (48, 64, 3) for frame in frames[-13:])


@pytest.mark.parametrize(
    "plan", ["freeze", "freeze@x", "melt@3", "freeze@1+0", "resize@3", "resize=0x3@1", "black=3@1"]
)
def test_a_plan_that_makes_no_sense_is_refused_with_its_step(plan: str) -> None:
    with pytest.raises(UsageError, match=plan.replace("+", r"\+")):
        plan_from(f"black@0+1,{plan}")


def test_a_hostile_source_is_named_like_any_other(short_clip: Path) -> None:
    spec = f"hostile:black@0+1:{short_clip}"
    assert is_live(spec)
    assert is_live("camera:0")
    assert not is_live(str(short_clip))
    with open_source(spec) as source:
        assert next(iter(source)).image_bgr.max() < 8


def test_an_inner_camera_that_breaks_off_is_opened_anew() -> None:
    class Breaking(Still):
        live = True
        reopened = 0

        def __iter__(self) -> Iterator[Frame]:
            if not self.reopened:
                raise SourceError("gone")
            yield from super().__iter__()

        def reopen(self) -> None:
            self.reopened += 1

    inner = Breaking()
    items = list(Reopening(lambda: HostileSource((), inner), sleep=lambda s: None))
    assert (len(items), inner.reopened) == (31, 1)
