"""Things on the simulated table that have no part in the game: glasses, coasters, a telephone."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from device.simulate_table import Floats, ThingShown
from models.lab import surfaces
from models.lab.clutter import turn_z
from models.lab.things import Box, Disc, Finish

Part = Box | Disc

BEER = Finish(rgb=(0.45, 0.17, 0.015), gloss=0.8, roughness=0.1, translucent=0.2)
FOAM = Finish(rgb=(0.75, 0.72, 0.64), gloss=0.05, roughness=0.6)
CARDBOARD = Finish(
    rgb=(0.62, 0.58, 0.48), rgb2=(0.25, 0.03, 0.03), pattern=surfaces.RINGS, pattern_scale=0.09,
    pattern_amount=0.7, gloss=0.0, roughness=0.6,
)  # fmt: skip
GLASS_BLACK = Finish(rgb=(0.01, 0.01, 0.012), gloss=1.0, roughness=0.05)
SCREEN = Finish(rgb=(0.35, 0.48, 0.62), gloss=0.8, roughness=0.08)

GLASS_RADIUS_MM, GLASS_HEIGHT_MM = 31.0, 130.0
COASTER_RADIUS_MM = 47.0
PHONE_MM = (150.0, 74.0, 8.0)


def _glass(at: Floats, angle_rad: float) -> list[Part]:
    beer_mm = 0.8 * GLASS_HEIGHT_MM
    x, y, z = (float(side) for side in at)
    return [
        Disc(position_mm=(x, y, z + beer_mm / 2), radius_mm=GLASS_RADIUS_MM,
             half_height_mm=beer_mm / 2, finish=BEER),
        Disc(position_mm=(x, y, z + beer_mm + 8.0), radius_mm=GLASS_RADIUS_MM - 1.5,
             half_height_mm=8.0, finish=FOAM),
    ]  # fmt: skip


def _coaster(at: Floats, angle_rad: float) -> list[Part]:
    x, y, z = (float(side) for side in at)
    return [
        Disc(position_mm=(x, y, z + 0.8), radius_mm=COASTER_RADIUS_MM, half_height_mm=0.8,
             finish=CARDBOARD, rotation=turn_z(angle_rad)),
    ]  # fmt: skip


def _phone(at: Floats, angle_rad: float) -> list[Part]:
    x, y, z = (float(side) for side in at)
    long, wide, high = (side / 2 for side in PHONE_MM)
    turned = turn_z(angle_rad)
    return [
        Box(position_mm=(x, y, z + high), half_mm=(long, wide, high), rotation=turned,
            finish=GLASS_BLACK),
        Box(position_mm=(x, y, z + 2 * high), half_mm=(long - 9, wide - 4, 0.3), rotation=turned,
            finish=SCREEN),
    ]  # fmt: skip


KINDS: dict[str, Callable[[Floats, float], list[Part]]] = {
    "glass": _glass,
    "coaster": _coaster,
    "phone": _phone,
}
REACH_MM = {"glass": GLASS_RADIUS_MM, "coaster": COASTER_RADIUS_MM, "phone": 84.0}
"""How far a thing reaches from its middle."""
EDGE_REACH_MM = {"glass": GLASS_RADIUS_MM, "coaster": COASTER_RADIUS_MM, "phone": PHONE_MM[1] / 2}
"""The same across an edge along which it lies."""
HEIGHT_MM = {"glass": GLASS_HEIGHT_MM, "coaster": 2.0, "phone": 9.0}


def parts_of(thing: ThingShown) -> list[Part]:
    """What the renderer makes a thing of."""
    return KINDS[thing.kind](thing.position_mm, thing.angle_rad)


def hull_of(thing: ThingShown) -> Floats:
    """The corners (8, 3) of the box around a thing."""
    reach, height = REACH_MM[thing.kind], HEIGHT_MM[thing.kind]
    corners = [(x * reach, y * reach, z) for x in (-1, 1) for y in (-1, 1) for z in (0.0, height)]
    return np.asarray(thing.position_mm + np.array(corners))
