"""Heaps of dice as they come to rest on a table: thrown, in towers, cocked, close together.

Every kind is a way to let dice fall (`models.lab.physics_starts`) and a test of the outcome; what
does not pass is thrown again.

A bank of such heaps is made once and drawn from by the renderer:

    python -m models.lab.physics --bank bank.npz --count 4000 --seed 1

A die that leans by little is the hardest one to tell from a flat one, and rare: 70 in a bank of
3,000 lean by less than 20 degrees. A bank of them alone, three heaps in two seconds and core:

    python -m models.lab.physics --bank slight.npz --count 3000 --seed 51 --lean 20 --fewest 3

The command goes on where it stopped; the same seed gives the same heaps.
"""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from .bank import BANK_SIZE_MM, MADE_WITH, MOST_DICE, Bank, row_of
from .physics_starts import KINDS, Kind, Stage, new_stage, yaw
from .physics_world import Obstacle, Pose, RestingDie, Settled, tilt_and_up_axis

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
BANK_SHARES: dict[Kind, float] = {"thrown": 0.35, "near": 0.2, "tower": 0.2, "cocked": 0.25}


def _leans_less(settled: Settled, lean_deg: int) -> bool:
    """Whether a burning die of a heap leans by less than that."""
    leans = [
        tilt_and_up_axis(die.pose.rotation)[0] for die in settled.dice if die.state == "burning"
    ]
    return bool(leans) and min(leans) < lean_deg


def _block(seed: int, number: int, fewest: int, lean_deg: int) -> Iterator[dict[str, NDArray[Any]]]:
    rng = np.random.default_rng([seed, number])
    thrower, made = Thrower(), 0
    while made < BLOCK:
        kind: Kind = "cocked"
        if not lean_deg:
            kind = KINDS[rng.choice(len(KINDS), p=[BANK_SHARES[kind] for kind in KINDS])]
        least = max(fewest, 2 if kind in ("tower", "near") else 1)
        count = int(rng.integers(least, MOST_DICE + 1))
        settled = thrower.settle(rng, kind=kind, count=count, size_mm=BANK_SIZE_MM)
        if not lean_deg or _leans_less(settled, lean_deg):
            made += 1
            yield row_of(kind, settled)


def make_bank(path: Path, *, count: int, seed: int, fewest: int = 1, lean_deg: int = 0) -> Bank:
    """Settle heaps until the bank at `path` holds at least `count`; go on with what is there.

    Args:
        path: where the bank is kept.
        count: heaps.
        seed: of all chance.
        fewest: dice in a heap, 1 to `MOST_DICE`.
        lean_deg: only heaps of which a burning die leans by less, 13 degrees or more; 0: of every
            kind.

    Raises:
        ValueError: the file at `path` was made with another seed, or of other heaps.
    """
    made_with = dict(zip(MADE_WITH, (seed, fewest, lean_deg), strict=True))
    columns: dict[str, NDArray[Any]] = {}
    if path.exists():
        with np.load(path) as stored:
            columns = {name: stored[name] for name in stored.files}
        for name, wanted in made_with.items():
            if int(columns.pop(name, np.int64(MADE_WITH[name]))) != wanted:
                raise ValueError(f"{path} was made with another {name}; name another file or that")
    done = len(columns["kind"]) if columns else 0
    with tqdm(total=max(count, done), initial=done, desc="heaps", disable=None) as bar:
        for number in range(done // BLOCK, -(-count // BLOCK)):
            rows = []
            for row in _block(seed, number, fewest, lean_deg):
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
    parser.add_argument(
        "--lean",
        type=int,
        default=0,
        choices=range(13, 46),
        metavar="DEG",
        help="only heaps with a die that leans by less than so many degrees, 13 to 45",
    )
    wanted = parser.parse_args(arguments)
    try:
        bank = make_bank(
            wanted.bank,
            count=wanted.count,
            seed=wanted.seed,
            fewest=wanted.fewest,
            lean_deg=wanted.lean,
        )
    except (OSError, ValueError) as error:
        print(f"physics: error: {error}", file=sys.stderr)
        return 1
    print(f"{wanted.bank}: {len(bank)} heaps")
    return 0


if __name__ == "__main__":
    sys.exit(main())
