"""How the simulated table looks: the printed mat on a wooden table, dice, cup, hands and lamps."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import pairwise

import cv2
import numpy as np
from numpy.typing import NDArray

from device.simulate_dice import IVORY
from device.simulate_table import (
    CAMERA_FOV_DEG,
    DIE_MM,
    Floats,
    HandShown,
    TableFrame,
    TablePlan,
    to_table,
)
from device.simulate_things import parts_of
from models.lab.throwing_faces import RIGHT_HANDED, Layout
from models.lab.tracer import (
    Box,
    Camera,
    Capsule,
    Cup,
    Die,
    DieLook,
    Disc,
    Finish,
    Light,
    Rgb,
    Scene,
)
from vision.lying import Zones
from vision.markers import MARKER_SIDE_MM, QUIET_SIDE_MM, marker_centres_mm

Picture = NDArray[np.float32]

FLOOR_MM = (720.0, 600.0)
FLOOR_PX = (2160, 1800)
MAT_RGB = (0.020, 0.075, 0.050)
WOOD_RGB = (0.20, 0.105, 0.052)
LINE_RGB = (0.30, 0.30, 0.24)

CAMERA = Camera(
    position_mm=(0.0, -70.0, 800.0), look_at_mm=(0.0, -2.0, 0.0), fov_deg=CAMERA_FOV_DEG
)
"""A phone on a stand: almost above the mat, which fills the picture with a margin."""
LIGHTS = (
    Light(position_mm=(-380.0, 260.0, 1050.0), rgb=(1.05, 0.98, 0.86), radius_mm=90.0),
    Light(position_mm=(430.0, 330.0, 950.0), rgb=(0.50, 0.50, 0.54), radius_mm=120.0),
)
WARM_LIGHTS = (
    Light(position_mm=(-120.0, 330.0, 900.0), rgb=(0.95, 0.60, 0.28), radius_mm=70.0),
    Light(position_mm=(430.0, 330.0, 950.0), rgb=(0.20, 0.13, 0.07), radius_mm=120.0),
)
"""A shaded bulb over the table, and another one far off."""
LEATHER = Finish(rgb=(0.085, 0.030, 0.016), gloss=0.25, roughness=0.45)
SKIN = Finish(rgb=(0.50, 0.29, 0.20), gloss=0.15, roughness=0.5)
SLEEVES: tuple[Rgb, ...] = (
    (0.03, 0.05, 0.16), (0.28, 0.03, 0.03), (0.10, 0.11, 0.07),
    (0.22, 0.20, 0.17), (0.03, 0.03, 0.03), (0.20, 0.12, 0.02),
)  # fmt: skip
CUP_RIM_MM, CUP_BASE_MM, CUP_HEIGHT_MM = 44.0, 39.0, 95.0
ARM_PIECES = 6


@dataclass(frozen=True, eq=False)
class Look:
    """How a table looks.

    Attributes:
        plan: the mat and the seats.
        layouts: face values of each die.
        dice: make of each die; the last one is that of all that follow.
        warm: only warm lamps are lit.
    """

    plan: TablePlan
    layouts: Sequence[Layout] = ()
    dice: Sequence[DieLook] = (IVORY,)
    warm: bool = False

    @property
    def lights(self) -> tuple[Light, ...]:
        """The lamps."""
        by = self.plan.scale
        return tuple(
            replace(
                light,
                position_mm=[by * side for side in light.position_mm],
                reference_mm=by * light.reference_mm,
                radius_mm=by * light.radius_mm,
            )
            for light in (WARM_LIGHTS if self.warm else LIGHTS)
        )


def camera_of(plan: TablePlan) -> Camera:
    """The camera above a table: the higher the larger the mat."""
    by = plan.scale
    return replace(
        CAMERA,
        position_mm=tuple(by * side for side in CAMERA.position_mm),
        look_at_mm=tuple(by * side for side in CAMERA.look_at_mm),
    )


@dataclass(frozen=True)
class _Floor:
    """Where a mat's points lie in the floor's picture."""

    plan: TablePlan

    def px(self, mat_mm: Sequence[float]) -> tuple[int, int]:
        """A point on the mat as the floor picture's pixel (x, y)."""
        point = to_table(mat_mm, mat_size_mm=self.plan.mat_size_mm)
        x = (point[0] + FLOOR_MM[0] * self.plan.scale / 2) * self.px_per_mm
        y = (FLOOR_MM[1] * self.plan.scale / 2 - point[1]) * self.px_per_mm
        return round(float(x)), round(float(y))

    @property
    def px_per_mm(self) -> float:
        """Resolution."""
        return FLOOR_PX[0] / (FLOOR_MM[0] * self.plan.scale)


