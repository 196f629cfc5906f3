"""The weights of a shipped network as a training can go on from them.

    python -m models.lab.unfolded namer models/weights/namer.onnx runs/namer.pt
    python -m models.lab.unfolded stance models/weights/stance.onnx runs/stance.pt

An exported network holds no batch normalisation: the exporter has folded each into the convolution
before it. Unfolded again, each normalisation starts as what changes nothing, so the network
answers as it shipped. Namers and stance networks, whatever their width.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from .networks import NARROW, WIDE, Namer, Stance
from .train_stance import unsettled

NETWORKS: dict[str, tuple[Callable[..., Namer | Stance], Callable[[nn.Module], None]]] = {
    "namer": (Namer, lambda _: None),
    "stance": (Stance, unsettled),
}
"""How each is built, and what its export did to its answers is undone."""
WIDTHS = {NARROW[0]: False, WIDE[0]: True}


def unfolded(task: str, file: Path) -> Namer | Stance:
    """A shipped network, ready to be trained.

    Args:
        task: "namer" or "stance".
        file: its ONNX file.

    Raises:
        ValueError: the file is another network.
    """
    graph = onnx.load(file).graph
    kept = {
        one.name.removesuffix("_half"): torch.tensor(numpy_helper.to_array(one)).float()
        for one in graph.initializer
    }
    layers = [
        [kept[name] for name in node.input[1:]] for node in graph.node if node.op_type == "Conv"
    ]
    build, undo = NETWORKS[task]
    first = len(layers[0][1]) if layers else 0
    network = build(wide=WIDTHS.get(first, False)).eval()
    # The exporter writes them in the order they reckon in, which is theirs in the body.
    modules = list(network.body.modules())
    convolutions = [one for one in modules if isinstance(one, nn.Conv2d)]
    norms = [one for one in modules if isinstance(one, nn.BatchNorm2d)]
    if [one.weight.shape for one in convolutions] != [weight.shape for weight, *_ in layers]:
        raise ValueError(f"{file} is no {task}; name the {task}.onnx of a training or of ours")
    for convolution, norm, (weight, bias) in zip(convolutions, norms, layers, strict=True):
        convolution.weight.data = weight
        norm.weight.data = torch.sqrt(norm.running_var + norm.eps)
        norm.bias.data = bias
    network.head.weight.data = kept["head.weight"]
    network.head.bias.data = kept["head.bias"]
    undo(network)
    return network


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("task", choices=NETWORKS)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("out", type=Path, help="for --from or --namer of a training")
    args = parser.parse_args()
    args.out.parent.mkdir(parents=True, exist_ok=True)
    torch.save({"model": unfolded(args.task, args.onnx).state_dict()}, args.out)


if __name__ == "__main__":
    main()
