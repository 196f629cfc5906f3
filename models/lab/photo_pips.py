"""Where the pips lie on photographs: `python -m models.lab.photo_pips PIPS.onnx PHOTOS/SOURCE...`.

People labelled what the dice show, not where their pips are. But whoever knows that a die shows
five need not judge: the five clearest marks of a pip finder are its pips if they lie as five pips
do. Dice whose marks do not are left out. Written to SOURCE/faces, as for rendered sets.
"""

from __future__ import annotations

import argparse
import json
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray
from tqdm import tqdm

from vision.crops import CROP_MARGIN, cut_crops, four_views
from vision.pips import LEAST_MARK, layout_error, marks_of
from vision.runtime import Network

from .value_crops import LEAST_PX, boxes_of

MOST_CROOKED = 0.28
"""Marks that lie worse than this (`vision.pips.layout_error`) are not believed."""
CLEAR_MARK = 0.15
"""One or two marks always lie as one or two pips do: they have to be clearer."""
CENTRE_WITHIN = 0.22
"""The one mark of an ace, and the middle of all others, lie this near the crop's middle."""


def even_map(
    network: Network, picture: NDArray[np.uint8], box: NDArray[np.float64]
) -> NDArray[np.float32]:
    """(S, S) probability of a pip, the mean of four turns, each turned back."""
    crops = four_views(cut_crops(picture, [box]))
    heat = 1 / (1 + np.exp(-np.clip(network.run(crops)[0][:, 0], -40, 40)))
    return np.mean([np.rot90(heat[turn], -turn) for turn in range(4)], axis=0).astype(np.float32)


def believed(heat: NDArray[np.float32], value: int) -> NDArray[np.float64] | None:
    """(value, 2) places of the pips as shares of the crop; None where they cannot be told."""
    marks = marks_of(heat)
    least = CLEAR_MARK if value < 3 else LEAST_MARK
    if len(marks.chances) < value or marks.chances[value - 1] < least:
        return None
    places = marks.places[:value]
    off = float(np.abs(places.mean(axis=0) - 0.5).max())
    return places if off < CENTRE_WITHIN and layout_error(places) < MOST_CROOKED else None


def faces(network: Network, folder: Path, file: Path) -> list[dict[str, object]]:
    """An entry per die whose pips are believed: class, box, pips in pixels of the photograph."""
    picture = cv2.imread(str(folder / "images" / "train" / f"{file.stem}.jpg"))
    ids, boxes = boxes_of(file, picture.shape[1], picture.shape[0])
    out: list[dict[str, object]] = []
    for class_id, box in zip(ids, boxes, strict=True):
        side = CROP_MARGIN * float((box[2:] - box[:2]).max())
        if side < CROP_MARGIN * LEAST_PX:
            continue
        places = believed(even_map(network, picture, box), int(class_id) + 1)
        if places is not None:
            pips = (box[:2] + box[2:]) / 2 - side / 2 + places * side
            told = {"class": int(class_id), "box": box.round(2).tolist()}
            out.append(told | {"pips": pips.round(2).tolist()})
    return out


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("pips", type=Path, help="ONNX file of a pip finder")
    parser.add_argument("sources", type=Path, nargs="+", help="sets of models.lab.photos")
    args = parser.parse_args()
    network = Network(args.pips, threads=1)
    for folder in args.sources:
        told = dice = 0
        (folder / "faces" / "train").mkdir(parents=True, exist_ok=True)
        for file in tqdm(sorted((folder / "labels" / "train").glob("*.txt")), unit="photograph"):
            rows = faces(network, folder, file)
            told, dice = told + len(rows), dice + len(file.read_text().splitlines())
            (folder / "faces" / "train" / f"{file.stem}.json").write_text(json.dumps(rows))
        print(f"{folder.name}: pips of {told} of {dice} dice")


if __name__ == "__main__":
    main()
