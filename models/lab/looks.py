"""Random makes of dice and finishes of things, wide enough to hold any pub's dice.

Pip layouts follow measurements on real dice: neighbours 0.18 to 0.32 of the edge apart,
rows of a six from nearly touching to wide, ring pips, big or red aces.
"""

from __future__ import annotations

from dataclasses import replace

import numpy as np

from . import surfaces
from .textures import color
from .things import DieLook, Finish, Rgb

Rng = np.random.Generator
# Share and linear RGB of body colours in shops; "any" draws freely.
BODIES: list[tuple[float, tuple[float, float, float] | None]] = [
    (0.24, (0.80, 0.79, 0.76)),
    (0.12, (0.72, 0.62, 0.42)),
    (0.11, (0.45, 0.01, 0.015)),
    (0.12, (0.012, 0.012, 0.014)),
    (0.07, (0.01, 0.03, 0.25)),
    (0.07, (0.01, 0.14, 0.03)),
    (0.06, (0.75, 0.45, 0.01)),
    (0.04, (0.45, 0.20, 0.06)),
    (0.17, None),
]

# The six values on +x, -x, +y, -y, +z, -z, right- and left-handed.
CHIRAL = ((3, 4, 2, 5, 1, 6), (4, 3, 2, 5, 1, 6))


def _rgb(values: np.ndarray) -> Rgb:
    a, b, c = np.clip(values, 0.003, 0.92)
    return float(a), float(b), float(c)


def luminance(rgb: Rgb) -> float:
    """Relative luminance of linear RGB (Rec. 709)."""
    return float(np.dot(rgb, [0.2126, 0.7152, 0.0722]))


def _body(rng: Rng) -> Rgb:
    shares = np.array([share for share, _ in BODIES])
    base = BODIES[int(rng.choice(len(BODIES), p=shares / shares.sum()))][1]
    if base is None:
        return _rgb(np.asarray(color(rng, 0.01, 0.8)))
    return _rgb(np.array(base) * np.exp(rng.normal(0, 0.22) + rng.normal(0, 0.12, 3)))


# Pips that differ from the body by their colour rather than by being light or dark.
INKS = (
    (0.45, 0.01, 0.02),
    (0.25, 0.01, 0.01),
    (0.02, 0.04, 0.35),
    (0.02, 0.22, 0.05),
    (0.55, 0.38, 0.06),
    (0.6, 0.2, 0.02),
    (0.35, 0.02, 0.25),
    (0.03, 0.35, 0.4),
)


def _pip_color(rng: Rng, body: Rgb, inked: float) -> Rgb:
    """Dark on light, light on dark; gold, red, blue now and then; low contrast now and then."""
    if rng.random() < inked:
        ink = np.array(INKS[int(rng.integers(len(INKS)))]) * np.exp(rng.normal(0, 0.3))
        own = np.array(body)
        hue = np.abs(ink / ink.sum() - own / own.sum()).sum()
        if hue > 0.45 or abs(np.log(luminance(_rgb(ink)) / luminance(body))) > 1.2:
            return _rgb(ink)
    light = luminance(body)
    if light > 0.35 or (light > 0.12 and rng.random() < 0.35):
        base = np.array([0.01, 0.01, 0.012])
        if rng.random() < 0.15:
            base = np.array(
                [(0.4, 0.01, 0.02), (0.01, 0.02, 0.3), (0.02, 0.2, 0.05)][rng.integers(3)]
            )
        elif rng.random() < 0.12:
            base = np.array(body) * rng.uniform(0.1, 0.35)
    else:
        base = np.array([0.8, 0.8, 0.78])
        if rng.random() < 0.2:
            base = np.array([(0.6, 0.4, 0.08), (0.7, 0.6, 0.1), (0.55, 0.55, 0.6)][rng.integers(3)])
        elif rng.random() < 0.12:
            base = np.clip(np.array(body) * rng.uniform(3, 8) + 0.1, 0, 0.8)
    return _rgb(base * np.exp(rng.normal(0, 0.2, 3)))


def finish(rng: Rng, rgb: Rgb | None = None) -> Finish:
    """A random opaque finish for cups, boxes, coasters, skin and sleeves."""
    base = rgb or _rgb(np.asarray(color(rng)))
    return Finish(
        rgb=base,
        rgb2=_rgb(np.array(base) * rng.uniform(0.3, 1.8)),
        pattern=int(
            rng.choice([surfaces.PLAIN, surfaces.MARBLE, surfaces.SPECKLE, surfaces.RINGS])
        ),
        pattern_scale=float(np.exp(rng.uniform(np.log(0.05), np.log(0.5)))),
        pattern_amount=float(rng.uniform(0, 0.8)),
        gloss=float(rng.choice([0, 0.3, 1.0])),
        roughness=float(rng.uniform(0.15, 0.6)),
    )


