"""Claims and rulings of somebody who may not, or in a form that hides something."""

import pytest
from flask import Flask
from test_web_ui_table import Table
from web_ui_access import CORRECTION, THROW, begin, code, guarded, refusals, signed_in


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def app(table: Table) -> Flask:
    return guarded(table)


@pytest.mark.parametrize("role", [None, "table"])
def test_what_a_ruling_would_change_only_the_referee_tries(
    app: Flask, table: Table, role: str | None
):
    client = signed_in(app, role) if role else app.test_client()
    refused = (401, "sign_in") if role is None else (403, "wrong_role")
    assert code(client.post("/api/try", json=CORRECTION)) == refused
    assert signed_in(app, "table").post("/api/actions", json=THROW).status_code == 200


def test_a_claim_without_a_pin(app: Flask, table: Table):
    claim = {"type": "claim", "throw_id": 1, "by": "Ben", "text": "Nein!"}
    stranger = app.test_client()
    begin(stranger)
    assert code(stranger.post("/api/actions", json=claim)) == (401, "sign_in")
    assert table.submitted == []
    assert refusals(table.log) == {"sign_in": 1}
    assert signed_in(app, "table").post("/api/actions", json=THROW).status_code == 200


@pytest.mark.parametrize(
    "more",
    [
        {"throw_id": "1"},
        {"throw_id": True},
        {"by": ""},
        {"by": "x" * 61},
        {"text": "x" * 301},
        {"text": 7},
    ],
)
def test_a_claim_of_no_form(app: Flask, table: Table, more: dict[str, object]):
    claim = {"type": "claim", "throw_id": 1, "by": "Ben", "text": "Nein!"} | more
    answer = signed_in(app, "table").post("/api/actions", json=claim)
    assert answer.status_code == 400
    assert table.submitted == []


def test_a_ruling_that_hides_another_deed(app: Flask, table: Table):
    ruling = {"type": "rule_case", "case_id": "c", "verdict": "ruled", "by": "Ute", "reason": "r"}
    client = signed_in(app, "referee")
    for inner in (THROW, ruling, {"type": "begin_game", "players": ["A", "B"], "by": "U"}, "x", 7):
        answer = client.post("/api/actions", json={**ruling, "action": inner})
        assert code(answer) == (400, "unknown_action")
    assert table.submitted == []


def test_the_table_takes_back_its_own_moves_and_no_ruling(app: Flask, table: Table):
    table.play_opening()
    back = {"type": "take_back", "by": "Ben"}
    moved = {"type": "rule_deckel", "giver": None, "taker": "Ben", "count": 1, "by": "U"}
    at_table, referee = signed_in(app, "table"), signed_in(app, "referee")
    assert referee.post("/api/actions", json={**moved, "reason": "r"}).status_code == 200
    assert code(at_table.post("/api/actions", json=back)) == (403, "wrong_role")
    assert table.match.holdings["Ben"] == 1
    assert referee.post("/api/actions", json=back).status_code == 200
    assert table.match.holdings["Ben"] == 0
    assert at_table.post("/api/actions", json=back).status_code == 200
