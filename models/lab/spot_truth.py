"""What is known of the dice in a part of a throw's picture, as `models.lab.dataset` writes it."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from .labels import Label, label
from .pips import faces
from .standing import standing
from .throw_scenes import Throw

Part = NDArray[np.int64]
"""(4,) left, top, right, bottom in a throw's full picture, pixels."""


@dataclass(frozen=True)
class Truth:
    """What is known of a throw's dice; boxes and pips in pixels of its full picture."""

    labels: list[Label]
    faces: list[dict[str, Any]]
    standing: list[dict[str, Any]]

    @classmethod
    def of(cls, throw: Throw) -> Truth:
        """All dice of a throw."""
        full, labels = throw.full_px, label(throw.composed, throw.full_px)
        return cls(
            labels,
            faces(throw.composed, full, full, labels),
            standing(throw.composed, full, full),
        )

    def write(self, own: dict[str, Any], part: Part, folder: Path, stem: str) -> None:
        """Write what is known of a part: its own die and those that lie in it by chance.

        Args:
            own: the entry of its own die in `standing`; the others' say `whole`: false, for what
                lies around them may not have been rendered.
            part: which part.
            folder: of the set.
            stem: SPLIT/NAME of the files.
        """
        size = np.tile(part[2:] - part[:2], 2)
        lines = []
        for item in self.labels:
            if _inside(item.box, part):
                x1, y1, x2, y2 = np.array(_moved(item.box, part)) / size
                shares = ((x1 + x2) / 2, (y1 + y2) / 2, x2 - x1, y2 - y1)
                lines.append(" ".join([str(item.class_id), *(f"{share:.6f}" for share in shares)]))
        told = [
            {
                "class": face["class"],
                "box": _moved(face["box"], part),
                "pips": [_moved(pip, part) for pip in face["pips"]],
            }
            for face in self.faces
            if _inside(face["box"], part)
        ]
        others = [
            {**row, "box": _moved(row["box"], part), "whole": False}
            for row in self.standing
            if row != own and _inside(row["box"], part)
        ]
        rows = [{**own, "box": _moved(own["box"], part)}, *others]
        (folder / "labels" / f"{stem}.txt").write_text("\n".join(lines))
        (folder / "faces" / f"{stem}.json").write_text(json.dumps(told))
        (folder / "standing" / f"{stem}.json").write_text(json.dumps(rows))


def _inside(box: Sequence[float], part: Part) -> bool:
    return bool((np.array(box[:2]) >= part[:2]).all() and (np.array(box[2:]) <= part[2:]).all())


def _moved(points: Sequence[float], part: Part) -> list[float]:
    """x, y, x, y ... in pixels of the part."""
    moved = np.array(points) - np.resize(part[:2], len(points))
    return [round(float(value), 2) for value in moved]
