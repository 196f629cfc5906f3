"""The ring of pictures that clips are cut out of: how long, how large, how many a second."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.ring import Ring, Shot


@given(
    st.lists(st.tuples(st.floats(0.001, 2.0), st.integers(1, 400)), max_size=80),
    st.floats(0.5, 5.0),
    st.integers(300, 2000),
)
def test_the_ring_holds_no_more_seconds_and_bytes_than_it_may(
    steps: list[tuple[float, int]], length_s: float, most_bytes: int
) -> None:
    ring = Ring(length_s=length_s, most_bytes=most_bytes, fps=10.0)
    t_s, added = 0.0, []
    for gap_s, size in steps:
        t_s += gap_s
        if ring.wants(t_s):
            ring.add(t_s, bytes(size))
            added.append(Shot(t_s, bytes(size)))
        held = ring.between(0.0, float("inf"))
        assert sum(len(shot.jpeg) for shot in held) == ring.bytes <= most_bytes
        assert held == tuple(added[len(added) - len(held) :]), "the newest, none left out"
        assert not held or held[-1].t_s - held[0].t_s <= length_s


@pytest.mark.parametrize(("camera_fps", "kept"), [(10, 10), (15, 15), (25, 12.5), (30, 15)])
def test_the_ring_thins_out_what_a_camera_sends(camera_fps: float, kept: float) -> None:
    ring = Ring(length_s=100, most_bytes=10**9, fps=12.0)
    for n in range(round(20 * camera_fps)):
        if ring.wants(n / camera_fps):
            ring.add(n / camera_fps, b"x")
    assert len(ring.between(0, 100)) == pytest.approx(20 * kept, abs=1)


def test_while_nothing_changes_the_ring_holds_a_picture_a_second() -> None:
    ring = Ring(length_s=100, most_bytes=10**9, fps=12.0)
    for n in range(150):
        if ring.wants(n / 15, still=n % 75 > 15):
            ring.add(n / 15, b"x")
    held = [round(15 * shot.t_s) for shot in ring.between(0, 100)]
    assert [n for n in held if n % 75 <= 15] == [*range(16), *range(75, 91)], "every one that moves"
    assert [n for n in held if n % 75 > 15] == [30, 45, 60, 105, 120, 135]


def test_while_nothing_changes_no_more_are_held_than_are_asked_for() -> None:
    ring = Ring(length_s=100, most_bytes=10**9, fps=0.5)
    ring.add(0.0, b"x")
    assert [ring.wants(t_s, still=still) for t_s in (1.2, 2.0) for still in (False, True)] == [
        False, False, True, True,
    ]  # fmt: skip


def test_a_new_time_begins_a_new_ring() -> None:
    ring = Ring(length_s=10, most_bytes=10**6, fps=10.0)
    ring.add(500.0, b"before")
    assert ring.wants(0.0)
    ring.add(0.0, b"after")
    assert ring.between(0.0, 1000.0) == (Shot(0.0, b"after"),)
