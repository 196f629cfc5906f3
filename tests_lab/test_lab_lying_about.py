"""Tokens of board games and leads: where they lie, and that earlier sets go without."""

import numpy as np
import pytest

from models.lab.lying_about import leads, tokens
from models.lab.physics import make_bank
from models.lab.scenes import compose

SEEDS = range(8)


@pytest.mark.parametrize("seed", SEEDS)
def test_tokens_are_printed_in_place_in_colours_that_there_are(seed):
    floor = np.full((256, 256, 3), 0.3, np.float32)
    tokens(np.random.default_rng(seed), floor, 20.0)
    changed = np.abs(floor - 0.3).max(axis=2) > 0.02
    assert 0.005 < changed.mean() < 0.95
    assert np.isfinite(floor).all()
    assert floor.min() >= 0
    assert floor.max() <= 1


@pytest.mark.parametrize("seed", SEEDS)
def test_leads_lie_on_the_table_and_have_a_barrel_thicker_than_their_cord(seed):
    found = leads(np.random.default_rng(seed), lambda radius: np.array([100.0, -40.0]))
    assert found
    assert all(run.a_mm[2] == run.b_mm[2] == run.radius_mm for run in found)
    assert max(run.radius_mm for run in found) > 1.2 * min(run.radius_mm for run in found)


def test_no_lead_lies_where_there_is_no_room():
    assert leads(np.random.default_rng(1), lambda radius: None) == []


def test_games_come_after_all_else_is_drawn(tmp_path):
    bank = make_bank(tmp_path / "bank.npz", count=24, seed=4)
    plain = compose(np.random.default_rng(5), bank)
    played = compose(np.random.default_rng(5), bank, games=1.0)
    assert len(played.scene.capsules) > len(plain.scene.capsules)
    assert [d.position_mm for d in played.scene.dice] == [d.position_mm for d in plain.scene.dice]
    assert not np.array_equal(played.scene.floor_rgb, plain.scene.floor_rgb)
