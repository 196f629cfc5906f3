"""Random pub tables: settled dice, cups, hands and clutter, seen by a random camera.

The physics bank gives how dice lie; this module gives what they are made of, what lies
around them, how the room is lit and where the camera hangs. Labels come from the
scene's state, never from the picture.
"""

from __future__ import annotations

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from .bank import Bank
from .clutter import (
    obstacle_thing,
    random_cup,
    random_hand,
    random_lights,
    random_thing,
    turn_z,
)
from .light_kinds import ring_lamp
from .litter import litter
from .lookalikes import strange_things
from .looks import Rng, die_values, makes
from .lying_about import leads, tokens
from .physics_starts import Kind
from .physics_world import Settled
from .textures import surface
from .things import Box, Camera, Capsule, Die, DieLook, Disc, Scene

TEXTURE_PX = 512
# How dice lie: towers and cocked dice far more often than in a pub, or they are never learned.
HEAPS: tuple[Kind, ...] = ("thrown", "near", "tower", "cocked")
HEAP_SHARES = (0.45, 0.21, 0.14, 0.20)
BLANK = (0, 0, 0, 0, 0, 0)
MOST_STREWN = 26


@dataclass(frozen=True)
class Placed:
    """One thing that carries a label."""

    row: int
    """Its row in the tracer's object table."""
    state: str
    """flat, tower, burning, blank or cup."""
    value: int
    cluster: int


@dataclass(frozen=True)
class Composed:
    """A scene, its camera, what in it carries labels, and facts for figures per condition."""

    scene: Scene
    camera: Camera
    placed: tuple[Placed, ...]
    surface: str
    die_px: float
    tilt_deg: float


TILTS_DEG = ((0, 22), (18, 48), (45, 64))
TILT_SHARES = (0.58, 0.32, 0.10)
OVERHEAD_DEG = (0, 34)


def _camera(
    rng: Rng, die_px: float, die_mm: float, size_px: tuple[int, int], *, overhead: bool
) -> tuple[Camera, float]:
    low, high = OVERHEAD_DEG if overhead else TILTS_DEG[int(rng.choice(3, p=TILT_SHARES))]
    tilt = np.radians(rng.uniform(low, high))
    fov = rng.uniform(22, 62)
    distance = size_px[0] / 2 / np.tan(np.radians(fov) / 2) * die_mm / die_px
    azimuth, roll = rng.uniform(0, 2 * np.pi, 2)
    out = np.array([np.sin(tilt) * np.cos(azimuth), np.sin(tilt) * np.sin(azimuth), np.cos(tilt)])
    if np.degrees(tilt) > 35 and rng.random() < 0.8:  # oblique pictures are held upright
        up = np.array([-out[0], -out[1], 0.05])
    else:
        up = np.array([np.cos(roll), np.sin(roll), 0.0])
    up = up - out * float(up @ out)
    return Camera(position_mm=(out * distance).tolist(), up=up.tolist(), fov_deg=float(fov)), float(
        np.degrees(tilt)
    )


def _ground(
    camera: Camera, pixel: NDArray[np.float64], size_px: tuple[int, int]
) -> NDArray[np.float64]:
    """Table point (x, y) seen at a pixel; far away when the ray misses the table."""
    axes = camera.axes()
    f = camera.focal_px(size_px[0])
    ray = (
        axes[0] * (pixel[0] - size_px[0] / 2) / f
        + axes[1] * (pixel[1] - size_px[1] / 2) / f
        + axes[2]
    )
    if ray[2] > -0.02:
        return np.array([1e6, 1e6])
    position = np.asarray(camera.position_mm, float)
    return np.asarray(position + ray * (-position[2] / ray[2]))[:2]


@dataclass
class _Builder:
    """Collects things while keeping them from overlapping."""

    rng: Rng
    camera: Camera
    size_px: tuple[int, int]
    taken: list[tuple[float, float, float]]

    def spot(self, radius: float, *, middle: bool = False) -> NDArray[np.float64] | None:
        """A free place on the table in view; None when there is none."""
        low, high = (0.2, 0.8) if middle else (-0.03, 1.03)
        for _ in range(14):
            pixel = self.rng.uniform(low, high, 2) * np.array(self.size_px)
            at = _ground(self.camera, pixel, self.size_px)
            if np.hypot(*at) < 3000 and all(
                (at[0] - x) ** 2 + (at[1] - y) ** 2 > (radius + r) ** 2 for x, y, r in self.taken
            ):
                self.taken.append((float(at[0]), float(at[1]), radius))
                return at
        return None


