"""From moves of the game to what happens on the table, frame by frame, and the truth about it.

Theory of operation
-------------------

The director lets acts happen on a stage (`device.simulate_stage`). A throw is physics
(`device.simulate_throws`); everything else is a hand that moves along straight lines: it takes a
die and lays it aside, turns a six on the way, or takes all dice off the mat. Dice that are thrown
again are covered by the cup where they lie.

Where one mat serves all, the mat is cleared after every turn. Where everybody has a seat, all shake
at once at the beginning of a round, the cups stand until it is their players' turn, and dice lie
until the round is over.

The truth (`device.simulate_truth`) is written while directing. Waiting times are
longer than what the appliance needs to be sure (a die rests after 0.4 s, an empty mat counts as
cleared after 0.5 s).
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field

import numpy as np

from device.simulate_game import Move
from device.simulate_stage import Act, LyingDie, Stage
from device.simulate_table import DIE_MM, DieShown, Floats, TableFrame, TablePlan
from device.simulate_throws import Shaken, lie, lift, shake, shaken
from models.lab.physics_starts import about, yaw
from models.lab.physics_world import Pose, tilt_and_up_axis
from models.lab.throwing_faces import RIGHT_HANDED, Layout
from rules.actions import KeepDice, StopTurn, ThrowDice, TurnSixes
from rules.events import OpeningSettled, RoundSettled

BEGIN_S = 1.5
"""The empty mat at the beginning: a watcher learns what it looks like."""
ASIDE_S = 0.7
"""Dice put aside lie there for so long before the cup comes."""
BARE_S = 1.1
"""The mat is bare for so long between two turns."""
CLEARED_S = 0.5
"""A bare mat counts as cleared after this time."""
REACH_S, MOVE_S, GRIP_S = 0.5, 0.7, 0.15
"""A hand comes or goes; carries a die; closes around it."""
STAGGER_S = 0.6
"""Nobody begins to shake later than this after the first."""
PEEK_S = (0.8, 1.6)
"""Who looks under the cup's rim before it is taken away does so for so long."""
LIFT_MM = 26.0
LEFT_HANDED: Layout = (4, 3, 2, 5, 1, 6)
DICE_EACH = 3


