"""Teach the namer's features what a part of a die is that cannot be read.

    python -m models.lab.train_part SET1 SET2 --out runs/part

The sets are those of `models.lab.dataset`, with things laid over their dice (`models.lab.pasted`).
What the finder of `models/` says shows a die (`models.lab.train_shown`) beside those that can still
be read is cut out as `vision.glimpse` does it; it is a part of one, or none. The namer itself
learns nothing. `--keep` keeps the features, since cutting out takes longest.
"""

from __future__ import annotations

import argparse
import json
import os
from pathlib import Path

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn import functional
from tqdm import tqdm

from device.bootstrap_readers import finder, namer
from device.settings import load_settings
from vision.crops import cut_evened, four_views
from vision.detections import CUP, VALUE_CLASSES
from vision.detector import SHOWN_PX
from vision.glimpse import SHOWS, beside, places
from vision.images import scaled

from .finder_found import things_of
from .glimpse_nets import FEATURES, PartHead
from .pasted import Image, covered
from .train_shown import labels_of, pictures_of
from .training import Run, export

DIE_PX = 24.0
SCALES = (0.4, 2.0)
"""Pictures whose dice would have to be shrunk or enlarged further are left out."""
READ = 0.8
"""A die that shows this share of what it showed before is one that can be read."""
A_PART, NONE = 0.5, 0.1
"""A place filled by dice to this share is a part of one, or none; what lies between is left out."""
HELD_OUT = 5
"""The places of every fifth picture measure."""
BATCH = 512

Floats = NDArray[np.float32]
Boxes = Floats


def boxes_of(label: Path, side: int) -> tuple[Boxes, NDArray[np.int64]]:
    """(N, 4) pixels and (N,) classes of a picture's things, without cups."""
    things = [(kind, box) for kind, box in things_of(label, side, side) if kind != CUP]
    boxes = np.array([box for _, box in things], np.float32).reshape(-1, 4)
    return boxes, np.array([kind for kind, _ in things], np.int64)


def still_read(
    boxes: Boxes, before: NDArray[np.uint8], after: NDArray[np.uint8]
) -> NDArray[np.bool_]:
    """(N,) whether most of what each showed shows still."""
    left = np.zeros(len(boxes), bool)
    for row, (x1, y1, x2, y2) in enumerate(np.maximum(boxes, 0).astype(int)):
        cut = np.s_[y1 : y2 + 1, x1 : x2 + 1]
        left[row] = after[cut].sum(dtype=float) >= READ * before[cut].sum(dtype=float)
    return left


def shares_of(squares: Boxes, truth: Floats, told: Floats) -> Floats:
    """(N,) how much of what was told to show in each square is of dice."""
    shares = np.zeros(len(squares), np.float32)
    for row, (x1, y1, x2, y2) in enumerate(np.maximum(squares / SHOWN_PX, 0).astype(int)):
        cut = np.s_[y1 : y2 + 1, x1 : x2 + 1]
        shares[row] = (truth[cut] * told[cut]).sum() / max(float(told[cut].sum()), 1e-6)
    return shares


class Gatherer:
    """Cuts out what shows beside dice that can be read, with the networks of `models/`."""

    def __init__(self, folder: Path | None) -> None:
        settings = load_settings(None).with_values(
            {"model.threads": len(os.sched_getaffinity(0)), "model.folder": str(folder or "")}
        )
        self._finder, self._namer = finder(settings), namer(settings)

    def places_of(
        self, image: Image, before: Image, after: Image, label: Path
    ) -> tuple[Floats, Floats]:
        """(N, 4, F) features of each place in four views, and (N,) how much of it is of a die."""
        none = np.zeros((0, 4, FEATURES), np.float32), np.zeros(0, np.float32)
        boxes, classes = boxes_of(label, image.shape[0])
        flat = boxes[classes < VALUE_CLASSES]
        if not len(flat):
            return none
        factor = DIE_PX / float(np.median((flat[:, 2:] - flat[:, :2]).max(axis=1)))
        if not SCALES[0] < factor < SCALES[1]:
            return none
        read = boxes[still_read(boxes, before, after)] * np.float32(factor)
        told = beside(self._finder.shown(scaled(image, factor, factor)), read)
        dice = cv2.resize(after, told.shape[::-1], interpolation=cv2.INTER_AREA) / np.float32(255)
        found = places(told, DIE_PX)
        if not len(found):
            return none
        shares = shares_of(found, beside(dice, read), np.where(told > SHOWS, told, 0))
        views = four_views(cut_evened(image, found / factor))
        _, features = self._namer.logits_and_features(views)
        return features.reshape(len(found), 4, -1), shares


