r"""Export trained networks into `models/weights/` and write the manifest.

python -m models.lab.export --finder runs/finder/weights/last.pt --namer runs/namer \
        --pips runs/pips --version 0.2.0 --recipe recipe.json
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
    "finder": "finds dice, towers, burning dice and cups in a picture; knows no values",
    "namer": "first reader: what a 64 px crop shows, a value, a tower, a burning die or nothing",
    "pips": "second reader: marks the pips of the top face in a 64 px crop, to be counted",
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
    parser.add_argument("--finder", type=Path, help="a .pt file of models.lab.train")
    parser.add_argument("--namer", type=Path, help="folder of models.lab.train_readers namer")
    parser.add_argument("--pips", type=Path, help="folder of models.lab.train_readers pips")
    parser.add_argument("--version", required=True)
    parser.add_argument("--recipe", type=Path, help="JSON: per network, how it was made")
    parser.add_argument(
        "--models", type=Path, default=MODELS, help="folder that holds manifest.json"
    )
    args = parser.parse_args()
    file = args.models / "manifest.json"
    data = json.loads(file.read_text()) if file.exists() else {"networks": {}}
    recipes = json.loads(args.recipe.read_text()) if args.recipe else {}
    folder = args.models / "weights"
    folder.mkdir(parents=True, exist_ok=True)
    for name in ROLES:
        source = getattr(args, name)
        if source is None:
            continue
        target, metrics = folder / f"{name}.onnx", {}
        if name == "finder":
            export_detector(source, target)
        else:
            shutil.copy(source / target.name, target)
            metrics = json.loads((source / "metrics.json").read_text())
        data["networks"][name] = entry(name, target, recipes.get(name, {}), metrics)
    data |= {"version": args.version, "licence": "AGPL-3.0-or-later"}
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    for name in data["networks"]:
        print(f"{name}: {data['networks'][name]['file']} {data['networks'][name]['sha256'][:12]}")


if __name__ == "__main__":
    main()
