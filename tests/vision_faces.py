"""Faces of dice as geometry: where their pips lie, and how they are turned."""

import numpy as np

CORNERS = np.array([[-1, -1], [1, 1], [-1, 1], [1, -1], [-1, 0], [1, 0]]) * 0.25
PIPS = {
    1: np.zeros((1, 2)),
    2: CORNERS[:2],
    3: np.concatenate([CORNERS[:2], np.zeros((1, 2))]),
    4: CORNERS[:4],
    5: np.concatenate([CORNERS[:4], np.zeros((1, 2))]),
    6: CORNERS,
}
"""Where pips lie, in edges from the middle of an upright face, x right and y down."""


def turned(points: np.ndarray, turn_rad: float) -> np.ndarray:
    """Points turned clockwise, as a picture shows them."""
    cos, sin = np.cos(turn_rad), np.sin(turn_rad)
    return points @ np.array([[cos, sin], [-sin, cos]])


def quarter(turn_rad: float) -> float:
    """A turn up to quarter turns, -45 to 45 degrees."""
    return float(np.angle(np.exp(4j * turn_rad)) / 4)
