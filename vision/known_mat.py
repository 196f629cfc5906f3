"""When a picture shows the mat itself, and what is known of it then.

A throw that was learned as the bare mat would never be seen. So nothing is learned before all of
the mat has been searched finely since something lay or moved there.
"""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np

from vision.images import Image
from vision.lying import DICE_IN_PLAY, inside
from vision.motion import BareMat, Thumb
from vision.prints import Boxes, Prints
from vision.table import Box, SceneState, TableCup, TableDie

NEVER_S = float("-inf")


@dataclass(frozen=True)
class LearnSettings:
    """How long it must be quiet before something is learned.

    Attributes:
        first_bare_s: the first mat without a finding and without motion is taken as the bare one
            after this.
        anew_s: after this it is taken as bare although it looks different from before: the light
            has changed, or a glass was put down for good.
        print_s: what lies there when the watch begins belongs to the mat after this.
        again_s: while nothing changes, the mat is learned again after this.
    """

    first_bare_s: float = 0.5
    anew_s: float = 4.0
    print_s: float = 1.0
    again_s: float = 0.5


class KnownMat:
    """What is known of one mat; places of the scene are millimetres, pictures are rectified.

    Args:
        object_mm2: as `vision.motion.BareMat` has it.
        aside: the strip: what lies there may have been put aside.
        scale_px_per_mm: resolution of the pictures.
        margin_mm: what they show around the mat.
        settings: waiting times.

    Attributes:
        bare: how the mat looks from afar with nothing on it.
        prints: how it looks from near.
    """

    def __init__(
        self,
        object_mm2: float,
        aside: Box,
        *,
        scale_px_per_mm: float,
        margin_mm: float,
        settings: LearnSettings | None = None,
    ) -> None:
        self.bare = BareMat(object_mm2)
        self.prints = Prints()
        self._aside = aside
        self._scale, self._margin_mm = scale_px_per_mm, margin_mm
        self._settings = settings or LearnSettings()
        self._began_s: float | None = None
        self._searched_s = NEVER_S
        self._busy_s = NEVER_S
        self._empty_since_s: float | None = None
        self._traced = False
        self._before_cups = True
        self._looked = True
        self._learned_s = NEVER_S

    def looked(self) -> None:
        """Something of the mat is being looked at, because it has changed or may have."""
        self._looked = True

    def searched(self, at_s: float) -> None:
        """All of the mat is being looked at finely."""
        self._searched_s = at_s

    def learn(self, view_bgr: Callable[[], Image], small: Thumb, state: SceneState) -> None:
        """Take in one moment.

        Args:
            view_bgr: gives the mat's picture, (H, W, 3) uint8; asked only if it is learned from.
            small: its `vision.motion.thumb`.
            state: what was found on it.
        """
        if self._began_s is None:
            self._began_s = state.t_s
        if state.busy:
            self._busy_s = state.t_s
        self._learn_bare(view_bgr, small, state)
        self._learn_prints(view_bgr, state, self._began_s)

    def _learn_bare(self, view: Callable[[], Image], small: Thumb, state: SceneState) -> None:
        """Take the mat as bare: soon when both witnesses agree, after a long quiet otherwise."""
        if state.dice or state.cups or state.unborn or state.busy:
            self._empty_since_s = None
            return
        if self._empty_since_s is None or (state.traces and not self._traced):
            self._empty_since_s = state.t_s
        self._traced = state.traces
        first = state.looks_bare is None
        wait_s = self._settings.first_bare_s if first else self._settings.anew_s
        alike = state.looks_bare and not state.traces
        bare = alike or state.t_s - self._empty_since_s >= wait_s
        if bare and self._searched_s >= self._empty_since_s:
            self.bare.learn(small)
            self._learn_from(view, state.t_s)

    def _learn_prints(self, view: Callable[[], Image], state: SceneState, began_s: float) -> None:
        """Take for a part of the mat what lies there from the beginning, before a cup comes.

        Three things may be a throw that lay open when the watch began, and what lies in the strip
        may have been put aside: both stay dice.
        """
        settle_s = self._settings.print_s
        if any(cup.since_s - began_s > settle_s for cup in state.cups):
            self._before_cups = False
        early = self._searched_s <= self._busy_s or state.t_s - began_s < settle_s
        if early or not self._before_cups:
            return
        lasting = [
            die
            for die in state.dice
            if die.still_since_s - began_s <= settle_s <= state.t_s - die.still_since_s
            and not inside(die.position_mm, self._aside)
        ]
        things: list[TableDie | TableCup] = [*state.cups, *state.dice]
        if len(state.dice) != DICE_IN_PLAY:
            things = [thing for thing in things if thing not in lasting]
        boxes = [*state.unborn, *(thing.box_mm for thing in things)]
        boxes_px = (np.array(boxes).reshape(-1, 4) + self._margin_mm) * self._scale
        self._learn_from(view, state.t_s, besides_px=boxes_px.astype(np.float32))

    def _learn_from(
        self, view: Callable[[], Image], now_s: float, *, besides_px: Boxes | None = None
    ) -> None:
        """Learn from the picture, unless nothing has been looked at since that was done last."""
        if self._looked or now_s - self._learned_s >= self._settings.again_s:
            self.prints.learn(view(), besides_px=besides_px)
            self._looked, self._learned_s = False, now_s
