"""Every case of the shared rule questions, and our own examples, are judged as expected.

An example of ours is one question put to several books: `golden/examples.jsonl`, each line with the
row of the rule matrix that its answers were read from.
"""

import json
from pathlib import Path
from typing import Any

import pytest

from rules import all_books
from rules.judge import answer

CASES = Path(__file__).resolve().parents[2] / "shared" / "rules" / "cases-dev.jsonl"
EXAMPLES = Path(__file__).parent / "golden" / "examples.jsonl"
OFFERED = {book.key for book in all_books()}


def _cases() -> list[Any]:
    if not CASES.is_file():
        reason = f"the shared rule cases are not there: {CASES}"
        return [pytest.param(None, marks=pytest.mark.skip(reason=reason), id="no-cases")]
    lines = CASES.read_text(encoding="utf-8").splitlines()
    cases = [json.loads(line) for line in lines if line.strip()]
    return [pytest.param(case, id=case["id"]) for case in cases if case["book"] in OFFERED]


@pytest.mark.parametrize("case", _cases())
def test_case_is_judged_as_expected(case: dict[str, Any]) -> None:
    question = {key: case[key] for key in ("id", "book", "kind", "input")}
    judged = answer(question)
    assert "error" not in judged, judged
    assert {key: judged.get(key) for key in case["expect"]} == case["expect"], case["why"]
    assert judged["id"] == case["id"]
    assert judged["rule"]


def _examples() -> list[Any]:
    rows = [json.loads(line) for line in EXAMPLES.read_text(encoding="utf-8").splitlines()]
    return [
        pytest.param(row, book, id=f"{row['id']}-{book}") for row in rows for book in row["expect"]
    ]


@pytest.mark.parametrize(("example", "book"), _examples())
def test_example_is_judged_as_written(example: dict[str, Any], book: str) -> None:
    judged = answer({"book": book, **{key: example[key] for key in ("id", "kind", "input")}})
    expected = example["expect"][book]
    assert {key: judged.get(key) for key in expected} == expected, example["why"]
