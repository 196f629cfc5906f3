"""How long ultralytics' own `predict` takes on a folder of frames: the yardstick of `bench`.

    python -m models.lab.torch_speed FOLDER THREADS

The network is a YOLO26n with our nine classes and fresh weights: weights do not change how long a
network takes, and the trained ones ship as ONNX only.
"""

from __future__ import annotations

import json
import statistics
import sys
import time
from pathlib import Path

import cv2
import torch

from models.lab.torch_cpu import patch_torchvision

SIZE_PX = 640
WARM_UP = 3


def main(folder: Path, threads: int) -> None:
    """Print one JSON line: the median in milliseconds."""
    patch_torchvision()
    from ultralytics import YOLO

    model = YOLO("yolo26n.yaml")
    frames = [cv2.imread(str(path)) for path in sorted(folder.glob("*.png"))]
    times_ms = []
    for frame in [*frames[:WARM_UP], *frames]:
        # ultralytics sets torch's threads itself when a model is loaded.
        torch.set_num_threads(threads)
        began_s = time.perf_counter()
        model.predict(frame, imgsz=SIZE_PX, verbose=False, device="cpu")
        times_ms.append((time.perf_counter() - began_s) * 1000)
    median_ms = round(statistics.median(times_ms[WARM_UP:]), 2)
    print(json.dumps({"median_ms": median_ms, "model": "yolo26n, fresh weights"}))


if __name__ == "__main__":
    main(Path(sys.argv[1]), int(sys.argv[2]))
