"""Throws as a watched table sees them: three dice of one make on a mat, seen from nearly above.

Throw i of a seed is always the same throw. Surfaces and lights are dealt out evenly: every ten
throws hold every surface and every light once, every hundred every pair of them, and in every
thousand each pair meets each way of lying.

The picture is the mat as `vision.mat_view.rectify` shows it: a camera that looks down obliquely
and is then rectified sees what a camera with its axis upright and its sensor shifted sees, so that
the rendered picture needs no warping and the calibration is the identity.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .bank import Bank
from .clutter import obstacle_thing, random_cup, random_thing, turn_z
from .labels import BURNING, TOWER, label
from .light_kinds import LIGHT_KINDS, Lighting
from .litter import litter
from .looks import Rng, die_look, die_values
from .physics_world import Settled
from .scenes import Composed, Placed
from .textures import SURFACES, surface
from .things import Box, Camera, Capsule, Cup, Die, Disc, Scene, gap_mm

PX_PER_MM = 2.2
"""Resolution of the mat's picture at a table (`vision.calibration.MatCalibration`)."""
MARGIN_MM = 12.0
"""What is seen around the mat (`vision.watcher.WatcherSettings`)."""
VIEW_DICE = (12.0, 9.6)
"""Width and height of the picture in edges of a die."""
DIE_MM = (12.0, 25.0)
TILT_DEG = (0.0, 20.0)
HEIGHT_MM = (450.0, 900.0)
TEXTURE_PX = 640
DICE = 3
HEAPS = ("plain",) * 7 + ("near", "tower", "cocked")
"""Ten ways of lying, dealt out evenly."""
BANK_KINDS = {"plain": "thrown", "near": "near", "tower": "tower", "cocked": "cocked"}
NEAR = (0.72, 1.1)
"""A thing put next to a die: from its edge to the die's middle, in edges of the die."""
MOST_TRIES = 200


@dataclass(frozen=True)
class Throw:
    """A throw that lies open on the mat.

    Attributes:
        index: number of the throw.
        surface: kind of table top.
        light: kind of light.
        heap: plain, near, tower or cocked.
        die_mm: edge of its dice.
        tilt_deg: of the camera.
        view_px: (width, height) of the mat's picture.
        composed: the scene with the dice; its camera sees `full_px`.
        full_px: (width, height) of the picture that the mat's picture is cut from.
        corner_px: where in it the mat's picture begins.
        lighting: the light.
        cup: the cup that the dice were thrown with, upside down in their middle.
        leaning_on: what dice lean on: "flat" or "tall" things.
    """

    index: int
    surface: str
    light: str
    heap: str
    die_mm: float
    tilt_deg: float
    view_px: tuple[int, int]
    composed: Composed
    full_px: tuple[int, int]
    corner_px: tuple[int, int]
    lighting: Lighting
    cup: Cup
    leaning_on: tuple[str, ...]

    @property
    def values(self) -> tuple[int, ...]:
        """Of the flat dice, highest first."""
        flat = [item.value for item in self.composed.placed if item.state == "flat"]
        return tuple(sorted(flat, reverse=True))

    @property
    def faults(self) -> tuple[str, ...]:
        """`tower`, `burning` or both."""
        states = {item.state for item in self.composed.placed}
        return tuple(fault for fault in ("tower", "burning") if fault in states)

    @property
    def mat_mm(self) -> tuple[float, float]:
        """Width and height of the mat."""
        width, height = (side / PX_PER_MM - 2 * MARGIN_MM for side in self.view_px)
        return width, height

    def to_view(self, x_mm: float, y_mm: float) -> tuple[float, float]:
        """Where a point of the table lies in the mat's picture, pixels."""
        return self.view_px[0] / 2 + x_mm * PX_PER_MM, self.view_px[1] / 2 - y_mm * PX_PER_MM


