"""Single dice of simulated throws, rendered alone, for the networks that read at the table.

    python -m models.lab.stance_set set10 --count 6000 --seed 10 --bank bank.npz
    python -m models.lab.stance_set set80 --count 4000 --seed 80 --bank slight.npz --heaps cocked

A whole table costs five times the pixels of the dice on it, and seven throws of ten lie flat and
clear. Here only throws with a tower, a cocked die or a die near another thing are composed (as
`models.lab.throw_scenes` has them: a camera above a table, every surface, every light), or only
such as --heaps names, and of each only the places of its dice are traced. The set holds images/,
labels/, faces/ and standing/ as those of `models.lab.dataset` do, for `models.lab.train_stance` and
`models.lab.train_readers`. Neither bank nor seed may be those of `models.lab.bench_throws`. The
same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import os
from collections.abc import Collection, Iterator, Sequence
from functools import partial
from itertools import count, islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from .bank import Bank, load_bank
from .camera_faults import Film, light_level, random_character
from .spot_truth import Part, Truth
from .stance_crops import KEPT_DICE
from .throw_scenes import HEAPS, PX_PER_MM, Throw, compose_throw, dealt
from .throw_watch import SAMPLES
from .tracer import trace
from .workers import finished

ROOM = 1.35
"""Side of what is rendered / what a kept cut-out shows: a camera aside stretches the ground."""
LEVEL_SPREAD = 0.3
"""How far, as a logarithm, the light of the dice's places is off that of their table."""
VAL_EVERY = 60
NOT_CLEAR = sorted({*HEAPS} - {"plain"})

_banks: list[Bank] = []


def numbers(heaps: Collection[str]) -> Iterator[int]:
    """Numbers of the throws that lie in some of these ways."""
    return (index for index in count() if dealt(index)[2] in heaps)


def choose_heaps(parser: argparse.ArgumentParser, default: Collection[str] = HEAPS) -> None:
    """Let a command line choose how the dice of its throws lie."""
    parser.add_argument(
        "--heaps",
        nargs="+",
        choices=sorted(set(HEAPS)),
        default=sorted(set(default)),
        metavar="KIND",
        help=f"how they lie: {', '.join(sorted(set(HEAPS)))} ({', '.join(sorted(set(default)))})",
    )


def spots(throw: Throw, truth: Truth) -> Iterator[tuple[dict[str, Any], Part]]:
    """Every die whose top is to be seen, and what is rendered of it.

    Args:
        throw: the throw.
        truth: what is known of it.

    Yields:
        The die's entry in `Truth.standing`, and the part.
    """
    size = np.array(throw.full_px)
    half = ROOM * KEPT_DICE * throw.die_mm * PX_PER_MM / 2
    for row in truth.standing:
        box = np.array(row["box"])
        middle = (box[:2] + box[2:]) / 2
        low = np.clip(middle - half, 0, size - 1).astype(int)
        high = np.clip(middle + half, low + 1, size).astype(int)
        if row["shown"]:
            yield row, np.array([*low, *high])


def tiles(throw: Throw, parts: Sequence[Part], rng: np.random.Generator) -> list[NDArray[np.uint8]]:
    """Parts of a throw's full picture, as one camera takes them.

    What is alike in them is so at a table, too: a face that is lighter than those of the other
    dice looks elsewhere.
    """
    every = [traced(throw, part, rng) for part in parts]
    character = throw.lighting.seen_by(rng, random_character(rng))
    usual = float(np.median([light_level(linear) for linear in every] or [1.0]))
    level = usual * float(np.exp(rng.normal(0, LEVEL_SPREAD)))
    return [
        Film(character, linear, linear.shape[1::-1], level=level).frame(rng) for linear in every
    ]


def traced(throw: Throw, part: Part, rng: np.random.Generator) -> NDArray[np.float32]:
    """A part of a throw's full picture, (h, w, 3) linear RGB."""
    left, top, right, bottom = (int(v) for v in part)
    return trace(
        throw.composed.scene,
        throw.composed.camera,
        size_px=throw.full_px,
        samples=SAMPLES,
        seed=int(rng.integers(1 << 30)),
        region=(left, top, right, bottom),
    )[0]


def _start(banks: Sequence[str]) -> None:
    cv2.setNumThreads(1)
    _banks[:] = [Bank.together([load_bank(Path(bank)) for bank in banks])]


def _write(index: int, *, out: str, seed: int) -> int:
    """Write the dice of one throw; how many. Of a throw that is rendered, only what lacks."""
    split = "val" if index % VAL_EVERY == 0 else "train"
    done = Path(out, "standing", split, f"{seed:03d}_{index:06d}.done")
    rendered = done.exists()
    if rendered and Path(out, "labels", split, done.name).exists():
        return 0
    throw = compose_throw(_banks[0], seed, index)
    truth, rng = Truth.of(throw), np.random.default_rng([seed, throw.index, 5])
    seen = list(spots(throw, truth))
    stems = [f"{seed:03d}_{index:06d}_{number}" for number in range(1, len(seen) + 1)]
    if not rendered:
        quality = int(np.random.default_rng([seed, index, 6]).integers(60, 97))
        for stem, image in zip(stems, tiles(throw, [part for _, part in seen], rng), strict=True):
            picture = Path(out, "images", split, f"{stem}.jpg")
            cv2.imwrite(str(picture), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    for stem, (own, part) in zip(stems, seen, strict=True):
        truth.write(own, part, Path(out), f"{split}/{stem}")
    done.touch()
    Path(out, "labels", split, done.name).touch()
    return 0 if rendered else len(seen)


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", help="folder to write images/ and their truth into")
    parser.add_argument("--count", type=int, default=6000, help="throws (6000)")
    parser.add_argument("--seed", type=int, default=10)
    parser.add_argument(
        "--bank", nargs="+", default=["bank.npz"], help="banks of models.lab.physics"
    )
    choose_heaps(parser, NOT_CLEAR)
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    for kind in ("images", "labels", "faces", "standing"):
        for split in ("train", "val"):
            Path(args.out, kind, split).mkdir(parents=True, exist_ok=True)
    written = finished(
        partial(_write, out=args.out, seed=args.seed),
        list(islice(numbers(args.heaps), args.count)),
        processes=args.processes,
        start=_start,
        start_with=(args.bank,),
    )
    for _ in tqdm(written, total=args.count, unit="throw"):
        pass


if __name__ == "__main__":
    main()
