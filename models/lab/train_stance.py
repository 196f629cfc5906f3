r"""Train the stance network: `python -m models.lab.train_stance SET... --out runs/stance`.

It says whether a die lies flat, leans or stands on another, from a cut-out at the table's scale and
from where the camera is, and from the other dice of the throw. Burning dice and towers are shown as
often as flat dice, whatever their share in the sets. The same command goes on where it stopped.

On a graphics card, from cut-outs made elsewhere (`models.lab.stance_crops`), by the clock:

    python -m models.lab.train_stance crops --device cuda --batch 1024 --minutes 8 --wide \
        --namer models/lab/checkpoints/namer.pt --out runs/stance

What has been added to a set since the training began joins in whenever its figures are told, so
that `models.lab.stance_set` may run beside it.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from vision.stance import STANCE_DICE, STANCE_PX, STANCES, TOLD_OF

from . import training
from .crop_play import as_tensor, lit, sampled
from .networks import Stance
from .stance_crops import KEPT_DICE, stance_crops

PLAIN = STANCE_DICE / KEPT_DICE
SHARES = (0.5, 0.2, 0.3)
"""Of flat dice, towers and burning dice in what is shown."""
AT_TABLE = (0.90, 0.04, 0.06)
"""The same among what lies on a table's mat and is looked at: what the answers are made to mean."""
SIZE_JITTER, PLACE_JITTER, LEAN_FACTOR, LEAN_JITTER = 0.07, 0.11, 0.12, 0.03
"""What a table does not know exactly: its dice's size, a box's middle, where its camera is."""
TOLD = 20
"""How often in a run its figures are told and it is kept."""


@dataclass(frozen=True, eq=False)
class Shown(training.Shown):
    """`StanceCrops` where the network reckons: pictures (N, K, K, 3) uint8 BGR and the rest."""

    pictures: torch.Tensor
    leans: torch.Tensor
    classes: torch.Tensor
    first: torch.Tensor


class Deal:
    """Deals out throws so that dice of all stances are shown.

    Args:
        crops: what there is to show.
        lonely: share of dice that are shown without the others of their throw.

    Attributes:
        weights: (3,) what every stance has to weigh so that they count by their `SHARES`.
    """

    def __init__(self, crops: Shown, *, lonely: float) -> None:
        self.crops, self._lonely = crops, lonely
        self._start = torch.nonzero(crops.first)[:, 0]
        ends = torch.cat([self._start[1:], self._start.new_tensor([len(crops)])])
        self._size = ends - self._start
        shares = torch.tensor(SHARES, device=crops.classes.device)
        count = torch.bincount(crops.classes, minlength=len(STANCES)).clamp(min=1)
        throw = crops.first.cumsum(0) - 1
        own = (shares / count)[crops.classes]
        self._likely = torch.zeros(len(self._start), device=own.device).index_add(0, throw, own)
        shown = torch.zeros_like(shares).index_add(0, crops.classes, self._likely[throw])
        self.weights = torch.where(shown > 0, shares / (shown / shown.sum()).clamp(min=1e-6), 0)

    def dealt(self, batch: int, generator: torch.Generator) -> tuple[Shown, torch.Tensor]:
        """So many dice, throw by throw, and the number (N, 1) of what each sees the others of."""
        throws = self._likely.multinomial(batch, replacement=True, generator=generator)
        size = self._size[throws]
        number = torch.repeat_interleave(torch.arange(batch, device=size.device), size)[:batch]
        within = torch.arange(batch, device=size.device) - (size.cumsum(0) - size)[number]
        rows = self._start[throws][number] + within
        alone = torch.rand(batch, generator=generator, device=size.device) < self._lonely
        number = torch.where(alone, batch + torch.arange(batch, device=size.device), number)
        return self.crops.only(rows), number[:, None].float()


def _played(
    crops: Shown, number: torch.Tensor, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut-outs turned towards the camera, mirrored, shifted and lit anew; how steep, (N, 1).

    Those that see one another (`number`, (N, 1)) are lit alike: how light a face is beside those of
    the others tells where it looks to.
    """
    n, device = len(crops.classes), generator.device

    def spread(reach: float, *shape: int) -> torch.Tensor:
        return (torch.rand(shape or (n,), generator=generator, device=device) * 2 - 1) * reach

    lean = crops.leans * torch.exp(spread(LEAN_FACTOR, n, 1)) + spread(LEAN_JITTER, n, 2)
    sides = torch.stack([torch.ones(n, device=device), torch.sign(spread(1.0))], 1)
    zoom = PLAIN * torch.exp(spread(SIZE_JITTER))
    turn = turns(lean) * sides[:, None, :] * zoom[:, None, None]
    theta = torch.cat([turn, spread(PLACE_JITTER, n, 2, 1)], 2)
    seen = sampled(as_tensor(crops.pictures), theta, STANCE_PX)
    return lit(seen, generator, number[:, 0]), lean.norm(dim=1, keepdim=True)


def turns(leans: torch.Tensor) -> torch.Tensor:
    """(N, 2) to (N, 2, 2): what maps the cut-out's x axis to the way the camera lies."""
    angle = torch.atan2(leans[:, 1], leans[:, 0])
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)


