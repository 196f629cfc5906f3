"""The clip that `schockauge demo` plays, and what truly happens in it."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from device.errors import SourceError
from device.simulate_table import CAMERA_FOV_DEG

FOLDER = Path(__file__).parent / "demo"
FOV_DEG = CAMERA_FOV_DEG
"""Horizontal field of view of the camera that took the clip."""


def clip() -> Path:
    """The clip that ships.

    Raises:
        SourceError: it is not there.
    """
    return _needed(FOLDER / "clip.mp4")


def truth() -> list[dict[str, Any]]:
    """What the simulator knows to have happened in the clip, oldest first.

    Raises:
        SourceError: it is not there.
    """
    text = _needed(FOLDER / "truth.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.splitlines() if line.strip()]


def _needed(path: Path) -> Path:
    if not path.is_file():
        raise SourceError(
            f"The demo's {path} is missing. Install Schockauge again, or make one with "
            "`schockauge simulate --out CLIP.mp4 --truth TRUTH.jsonl` and name it with --clip."
        )
    return path
