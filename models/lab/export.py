r"""Export trained networks into `models/weights/` and write the manifest.

python -m models.lab.export --finder runs/finder/weights/last.pt --namer runs/namer \
        --pips runs/pips --version 0.2.0 --recipe recipe.json
python -m models.lab.export --shown runs/shown --version 0.17.0   # then models.lab.train_part
python -m models.lab.export --part runs/part --version 0.17.0

A finder or namer that is exported anew has lost its head for parts of dice (`vision.glimpse`).
"""

from __future__ import annotations

import argparse
import hashlib
import json
from pathlib import Path
from typing import Any

import numpy as np

from .glimpse_nets import LAYERS
from .torch_cpu import patch_torchvision

MODELS = Path(__file__).resolve().parent.parent
LEAST_HALVED = 1024
"""Smaller arrays of weights stay as they are: they weigh nothing and some are added up."""
KEPT_NOTES = ("names", "stride", "task", "imgsz", "batch", "end2end", "channels", "version")
ROLES = {
    "finder": "finds dice, towers, burning dice and cups in a picture; knows no values",
    "namer": "first reader: what a 64 px crop shows, a value, a tower, a burning die or nothing",
    "stance": "third witness: how a die stands (flat, tower, burning), told where the camera is",
    "pips": "second reader: marks the pips of the top face in a 64 px crop, held as in a picture "
    "taken upright, to be counted",
    "outline": "fourth witness: whether a die ends where a flat one would, its top face placed by "
    "its pips; told where the camera is",
    "table_namer": "the namer of a table: the same, having learned dice as its camera sees them",
    "table_pips": "the second reader of a table: the same, having learned such dice",
}
HEADS: dict[str, tuple[str, dict[str, str]]] = {
    "shown": (
        "finder",
        {f"layer{n}": f"/model.{n}/cv2/act/Mul_output_0" for n in LAYERS},
    ),
    "part": ("namer", {"features": "features"}),
}
"""Outputs given to networks afterwards: to which, and what of theirs each sees."""


def export_detector(weights: Path, target: Path) -> None:
    """Write `target` as ONNX: input images (1, 3, H, W) with free H and W, output (1, 300, 6).

    The end-to-end head of YOLO26 needs no suppression of its own.
    """
    patch_torchvision()
    from ultralytics import YOLO

    made = YOLO(str(weights)).export(
        format="onnx", nms=False, dynamic=True, imgsz=640, simplify=True, opset=17, device="cpu"
    )
    import onnx

    model = onnx.load(str(made))
    Path(made).unlink()
    # What ultralytics notes of the training folder is nobody's business; names and stride stay.
    kept = [entry for entry in model.metadata_props if entry.key in KEPT_NOTES]
    del model.metadata_props[:]
    model.metadata_props.extend(kept)
    onnx.save(model, str(target))


def stored_half(source: Path, target: Path) -> None:
    """Copy a network with its large weights kept in 16 bits; it still calculates with 32."""
    import onnx
    from onnx import helper, numpy_helper

    model = onnx.load(str(source))
    graph, casts = model.graph, []
    for tensor in list(graph.initializer):
        values = numpy_helper.to_array(tensor)
        if values.dtype != np.float32 or values.size < LEAST_HALVED:
            continue
        graph.initializer.remove(tensor)
        name = f"{tensor.name}_half"
        graph.initializer.append(numpy_helper.from_array(values.astype(np.float16), name))
        casts.append(helper.make_node("Cast", [name], [tensor.name], to=onnx.TensorProto.FLOAT))
    nodes = [*casts, *graph.node]
    del graph.node[:]
    graph.node.extend(nodes)
    onnx.checker.check_model(model)
    onnx.save(model, str(target))


def with_head(network: Path, head: Path, seen: dict[str, str], output: str) -> None:
    """Give a network another output, from what it makes of its pictures on the way.

    Args:
        network: the ONNX file; its own answers stay as they are, to the bit.
        head: ONNX file of the head (`models.lab.train_shown`, `models.lab.train_part`).
        seen: the network's tensors that the head takes, by the names of its inputs.
        output: what the head's output is called; one of the network's of that name is replaced.
    """
    import onnx
    from onnx import compose

    whole, small = onnx.load(str(network)), onnx.load(str(head))
    _without(whole, output)
    small.ir_version = whole.ir_version
    small = compose.add_prefix(small, f"{output}_", rename_inputs=False, rename_outputs=False)
    own = [entry.name for entry in whole.graph.output]
    known = {entry.name for entry in whole.graph.output}
    for tensor in seen.values():
        if tensor not in known:
            whole.graph.output.append(onnx.ValueInfoProto(name=tensor))
    io_map = [(tensor, name) for name, tensor in seen.items()]
    made = compose.merge_models(whole, small, io_map=io_map, outputs=[*own, output])
    made.ir_version = whole.ir_version
    onnx.checker.check_model(made)
    onnx.save(made, str(network))


def _without(model: Any, output: str) -> None:
    """Take an output and its head out again."""
    graph = model.graph
    for part in (graph.node, graph.initializer, graph.value_info, graph.output):
        stays = [one for one in part if not f"{_name(one)}_".startswith(f"{output}_")]
        if len(stays) < len(part):
            del part[:]
            part.extend(stays)


def _name(entry: Any) -> str:
    """A tensor's name, or of a node's first output."""
    return str(entry.output[0] if hasattr(entry, "output") and entry.output else entry.name)


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
    parser.add_argument("--stance", type=Path, help="folder of models.lab.train_stance")
    parser.add_argument("--outline", type=Path, help="folder of models.lab.train_outline")
    parser.add_argument("--table-namer", type=Path, help="as --namer, for tables")
    parser.add_argument("--table-pips", type=Path, help="as --pips, for tables")
    parser.add_argument("--shown", type=Path, help="folder of models.lab.train_shown")
    parser.add_argument("--part", type=Path, help="folder of models.lab.train_part")
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
            stored_half(target, target)
        else:
            stored_half(source / f"{name.removeprefix('table_')}.onnx", target)
            metrics = json.loads((source / "metrics.json").read_text())
        data["networks"][name] = entry(name, target, recipes.get(name, {}), metrics)
    for output, (name, seen) in HEADS.items():
        source = getattr(args, output)
        if source is None:
            continue
        target, known = folder / f"{name}.onnx", data["networks"].get(name, {})
        with_head(target, source / f"{output}.onnx", seen, output)
        found = json.loads((source / "metrics.json").read_text())
        recipe = {**known.get("recipe", {}), **recipes.get(output, {})}
        metrics = {**known.get("metrics", {}), output: found}
        data["networks"][name] = entry(name, target, recipe, metrics)
    data |= {"version": args.version, "licence": "AGPL-3.0-or-later"}
    file.write_text(json.dumps(data, indent=2) + "\n", encoding="utf-8")
    for name in data["networks"]:
        print(f"{name}: {data['networks'][name]['file']} {data['networks'][name]['sha256'][:12]}")


if __name__ == "__main__":
    main()
