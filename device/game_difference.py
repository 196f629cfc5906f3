"""Where a game that was played differs from the true one."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping
from typing import Any

UNCOMPARED = ("throw_id", "book_version")
"""What differs between equal games: burnt and asked throws are numbered as they come."""
QUIET_BURNT = ("dice", "burns", "section")
"""Of a burnt throw nobody needs to know what it would have been, nor which of two faults it was."""

ASIDE = ("kept", "turned")

Line = Mapping[str, Any]


def first_difference(true: Iterable[Line], played: Iterable[Line]) -> str:
    """The first entry in which two games differ, as a sentence; "" where they are the same.

    Dice put aside one after the other are as good as dice put aside together, and of dice kept and
    sixes turned between two throws it does not matter which came first.
    """
    a, b = _in_one_go(_compared(line) for line in true), _in_one_go(map(_compared, played))
    for number, (one, other) in enumerate(zip(a, b, strict=False), start=1):
        if one != other:
            return f"entry {number}: {json.dumps(one)} became {json.dumps(other)}"
    if len(a) != len(b):
        longer, word = (a, "is missing") if len(a) > len(b) else (b, "is too many")
        return f"entry {min(len(a), len(b)) + 1}: {json.dumps(longer[min(len(a), len(b))])} {word}"
    return ""


def _in_one_go(lines: Iterable[dict[str, Any]]) -> list[dict[str, Any]]:
    """What a player puts aside with nothing between, kept or turned, as one entry."""
    out: list[dict[str, Any]] = []
    for line in lines:
        if line["type"] not in ASIDE:
            out.append(line)
            continue
        last = out[-1] if out and out[-1]["type"] == "aside" else {}
        if last.get("player") != line["player"]:
            last = {"type": "aside", "player": line["player"], "kept": [], "turned": 0}
            out.append(last)
        last["kept"] = sorted(last["kept"] + line.get("dice", []), reverse=True)
        last["turned"] += line.get("count", 0)
        last["outside"] = line["outside"]
    return out


def _compared(line: Line) -> dict[str, Any]:
    left_out = UNCOMPARED + (QUIET_BURNT if line["type"] == "burnt" else ())
    plain: dict[str, Any] = json.loads(json.dumps(dict(line)))
    return {key: value for key, value in plain.items() if key not in left_out}