INKED = 0.22
"""Share of makes with pips of a colour of their own."""
INKED_RINGED = 0.6
"""Share of coloured pips among the dice under a ring lamp: what readers find hardest."""
SMOKY: Rgb = (0.035, 0.033, 0.032)
"""Linear RGB of the dark body on which coloured pips are as dark as the body."""


def die_look(rng: Rng, *, inked: float = INKED) -> DieLook:
    """A random make of die; `inked`: share of coloured pips, which dark bodies get all the more."""
    body = _body(rng)
    if inked > INKED and rng.random() < inked:
        body = _rgb(np.array(SMOKY) * np.exp(rng.normal(0, 0.5) + rng.normal(0, 0.25, 3)))
    pattern = int(
        rng.choice(
            [surfaces.PLAIN, surfaces.MARBLE, surfaces.SPECKLE, surfaces.WOOD, surfaces.TWO_TONE],
            p=[0.70, 0.14, 0.07, 0.05, 0.04],
        )
    )
    # A second colour close to the body keeps the pips readable, as on real marbled dice.
    second = _rgb(np.array(body) * np.exp(rng.normal(0, 0.6, 3)))
    if rng.random() < 0.25:  # two bright colours in one body, as gaming dice have them
        second = _body(rng)
    pip = _pip_color(rng, body, inked)
    ring = rng.random() < 0.10
    inner = _rgb(np.array(pip) * rng.uniform(0.3, 0.8) + np.array(body) * rng.uniform(0.2, 0.9))
    ace = (0.45, 0.01, 0.02) if rng.random() < 0.12 and luminance(body) > 0.3 else pip
    spacing = float(rng.uniform(0.18, 0.32))
    radius = float(rng.uniform(0.055, min(0.125, spacing * 0.47)))
    rows = float(rng.uniform(max(0.75, 2.05 * radius / (2 * spacing)), 1.15))
    return DieLook(
        finish=Finish(
            rgb=body,
            rgb2=second,
            pattern=pattern,
            pattern_scale=float(np.exp(rng.uniform(np.log(0.1), np.log(0.8)))),
            pattern_amount=float(rng.uniform(0.2, 0.9)),
            gloss=float(rng.uniform(0, 1.4)),
            roughness=float(rng.uniform(0.12, 0.6)),
            translucent=float(rng.uniform(0.3, 1.0)) if rng.random() < 0.16 else 0.0,
        ),
        pip_rgb=pip,
        pip_inner_rgb=inner,
        ace_rgb=ace,
        corner=float(rng.uniform(0.03, 0.2)),
        ball=float(rng.uniform(0.64, 0.80)) if rng.random() < 0.5 else 0.87,
        pip_radius=radius,
        pip_spacing=spacing,
        six_rows=rows,
        ace_scale=float(rng.uniform(1.0, 2.0)) if rng.random() < 0.35 else 1.0,
        pip_depth=float(rng.uniform(0, 1.0)),
        pip_inner=float(rng.uniform(0.3, 0.75)) if ring else 0.0,
        flips=int(rng.integers(0, 4096)),
    )


def faint(rng: Rng, look: DieLook, ground: np.ndarray) -> DieLook:
    """The make in the colour of the table it lies on, `ground` (3,) linear RGB."""
    body = _rgb(ground * np.exp(rng.normal(0, 0.18) + rng.normal(0, 0.06, 3)))
    second = _rgb(np.array(body) * np.exp(rng.normal(0, 0.25, 3)))
    pip = _pip_color(rng, body, INKED)
    return replace(
        look,
        finish=replace(look.finish, rgb=body, rgb2=second),
        pip_rgb=pip,
        pip_inner_rgb=_rgb(np.array(pip) * rng.uniform(0.5, 1.0) + np.array(body) * 0.3),
        ace_rgb=pip,
    )