def floor_picture(seed: int, plan: TablePlan) -> Picture:
    """The table top with the mat on it: (H, W, 3) float32, linear RGB, `FLOOR_MM` times scale."""
    rng = np.random.default_rng([seed, 1])
    floor = _Floor(plan)
    width, height = FLOOR_PX
    grain = rng.random((height // 3, 8)).astype(np.float32)
    wood = cv2.resize(grain, (width, height), interpolation=cv2.INTER_CUBIC)
    wood = 0.75 + 0.35 * cv2.GaussianBlur(wood, (0, 0), 2.0)
    picture = (wood[..., None] * np.array(WOOD_RGB, np.float32)).astype(np.float32)
    left, top = floor.px((0.0, 0.0))
    right, bottom = floor.px(plan.mat_size_mm)
    picture[top:bottom, left:right] = _felt(rng, bottom - top, right - left)
    _print_lines(picture, floor)
    _print_markers(picture, floor)
    return picture


def _felt(rng: np.random.Generator, height: int, width: int) -> Picture:
    fibre = cv2.GaussianBlur(rng.normal(0, 1, (height, width)).astype(np.float32), (0, 0), 1.0)
    return ((1 + 0.25 * fibre)[..., None] * np.array(MAT_RGB, np.float32)).astype(np.float32)


def _print_lines(picture: Picture, floor: _Floor) -> None:
    """A frame along the mat's edge, and the lines between its areas."""
    width, height = floor.plan.mat_size_mm
    inset = 3.0
    cv2.rectangle(
        picture, floor.px((inset, inset)), floor.px((width - inset, height - inset)), LINE_RGB, 3
    )
    if floor.plan.shared:
        line = Zones().line_mm
        begin, end = floor.px((line, inset)), floor.px((line, height - inset))
        cv2.line(picture, begin, end, LINE_RGB, 4)
    for seat in floor.plan.seats:
        for area in (seat.throwing, seat.aside):
            corners = np.array([floor.px(corner) for corner in area], np.int32)
            cv2.polylines(picture, [corners], isClosed=True, color=LINE_RGB, thickness=2)


def _print_markers(picture: Picture, floor: _Floor) -> None:
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    side = round(MARKER_SIDE_MM * floor.px_per_mm / 6) * 6
    margin = (round(QUIET_SIDE_MM * floor.px_per_mm) - side) // 2
    for index, centre in enumerate(marker_centres_mm(floor.plan.mat_size_mm)):
        marker = cv2.aruco.generateImageMarker(dictionary, index, side)
        label = np.pad(marker, margin, constant_values=255).astype(np.float32) / 255
        x, y = floor.px(centre)
        half = label.shape[0] // 2
        area = picture[y - half : y - half + len(label), x - half : x - half + len(label)]
        area[:] = (0.02 + 0.68 * label)[..., None]


def build_scene(frame: TableFrame, floor: Picture, look: Look) -> Scene:
    """The renderer's scene of a frame."""
    by = look.plan.scale
    things = [part for thing in frame.things for part in parts_of(thing)]
    dice = [
        Die(
            position_mm=die.position_mm.tolist(),
            rotation=die.rotation,
            look=look.dice[min(die.die, len(look.dice) - 1)],
            size_mm=DIE_MM,
            values=look.layouts[die.die] if look.layouts else RIGHT_HANDED,
        )
        for die in frame.dice
    ]
    cups = [
        Cup(
            position_mm=cup.position_mm.tolist(),
            rotation=cup.rotation,
            finish=LEATHER,
            radius_rim_mm=CUP_RIM_MM,
            radius_base_mm=CUP_BASE_MM,
            height_mm=CUP_HEIGHT_MM,
        )
        for cup in frame.cups
    ]
    return Scene(
        floor_rgb=floor,
        floor_size_mm=(FLOOR_MM[0] * by, FLOOR_MM[1] * by),
        dice=dice,
        cups=cups,
        boxes=[part for part in things if isinstance(part, Box)],
        discs=[part for part in things if isinstance(part, Disc)],
        capsules=[limb for hand in frame.hands for limb in hand_capsules(hand)],
        lights=look.lights,
        horizon_rgb=(0.16, 0.15, 0.14),
        ceiling_rgb=(0.34, 0.33, 0.32),
    )


def hand_capsules(hand: HandShown) -> list[Capsule]:
    """A hand of capsules: around the cup from the player's side, or reaching for a die."""
    along = np.append(hand.towards, 0.0)
    across = np.array([-along[1], along[0], 0.0])
    sleeve = Finish(rgb=SLEEVES[hand.seat % len(SLEEVES)], gloss=0.05, roughness=0.6)

    def point(outwards: float, sideways: float, height: float) -> Floats:
        up = np.array([0, 0, height])
        return np.asarray(hand.tips_mm + along * outwards + across * sideways + up)

    def limb(a: Floats, b: Floats, radius: float, finish: Finish = SKIN) -> Capsule:
        return Capsule(a_mm=a.tolist(), b_mm=b.tolist(), radius_mm=radius, finish=finish)

    if hand.holds_cup:
        wall = CUP_RIM_MM + 5.0
        return [
            *(
                limb(point(*a), point(*b), 9.0)
                for side in (-1, 1)
                for height in (42, 60)
                for a, b in (
                    ((40, side * 34, height), (12, side * wall, height + 2)),
                    ((12, side * wall, height + 2), (-16, side * (wall - 4), height + 3)),
                )
            ),
            limb(point(56, -24, 50), point(56, 24, 50), 18.0),
            limb(point(70, -10, 54), point(92, -6, 60), 21.0),
            limb(point(70, 10, 54), point(100, 6, 62), 21.0),
            *_in_pieces(limb(point(112, 0, 66), point(650, 0, 110), 33.0, sleeve)),
        ]
    fingers = [
        limb(point(-4 + side * side / 60, side, 17), point(50, side * 1.1, 33), 8.5)
        for side in (-24, -8, 8, 24)
    ]
    palm = [
        limb(point(54 + step, -24 + step / 4, 34 + step / 5), point(54 + step, 22, 35), 13.0)
        for step in (0, 16, 32)
    ]
    thumb = limb(point(24, -42, 18), point(72, -30, 32), 10.0)
    wrist = limb(point(86, 0, 38), point(118, 0, 46), 23.0)
    arm = limb(point(130, 0, 50), point(650, 0, 90), 33.0, sleeve)
    return [*fingers, *palm, thumb, wrist, *_in_pieces(arm)]


def _in_pieces(limb: Capsule) -> list[Capsule]:
    """A long limb as short ones: the renderer knows better what they cannot touch."""
    ends = np.linspace(limb.a_mm, limb.b_mm, ARM_PIECES + 1)
    return [replace(limb, a_mm=a.tolist(), b_mm=b.tolist()) for a, b in pairwise(ends)]
