"""Render a labelled training set: `python -m models.lab.dataset OUT --count 12000 --seed 1`.

Picture i of a seed is always the same picture, whatever the number of processes, so a
stopped run goes on where it stopped and a published set can be rebuilt by its command.
"""

from __future__ import annotations

import argparse
import json
import os
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from tqdm import tqdm

from .bank import Bank, load_bank
from .camera_faults import develop, flickering
from .labels import Label, label
from .light_kinds import LIGHT_KINDS, LIT_BY
from .path_tracer import path_traced, quieted
from .pips import faces
from .scenes import Composed, compose
from .standing import standing
from .tracer import trace
from .workers import finished

VAL_EVERY = 60
FLICKER = 0.15
"""Share of the pictures under a lamp that flickers, in sets with strange tables."""
DICE = ("flat", "tower", "burning")
"""States of things that are dice; one without pips is none."""
PATHS = 16
"""Paths per pixel of pictures by the path tracer, which lose their grain afterwards."""
_banks: list[Bank] = []


def scene_of(
    bank: Bank,
    seed: int,
    index: int,
    size: int,
    *,
    lit: float = 0.0,
    physical: bool = False,
    **table: Any,
) -> tuple[np.random.Generator, Composed, tuple[int, int]]:
    """The scene of picture `index`, the size it is traced at, and the chance that goes on.

    `lit`: share of tables in one of the named lights. `physical`: for the path tracer, whose lens
    does not bend. `table`: what `scenes.compose` is told beside the size.
    """
    rng = np.random.default_rng([seed, index])
    stretch = float(np.exp(rng.normal(0, 0.16))) if rng.random() < 0.3 else 1.0
    traced = (max(64, round(size * stretch)), size)
    composed = compose(rng, bank, size_px=traced, **table)
    if lit and rng.random() < lit:
        light = LIGHT_KINDS[str(rng.choice(LIT_BY))](rng)
        composed = replace(composed, scene=light.on(composed.scene))
    if physical:
        composed = replace(composed, camera=replace(composed.camera, lens=0.0))
    return rng, composed, traced


def picture(
    bank: Bank, seed: int, index: int, size: int, **table: Any
) -> tuple[np.ndarray, list[Label], dict[str, list[dict[str, Any]]], np.ndarray]:
    """Picture `index` of set `seed`: (size, size, 3) uint8 BGR, its labels, what is known of it.

    Last, (size, size) uint8, where it shows a die, however little of it: 255.
    """
    rng, composed, traced = scene_of(bank, seed, index, size, **table)
    samples, rays = int(rng.choice([3, 4, 5])), int(rng.integers(1 << 30))
    scene, camera = composed.scene, composed.camera
    image, ids = trace(scene, camera, size_px=traced, samples=samples, seed=rays)
    if table.get("physical"):
        image = quieted(path_traced(scene, camera, size_px=traced, samples=PATHS, seed=rays))
    k = size / traced[0]
    labels = [
        replace(item, box=(item.box[0] * k, item.box[1], item.box[2] * k, item.box[3]))
        for item in label(composed, traced)
    ]
    truth = {
        "faces": faces(composed, traced, (size, size), labels),
        "standing": standing(composed, traced, (size, size)),
    }
    if table.get("strange") and rng.random() < FLICKER:
        image = flickering(rng, image)
    dice = [thing.row for thing in composed.placed if thing.state in DICE]
    shown = cv2.resize(np.isin(ids, dice).astype(np.uint8) * 255, (size, size))
    return develop(rng, image, (size, size)), labels, truth, shown


def _start(bank_path: str) -> None:
    cv2.setNumThreads(1)
    _banks[:] = [load_bank(Path(bank_path))]


