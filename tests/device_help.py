"""What the tests of the commands share: parsing lines, a reader that always says the same."""

import json
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
from PIL import Image

from vision.reading import Found, ReadDie, Reading

WAIT_S = 10.0


def lines(out: str) -> list[dict[str, Any]]:
    """The JSON lines of an output."""
    return [json.loads(line) for line in out.splitlines()]


class FixedReader:
    """Reads every picture alike."""

    def read(self, image: np.ndarray) -> Reading:
        die = ReadDie(5, 0.98, True, (1.0, 2.0, 11.0, 12.0))
        tower = Found((3.0, 3.0, 9.0, 9.0), 0.7)
        return Reading(dice=(die,), towers=(tower,), chance=0.98, sure=False, ms=1.5)


def picture(path: Path) -> Path:
    """Write a small red picture."""
    Image.new("RGB", (40, 30), (200, 30, 30)).save(path)
    return path


def eventually(holds: Callable[[], bool]) -> bool:
    """Whether something comes true while threads do their work."""
    ends_s = time.monotonic() + WAIT_S
    while time.monotonic() < ends_s:
        if holds():
            return True
        time.sleep(0.01)
    return False
