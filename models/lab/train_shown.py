"""Teach the finder's features to say where a die shows, however little of it.

    python -m models.lab.train_shown SET1 SET2 --out runs/shown --minutes 5

The sets are those of `models.lab.dataset`; things are laid over their dice (`models.lab.pasted`).
The finder itself learns nothing: its own answer stays as it is.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from tqdm import tqdm

from .glimpse_nets import LAYERS, PLANES, ShownHead, Sure, finder_features, finder_of
from .pasted import Image, Rng, covered
from .training import Run

CHECKPOINT = Path(__file__).parent / "checkpoints" / "finder.pt"
SIDE_PX = 192
BATCH = 16
EVERY = 100
"""Batches between two checkpoints."""
GREY = 0.15
"""Share of the pictures without colours."""


def pictures_of(folders: list[Path], split: str = "train") -> list[tuple[Image, Image]]:
    """Every picture of the sets, and where it shows dice.

    Raises:
        ValueError: a set without pictures, or older than `shown`.
    """
    found = []
    for folder in folders:
        files = sorted((folder / "images" / split).glob("*.jpg"))
        for file in files:
            where = folder / "shown" / split / f"{file.stem}.png"
            if where.exists():
                shown = np.asarray(cv2.imread(str(where), cv2.IMREAD_GRAYSCALE), np.uint8)
                found.append((np.asarray(cv2.imread(str(file)), np.uint8), shown))
    if not found:
        raise ValueError(
            f"{', '.join(map(str, folders))}: no picture with its dice in shown/{split}; render "
            "the set with models.lab.dataset."
        )
    return found


def labels_of(folders: list[Path], split: str = "train") -> list[Path]:
    """The label file of each of `pictures_of`."""
    shown = [
        file for folder in folders for file in sorted((folder / "shown" / split).glob("*.png"))
    ]
    return [
        file.parents[2] / "labels" / split / f"{file.stem}.txt"
        for file in shown
        if (file.parents[2] / "images" / split / f"{file.stem}.jpg").exists()
    ]


def played(
    rng: Rng, every: list[tuple[Image, Image]]
) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    """A picture as it is learned from: (S, S, 3) RGB 0..1, and (S, S) where dice show; S <= 192."""
    image, shown = every[int(rng.integers(len(every)))]
    image, shown = covered(rng, image, shown, [other for other, _ in every[:400]])
    quarter, flip = int(rng.integers(4)), int(rng.choice([1, -1]))
    image, shown = (np.rot90(part, quarter)[:, ::flip] for part in (image, shown))
    light = (image / np.float32(255)) ** rng.uniform(0.7, 1.35) * rng.uniform(0.75, 1.2)
    light = np.clip(light * rng.uniform(0.9, 1.1, 3), 0, 1)
    if rng.random() < GREY:
        light = np.repeat(light.mean(axis=2, keepdims=True), 3, axis=2)
    side = min(SIDE_PX, image.shape[0])
    y, x = rng.integers(0, image.shape[0] - side + 1, 2)
    cut = np.s_[y : y + side, x : x + side]
    return light[cut][..., ::-1].astype(np.float32), shown[cut].astype(np.float32) / 255


def batch_of(
    rng: Rng, every: list[tuple[Image, Image]], count: int
) -> tuple[torch.Tensor, torch.Tensor]:
    """(N, 3, S, S) pictures and (N, 1, S / 4, S / 4) shares of dice."""
    images, shown = zip(*(played(rng, every) for _ in range(count)), strict=True)
    pictures = torch.from_numpy(np.stack(images)).permute(0, 3, 1, 2).contiguous()
    return pictures, functional.avg_pool2d(torch.from_numpy(np.stack(shown))[:, None], 4)


def found_of(
    head: ShownHead, finder: torch.nn.Module, every: list[tuple[Image, Image]], count: int = 160
) -> dict[str, float]:
    """Of places of held-out pictures that a die fills, and that none touches: those above 0.3."""
    pictures, truth = batch_of(np.random.default_rng(1), every, count)
    head.eval()
    with torch.no_grad():
        told = torch.sigmoid(head(*finder_features(finder, pictures))) > 0.3
    dice, none = truth > 0.9, truth < 0.05
    return {
        "dice_shown": round(float((told & dice).sum() / dice.sum()), 4),
        "else_shown": round(float((told & none).sum() / none.sum()), 4),
    }


def write(head: ShownHead, file: Path) -> None:
    """The head as ONNX; the size of a look is free."""
    head.eval()
    sides = [SIDE_PX // 2**number for number in (2, 3, 4)]
    names = [f"layer{layer}" for layer in LAYERS]
    torch.onnx.export(
        Sure(head),
        tuple(torch.zeros(1, n, side, side) for n, side in zip(PLANES, sides, strict=True)),
        str(file),
        input_names=names,
        output_names=["shown"],
        dynamic_axes={name: {2: "h", 3: "w"} for name in (*names, "shown")},
        opset_version=17,
        dynamo=False,
    )


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--finder", type=Path, default=CHECKPOINT)
    parser.add_argument("--minutes", type=float, default=5.0)
    parser.add_argument("--rate", type=float, default=3e-3)
    args = parser.parse_args()
    try:
        every, held = pictures_of(args.sets), pictures_of(args.sets, "val")
    except ValueError as error:
        parser.error(str(error))
    args.out.mkdir(parents=True, exist_ok=True)
    finder, head = finder_of(args.finder), ShownHead()
    run = Run(head, args.out / "last.pt", rate=args.rate)
    rng = np.random.default_rng(run.passes)
    bar = tqdm(total=100, unit="%", initial=round(100 * run.done))
    while run.done < 1:
        head.train()
        pictures, truth = batch_of(rng, every, BATCH)
        told = head(*finder_features(finder, pictures))
        loss = functional.binary_cross_entropy_with_logits(told, truth)
        run.step(loss, done=run.by_clock(args.minutes), pictures=BATCH)
        bar.update(round(100 * run.done) - bar.n)
        if run.passes % (BATCH * EVERY) == 0:
            run.save()
    bar.close()
    run.save()
    figures = {"passes": run.passes, "pictures": len(every), **found_of(head, finder, held)}
    (args.out / "metrics.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    write(head, args.out / "shown.onnx")
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