@dataclass
class Director:
    """Turns moves into frames and truth.

    Attributes:
        plan: the table and its players.
        fps: frames per second.
        rng: all chance of the table (not of the game).
        own_dice: every player throws dice of his own; else three serve all. At seats always.
        peeks: probability that a player looks under the rim first.
        stage: what was shown and what happened.
    """

    plan: TablePlan
    fps: float
    rng: np.random.Generator
    own_dice: bool = False
    peeks: float = 0.0
    stage: Stage = field(init=False)

    def __post_init__(self) -> None:
        self.own_dice |= not self.plan.shared
        sets = len(self.plan.places) if self.own_dice else 1
        self.layouts: tuple[Layout, ...] = (RIGHT_HANDED, RIGHT_HANDED, LEFT_HANDED) * sets
        self.stage = Stage(self.plan, self.fps)
        self._stand: dict[str, Shaken] = {}

    def play(self, moves: Iterable[Move]) -> None:
        """Direct a whole game."""
        for _ in self.acts(moves):
            pass

    def acts(self, moves: Iterable[Move]) -> Iterator[None]:
        """Direct a game; pauses after every move, when its frames are on the stage."""
        self.stage.run(self.stage.still(BEGIN_S))
        yield
        for moves_of_round in rounds_of(moves):
            if not self.plan.shared:
                self._all_shake(moves_of_round)
            for move in moves_of_round:
                self._show(move)
                yield
            if not self.plan.shared:
                self._clear(*self.plan.places)

    def leave_alone(self, seconds: float) -> None:
        """Let nothing happen: what lies on the table lies there."""
        self.stage.run(self.stage.still(seconds))

    def dice_of(self, player: str) -> range:
        """The numbers of the dice that a player throws."""
        first = DICE_EACH * self.plan.number(player) if self.own_dice else 0
        return range(first, first + DICE_EACH)

    def _show(self, move: Move) -> None:
        action = move.action
        if isinstance(action, ThrowDice):
            self._throw(action)
            falls = action.burns == "off_mat"
            if falls or (self.plan.shared and move.opening and action.burns is None):
                self._clear(action.player)
        elif isinstance(action, KeepDice):
            self._put_aside(action.player, action.dice, "dice_kept")
        elif isinstance(action, TurnSixes):
            self._put_aside(action.player, (6,) * action.count, "turned")
        elif isinstance(action, StopTurn) and self.plan.shared:
            self._clear(action.player)
        self.stage.truth.tell_rounds(move, self.stage.now_s)

    # --- throws -----------------------------------------------------------------------------------

    def _all_shake(self, moves: Sequence[Move]) -> None:
        """Everybody's first throw of a round: the cups come together and stand."""
        acts = []
        for player in self.plan.places:
            first = next((m.action for m in moves if m.action.player == player), None)  # type: ignore[attr-defined]
            if isinstance(first, ThrowDice):
                thrown = self._stand[player] = self._shaken(first)
                late_s = float(self.rng.uniform(0, STAGGER_S))
                acts.append(self._later(late_s, shake(self.stage, thrown, leaves=True)))
        self.stage.run(*acts)

    def _later(self, seconds: float, act: Act) -> Act:
        """An act that begins after a while."""
        yield from self.stage.still(seconds)
        yield from act

    def _throw(self, action: ThrowDice) -> None:
        stage = self.stage
        thrown = self._stand.pop(action.player, None)
        acts: list[Act] = []
        if thrown is None:
            thrown = self._shaken(action)
            acts.append(shake(stage, thrown))
        peek_s = float(self.rng.uniform(*PEEK_S)) if self.rng.random() < self.peeks else 0.0
        stage.run(*acts)
        begin = len(stage.frames)
        stage.run(lift(stage, thrown, peek_s=peek_s))
        lie(stage, thrown, begin)

    def _shaken(self, action: ThrowDice) -> Shaken:
        aside = {die.number for die in self.stage.held[action.player].strip}
        free = [number for number in self.dice_of(action.player) if number not in aside]
        return shaken(self.stage, self.rng, action, dice=free, layouts=self.layouts)

    # --- hands ------------------------------------------------------------------------------------

    def _put_aside(self, player: str, values: Sequence[int], kind: str) -> None:
        """A hand lays dice of the last throw aside, one after the other."""
        self.stage.run(self._lays_aside(player, values, kind))
        self.stage.run(self.stage.still(ASIDE_S))

    def _lays_aside(self, player: str, values: Sequence[int], kind: str) -> Act:
        stage = self.stage
        held, place = stage.held[player], self.plan.places[player]
        hand_at = stage.outside(player)
        for value in values:
            die = next(die for die in held.zone if die.value == value)
            start = die.pose.position_mm
            yield from self._carry(player, hand_at, start, REACH_S)
            slot = np.append(place.slots_mm[len(held.strip)], DIE_MM / 2)
            slot[:2] += self.rng.uniform(-3, 3, 2)
            begin, twist = die.pose.rotation, float(self.rng.uniform(-0.5, 0.5))
            # A six lies opposite a one: half a turn about a level axis through the die.
            flip, half_turn = _level_axis(begin), np.pi if kind == "turned" else 0.0
            held.zone.remove(die)
            for share in stage.shares(MOVE_S):
                rotation = yaw(twist * share) @ about(flip, half_turn * share) @ begin
                rise = LIFT_MM * np.sin(np.pi * share) * np.array([0, 0, 1.0])
                die.pose = Pose(start + (slot - start) * share + rise, rotation)
                hand = stage.hand(player, die.pose.position_mm)
                yield TableFrame((die.shown(),), hands=(hand,))
            die.pose = Pose(slot, die.pose.rotation)
            die.value = 1 if kind == "turned" else value
            held.strip.append(die)
            yield from stage.still(GRIP_S, stage.hand(player, slot))
            stage.truth.lay_aside(kind, die.value, player)
            hand_at = slot
        yield from self._carry(player, hand_at, stage.outside(player), REACH_S)

    def _clear(self, *players: str) -> None:
        """Hands take everything off the mat, and nothing lies there for a while."""
        stage = self.stage
        lie_there = [p for p in players if stage.held[p].zone or stage.held[p].strip]
        stage.run(*(self._takes(player) for player in lie_there))
        for player in lie_there:
            stage.truth.tell_cleared(stage.now_s + CLEARED_S, player)
        stage.run(stage.still(BARE_S))

    def _takes(self, player: str) -> Act:
        stage, held = self.stage, self.stage.held[player]
        hand_at = stage.outside(player)
        taken: list[tuple[LyingDie, Floats]] = []
        for heap in (held.strip, held.zone):
            if not heap:
                continue
            middle = np.mean([die.pose.position_mm for die in heap], axis=0)
            middle[2] = DIE_MM / 2
            yield from self._carry(player, hand_at, middle, MOVE_S if taken else REACH_S, taken)
            taken += [(die, (die.pose.position_mm - middle) * 0.45) for die in heap]
            heap.clear()
            yield from self._carry(player, middle, middle, GRIP_S, taken)
            hand_at = middle
        yield from self._carry(player, hand_at, stage.outside(player), MOVE_S, taken)

    def _carry(
        self, player: str, begin: Floats, end: Floats, seconds: float,
        taken: Sequence[tuple[LyingDie, Floats]] = (),
    ) -> Iterator[TableFrame]:  # fmt: skip
        """The hand moves; what it has taken goes along."""
        for share in self.stage.shares(seconds):
            tips = begin + (end - begin) * share
            dice: list[DieShown] = []
            for die, offset in taken:
                die.pose = Pose(tips + offset, die.pose.rotation)
                dice.append(die.shown())
            yield TableFrame(tuple(dice), hands=(self.stage.hand(player, tips),))


def rounds_of(moves: Iterable[Move]) -> Iterator[list[Move]]:
    """The moves of a game, those of one round or opening together."""
    together: list[Move] = []
    for move in moves:
        together.append(move)
        if any(isinstance(event, RoundSettled | OpeningSettled) for event in move.events):
            yield together
            together = []
    if together:
        yield together


def _level_axis(rotation: Floats) -> Floats:
    """A face normal of the die that lies level, (3,) in table coordinates."""
    up_axis = tilt_and_up_axis(rotation)[1]
    return np.asarray(rotation[:, (up_axis // 2 + 1) % 3])
