"""The stage: what stands and lies on the simulated table, and the frames that come of acts on it.

An act is a generator that yields, frame by frame, what moves; everything else stays. Several acts
may run side by side: everybody shakes at once, an arm reaches over the table meanwhile.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import numpy as np

from device.simulate_table import (
    CupShown,
    DieShown,
    Floats,
    HandShown,
    TableFrame,
    TablePlan,
    ThingShown,
)
from device.simulate_truth import Truth
from models.lab.physics_world import Pose, State


@dataclass
class LyingDie:
    """A die on the table: which one, where, how it lies."""

    number: int
    pose: Pose
    value: int
    state: State = "flat"

    def shown(self) -> DieShown:
        """As a frame has it."""
        return DieShown(self.number, self.pose.position_mm, self.pose.rotation)


@dataclass
class Held:
    """What one place has on the table: dice thrown, dice aside, a cup that stands."""

    zone: list[LyingDie] = field(default_factory=list)
    strip: list[LyingDie] = field(default_factory=list)
    cup: CupShown | None = None


Act = Iterator[TableFrame]
"""Yields what moves; a die that it shows is not shown where it lay."""


@dataclass
class Stage:
    """The table over time.

    Attributes:
        plan: who sits where.
        fps: frames per second.
        frames: what was shown so far, but for what was forgotten.
        truth: what happened.
        held: what lies and stands at each player's place; where all share one, the same for all.
        things: what has no part in the game and stays where it is, by a name.
        besides: an endless act in the background; None: nothing happens there.
    """

    plan: TablePlan
    fps: float
    frames: list[TableFrame] = field(default_factory=list)
    truth: Truth = field(default_factory=Truth)
    things: dict[str, ThingShown] = field(default_factory=dict)
    besides: Act | None = None
    _forgotten: int = 0

    def __post_init__(self) -> None:
        one = Held()
        self.held = {player: one if self.plan.shared else Held() for player in self.plan.places}

    @property
    def now_s(self) -> float:
        """Time of the next frame."""
        return self.time_s(len(self.frames))

    def time_s(self, index: int) -> float:
        """Time of one of `frames`."""
        return (self._forgotten + index) / self.fps

    def forget(self) -> None:
        """Drop the frames and what was told of them: a table that is played at without end."""
        self._forgotten += len(self.frames)
        self.frames.clear()
        self.truth.lines.clear()

    def run(self, *acts: Act) -> None:
        """Play acts side by side until the last one is over."""
        live = list(acts)
        while live:
            parts = []
            for act in list(live):
                part = next(act, None)
                if part is None:
                    live.remove(act)
                else:
                    parts.append(part)
            if parts:
                self._frame(parts)

    def still(self, seconds: float, *hands: HandShown) -> Act:
        """Nothing but these hands, which do not move, for a while."""
        for _ in range(round(seconds * self.fps)):
            yield TableFrame(hands=hands)

    def shares(self, seconds: float) -> list[float]:
        """Shares of a way, gently begun and ended; the last is 1."""
        count = max(1, round(seconds * self.fps))
        return [float(3 * s**2 - 2 * s**3) for s in np.arange(1, count + 1) / count]

    def outside(self, player: str) -> Floats:
        """Where a player's hand is when nobody sees it, (3,)."""
        place = self.plan.places[player]
        return np.append(place.side * place.outside_mm, 60.0)

    def hand(self, player: str, tips_mm: Floats) -> HandShown:
        """A player's hand that reaches for something."""
        return HandShown(tips_mm, self.plan.places[player].side, self.plan.number(player))

    def _frame(self, parts: list[TableFrame]) -> None:
        """Add a frame: what moves, and what lies or stands and is not among it."""
        if self.besides is not None:
            parts = [*parts, next(self.besides)]
        moving = [die for part in parts for die in part.dice]
        moved = {die.die for die in moving}
        places = {id(held): held for held in self.held.values()}.values()
        lying = [die for held in places for die in held.strip + held.zone]
        self.frames.append(
            TableFrame(
                (*(die.shown() for die in lying if die.number not in moved), *moving),
                (
                    *(held.cup for held in places if held.cup is not None),
                    *(cup for part in parts for cup in part.cups),
                ),
                tuple(hand for part in parts for hand in part.hands),
                (
                    *self.things.values(),
                    *(thing for part in parts for thing in part.things),
                ),
            )
        )
