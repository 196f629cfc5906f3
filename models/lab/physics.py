"""Heaps of dice as they come to rest on a table: thrown, in towers, cocked, close together.

Every kind is a way to let dice fall (`models.lab.physics_starts`) and a test of the outcome; what
does not pass is thrown again.

A bank of such heaps is made once and drawn from by the renderer:

    python -m models.lab.physics --bank bank.npz --count 4000 --seed 1

The command goes on where it stopped; the same seed gives the same heaps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, get_args

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from models.lab.physics_starts import KINDS, Kind, Stage, new_stage, yaw
from models.lab.physics_world import Obstacle, Pose, RestingDie, Settled, State

__all__ = [
    "Bank",
    "Kind",
    "Obstacle",
    "Pose",
    "RestingDie",
    "Settled",
    "Thrower",
    "load_bank",
    "make_bank",
    "settle",
]

MOST_TRIES = 4000
"""No kind needs more than a few dozen; this many means that the request cannot be met."""


def _passes(kind: Kind, settled: Settled) -> bool:
    states = {die.state for die in settled.dice}
    if kind == "tower":
        return "tower" in states
    if kind == "cocked":
        return "burning" in states
    return kind == "thrown" or states == {"flat"}


def _turned_and_centred(settled: Settled, angle_rad: float) -> Settled:
    """The heap with its middle at the origin, turned about the vertical."""
    middle = np.mean([die.pose.position_mm for die in settled.dice], axis=0) * (1, 1, 0)
    turn = yaw(angle_rad)

    def moved(pose: Pose) -> Pose:
        return Pose(turn @ (pose.position_mm - middle), turn @ pose.rotation)

    dice = [RestingDie(moved(d.pose), d.size_mm, d.state, d.up_axis) for d in settled.dice]
    things = [Obstacle(o.kind, moved(o.pose), o.size_mm) for o in settled.obstacles]
    return Settled(tuple(dice), tuple(things))


class Thrower:
    """Settles heaps one after the other and keeps the compiled worlds between them."""

    def __init__(self) -> None:
        self._stages: dict[tuple[Kind, int], Stage] = {}

    def settle(
        self, rng: np.random.Generator, *, kind: Kind, count: int, size_mm: float
    ) -> Settled:
        """See `settle`."""
        least = 2 if kind == "tower" else 1
        if kind not in KINDS or count < least:
            raise ValueError(
                f"cannot settle {count} dice as {kind!r}: expected one of {', '.join(KINDS)} and "
                f"at least {least} dice"
            )
        for _ in range(MOST_TRIES):
            stage = self._stages.get((kind, count))
            if stage is None or stage.drops_left == 0:
                stage = self._stages[kind, count] = new_stage(rng, kind, count)
            stage.drops_left -= 1
            friction = rng.uniform(*stage.friction)
            if stage.world.run(stage.start(rng, stage.world), friction=friction):
                settled = stage.world.settled(size_mm)
                if settled is not None and _passes(kind, settled):
                    return _turned_and_centred(settled, rng.uniform(0, 2 * np.pi))
        raise RuntimeError(
            f"{MOST_TRIES} drops gave no {kind!r} heap of {count} dice; please report the seed"
        )


_THROWER = Thrower()


def settle(rng: np.random.Generator, *, kind: Kind, count: int, size_mm: float) -> Settled:
    """Let dice come to rest.

    The compiled worlds live on between calls, so two calls with equally seeded generators give
    the same heap only from a fresh `Thrower`.

    Args:
        rng: where all chance comes from.
        kind: "thrown" out of a cup or over the table (now and then with a tower or a leaning die);
            "tower" has a die on another; "cocked" has a die that leans by more than 12 degrees on
            a die or an obstacle; "near" are flat dice that touch or nearly touch.
        count: number of dice, at least 1 (tower: 2).
        size_mm: edge of the dice; obstacles scale with it (16 mm: as they are in a pub).

    Returns:
        The heap around the origin of the table plane. No die is tilted by 3 to 12 degrees.

    Raises:
        ValueError: unknown kind or too few dice.
    """
    return _THROWER.settle(rng, kind=kind, count=count, size_mm=size_mm)


# --- the bank ------------------------------------------------------------------------------------

BLOCK = 50
"""Heaps per block; a block has its own random stream, which is what makes a bank resumable."""
BANK_SIZE_MM = 16.0
MOST_DICE = 3
MOST_OBSTACLES = 2
BANK_SHARES: dict[Kind, float] = {"thrown": 0.35, "near": 0.2, "tower": 0.2, "cocked": 0.25}
MADE_WITH = ("seed", "fewest")
STATES: tuple[State, ...] = get_args(State)
OBSTACLE_KINDS = ("box", "disc")


@dataclass(frozen=True)
class Bank:
    """Settled heaps as arrays, one row a heap; see `load_bank`.

    Attributes:
        columns: kind, dice and obstacles as arrays named in `_row`.
    """

    columns: dict[str, NDArray[Any]]

    def __len__(self) -> int:
        return len(self.columns["kind"])

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


def _row(kind: Kind, settled: Settled) -> dict[str, NDArray[Any]]:
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


def _block(seed: int, number: int, fewest: int) -> Iterator[dict[str, NDArray[Any]]]:
    rng = np.random.default_rng([seed, number])
    thrower = Thrower()
    for _ in range(BLOCK):
        kind: Kind = KINDS[rng.choice(len(KINDS), p=[BANK_SHARES[kind] for kind in KINDS])]
        least = max(fewest, 2 if kind in ("tower", "near") else 1)
        count = int(rng.integers(least, MOST_DICE + 1))
        yield _row(kind, thrower.settle(rng, kind=kind, count=count, size_mm=BANK_SIZE_MM))


def make_bank(path: Path, *, count: int, seed: int, fewest: int = 1) -> Bank:
    """Settle heaps until the bank at `path` holds at least `count`; go on with what is there.

    Args:
        path: where the bank is kept.
        count: heaps.
        seed: of all chance.
        fewest: dice in a heap, 1 to `MOST_DICE`.

    Raises:
        ValueError: the file at `path` was made with another seed, or of heaps of other sizes.
    """
    made_with = dict(zip(MADE_WITH, (seed, fewest), strict=True))
    columns: dict[str, NDArray[Any]] = {}
    if path.exists():
        with np.load(path) as stored:
            columns = {name: stored[name] for name in stored.files}
        for name, wanted in made_with.items():
            if int(columns.pop(name, np.int64(1))) != wanted:  # older ones tell no `fewest`: 1
                raise ValueError(f"{path} was made with another {name}; name another file or that")
    done = len(columns["kind"]) if columns else 0
    with tqdm(total=max(count, done), initial=done, desc="heaps", disable=None) as bar:
        for number in range(done // BLOCK, -(-count // BLOCK)):
            rows = []
            for row in _block(seed, number, fewest):
                rows.append(row)
                bar.update()
            fresh = {name: np.stack([row[name] for row in rows]) for name in rows[0]}
            columns = {
                n: np.concatenate([columns[n], fresh[n]]) if columns else fresh[n] for n in fresh
            }
            unfinished = path.with_suffix(".part.npz")
            np.savez_compressed(unfinished, **made_with, **columns)  # type: ignore[arg-type]
            unfinished.replace(path)
    return Bank(columns)


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


def main(arguments: Sequence[str] | None = None) -> int:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        prog="python -m models.lab.physics",
        description="Make a bank of dice at rest.",
        epilog="example: python -m models.lab.physics --bank bank.npz --count 4000 --seed 1",
    )
    parser.add_argument("--bank", type=Path, required=True, metavar="FILE", help="bank to extend")
    parser.add_argument("--count", type=int, default=4000, help="heaps in the bank (4000)")
    parser.add_argument("--seed", type=int, default=1, help="seed of all chance (1)")
    parser.add_argument(
        "--fewest",
        type=int,
        default=1,
        choices=range(1, MOST_DICE + 1),
        help="fewest dice in a heap (1); 3 for throws, which take no others",
    )
    wanted = parser.parse_args(arguments)
    try:
        bank = make_bank(wanted.bank, count=wanted.count, seed=wanted.seed, fewest=wanted.fewest)
    except (OSError, ValueError) as error:
        print(f"physics: error: {error}", file=sys.stderr)
        return 1
    print(f"{wanted.bank}: {len(bank)} heaps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