def _strewn(rng: Rng, bank: Bank, heaps: float) -> Settled | None:
    """One die as it lay in a thrown heap; None for the share `heaps`, when a whole heap is due."""
    if rng.random() < heaps:
        return None
    heap = bank.settled(int(rng.choice(bank.indices("thrown"))))
    flat = [die for die in heap.dice if die.state == "flat"]
    return Settled(dice=(flat[int(rng.integers(len(flat)))],), obstacles=()) if flat else None


def _heap(rng: Rng, bank: Bank) -> Settled:
    heap = HEAPS[int(rng.choice(len(HEAPS), p=HEAP_SHARES))]
    return bank.settled(int(rng.choice(bank.indices(heap))))


def _lay(
    rng: Rng,
    settled: Settled,
    center: NDArray[np.float64],
    scale: float,
    at: NDArray[np.float64],
    looks: list[DieLook],
) -> tuple[list[Die], list[Placed], list[Box | Disc]]:
    """Put a settled heap on the table at `at`, turned anyhow: its dice and what they lean on."""
    offset, turn = np.array([*at, 0.0]), turn_z(rng.uniform(0, 6.28))
    pivot = np.array([*center, 0.0])
    look = looks[int(rng.integers(len(looks)))]
    mixed, blank = rng.random() < 0.25, rng.random() < 0.03
    dice: list[Die] = []
    placed: list[Placed] = []
    for row, die in enumerate(settled.dice):
        value = int(rng.integers(1, 7))
        placed.append(Placed(row, "blank" if blank else die.state, value, 0))
        dice.append(
            Die(
                position_mm=(turn @ (die.pose.position_mm - pivot) * scale + offset).tolist(),
                rotation=turn @ die.pose.rotation,
                size_mm=die.size_mm * scale,
                look=looks[int(rng.integers(len(looks)))] if mixed else look,
                values=BLANK if blank else die_values(rng, die.up_axis, value),
            )
        )
    things = [
        obstacle_thing(
            rng,
            thing,
            (turn @ (thing.pose.position_mm - pivot) * scale + offset).tolist(),
            turn @ thing.pose.rotation,
            scale,
        )
        for thing in settled.obstacles
    ]
    return dice, placed, things


