"""The mean of two networks' weights: `python -m models.lab.averaged ONE.pt OTHER.pt OUT.pt`.

OTHER went on from ONE with other pictures. Their mean keeps much of what both know, most of all
on pictures unlike either's (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
Both are finders of `models.lab.train`, or both last.pt of one of our own networks; of these the
training's command writes the ONNX file with `--from OUT.pt --passes 0`.
"""

from __future__ import annotations

import argparse
from pathlib import Path
from typing import Any

import torch

from .torch_cpu import patch_torchvision


def averaged(
    one: dict[str, torch.Tensor], other: dict[str, torch.Tensor]
) -> dict[str, torch.Tensor]:
    """The mean of two networks' weights of the same form; what is counted stays the other's."""
    if {name: value.shape for name, value in one.items()} != {
        name: value.shape for name, value in other.items()
    }:
        raise ValueError("The two networks must have the same layers; train one from the other.")
    return {
        name: (one[name] + value) / 2 if value.is_floating_point() else value
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
    args = parser.parse_args()
    patch_torchvision()
    one, other = (torch.load(file, weights_only=False) for file in (args.one, args.other))
    if isinstance(other["model"], dict):
        torch.save({"model": averaged(one["model"], other["model"])}, args.out)
        return
    mean = _network(other)
    mean.load_state_dict(averaged(_network(one).state_dict(), mean.state_dict()))
    torch.save({**other, "model": mean.half(), "ema": None, "optimizer": None}, args.out)


if __name__ == "__main__":
    main()
