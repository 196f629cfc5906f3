"""From camera frames to table events: calibration, motion gate, detector, scene and throws in one.

    frame -> rectify -> did anything move? -> detector -> scene -> second reader -> throws -> events

Sans I/O: whoever owns the camera hands in frames with their times and gets events back. A quiet
mat costs a warp and a small comparison; the detector runs when something has changed, as long as
the scene has not settled, and once in a while to be safe.
"""

from dataclasses import dataclass, field

import numpy as np

from vision.calibration import MatCalibration, rectify
from vision.crops import cut_evened, four_views, mean_by_die
from vision.detections import CUP, DieDetector, StanceWitness, ValueWitness
from vision.die_size import DieSizes
from vision.events import TableEvent
from vision.framing import Part, framed_px, part_around
from vision.images import Image
from vision.known_mat import KnownMat, LearnSettings
from vision.lying import Zones
from vision.markers import marker_squares_mm
from vision.memory import ThrowSettings
from vision.motion import MotionGate, MotionSettings, Thumb, thumb
from vision.scene import TableScene
from vision.scene_settings import SceneSettings
from vision.stance import lean_of, mean_stances
from vision.table import SceneState, TableCup, TableDie
from vision.throws import ThrowTracker
from vision.viewpoint import USUAL_FOV_DEG, camera_above

AFAR_PX_PER_MM = 1.0
"""How finely the mat is seen to tell whether anything has changed: averaged from here on, noise is
as small as if it came from the full view, at a fifth of its cost."""


@dataclass(frozen=True)
class WatcherSettings:
    """Everything that can be set about watching a mat.

    Attributes:
        margin_mm: what to look at around the mat: dice that fell off.
        die_px: side that a die should have for the finder, pixels: it finds as many at 28 as at 40
            and takes half the time; the readers cut dice from the full view.
        coarse_die_px: the same while somebody is at work on the mat and no die waits to be read:
            cups are large, and a die that appears is looked at closely in the next frame.
        min_score: findings below are not looked at.
        refresh_s: a detector that runs sees all of the mat at least this often.
        rest_s: it runs at least this often, though nothing has changed.
        around_dice: how much it sees around what differs from the bare mat, in edges of a die.
        marker_side_mm: findings on the printed markers are ignored within this square; 0: none
            are printed.
        marker_inset_mm: from a marker's centre to the edges of the mat next to it.
        fov_deg: usual horizontal field of view of the camera, for the way dice stand.
        learn: when the mat is learned.
        motion: areas of change.
        throws: waiting times.
        zones: areas of the mat.
    """

    margin_mm: float = 12.0
    die_px: float = 28.0
    coarse_die_px: float = 20.0
    min_score: float = 0.18
    refresh_s: float = 1.0
    rest_s: float = 2.0
    around_dice: float = 2.0
    marker_side_mm: float = 20.0
    marker_inset_mm: float = 14.0
    fov_deg: float = USUAL_FOV_DEG
    learn: LearnSettings = field(default_factory=LearnSettings)
    motion: MotionSettings = field(default_factory=MotionSettings)
    throws: ThrowSettings = field(default_factory=ThrowSettings)
    zones: Zones = field(default_factory=Zones)