def swirled(rng: Rng, look: DieLook) -> DieLook:
    """The make with two colours swirling through it, as gaming dice have them."""
    body = _body(rng)
    dark, any_other = np.array(SMOKY) * np.exp(rng.normal(0, 0.5)), np.array(_body(rng))
    second = _rgb(dark if rng.random() < 0.4 else any_other)
    pip = _pip_color(rng, body, INKED_RINGED)
    finish = replace(
        look.finish,
        rgb=body,
        rgb2=second,
        pattern=surfaces.MARBLE,
        pattern_scale=float(np.exp(rng.uniform(np.log(0.04), np.log(0.3)))),
        pattern_amount=float(rng.uniform(0.5, 1.0)),
        translucent=float(rng.uniform(0.3, 1.0)) if rng.random() < 0.3 else 0.0,
    )
    return replace(look, finish=finish, pip_rgb=pip, ace_rgb=pip)


NEIGHBOURS = np.array((9.0, 2.0 * 2**0.5, 2**0.5, 2.0, 2**0.5, 1.0))
"""How far the nearest pips of the values 1 to 6 are apart, in units of their spacing."""
FACE_SPREAD = 0.13
"""Standard deviation of the logarithm of what a face's spacing is of its die's."""
DRAWN_IN = np.log((1.0, 0.86, 0.95, 1.0, 1.0, 1.0))
"""The mean of it: a two's pips lie nearer to the middle than the outer ones of a five."""
REACH = 0.45
"""A pip's outer edge is no further from the middle of its face, as a share of the die's edge."""
DRILLED = 0.1
"""Share of such makes whose pips are holes without paint."""


def spaced_anew(rng: Rng, look: DieLook) -> DieLook:
    """The make with every face's pips spaced in a way of its own, and some without paint.

    On photographs of pub dice the two pips of a 2 are 0.47 to 0.54 of the edge apart, where the
    outer ones of the same die's 3 are 0.60 to 0.65 apart.
    """
    radius, rows = look.pip_radius, np.array((1.0, 1.0, 1.0, 1.0, 1.0, look.six_rows))
    least = 2.1 * radius / (NEIGHBOURS * look.pip_spacing)
    most = (REACH - radius) / (np.maximum(rows, 1.0) * look.pip_spacing)
    factors = np.exp(DRAWN_IN + rng.normal(0, FACE_SPREAD, 6))
    spacing = np.maximum(least, np.minimum(factors, most))
    look = replace(look, face_spacing=tuple(spacing.tolist()))
    if rng.random() < DRILLED:
        own = _rgb(np.array(look.finish.rgb) * rng.uniform(0.55, 1.0))
        depth = float(rng.uniform(0.6, 1.0))
        look = replace(look, pip_rgb=own, pip_inner_rgb=own, ace_rgb=own, pip_depth=depth)
    return look


def makes(
    rng: Rng,
    ground: np.ndarray,
    *,
    under_ring: bool,
    swirls: float = 0.0,
    hidden: float = 0.0,
    uneven: float = 0.0,
) -> list[DieLook]:
    """What the dice of one table look like, the table's mean colour being `ground`.

    `swirls`: chance of two colours in each; `hidden`: chance of dice in the table's own colour;
    `uneven`: chance of faces that space their pips in ways of their own.
    """
    count = int(rng.choice([1, 2, 6]))
    looks = [die_look(rng, inked=INKED_RINGED if under_ring else INKED) for _ in range(count)]
    if under_ring:
        looks = [_glossy(rng, look) for look in looks]
    if swirls and rng.random() < swirls:
        looks = [swirled(rng, look) for look in looks]
    if hidden and rng.random() < hidden:
        looks = [faint(rng, look, ground) for look in looks]
    if uneven and rng.random() < uneven:
        looks = [spaced_anew(rng, look) for look in looks]
    return looks


def _glossy(rng: Rng, look: DieLook) -> DieLook:
    shine = replace(
        look.finish, gloss=float(rng.uniform(0.5, 1.6)), roughness=float(rng.uniform(0.08, 0.3))
    )
    return replace(look, finish=shine, dome=float(rng.uniform(0.03, 0.35)))


def die_values(rng: Rng, up_axis: int, value: int) -> tuple[int, int, int, int, int, int]:
    """Face values of a proper die (opposite faces sum to 7) with `value` on `up_axis`."""
    while True:
        faces = list(CHIRAL[int(rng.integers(2))])
        order = rng.permutation(3)
        swap = rng.random(3) < 0.5
        placed = [0] * 6
        for axis in range(3):
            pair = faces[2 * order[axis] : 2 * order[axis] + 2]
            placed[2 * axis : 2 * axis + 2] = pair[::-1] if swap[axis] else pair
        if placed[up_axis] == value:
            a, b, c, d, e, f = placed
            return a, b, c, d, e, f
