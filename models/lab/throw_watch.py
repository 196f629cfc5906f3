"""A throw played to the watcher of a table: bare mat, cup over the dice, cup gone.

Each of the three is rendered once; a camera then takes ten frames a second of it, all with the
same faults and each with its own grain. Everything after the camera is what watches a real table.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from device.throw_score import ThrowResult
from vision.calibration import MatCalibration
from vision.detections import CUP, Detections, DieDetector, StanceWitness, ValueWitness
from vision.events import TableEvent
from vision.images import Image
from vision.watcher import Watcher, WatcherSettings

from .camera_faults import Film, light_level, random_character
from .things import Scene
from .throw_scenes import MARGIN_MM, PX_PER_MM, Throw
from .tracer import trace

FRAME_S = 0.1
BARE_FRAMES = 25
"""The mat lies bare for a while before a game begins; what is printed on it is seen then."""
CUP_FRAMES = 5
MOST_S = 10.0
"""An answer that comes later than this after the cup was lifted is none."""
SAMPLES = 3
SHADOW_DICE = 2.5
"""How far around dice their shadows are rendered away from the bare mat, in edges."""
CUP_SHADOW_MM = 35.0
"""The same around the cup."""
PLACE_ERROR_MM, HEIGHT_ERROR = 12.0, 0.06
"""How badly a calibration knows where its camera is: standard deviations, the second relative."""
ANSWERS = ("throw_seen", "unsure", "tower", "burning", "off_mat")


class ToldOfCups:
    """A detector that is told of the cup while it stands there, so that dice alone are judged.

    Args:
        eye: the real detector.
    """

    def __init__(self, eye: DieDetector) -> None:
        self._eye = eye
        self.cup: tuple[float, float, float, float] | None = None
        """The box of the cup that stands there now, pixels; None: look yourself."""
        self.watcher: Watcher | None = None
        """Who asks, and knows which part of the picture it shows."""

    def detect(
        self, image_bgr: Image, *, size_px: int = 640, min_score: float = 0.25, view: int = 0
    ) -> Detections:
        """As `vision.detections.DieDetector` has it."""
        found = self._eye.detect(image_bgr, size_px=size_px, min_score=min_score, view=view)
        if self.cup is None:
            return found
        left, top = self.watcher.part[:2] if self.watcher else (0, 0)
        box = np.array(self.cup) - [left, top, left, top]
        middle = (found.xyxy[:, :2] + found.xyxy[:, 2:]) / 2
        found = found.select(~((middle > box[:2]) & (middle < box[2:])).all(axis=1))
        return Detections.of(
            [*found.xyxy.tolist(), box.tolist()],
            [*found.score.tolist(), 1.0],
            [*found.class_id.tolist(), CUP],
        )


class Stage:
    """The three pictures of one throw, as its camera takes them.

    Args:
        throw: the throw.
        seed: of all chance that is not the throw's own: rays, camera, grain.
    """

    def __init__(self, throw: Throw, seed: int) -> None:
        rng = np.random.default_rng([seed, throw.index, 1])
        self.throw = throw
        self._rays = int(rng.integers(1 << 30))
        character = throw.lighting.seen_by(rng, random_character(rng))
        scene = throw.composed.scene
        lying = self._traced(scene, (0, 0, *throw.view_px), SAMPLES)
        level = light_level(lying)
        bare = self._patched(lying, replace(scene, dice=()), self._around_dice(), 2)
        covered = self._covered(bare, replace(scene, dice=(), cups=[*scene.cups, throw.cup]))
        self.bare, self.covered, self.lying = (
            Film(character, picture, throw.view_px, level=level)
            for picture in (bare, covered, lying)
        )

    def cup_box(self) -> tuple[float, float, float, float]:
        """Where the cup stands in the picture, pixels: the rim on the table and the base above."""
        cup, camera, throw = self.throw.cup, self.throw.composed.camera, self.throw
        turn = np.linspace(0, 2 * np.pi, 32)
        ring = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
        points = np.concatenate(
            [ring * cup.radius_rim_mm, ring * cup.radius_base_mm + [0, 0, cup.height_mm]]
        ) + np.asarray(cup.position_mm, float)
        pixels = camera.project(points, throw.full_px) - throw.corner_px
        low = np.clip(pixels.min(axis=0), 0, throw.view_px)
        high = np.clip(pixels.max(axis=0), 0, throw.view_px)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    def _around_dice(self) -> tuple[int, int, int, int]:
        dice = self.throw.composed.scene.dice
        spots = np.array([self.throw.to_view(*die.position_mm[:2]) for die in dice])
        pad = SHADOW_DICE * self.throw.die_mm * PX_PER_MM
        x0, y0 = np.maximum(spots.min(axis=0) - pad, 0).astype(int)
        x1, y1 = np.minimum(spots.max(axis=0) + pad, self.throw.view_px).astype(int)
        return int(x0), int(y0), int(x1), int(y1)

    def _covered(self, bare: NDArray[np.float32], scene: Scene) -> NDArray[np.float32]:
        """The cup over the bare mat, at half the resolution: it only has to be a cup."""
        throw = self.throw
        left, top, right, bottom = self.cup_box()
        width, height = throw.view_px
        pad = CUP_SHADOW_MM * PX_PER_MM
        region = (
            int(max(0, left - pad)), int(max(0, top - pad)),
            int(min(width, right + pad)), int(min(height, bottom + pad)),
        )  # fmt: skip
        x0, y0, x1, y1 = (v // 2 for v in self._in_full(region))
        small, _ = trace(
            scene,
            throw.composed.camera,
            size_px=(throw.full_px[0] // 2, throw.full_px[1] // 2),
            samples=1,
            seed=self._rays,
            region=(x0, y0, x1, y1),
        )
        picture = bare.copy()
        size = (region[2] - region[0], region[3] - region[1])
        picture[region[1] : region[3], region[0] : region[2]] = cv2.resize(small, size)
        return picture

    def _patched(
        self,
        picture: NDArray[np.float32],
        scene: Scene,
        region: tuple[int, int, int, int],
        samples: int,
    ) -> NDArray[np.float32]:
        """A copy of the picture with one rectangle rendered anew."""
        x0, y0, x1, y1 = region
        out = picture.copy()
        out[y0:y1, x0:x1] = self._traced(scene, region, samples)
        return out

    def _in_full(self, region: tuple[int, int, int, int]) -> tuple[int, int, int, int]:
        left, top = self.throw.corner_px
        return region[0] + left, region[1] + top, region[2] + left, region[3] + top

    def _traced(
        self, scene: Scene, region: tuple[int, int, int, int], samples: int
    ) -> NDArray[np.float32]:
        return trace(
            scene,
            self.throw.composed.camera,
            size_px=self.throw.full_px,
            samples=samples,
            seed=self._rays,
            region=self._in_full(region),
        )[0]


def calibration(throw: Throw) -> MatCalibration:
    """The mat of a throw's picture, in which every pixel is already where it belongs."""
    k = 1 / PX_PER_MM
    return MatCalibration(
        np.array([[k, 0, -MARGIN_MM], [0, k, -MARGIN_MM], [0, 0, 1.0]]),
        throw.mat_mm,
        PX_PER_MM,
        throw.die_mm,
    )


