"""Makes of dice: what a table's colour and two swirling colours make of them."""

import numpy as np
import pytest

from models.lab import surfaces
from models.lab.looks import luminance, makes

GROUNDS = ((0.7, 0.68, 0.6), (0.02, 0.1, 0.03), (0.2, 0.1, 0.05))


def made(seed, ground=GROUNDS[0], **shares):
    return makes(np.random.default_rng(seed), np.array(ground), under_ring=False, **shares)


@pytest.mark.parametrize("ground", GROUNDS)
@pytest.mark.parametrize("seed", range(8))
def test_hidden_dice_have_the_tables_colour_and_pips_that_can_be_seen(seed, ground):
    for look in made(seed, ground, hidden=1.0):
        body, pip = np.array(look.finish.rgb), np.array(look.pip_rgb)
        assert np.abs(np.log(body / ground)).max() < 1.0
        hue = np.abs(pip / pip.sum() - body / body.sum()).sum()
        assert hue > 0.4 or abs(np.log(luminance(look.pip_rgb) / luminance(look.finish.rgb))) > 0.5


def test_swirled_dice_have_two_colours():
    looks = [look for seed in range(12) for look in made(seed, swirls=1.0)]
    assert {look.finish.pattern for look in looks} == {surfaces.MARBLE}
    apart = [abs(np.log(luminance(x.finish.rgb) / luminance(x.finish.rgb2))) for x in looks]
    assert np.median(apart) > 0.7
    assert all(look.finish.pattern_amount >= 0.5 for look in looks)


def test_earlier_sets_stay_as_they_were():
    plain = [made(seed) for seed in range(5)]
    assert plain == [made(seed, GROUNDS[1]) for seed in range(5)], "a share of 0 draws nothing"