def compose(
    rng: Rng,
    bank: Bank,
    *,
    size_px: tuple[int, int] = (320, 320),
    die_px: tuple[float, float] = (14, 84),
    crowded: float = 0.0,
    heaps: float = 0.2,
    overhead: bool = False,
    strange: float = 0.0,
    ringed: float = 0.0,
    hidden: float = 0.0,
    swirls: float = 0.0,
    uneven: float = 0.0,
    games: float = 0.0,
) -> Composed:
    """A random table.

    Args:
        rng: where all chance comes from.
        bank: settled clusters of dice (`models.lab.physics`), in millimetres around the origin.
        size_px: (width, height) of the picture to come.
        die_px: range of the edge of a die in pixels, drawn log-uniformly.
        crowded: share of tables strewn with single dice, 0..1: several times as many examples
            for the price of one picture.
        heaps: share of whole heaps, towers and cocked dice among them, on such a table, 0..1.
        overhead: cameras as they hang above a table only, none from the side.
        strange: share of tables with bodies and screens that look like dice, 0..1; half of these
            are seen through a lens that bends.
        ringed: share of tables under a ring lamp that glossy dice mirror across their pips, many
            of which are coloured and as dark as the body, 0..1.
        hidden: share of tables whose dice have the table's own colour, 0..1.
        swirls: share of tables whose dice have two colours swirling through them, 0..1.
        uneven: share of tables whose dice space each face's pips in a way of its own, 0..1.
        games: share of tables with tokens of board games and leads lying about, 0..1.
    """
    px = float(np.exp(rng.uniform(*np.log(die_px))))
    camera, tilt = _camera(rng, px, 16.0, size_px, overhead=overhead)
    reach = 16.0 / px * max(size_px)
    floor_mm = min(4000.0, reach * (1.6 if tilt < 25 else 2.6 if tilt < 48 else 4.0))
    kind, floor = surface(rng, TEXTURE_PX)
    litter(rng, floor, TEXTURE_PX * 16.0 / floor_mm)
    builder = _Builder(rng, camera, size_px, [])
    dice, placed, cups = [], [], []
    things: list[Box | Disc | Capsule] = []
    if rng.random() < 0.3 and px < 50:
        for _ in range(int(rng.choice([1, 1, 2]))):
            at = builder.spot(52)
            if at is not None:
                cups.append(random_cup(rng, float(at[0]), float(at[1])))
    under_ring = bool(ringed) and rng.random() < ringed
    looks = makes(
        rng,
        floor.mean((0, 1)),
        under_ring=under_ring,
        swirls=swirls,
        hidden=hidden,
        uneven=uneven,
    )
    count = (
        0 if rng.random() < 0.05 else 1 + int(min(9, rng.poisson((max(size_px) / (px * 5)) ** 2)))
    )
    strewn = crowded > 0 and rng.random() < crowded
    if strewn:
        places = float(np.prod(size_px)) / (1.6 * px) ** 2
        count = 1 + round(min(MOST_STREWN, places * rng.uniform(0.15, 0.45)))
    for cluster in range(count):
        settled = (_strewn(rng, bank, heaps) if strewn else None) or _heap(rng, bank)
        center = np.mean([d.pose.position_mm[:2] for d in settled.dice], axis=0)
        scale = float(rng.uniform(0.85, 1.2)) * 16.0 / settled.dice[0].size_mm
        radius = scale * max(
            float(np.linalg.norm(d.pose.position_mm[:2] - center)) + d.size_mm * 0.8
            for d in settled.dice
        )
        at = builder.spot(radius, middle=cluster == 0)
        if at is None:
            continue
        heap_dice, heap_placed, heap_things = _lay(rng, settled, center, scale, at, looks)
        placed += [replace(item, row=len(dice) + item.row, cluster=cluster) for item in heap_placed]
        dice += heap_dice
        things += heap_things
    for _ in range(int(rng.choice([0, 0, 0, 1, 2, 3]))):
        at = builder.spot(30)
        if at is not None:
            things.append(random_thing(rng, at, 16.0))
    if rng.random() < 0.07:
        at = builder.spot(10)
        if at is not None:
            things += random_hand(rng, float(at[0]), float(at[1]))
    if strange and rng.random() < strange:
        things += strange_things(rng, builder.spot, floor, TEXTURE_PX * 16.0 / floor_mm)
        camera = replace(camera, lens=float(rng.choice([0.0, rng.uniform(-0.15, 0.25)])))
    if games and rng.random() < games:
        tokens(rng, floor, TEXTURE_PX * 16.0 / floor_mm)
        things += leads(rng, builder.spot)
    placed += [Placed(len(dice) + i, "cup", 0, -1) for i in range(len(cups))]
    lights, lamps, horizon, ceiling = random_lights(rng)
    lamps = [*lamps[:1], *ring_lamp(rng, camera.position_mm)] if under_ring else lamps
    scene = Scene(
        floor_rgb=floor,
        floor_size_mm=(floor_mm, floor_mm),
        dice=dice,
        cups=cups,
        boxes=[thing for thing in things if isinstance(thing, Box)],
        discs=[thing for thing in things if isinstance(thing, Disc)],
        capsules=[thing for thing in things if isinstance(thing, Capsule)],
        lights=lights,
        lamps=lamps,
        horizon_rgb=horizon,
        ceiling_rgb=ceiling,
        floor_gloss=float(rng.choice([0, 0, 0.4, 1.2])),
        floor_roughness=float(rng.uniform(0.1, 0.5)),
    )
    return Composed(scene, camera, tuple(placed), kind, px, tilt)