def camera_place(throw: Throw, rng: np.random.Generator) -> tuple[float, float, float]:
    """Where a calibration believes the camera to be: not quite where it is, in mat millimetres."""
    x, y, height = (float(v) for v in throw.composed.camera.position_mm)
    left, top = throw.to_view(x, y)
    at = np.array([left, top]) / PX_PER_MM - MARGIN_MM + rng.normal(0, PLACE_ERROR_MM, 2)
    return float(at[0]), float(at[1]), height * float(np.exp(rng.normal(0, HEIGHT_ERROR)))


def watched(
    stage: Stage,
    eye: DieDetector,
    second: ValueWitness | None,
    stance: StanceWitness | None = None,
    *,
    seed: int,
    find_cup: bool = False,
    die_mm: float | None = None,
    on_frame: Callable[[Watcher, Image], None] = lambda watcher, frame: None,
) -> ThrowResult:
    """Play a throw to a watcher until it answers.

    Args:
        stage: the throw's pictures.
        eye: finds and names.
        second: counts pips.
        stance: says how dice stand; None: nobody does but finder and namer.
        seed: of the grain.
        find_cup: the cup that is lifted must be found; otherwise the watcher is told of it.
        die_mm: what the watcher takes for the edge of the dice; None: what it is.
        on_frame: called after each frame with the lying dice.
    """
    throw = stage.throw
    told = ToldOfCups(eye)
    settings = WatcherSettings(margin_mm=MARGIN_MM, markers_printed=False)
    place_mm = camera_place(throw, np.random.default_rng([seed, throw.index, 4]))
    mat = calibration(throw) if die_mm is None else replace(calibration(throw), die_mm=die_mm)
    watcher = Watcher(told, second, mat, settings, stance_reader=stance, camera_mm=place_mm)
    told.watcher = watcher
    rng = np.random.default_rng([seed, throw.index, 2])
    early: list[TableEvent] = []
    for number in range(BARE_FRAMES):
        early += watcher.receive(stage.bare.frame(rng), number * FRAME_S)
    told.cup = None if find_cup else stage.cup_box()
    for number in range(BARE_FRAMES, BARE_FRAMES + CUP_FRAMES):
        early += watcher.receive(stage.covered.frame(rng), number * FRAME_S)
    told.cup = None
    first = BARE_FRAMES + CUP_FRAMES
    answers = []
    for number in range(round(MOST_S / FRAME_S) + 1):
        frame = stage.lying.frame(rng)
        events = watcher.receive(frame, (first + number) * FRAME_S)
        on_frame(watcher, frame)
        answers = [event for event in events if event.type in ANSWERS]
        if answers:
            break
    return ThrowResult(
        index=throw.index,
        surface=throw.surface,
        light=throw.light,
        heap=throw.heap,
        faults=throw.faults,
        values=throw.values,
        die_mm=round(throw.die_mm, 2),
        die_px=round(throw.die_mm * PX_PER_MM, 1),
        tilt_deg=round(throw.tilt_deg, 1),
        told=tuple(event.type for event in answers),
        read=answers[0].dice if answers else (),
        reason=answers[0].reason if answers else "",
        answer_s=round(answers[0].t_s - first * FRAME_S, 2) if answers else 0.0,
        leaning_on=throw.leaning_on,
        early=tuple(event.type for event in early if event.type in ANSWERS),
    )
