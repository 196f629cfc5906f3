r"""Train the network that judges outlines: `python -m models.lab.train_outline SET --out runs/o`.

It sees a die cut out with its top face upright, and the outline that a flat die would have there,
and says whether the die lies flat, leans or stands on another, and how far its top leans to which
side (`vision.outline`). The sets are those of `models.lab.outline_set`; the same command goes on
where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from tqdm import tqdm

from vision.images import scaled
from vision.outline import (
    OUTLINE_DICE,
    OUTLINE_PX,
    QUARTERS,
    UNKNOWN_TURN,
    judged,
    turn_by_edges,
    turn_of,
)
from vision.stance import STANCES, TOLD_OF

from . import training
from .crop_play import as_tensor, lit, sampled
from .outline_net import LEANS_SCALE, Outline
from .outline_set import KEPT_DICE, read_rows
from .stance_crops import KINDS

KEPT_PX = round(OUTLINE_PX * KEPT_DICE / OUTLINE_DICE)
"""What is kept of each die, the middle of its top face in the middle."""
MIDDLE = slice((KEPT_PX - OUTLINE_PX) // 2, (KEPT_PX + OUTLINE_PX) // 2)
HELD_OUT = 12
"""Every twelfth throw measures."""
DEALT = (0.5, 0.15, 0.13, 0.22)
"""Shares of what is shown: flat dice, towers, burning dice, burning ones that lean by little. What
the network says is meant so; how common each is at a table the stance network's word holds."""
SLIGHT_DEG = 20.0
LITTLE, MUCH, OFTEN = 0.02, 0.05, 0.85
"""How far the top's middle is off, in edges: usually and else, standard deviations."""
TURN_SPREAD, SIZE_SPREAD, LEAN_FACTOR, LEAN_SPREAD = 0.03, 0.03, 0.08, 0.02
"""What a table does not know exactly: a face's turn, its dice's size, where its camera is."""
LEANS_BETA = 0.1
"""Up to so much, in the network's scale, an error of what it says of the lean counts squared."""
TOLD = 20


@dataclass(frozen=True, eq=False)
class Tops(training.Shown):
    """Dice, the middle of the top face in the middle of each picture.

    Attributes:
        pictures: (N, K, K, 3) uint8 BGR.
        leans: (N, 2) of `vision.stance.lean_of`.
        turns: (N,) radians; not a number for ones whose edges do not tell.
        up: (N, 2) where the top looks to, x right and y down, as long as the lean's sine.
        classes: (N,) in `STANCES`.
        tilts: (N,) degrees.
    """

    pictures: torch.Tensor
    leans: torch.Tensor
    turns: torch.Tensor
    up: torch.Tensor
    classes: torch.Tensor
    tilts: torch.Tensor


