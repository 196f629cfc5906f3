"""Dice at rest and dice thrown: what every heap and every throw must hold."""

from itertools import combinations, pairwise

import numpy as np
import pytest

from models.lab import physics
from models.lab.bank import Bank, load_bank
from models.lab.physics import Thrower, make_bank, settle
from models.lab.physics_starts import CUBE_ROTATIONS
from models.lab.physics_world import Pose, tilt_and_up_axis
from models.lab.throwing import throw_dice
from models.lab.throwing_faces import RIGHT_HANDED, renaming

SIZE_MM = 16.0
ZONE_MM = (-190.0, -137.0, 100.0, 137.0)


def heaps(kind, count, number=12, seed=1):
    thrower, rng = Thrower(), np.random.default_rng(seed)
    return [thrower.settle(rng, kind=kind, count=count, size_mm=SIZE_MM) for _ in range(number)]


@pytest.mark.parametrize("kind", ["thrown", "tower", "cocked", "near"])
def test_every_heap_is_physical_and_unambiguous(kind):
    for heap in heaps(kind, 3):
        assert len(heap.dice) == 3
        for die in heap.dice:
            tilt, up_axis = tilt_and_up_axis(die.pose.rotation)
            assert tilt < 3 or tilt > 12, "no referee could tell"
            assert (tilt > 12) == (die.state == "burning")
            assert up_axis == die.up_axis
            assert die.pose.position_mm[2] > 0.48 * SIZE_MM, "nothing sinks into the table"
            assert np.allclose(die.pose.rotation @ die.pose.rotation.T, np.eye(3), atol=1e-6)
        for a, b in combinations(heap.dice, 2):
            apart = np.linalg.norm(a.pose.position_mm - b.pose.position_mm)
            assert apart > 0.95 * SIZE_MM, "nothing sinks into another"
        middle = np.mean([die.pose.position_mm for die in heap.dice], axis=0)
        assert np.allclose(middle[:2], 0, atol=1e-6)


def test_a_bank_for_throws_holds_no_smaller_heaps(tmp_path):
    some = make_bank(tmp_path / "three.npz", count=50, seed=2, fewest=3)
    assert {len(some.settled(row).dice) for row in range(len(some))} == {3}
    any_number = make_bank(tmp_path / "any.npz", count=50, seed=2)
    assert {len(any_number.settled(row).dice) for row in range(len(any_number))} == {1, 2, 3}
    for name, fewest in (("three.npz", 1), ("any.npz", 3)):
        with pytest.raises(ValueError, match="another fewest"):
            make_bank(tmp_path / name, count=100, seed=2, fewest=fewest)
    assert len(load_bank(tmp_path / "three.npz")) == 50


def test_a_bank_of_dice_that_lean_a_little_holds_no_other_heaps(tmp_path, monkeypatch):
    monkeypatch.setattr(physics, "BLOCK", 3)
    bank = make_bank(tmp_path / "slight.npz", count=3, seed=4, fewest=3, lean_deg=20)
    for row in range(len(bank)):
        dice = bank.settled(row).dice
        leans = [tilt_and_up_axis(d.pose.rotation)[0] for d in dice if d.state == "burning"]
        assert 12 < min(leans) < 20
    both = Bank.together([bank, bank])
    assert len(both) == 2 * len(bank)
    assert both.settled(len(bank)).dice[0].state == bank.settled(0).dice[0].state
    with pytest.raises(ValueError, match="another lean_deg"):
        make_bank(tmp_path / "slight.npz", count=3, seed=4, fewest=3)


def test_a_tower_has_a_level_die_one_edge_above_another():
    for heap in heaps("tower", 2):
        assert [die.state for die in heap.dice] == ["tower", "tower"]
        low, high = sorted(die.pose.position_mm[2] for die in heap.dice)
        assert high - low == pytest.approx(SIZE_MM, abs=0.6)


def test_a_cocked_heap_has_a_leaning_die_and_shows_what_it_leans_on():
    leaning = heaps("cocked", 1, number=40)
    assert all(heap.dice[0].state == "burning" and heap.obstacles for heap in leaning)
    kinds = {thing.kind for heap in leaning for thing in heap.obstacles}
    assert kinds == {"box", "disc"}


def test_near_dice_lie_flat_and_often_touch():
    gaps = []
    for heap in heaps("near", 3, number=20):
        assert all(die.state == "flat" for die in heap.dice)
        spots = [die.pose.position_mm for die in heap.dice]
        gaps.append(min(np.linalg.norm(a - b) for a, b in combinations(spots, 2)) / SIZE_MM)
    assert min(gaps) < 1.1
    assert np.median(gaps) < 1.6


def test_obstacles_and_dice_scale_together():
    small, big = (
        Thrower().settle(np.random.default_rng(5), kind="cocked", count=1, size_mm=size)
        for size in (16.0, 20.0)
    )
    assert np.allclose(big.dice[0].pose.position_mm, small.dice[0].pose.position_mm * 1.25)
    assert np.allclose(big.obstacles[0].size_mm, small.obstacles[0].size_mm * 1.25)


def test_the_same_seed_settles_the_same_heap():
    first, second = (heaps("thrown", 3, number=2)[1] for _ in range(2))
    for a, b in zip(first.dice, second.dice, strict=True):
        assert np.array_equal(a.pose.position_mm, b.pose.position_mm)


@pytest.mark.parametrize(("kind", "count"), [("tower", 1), ("thrown", 0), ("nonsense", 2)])
def test_what_cannot_be_settled_is_refused(kind, count):
    with pytest.raises(ValueError, match="cannot settle"):
        settle(np.random.default_rng(0), kind=kind, count=count, size_mm=SIZE_MM)


# --- the bank ------------------------------------------------------------------------------------


