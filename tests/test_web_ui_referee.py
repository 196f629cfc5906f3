"""The referee's desk: what is open, what the camera saw, what a ruling would change."""

from pathlib import Path
from typing import Any

import pytest
from flask.testing import FlaskClient
from web_ui_access import known_pins, signed_in
from web_ui_desk import DeskTable, dispute, first_round, thrown_by

from web_ui import create_app
from web_ui.access import Access
from web_ui.announcing import rulings_of
from web_ui.projection import Board, Projection
from web_ui.refereeing import present_referee


@pytest.fixture
def table(tmp_path: Path) -> DeskTable:
    """After the first round, which Anna has lost with 5-4-2."""
    return first_round(DeskTable("Anna", "Ben", "Cem", folder=tmp_path))


def board_of(table: DeskTable) -> Board:
    return Projection(table.log, log_lines=40).board()


def desk_of(table: DeskTable, item: str = "", lang: str = "de") -> dict[str, Any]:
    return present_referee(board_of(table), lang, item)


def correction(table: DeskTable, player: str, *dice: int) -> dict[str, Any]:
    about = {"player": player, "throw_id": thrown_by(table, player)["throw_id"]}
    return {"type": "correct_throw", **about, "dice": list(dice), "by": "Ute", "reason": "Film"}


@pytest.fixture
def client(table: DeskTable, tmp_path: Path) -> FlaskClient:
    access, settings = Access(known_pins()), {"EVIDENCE_DIR": str(tmp_path)}
    app = create_app(table.log, table.act, settings, access=access, preview=table.preview)
    return signed_in(app, "referee")


# What is open


def test_questions_come_first_then_cases_and_claims(table: DeskTable):
    dispute(table)
    table.see("unsure", (6, 5, 4), sure=False, reason="kind", candidates=((6, 5, 4), (6, 5, 3)))
    desk = desk_of(table)
    assert [item["kind"] for item in desk["queue"]] == ["question", "claim"]
    assert desk["queue_text"] == "2 offene Sachen"
    assert desk["item"]["kind"] == "question", "the first one is looked at"
    assert desk["item"]["ways"][:2] == ("answer", "verdict:burning")


def test_a_claim_shows_the_throw_its_evidence_and_the_round(table: DeskTable):
    dispute(table)
    item = desk_of(table)["item"]
    assert item["title"] == "Wurf von Anna, 1. Hälfte, Runde 1"
    assert item["text"] == "Ben zweifelt den Wurf von Anna an: Das war eine Drei"
    assert item["throw"].dice == (5, 4, 2)
    assert item["evidence"]["still"].endswith(".jpg")
    assert [box["value"] for box in item["evidence"]["boxes"]] == [5, 4, 2]
    assert item["ways"] == ("dismissed", "correct", "repeat", "round", "deckel", "word")
    ended = item["round"]
    assert (ended["loser"], ended["winner"], ended["deckel"]) == ("Anna", "Cem", 1)


def test_a_case_shows_what_the_book_says_of_it(table: DeskTable):
    table.see("throw_seen", (6, 4, 2))
    table.say("turned", (1,), (1,))
    item = desk_of(table)["item"]
    assert item["kind"] == "case"
    assert item["ways"][:2] == ("fault", "dismissed")
    assert item["rules"][-1]["text"] == "Die Entscheidung des Schiedsrichters gilt."
    assert any("Sechs" in rule["text"] for rule in item["rules"])
    assert desk_of(table, lang="en")["item"]["rules"][-1]["text"].startswith("The referee")


def test_any_throw_can_be_looked_at_and_corrected(table: DeskTable):
    number = thrown_by(table, "Ben")["throw_id"]
    item = desk_of(table, f"throw-{number}")["item"]
    assert (item["title"], item["ways"]) == (
        "Wurf von Ben",
        ("correct", "repeat", "round", "deckel"),
    )
    assert desk_of(table, "throw-999")["item"] is None
    assert desk_of(table, "throw-٣")["item"] is None
    assert desk_of(table, "case-nothing")["item"] is None


