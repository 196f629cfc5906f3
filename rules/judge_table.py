"""Judge what happens beside the dice: faults and penalties."""

from collections.abc import Mapping
from typing import Any

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.judge_faults import COMPUTED
from rules.judge_input import Fields

SAME_EVENT: Mapping[str, str] = {
    "laden": "loading",
    "fire": "burning",
    "feuer": "burning",
    "brennt": "burning",
    "burnt": "burning",
    "burns": "burning",
    "tuermchen": "tower",
    "türmchen": "tower",
    "cocked": "tilted",
    "leaning": "tilted",
    "dropped_die": "drop_die",
    "off_mat": "drop_die",
    "off_table": "drop_die",
    "spinksen": "peek",
    "blow": "bang_table",
    "blowing": "bang_table",
}
"""Other words for an event at the table."""

NOTHING = "null"
"""How a book file writes that a value of an outcome is nothing; TOML has no word for it."""


def judge_penalty(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what follows from an event that is not a throw."""
    event = asked.text("event")
    event = SAME_EVENT.get(event, event)
    if event in COMPUTED:
        return COMPUTED[event](book, asked)
    if event not in book.penalties:
        known = ", ".join(sorted({*book.penalties, *COMPUTED}))
        raise MalformedRecord(f"the book {book.key!r} has no rule for {event!r}; known: {known}")
    penalty = book.penalties[event]
    outcome = {k: None if value == NOTHING else value for k, value in penalty.outcome.items()}
    return {**outcome, "rule": penalty.source.cite()}