def kept(
    image: NDArray[np.uint8], middle: NDArray[np.float64], edge_px: float
) -> NDArray[np.uint8]:
    """A die's picture at the scale of the cut-outs; beyond its border that is repeated."""
    factor = OUTLINE_PX / (OUTLINE_DICE * edge_px)
    scale = min(1.0, factor)
    image, middle, factor = scaled(image, scale, scale), middle * scale, factor / scale
    shift = KEPT_PX / 2 - 0.5 - factor * (middle - 0.5)
    matrix = np.array([[factor, 0, shift[0]], [0, factor, shift[1]]])
    warped = cv2.warpAffine(image, matrix, (KEPT_PX, KEPT_PX), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(warped, np.uint8)


def tops_of(folders: Sequence[Path], *, held_out: bool) -> Tops:
    """The dice of sets that are learned from, or those that measure."""
    rows: list[tuple[Any, ...]] = []
    for folder in folders:
        throws = [r for r in read_rows(folder) if (r["throw"] % HELD_OUT == 0) is held_out]
        for row in (row for throw in tqdm(throws, leave=False) for row in throw["dice"]):
            image, pips = cv2.imread(str(folder / row["name"])), np.array(row["pips"])
            if image is None:
                continue
            picture = kept(np.asarray(image, np.uint8), pips.mean(axis=0), row["edge"])
            turn = turn_by_edges(picture[MIDDLE, MIDDLE]) if len(pips) == 1 else turn_of(pips)
            rows.append(
                (
                    picture,
                    np.array(row["lean"]) * [1, -1],
                    np.nan if turn is None else turn,
                    np.array(row["up"][:2]) * [1, -1],
                    KINDS[row["kind"]],
                    row["tilt_deg"],
                )
            )
    columns = list(zip(*rows, strict=True)) or [()] * 6
    pictures = np.array(columns[0], np.uint8).reshape(-1, KEPT_PX, KEPT_PX, 3)
    others = [torch.tensor(np.array(column), dtype=torch.float32) for column in columns[1:]]
    leans, turns, up, classes, tilts = others
    return Tops(
        torch.from_numpy(pictures), leans.reshape(-1, 2), turns, up.reshape(-1, 2),
        classes.long(), tilts,
    )  # fmt: skip


class Deal:
    """Deals out dice of all ways of standing."""

    def __init__(self, dice: Tops) -> None:
        slight = (dice.classes == KINDS["burning"]) & (dice.tilts < SLIGHT_DEG)
        every = [dice.classes == number for number in range(len(STANCES))]
        self._dice = dice
        self._rows = [torch.nonzero(which)[:, 0] for which in (*every, slight)]
        shares = [share * bool(len(rows)) for share, rows in zip(DEALT, self._rows, strict=True)]
        self._shares = torch.tensor(shares)

    def dealt(self, count: int, generator: torch.Generator) -> Tops:
        """So many of them."""
        kinds = torch.multinomial(self._shares, count, replacement=True, generator=generator)
        draws = torch.rand(count, generator=generator)
        rows = [
            self._rows[kind][int(draw * len(self._rows[kind]))]
            for kind, draw in zip(kinds.tolist(), draws, strict=True)
        ]
        return self._dice.only(torch.stack(rows))


def shown(
    dice: Tops, generator: torch.Generator, *, quarter: int | None = None
) -> tuple[torch.Tensor, torch.Tensor, torch.Tensor]:
    """Dice as the network sees them.

    Args:
        dice: N of them.
        generator: of all chance.
        quarter: as the reader shows them in this quarter turn; None: as they are learned, in any
            of the eight ways and no better placed than a table's.

    Returns:
        (N, 3, 64, 64) RGB in 0..1, (N, 3) what is told of each, (N, 2) where each leans to.
    """
    n, play = len(dice), quarter is None

    def normal(*shape: int) -> torch.Tensor:
        return torch.randn(n, *shape, generator=generator) * play

    def even(*shape: int) -> torch.Tensor:
        return torch.rand(n, *shape, generator=generator)

    spread = torch.where(even(1) < OFTEN, LITTLE, MUCH)
    leans = dice.leans * (1 + LEAN_FACTOR * normal(1)) + LEAN_SPREAD * normal(2)
    quarters = (torch.pi / 2) * (torch.floor(4 * even()) if quarter is None else quarter)
    known = ~dice.turns.isnan()
    unknown = 8 * even() if play else torch.full((n,), UNKNOWN_TURN) + quarters
    turns = torch.where(known, dice.turns + TURN_SPREAD * normal() + quarters, unknown)
    cos, sin = torch.cos(turns), torch.sin(turns)
    flip = torch.where(even() < 0.5 * play, -1.0, 1.0)
    axes = torch.stack([torch.stack([cos * flip, sin * flip], 1), torch.stack([-sin, cos], 1)], 1)
    zoom = OUTLINE_DICE / KEPT_DICE * torch.exp(SIZE_SPREAD * normal(1, 1))
    middle = (0.5 * leans + spread * normal(2)) * (2 / KEPT_DICE)
    theta = torch.cat([axes.mT * zoom, middle[:, :, None]], 2)
    pictures = sampled(as_tensor(dice.pictures), theta, OUTLINE_PX)
    told = torch.cat([torch.einsum("nij,nj->ni", axes, leans), known.float()[:, None]], 1)
    return (
        lit(pictures, generator) if play else pictures,
        told,
        torch.einsum("nij,nj->ni", axes, dice.up),
    )


def words_of(model: Outline, dice: Tops) -> NDArray[np.float32]:
    """(N, 3) what the reader would say of dice that are placed as they truly lie."""
    generator, words = torch.Generator().manual_seed(7), []
    model.eval()
    with torch.no_grad():
        for start in range(0, len(dice), 256):
            some = dice.only(slice(start, start + 256))
            looks = [
                model(*shown(some, generator, quarter=number)[:2]) for number in range(QUARTERS)
            ]
            logits, leans = (torch.stack(part, 1).numpy() for part in zip(*looks, strict=True))
            words.append(judged(logits, leans))
    return np.concatenate(words) if words else np.zeros((0, len(STANCES)), np.float32)


def figures(model: Outline, dice: Tops) -> dict[str, Any]:
    """Of held-out dice: which burning ones and towers pass where some flat ones are below."""
    flat = words_of(model, dice)[:, 0]
    classes, tilts = dice.classes.numpy(), dice.tilts.numpy()
    groups = {"tower": classes == 1, "burning": classes == 2}
    groups["leaning by little"] = groups["burning"] & (tilts < SLIGHT_DEG)
    out: dict[str, Any] = {"dice": {name: int(which.sum()) for name, which in groups.items()}}
    for share in (0.003, 0.01, 0.03):
        bound = float(np.quantile(flat[classes == 0], share)) if (classes == 0).any() else 1.0
        passed = {
            k: round(float(np.mean(flat[v] >= bound)), 4) for k, v in groups.items() if v.any()
        }
        out[f"passed at {share:.1%}"] = passed
    return out


def export(model: Outline, file: Path) -> None:
    """Write the network as ONNX."""
    examples = {"crops": torch.zeros(2, 3, OUTLINE_PX, OUTLINE_PX), TOLD_OF: torch.zeros(2, 3)}
    training.export(model, file, examples, ("logits", "leans"))


def _loss(model: Outline, deal: Deal, batch: int, generator: torch.Generator) -> torch.Tensor:
    dice = deal.dealt(batch, generator)
    pictures, told, leaning = shown(dice, generator)
    logits, leans = model(pictures, told)
    away = functional.smooth_l1_loss(LEANS_SCALE * leans, LEANS_SCALE * leaning, beta=LEANS_BETA)
    return functional.cross_entropy(logits, dice.classes) + away


def _arguments(words: Sequence[str] | None) -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path, help="sets of models.lab.outline_set")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--minutes", type=float, default=40.0, help="how long to train (40)")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=2)
    parser.add_argument("--from", dest="start", type=Path, help="last.pt of an earlier run")
    parser.add_argument("--stance", type=Path, help="last.pt of a stance network to begin with")
    return parser.parse_args(words)


