"""Flip every switch of every book: some worked case or golden game must then come out otherwise.

What is flipped is the book, not the code: a decision that no case and no golden game would miss is
a decision that nobody has written down an example for. `pytest -s` tells how many were caught.
"""

import json
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any, Literal, get_args, get_origin, get_type_hints

import pytest

import rules.library
from rules import Match
from rules.book import RuleBook, decision_fields
from rules.errors import BookError, RulesError
from rules.judge import answer
from rules.library import all_books
from rules.transcript import replay_script

GOLDEN = Path(__file__).parent / "golden"
CASES = Path(__file__).resolve().parents[2] / "shared" / "rules" / "cases-dev.jsonl"
HINTS = get_type_hints(RuleBook)
TIE_BREAKS = (("throws", "order"), ("throws", "hand", "order"), ("throws", "koenigswurf", "order"))


def others(book: RuleBook, name: str) -> list[Any]:
    """Values that a field does not have and could have."""
    value, hint = getattr(book, name), HINTS[name]
    if name == "tie_break":
        options: list[Any] = list(TIE_BREAKS)
    elif hint is bool:
        options = [True, False]
    elif get_origin(hint) is Literal or get_args(hint):
        options = [o for arg in get_args(hint) for o in (get_args(arg) or (arg,))]
    elif hint is int:
        options = [value + 1, value - 1]
    else:
        options = [f"{value}x"]
    return [option for option in options if option != value]


def flips() -> Iterator[tuple[RuleBook, str, Any]]:
    """Every book with one field changed, as far as it is a book then."""
    for book in all_books():
        for name in decision_fields():
            if has_no_effect(book, name):
                continue
            for value in others(book, name):
                try:
                    yield replace(book, **{name: value}), name, value
                except BookError:
                    continue


def _cases(key: str) -> list[dict[str, Any]]:
    lines = CASES.read_text(encoding="utf-8").splitlines()
    cases = [case for case in map(json.loads, filter(str.strip, lines)) if case["book"] == key]
    examples = (GOLDEN / "examples.jsonl").read_text(encoding="utf-8").splitlines()
    for row in map(json.loads, examples):
        if key in row["expect"]:
            cases.append({**row, "book": key, "expect": row["expect"][key]})
    return cases


def has_no_effect(book: RuleBook, name: str) -> bool:
    """Whether a switch is idle in a book, because another one leaves it nothing to decide."""
    return {
        "jule_one_throw": not book.jule_421,
        "koenigswurf_any_count": "koenigswurf" not in book.tie_break,
        "voluntary_take_source": not book.voluntary_take,
        "turn_keep_side": book.keep == "only_ones",
        "replacement_counts_as": "void" not in book.lift_early + book.too_many_throws,
        "sweep_adds_to_loss_fee": not book.loss_fee_eur,
        "cl_adds_to_loss_fee": not book.loss_fee_eur or not book.cl_fee_per_schock_aus_eur,
        "fee_box": not book.loss_fee_eur and not book.sweep_fee_eur,
        "start_value_scope": book.start == "single_die",
    }.get(name, False)


def caught_by(book: RuleBook, cases: list[dict[str, Any]]) -> str:
    """The first case or golden game that comes out otherwise; "" if none does."""
    for case in cases:
        question = {key: case[key] for key in ("id", "book", "kind", "input")}
        judged = answer(question)
        if {key: judged.get(key) for key in case["expect"]} != case["expect"]:
            return str(case["id"])
    try:
        Match.new(book, ["Anna", "Bert"])
    except RulesError:
        return "two players may play"
    for golden in sorted(GOLDEN.glob(f"{book.key}_*.txt")):
        text = golden.read_text(encoding="utf-8")
        try:
            if replay_script(text) != text:
                return golden.stem
        except Exception:
            return golden.stem
    return ""


@pytest.mark.skipif(not CASES.is_file(), reason=f"the shared rule cases are not there: {CASES}")
def test_every_flip_is_caught(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    books = all_books()
    missed, caught = [], 0
    by_book = {book.key: _cases(book.key) for book in books}
    for flipped, name, value in flips():
        mixed = tuple(flipped if book.key == flipped.key else book for book in books)
        monkeypatch.setattr(rules.library, "all_books", lambda mixed=mixed: mixed)
        finder = caught_by(flipped, by_book[flipped.key])
        caught += bool(finder)
        if not finder:
            missed.append(f"{flipped.key}.{name} = {value!r}")
    print(f"{caught} of {caught + len(missed)} flips caught")
    assert not missed, "write an example that would miss these (golden/examples.jsonl)"