def test_a_burnt_throw_of_the_opening_can_be_looked_at_and_has_nothing_to_decide(
    tmp_path: Path,
):
    table = DeskTable("Anna", "Ben", folder=tmp_path)
    player = str(table.game.player)
    table.by_hand("throw", player=player, dice=[], burns="tower")
    number = thrown_by(table, player)["throw_id"]
    app = create_app(table.log, table.act, access=Access(known_pins()), preview=table.preview)
    page = signed_in(app, "referee").get(f"/referee?item=throw-{number}").text
    assert f"Wurf von {player}" in page
    assert 'id="decide"' not in page


def test_a_throw_entered_by_hand_says_that_nobody_saw_it(table: DeskTable):
    table.by_hand("throw", player="Anna", dice=[6, 5, 1])
    number = thrown_by(table, "Anna")["throw_id"]
    evidence = desk_of(table, f"throw-{number}")["item"]["evidence"]
    assert (evidence["seq"], evidence["still"]) == (0, "")
    assert evidence["note"].startswith("Davon hat die Kamera nichts gesehen")


def test_a_claim_of_an_earlier_game_can_only_be_put_on_record(table: DeskTable):
    dispute(table)
    table.submit("abandon", reason="late")
    table.submit("begin_game", players=["Anna", "Ben", "Cem"])
    item = desk_of(table)["item"]
    assert item["ways"] == ("dismissed", "word")
    assert item["throw"] is None


# What the camera saw


def test_what_was_read_is_shown_with_how_sure_it_was(table: DeskTable):
    seq = table.see("unsure", (6, 5, 4), sure=False, doubt=3, reason="values")
    evidence = desk_of(table)["item"]["evidence"]
    assert evidence["seq"] == seq
    assert evidence["size"] == (960, 750)
    assert [reading["percent"] for reading in evidence["readings"]] == [98, 98, 56]
    assert [reading["sure"] for reading in evidence["readings"]] == [True, True, False]
    assert evidence["readings"][2]["rows"][0]["bars"] == [1, 1, 40, 56, 1, 1]


def test_both_witnesses_are_told_apart_where_the_log_has_their_words(table: DeskTable):
    witness = {"position_mm": [10, 10], "value": 4, "probability": 0.61, "sure": False}
    table.t_s += 1.0
    data = {
        "t_s": table.t_s,
        "type": "unsure",
        "dice": [4],
        "outside": [],
        "sure": False,
        "readings": [
            {
                **witness,
                "detector": [0, 0, 0, 1.0, 0, 0],
                "second": [0, 0, 0.9, 0.1, 0, 0, 0],
                "stands": [0.71, 0.01, 0.28],
            },
            {"value": 9, "probability": "much"},
            "nonsense",
        ],
        "lying": {"mat": [0, "x"], "dice": [{"box": [1, 2], "probabilities": None}, 7]},
    }
    entry = table.game.record("table.unsure", data)
    asked = {"question_id": "q", "seq": entry.seq, "player": "Anna", "dice": [4], "outside": []}
    table.game.note("question.asked", asked)
    (reading,) = desk_of(table)["item"]["evidence"]["readings"]
    assert [row["name"] for row in reading["rows"]] == ["Erkenner", "Augenzähler"]
    assert [row["bars"].index(max(row["bars"])) + 1 for row in reading["rows"]] == [4, 3]
    assert reading["percent"] == 61
    assert reading["stands"] == "Lage: flach 71 %, brennt 28 %, Türmchen 1 %"
    app = create_app(table.log, table.act, access=Access(known_pins()), preview=table.preview)
    assert signed_in(app, "referee").get("/referee").text.count(reading["stands"]) == 1


