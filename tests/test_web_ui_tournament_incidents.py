"""Incidents at the desk: the hub's own on top, then the latest, each once, in both languages."""

import time
from typing import Any

import pytest
from hall_client import organiser, words
from hall_scenes import opened, playing

from web_ui.i18n import LANGUAGES, messages
from web_ui.tournament_incidents import MOST_OPEN

KINDS = (
    "forged", "stranger", "foreign", "conflict", "broken", "malformed", "too_large", "refused",
    "card_differs", "game_reopened", "result_refused:wrong_result", "tournament.refused",
    "log_not_followed",
)  # fmt: skip


def told(what: str, *, table: str = "tisch-1", at_s: float = 0.0, **more: Any) -> dict[str, Any]:
    text = {"text_de": f"{what}: auf Deutsch.", "text_en": f"{what}: in English."}
    return {"what": what, "table": table, "at_s": at_s or time.time(), **text, **more}


def desk(incidents: list[dict[str, Any]], lang: str = "en") -> str:
    hall = opened(("Anna",))
    hall.told = incidents
    answer = organiser(hall).get(f"/tournament/desk?lang={lang}")
    assert answer.status_code == 200
    return answer.text


@pytest.mark.parametrize("lang", LANGUAGES)
def test_every_kind_is_told_in_the_language_the_latest_first(lang: str):
    now = time.time()
    page = words(desk([told(kind, at_s=now - n) for n, kind in enumerate(KINDS)], lang))
    said = "auf Deutsch" if lang == "de" else "in English"
    found = [page.index(f"{kind}: {said}") for kind in KINDS]
    assert found == sorted(found)
    assert page.index(f"{messages(lang)['hall.incidents']} ({len(KINDS)})") < found[0]
    earlier = messages(lang)["hall.incidents.earlier"].format(n=len(KINDS) - MOST_OPEN)
    assert found[MOST_OPEN - 1] < page.index(earlier) < found[MOST_OPEN]


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("what", ["database", "broker", "receiver"])
def test_a_fault_of_the_hub_itself_is_an_alarm_above_everything_that_is_done(what: str, lang: str):
    page = desk([told("forged", at_s=time.time() + 60), told(what, table="")], lang)
    alarm = page.index('class="alarm"')
    assert alarm < page.index('class="parts-of"') < page.index("forged: ")
    assert what in words(page[alarm : page.index('class="parts-of"')])
    assert page.count(f"{what}: ") == 1
    assert 'role="alert" >' in page[alarm - 200 : alarm]


def test_a_table_raises_no_alarm_of_the_hub():
    page = desk([told("database", table="tisch-1")])
    assert 'class="alarm"' not in page
    assert "tisch-1 database: in English." in words(page)


def test_the_same_is_told_once_with_how_often_and_when_last():
    at_s = time.mktime((2026, 11, 20, 20, 15, 0, 0, 0, -1))
    page = words(
        desk([told("forged", at_s=at_s, count=7), told("forged", at_s=at_s - 60, count=1)])
    )
    assert page.count("forged: in English.") == 1
    assert "20.11. 20:15 tisch-1 forged: in English. 8 times" in page
    assert "times" not in words(desk([told("forged", count=1)]))


def test_what_says_nothing_in_the_language_is_told_all_the_same():
    page = words(desk([{"what": "x1", "text_de": "Nur deutsch."}, {"what": "x2", "at_s": None}]))
    assert "Nur deutsch." in page
    assert "A message without a text (x2)" in page


def test_a_probe_is_told_of_the_hubs_own_faults():
    hall = playing()
    hall.statuses = {}
    client = organiser(hall)
    assert client.get("/healthz").get_json()["status"] == "ok"
    hall.told = [told("broker", table=""), told("forged")]
    health = client.get("/healthz").get_json()
    assert (health["status"], health["faults"]) == ("degraded", ["broker"])
