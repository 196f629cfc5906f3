"""The mean of two networks' weights: `python -m models.lab.averaged ONE.pt OTHER.pt OUT.pt`.

OTHER went on from ONE with other pictures. Their mean keeps much of what both know, most of all
on pictures unlike either's (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models");
`--share 0.75` has three quarters of OTHER. Both are finders of `models.lab.train`, or both last.pt
of one of our own networks; of these the training's command writes the ONNX file with
`--from OUT.pt --passes 0`, or `--minutes 0` where it learns by the clock.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from .torch_cpu import patch_torchvision


def averaged(
    one: dict[str, torch.Tensor], other: dict[str, torch.Tensor], *, share: float = 0.5
) -> dict[str, torch.Tensor]:
    """The mean of two networks' weights of the same form; what is counted stays the other's.

    Args:
        one: weights by name.
        other: likewise.
        share: how much of the mean is the other's, 0..1.

    Raises:
        ValueError: their forms differ.
    """
    if {name: value.shape for name, value in one.items()} != {
        name: value.shape for name, value in other.items()
    }:
        raise ValueError("The two networks must have the same layers; train one from the other.")
    return {
        name: torch.lerp(one[name], value, share) if value.is_floating_point() else value
        for name, value in other.items()
    }


def _network(saved: dict[str, Any]) -> Any:
    """The finder of a checkpoint of ultralytics, in 32 bits."""
    return (saved.get("ema") or saved["model"]).float()


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("one", "other", "out"):
        parser.add_argument(name, type=Path)
    parser.add_argument("--share", type=float, default=0.5, help="of OTHER, 0 to 1 (0.5)")
    args = parser.parse_args()
    if not 0 <= args.share <= 1:
        parser.error(f"--share {args.share:g}: expected 0 (ONE alone) to 1 (OTHER alone)")
    patch_torchvision()
    one, other = (torch.load(file, weights_only=False) for file in (args.one, args.other))
    if isinstance(other["model"], dict):
        torch.save({"model": averaged(one["model"], other["model"], share=args.share)}, args.out)
        return
    mean = _network(other)
    mean.load_state_dict(averaged(_network(one).state_dict(), mean.state_dict(), share=args.share))
    torch.save({**other, "model": mean.half(), "ema": None, "optimizer": None}, args.out)


if __name__ == "__main__":
    main()
