"""What the table's own page shows: the scoreboard, hand entry, and the throws to be disputed."""

from collections.abc import Mapping
from typing import Any

from web_ui.evidence import is_picture_name
from web_ui.hand import Hand, hand_of
from web_ui.i18n import text
from web_ui.ports import CLAIM
from web_ui.projection import Board
from web_ui.scoreboard import present
from web_ui.wording import burns_text, dice_of, number_in

Json = Mapping[str, Any]

THROWS_SHOWN = 12
"""Latest throws that can be disputed here; older ones at the referee's desk."""


def present_table(board: Board, lang: str) -> dict[str, Any]:
    """Return the table's page as its templates need it.

    Args:
        board: the state.
        lang: language of the texts.

    Returns:
        `scoreboard.present`, and `hand` (`web_ui.hand.Hand`, or None), `hand_version`
        (another one where what has been typed does not belong any more) and `throws`.
    """
    return present(board, lang) | {
        "hand": _hand(board, lang),
        "hand_version": _version(board),
        "throws": throws_of(board, lang, most=THROWS_SHOWN),
    }


def _hand(board: Board, lang: str) -> Hand | None:
    """What can be entered; nothing before a game and where the log ends inside of a decision."""
    if board.game is None or board.game.missing():
        return None
    return hand_of(board.game, lang, text(lang, "question.by"))


def throws_of(board: Board, lang: str, *, most: int) -> list[dict[str, Any]]:
    """Return the latest throws of the game, newest first, each with its picture."""
    match = board.match or {}
    disputed = {number_in(case, "throw_id") for case in board.cases if case.get("kind") == CLAIM}
    return [
        {
            "id": throw["throw_id"],
            "player": throw["player"],
            "dice": dice_of(throw["dice"]),
            "outside": dice_of(throw["outside"]),
            "burns": burns_text(lang, throw) if throw["burns"] else "",
            "where": _where(throw, lang),
            "disputed": throw["throw_id"] in disputed,
            "still": _still(board, throw["throw_id"]),
        }
        for throw in reversed(match.get("throws", ())[-most:])
    ]


def _where(throw: Json, lang: str) -> str:
    part = text(lang, f"part.{throw['part']}")
    if throw["part"] == "opening":
        return part
    return f"{part}, {text(lang, 'round', n=throw['round'])}"


def _still(board: Board, throw_id: int) -> str:
    fact = board.facts.get(board.fact_of_throw.get(throw_id, 0))
    return fact.still if fact is not None and is_picture_name(fact.still) else ""


def _version(board: Board) -> str:
    """Changes with every throw and move of the game, and not with anything else."""
    if board.game is None:
        return ""
    state = board.game.state
    return f"{len(board.games)}-{state.next_throw_id}-{len(state.record)}-{state.current_player}"