def main(words: Sequence[str] | None = None) -> None:
    """Command line; see the module's text."""
    args = _arguments(words)
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    dice, held_out = (tops_of(args.data, held_out=flag) for flag in (False, True))
    if not len(dice):
        sys.exit(
            f"no dice to learn from in {', '.join(map(str, args.data))}: name sets of "
            "models.lab.outline_set"
        )
    generator, deal = torch.Generator().manual_seed(args.seed), Deal(dice)
    model = Outline()
    if args.stance and not (args.out / "last.pt").exists():
        model.start_from(torch.load(args.stance, weights_only=True)["model"])
    run = training.Run(model, args.out / "last.pt", rate=args.rate, start=args.start)
    while run.done < 1 and args.minutes:
        until, before, at_s = (int(run.done * TOLD) + 1) / TOLD, run.passes, time.monotonic()
        model.train()
        while run.done < until:
            loss = _loss(model, deal, args.batch, generator)
            run.step(loss, done=run.by_clock(args.minutes), pictures=args.batch)
        pace = (run.passes - before) / (time.monotonic() - at_s)
        told = figures(model, held_out)
        print(f"{run.done:.0%}, {run.passes} passes, {pace:.0f} a second: {told}", flush=True)
        run.save()
    facts = {"dice": len(dice), "passes": run.passes, "held_out": figures(model, held_out)}
    export(model, args.out / "outline.onnx")
    (args.out / "metrics.json").write_text(json.dumps(facts))


if __name__ == "__main__":
    main()
