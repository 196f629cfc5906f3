"""What a watched table knew of each die when it answered, beside how that die really lay."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from vision.table import SceneState

from .outline_set import tops
from .pips import top_face
from .throw_runs import read_lines
from .throw_scenes import MARGIN_MM, PX_PER_MM, Throw

NEAR_DICE = 0.6
"""What is seen within so many edges of a die is that die."""
ASKED = (0.001, 0.003, 0.01, 0.03)
"""Shares of the flat dice that may be asked about, for `as_markdown`."""
WORDS = ("looks", "outline", "stands")
"""Of a die, what is known of how it stands."""


@dataclass(frozen=True)
class DieHeard:
    """One die that the table saw.

    Attributes:
        kind: flat, burning or tower.
        tilt_deg: of the face that looks up most.
        value: what that face shows.
        read: the table's value.
        chance: of this value, 0..1.
        stands: as the table has it (`vision.table.DieReading`): flat, tower, burning.
        looks: the same by looks.
        outline: the same by outline; empty: nobody could tell.
    """

    kind: str
    tilt_deg: float
    value: int
    read: int
    chance: float
    stands: tuple[float, ...]
    looks: tuple[float, ...]
    outline: tuple[float, ...]


def heard(throw: Throw, state: SceneState) -> list[DieHeard]:
    """The dice of a throw that the table has found and whose top is to be seen; of a tower one.

    Args:
        throw: how they lie.
        state: the table when it answered.
    """
    found = []
    places = np.array([die.position_mm for die in state.dice]).reshape(-1, 2)
    for item, die in tops(throw):
        at = np.array(throw.to_view(*die.position_mm[:2])) / PX_PER_MM - MARGIN_MM
        away = np.hypot(*(places - at).T)
        if not len(away) or away.min() > NEAR_DICE * throw.die_mm:
            continue
        reading = state.dice[int(away.argmin())].reading
        words = {name: _rounded(getattr(reading, name)) for name in WORDS}
        tilt_deg, chance = round(top_face(die)[1], 1), round(reading.probability, 4)
        found.append(DieHeard(item.state, tilt_deg, item.value, reading.value, chance, **words))
    return found


def _rounded(word: Sequence[float]) -> tuple[float, ...]:
    return tuple(round(float(share), 5) for share in word)


def read_heard(file: Path) -> dict[int, list[DieHeard]]:
    """The `dice` of each line of `models.lab.bench_throws`, by the number of the throw.

    Lines without them, and one that was cut off, are left aside.
    """
    return read_lines(file, lambda told: [_as_heard(die) for die in told.get("dice", ())])


def _as_heard(row: dict[str, Any]) -> DieHeard:
    return DieHeard(**{name: tuple(v) if name in WORDS else v for name, v in row.items()})


def as_markdown(dice: Sequence[DieHeard]) -> str:
    """How well each word tells flat dice from others, where all three have been said.

    A row a word; a cell tells how many towers and burning dice would pass for flat if the bound lay
    where such a share of the flat ones were asked about.
    """
    known = [die for die in dice if all(getattr(die, name) for name in WORDS)]
    kinds = np.array([die.kind for die in known])
    heads = " | ".join(f"at {share:.1%} of the flat ones" for share in ASKED)
    counts = ", ".join(f"{(kinds == kind).sum()} {kind}" for kind in ("flat", "burning", "tower"))
    lines = [
        f"| burning + tower passed, of dice that all have spoken of ({counts}) | {heads} |",
        "|" + "---|" * (1 + len(ASKED)),
    ]
    for name in WORDS:
        chances = np.array([getattr(die, name)[0] for die in known])
        lines.append(f"| {name} | " + " | ".join(_passed(chances, kinds)) + " |")
    return "\n".join(lines)


def _passed(chances: NDArray[np.float64], kinds: NDArray[np.str_]) -> list[str]:
    flat = chances[kinds == "flat"]
    if not len(flat):
        return ["–"] * len(ASKED)
    bounds = [float(np.quantile(flat, share)) for share in ASKED]
    passed = [[int((chances[kinds == k] >= b).sum()) for k in ("burning", "tower")] for b in bounds]
    return [" + ".join(map(str, both)) for both in passed]
