r"""Train the network that judges outlines: `python -m models.lab.train_outline SET --out runs/o`.

It sees a die cut out with its top face upright, the same place without it, and the outline that a
flat die would have there, and says whether the die lies flat, leans or stands on another, and how
far its top leans to which side (`vision.outline`). The sets are those of `models.lab.outline_set`;
the same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional

from vision.outline import BOTH_PX, OUTLINE_PX, QUARTERS, judged
from vision.stance import STANCES, TOLD_OF

from . import training
from .outline_crops import Tops, shown, tops_of
from .outline_net import LEANS_SCALE, Outline
from .stance_crops import KINDS

DEALT = (0.5, 0.15, 0.13, 0.22)
"""Shares of what is shown: flat dice, towers, burning dice, burning ones that lean by little. What
the network says is meant so; how common each is at a table the stance network's word holds."""
SLIGHT_DEG = 20.0
LEANS_BETA = 0.1
"""Up to so much, in the network's scale, an error of what it says of the lean counts squared."""
HIDDEN = 0.4
"""Share of the dice with a bare mat that are hidden, so that it learns to judge by what differs."""
TOLD = 20


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
    examples = {"crops": torch.zeros(2, 3, *BOTH_PX), TOLD_OF: torch.zeros(2, 3)}
    training.export(model, file, examples, ("logits", "leans"))


def _loss(model: Outline, deal: Deal, batch: int, generator: torch.Generator) -> torch.Tensor:
    dice = deal.dealt(batch, generator)
    pictures, told, leaning = shown(dice, generator)
    seen, bare = pictures.split(OUTLINE_PX, 2)
    hidden = (seen != bare).flatten(1).any(1) & (torch.rand(batch, generator=generator) < HIDDEN)
    logits, leans = model(pictures, told, hidden)
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
    parser.add_argument(
        "--begin", type=Path, metavar="FILE",
        help="last.pt of a stance network, or of an outline network that saw no mat",
    )  # fmt: skip
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
    model = Outline().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    if args.begin and not (args.out / "last.pt").exists():
        model.start_from(torch.load(args.begin, weights_only=True)["model"])
    run = training.Run(model, args.out / "last.pt", rate=args.rate, start=args.start)
    run.save()  # what it begins with may be averaged with what it ends with
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
