r"""Dice with where their top faces lie, for the network that judges outlines.

    python -m models.lab.outline_set out1 --count 2500 --seed 61 --bank bank.npz
    python -m models.lab.outline_set out2 --count 2500 --seed 62 --bank slight.npz --heaps cocked
    python -m models.lab.outline_set out3 --count 5000 --seed 63 --bank slight.npz --heaps cocked \
        --only burning

Throws are composed as `models.lab.stance_set` has them, and only the places of dice whose top is to
be seen are rendered, each with its dice and without, as one camera takes them. OUT/rows.jsonl holds
a line a throw: what is known of each of its dice. Bank and seed must be others than those of
`models.lab.bench_throws`. The same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import os
from collections.abc import Collection, Iterator, Sequence
from dataclasses import replace
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from .bank import Bank, load_bank
from .camera_faults import Film, light_level, random_character
from .labels import MIN_TOP_VISIBLE, top_grid
from .pips import FACE_AXES, pips_of, top_face
from .scenes import Placed
from .stance_crops import KINDS
from .stance_set import LEVEL_SPREAD, choose_heaps, numbers, traced
from .things import Die
from .throw_scenes import PX_PER_MM, Throw, compose_throw
from .tracer import visible_share
from .workers import finished

KEPT_DICE = 3.375
"""Side of what is rendered, in edges: a turned cut-out and its place's error fit in."""
ROWS = "rows.jsonl"
QUALITY = (70, 99)
"""Of the pictures, WebP: a camera's own compression varies, too."""

_banks: list[Bank] = []


def tops(throw: Throw) -> Iterator[tuple[Placed, Die]]:
    """The dice outside towers and the highest one of each, if their tops are to be seen."""
    scene, camera = throw.composed.scene, throw.composed.camera
    stacked = [item.row for item in throw.composed.placed if item.state == "tower"]
    highest = max(stacked, key=lambda row: scene.dice[row].position_mm[2], default=-1)
    for item in throw.composed.placed:
        die = scene.dice[item.row]
        known = item.state in ("flat", "burning") or item.row == highest
        if known and visible_share(scene, camera, top_grid(die), item.row) >= MIN_TOP_VISIBLE:
            yield item, die


def known_of(throw: Throw, item: Placed, die: Die) -> tuple[dict[str, Any], NDArray[np.float64]]:
    """What is known of a die, and where its pips lie in the throw's full picture, pixels.

    Returns:
        `kind` (flat, burning, tower), `tilt_deg`, `value`, `up`: (3,) where its top looks to in
        the table's axes, `lean`: (2,) as `models.lab.standing` has it, `edge`: pixels; and (K, 2).
    """
    camera = throw.composed.camera
    face, tilt_deg = top_face(die)
    up = die.rotation[:, FACE_AXES[face // 2][0]] * (-1 if face % 2 else 1)
    sight = np.asarray(camera.position_mm, float) - np.asarray(die.position_mm, float)
    row = {
        "kind": item.state,
        "tilt_deg": round(tilt_deg, 2),
        "value": item.value,
        "up": [round(float(share), 4) for share in up],
        "lean": [round(float(share), 4) for share in sight[:2] / sight[2]],
        "edge": throw.die_mm * PX_PER_MM,
    }
    return row, camera.project(pips_of(die, face), throw.full_px)


def _start(bank: str) -> None:
    cv2.setNumThreads(1)
    _banks[:] = [load_bank(Path(bank))]


def _rendered(index: int, *, out: str, seed: int, only: Collection[str]) -> str:
    """The line of one throw; pictures of its dice that stand so are written."""
    throw, rows = compose_throw(_banks[0], seed, index), []
    scene = replace(throw.composed.scene, dice=())
    bare = replace(throw, composed=replace(throw.composed, scene=scene))
    rng, size = np.random.default_rng([seed, index, 5]), np.array(throw.full_px)
    half = KEPT_DICE / 2 * throw.die_mm * PX_PER_MM
    character = throw.lighting.seen_by(rng, random_character(rng))
    shift, level = float(np.exp(rng.normal(0, LEVEL_SPREAD))), None
    for item, die in (one for one in tops(throw) if one[0].state in only):
        row, pips = known_of(throw, item, die)
        middle = pips.mean(axis=0)
        low = np.clip(middle - half, 0, size - 1).astype(int)
        high = np.clip(middle + half, low + 1, size).astype(int)
        stem = f"{seed}_{index}_{item.row}"
        row |= {"name": f"{stem}.webp", "bare": f"{stem}_bare.webp"}
        row["pips"] = (pips - low).round(2).tolist()
        lying, empty = (traced(one, np.array([*low, *high]), rng) for one in (throw, bare))
        level = light_level(lying) * shift if level is None else level
        for name, linear in ((row["name"], lying), (row["bare"], empty)):
            ways = [cv2.IMWRITE_WEBP_QUALITY, int(rng.integers(*QUALITY))]
            film = Film(character, linear, linear.shape[1::-1], level=level)
            cv2.imwrite(str(Path(out, name)), film.frame(rng), ways)
        rows.append(row)
    return json.dumps({"throw": index, "dice": rows})


def read_rows(folder: Path) -> list[dict[str, Any]]:
    """The throws of a set, one a line; a last line that was cut off is left aside."""
    file = folder / ROWS
    lines = file.read_text(encoding="utf-8").splitlines(keepends=True) if file.exists() else []
    return [json.loads(line) for line in lines if line.endswith("\n")]


def main(words: Sequence[str] | None = None) -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("out", type=Path, help="folder to write pictures and rows.jsonl into")
    parser.add_argument("--count", type=int, default=2500, help="throws (2500)")
    parser.add_argument("--seed", type=int, default=61)
    parser.add_argument("--bank", default="bank.npz", help="bank of models.lab.physics")
    choose_heaps(parser)
    parser.add_argument(
        "--only", nargs="+", choices=KINDS, default=list(KINDS), metavar="STANCE",
        help=f"only dice that stand so: {', '.join(KINDS)} (all); flat ones are soon enough",
    )  # fmt: skip
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args(words)
    args.out.mkdir(parents=True, exist_ok=True)
    done = read_rows(args.out)
    kept = "".join(json.dumps(row) + "\n" for row in done)
    (args.out / ROWS).write_text(kept, encoding="utf-8")
    known = {row["throw"] for row in done}
    wanted = [n for n in islice(numbers(args.heaps), args.count) if n not in known]
    lines = finished(
        partial(_rendered, out=str(args.out), seed=args.seed, only=args.only),
        wanted,
        processes=args.processes,
        start=_start,
        start_with=(args.bank,),
    )
    with (args.out / ROWS).open("a", encoding="utf-8") as file:
        for line in tqdm(lines, total=args.count, initial=len(known), unit="throw"):
            file.write(line + "\n")
            file.flush()


if __name__ == "__main__":
    main()
