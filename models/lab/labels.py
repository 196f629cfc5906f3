"""Boxes and classes from a scene's state (`vision.detections.CLASS_NAMES` order)."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from .scenes import Composed, Placed
from .things import Cup, Die
from .tracer import visible_share

TOWER, BURNING, CUP = 6, 7, 8
# A die whose top face is more hidden than this cannot be read and carries no label.
MIN_TOP_VISIBLE = 0.62
MIN_INSIDE = 0.72


@dataclass(frozen=True)
class Label:
    """One box of a training picture."""

    class_id: int
    box: tuple[float, float, float, float]
    """x1, y1, x2, y2 in pixels of the picture, clipped to it."""
    row: int = -1
    """The die's row in the scene; -1 for a tower or a cup."""


def _directions() -> NDArray[np.float64]:
    n = 160
    i = np.arange(n) + 0.5
    polar, turn = np.arccos(1 - 2 * i / n), np.pi * (1 + 5**0.5) * i
    return np.stack(
        [np.cos(turn) * np.sin(polar), np.sin(turn) * np.sin(polar), np.cos(polar)], axis=1
    )


DIRECTIONS = _directions()


def outline(die: Die) -> NDArray[np.float64]:
    """Points on the surface of a die, dense at its corners; (N, 3) mm."""
    radius = die.look.corner * die.size_mm
    points = np.sign(DIRECTIONS) * (die.size_mm / 2 - radius) + DIRECTIONS * radius
    far = np.linalg.norm(points, axis=1, keepdims=True)
    points = points * np.minimum(1.0, die.look.ball * die.size_mm / far)
    return np.asarray(points @ die.rotation.T + np.asarray(die.position_mm))


def _cup_outline(cup: Cup) -> NDArray[np.float64]:
    turn = np.linspace(0, 2 * np.pi, 48)
    ring = np.stack([np.cos(turn), np.sin(turn), np.zeros_like(turn)], axis=1)
    base = ring * cup.radius_base_mm + [0, 0, cup.height_mm]
    points = np.concatenate([ring * cup.radius_rim_mm, base])
    return np.asarray(points @ cup.rotation.T + np.asarray(cup.position_mm))


def top_grid(die: Die) -> NDArray[np.float64]:
    """A 5 x 5 grid on the face that points up, just above the surface."""
    up = die.rotation.T @ np.array([0, 0, 1.0])
    axis = int(np.argmax(np.abs(up)))
    normal = np.zeros(3)
    normal[axis] = np.sign(up[axis])
    u, v = np.roll(normal, 1), np.roll(normal, 2)
    grid = np.linspace(-0.36, 0.36, 5)
    points = [(normal * 0.5 + a * u + b * v) * die.size_mm for a in grid for b in grid]
    return np.asarray(np.array(points) @ die.rotation.T + np.asarray(die.position_mm))


def _box(
    pixels: NDArray[np.float64], size_px: tuple[int, int], min_inside: float
) -> tuple[float, float, float, float] | None:
    (x1, y1), (x2, y2) = pixels.min(axis=0), pixels.max(axis=0)
    cx1, cy1 = max(0.0, x1), max(0.0, y1)
    cx2, cy2 = min(float(size_px[0]), x2), min(float(size_px[1]), y2)
    if cx2 - cx1 < 4 or cy2 - cy1 < 4:
        return None
    if (cx2 - cx1) * (cy2 - cy1) < min_inside * (x2 - x1) * (y2 - y1):
        return None
    return float(cx1), float(cy1), float(cx2), float(cy2)


def label(composed: Composed, size_px: tuple[int, int]) -> list[Label]:
    """All labels of a composed scene; a tower is one box around its dice."""
    scene, camera = composed.scene, composed.camera
    out: list[Label] = []
    towers: dict[int, list[NDArray[np.float64]]] = {}
    for thing in composed.placed:
        if thing.state == "cup":
            pixels = camera.project(_cup_outline(scene.cups[thing.row - len(scene.dice)]), size_px)
            box = _box(pixels, size_px, 0.35)
            if box:
                out.append(Label(CUP, box))
            continue
        if thing.state == "blank":
            continue
        die = scene.dice[thing.row]
        pixels = camera.project(outline(die), size_px)
        if thing.state == "tower":
            towers.setdefault(thing.cluster, []).append(pixels)
        elif box := _box(pixels, size_px, MIN_INSIDE):
            out += _die_label(composed, thing, die, box)
    for parts in towers.values():
        box = _box(np.concatenate(parts), size_px, MIN_INSIDE)
        if box:
            out.append(Label(TOWER, box))
    return out


def _die_label(
    composed: Composed, thing: Placed, die: Die, box: tuple[float, float, float, float]
) -> list[Label]:
    need = MIN_TOP_VISIBLE if thing.state == "flat" else 0.5
    if visible_share(composed.scene, composed.camera, top_grid(die), thing.row) < need:
        return []
    return [Label(thing.value - 1 if thing.state == "flat" else BURNING, box, thing.row)]
