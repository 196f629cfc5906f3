"""Train the stance network: `python -m models.lab.train_stance SET... --out runs/stance`.

It says whether a die lies flat, leans or stands on another, from a cut-out at the table's scale and
from where the camera is. Burning dice and towers are shown as often as flat dice, whatever their
share in the sets. The same command goes on where it stopped.
"""

from __future__ import annotations

import argparse
import json
import time
from pathlib import Path

import numpy as np
import torch
from torch.nn import functional

from vision.stance import STANCE_DICE, STANCE_PX, STANCES

from . import training
from .crop_play import as_tensor, lit, sampled
from .networks import Stance
from .stance_crops import KEPT_DICE, StanceCrops, stance_crops

PLAIN = STANCE_DICE / KEPT_DICE
SHARES = (0.5, 0.2, 0.3)
"""Of flat dice, towers and burning dice in what is shown."""
AT_TABLE = (0.90, 0.04, 0.06)
"""The same among what lies on a table's mat and is looked at: what the answers are made to mean."""
SIZE_JITTER, PLACE_JITTER, LEAN_FACTOR, LEAN_JITTER = 0.07, 0.11, 0.12, 0.03
"""What a table does not know exactly: its dice's size, a box's middle, where its camera is."""


def _played(
    crops: StanceCrops, rows: np.ndarray, generator: torch.Generator
) -> tuple[torch.Tensor, torch.Tensor]:
    """Cut-outs turned towards the camera, mirrored, shifted and lit anew; how steep, (N, 1)."""
    n = len(rows)

    def spread(reach: float, *shape: int) -> torch.Tensor:
        return (torch.rand(shape or (n,), generator=generator) * 2 - 1) * reach

    lean = torch.from_numpy(crops.leans[rows]) * torch.exp(spread(LEAN_FACTOR, n, 1))
    lean = lean + spread(LEAN_JITTER, n, 2)
    turn = turns(lean) * torch.stack([torch.ones(n), torch.sign(spread(1.0))], 1)[:, None, :]
    zoom = PLAIN * torch.exp(spread(SIZE_JITTER))
    theta = torch.cat([turn * zoom[:, None, None], spread(PLACE_JITTER, n, 2, 1)], 2)
    seen = sampled(as_tensor(crops.pictures[rows]), theta, STANCE_PX)
    return lit(seen, generator), lean.norm(dim=1, keepdim=True)


def turns(leans: torch.Tensor) -> torch.Tensor:
    """(N, 2) to (N, 2, 2): what maps the cut-out's x axis to the way the camera lies."""
    angle = torch.atan2(leans[:, 1], leans[:, 0])
    cos, sin = torch.cos(angle), torch.sin(angle)
    return torch.stack([torch.stack([cos, -sin], 1), torch.stack([sin, cos], 1)], 1)


def answers(model: Stance, crops: StanceCrops) -> np.ndarray:
    """(N, 3) probabilities without play."""
    out = [np.zeros((0, len(STANCES)), np.float32)]
    model.eval()
    with torch.no_grad():
        for start in range(0, len(crops.classes), 256):
            pictures = as_tensor(crops.pictures[start : start + 256])
            leans = torch.from_numpy(crops.leans[start : start + 256])
            theta = torch.cat([turns(leans) * PLAIN, torch.zeros(len(leans), 2, 1)], 2)
            shares = model(
                sampled(pictures, theta, STANCE_PX), leans.norm(dim=1, keepdim=True)
            ).softmax(1)
            out.append(shares.numpy())
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
    examples = {"crops": torch.zeros(2, 3, STANCE_PX, STANCE_PX), "lean": torch.zeros(2, 1)}
    training.export(model, file, examples, ("logits",))


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("data", nargs="+", type=Path, help="sets with SET/standing")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--passes", type=int, default=400_000, help="cut-outs shown in all")
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--from", dest="start", type=Path, help="last.pt of an earlier run")
    parser.add_argument("--namer", type=Path, help="last.pt of a namer whose body is taken over")
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads)
    crops, held_out = stance_crops(args.data, "train"), stance_crops(args.data, "val")
    print(f"{np.bincount(crops.classes).tolist()} {STANCES}, held out "
          f"{np.bincount(held_out.classes).tolist()}", flush=True)  # fmt: skip
    model = Stance().to(memory_format=torch.channels_last)
    _train(model, crops, held_out, args)
    told = figures(answers(model, held_out), held_out.classes)
    model.head.bias.data += torch.log(torch.tensor(AT_TABLE) / torch.tensor(SHARES))
    export(model, args.out / "stance.onnx")
    facts = {"crops": len(crops.classes), "passes": args.passes, "found_at_false_alarms": told}
    (args.out / "metrics.json").write_text(json.dumps(facts))


def _train(
    model: Stance, crops: StanceCrops, held_out: StanceCrops, args: argparse.Namespace
) -> None:
    generator, rng = torch.Generator().manual_seed(args.seed), np.random.default_rng(args.seed)
    steps = args.passes // args.batch
    weight = np.array(SHARES)[crops.classes] / np.bincount(crops.classes)[crops.classes]
    state = args.out / "last.pt"
    if args.namer and not state.exists():
        model.start_from(torch.load(args.namer, weights_only=True)["model"])
    run = training.Run(model, state, rate=args.rate, start=args.start)
    began, total = time.monotonic(), 0.0
    for step in range(round(run.done * steps), steps):
        model.train()
        rows = rng.choice(len(weight), args.batch, p=weight / weight.sum())
        pictures, leans = _played(crops, rows, generator)
        with torch.autocast("cpu", torch.bfloat16):
            logits = model(pictures.contiguous(memory_format=torch.channels_last), leans)
        loss = functional.cross_entropy(logits.float(), torch.from_numpy(crops.classes[rows]))
        total += run.step(loss, done=(step + 1) / steps, pictures=len(rows)).item()
        if (step + 1) % 250 == 0 or step + 1 == steps:
            told = figures(answers(model, held_out), held_out.classes)
            speed = 250 * args.batch / (time.monotonic() - began)
            print(f"step {step + 1}/{steps}: loss {total / 250:.4f}, {told}, {speed:.0f} crops/s",
                  flush=True)  # fmt: skip
            began, total = time.monotonic(), 0.0
            run.save()


if __name__ == "__main__":
    main()