def gathered(
    folders: list[Path], rounds: int, networks: Path | None
) -> tuple[Floats, NDArray[np.bool_], NDArray[np.int64]]:
    """(N, 4, F) features, whether each place is a part of a die, and its picture's number."""
    every, labels = pictures_of(folders), labels_of(folders)
    others = [image for image, _ in every[:400]]
    gatherer, rng = Gatherer(networks), np.random.default_rng(3)
    features, shares, whose = [], [], []
    for number in tqdm(range(rounds * len(every)), unit="picture"):
        image, before = every[number % len(every)]
        laid, after = covered(rng, image, before, others)
        own, part = gatherer.places_of(laid, before, after, labels[number % len(every)])
        features.append(own)
        shares.append(part)
        whose.append(np.full(len(part), number % len(every), np.int64))
    all_shares = np.concatenate(shares)
    clear = (all_shares > A_PART) | (all_shares < NONE)
    pictures = np.concatenate(whose)[clear]
    return np.concatenate(features)[clear], all_shares[clear] > A_PART, pictures


def figures_of(head: PartHead, features: Floats, parts: NDArray[np.bool_]) -> dict[str, float]:
    """Of held-out places: named right, and parts found where a twentieth of the rest is, too."""
    head.eval()
    with torch.no_grad():
        flat = torch.from_numpy(features.reshape(-1, FEATURES))
        told = head(flat).numpy().reshape(len(features), -1).mean(axis=1)
    bound = float(np.quantile(told[~parts], 0.95))
    return {
        "held_out": len(parts),
        "right": round(float(((told > 0) == parts).mean()), 4),
        "parts_found_at_a_twentieth": round(float((told[parts] > bound).mean()), 4),
    }


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("sets", type=Path, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--rounds", type=int, default=2, help="how often each picture is covered")
    parser.add_argument("--minutes", type=float, default=1.0)
    parser.add_argument("--rate", type=float, default=3e-3)
    parser.add_argument("--models", type=Path, help="folder of the networks; default: ours")
    parser.add_argument("--keep", type=Path, help="file (.npz) that keeps the features")
    args = parser.parse_args()
    try:
        if args.keep and args.keep.exists():
            kept = np.load(args.keep)
            features, parts = kept["features"].astype(np.float32), kept["parts"]
            pictures = kept["pictures"]
        else:
            features, parts, pictures = gathered(args.sets, args.rounds, args.models)
    except ValueError as error:
        parser.error(str(error))
    if args.keep and not args.keep.exists():
        np.savez(args.keep, features=features.astype(np.float16), parts=parts, pictures=pictures)
    args.out.mkdir(parents=True, exist_ok=True)
    held = pictures % HELD_OUT == 0
    views = torch.from_numpy(features[~held].reshape(-1, FEATURES))
    truth = torch.from_numpy(np.repeat(parts[~held], features.shape[1]).astype(np.float32))
    head = PartHead()
    run = Run(head, args.out / "last.pt", rate=args.rate)
    bar = tqdm(total=100, unit="%", initial=round(100 * run.done))
    while run.done < 1:
        head.train()
        rows = torch.randint(len(truth), (BATCH,))
        told = head(views[rows])[:, 0]
        loss = functional.binary_cross_entropy_with_logits(told, truth[rows])
        run.step(loss, done=run.by_clock(args.minutes), pictures=BATCH)
        bar.update(round(100 * run.done) - bar.n)
    bar.close()
    run.save()
    figures = {"passes": run.passes, "places": len(parts)}
    figures |= figures_of(head, features[held], parts[held])
    (args.out / "metrics.json").write_text(json.dumps(figures, indent=2) + "\n", encoding="utf-8")
    export(head, args.out / "part.onnx", {"features": torch.zeros(2, FEATURES)}, ("part",))
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
