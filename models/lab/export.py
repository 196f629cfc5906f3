r"""Export trained networks into `models/weights/` and write the manifest.

python -m models.lab.export --detector runs/first/weights/last.pt --values runs/values \
        --version 0.1.0 --recipe recipe.json
"""

from __future__ import annotations

import argparse
import hashlib
import json
import shutil
from pathlib import Path
from typing import Any

from .torch_cpu import patch_torchvision

MODELS = Path(__file__).resolve().parent.parent
ROLES = {
    "detector": "finds dice with their values, towers, burning dice and cups in a picture",
    "values": "second reader: value of one die, or not a readable die, from a 64 px crop",
}


def export_detector(weights: Path, target: Path) -> None:
    """Write `target` as ONNX: input images (1, 3, H, W) with free H and W, output (1, 300, 6).

    The end-to-end head of YOLO26 needs no suppression of its own.
    """
    patch_torchvision()
    from ultralytics import YOLO

    made = YOLO(str(weights)).export(
        format="onnx", nms=False, dynamic=True, imgsz=640, simplify=True, opset=17, device="cpu"
    )
    shutil.move(str(made), target)


def entry(name: str, file: Path, recipe: dict[str, Any], metrics: dict[str, Any]) -> dict[str, Any]:
    """The manifest's entry of one network."""
    return {
        "file": f"weights/{file.name}",
        "sha256": hashlib.sha256(file.read_bytes()).hexdigest(),
        "role": ROLES[name],
        "recipe": recipe,
        "metrics": metrics,
    }


def main() -> None:
    """Command line; see the module's text."""
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--detector", type=Path, help="a .pt file of ultralytics")
    parser.add_argument("--values", type=Path, help="folder of models.lab.train_values")
    parser.add_argument("--version", required=True)
    parser.add_argument(
        "--recipe", type=Path, help="JSON with detector and values: how they were made"
    )
    parser.add_argument(
        "--models", type=Path, default=MODELS, help="folder that holds manifest.json"
    )
    args = parser.parse_args()
    file = args.models / "manifest.json"
    data = json.loads(file.read_text()) if file.exists() else {"networks": {}}
    recipes = json.loads(args.recipe.read_text()) if args.recipe else {}
    folder = args.models / "weights"
    folder.mkdir(parents=True, exist_ok=True)
    if args.detector:
        export_detector(args.detector, folder / "detector.onnx")
        data["networks"]["detector"] = entry(
            "detector", folder / "detector.onnx", recipes.get("detector", {}), {}
        )
    if args.values:
        shutil.copy(args.values / "values.onnx", folder / "values.onnx")
        metrics = json.loads((args.values / "metrics.json").read_text())
        data["networks"]["values"] = entry(
            "values", folder / "values.onnx", recipes.get("values", {}), metrics
        )
    data |= {"version": args.version, "licence": "AGPL-3.0-or-later"}
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    for name in data["networks"]:
        print(f"{name}: {data['networks'][name]['file']} {data['networks'][name]['sha256'][:12]}")


if __name__ == "__main__":
    main()
