"""What is called out at the table, and to which sound: a few kinds of entry, each once.

A call has a key of what it tells, not of the entry that told it: who takes his stop back and stops
again with the same result is not called out a second time.
"""

from collections.abc import Callable, Mapping
from typing import Any

from web_ui.i18n import text
from web_ui.ports import LogEntry
from web_ui.projection import Board
from web_ui.sentences import describe
from web_ui.wording import spoken

SCHOCK_AUS = "schock_aus"

SOUNDS: Mapping[str, str] = {
    "stopped": "result",
    "burnt": "ask",
    "deckel_moved": "deckel",
    "opening_settled": "result",
    "player_out": "out",
    "half_over": "milestone",
    "game_over": "milestone",
    "round_ruled": "ruling",
    "deckel_ruled": "ruling",
    "throw_corrected": "ruling",
    "question.asked": "ask",
}
"""Entries that are called out, with the sound before the words."""


def calls_of(board: Board, lang: str) -> list[dict[str, Any]]:
    """Return the calls among the latest entries, oldest first."""
    number = len(board.games)
    calls = []
    for entry in board.entries:  # newest first, so that the number of the game counts down
        call = _call(entry, number, lang)
        if call is not None:
            calls.append(call)
        number -= entry.type == "match_started"
    return calls[::-1]


def _call(entry: LogEntry, game: int, lang: str) -> dict[str, Any] | None:
    aus = entry.type == "thrown" and entry.data.get("category") == SCHOCK_AUS
    sound = SCHOCK_AUS if aus and entry.data.get("shown", True) else SOUNDS.get(entry.type)
    if sound is None:
        return None
    try:
        said = _WORDS.get(entry.type, _sentence)(lang, entry)
        player = str(entry.data["player"]) if sound == SCHOCK_AUS else ""
    except (KeyError, TypeError, AttributeError):  # in an unknown form: there is nothing to call
        return None
    place = [entry.data.get(name) for name in ("part", "round", "throw_id", "player", "taker")]
    return {
        "seq": entry.seq,
        "key": "|".join(map(str, (game, entry.type, *place, said))),
        "sound": sound,
        "text": said,
        "celebrate": player,
    }


def _sentence(lang: str, entry: LogEntry) -> str:
    return describe(lang, entry.type, entry.data).text


def _schock_aus(lang: str, entry: LogEntry) -> str:
    return text(lang, "call.schock_aus", player=entry.data["player"])


def _result(lang: str, entry: LogEntry) -> str:
    result = spoken(lang, entry.data["result"])
    return text(lang, "call.result", player=entry.data["player"], result=result)


_WORDS: Mapping[str, Callable[[str, LogEntry], str]] = {
    "thrown": _schock_aus,
    "stopped": _result,
}