def test_a_clip_that_is_still_being_written_says_so_and_then_plays(table: DeskTable):
    dispute(table)
    evidence = desk_of(table)["item"]["evidence"]
    assert (evidence["clip"], evidence["note"]) == ("", "Der Film wird gerade geschrieben.")
    kept = {"seq": evidence["seq"], "kind": "clip", "file": "clip-1.webm"}
    table.game.note("evidence.kept", kept)
    after = desk_of(table)["item"]
    assert (after["evidence"]["clip"], after["evidence"]["note"]) == ("clip-1.webm", "")
    table.game.note("evidence.dropped", {"files": ["clip-1.webm"], "rule": "days"})
    assert desk_of(table)["item"]["evidence"]["note"].startswith("Der Film ist nach Ablauf")


def test_a_file_of_another_name_is_never_asked_for(table: DeskTable):
    dispute(table)
    seq = desk_of(table)["item"]["evidence"]["seq"]
    for name in ("../../etc/passwd", "a/b.webm", ".x.webm", "x.html"):
        table.game.note("evidence.kept", {"seq": seq, "kind": "clip", "file": name})
        assert desk_of(table)["item"]["evidence"]["clip"] == ""


# What is told of rulings


def test_a_ruling_is_told_with_what_has_changed(table: DeskTable):
    table.act(correction(table, "Anna", 6, 5, 3))
    (told,) = rulings_of(board_of(table), "de")
    assert told["text"] == "Ute berichtigt den Wurf von Anna: statt 5-4-2 liegt da"
    assert told["dice"] == (6, 5, 3)
    assert told["changes"] == [
        "Anna: 0 Deckel statt 1.",
        "Ben: 1 Deckel statt 0.",
        "1. Hälfte: bleibt offen.",
        "Am Zug ist Ben statt Anna.",
    ]


def test_a_claim_that_is_dismissed_and_a_throw_to_be_repeated_are_told_too(table: DeskTable):
    dispute(table)
    table.rule("dismissed")
    about = {"player": "Ben", "throw_id": thrown_by(table, "Ben")["throw_id"], "by": "Ute"}
    table.act({"type": "repeat_throw", **about, "reason": "stand schief"})
    told = rulings_of(board_of(table), "de")
    assert [ruling["text"].split(":")[0] for ruling in told] == [
        "Ute entscheidet für Anna",
        "Ben",
    ]
    assert told[0]["seq"] < told[1]["seq"]


# The page


def test_only_a_referee_sees_the_desk(table: DeskTable):
    app = create_app(table.log, table.act, access=Access(known_pins()))
    stranger = app.test_client()
    led = stranger.get("/referee")
    assert (led.status_code, "/signin?role=referee" in led.headers["Location"]) == (302, True)
    assert stranger.get("/referee/board").status_code == 401
    assert signed_in(app, "table").get("/referee/board").status_code == 403
    assert signed_in(app, "admin").get("/referee").status_code == 200


@pytest.mark.parametrize("lang", ["de", "en"])
def test_the_page_is_whole_in_both_languages(table: DeskTable, client: FlaskClient, lang: str):
    dispute(table)
    table.see("unsure", (6, 5, 4), sure=False, reason="kind", candidates=((6, 5, 4), (6, 5, 3)))
    for item in [one["id"] for one in desk_of(table)["queue"]] + ["throw-2", "nothing"]:
        page = client.get("/referee", query_string={"lang": lang, "item": item})
        assert page.status_code == 200
        assert " style=" not in page.text


def test_trying_tells_before_and_after_and_changes_nothing(table: DeskTable, client: FlaskClient):
    before = table.entries()
    tried = client.post("/api/try?lang=de", json=correction(table, "Anna", 6, 5, 3)).get_json()
    assert tried["texts"][0] == "1. Hälfte, Runde 1: Ben bekommt 1 Deckel."
    assert tried["players"][0] == {"name": "Anna", "before": 1, "after": 0}
    refused = client.post("/api/try", json=correction(table, "Anna", 5, 4, 2)).get_json()
    assert (refused["refused"]["code"], refused["texts"]) == ("unchanged", [])
    assert table.entries() == before
