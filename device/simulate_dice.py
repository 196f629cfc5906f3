"""Makes of dice that lie on pubs' tables; colours are linear RGB."""

from __future__ import annotations

from models.lab import surfaces
from models.lab.things import DieLook, Finish, Rgb

BLACK: Rgb = (0.02, 0.02, 0.02)
WHITE: Rgb = (0.80, 0.79, 0.76)
SHEEN = 0.36
"""Roughness that spreads a mirrored lamp about as far as the lamp itself is wide: with the few rays
per pixel that a video has time for, a smoother die shows salt and pepper where it mirrors one."""


def _plain(rgb: Rgb, pips: Rgb) -> DieLook:
    return DieLook(
        finish=Finish(rgb=rgb, gloss=0.5, roughness=SHEEN),
        pip_rgb=pips,
        pip_inner_rgb=pips,
        ace_rgb=pips,
        corner=0.14,
        pip_radius=0.095,
        pip_spacing=0.25,
    )


def _two_tone(rgb: Rgb, other: Rgb, pips: Rgb) -> DieLook:
    """Two colours poured into one mould."""
    return DieLook(
        finish=Finish(
            rgb=rgb,
            rgb2=other,
            pattern=surfaces.TWO_TONE,
            pattern_scale=0.25,
            pattern_amount=1.0,
            gloss=0.6,
            roughness=SHEEN,
        ),
        pip_rgb=pips,
        pip_inner_rgb=pips,
        ace_rgb=pips,
        corner=0.12,
        pip_radius=0.095,
        pip_spacing=0.25,
    )


IVORY = _plain((0.78, 0.75, 0.66), BLACK)
PLAIN: tuple[DieLook, ...] = (
    IVORY,
    _plain((0.42, 0.012, 0.018), WHITE),
    _plain((0.014, 0.014, 0.016), WHITE),
    _plain((0.012, 0.035, 0.24), WHITE),
    _plain((0.72, 0.44, 0.015), BLACK),
    _plain(WHITE, (0.40, 0.01, 0.02)),
)
"""What players bring along, each a set of his own."""
TWO_TONE: tuple[DieLook, ...] = (
    _two_tone((0.62, 0.16, 0.02), (0.70, 0.62, 0.42), BLACK),
    _two_tone((0.01, 0.06, 0.30), (0.01, 0.22, 0.24), WHITE),
    _two_tone((0.16, 0.01, 0.18), (0.02, 0.02, 0.03), (0.60, 0.42, 0.08)),
    _two_tone((0.45, 0.01, 0.02), (0.02, 0.02, 0.02), WHITE),
)
