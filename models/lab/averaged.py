"""The mean of two finders' weights: `python -m models.lab.averaged ONE.pt OTHER.pt OUT.pt`.

OTHER went on from ONE with other pictures. Their mean keeps much of what both know, most of all
on pictures unlike either's (Wortsman et al. 2022, "Robust fine-tuning of zero-shot models").
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


def _network(file: Path) -> tuple[dict[str, Any], Any]:
    """A checkpoint of ultralytics, and its network in 32 bits."""
    saved = torch.load(file, weights_only=False)
    return saved, (saved.get("ema") or saved["model"]).float()


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    for name in ("one", "other", "out"):
        parser.add_argument(name, type=Path)
    args = parser.parse_args()
    patch_torchvision()
    (_, one), (saved, network) = _network(args.one), _network(args.other)
    network.load_state_dict(averaged(one.state_dict(), network.state_dict()))
    torch.save({**saved, "model": network.half(), "ema": None, "optimizer": None}, args.out)


if __name__ == "__main__":
    main()