def dealt(index: int) -> tuple[str, str, str]:
    """Surface, light and heap of throw `index`."""
    surfaces, lights = tuple(SURFACES), tuple(LIGHT_KINDS)
    row, column = divmod(index, len(surfaces))
    turn = index // (len(surfaces) * len(lights))
    return (
        surfaces[column],
        lights[(column + row) % len(lights)],
        HEAPS[(7 * column + row + turn) % len(HEAPS)],
    )


def compose_throw(bank: Bank, seed: int, index: int) -> Throw:
    """Throw `index` of `seed`.

    Raises:
        ValueError: the bank holds no such heap.
    """
    rng = np.random.default_rng([seed, index])
    surface_kind, light, heap = dealt(index)
    for _ in range(MOST_TRIES):
        throw = _composed(rng, bank, index, surface_kind, light, heap)
        if throw is not None and _in_sight(throw):
            return throw
    raise ValueError(
        f"throw {index} of seed {seed} cannot be composed: the bank has no {heap} heap of {DICE} "
        "dice that fits; make a larger one with models.lab.physics"
    )


def _in_sight(throw: Throw) -> bool:
    """Whether all that matters can be seen: what the answer is about carries a label."""
    classes = [item.class_id for item in label(throw.composed, throw.full_px)]
    states = [item.state for item in throw.composed.placed]
    return (
        sum(c < TOWER for c in classes) == states.count("flat")
        and classes.count(BURNING) == states.count("burning")
        and (TOWER in classes) == ("tower" in states)
    )


def _camera(
    rng: Rng, view_px: tuple[int, int]
) -> tuple[Camera, float, tuple[int, int], tuple[int, int]]:
    """A camera with its axis upright and its sensor shifted; its tilt, picture and the corner."""
    tilt, height, turn = rng.uniform(*TILT_DEG), rng.uniform(*HEIGHT_MM), rng.uniform(0, 2 * np.pi)
    away = height * np.tan(np.radians(tilt)) * PX_PER_MM
    x, y = round(away * np.cos(turn)), round(away * np.sin(turn))
    full = (view_px[0] + 2 * abs(x), view_px[1] + 2 * abs(y))
    over = (x / PX_PER_MM, y / PX_PER_MM, 0.0)
    camera = Camera(
        position_mm=(over[0], over[1], height),
        look_at_mm=over,
        fov_deg=float(np.degrees(2 * np.arctan(full[0] / 2 / (PX_PER_MM * height)))),
    )
    return camera, float(tilt), full, (abs(x) - x, abs(y) + y)


def _settled(rng: Rng, bank: Bank, heap: str, die_mm: float) -> Settled | None:
    """A heap of three dice that lies as it should; None when the one drawn does not."""
    rows = bank.indices(BANK_KINDS[heap])  # type: ignore[arg-type]
    if not len(rows):
        return None
    settled = bank.settled(int(rng.choice(rows)), size_mm=die_mm)
    states = {die.state for die in settled.dice}
    wanted = {"tower": "tower", "cocked": "burning"}.get(heap)
    fits = states == {"flat"} if wanted is None else wanted in states
    return settled if fits and len(settled.dice) == DICE else None


