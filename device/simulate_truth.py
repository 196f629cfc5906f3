"""The truth about a simulated game, in the form of `watch`, and one line per settled round.

Lines come in the order in which `vision.throws` reports: a cup goes down, then what was put aside
before it, then the cup goes up, then the throw. `outside` is what has been told of the seat's dice
put aside so far.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from device.simulate_game import Move
from rules.events import DeckelMoved, OpeningSettled, RoundSettled


@dataclass
class Truth:
    """What happened, oldest first.

    Attributes:
        lines: one JSON-able object each.
    """

    lines: list[dict[str, Any]] = field(default_factory=list)
    _outside: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    _aside: dict[str, list[tuple[str, int]]] = field(default_factory=lambda: defaultdict(list))

    def tell(
        self,
        t_s: float,
        kind: str,
        seat: str,
        dice: Sequence[int] = (),
        *,
        rest_s: float | None = None,
    ) -> None:
        """Add a table event; `rest_s`: of a throw, when its dice lay still in sight."""
        line: dict[str, Any] = {
            "t_s": round(float(t_s), 3),
            "type": kind,
            "seat": seat,
            "dice": sorted(dice, reverse=True),
            "outside": sorted(self._outside[seat], reverse=True),
            "sure": True,
        }
        if rest_s is not None:
            line["rest_s"] = round(rest_s, 3)
        self.lines.append(line)

    def lay_aside(self, kind: str, value: int, seat: str) -> None:
        """A die was put aside; told when the cup goes down. `kind`: "turned" or "dice_kept"."""
        self._aside[seat].append((kind, value))

    def tell_aside(self, t_s: float, seat: str) -> None:
        """Tell what was put aside: turned dice first."""
        aside = self._aside.pop(seat, [])
        self._outside[seat] += [value for _, value in aside]
        for kind in ("turned", "dice_kept"):
            values = [value for aside_kind, value in aside if aside_kind == kind]
            if values:
                self.tell(t_s, kind, seat, values)

    def tell_cleared(self, t_s: float, seat: str) -> None:
        """Tell that the mat is bare."""
        self.tell_aside(t_s, seat)
        self._outside.pop(seat, None)
        self.tell(t_s, "cleared", seat)

    def tell_rounds(self, move: Move, t_s: float) -> None:
        """Tell of settlements: the ranking, best first, and where the Deckel are now."""
        for event in move.events:
            if isinstance(event, RoundSettled | OpeningSettled):
                self.lines.append(_round(event, move, t_s))

    def write(self, path: Path) -> None:
        """Write the lines as JSON, one each."""
        text = "".join(json.dumps(line, ensure_ascii=False) + "\n" for line in self.lines)
        path.write_text(text, encoding="utf-8")


def _round(event: RoundSettled | OpeningSettled, move: Move, t_s: float) -> dict[str, Any]:
    moved = [step for step in move.events if isinstance(step, DeckelMoved)]
    stock, holdings = move.match.stock, move.match.holdings
    if moved:  # before a new half has reset them
        stock, holdings = moved[-1].stock, moved[-1].holdings
    standing: Mapping[str, int] = holdings
    return {
        "t_s": round(float(t_s), 3),
        "type": "round",
        "part": event.part if isinstance(event, RoundSettled) else "opening",
        "round": event.round if isinstance(event, RoundSettled) else 0,
        "ranking": event.to_json()["ranking"],
        "winner": event.winner,
        "loser": event.loser,
        "deckel": {
            "moved": sum(step.count for step in moved),
            "stock": stock,
            "holdings": dict(standing),
        },
    }
