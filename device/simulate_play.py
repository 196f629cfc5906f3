"""From moves of the game to what happens on the table, frame by frame, and the truth about it.

Theory of operation
-------------------

The director keeps a list of frames and the time that follows from its length. A throw is physics
(`models.lab.throwing`); everything else is a hand that moves along straight lines: it takes a die
and lays it in the put-aside strip, turns a six on the way, or takes all dice off the mat. Dice
that are thrown again are covered by the cup where they lie.

The truth (`device.simulate_truth`) is written while directing. Waiting times are
longer than what the appliance needs to be sure (a die rests after 0.4 s, an empty mat counts as
cleared after 0.5 s).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

import numpy as np

from device.simulate_game import Move
from device.simulate_sight import first_in_sight
from device.simulate_table import (
    DIE_MM,
    OUT_OF_VIEW_MM,
    STRIP_SLOTS_MM,
    CupShown,
    DieShown,
    Floats,
    HandShown,
    TableFrame,
    seat_directions,
    throwing_zone,
    to_table,
)
from device.simulate_truth import Truth
from models.lab.physics_starts import about, yaw
from models.lab.physics_world import Pose, State, tilt_and_up_axis
from models.lab.throwing import Throw, throw_dice
from models.lab.throwing_ends import Outcome
from models.lab.throwing_faces import RIGHT_HANDED, Layout
from rules.actions import KeepDice, StopTurn, ThrowDice, TurnSixes

BEGIN_S = 1.5
"""The empty mat at the beginning: a watcher learns what it looks like."""
LIE_S = 1.7
"""Dice lie in the open for so long after a throw."""
ASIDE_S = 0.7
"""Dice put aside lie there for so long before the cup comes."""
BARE_S = 1.1
"""The mat is bare for so long between two turns."""
CLEARED_S = 0.5
"""A bare mat counts as cleared after this time."""
REACH_S, MOVE_S, GRIP_S = 0.5, 0.7, 0.15
"""A hand comes or goes; carries a die; closes around it."""
LIFT_MM = 26.0
LET_GO_MM, LET_GO_S = 90.0, 0.25
"""The hand lets go of the standing cup and draws back so far, within this time."""
SPREAD_MM = 26.0
"""Dice end so close to each other that the cup can be put over them again."""
GAP_MM = 2.0
LEFT_HANDED: Layout = (4, 3, 2, 5, 1, 6)


@dataclass
class _Die:
    """A die on the table: which one, where, how it lies."""

    number: int
    pose: Pose
    value: int
    state: State = "flat"


@dataclass
class Director:
    """Turns moves into frames and truth.

    Attributes:
        players: names, clockwise.
        fps: frames per second.
        rng: all chance of the table (not of the game).
        frames: what was shown so far.
        truth: what happened.
    """

    players: Sequence[str]
    fps: float
    rng: np.random.Generator
    frames: list[TableFrame] = field(default_factory=list)
    truth: Truth = field(default_factory=Truth)

    def __post_init__(self) -> None:
        self.layouts: tuple[Layout, ...] = (RIGHT_HANDED, RIGHT_HANDED, LEFT_HANDED)
        self._sides = dict(zip(self.players, seat_directions(len(self.players)), strict=True))
        self._zone: list[_Die] = []
        self._strip: list[_Die] = []
        self._wait(BEGIN_S)

    @property
    def now_s(self) -> float:
        """Time of the next frame."""
        return len(self.frames) / self.fps

    def show(self, move: Move) -> None:
        """Direct one move."""
        action = move.action
        if isinstance(action, ThrowDice):
            self._throw(action)
            if move.opening and action.burns is None:
                self._clear(action.player)
        elif isinstance(action, KeepDice):
            self._put_aside(action.player, action.dice, "dice_kept")
        elif isinstance(action, TurnSixes):
            self._put_aside(action.player, (6,) * action.count, "turned")
        elif isinstance(action, StopTurn):
            self._clear(action.player)
        self.truth.tell_rounds(move, self.now_s)

    # --- throws -----------------------------------------------------------------------------------

    def _throw(self, action: ThrowDice) -> None:
        free = [i for i in range(3) if all(die.number != i for die in self._strip)]
        lying = [die.pose for die in self._zone]
        # A beginning by single dice is thrown with one of the three.
        numbers = [die.number for die in self._zone] or free[: len(action.dice) or len(free)]
        outcome: Outcome = "flat"
        if action.burns is not None:
            outcome = "tower" if action.burns == "tower" else "burning"
        values = action.dice if outcome == "flat" else self._any_values(len(numbers))
        throw = throw_dice(
            self.rng,
            values=values,
            zone_mm=throwing_zone(),
            fps=self.fps,
            size_mm=DIE_MM,
            layouts=[self.layouts[number] for number in numbers],
            outcome=outcome,
            side=(float(self._sides[action.player][0]), float(self._sides[action.player][1])),
            lying=lying,
            least_gap_mm=GAP_MM,
            most_spread_mm=SPREAD_MM,
        )
        begin_s = self.now_s
        self.truth.tell(begin_s + throw.down_s, "cup_down", action.player)
        self.truth.tell_aside(begin_s + throw.down_s, action.player)
        self.truth.tell(begin_s + throw.up_s, "cup_up", action.player)
        seat = list(self.players).index(action.player)
        for i in range(len(throw)):
            dice = [] if throw.dice_in_cup[i] else [
                DieShown(number, throw.dice_position_mm[i, k], throw.dice_rotation[i, k])
                for k, number in enumerate(numbers)
            ]  # fmt: skip
            cup = CupShown(throw.cup_position_mm[i], throw.cup_rotation[i])
            side = self._sides[action.player]
            away = np.append(side, 0.0) * LET_GO_MM * _let_go(i / self.fps, throw)
            hand = HandShown(cup.position_mm + away, side, seat, holds_cup=True)
            self._frame(dice, cup, hand)
        self._zone = [
            _Die(number, Pose(throw.dice_position_mm[-1, k], throw.dice_rotation[-1, k]),
                 values[k], throw.states[k])
            for k, number in enumerate(numbers)
        ]  # fmt: skip
        flat = [die.value for die in self._zone if die.state == "flat"]
        rest_s = begin_s + first_in_sight(self.frames[-len(throw) :]) / self.fps
        kind = action.burns or "throw_seen"
        self.truth.tell(self.now_s, kind, action.player, flat, rest_s=rest_s)
        self._wait(LIE_S)

    def _any_values(self, count: int) -> tuple[int, ...]:
        return tuple(int(value) for value in self.rng.integers(1, 7, count))

    # --- hands ------------------------------------------------------------------------------------

    def _put_aside(self, player: str, values: Sequence[int], kind: str) -> None:
        """A hand lays dice of the last throw in the strip, one after the other."""
        hand_at = self._outside(player)
        for value in values:
            die = next(die for die in self._zone if die.value == value)
            start = die.pose.position_mm
            self._carry(player, hand_at, start, REACH_S)
            slot = to_table(STRIP_SLOTS_MM[len(self._strip)], DIE_MM / 2)
            slot[:2] += self.rng.uniform(-3, 3, 2)
            begin, twist = die.pose.rotation, float(self.rng.uniform(-0.5, 0.5))
            # A six lies opposite a one: half a turn about a level axis through the die.
            flip, half_turn = _level_axis(begin), np.pi if kind == "turned" else 0.0
            self._zone.remove(die)
            for share in self._shares(MOVE_S):
                rotation = yaw(twist * share) @ about(flip, half_turn * share) @ begin
                lift = LIFT_MM * np.sin(np.pi * share) * np.array([0, 0, 1.0])
                die.pose = Pose(start + (slot - start) * share + lift, rotation)
                self._frame([self._shown(die)], None, self._hand(player, die.pose.position_mm))
            die.pose = Pose(slot, die.pose.rotation)
            die.value = 1 if kind == "turned" else value
            self._strip.append(die)
            self._wait(GRIP_S, self._hand(player, slot))
            self.truth.lay_aside(kind, die.value)
            hand_at = slot
        self._carry(player, hand_at, self._outside(player), REACH_S)
        self._wait(ASIDE_S)

    def _clear(self, player: str) -> None:
        """A hand takes everything off the mat, and nothing lies there for a while."""
        hand_at = self._outside(player)
        taken: list[tuple[_Die, Floats]] = []
        for heap in (self._strip, self._zone):
            if not heap:
                continue
            middle = np.mean([die.pose.position_mm for die in heap], axis=0)
            middle[2] = DIE_MM / 2
            self._carry(player, hand_at, middle, REACH_S if not taken else MOVE_S, taken)
            for die in heap:
                offset = (die.pose.position_mm - middle) * 0.45
                taken.append((die, offset))
            heap.clear()
            self._carry(player, middle, middle, GRIP_S, taken)
            hand_at = middle
        self._carry(player, hand_at, self._outside(player), MOVE_S, taken)
        self.truth.tell_cleared(self.now_s + CLEARED_S, player)
        self._wait(BARE_S)

    def _carry(
        self, player: str, begin: Floats, end: Floats, seconds: float,
        taken: Sequence[tuple[_Die, Floats]] = (),
    ) -> None:  # fmt: skip
        """The hand moves; what it has taken goes along."""
        for share in self._shares(seconds):
            tips = begin + (end - begin) * share
            dice = []
            for die, offset in taken:
                die.pose = Pose(tips + offset, die.pose.rotation)
                dice.append(self._shown(die))
            self._frame(dice, None, self._hand(player, tips))

    def _hand(self, player: str, tips_mm: Floats) -> HandShown:
        return HandShown(tips_mm, self._sides[player], list(self.players).index(player))

    def _outside(self, player: str) -> Floats:
        return np.append(self._sides[player] * OUT_OF_VIEW_MM, 60.0)

    def _shares(self, seconds: float) -> list[float]:
        """Shares of a way, gently begun and ended; the last is 1."""
        count = max(1, round(seconds * self.fps))
        return [float(3 * s**2 - 2 * s**3) for s in np.arange(1, count + 1) / count]

    # --- frames and truth -------------------------------------------------------------------------

    def _shown(self, die: _Die) -> DieShown:
        return DieShown(die.number, die.pose.position_mm, die.pose.rotation)

    def _frame(
        self, moving: Sequence[DieShown], cup: CupShown | None, hand: HandShown | None
    ) -> None:
        """Add a frame: dice that move, and those that lie and are not among them."""
        moved = {die.die for die in moving}
        still = [self._shown(d) for d in self._strip + self._zone if d.number not in moved]
        self.frames.append(TableFrame((*still, *moving), cup, hand))

    def _wait(self, seconds: float, hand: HandShown | None = None) -> None:
        for _ in range(round(seconds * self.fps)):
            self._frame((), None, hand)


def _let_go(t_s: float, throw: Throw) -> float:
    """How far the hand is drawn back from the standing cup, 0 to 1."""
    share = min(t_s - throw.still_s, throw.up_s - t_s) / LET_GO_S
    return float(np.clip(share, 0.0, 1.0))


def _level_axis(rotation: Floats) -> Floats:
    """A face normal of the die that lies level, (3,) in table coordinates."""
    up_axis = tilt_and_up_axis(rotation)[1]
    return np.asarray(rotation[:, (up_axis // 2 + 1) % 3])
