"""The latest throw at a table, as the hall shows it. Pure."""

from __future__ import annotations

from rules.match import Match
from web_ui.ports import LogEntry
from web_ui.tournament_ports import LastThrow
from web_ui.wording import dice_of, figure

THROWN = frozenset({"thrown", "burnt", "covered"})
"""Entries of a table's log that tell of a throw."""


def last_throw(entry: LogEntry, match: Match | None) -> LastThrow:
    """Say what lies after a throw, with the dice that were put aside before it.

    Args:
        entry: of one of `THROWN`.
        match: the game after it; None where the log cannot be followed.
    """
    data, player = entry.data, str(entry.data.get("player", ""))
    turn = match.turn if match is not None and entry.type == "thrown" else None
    lies = turn.dice if turn is not None and turn.player == player else dice_of(data.get("dice"))
    named = {"category": data.get("category"), "name": str(data.get("name") or "")}
    return LastThrow(
        player=player, dice=lies, text_de=figure("de", named), text_en=figure("en", named)
    )
