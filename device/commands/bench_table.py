"""The row of a machine in the columns of Ultralytics' own benchmark table.

Their guide for the Raspberry Pi lists formats of YOLO26n at 640 pixels; whoever runs `schockauge
bench read --table` on his Pi can lay his row beside theirs. Two columns mean something else here,
and the lines below the table say so: mAP50-95 is theirs on COCO, for which our network, trained on
four classes of its own, has no value; and our time holds the making of the input and of the boxes,
theirs the network alone.

Source: docs.ultralytics.com, guides "Raspberry Pi" (columns of the table) and "Benchmark mode".
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

COLUMNS = ("Format", "Status", "Size on disk (MB)", "mAP50-95(B)", "Inference time (ms/im)")
FOUND = "held_out_renders_found_at_0.25"
"""In the manifest: of each class so many were found, on renders that were not trained on."""
OURS = "OpenVINO, from ONNX: schockauge"
THEIRS = {"torch": "PyTorch: ultralytics predict", "openvino": "OpenVINO: ultralytics predict"}


def rows(look_ms: float, predict_ms: Mapping[str, float], size_mb: float) -> list[dict[str, Any]]:
    """The table's rows.

    Args:
        look_ms: median of a look at 640 pixels with the finder.
        predict_ms: medians of ultralytics' own predict, by runtime; empty when not measured.
        size_mb: the finder's file, 1,000,000 bytes each.

    Returns:
        A mapping by `COLUMNS` for each; None where a value was not measured.
    """
    measured: dict[str, tuple[float | None, float]] = {OURS: (size_mb, look_ms)}
    for name, ms in predict_ms.items():  # their torch network is made anew, without a file
        measured[THEIRS[name]] = (size_mb if name == "openvino" else None, ms)
    return [
        dict(zip(COLUMNS, (name, "ok", size, None, round(ms, 2)), strict=True))
        for name, (size, ms) in measured.items()
    ]


def text(table: list[dict[str, Any]], network: Mapping[str, Any]) -> str:
    """The rows in Markdown, and what the two columns mean here.

    Args:
        table: `rows`.
        network: the finder's entry of the manifest.
    """
    lines = ["| " + " | ".join(COLUMNS) + " |", "|" + "---|" * len(COLUMNS)]
    for row in table:
        values = ("–" if row[column] is None else str(row[column]) for column in COLUMNS)
        lines.append("| " + " | ".join(values) + " |")
    found = network.get("metrics", {}).get(FOUND, {})
    told = ", ".join(f"{name} {share}" for name, share in found.items())
    lines += [
        "",
        "mAP50-95(B): not measured; theirs is on COCO, our network has classes of its own.",
        f"Found instead, of renders it was not trained on: {told or 'not told in the manifest'}.",
        "Inference time: ours with the making of its input and boxes, theirs without.",
    ]
    return "\n".join(lines)
