"""What light and camera do to simulated pictures, and the order in which clips are disturbed."""

from collections import Counter

import numpy as np
import pytest

from device.errors import UsageError
from device.simulate import Request
from device.simulate_effects import (
    Bumps,
    Exposure,
    Flicker,
    Shadow,
    Television,
    Visits,
    applied,
)
from device.simulate_names import DISTURBANCES, check
from device.simulate_series import planned

SIZE = (160, 120)
TIMES = np.arange(0, 40, 1 / 15)


def rng(seed: int = 5) -> np.random.Generator:
    return np.random.default_rng(seed)


@pytest.mark.parametrize("kind", [Shadow, Television, Flicker, Exposure])
def test_an_effect_is_the_same_for_a_seed_and_fits_the_picture(kind):
    first, again, other = kind(rng()), kind(rng()), kind(rng(6))
    differs = False
    for t_s in TIMES[::7]:
        gains = [effect.gain(t_s, SIZE) for effect in (first, again, other)]
        if gains[0] is None:
            assert gains[1] is None
            continue
        np.testing.assert_array_equal(gains[0], gains[1])
        assert np.broadcast_shapes(gains[0].shape, (120, 160, 3)) == (120, 160, 3)
        assert gains[0].min() > 0.2
        assert gains[0].max() < 3.0
        differs |= gains[2] is None or not np.array_equal(gains[0], gains[2])
    assert differs


def test_a_shadow_comes_and_goes_and_darkens_a_part():
    shadow = Shadow(rng())
    gains = [shadow.gain(t_s, SIZE) for t_s in TIMES]
    assert any(gain is None for gain in gains)
    deepest = min((gain for gain in gains if gain is not None), key=lambda gain: gain.min())
    assert deepest.min() < 0.75
    assert deepest.max() > 0.9, "the light stays on the other side"


def test_a_lamp_on_mains_makes_bands_that_wander():
    flicker = Flicker(rng())
    first, later = flicker.gain(1.0, SIZE), flicker.gain(1.0 + 1 / 15, SIZE)
    assert first.shape == (120, 1, 1)
    assert np.ptp(first) > 0.05
    assert np.abs(first - later).max() > 0.02


def test_a_knocked_camera_swings_and_does_not_come_back_quite():
    bumps = Bumps(rng(), px_per_mm=2.0)
    warps = [bumps.warp(t_s, SIZE) for t_s in TIMES]
    assert warps[0] is None
    hit = next(number for number, warp in enumerate(warps) if warp is not None)
    after = [warp[:, 2] for warp in warps[hit : hit + 60]]
    swing = np.abs(np.diff(after[:8], axis=0)).max()
    assert swing > 1.0, "pixels from frame to frame"
    assert np.abs(np.diff(after[40:50], axis=0)).max() < 0.05, "it hangs still again"


def test_what_visits_begins_and_ends_gently():
    visits = Visits.drawn(rng(), every_s=(2, 3), length_s=(2, 4), fade_s=0.5)
    shares = np.array([visits.share(t_s)[1] for t_s in TIMES])
    assert shares.min() == 0
    assert shares.max() == 1
    assert np.abs(np.diff(shares)).max() < 0.25


def test_twice_the_light_is_no_twice_the_level():
    grey = np.full((4, 4, 3), 100, np.uint8)
    lit = applied(grey, [np.full((1, 1, 1), 2.0, np.float32)])
    np.testing.assert_allclose(lit, 100 * 2 ** (1 / 2.2), rtol=1e-5)


def test_forty_clips_have_every_disturbance_thrice_in_both_layouts_and_all_books(tmp_path):
    clips = [clip.request for clip in planned(tmp_path, 40, Request(out=tmp_path, seed=1))]
    often = Counter(name for clip in clips for name in clip.disturbances)
    assert set(often) == set(DISTURBANCES)
    assert min(often.values()) >= 3
    assert all(len(set(clip.disturbances)) == 2 for clip in clips)
    for layout in ("shared", "seats"):
        some = [clip for clip in clips if clip.layout == layout]
        assert {clip.players for clip in some} == {2, 3, 4, 5, 6}
        assert len({clip.book for clip in some}) == 5
        assert {name for clip in some for name in clip.disturbances} == set(DISTURBANCES)


def test_a_series_can_be_alike(tmp_path):
    clips = planned(tmp_path, 4, Request(out=tmp_path), layouts=("seats",), disturbances=("noise",))
    assert {(clip.request.layout, clip.request.disturbances) for clip in clips} == {
        ("seats", ("noise",))
    }


def test_an_unknown_disturbance_is_named(tmp_path):
    assert check(["arms", "rim"]) == ("arms", "rim")
    with pytest.raises(UsageError, match=r"knows arms, .*got 'dogs'"):
        Request(out=tmp_path / "x.mp4", disturbances=("dogs",))
    with pytest.raises(UsageError, match="--layout knows shared, seats, but got 'round'"):
        Request(out=tmp_path / "x.mp4", layout="round")