def _write(index: int, *, out: str, seed: int, size: int, **table: Any) -> int:
    split = "val" if index % VAL_EVERY == 0 else "train"
    stem = f"{seed:03d}_{index:06d}"
    path = Path(out, "images", split, f"{stem}.jpg")
    if path.exists():
        _add_standing(Path(out, "standing", split, f"{stem}.json"), seed, index, size, table)
        return 0
    image, labels, truth, shown = picture(_banks[0], seed, index, size, **table)
    lines = []
    for item in labels:
        x1, y1, x2, y2 = (v / size for v in item.box)
        lines.append(
            f"{item.class_id} {(x1 + x2) / 2:.5f} {(y1 + y2) / 2:.5f} {x2 - x1:.5f} {y2 - y1:.5f}"
        )
    Path(out, "labels", split, f"{stem}.txt").write_text("\n".join(lines))
    for kind, rows in truth.items():
        Path(out, kind, split, f"{stem}.json").write_text(json.dumps(rows))
    cv2.imwrite(str(Path(out, "shown", split, f"{stem}.png")), shown)
    quality = int(np.random.default_rng([seed, index, 1]).integers(40, 97))
    temporary = path.with_suffix(".part.jpg")
    cv2.imwrite(str(temporary), image, [cv2.IMWRITE_JPEG_QUALITY, quality])
    temporary.replace(path)
    return len(labels)


def _add_standing(file: Path, seed: int, index: int, size: int, table: dict[str, Any]) -> None:
    """Tell how the dice of an earlier picture stand: composing it again needs no tracing."""
    if not file.exists():
        _, composed, traced = scene_of(_banks[0], seed, index, size, **table)
        file.write_text(json.dumps(standing(composed, traced, (size, size))))


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("out", help="folder to write images/ and labels/ into")
    parser.add_argument("--count", type=int, default=12000)
    parser.add_argument("--first", type=int, default=0, help="index of the first picture")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--size", type=int, default=320, help="edge of the pictures in pixels")
    parser.add_argument(
        "--bank", default="bank.npz", help="physics bank (models.lab.physics --bank)"
    )
    parser.add_argument(
        "--crowded", type=float, default=0.0, help="share of tables strewn with dice, 0..1"
    )
    parser.add_argument(
        "--heaps", type=float, default=0.2, help="share of whole heaps on such tables, 0..1"
    )
    parser.add_argument(
        "--overhead", action="store_true", help="cameras above the table only, none from the side"
    )
    parser.add_argument(
        "--strange",
        type=float,
        default=0.0,
        help="share of tables with dominoes, keys, bricks, screens, 0..1; lamps flicker then, too",
    )
    parser.add_argument(
        "--lit", type=float, default=0.0, help="share of tables in one of the named lights, 0..1"
    )
    parser.add_argument(
        "--ringed",
        type=float,
        default=0.0,
        help="share of tables under a ring lamp mirrored in dice with coloured pips, 0..1",
    )
    parser.add_argument(
        "--hidden",
        type=float,
        default=0.0,
        help="share of tables whose dice have the table's own colour, 0..1",
    )
    parser.add_argument(
        "--swirls",
        type=float,
        default=0.0,
        help="share of tables whose dice have two colours swirling through them, 0..1",
    )
    parser.add_argument(
        "--uneven",
        type=float,
        default=0.0,
        help="share of tables with dice whose faces space their pips each in its own way, 0..1",
    )
    parser.add_argument(
        "--games",
        type=float,
        default=0.0,
        help="share of tables with tokens of board games and leads lying about, 0..1",
    )
    parser.add_argument(
        "--physical",
        action="store_true",
        help="by Mitsuba's path tracer, light going through clear dice; 8 to 16 times slower",
    )
    parser.add_argument(
        "--die-px", type=float, nargs=2, default=(14, 84), help="edge of a die in pixels, from to"
    )
    parser.add_argument("--processes", type=int, default=os.cpu_count() or 1)
    args = parser.parse_args()
    for kind in ("images", "labels", "faces", "standing", "shown"):
        for split in ("train", "val"):
            Path(args.out, kind, split).mkdir(parents=True, exist_ok=True)
    work = partial(
        _write,
        out=args.out,
        seed=args.seed,
        size=args.size,
        crowded=args.crowded,
        heaps=args.heaps,
        overhead=args.overhead,
        strange=args.strange,
        lit=args.lit,
        ringed=args.ringed,
        hidden=args.hidden,
        swirls=args.swirls,
        uneven=args.uneven,
        games=args.games,
        physical=args.physical,
        die_px=tuple(args.die_px),
    )
    indices = range(args.first, args.first + args.count)
    written = finished(
        work, indices, processes=args.processes, start=_start, start_with=(args.bank,)
    )
    for _ in tqdm(written, total=args.count, unit="picture"):
        pass


if __name__ == "__main__":
    main()
