"""Throws as acts on the simulated table: the cup comes and is shaken, stands, and is lifted.

Where everybody has a seat all shake at once, and the cups stand until it is their turn. Where one
mat serves all the two acts follow each other.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from device.errors import SourceError
from device.simulate_look import camera_of
from device.simulate_sight import cup_axis, distance_mm, first_in_sight
from device.simulate_stage import Act, LyingDie, Stage
from device.simulate_table import DIE_MM, CupShown, DieShown, Floats, HandShown, TableFrame
from models.lab.physics_world import Pose
from models.lab.throwing import Throw, throw_dice
from models.lab.throwing_ends import Outcome
from models.lab.throwing_faces import Layout
from rules.actions import ThrowDice

LIE_S = 1.7
"""Dice lie in the open, in sight, for so long after a throw."""
LONGEST_LIE_S = 8.0
GLANCE_S = 0.4
"""From when on they have been in sight for so long a watcher could have read them."""
LET_GO_MM, LET_GO_S = 90.0, 0.25
"""The hand lets go of the standing cup and draws back so far, within this time."""
REACH_S = 0.5
"""A hand comes or goes."""
SPREAD_MM = 26.0
"""Dice end so close to each other that the cup can be put over them again."""
GAP_MM = 2.0
SETTLED_MM = 1.0
OUTCOMES: dict[str | None, Outcome] = {
    None: "flat", "tower": "tower", "burning": "burning", "off_mat": "off_mat"
}  # fmt: skip


@dataclass(frozen=True, eq=False)
class Shaken:
    """A throw that physics has decided.

    Attributes:
        player: who throws.
        kind: what the table will see: `throw_seen`, or what is wrong with it.
        throw: where everything is, frame by frame.
        dice: their numbers.
        values: what they will show.
    """

    player: str
    kind: str
    throw: Throw
    dice: tuple[int, ...]
    values: tuple[int, ...]

    @property
    def middle(self) -> int:
        """The frame in which the cup stands and the hand has let go."""
        return round((self.throw.still_s + self.throw.up_s) / 2 * self.throw.fps)


def shaken(
    stage: Stage,
    rng: np.random.Generator,
    action: ThrowDice,
    *,
    dice: Sequence[int],
    layouts: Sequence[Layout],
) -> Shaken:
    """Let physics decide a throw.

    Args:
        stage: the table.
        rng: all chance.
        action: who throws what, and what is wrong with it.
        dice: the numbers of all dice that the player could throw now.
        layouts: face values of each die of the table.

    Raises:
        SourceError: dice that lie there are to fall off the mat.
    """
    place, held = stage.plan.places[action.player], stage.held[action.player]
    lying = [die.pose for die in held.zone]
    # A beginning by single dice is thrown with one of the three.
    numbers = tuple(die.number for die in held.zone) or tuple(dice[: len(action.dice) or 3])
    outcome = OUTCOMES[action.burns]
    if outcome == "off_mat" and lying:
        raise SourceError(
            f"{action.player}'s dice lie on the mat and the cup is put over them, so that none can "
            "fall off; let the first throw of a turn fall off, or one after such a throw."
        )
    values = action.dice
    if outcome != "flat":
        values = tuple(int(value) for value in rng.integers(1, 7, len(numbers)))
    width, height = stage.plan.mat_size_mm
    throw = throw_dice(
        rng,
        values=values,
        zone_mm=place.zone_mm,
        fps=stage.fps,
        size_mm=DIE_MM,
        layouts=[layouts[number] for number in numbers],
        outcome=outcome,
        side=(float(place.side[0]), float(place.side[1])),
        lying=lying,
        least_gap_mm=GAP_MM,
        most_spread_mm=SPREAD_MM if outcome != "off_mat" else np.inf,
        mat_mm=(-width / 2, -height / 2, width / 2, height / 2),
    )
    kind = action.burns or "throw_seen"
    return Shaken(action.player, kind, throw, numbers, tuple(values))


def shake(stage: Stage, thrown: Shaken, *, leaves: bool = False) -> Act:
    """The cup comes, is shaken, and stands; the hand leaves it when it is not yet to be lifted."""
    begin_s, throw, player = stage.now_s, thrown.throw, thrown.player
    stage.truth.tell(begin_s + throw.down_s, "cup_down", player)
    stage.truth.tell_aside(begin_s + throw.down_s, player)
    for i in range(thrown.middle):
        yield _frame(stage, thrown, i)
    if leaves:
        cup = _cup(throw, thrown.middle)
        stage.held[player].cup = cup
        begin = cup.position_mm + np.append(stage.plan.places[player].side * LET_GO_MM, 0.0)
        yield from _hand_goes(stage, player, begin, stage.outside(player))


def lift(stage: Stage, thrown: Shaken, *, peek_s: float = 0.0) -> Act:
    """The cup is lifted and carried away.

    Args:
        stage: the table.
        thrown: what was shaken.
        peek_s: the cup is held over the dice for so long, half hiding one of them.
    """
    throw, player = thrown.throw, thrown.player
    held = stage.held[player]
    if held.cup is not None:
        end = held.cup.position_mm + np.append(stage.plan.places[player].side * LET_GO_MM, 0.0)
        yield from _hand_goes(stage, player, stage.outside(player), end)
    held.cup = None
    first = thrown.middle
    stage.truth.tell(stage.now_s + throw.up_s - first / stage.fps, "cup_up", player)
    peeks = _half_hidden(stage, thrown) if peek_s else -1
    for i in range(first, len(throw)):
        yield _frame(stage, thrown, i)
        if i == peeks:
            for _ in range(round(peek_s * stage.fps)):
                yield _frame(stage, thrown, i)
    held.zone = [
        LyingDie(
            number,
            Pose(throw.dice_position_mm[-1, k], throw.dice_rotation[-1, k]),
            thrown.values[k],
            throw.states[k],
        )
        for k, number in enumerate(thrown.dice)
    ]


def lie(stage: Stage, thrown: Shaken, begin: int) -> None:
    """Let the dice lie until they have been in sight for long enough, and tell of the throw.

    Args:
        stage: the table; the cup is gone.
        thrown: the throw.
        begin: the frame in which the cup began to be lifted.
    """
    ended_s = stage.now_s
    camera_mm = np.asarray(camera_of(stage.plan).position_mm)
    enough = round(LIE_S * stage.fps)
    stage.run(stage.still(LIE_S))
    while stage.now_s - ended_s < LONGEST_LIE_S:
        first = first_in_sight(stage.frames[begin:], camera_mm, thrown.dice, for_frames=enough)
        if first < len(stage.frames) - begin:
            break
        stage.run(stage.still(1 / stage.fps))
    glance = round(GLANCE_S * stage.fps)
    seen = first_in_sight(stage.frames[begin:], camera_mm, thrown.dice, for_frames=glance)
    flat = [die.value for die in stage.held[thrown.player].zone if die.state == "flat"]
    rest_s = stage.time_s(begin + seen)
    stage.truth.tell(ended_s, thrown.kind, thrown.player, flat, rest_s=rest_s)


def _frame(stage: Stage, thrown: Shaken, i: int) -> TableFrame:
    """One frame of a throw: the cup, the hand that holds it, its dice unless they are in it."""
    throw, plan = thrown.throw, stage.plan
    dice = () if throw.dice_in_cup[i] else tuple(
        DieShown(number, throw.dice_position_mm[i, k], throw.dice_rotation[i, k])
        for k, number in enumerate(thrown.dice)
    )  # fmt: skip
    cup = _cup(throw, i)
    side = plan.places[thrown.player].side
    away = np.append(side, 0.0) * LET_GO_MM * _let_go(i / stage.fps, throw)
    hand = HandShown(cup.position_mm + away, side, plan.number(thrown.player), holds_cup=True)
    return TableFrame(dice, (cup,), (hand,))


def _cup(throw: Throw, i: int) -> CupShown:
    return CupShown(throw.cup_position_mm[i], throw.cup_rotation[i])


def _let_go(t_s: float, throw: Throw) -> float:
    """How far the hand is drawn back from the standing cup, 0 to 1."""
    share = min(t_s - throw.still_s, throw.up_s - t_s) / LET_GO_S
    return float(np.clip(share, 0.0, 1.0))


def _hand_goes(stage: Stage, player: str, begin: Floats, end: Floats) -> Iterator[TableFrame]:
    """The hand that holds cups goes from one place to another."""
    side, seat = stage.plan.places[player].side, stage.plan.number(player)
    for share in stage.shares(REACH_S):
        tips = begin + (end - begin) * share
        yield TableFrame(hands=(HandShown(tips, side, seat, holds_cup=True),))


def _half_hidden(stage: Stage, thrown: Shaken) -> int:
    """The frame of a throw in which the rim of the leaving cup best cuts through a resting die."""
    throw = thrown.throw
    camera_mm = np.asarray(camera_of(stage.plan).position_mm)
    ends = throw.dice_position_mm[-1]
    cuts: list[tuple[float, int]] = []
    for i in range(round(throw.up_s * throw.fps) + 1, len(throw)):
        if np.linalg.norm(throw.dice_position_mm[i] - ends, axis=1).max() > SETTLED_MM:
            continue
        begin, end, radius = cup_axis(_cup(throw, i))
        cuts += [(abs(distance_mm(camera_mm, die, begin, end) - radius), i) for die in ends]
    return min(cuts)[1] if cuts else -1
