"""Train the second reader: a small network that reads the top face of one die.

    python -m models.lab.train_values DATA --out runs/values --epochs 12

It looks at one upright crop at a fixed scale, turned by any angle, and never sees the whole
picture: other pixels, another network and another loss than the detector's.
"""

from __future__ import annotations

import argparse
import json
import math
import os
import time
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import nn
from torch.nn import functional

from .value_crops import KEPT_SCALE, SEEN_PX, SEEN_SCALE, cut


class Block(nn.Module):
    """Two 3 x 3 convolutions and a shortcut."""

    def __init__(self, inside: int, outside: int, stride: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(inside, outside, 3, stride, 1, bias=False),
            nn.BatchNorm2d(outside),
            nn.SiLU(),
            nn.Conv2d(outside, outside, 3, 1, 1, bias=False),
            nn.BatchNorm2d(outside),
        )
        self.short = nn.Sequential(
            nn.Conv2d(inside, outside, 1, stride, bias=False), nn.BatchNorm2d(outside)
        )

    def forward(self, x: torch.Tensor) -> torch.Tensor:
        """(N, inside, H, W) to (N, outside, H / stride, W / stride)."""
        return functional.silu(self.body(x) + self.short(x))


def network() -> nn.Module:
    """(N, 3, 64, 64) RGB in 0..1 to (N, 7) logits: values 1 to 6, not a readable die."""
    return nn.Sequential(
        nn.Conv2d(3, 16, 3, 2, 1, bias=False),
        nn.BatchNorm2d(16),
        nn.SiLU(),
        Block(16, 32, 2),
        Block(32, 48, 1),
        Block(48, 96, 2),
        Block(96, 128, 2),
        nn.AdaptiveAvgPool2d(1),
        nn.Flatten(),
        nn.Dropout(0.1),
        nn.Linear(128, 7),
    )


def augment(crops: torch.Tensor, generator: torch.Generator) -> torch.Tensor:
    """Turn, shift, scale and stretch large crops (N, 3, K, K) to (N, 3, 64, 64); colours too."""
    n = len(crops)

    def spread(low: float, high: float, *shape: int) -> torch.Tensor:
        return low + (high - low) * torch.rand(shape, generator=generator)

    angle = spread(0, 2 * math.pi, n)
    zoom = (SEEN_SCALE / KEPT_SCALE) * torch.exp(spread(-0.16, 0.16, n))
    stretch = torch.exp(spread(-0.12, 0.12, n))
    cos, sin = torch.cos(angle), torch.sin(angle)
    move = spread(-0.09, 0.09, n, 2)
    theta = torch.stack(
        [
            torch.stack([zoom * stretch * cos, -zoom * sin, move[:, 0]], 1),
            torch.stack([zoom * stretch * sin, zoom * cos, move[:, 1]], 1),
        ],
        1,
    )
    grid = functional.affine_grid(theta, [n, 3, SEEN_PX, SEEN_PX], align_corners=False)
    out = functional.grid_sample(crops, grid, align_corners=False, padding_mode="border")
    gain = torch.exp(spread(-0.35, 0.35, n, 1, 1, 1)) * torch.exp(spread(-0.12, 0.12, n, 3, 1, 1))
    out = (out - 0.5) * torch.exp(spread(-0.3, 0.3, n, 1, 1, 1)) + 0.5
    grain = torch.randn(out.shape, generator=generator) * spread(0, 0.03, n, 1, 1, 1)
    return (out * gain + grain).clamp(0, 1)


def _plain(crops: torch.Tensor) -> torch.Tensor:
    k = SEEN_SCALE / KEPT_SCALE
    theta = torch.tensor([[k, 0.0, 0.0], [0.0, k, 0.0]]).expand(len(crops), 2, 3)
    grid = functional.affine_grid(theta, [len(crops), 3, SEEN_PX, SEEN_PX], align_corners=False)
    return functional.grid_sample(crops, grid, align_corners=False, padding_mode="border")


def _tensor(crops: NDArray[np.uint8]) -> torch.Tensor:
    rgb = np.ascontiguousarray(crops[..., ::-1].transpose(0, 3, 1, 2))
    return torch.from_numpy(rgb).float() / 255


