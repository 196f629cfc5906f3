"""A bank of dice at rest: settled heaps as arrays, made once and drawn from by the renderer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray

from .physics_starts import KINDS, Kind
from .physics_world import Obstacle, Pose, RestingDie, Settled, State

BANK_SIZE_MM = 16.0
MOST_DICE = 3
MOST_OBSTACLES = 2
MADE_WITH = {"seed": -1, "fewest": 1, "lean_deg": 0}
"""What a bank tells of how it was made, and what one means that does not tell."""
STATES: tuple[State, ...] = get_args(State)
OBSTACLE_KINDS = ("box", "disc")


@dataclass(frozen=True)
class Bank:
    """Settled heaps as arrays, one row a heap; see `load_bank`.

    Attributes:
        columns: kind, dice and obstacles as arrays named in `row_of`.
    """

    columns: dict[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns["kind"])

    @classmethod
    def together(cls, banks: Sequence[Bank]) -> Bank:
        """Several as one."""
        names = banks[0].columns
        return cls({name: np.concatenate([bank.columns[name] for bank in banks]) for name in names})

    def indices(self, kind: Kind) -> NDArray[np.intp]:
        """Rows of one kind."""
        return np.flatnonzero(self.columns["kind"] == KINDS.index(kind))

    def settled(self, index: int, *, size_mm: float = BANK_SIZE_MM) -> Settled:
        """The heap in row `index`, scaled to dice of `size_mm`."""
        row = {name: column[index] for name, column in self.columns.items()}
        scale = size_mm / BANK_SIZE_MM
        dice = tuple(
            RestingDie(
                _pose(row["die_position"][i], row["die_rotation"][i], scale),
                size_mm,
                STATES[row["state"][i]],
                int(row["up_axis"][i]),
            )
            for i in np.flatnonzero(row["state"] >= 0)
        )
        obstacles = tuple(
            Obstacle(
                "box" if row["obstacle"][i] == 0 else "disc",
                _pose(row["obstacle_position"][i], row["obstacle_rotation"][i], scale),
                row["obstacle_size"][i].astype(np.float64) * scale,
            )
            for i in np.flatnonzero(row["obstacle"] >= 0)
        )
        return Settled(dice, obstacles)


def _pose(position: NDArray[Any], rotation: NDArray[Any], scale: float) -> Pose:
    return Pose(position.astype(np.float64) * scale, rotation.astype(np.float64))


def row_of(kind: Kind, settled: Settled) -> dict[str, NDArray[Any]]:
    """A heap as fixed-size arrays; -1 marks an empty place."""
    row = {
        "kind": np.int8(KINDS.index(kind)) * np.ones((), np.int8),
        "state": np.full(MOST_DICE, -1, np.int8),
        "up_axis": np.zeros(MOST_DICE, np.int8),
        "die_position": np.zeros((MOST_DICE, 3), np.float32),
        "die_rotation": np.zeros((MOST_DICE, 3, 3), np.float32),
        "obstacle": np.full(MOST_OBSTACLES, -1, np.int8),
        "obstacle_position": np.zeros((MOST_OBSTACLES, 3), np.float32),
        "obstacle_rotation": np.zeros((MOST_OBSTACLES, 3, 3), np.float32),
        "obstacle_size": np.zeros((MOST_OBSTACLES, 3), np.float32),
    }
    for i, die in enumerate(settled.dice):
        row["state"][i], row["up_axis"][i] = STATES.index(die.state), die.up_axis
        row["die_position"][i], row["die_rotation"][i] = die.pose.position_mm, die.pose.rotation
    for i, thing in enumerate(settled.obstacles):
        row["obstacle"][i], row["obstacle_size"][i] = (
            OBSTACLE_KINDS.index(thing.kind),
            thing.size_mm,
        )
        row["obstacle_position"][i] = thing.pose.position_mm
        row["obstacle_rotation"][i] = thing.pose.rotation
    return row


def load_bank(path: Path) -> Bank:
    """Read a bank written by `make_bank`.

    Raises:
        FileNotFoundError: there is none; the message says how to make one.
    """
    if not path.exists():
        raise FileNotFoundError(
            f"no bank of dice at {path}; make one with: "
            f"python -m models.lab.physics --bank {path} --count 4000"
        )
    with np.load(path) as stored:
        return Bank({name: stored[name] for name in stored.files if name not in MADE_WITH})
