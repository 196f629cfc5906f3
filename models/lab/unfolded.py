"""A shipped namer's weights as a training can go on from them.

An exported network holds no batch normalisation: the exporter has folded each into the convolution
before it. Unfolded again, each normalisation starts as what changes nothing, so the network
answers as it shipped, and a training can begin with what is in the repository.
"""

from __future__ import annotations

from pathlib import Path

import onnx
import torch
from onnx import numpy_helper
from torch import nn

from .networks import NARROW, WIDE, Namer


def namer_weights(file: Path) -> dict[str, torch.Tensor]:
    """A namer's weights: of a training's last.pt, or of an ONNX file as it ships.

    Raises:
        ValueError: the ONNX file is another network.
    """
    if file.suffix != ".onnx":
        return dict(torch.load(file, weights_only=True)["model"])
    graph = onnx.load(file).graph
    kept = {one.name.removesuffix("_half"): numpy_helper.to_array(one) for one in graph.initializer}
    layers = [
        [torch.tensor(kept[name], dtype=torch.float32) for name in node.input[1:]]
        for node in graph.node
        if node.op_type == "Conv"
    ]
    first = len(layers[0][1]) if layers else 0
    namer = Namer(wide={NARROW[0]: False, WIDE[0]: True}.get(first, False)).eval()
    _unfold(namer, layers, file)
    for name in ("weight", "bias"):
        getattr(namer.head, name).data = torch.tensor(kept[f"head.{name}"], dtype=torch.float32)
    return namer.state_dict()


def _unfold(namer: Namer, layers: list[list[torch.Tensor]], file: Path) -> None:
    """Put folded convolutions, in the order they reckon in, into a network that is not."""
    modules = list(namer.body.modules())
    convolutions = [one for one in modules if isinstance(one, nn.Conv2d)]
    norms = [one for one in modules if isinstance(one, nn.BatchNorm2d)]
    shapes = [tuple(weight.shape) for weight, _ in layers]
    if shapes != [tuple(one.weight.shape) for one in convolutions]:
        raise ValueError(f"{file} is no namer of models.lab.train_readers; name its namer.onnx")
    for convolution, norm, (weight, bias) in zip(convolutions, norms, layers, strict=True):
        convolution.weight.data = weight
        norm.weight.data = torch.sqrt(norm.running_var + norm.eps)
        norm.bias.data = bias
