"""The state of a game as a few German lines for a terminal."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

PARTS = {
    "opening": "Eröffnung",
    "half1": "1. Hälfte",
    "half2": "2. Hälfte",
    "final": "Finale",
    "over": "Spiel beendet",
}


def standing(state: Mapping[str, Any]) -> str:
    """Deckel per player, stock and who has lost what.

    Args:
        state: from `rules.view.snapshot`.
    """
    where = PARTS.get(state["part"], state["part"])
    if state["part"] in ("half1", "half2", "final") and state["round"]:
        where += f", Runde {state['round']}"
    width = max(len(name) for name in state["players"])
    lines = [f"Stand: {where}; Stock {state['stock']} von {state['total']}"]
    for name in state["players"]:
        marks = [PARTS[part] for part, loser in state["markers"].items() if loser == name]
        notes = [f"verloren: {', '.join(marks)}"] if marks else []
        notes += ["ausgeschieden"] if name in state["out"] else []
        tail = f"  ({'; '.join(notes)})" if notes else ""
        lines.append(f"  {name:<{width}}  {state['holdings'][name]:>2} Deckel{tail}")
    if state["history"]:
        settled = state["history"][-1]
        order = ", ".join(f"{r['player']} {r['name']}" for r in settled["order"])
        lines.append(f"Letzte Runde: {order}")
    lines += [
        f"Kasse: {item['player']} {item['eur']} € ({item['text_de']}) [{item['section']}]"
        for item in state["cash"]
    ]
    if state["game"]["game_loser"]:
        lines.append(f"Das Spiel verloren hat {state['game']['game_loser']}.")
    elif state["game"]["abandoned"]:
        lines.append("Das Spiel ist abgebrochen; niemand hat es verloren.")
    elif state["turn"]:
        lines.append(f"Am Zug: {state['turn']['player']}")
    return "\n".join(lines)