class Watcher:
    """Watches one mat.

    Args:
        detector: finds dice and cups.
        value_reader: the second witness; None: agreement over time alone, stricter.
        mat: where the camera sees the mat.
        settings: sizes and times.
        seat: written into every event.
        stance_reader: the third witness; None: finder and namer alone say how dice stand.
        camera_mm: where the camera hangs above the mat: x, y, height; None: told by how the mat
            is seen (`vision.viewpoint`).

    Attributes:
        frames: frames received so far.
        looks: how often the detector ran.
        part: what of it the detector saw last: left, top, right, bottom, pixels.
        state: the newest scene.
    """

    def __init__(
        self,
        detector: DieDetector,
        value_reader: ValueWitness | None,
        mat: MatCalibration,
        settings: WatcherSettings | None = None,
        *,
        seat: str | None = None,
        stance_reader: StanceWitness | None = None,
        camera_mm: tuple[float, float, float] | None = None,
    ) -> None:
        self.settings = settings or WatcherSettings()
        self.mat = mat
        self.frames = 0
        self.looks = 0
        self._frame: Image | None = None
        self._view: Image | None = None
        self.part = (0, 0, 0, 0)
        self.state = SceneState(0.0)
        self._detector = detector
        self._value_reader = value_reader
        self._stance_reader = stance_reader
        self._camera_mm = camera_mm
        self._scene = TableScene(
            SceneSettings(
                mat_size_mm=mat.mat_size_mm,
                scale_px_per_mm=mat.scale_px_per_mm,
                margin_mm=self.settings.margin_mm,
                die_mm=mat.die_mm,
                match_mm=1.1 * mat.die_mm,
                second_reader=value_reader is not None,
                stance_reader=stance_reader is not None,
                blind_mm=marker_squares_mm(
                    mat.mat_size_mm,
                    inset_mm=self.settings.marker_inset_mm,
                    side_mm=self.settings.marker_side_mm,
                ),
            )
        )
        self._sizes = DieSizes(mat.mat_size_mm, self._scene.settings.blind_mm)
        self._throws = ThrowTracker(self.settings.zones, self.settings.throws, seat=seat)
        self._gate = MotionGate()
        self._known = KnownMat(
            self.settings.motion.object_mm2,
            self.settings.zones.aside,
            scale_px_per_mm=mat.scale_px_per_mm,
            margin_mm=self.settings.margin_mm,
            settings=self.settings.learn,
        )
        self._looked_s: float | None = None
        self._coarse = False  # how it looked
        self._confirmed = False  # it has looked at what had not changed since it looked before
        self._saw_all_s = float("-inf")

    @property
    def dice_in_play(self) -> int:
        """How many dice a throw has, with those put aside; whoever knows the game may set it."""
        return self._throws.dice_in_play

    @dice_in_play.setter
    def dice_in_play(self, count: int) -> None:
        self._throws.dice_in_play = count

    def receive(self, image_bgr: Image, taken_at_s: float) -> tuple[TableEvent, ...]:
        """Take in one frame.

        Args:
            image_bgr: (H, W, 3) uint8, BGR, as calibrated.
            taken_at_s: when it was taken, seconds; must not go back.

        Returns:
            What happened, in order.

        Raises:
            FrameOrderError: the frame is older than the one before.
            CalibrationError: the mat does not lie in the frame.
            PictureError: not a picture.
        """
        self._frame, self._view = image_bgr, None
        from_afar = self._rectified(AFAR_PX_PER_MM)
        if self._camera_mm is None:
            height, width = image_bgr.shape[:2]
            self._camera_mm = camera_above(
                self.mat.homography_px_to_mm,
                (width, height),
                fov_deg=self.settings.fov_deg,
                camera_matrix=None if self.mat.lens is None else self.mat.lens.camera_matrix,
            )
        small = thumb(from_afar, AFAR_PX_PER_MM)
        changed_mm2 = self._gate.changed_mm2(small)
        if self._may_rest(changed_mm2, taken_at_s):
            state = self._scene.hold(taken_at_s)
        else:
            busy = self.frames > 0 and changed_mm2 >= self.settings.motion.busy_mm2
            state = self._look(small, taken_at_s, busy=busy)
            self._gate.accept(small)
            self._confirmed = changed_mm2 <= self.settings.motion.still_mm2
        self._known.learn(self._seen, small, state)
        self.frames += 1
        self.state = state
        if (mat := self._sizes.adopted(self.mat, state)) is not self.mat:
            self.mat = mat
            self._scene.resize_dice(mat.die_mm)
        return self._throws.receive(state)

    @property
    def view(self) -> Image | None:
        """The newest rectified picture, for evidence and overlays; None before the first frame."""
        return None if self._frame is None else self._seen()

    def _seen(self) -> Image:
        """The newest frame rectified; made when somebody asks for it: a quiet mat needs none."""
        if self._view is None:
            self._view = self._rectified(self.mat.scale_px_per_mm)
        return self._view

    def _rectified(self, scale_px_per_mm: float) -> Image:
        assert self._frame is not None, "a frame has been received"
        margin_mm = self.settings.margin_mm
        return rectify(self._frame, self.mat, margin_mm=margin_mm, scale_px_per_mm=scale_px_per_mm)

    def _may_rest(self, changed_mm2: float, now_s: float) -> bool:
        """Whether the detector need not look at this frame.

        It must have looked at the mat as it is now while nothing moved: what it sees at the end of
        a movement may be the sleeve that is just leaving.
        """
        return (
            changed_mm2 <= self.settings.motion.still_mm2
            and self._looked_s is not None
            and now_s - self._looked_s < self.settings.rest_s
            and not self._coarse
            and self._confirmed
            and self.state.is_settled
        )

    def _look(self, small: Thumb, now_s: float, *, busy: bool) -> SceneState:
        view = self._seen()
        self._known.looked()
        left, top, right, bottom = self.part = self._part_to_see(view, small, now_s)
        part = view[top:bottom, left:right]
        self._coarse = busy and self.state.all_dice_settled
        if part.shape == view.shape and not self._coarse:
            self._known.searched(now_s)
        size_px = self._look_px(view, part, coarse=self._coarse)
        found = self._detector.detect(
            part, size_px=size_px, min_score=self.settings.min_score, view=self.looks
        )
        found = found.with_boxes(found.xyxy + np.array([left, top, left, top], np.float32))
        printed = self._known.prints.are_known(view, found.xyxy, are_cups=found.class_id == CUP)
        found = found.select(~printed)
        boxes_mm = found.xyxy / self.mat.scale_px_per_mm - self.settings.margin_mm
        self._sizes.look(found, boxes_mm, now_s, self._camera_mm)
        bare = self._known.bare.looks_bare(small)
        traces = self._known.bare.has_traces(small, self.settings.motion.trace_mm2)
        if bare and not traces:  # a cup covers 5000 mm² and cannot look like the mat all over
            found = found.select(found.class_id != CUP)
        state = self._scene.update(found, now_s, busy=busy, looks_bare=bare, traces=traces)
        self._looked_s = now_s
        self.looks += 1
        return self._ask_witnesses(view, state)

    def _look_px(self, view: Image, part: Image, *, coarse: bool) -> int:
        """How large a look at a part of the mat is, its long side in pixels."""
        settings, edge_px = self.settings, self.mat.die_mm * self.mat.scale_px_per_mm
        die_px = settings.coarse_die_px if coarse else settings.die_px
        look = self.looks if part.shape == view.shape else 0
        return framed_px(max(part.shape[:2]) * die_px / edge_px, look=look)

    def _part_to_see(self, view: Image, small: Thumb, now_s: float) -> Part:
        """Left, top, right, bottom in pixels: where something may lie, all of it now and then."""
        height, width = view.shape[:2]
        part_mm = self._known.bare.part_in_use(small)
        if part_mm is None or now_s - self._saw_all_s >= self.settings.refresh_s:
            self._saw_all_s = now_s
            return (0, 0, width, height)
        things: list[TableDie | TableCup] = [*self.state.dice, *self.state.cups]
        known = [*self.state.unborn, *(thing.box_mm for thing in things)]
        known_mm = np.array(known).reshape(-1, 4) + self.settings.margin_mm
        boxes = np.concatenate([[part_mm], known_mm]) * self.mat.scale_px_per_mm
        pad_px = self.settings.around_dice * self.mat.die_mm * self.mat.scale_px_per_mm
        boxes = boxes[boxes[:, 2] > boxes[:, 0]]
        return part_around(boxes, (width, height), pad_px=pad_px, look=self.looks)

    def _ask_witnesses(self, view: Image, state: SceneState) -> SceneState:
        """What dice at rest show and how they stand, said by networks of their own."""
        if self._value_reader is not None and (boxes := self._scene.wants_second()):
            crops = four_views(cut_evened(view, boxes.values()))
            opinions = mean_by_die(self._value_reader.probabilities(crops), len(boxes))
            state = self._scene.hear_second(dict(zip(boxes, opinions, strict=True)))
        at, camera_mm = self._scene.wants_stance(), self._camera_mm
        if self._stance_reader is not None and camera_mm is not None and at:
            places_mm = np.array(list(at.values()))
            scale = self.mat.scale_px_per_mm
            places_px = (places_mm + self.settings.margin_mm) * scale
            leans = lean_of(places_mm, camera_mm)
            edge_px = self.mat.die_mm * scale
            words = mean_stances(self._stance_reader, view, places_px, leans, edge_px=edge_px)
            state = self._scene.hear_stance(dict(zip(at, words, strict=True)))
        return state