def _composed(
    rng: Rng, bank: Bank, index: int, surface_kind: str, light: str, heap: str
) -> Throw | None:
    die_mm = float(rng.uniform(*DIE_MM))
    settled = _settled(rng, bank, heap, die_mm)
    view_px = tuple(round(side * die_mm * PX_PER_MM) for side in VIEW_DICE)
    half = np.array(view_px) / PX_PER_MM / 2 - MARGIN_MM
    if settled is None:
        return None
    turn = turn_z(rng.uniform(0, 2 * np.pi))
    places = np.array([turn @ die.pose.position_mm for die in settled.dice])
    low, high = places.min(axis=0)[:2], places.max(axis=0)[:2]
    room = half - 0.8 * die_mm
    if ((high - low) > 2 * room).any():
        return None
    shift = np.array([*rng.uniform(-room - low, room - high), 0.0])
    look = die_look(rng)
    dice, placed = [], []
    for row, (die, place) in enumerate(zip(settled.dice, places + shift, strict=True)):
        value = int(rng.integers(1, 7))
        placed.append(Placed(row, die.state, value, 0))
        dice.append(
            Die(
                position_mm=place.tolist(),
                rotation=turn @ die.pose.rotation,
                size_mm=die_mm,
                look=look,
                values=die_values(rng, die.up_axis, value),
            )
        )
    things: list[Box | Disc | Capsule] = [
        obstacle_thing(
            rng, o, (turn @ o.pose.position_mm + shift).tolist(), turn @ o.pose.rotation, 1.0
        )
        for o in settled.obstacles
    ]
    spots = (places + shift)[:, :2]
    things += _clutter(rng, spots, half + MARGIN_MM, die_mm, near=heap == "near")
    floor_mm = 1.1 * max(view_px) / PX_PER_MM
    _, floor = surface(rng, TEXTURE_PX, surface_kind)
    litter(rng, floor, TEXTURE_PX * die_mm / floor_mm)
    lighting = LIGHT_KINDS[light](rng)
    scene = Scene(
        floor_rgb=floor,
        floor_size_mm=(floor_mm, floor_mm),
        dice=dice,
        cups=_edge_cups(rng, spots, half, die_mm),
        boxes=[thing for thing in things if isinstance(thing, Box)],
        discs=[thing for thing in things if isinstance(thing, Disc)],
        capsules=[thing for thing in things if isinstance(thing, Capsule)],
        floor_gloss=float(rng.choice([0, 0, 0.4, 1.2])),
        floor_roughness=float(rng.uniform(0.1, 0.5)),
    )
    camera, tilt, full_px, corner_px = _camera(rng, view_px)
    middle = spots.mean(axis=0)
    cup = random_cup(rng, float(middle[0]), float(middle[1]))
    return Throw(
        index=index,
        surface=surface_kind,
        light=light,
        heap=heap,
        die_mm=die_mm,
        tilt_deg=tilt,
        view_px=view_px,
        composed=Composed(
            lighting.on(scene), camera, tuple(placed), surface_kind, die_mm * PX_PER_MM, tilt
        ),
        full_px=full_px,
        corner_px=corner_px,
        lighting=lighting,
        cup=replace(cup, position_mm=(*middle.tolist(), 0.0), rotation=np.eye(3)),
        leaning_on=tuple("tall" if o.size_mm[2] > die_mm else "flat" for o in settled.obstacles),
    )


def _clutter(
    rng: Rng,
    dice: NDArray[np.float64],
    reach: NDArray[np.float64],
    die_mm: float,
    *,
    near: bool,
) -> list[Box | Disc | Capsule]:
    """Coins, boxes, glasses, pens: somewhere clear of the dice, or (`near`) one right beside."""
    out: list[Box | Disc | Capsule] = []
    beside = near and rng.random() < 0.5
    for number in range(int(rng.choice([0, 0, 0, 1, 2, 3])) + beside):
        for _ in range(40):
            thing = random_thing(rng, rng.uniform(-reach, reach), die_mm)
            gap = min(gap_mm(thing, spot) for spot in dice) / die_mm
            if NEAR[0] <= gap <= NEAR[1] if beside and number == 0 else gap > NEAR[1]:
                out.append(thing)
                break
    return out


def _edge_cups(
    rng: Rng, dice: NDArray[np.float64], half: NDArray[np.float64], die_mm: float
) -> list[Cup]:
    """Other players' cups that stand beside the mat and reach into the picture."""
    cups: list[Cup] = []
    for _ in range(int(rng.choice([0, 0, 0, 0, 0, 0, 0, 1, 1, 2]))):
        at = rng.uniform(-half, half)
        side = int(rng.integers(2))
        at[side] = (half[side] + rng.uniform(5, 40)) * rng.choice([-1, 1])
        cup = random_cup(rng, float(at[0]), float(at[1]))
        clear = cup.radius_rim_mm + die_mm
        apart = all(np.hypot(*(at - np.array(c.position_mm[:2]))) > 100 for c in cups)
        if apart and min(float(np.hypot(*(at - spot))) for spot in dice) > clear:
            cups.append(cup)
    return cups