def answers(model: Stance, crops: Shown) -> np.ndarray:
    """(N, 3) probabilities without play."""
    out = [np.zeros((0, len(STANCES)), np.float32)]
    throws = crops.first.cumsum(0)[:, None].float()
    model.eval()
    with torch.no_grad():
        for start in range(0, len(crops.classes), 256):
            part = slice(start, start + 256)
            some = crops.only(part)
            still = torch.zeros(len(some.leans), 2, 1, device=some.leans.device)
            theta = torch.cat([turns(some.leans) * PLAIN, still], 2)
            seen = sampled(as_tensor(some.pictures), theta, STANCE_PX)
            told = torch.cat([some.leans.norm(dim=1, keepdim=True), throws[part]], 1)
            out.append(model(seen, told).softmax(1).cpu().numpy())
    return np.concatenate(out)


def figures(shares: np.ndarray, classes: np.ndarray) -> dict[str, float]:
    """Faults found where 0.3 %, 1 % and 5 % of the flat dice raise a false alarm."""
    flat, out = 1 - shares[classes == 0, 0], {}
    if not len(flat):
        return {}
    for alarms in (0.003, 0.01, 0.05):
        bar = float(np.quantile(flat, 1 - alarms))
        for kind in sorted({1, 2} & set(classes.tolist())):
            found = (1 - shares[classes == kind, 0] > bar).mean()
            out[f"{STANCES[kind]} at {alarms:.1%}"] = round(float(found), 4)
    return out


def export(model: Stance, file: Path) -> None:
    """Write the network as ONNX with a free number of cut-outs."""
    examples = {"crops": torch.zeros(2, 3, STANCE_PX, STANCE_PX), TOLD_OF: torch.zeros(2, 2)}
    training.export(model, file, examples, ("logits",))


def _arguments() -> argparse.Namespace:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument(
        "data", nargs="+", type=Path, help="sets with SET/standing, folders of stance_crops"
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--passes", type=int, default=400_000, help="cut-outs shown in all")
    parser.add_argument("--minutes", type=float, help="train that long instead of --passes")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--device", default="cpu", help="cpu, cuda")
    parser.add_argument(
        "--lonely", type=float, default=0.1, help="share of dice without those beside them (0.1)"
    )
    parser.add_argument("--wide", action="store_true", help="a larger network")
    parser.add_argument("--from", dest="start", type=Path, help="last.pt of an earlier run")
    parser.add_argument("--namer", type=Path, help="last.pt of a namer whose body is taken over")
    return parser.parse_args()


def main() -> None:
    """Command line; see the module's text."""
    args = _arguments()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    known: dict[str, set[Path]] = {"train": set(), "val": set()}

    def new(split: str) -> Shown:
        return Shown.of(stance_crops(args.data, split, known[split]), args.device)

    crops, held_out = new("train"), new("val")
    if not len(crops):
        sys.exit(
            f"no dice to learn from in {', '.join(map(str, args.data))}: name sets of "
            "models.lab.stance_set or models.lab.dataset, or folders of models.lab.stance_crops"
        )
    model = Stance(wide=args.wide).to(args.device, memory_format=torch.channels_last)
    run, shown = _train(model, crops, held_out, new, args)
    held_out = Shown.together([held_out, new("val")])
    told = figures(answers(model, held_out), held_out.classes.cpu().numpy())
    model = model.cpu()
    model.head.bias.data += torch.log(torch.tensor(AT_TABLE) / torch.tensor(SHARES))
    export(model, args.out / "stance.onnx")
    facts = {"crops": shown, "passes": run.passes, "found_at_false_alarms": told}
    (args.out / "metrics.json").write_text(json.dumps(facts))


def _train(
    model: Stance,
    crops: Shown,
    held_out: Shown,
    new: Callable[[str], Shown],
    args: argparse.Namespace,
) -> tuple[training.Run, int]:
    """Train to the end; how many cut-outs there were at last."""
    torch.backends.cudnn.benchmark = True
    generator = torch.Generator(args.device).manual_seed(args.seed)
    state = args.out / "last.pt"
    if args.namer and not state.exists():
        model.start_from(torch.load(args.namer, weights_only=True)["model"])
    run = training.Run(model, state, rate=args.rate, start=args.start)
    while run.done < 1 and (args.minutes or args.passes):
        until, passes, at_s = (int(run.done * TOLD) + 1) / TOLD, run.passes, time.monotonic()
        total = torch.zeros((), device=args.device)
        deal = Deal(crops, lonely=args.lonely)
        model.train()
        while run.done < until:
            loss = _loss(model, deal, args.batch, generator)
            if args.minutes:
                done = run.by_clock(args.minutes)
            else:
                done = min(1.0, (run.passes + args.batch) / args.passes)
            total += args.batch * run.step(loss, done=done, pictures=args.batch)
        shown_now = run.passes - passes
        told = figures(answers(model, held_out), held_out.classes.cpu().numpy())
        print(f"{run.done:.0%} done: {torch.bincount(crops.classes).tolist()} {STANCES}, "
              f"loss {float(total) / shown_now:.4f}, {told}, "
              f"{shown_now / (time.monotonic() - at_s):.0f} crops/s", flush=True)  # fmt: skip
        run.save()
        crops = Shown.together([crops, new("train")])
    return run, len(crops)


def _loss(model: Stance, deal: Deal, batch: int, generator: torch.Generator) -> torch.Tensor:
    some, number = deal.dealt(batch, generator)
    pictures, steep = _played(some, number, generator)
    with training.halves(pictures.device.type):
        logits = model(
            pictures.contiguous(memory_format=torch.channels_last), torch.cat([steep, number], 1)
        )
    return functional.cross_entropy(logits.float(), some.classes, weight=deal.weights)


if __name__ == "__main__":
    main()
