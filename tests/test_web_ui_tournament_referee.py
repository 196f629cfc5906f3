"""The referee of all tables: what is open, its evidence, and what a ruling sends where."""

from pathlib import Path
from typing import Any

import pytest
from hall_client import organiser, visitor, words
from hall_scenes import CLIP, STILL, asked
from tournament_hall import MemoryHall
from werkzeug.test import TestResponse

from web_ui.i18n import messages

EVIDENCE = f"/tournament/evidence/tisch-1/{STILL}"


def ruling(hall: MemoryHall, **fields: Any) -> TestResponse:
    return organiser(hall).post("/tournament/referee?lang=en", data={"by": "Ute", **fields})


def test_everything_that_is_open_is_shown_the_oldest_first(tmp_path: Path):
    page = words(organiser(asked(tmp_path)).get("/tournament/referee"))
    assert "3 offene Sachen" in page
    first, second, third = (page.index(kind) for kind in ("Frage", "Fall", "Angezweifelt"))
    assert first < second < third
    assert "Ein Würfel liegt schräg." in page
    english = words(organiser(asked(tmp_path)).get("/tournament/referee?lang=en"))
    assert "A die lies aslant." in english


@pytest.mark.parametrize(
    ("about", "fields", "sent"),
    [
        ("q1", {"way": "dice", "dice": "6-5-2"},
         {"type": "answer_question", "question_id": "q1", "by": "Ute", "dice": [6, 5, 2]}),
        ("q1", {"way": "burning", "dice": "6-5-3"},
         {"type": "answer_question", "question_id": "q1", "by": "Ute", "verdict": "burning"}),
        ("c1", {"way": "fault", "reason": ""},
         {"type": "rule_case", "case_id": "c1", "verdict": "fault", "by": "Ute"}),
        ("c1", {"way": "dismissed", "reason": "Film"},
         {"type": "rule_case", "case_id": "c1", "verdict": "dismissed", "by": "Ute",
          "reason": "Film"}),
    ],
)  # fmt: skip
def test_a_ruling_is_sent_to_its_table(
    tmp_path: Path, about: str, fields: dict[str, str], sent: dict[str, Any]
):
    hall = asked(tmp_path)
    answer = ruling(hall, table="tisch-1", id=about, **fields)
    assert answer.status_code == 303
    assert hall.ruled == [("tisch-1", sent, "Ute")]
    assert about not in [one.id for one in hall.pending]


@pytest.mark.parametrize(
    ("fields", "status", "said"),
    [
        ({"table": "tisch-1", "id": "q1", "way": "dice", "dice": "7-1-1"}, 400, "dice is '711'"),
        ({"table": "tisch-1", "id": "q1", "way": "dice", "dice": ""}, 400, "dice is"),
        ({"table": "tisch-1", "id": "q1", "way": "fault"}, 400, "verdict is 'fault'"),
        ({"table": "tisch-1", "id": "q1", "way": "next_player"}, 400, "'next_player'"),
        ({"table": "tisch-2", "id": "claim-4", "way": "fault"}, 400, "verdict is 'fault'"),
        ({"table": "tisch-2", "id": "q1", "way": "dice", "dice": "111"}, 409, "decided already"),
        ({}, 409, "decided already"),
    ],
)
def test_what_cannot_be_ruled_so_is_refused(
    tmp_path: Path, fields: dict[str, str], status: int, said: str
):
    hall = asked(tmp_path)
    answer = ruling(hall, **fields)
    assert answer.status_code == status
    assert said in words(answer)
    assert not hall.ruled


def test_a_table_that_cannot_be_reached_says_so(tmp_path: Path):
    hall = asked(tmp_path)
    hall.offline.add("tisch-1")
    answer = ruling(hall, table="tisch-1", id="q1", way="dice", dice="653")
    assert answer.status_code == 409
    assert "tisch-1 cannot be reached" in words(answer)
    assert hall.pending[0].id == "q1"


def test_evidence_is_shown_once_it_is_here(tmp_path: Path):
    hall = asked(tmp_path)
    page = organiser(hall).get("/tournament/referee").text
    assert f'src="{EVIDENCE}"' in page
    assert "Das Bild wird vom Tisch geholt." in words(page)
    assert ("tisch-1", CLIP) in hall.asked
    with organiser(hall).get(EVIDENCE) as picture:
        assert picture.status_code == 200
        assert picture.mimetype == "image/png"
        assert "script-src" not in picture.headers["Content-Security-Policy"]


def test_evidence_of_what_is_not_open_is_neither_sent_nor_asked_for(tmp_path: Path):
    hall = asked(tmp_path)
    client = organiser(hall)
    hall.asked.clear()
    for path in (f"tisch-1/{'c' * 64}", f"tisch-2/{STILL}", "tisch-1/..%2f..%2fetc%2fpasswd"):
        assert client.get(f"/tournament/evidence/{path}").status_code == 404
    assert hall.asked == []
    assert client.get(f"/tournament/evidence/tisch-1/{CLIP}").status_code == 404  # not here yet


def test_evidence_of_a_kind_that_is_no_picture_is_not_sent(tmp_path: Path):
    hall = asked(tmp_path)
    page = tmp_path / "evil.html"
    page.write_text("<script>")
    hall.files["tisch-1", STILL] = page
    assert organiser(hall).get(EVIDENCE).status_code == 404


def test_only_a_referee_sees_and_rules(tmp_path: Path):
    hall = asked(tmp_path)
    assert visitor(hall).get("/tournament/referee").status_code == 302
    assert visitor(hall).get(EVIDENCE).status_code == 401
    assert organiser(hall, "table").get(EVIDENCE).status_code == 403
    fields = {"table": "tisch-1", "id": "q1", "way": "dice", "dice": "653"}
    assert organiser(hall, "table").post("/tournament/referee", data=fields).status_code == 403
    client = organiser(hall)
    client.environ_base.pop("HTTP_X_CSRF_TOKEN")
    assert client.post("/tournament/referee", data=fields).status_code == 403
    assert not hall.ruled


def test_nothing_open_is_told():
    page = words(organiser(MemoryHall()).get("/tournament/referee?lang=en"))
    assert messages("en")["hall.queue.none"] in page
