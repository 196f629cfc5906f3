"""One rule question in, one answer out; a question that cannot be judged says why.

A question is `{"id": …, "book": …, "kind": …, "input": {…}}`. The answer carries the
`id`, the fields of its kind, and `rule`: the section of the book that it rests on.
If the question cannot be judged, the answer is `{"id": …, "error": "…"}`.

>>> answer({"id": 1, "book": "turnier", "kind": "value", "input": {"dice": [1, 6, 1]}})["name"]
'Schock 6'
"""

from collections.abc import Callable, Mapping
from typing import Any

from rules.book import RuleBook
from rules.errors import RulesError
from rules.judge_fees import judge_fee
from rules.judge_input import Fields, read_fields
from rules.judge_part import judge_game, judge_start
from rules.judge_round import judge_rank, judge_turn, judge_value, judge_visibility
from rules.judge_settle import judge_half, judge_settle
from rules.judge_table import judge_penalty
from rules.library import find_book

KINDS: Mapping[str, Callable[[RuleBook, Fields], dict[str, Any]]] = {
    "rank": judge_rank,
    "value": judge_value,
    "turn": judge_turn,
    "settle": judge_settle,
    "half": judge_half,
    "game": judge_game,
    "start": judge_start,
    "visibility": judge_visibility,
    "penalty": judge_penalty,
    "fee": judge_fee,
}
"""What can be asked."""


def answer(question: Any) -> dict[str, Any]:
    """Judge one rule question; never raises for a question of whatever form.

    Args:
        question: the JSON object; see the module's text.

    Returns:
        The answer with `id` and `rule`, or `id` and `error`.
    """
    identity = question.get("id") if isinstance(question, Mapping) else None
    try:
        asked = read_fields(question, "a question")
        book = find_book(asked.text("book"))
        kind = asked.choice("kind", tuple(KINDS))
        return {"id": identity, **KINDS[kind](book, read_fields(asked.need("input"), "'input'"))}
    except RulesError as error:
        return {"id": identity, "error": _sentence(error)}


def _sentence(error: RulesError) -> str:
    text = str(error)
    return f"{text[:1].upper()}{text[1:].rstrip('.')}."