def test_an_interrupted_bank_goes_on_where_it_stopped(tmp_path):
    whole = make_bank(tmp_path / "whole.npz", count=100, seed=4)
    make_bank(tmp_path / "parts.npz", count=50, seed=4)
    make_bank(tmp_path / "parts.npz", count=100, seed=4)
    parts = load_bank(tmp_path / "parts.npz")
    assert len(parts) == len(whole) == 100
    for name, column in whole.columns.items():
        assert np.array_equal(column, parts.columns[name]), name


def test_a_bank_gives_back_every_kind_at_any_size(tmp_path):
    bank = make_bank(tmp_path / "bank.npz", count=50, seed=2)
    for kind in physics.KINDS:
        heap = bank.settled(int(bank.indices(kind)[0]), size_mm=20.0)
        assert all(die.size_mm == 20.0 for die in heap.dice)
        assert all(die.pose.position_mm[2] > 9.5 for die in heap.dice)


def test_a_bank_is_not_mixed_from_two_seeds(tmp_path):
    make_bank(tmp_path / "bank.npz", count=1, seed=1)
    with pytest.raises(ValueError, match="another seed"):
        make_bank(tmp_path / "bank.npz", count=100, seed=2)


def test_a_missing_bank_says_how_to_make_one(tmp_path):
    with pytest.raises(FileNotFoundError, match=r"python -m models\.lab\.physics"):
        load_bank(tmp_path / "none.npz")


# --- throws --------------------------------------------------------------------------------------


def shown(throw):
    """What lies on top at the end of a throw."""
    ends = [tilt_and_up_axis(rotation)[1] for rotation in throw.dice_rotation[-1]]
    return tuple(RIGHT_HANDED[axis] for axis in ends)


@pytest.mark.parametrize("values", [(6, 5, 2), (1, 1), (4,)])
def test_a_throw_shows_the_wanted_values_inside_the_zone(values):
    throw = throw_dice(np.random.default_rng(3), values=values, zone_mm=ZONE_MM, least_gap_mm=2.0)
    assert shown(throw) == values
    assert set(throw.states) == {"flat"}
    spots = throw.dice_position_mm[-1]
    assert (spots[:, :2] > np.array(ZONE_MM[:2]) + 8).all()
    assert (spots[:, :2] < np.array(ZONE_MM[2:]) - 8).all()
    for a, b in combinations(spots, 2):
        assert np.linalg.norm(a - b) >= SIZE_MM + 2.0


@pytest.mark.parametrize("outcome", ["tower", "burning"])
def test_a_throw_can_burn_as_asked(outcome):
    throw = throw_dice(np.random.default_rng(5), values=(3, 4, 6), zone_mm=ZONE_MM, outcome=outcome)
    assert outcome in throw.states


def test_dice_under_the_standing_cup_stay_under_it():
    throw = throw_dice(np.random.default_rng(6), values=(6, 6, 1), zone_mm=ZONE_MM)
    first, last = round(throw.down_s * throw.fps) + 1, int(throw.up_s * throw.fps)
    offsets = throw.dice_position_mm[first:last] - throw.cup_position_mm[first:last, None]
    assert np.linalg.norm(offsets[..., :2], axis=-1).max() < 40.0
    assert throw.cup_position_mm[-1, 2] > 100, "the cup is gone at the end"
    assert throw.dice_in_cup[0]
    assert not throw.dice_in_cup[first:].any()


def test_dice_that_lie_there_are_covered_before_they_change():
    rng = np.random.default_rng(7)
    before = throw_dice(rng, values=(2, 3), zone_mm=ZONE_MM, most_spread_mm=26.0)
    lying = [
        Pose(position, rotation)
        for position, rotation in zip(
            before.dice_position_mm[-1], before.dice_rotation[-1], strict=True
        )
    ]
    again = throw_dice(rng, values=(6, 6), zone_mm=ZONE_MM, lying=lying)
    assert shown(again) == (6, 6)
    covered = int(again.down_s * again.fps)
    assert np.array_equal(again.dice_rotation[0], before.dice_rotation[-1])
    assert np.array_equal(again.dice_position_mm[0], again.dice_position_mm[covered])
    assert not again.dice_in_cup.any()


def test_the_path_of_the_cup_has_no_jumps():
    throw = throw_dice(np.random.default_rng(8), values=(1,), zone_mm=ZONE_MM, fps=30.0)
    steps = [np.linalg.norm(b - a) for a, b in pairwise(throw.cup_position_mm)]
    assert max(steps) * 30 < 1500, "millimetres a second"


@pytest.mark.parametrize(
    ("wanted", "complaint"),
    [
        ({"values": ()}, "one to three dice"),
        ({"values": (7,)}, "one to three dice"),
        ({"values": (1,), "outcome": "tower"}, "single die"),
        ({"values": (1, 2), "lying": [Pose(np.zeros(3), np.eye(3))]}, "1 dice lie there"),
    ],
)
def test_throws_that_cannot_be_are_refused(wanted, complaint):
    with pytest.raises(ValueError, match=complaint):
        throw_dice(np.random.default_rng(0), zone_mm=ZONE_MM, **wanted)


def test_renaming_faces_is_a_rotation_of_the_cube():
    assert len(CUBE_ROTATIONS) == 24
    rng = np.random.default_rng(9)
    for value in range(1, 7):
        for up_axis in range(6):
            turn = renaming(rng, layout=RIGHT_HANDED, up_axis=up_axis, value=value)
            assert np.linalg.det(turn) == pytest.approx(1)
            old = turn.T @ np.repeat(np.eye(3), 2, axis=0)[up_axis] * (-1) ** up_axis
            assert RIGHT_HANDED[int(np.argmax(np.stack([old, -old], 1).ravel()))] == value
