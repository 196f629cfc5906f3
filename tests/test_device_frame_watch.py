"""Frames that cannot be believed are held back at once and told when it lasts."""

from collections.abc import Sequence

import numpy as np
import pytest

from device.frame_watch import CODED_S, FrameWatch, Trouble, is_black
from device.frames import Frame, Missing

FPS = 10.0
RAMP = np.tile(np.linspace(40, 200, 64).astype(np.uint8)[None, :, None], (48, 1, 3))
DARK = np.random.default_rng(1).integers(0, 7, (48, 64, 3), np.uint8)


def picture(number: int) -> np.ndarray:
    """A ramp with other grain every time."""
    return RAMP + np.random.default_rng(number).integers(0, 2, RAMP.shape, np.uint8)


def play(
    pictures: Sequence[np.ndarray | None], *, live: bool = True
) -> tuple[list[bool], list[str], FrameWatch]:
    """Ten frames a second; for each whether it was believed, and what is told."""
    watch = FrameWatch(live=live)
    believed, told = [], []
    for index, image in enumerate(pictures):
        at_s = index / FPS
        item = Missing(at_s, "gone") if image is None else Frame(image, at_s, index)
        believed.append(watch.receive(item) is not None)
        told.append(watch.trouble.what if watch.trouble else "")
    return believed, told, watch


def good(count: int, first: int = 0) -> list[np.ndarray]:
    return [picture(first + number) for number in range(count)]


def test_good_pictures_are_believed() -> None:
    believed, told, _ = play(good(30))
    assert all(believed)
    assert set(told) == {""}


def test_a_frozen_picture_is_held_back_at_once_and_told_after_a_second() -> None:
    still = picture(99)
    believed, told, watch = play([*good(5), *[still] * 20, *good(10, 50)])
    assert believed[:6] == [True] * 6
    assert not any(believed[6:25])
    assert told.index("frozen") == 5 + 1 + 10
    # It is over when good pictures have come for half a second.
    assert told[-6:] == ["frozen"] * 1 + [""] * 5
    assert believed[-6:] == [False] + [True] * 5
    assert watch.trouble is None


def test_a_repeated_picture_is_only_left_out() -> None:
    pictures = good(4)
    believed, told, _ = play([pictures[0], pictures[1], pictures[1], pictures[2], pictures[3]])
    assert believed == [True, True, False, True, True]
    assert set(told) == {""}


def test_a_recording_may_stand_still() -> None:
    believed, told, _ = play([picture(1)] * 50, live=False)
    assert all(believed)
    assert set(told) == {""}


def test_a_black_picture_is_held_back_and_told() -> None:
    believed, told, _ = play([*good(5), *[DARK + (n % 2) for n in range(20)], *good(10)])
    assert not any(believed[5:25])
    assert told.index("black") == 5 + 5
    assert believed[-5:] == [True] * 5


def test_one_dark_frame_costs_one_frame() -> None:
    believed, told, _ = play([*good(5), DARK, *good(5, 20)])
    assert believed.count(False) == 1
    assert set(told) == {""}


@pytest.mark.parametrize(
    ("mean", "spread", "black"), [(5, 3, True), (25, 3, False), (20, 12, False)]
)
def test_a_dim_picture_is_not_black(mean: float, spread: float, black: bool) -> None:
    noise = np.random.default_rng(3).normal(mean, spread, (120, 160, 3))
    assert is_black(np.clip(noise, 0, 255).astype(np.uint8)) is black


def test_no_pictures_is_told_at_once_and_over_after_half_a_second_of_them() -> None:
    believed, told, watch = play([*good(5), None, None, *good(10, 30)])
    assert told[5:7] == ["camera", "camera"]
    assert told[7:12] == ["camera"] * 5
    assert told[12:] == [""] * 5
    assert believed[12:] == [True] * 5
    watch.receive(Missing(3.0, "the cable"))
    assert watch.trouble == Trouble("camera", 3.0, problem="the cable")


def order(times_s: Sequence[float]) -> tuple[list[float], list[str], FrameWatch]:
    """Times that are believed, and what was told."""
    watch = FrameWatch(live=True)
    believed, told = [], []
    for index, at_s in enumerate(times_s):
        frame = watch.receive(Frame(picture(index), at_s, index))
        if frame is not None:
            believed.append(round(frame.taken_at_s, 2))
        told.append(watch.trouble.what if watch.trouble else "")
    return believed, told, watch


def test_now_and_then_a_late_frame_is_dropped_and_counted() -> None:
    times_s = [n / 10 for n in range(60)]
    times_s[20], times_s[21] = times_s[21], times_s[20]
    times_s.insert(30, times_s[30])  # the same once more
    believed, told, watch = order(times_s)
    assert believed == sorted(set(believed))
    assert len(believed) == 59
    assert set(told) == {""}
    assert watch.late == 1


def test_many_late_frames_are_a_trouble_until_they_come_in_order_again() -> None:
    swapped = [(n + 1 if n % 2 == 0 else n - 1) / 10 for n in range(40)]
    believed, told, watch = order([*swapped, *[n / 10 for n in range(40, 90)]])
    assert "order" in told[:20]
    assert told[-1] == ""
    assert believed == sorted(believed)
    assert believed[-1] == 8.9
    assert watch.late > 10


def test_a_clock_that_was_set_back_costs_a_second() -> None:
    believed, told, _ = order([100 + n / 10 for n in range(20)] + [n / 10 for n in range(40)])
    assert believed == sorted(believed)
    assert len(believed) >= 20 + 25
    assert told[-1] == ""


def test_a_black_picture_that_is_frozen_is_black() -> None:
    _, told, _ = play([*good(3), *[DARK] * 30])
    assert set(told) == {"", "black"}


def test_a_network_camera_repeats_a_table_at_rest() -> None:
    watch, still = FrameWatch(live=True), picture(99)

    def coded(from_s: float, to_s: float, image: np.ndarray) -> list[bool]:
        indices = range(round(from_s * FPS), round(to_s * FPS))
        frames = [Frame(image, index / FPS, index, is_coded=True) for index in indices]
        return [watch.receive(frame) is not None for frame in frames]

    assert all(coded(0, CODED_S, still)), "a throw at rest is read, and nobody is asked"
    assert all(coded(CODED_S, CODED_S + 1, picture(98))), "a whole picture was sent anew"
    assert all(coded(CODED_S + 1, 2 * CODED_S, still))
    assert watch.trouble is None
    assert not any(coded(2 * CODED_S + 1, 2 * CODED_S + 3, still)), "so long it does hang"
    assert watch.trouble is not None
    assert watch.trouble.what == "frozen"
