"""What lies on the mat: findings of single frames brought together over time.

Theory of operation
-------------------

Every finding is turned into millimetres and continues the nearest track, or begins one. A die that
stays within 2 mm for 0.4 s lies still; only then do its readings count (the slower readers look at
it a frame before, so that they have spoken by then). A track that was not seen for 0.35 s is over:
identity is not kept across a hand or a cup, the rules of `vision.throws` work with values and
places only. Everything is measured in seconds and millimetres, so the same table gives the same
answer at 5, 15 and 30 frames a second.

A die that is not seen in the newest frame is never `at_rest`: what a hand or a cup hides is not
read. What was said of one that was hidden in part is forgotten when all of it comes out, unless it
was sure. Findings inside a cup's outline do not count (`vision.plausible`).
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from vision.detections import CUP, Detections
from vision.errors import FrameOrderError
from vision.neighbours import stance_odds
from vision.pairing import pair
from vision.plausible import plausible
from vision.scene_settings import SceneSettings
from vision.stance import STANCES
from vision.table import Box, SceneState, TableCup, TableDie, as_box
from vision.tracks import Track

__all__ = ["SceneSettings", "SceneState", "TableCup", "TableDie", "TableScene"]
NOWHERE: Box = (0.0, 0.0, 0.0, 0.0)


class TableScene:
    """Follows dice and cups on a mat; gets findings and times, has neither clock nor camera.

    Args:
        settings: sizes and times.

    Attributes:
        in_play: how many dice may lie at every seat; none: the usual number.
    """

    def __init__(self, settings: SceneSettings | None = None) -> None:
        self.settings = settings or SceneSettings()
        self.in_play: Sequence[int] = ()
        self._dice: list[Track] = []
        self._cups: list[Track] = []
        self._now_s: float | None = None
        self._began_s = 0.0
        self._next_id = 1
        self._busy = False
        self._looks_bare: bool | None = None
        self._traces = False

    def update(
        self,
        found: Detections,
        taken_at_s: float,
        *,
        busy: bool = False,
        looks_bare: bool | None = None,
        traces: bool = False,
        seen_mm: Box | None = None,
        stood: NDArray[np.bool_] | None = None,
    ) -> SceneState:
        """Take in what the detector found in one frame.

        Args:
            found: boxes in pixels of the rectified picture (with margin).
            taken_at_s: when the frame was taken; must not go back.
            busy: somebody is at work on the mat.
            looks_bare: whether the picture looks like the bare mat.
            traces: whether it differs from it a little.
            seen_mm: what of the mat the detector saw, the rest having stayed as it was; None:
                all that may have changed.
            stood: (N,) which findings stand there as they did from the beginning; None: nobody can
                tell.

        Returns:
            The table now.

        Raises:
            FrameOrderError: the frame is older than the one before.
        """
        newest_s = self._now_s
        self._advance(taken_at_s)
        self._busy, self._looks_bare, self._traces = busy, looks_bare, traces
        boxes = self._to_mm(found.xyxy)
        centres = (boxes[:, :2] + boxes[:, 2:]) / 2
        counts = plausible(boxes, centres, found, self.settings)
        settings = self.settings
        for track in self._dice:
            track.chances += track.lies_in(seen_mm)
        is_cup, match_mm = found.class_id == CUP, settings.match_mm
        for tracks, wanted, reach_mm, rest_mm, another in (
            (self._cups, is_cup, 4 * match_mm, settings.cup_rest_mm, settings.another_cup),
            (self._dice, ~is_cup, match_mm, settings.rest_distance_mm, np.inf),
        ):
            chosen = np.flatnonzero(counts & wanted)
            for index, known in pair(tracks, centres, chosen, reach_mm):
                here = centres[index], boxes[index], taken_at_s
                track = known or Track.start(self._next_id, *here)
                if known is None:
                    self._next_id += 1
                    tracks.append(track)
                else:
                    track.move(*here, settings, rest_distance_mm=rest_mm, another=another)
                if stood is not None and stood[index]:
                    track.has_stood(self._began_s)
                if tracks is self._dice:
                    if_flat = None if found.if_flat is None else found.if_flat[index]
                    track.said.vote(int(found.class_id[index]), float(found.score[index]), if_flat)
        self._keep(newest_s, besides=seen_mm)
        return self.state()

    def hold(self, taken_at_s: float) -> SceneState:
        """Time passes and the picture has not changed: everything is where it was.

        Raises:
            FrameOrderError: the frame is older than the one before.
        """
        newest_s = self._now_s
        self._advance(taken_at_s)
        self._busy = False
        self._keep(newest_s, besides=NOWHERE)
        return self.state()

    def resize_dice(self, die_mm: float) -> None:
        """From now on dice of another size are in play; to be said while none lies there."""
        factor = die_mm / self.settings.die_mm
        match_mm = factor * self.settings.match_mm
        self.settings = replace(self.settings, die_mm=die_mm, match_mm=match_mm)

    def wants_second(self) -> dict[int, Box]:
        """Dice that lie still and the second reader should see: track id and box in view pixels."""
        settings = self.settings
        if not settings.second_reader:
            return {}
        return {
            track.track_id: self._to_px(track.box)
            for track in self._dice
            if self._lies_still(track, settings.ask_s)
            and track.said.second.times < settings.max_asked
        }

    def wants_stance(self) -> dict[int, NDArray[np.float64]]:
        """Still dice, if how one of them stands is not known yet: track id and middle (2,) in mm.

        All of them, for the reader sees each beside the others.
        """
        settings = self.settings
        if not settings.stance_reader:
            return {}
        still = [track for track in self._dice if self._lies_still(track, settings.ask_s)]
        if all(track.said.stance.times >= settings.max_asked for track in still):
            return {}
        return {track.track_id: (track.box[:2] + track.box[2:]) / 2 for track in still}

    def hear_stance(self, words: Mapping[int, NDArray[np.float32]]) -> None:
        """Take in the stance reader's probabilities (3,) by track id.

        A die of which enough has been said stays as it is.
        """
        for track in self._dice:
            if track.track_id in words and track.said.stance.times < self.settings.max_asked:
                track.said.stance.hear(words[track.track_id])

    def hear_second(self, opinions: Mapping[int, NDArray[np.float32]]) -> None:
        """Take in the second reader's probabilities (7,) by track id."""
        for track in self._dice:
            if track.track_id in opinions:
                track.said.second.hear(opinions[track.track_id])

    def hear_outline(self, words: Mapping[int, NDArray[np.float32]]) -> None:
        """Take in what outlines say (3,) about how dice stand, by track id."""
        for track in self._dice:
            if track.track_id in words:
                track.said.outline.hear(words[track.track_id])

    def state(self) -> SceneState:
        """The table as it is known now."""
        born = self._born()
        young = [track for track in self._dice if track.chances < self.settings.doubted_looks]
        return SceneState(
            self._now_s or 0.0,
            tuple(self._shown_die(track) for track in born),
            tuple(self._shown_cup(track) for track in self._cups),
            self._busy,
            self._looks_bare,
            self._traces,
            unborn=tuple(as_box(track.box) for track in young if track not in born),
        )

    def _keep(self, newest_s: float | None, *, besides: Box | None) -> None:
        """Where nobody looked, time does not tell against what is there; the rest may be lost."""
        now_s, before_s = self._now_s or 0.0, newest_s or 0.0
        for tracks in (self._dice, self._cups):
            for track in tracks:
                if track.seen_s < now_s and not track.lies_in(besides):
                    track.seen_s = now_s - (before_s - track.seen_s)
            tracks[:] = [t for t in tracks if now_s - t.seen_s < self.settings.gone_s]
        self._uncover()
        self._weigh_places()

    def _uncover(self) -> None:
        """Dice that come out behind a cup or a hand are read anew: half a face is misread."""
        cups = SceneState(self._now_s or 0.0, cups=tuple(map(self._shown_cup, self._cups)))
        for track in self._dice:
            hidden = cups.is_hidden(as_box(track.box))
            came_out = track.comes_out(hidden=hidden, settings=self.settings)
            if came_out and not track.said.is_sure(self.settings):
                track.forget()

    def _born(self) -> list[Track]:
        """Findings that count as dice."""
        return [track for track in self._dice if track.is_born(self.settings)]

    def _weigh_places(self) -> None:
        """Where dice lie says something about how they stand."""
        born = self._born()
        odds = stance_odds([track.position for track in born], self.settings, self.in_play)
        for track in self._dice:
            track.said.odds = np.ones(len(STANCES))
        for track, factors in zip(born, odds, strict=True):
            track.said.odds = factors

    def _advance(self, taken_at_s: float) -> None:
        if self._now_s is not None and taken_at_s < self._now_s:
            raise FrameOrderError(
                f"The frame of {taken_at_s:.3f} s is older than the one before "
                f"({self._now_s:.3f} s); drop it, or start a new scene for a new video."
            )
        if self._now_s is not None and taken_at_s - self._now_s > self.settings.gap_s:
            for track in self._dice:
                track.restart(taken_at_s)
                track.seen_s = max(track.seen_s, taken_at_s - self.settings.gone_s)
        if self._now_s is None:
            self._began_s = taken_at_s
        self._now_s = taken_at_s

    def _lies_still(self, track: Track, wait_s: float) -> bool:
        """Whether it is seen now, and has not moved for so long."""
        now_s = self._now_s or 0.0
        return track.seen_s == now_s and now_s - track.still_since_s >= wait_s - 1e-6

    def _shown_die(self, track: Track) -> TableDie:
        """What others see of a die; the same again as long as nothing of it has changed."""
        at_rest = self._lies_still(track, self.settings.rest_s)
        places = track.position.tobytes(), track.box.tobytes()
        rests_on = (at_rest, track.still_since_s, self.settings, *places, *track.said.content())
        if track.shown is None or track.shown[0] != rests_on:
            track.shown = rests_on, self._as_known(track, at_rest=at_rest)
        return track.shown[1]

    def _as_known(self, track: Track, *, at_rest: bool) -> TableDie:
        settings, said = self.settings, track.said
        sure = at_rest and said.is_sure(settings)
        x, y = float(track.position[0]), float(track.position[1])
        width, height = settings.mat_size_mm
        return TableDie(
            track.track_id,
            said.kind(),
            (x, y),
            as_box(track.box),
            at_rest,
            track.still_since_s,
            sure,
            not said.kind_is_doubted(settings),
            at_rest and (sure or said.is_complete(settings)),
            0 <= x <= width and 0 <= y <= height,
            said.reading((x, y), settings),
            said.probabilities(),
        )

    def _shown_cup(self, track: Track) -> TableCup:
        return TableCup(
            track.track_id,
            (float(track.position[0]), float(track.position[1])),
            as_box(track.box),
            track.seen_s - track.first_s >= self.settings.cup_settle_s - 1e-6,
            track.still_since_s,
            track.seen_s,
            carried=track.strayed > 0,
        )

    def _to_mm(self, xyxy: NDArray[np.float32]) -> NDArray[np.float64]:
        view = xyxy.astype(np.float64) / self.settings.scale_px_per_mm
        return np.asarray(view - self.settings.margin_mm)

    def _to_px(self, box_mm: NDArray[np.float64]) -> Box:
        return as_box((box_mm + self.settings.margin_mm) * self.settings.scale_px_per_mm)
