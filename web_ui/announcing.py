"""What a referee has decided, as it is shown to everybody: once, with what has changed by it."""

from collections.abc import Iterable
from typing import Any

from rules.repeating import BY_REFEREE
from web_ui.consequences import changes
from web_ui.ports import LogEntry
from web_ui.projection import Board
from web_ui.sentences import describe


def rulings_of(board: Board, lang: str) -> list[dict[str, Any]]:
    """Return the latest rulings, oldest first.

    Args:
        board: the state.
        lang: language of the texts.

    Returns:
        `seq` (a page shows each once), `text`, `dice`, and `changes`: what is otherwise now.
    """
    told = [
        _told(ruling.entry, lang, changes(ruling.before, ruling.after, lang))
        for ruling in board.rulings
    ]
    told += [_told(entry, lang) for entry in _words_alone(board.entries)]
    return sorted(told, key=lambda ruling: ruling["seq"])


def _words_alone(entries: Iterable[LogEntry]) -> Iterable[LogEntry]:
    """Rulings that move no Deckel by themselves; those that do are told of by what they do."""
    for entry in entries:
        closed = entry.type == "case.closed" and not entry.data.get("action")
        again = entry.type == "burnt" and entry.data.get("burns") == BY_REFEREE
        if closed or again or entry.type == "fault_reported":
            yield entry


def _told(entry: LogEntry, lang: str, changed: Iterable[str] = ()) -> dict[str, Any]:
    sentence = describe(lang, entry.type, entry.data)
    return {
        "seq": entry.seq,
        "text": sentence.text,
        "dice": sentence.dice,
        "changes": list(changed),
    }
