"""From camera frames to table events: calibration, motion gate, detector, scene and throws in one.

    frame -> rectify -> did anything move? -> detector -> scene -> second reader -> throws -> events

Sans I/O: whoever owns the camera hands in frames with their times and gets events back. A quiet
mat costs a warp and a small comparison; the detector runs when something has changed, as long as
the scene has not settled, and once in a while to be safe. While somebody is at work on the mat
ten frames a second are enough, the others are passed over.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np
from numpy.typing import NDArray

from vision.afar import thumb_from_afar
from vision.bare_mat import BareLook, BareMat
from vision.calibration import MatCalibration
from vision.detections import CUP, Detections, DieDetector, StanceWitness, ValueWitness
from vision.die_size import DieSizes
from vision.events import TableEvent
from vision.framing import MOST_CLOSE_PX, Part, are_whole, framed_px, part_around, seen_px
from vision.images import Image
from vision.known_mat import KnownMat
from vision.markers import marker_squares_mm
from vision.mat_view import MatView
from vision.motion import MotionGate, Thumb
from vision.placing import Signs, things_of
from vision.resting import Flags, Resting
from vision.scene import TableScene
from vision.scene_settings import SceneSettings
from vision.seating import Seating
from vision.seats import Seat
from vision.table import Box, SceneState
from vision.viewpoint import camera_above
from vision.watcher_settings import WatcherSettings
from vision.witnesses import Witnesses

__all__ = ["Watcher", "WatcherSettings"]


class Watcher:
    """Watches one mat.

    Args:
        detector: finds dice and cups.
        value_reader: the second witness; None: agreement over time alone, stricter.
        mat: where the camera sees the mat.
        settings: sizes and times.
        seat: written into every event where all share one throwing zone.
        seats: who sits around the mat, each with cup, dice and put-aside area; none: all share
            the zones of the settings.
        stance_reader: the third witness; None: finder and namer alone say how dice stand.
        camera_mm: where the camera hangs above the mat: x, y, height; None: told by how the mat
            is seen (`vision.viewpoint`).

    Attributes:
        frames: frames received so far.
        looks: how often the detector ran.
        part: what of it the detector saw last: left, top, right, bottom, pixels.
        state: the newest scene.
        seats: who sits around the mat.
        seating: what lies at every seat and how many dice are in play there.
    """

    def __init__(
        self,
        detector: DieDetector,
        value_reader: ValueWitness | None,
        mat: MatCalibration,
        settings: WatcherSettings | None = None,
        *,
        seat: str | None = None,
        seats: Sequence[Seat] = (),
        stance_reader: StanceWitness | None = None,
        camera_mm: tuple[float, float, float] | None = None,
    ) -> None:
        self.settings = settings = settings or WatcherSettings()
        alike = partial(Watcher, detector, value_reader, settings=settings)
        self._alike = partial(alike, stance_reader=stance_reader)
        self.mat = mat
        self.frames = 0
        self.looks = 0
        self._frame: Image | None = None
        self._view: MatView | None = None
        self.part = (0, 0, 0, 0)
        self.state = SceneState(0.0)
        self._detector, self._camera_mm = detector, camera_mm
        self._scene = TableScene(
            SceneSettings(
                mat_size_mm=mat.mat_size_mm,
                scale_px_per_mm=mat.scale_px_per_mm,
                margin_mm=self.settings.margin_mm,
                die_mm=mat.die_mm,
                match_mm=1.1 * mat.die_mm,
                second_reader=value_reader is not None,
                stance_reader=stance_reader is not None,
                blind_mm=marker_squares_mm(mat.mat_size_mm) if settings.markers_printed else (),
                seats=tuple(seats),
            )
        )
        margin_mm, motion = settings.margin_mm, settings.motion
        self.seats = tuple(seats)
        zones, throws = settings.zones, settings.throws
        self.seating = Seating(seats, zones, throws, seat=seat, margin_mm=margin_mm)
        self._sizes = DieSizes(mat.mat_size_mm, self._scene.settings.blind_mm)
        self._gate = MotionGate()
        self._known = known = KnownMat(
            BareMat(motion.object_mm2, motion.trace_mm2),
            self.seating.places,
            scale_px_per_mm=mat.scale_px_per_mm,
            margin_mm=margin_mm,
            settings=settings.learn,
        )
        self._witnesses = Witnesses(value_reader, stance_reader, margin_mm, known.prints.beneath)
        still_mm2, rest_s = motion.still_mm2, settings.rest_s
        self._resting = Resting(self.seating.count, still_mm2=still_mm2, rest_s=rest_s)
        self._saw_all_s = self._was_busy_s = float("-inf")

    @property
    def dice_in_play(self) -> int:
        """How many dice a throw has, with those put aside; whoever knows the game may set it."""
        return self.seating.dice_in_play

    @dice_in_play.setter
    def dice_in_play(self, count: int) -> None:
        self.seating.dice_in_play = count

    def reseated(self, seats: Sequence[Seat]) -> "Watcher":
        """Return a watcher of the same mat at which others sit; it has seen nothing yet."""
        return self._alike(mat=self.mat, seats=seats, camera_mm=self._camera_mm)

    def anchor(self, mat: MatCalibration) -> None:
        """See the same mat, of the same size and scale, elsewhere from now on; times go on.

        The dice stay as large as they were measured.
        """
        self.mat = replace(mat, die_mm=self.mat.die_mm, die_measured=self.mat.die_measured)
        self._camera_mm = None

    def receive(
        self, image_bgr: Image, taken_at_s: float, small_bgr: Image | None = None
    ) -> tuple[TableEvent, ...]:
        """Take in one frame.

        Args:
            image_bgr: (H, W, 3) uint8, BGR, as calibrated.
            taken_at_s: when it was taken, seconds; must not go back.
            small_bgr: the same view made smaller by the camera, where it does (`vision.afar`).

        Returns:
            What happened, in order.

        Raises:
            FrameOrderError: the frame is older than the one before.
            CalibrationError: the mat does not lie in the frame.
            PictureError: not a picture.
        """
        if 0 < taken_at_s - self._was_busy_s < self.settings.busy_s - 1e-6:
            self.frames += 1
            return ()
        self._frame, self._view = image_bgr, None
        small = thumb_from_afar(image_bgr, small_bgr, self.mat, margin_mm=self.settings.margin_mm)
        if self._camera_mm is None:
            self._camera_mm = camera_above(
                self.mat.homography_px_to_mm,
                (image_bgr.shape[1], image_bgr.shape[0]),
                fov_deg=self.settings.fov_deg,
                camera_matrix=None if self.mat.lens is None else self.mat.lens.camera_matrix,
            )
        self._scene.in_play = self._known.in_play = self.seating.in_play
        self._known.told = self.seating.told
        parts = self.seating.parts(small)
        changed_mm2 = self._gate.changed_mm2(small, parts)
        strange = [state.is_strange for state in self.seating.placed]
        rests = self._resting.may_rest(changed_mm2, self.seating.settled, strange, taken_at_s)
        if rests.all():
            self.state = self._scene.hold(taken_at_s)
            self.seating.place(self.state)
        else:
            bare = self._known.bare.look(small, parts)
            self._look(small, bare, changed_mm2, ~rests, taken_at_s)
        self._known.cleared(self.seating.cleared)
        self._known.learn(self._whole, small, self.seating.placed, self.seating.parts(small))
        self.frames += 1
        if (mat := self._sizes.adopted(self.mat, self.state)) is not self.mat:
            self.mat = mat
            self._scene.resize_dice(mat.die_mm)
        return self.seating.follow()

    @property
    def view(self) -> Image | None:
        """The newest rectified picture, for evidence and overlays; None before the first frame."""
        return None if self._frame is None else self._whole()

    def _seen(self) -> MatView:
        """The newest frame as a view; made when somebody asks for it: a quiet mat needs none."""
        if self._view is None:
            assert self._frame is not None, "a frame has been received"
            self._view = MatView(self._frame, self.mat, margin_mm=self.settings.margin_mm)
        return self._view

    def _whole(self) -> Image:
        return self._seen().whole

    def _look(
        self,
        small: Thumb,
        bare: BareLook,
        changed_mm2: NDArray[np.float64],
        active: Flags,
        now_s: float,
    ) -> None:
        """Let the detector and the witnesses see what may have changed."""
        view = self._seen()
        left, top, right, bottom = self.part = self._part_to_see(view, bare, active, now_s)
        part = view[top:bottom, left:right]
        seen = active | (part.shape == view.shape)
        busy = (changed_mm2 >= self.settings.motion.busy_mm2) & (self.frames > 0)
        coarse = bool(busy.any()) and self.state.all_dice_settled
        self._known.looked(seen)
        if part.shape == view.shape and not coarse:
            self._known.searched(now_s)
        size_px = self._look_px(view, part, coarse=coarse)
        found = self._detector.detect(
            part, size_px=size_px, min_score=self.settings.min_score, view=self.looks
        )
        found = found.with_boxes(found.xyxy + np.array([left, top, left, top], np.float32))
        if not seen.all():  # what rests may be cut in half
            found = found.select(are_whole(found.xyxy, self.part, view.shape[1::-1]))
        found = found.select(~self._belongs_to_mat(view, found, bare))
        boxes_mm = found.xyxy / self.mat.scale_px_per_mm - self.settings.margin_mm
        self._sizes.look(found, boxes_mm, now_s, self._camera_mm)
        stood = self._known.stood(view, found.xyxy, are_cups=found.class_id == CUP)
        signs = Signs(tuple(busy.tolist()), bare.bare, bare.traces, self._known.gone(bare))
        self.state = self._scene.update(
            found,
            now_s,
            busy=bool(busy.any()),
            looks_bare=signs.all_bare,
            traces=any(signs.traces),
            seen_mm=None if seen.all() else self._seen_mm(view),
            stood=stood,
        )
        self.looks += 1
        self._was_busy_s = now_s if busy.any() else self._was_busy_s
        self.state = self._witnesses.speak(self._scene, self._seen, self.mat, self._camera_mm)
        self.seating.place(self.state, signs)
        self._gate.accept(small, bare.parts.mask(seen))
        self._resting.looked(seen, changed_mm2, now_s, coarsely=coarse)

    def _belongs_to_mat(self, view: MatView, found: Detections, bare: BareLook) -> Flags:
        """Which findings are print, or cups where the mat looks bare.

        A cup covers 5000 mm² and cannot look like the mat all over.
        """
        is_cup = found.class_id == CUP
        owners = bare.parts.owners_at(found.centres / self.mat.scale_px_per_mm)
        known = self._known.are_known(view, found.xyxy, are_cups=is_cup, owners=owners)
        looks = zip(bare.bare, bare.traces, strict=True)
        nothing = np.array([is_bare is True and not traces for is_bare, traces in looks])
        return np.asarray(known | (is_cup & nothing[owners]))

    def _seen_mm(self, view: MatView) -> Box:
        """What the detector saw of the mat, but for a rim where it may have cut a die."""
        scale, margin_mm = self.mat.scale_px_per_mm, self.settings.margin_mm
        px = seen_px(self.part, view.shape[1::-1], rim_px=self.mat.die_mm * scale / 2)
        left, top, right, bottom = (px / scale - margin_mm).tolist()
        return (left, top, right, bottom)

    def _look_px(self, view: MatView, part: Image, *, coarse: bool) -> int:
        """How large a look at a part of the mat is, its long side in pixels."""
        settings, edge_px = self.settings, self.mat.die_mm * self.mat.scale_px_per_mm
        (height, width), long_dice = part.shape[:2], max(part.shape[:2]) / edge_px
        die_px = settings.coarse_die_px if coarse else settings.die_px
        if self.looks % 2 and not coarse and max(self.seating.waiting_s) >= settings.close_s:
            die_px = max(die_px, min(settings.close_die_px, MOST_CLOSE_PX / long_dice))
        factor, whole = die_px / edge_px, part.shape == view.shape
        return framed_px((height, width), factor, whole=whole, look=self.looks)

    def _part_to_see(self, view: MatView, bare: BareLook, active: Flags, now_s: float) -> Part:
        """Left, top, right, bottom in pixels: where something may lie that does not rest.

        Now and then it is all of the mat.
        """
        height, width = view.shape[:2]
        part_mm = bare.part_in_use(active)
        if part_mm is None or now_s - self._saw_all_s >= self.settings.refresh_s:
            self._saw_all_s = now_s
            return (0, 0, width, height)
        placed = [state for state, here in zip(self.seating.placed, active, strict=True) if here]
        unborn = [box for state in placed for box in state.unborn]
        known_mm = np.array([*unborn, *things_of(placed)[0]]).reshape(-1, 4)
        known_mm += self.settings.margin_mm
        boxes = np.concatenate([[part_mm], known_mm]) * self.mat.scale_px_per_mm
        pad_px = self.settings.around_dice * self.mat.die_mm * self.mat.scale_px_per_mm
        boxes = boxes[boxes[:, 2] > boxes[:, 0]]
        return part_around(boxes, (width, height), pad_px=pad_px, look=self.looks)
