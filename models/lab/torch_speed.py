"""How long ultralytics' own `predict` takes on a folder of pictures: the yardsticks of `bench`.

    python -m models.lab.torch_speed FOLDER THREADS DETECTOR.onnx

Two of them, each with all pictures in a row, twice in turn: so both see the same load of the
machine, and neither finds its caches as the other left them (picture by picture in turn torch took
a seventh longer).

* "torch": a YOLO26n with as many classes as ours and fresh weights. Weights do not change how long
  a network takes, and the trained ones ship as ONNX only.
* "openvino": our very network in our runtime, run by ultralytics' own backend.
"""

from __future__ import annotations

import json
import os
import statistics
import sys
import time
from pathlib import Path
from typing import Any

import cv2
import torch

from models.lab.torch_cpu import patch_torchvision

SIZE_PX = 640
WARM_UP = 3
TURNS = 2


def main(folder: Path, threads: int, detector: Path) -> None:
    """Print one JSON line: the medians in milliseconds."""
    patch_torchvision()
    for name in (
        "openvino.tools.ovc",
        "openvino_telemetry",
    ):  # see vision/runtime.py
        sys.modules.setdefault(name, None)
    if hasattr(os, "sched_setaffinity"):  # a backend takes every processor that it sees
        os.sched_setaffinity(0, sorted(os.sched_getaffinity(0))[:threads])
    models = {"torch": _torch(detector), "openvino": _own_backend(detector, folder)}
    pictures = [cv2.imread(str(path)) for path in sorted(folder.glob("*.png"))]
    times_ms: dict[str, list[float]] = {name: [] for name in models}
    for name, model in [*models.items()] * TURNS:
        for picture in pictures[:WARM_UP]:
            _ms(model, picture, threads)
        times_ms[name] += [_ms(model, picture, threads) for picture in pictures]
    medians = {name: round(statistics.median(ms), 2) for name, ms in times_ms.items()}
    print(json.dumps({"median_ms": medians}))


def _ms(model: Any, picture: Any, threads: int) -> float:
    torch.set_num_threads(threads)  # ultralytics sets them itself when a model is loaded
    began_s = time.perf_counter()
    model.predict(picture, imgsz=SIZE_PX, verbose=False, device="cpu")
    return (time.perf_counter() - began_s) * 1000


def _torch(detector: Path) -> Any:
    from ultralytics import YOLO
    from ultralytics.nn.tasks import DetectionModel

    model = YOLO("yolo26n.yaml")
    model.model = DetectionModel("yolo26n.yaml", nc=len(_said_of(detector)["names"]), verbose=False)
    return model


def _own_backend(detector: Path, folder: Path) -> Any:
    """Our ONNX file as ultralytics would have exported it for OpenVINO, metadata and all."""
    import openvino
    from ultralytics import YOLO
    from ultralytics.utils import YAML

    target = folder / "detector_openvino_model"
    target.mkdir()
    graph = openvino.Core().read_model(str(detector))
    openvino.save_model(graph, str(target / "detector.xml"), compress_to_fp16=False)
    YAML.save(target / "metadata.yaml", _said_of(detector))
    return YOLO(str(target), task="detect")


def _said_of(detector: Path) -> dict[str, Any]:
    """What ultralytics wrote into the file when it was exported."""
    import ast

    import onnx

    said = {entry.key: entry.value for entry in onnx.load(str(detector)).metadata_props}
    told = {key: ast.literal_eval(said[key]) for key in ("names", "imgsz", "end2end")}
    # How it was exported is not kept in the file; models.lab.export always does it so.
    return {**said, **told, "args": {"batch": 1, "dynamic": True, "nms": False}}


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]), Path(sys.argv[3]))