def accuracy(model: nn.Module, crops: NDArray[np.uint8], classes: NDArray[np.int64]) -> float:
    """Share of crops read right without augmentation."""
    model.eval()
    right = 0
    with torch.no_grad():
        for i in range(0, len(crops), 256):
            guess = model(_plain(_tensor(crops[i : i + 256]))).argmax(1).numpy()
            right += int((guess == classes[i : i + 256]).sum())
    return right / max(1, len(crops))


def export(model: nn.Module, file: Path) -> None:
    """Write the network as ONNX with a free number of crops."""
    model.eval()
    torch.onnx.export(
        model,
        (torch.zeros(2, 3, SEEN_PX, SEEN_PX),),
        str(file),
        input_names=["crops"],
        output_names=["logits"],
        dynamic_axes={"crops": {0: "n"}, "logits": {0: "n"}},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("data", nargs="+", type=Path)
    parser.add_argument("--out", type=Path, default=Path("runs/values"))
    parser.add_argument("--epochs", type=int, default=20)
    parser.add_argument("--batch", type=int, default=128)
    parser.add_argument("--rate", type=float, default=0.003)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument(
        "--threads", type=int, help="fewer where other work shares the machine; default: all cores"
    )
    args = parser.parse_args()
    args.out.mkdir(parents=True, exist_ok=True)
    torch.manual_seed(args.seed)
    torch.set_num_threads(args.threads or os.cpu_count() or 1)
    generator = torch.Generator().manual_seed(args.seed)
    parts = [cut(folder, "train") for folder in args.data]
    crops = np.concatenate([p[0] for p in parts])
    classes = np.concatenate([p[1] for p in parts])
    val_crops, val_classes = cut(args.data[0], "val")
    print(f"{len(crops)} crops, classes {np.bincount(classes, minlength=7).tolist()}", flush=True)
    model = network().to(memory_format=torch.channels_last)
    state = args.out / "last.pt"
    optimizer = torch.optim.AdamW(model.parameters(), lr=args.rate, weight_decay=0.02)
    steps = args.epochs * (len(crops) // args.batch)
    schedule = torch.optim.lr_scheduler.OneCycleLR(
        optimizer, args.rate, total_steps=steps + 1, pct_start=0.1
    )
    first = 0
    if state.exists():
        saved = torch.load(state, weights_only=True)
        model.load_state_dict(saved["model"])
        optimizer.load_state_dict(saved["optimizer"])
        schedule.load_state_dict(saved["schedule"])
        first = saved["epoch"]
    for epoch in range(first, args.epochs):
        model.train()
        began, total = time.monotonic(), 0.0
        order = torch.randperm(len(crops), generator=generator).numpy()
        for i in range(0, len(order) - args.batch + 1, args.batch):
            chosen = order[i : i + args.batch]
            images = augment(_tensor(crops[chosen]), generator)
            with torch.autocast("cpu", torch.bfloat16):
                logits = model(images.contiguous(memory_format=torch.channels_last))
            loss = functional.cross_entropy(
                logits.float(), torch.from_numpy(classes[chosen]), label_smoothing=0.03
            )
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
            schedule.step()
            total += loss.item()
        share = accuracy(model, val_crops, val_classes)
        seconds = time.monotonic() - began
        print(
            f"epoch {epoch + 1}/{args.epochs}: loss {total * args.batch / len(order):.3f}, "
            f"held-out renders right {share:.4f}, {len(order) / seconds:.0f} crops/s",
            flush=True,
        )
        torch.save(
            {
                "model": model.state_dict(),
                "optimizer": optimizer.state_dict(),
                "schedule": schedule.state_dict(),
                "epoch": epoch + 1,
            },
            state,
        )
    export(model, args.out / "values.onnx")
    (args.out / "metrics.json").write_text(
        json.dumps(
            {"crops": len(crops), "epochs": args.epochs, "held_out_renders_right": round(share, 5)}
        )
    )


if __name__ == "__main__":
    main()
