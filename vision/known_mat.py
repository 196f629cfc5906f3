"""When a picture shows the mat itself, and what is known of it then.

A throw that was learned as the bare mat would never be seen. So nothing is learned before all of
the mat has been searched finely since something lay or moved there. Every seat's part is learned
by itself: dice that lie at one for long keep nobody from learning another.
"""

from collections.abc import Callable, Sequence

import numpy as np
from numpy.typing import NDArray

from vision.bare_mat import BareLook, BareMat
from vision.images import Image
from vision.lying import DICE_IN_PLAY, Places
from vision.mat_view import MatView
from vision.motion import Thumb
from vision.parts import PIXEL_MM, WHOLE, Parts
from vision.prints import Boxes, Prints
from vision.quiet import NEVER_S, LearnSettings, QuietPart
from vision.table import Box, SceneState, TableCup, TableDie
from vision.trail import followed

AROUND_DIE_MM = 12.0
"""So far around a die its shadow and its sides are to be seen."""
GROWN = np.array([-1.0, -1.0, 1.0, 1.0])


class KnownMat:
    """What is known of one mat; places of the scene are millimetres, pictures are rectified.

    Args:
        bare: how the mat looks from afar with nothing on it; nothing is known of it yet.
        places: of every part, where dice are put aside.
        scale_px_per_mm: resolution of the pictures.
        margin_mm: what they show around the mat.
        settings: waiting times.

    Attributes:
        bare: as given.
        in_play: of every part, how many dice may lie there (`vision.seating.Seating.in_play`).
        told: at which parts a throw lies open that was told (`Seating.told`).
        prints: how the mat looks from near.
        first: the same when the watch began, with all that lay there and was not put aside.
        beside: the same with what lay beside dice that were all accounted for.
    """

    def __init__(
        self,
        bare: BareMat,
        places: Sequence[Places],
        *,
        scale_px_per_mm: float,
        margin_mm: float,
        settings: LearnSettings | None = None,
    ) -> None:
        self.bare = bare
        self.in_play: Sequence[int] = (DICE_IN_PLAY,) * len(places)
        self.told: Sequence[bool] = (True,) * len(places)
        self.prints = Prints()
        self.first = Prints(whole_cups=True)
        self.beside = Prints(whole_cups=True)
        self._places = tuple(places)
        self._scale, self._margin_mm = scale_px_per_mm, margin_mm
        self._settings = settings or LearnSettings()
        self._began_s: float | None = None
        self._searched_s = NEVER_S
        self._busy_s = NEVER_S
        self._parts = [QuietPart() for _ in self._places]
        self._before_cups = True
        self._stood: frozenset[int] = frozenset()
        self._was_read = np.zeros(len(self._places), np.bool_)
        self._looked = np.ones(len(self._places), np.bool_)
        self._learned_s = np.full(len(self._places), NEVER_S)

    def are_known(
        self,
        view_bgr: Image | MatView,
        boxes_px: Boxes,
        *,
        are_cups: NDArray[np.bool_],
        owners: NDArray[np.intp],
    ) -> NDArray[np.bool_]:
        """Which findings are no dice and no cups that anybody plays with; as in `Prints`.

        What may have been a throw when the watch began and lies there as it did, or looks
        somewhat as the mat does there (`Prints.are_like`), is none of them beside as many other
        dice as are in play.

        Args:
            view_bgr: (H, W, 3) uint8, the mat now.
            boxes_px: (N, 4) what was found in it.
            are_cups: (N,) which of it was taken for cups.
            owners: (N,) the part of the mat where each lies.

        Returns:
            (N,).
        """
        known = self.prints.are_known(view_bgr, boxes_px, are_cups=are_cups)
        known |= self.beside.are_known(view_bgr, boxes_px, are_cups=are_cups)
        counted = ~known & ~are_cups
        parts = len(self.in_play)
        if (np.bincount(owners[counted], minlength=parts) <= self.in_play).all():
            return known
        others = counted & ~self.first.are_known(view_bgr, boxes_px)
        others &= ~self.prints.are_like(view_bgr, boxes_px)
        enough = np.bincount(owners[others], minlength=parts) >= self.in_play
        return known | (counted & ~others & enough[owners])

    def stood(
        self, view_bgr: Image | MatView, boxes_px: Boxes, *, are_cups: NDArray[np.bool_]
    ) -> NDArray[np.bool_]:
        """Which findings are cups that stand there as one did when the watch began.

        A coaster is taken for a cup in one look and not in the next; it has not come anew.
        Arguments as of `are_known`.
        """
        return are_cups & self.first.are_known(view_bgr, boxes_px, are_cups=are_cups)

    def gone(self, bare: BareLook) -> tuple[bool, ...]:
        """For every part whether it looks bare where dice and cups were seen last."""
        return tuple(
            bool(known.trail) and bare.is_bare_at(np.array(known.trail) + self._margin_mm)
            for known in self._parts
        )

    def looked(self, which: NDArray[np.bool_]) -> None:
        """Parts of the mat, given as (count,), are looked at: they have changed or may have."""
        self._looked |= which

    def cleared(self, which: Sequence[int]) -> None:
        """From these parts the dice were taken away: where they lay says nothing any more."""
        for part in which:
            self._parts[part].trail = []

    def searched(self, at_s: float) -> None:
        """All of the mat is being looked at finely."""
        self._searched_s = at_s

    def learn(
        self,
        view_bgr: Callable[[], Image],
        small: Thumb,
        states: Sequence[SceneState],
        parts: Parts = WHOLE,
    ) -> None:
        """Take in one moment.

        Args:
            view_bgr: gives the mat's picture, (H, W, 3) uint8; asked only if it is learned from.
            small: its `vision.motion.thumb`.
            states: what was found on each part.
            parts: which pixels of `small` these are.
        """
        now_s = states[0].t_s
        if self._began_s is None:
            self._began_s = now_s
        if any(state.busy for state in states):
            self._busy_s = now_s
        for known, state, in_play in zip(self._parts, states, self.in_play, strict=True):
            known.trail = followed(known.trail, state, in_play)
        bare = np.array(
            [
                known.is_bare(state, self._settings, searched_s=self._searched_s)
                for known, state in zip(self._parts, states, strict=True)
            ]
        )
        if bare.any():
            self.bare.learn(small, parts, bare)
            self._learn_from(view_bgr, now_s, bare, parts)
        self._learn_prints(view_bgr, states, self._began_s)
        self._learn_beside(view_bgr, small, states, parts)

    def _learn_beside(
        self,
        view: Callable[[], Image],
        small: Thumb,
        states: Sequence[SceneState],
        parts: Parts,
    ) -> None:
        """Whatever lies beside a throw that is wholly read is no die: glasses, hands, telephones.

        So the mat is cleared when the dice are gone, though a glass was put down meanwhile. Beside
        look-alikes, which nobody threw, a cup may cover the dice.
        """
        read = np.array([self._is_read(*one) for one in zip(states, self.in_play, strict=True)])
        read &= np.array(self.told)
        fresh = read & ~self._was_read
        self._was_read = read
        if not fresh.any():
            return
        where = np.ones(small.shape[:2], np.bool_)
        if (mask := parts.mask(fresh)) is not None:
            where &= mask
        boxes_mm = np.array([die.box_mm for state in states for die in state.dice])
        boxes_mm = boxes_mm.reshape(-1, 4) + self._margin_mm + AROUND_DIE_MM * GROWN
        for left, top, right, bottom in np.maximum((boxes_mm / PIXEL_MM).round().astype(int), 0):
            where[top:bottom, left:right] = False
        self.bare.learn_beside(small, where)
        boxes_px = (boxes_mm * self._scale).astype(np.float32)
        self.beside.learn(view(), besides_px=boxes_px, where=where)

    def _is_read(self, state: SceneState, in_play: int) -> bool:
        """Whether all dice in play lie there, read for sure, since the mat was searched last."""
        return (
            len(state.dice) == in_play
            and all(die.sure and die.at_rest and die.kind == "die" for die in state.dice)
            and not (state.busy or state.unborn)
            and self._searched_s >= max(die.still_since_s for die in state.dice)
        )

    def _learn_prints(
        self, view: Callable[[], Image], states: Sequence[SceneState], began_s: float
    ) -> None:
        """Take for a part of the mat what lies there from the beginning, until a cup comes or goes.

        As many things as are in play, or a whole set, may be a throw that lay open when the watch
        began, and what lies in the strip may have been put aside: all of them stay dice.
        """
        now_s, settle_s = states[0].t_s, self._settings.print_s
        if any(cup.since_s - began_s > settle_s for state in states for cup in state.cups):
            self._before_cups = False
        early = self._searched_s <= self._busy_s or now_s - began_s < settle_s
        stand = frozenset(cup.track_id for state in states for cup in state.cups)
        if not early and self._stood - stand:  # one of them was lifted: dice may lie there
            self._before_cups = False
        if early or not self._before_cups:
            return
        self._stood = stand
        self._learn_first(view, states, began_s)
        boxes = []
        for state, places, in_play in zip(states, self._places, self.in_play, strict=True):
            lasting = [
                die
                for die in state.dice
                if die.still_since_s - began_s <= settle_s <= now_s - die.still_since_s
                and not places.is_aside(die.position_mm)
            ]
            things: list[TableDie | TableCup] = [*state.cups, *state.dice]
            if len(state.dice) not in (in_play, DICE_IN_PLAY):
                things = [thing for thing in things if thing not in lasting]
            boxes += [*state.unborn, *(thing.box_mm for thing in things)]
        everywhere = np.ones(len(states), np.bool_)
        self._learn_from(view, now_s, everywhere, WHOLE, besides_px=self._to_px(boxes))

    def _learn_first(
        self, view: Callable[[], Image], states: Sequence[SceneState], began_s: float
    ) -> None:
        """Remember all that lies there once, but for what may have been put aside, or just came."""
        if not self.first.knows_nothing:
            return
        aside = [
            die.box_mm
            for state, places in zip(states, self._places, strict=True)
            for die in state.dice
            if places.is_aside(die.position_mm)
        ]
        soon_s = began_s + self._settings.print_s / 2
        came = [cup.box_mm for state in states for cup in state.cups if cup.since_s > soon_s]
        self.first.learn(view(), besides_px=self._to_px([*aside, *came]))

    def _to_px(self, boxes_mm: Sequence[Box]) -> Boxes:
        boxes = (np.array(boxes_mm).reshape(-1, 4) + self._margin_mm) * self._scale
        return boxes.astype(np.float32)

    def _learn_from(
        self,
        view: Callable[[], Image],
        now_s: float,
        which: NDArray[np.bool_],
        parts: Parts,
        *,
        besides_px: Boxes | None = None,
    ) -> None:
        """Learn from the picture, unless nothing has been looked at since that was done last."""
        due = which & (self._looked | (now_s - self._learned_s >= self._settings.again_s))
        if due.any():
            self.prints.learn(view(), besides_px=besides_px, where=parts.mask(which))
            self._looked &= ~which
            self._learned_s[which] = now_s
