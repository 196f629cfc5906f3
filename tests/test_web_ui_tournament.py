"""The overview and the wall of a tournament: what they say in every phase, and to whom."""

import random
import re
from collections.abc import Callable
from itertools import pairwise
from pathlib import Path

import pytest
from hall_client import organiser, visitor, words
from hall_scenes import (
    act,
    between,
    drawn,
    opened,
    over,
    people,
    playing,
    stechen,
    step,
)
from test_web_ui_assets import STATIC, loaded
from tournament_hall import START_S, MemoryHall
from web_ui_access import Clock, known_pins

from web_ui.access import Access
from web_ui.i18n import LANGUAGES, messages
from web_ui.tournament_app import create_hub_app
from web_ui.tournament_context import FRESH_S, Boards
from web_ui.tournament_ports import TableStatus

EVIL = "<script>alert(1)</script>"
SCENES: dict[str, Callable[[], MemoryHall]] = {
    "none": MemoryHall,
    "registration": lambda: opened(people(5)),
    "draw": drawn,
    "playing": playing,
    "between": between,
    "stechen": stechen,
    "over": over,
}
EVERYBODYS = (
    "/tournament",
    "/tournament/board",
    "/tournament/wall",
    "/tournament/wall/board",
    "/tournament/sheet",
    "/tournament/results.html",
)


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("scene", SCENES)
def test_looking_needs_no_pin_at_any_moment_in_both_languages(scene: str, lang: str):
    client = visitor(SCENES[scene]())
    for path in EVERYBODYS:
        answer = client.get(f"{path}?lang={lang}")
        expected = 404 if scene == "none" and "results" in path else 200
        assert answer.status_code == expected, path
        assert "{" not in words(answer), path
        csp = answer.headers["Content-Security-Policy"]
        assert "script-src 'self'" in csp
        assert "unsafe" not in csp
        assert not re.search(r"<script(?![^>]* src=)|\son\w+=|style=", answer.text), path


def test_the_phases_are_told():
    for scene, key in (
        ("registration", "registration"), ("between", "between"), ("stechen", "stechen"),
        ("over", "over"), ("none", "none"),
    ):  # fmt: skip
        client = visitor(SCENES[scene]())
        for lang in LANGUAGES:
            said = messages(lang)[f"hall.phase.{key}"]
            assert said in words(client.get(f"/tournament?lang={lang}")), scene
            assert said in words(client.get(f"/tournament/wall?lang={lang}")), scene


def test_every_place_is_told_with_its_reason():
    hall = over()
    tournament = hall.tournament()
    assert tournament is not None
    for lang in LANGUAGES:
        page = words(visitor(hall).get(f"/tournament?lang={lang}"))
        for one in tournament.standings:
            reason = one.reason_en if lang == "en" else one.reason_de
            assert f"{one.place}. {one.player} {reason}" in page


def test_who_looks_for_a_name_finds_the_table_and_who_else_sits_there():
    hall = drawn()
    tournament = hall.tournament()
    assert tournament is not None
    assert tournament.round is not None
    player = tournament.round.tables[1][0]
    others = [name for name in tournament.round.tables[1] if name != player]
    page = words(visitor(hall).get("/tournament", query_string={"name": player[:7].lower()}))
    assert f"{player} Tisch 2 mit {', '.join(others)}" in page
    nobody = visitor(hall).get("/tournament", query_string={"name": "Xaver"})
    assert messages("de")["hall.mine.nobody"] in words(nobody)


def test_who_sits_out_is_told_so():
    hall = opened(people(3), "verlustpunkte")
    act(hall, type="draw_round", by="R", tables=[list(people(2))])
    assert f"Springer: {people(3)[2]}" in words(visitor(hall).get("/tournament"))
    found = visitor(hall).get("/tournament", query_string={"name": people(3)[2]})
    assert messages("de")["hall.mine.out"] in words(found)


def test_names_are_never_markup(tmp_path: Path):
    hall = opened((EVIL, "Ben & Co", '"Cem" onload=x', "Dora"))
    act(hall, type="draw_round", by=EVIL)
    client = organiser(hall)
    paths = [*EVERYBODYS, *(f"/tournament/desk?at={at}" for at in ("players", "round", "cards"))]
    for path in (*paths, "/tournament/card/1/1", f"/tournament?name={EVIL}"):
        text = client.get(path).text
        assert EVIL not in text, path
        assert '"Cem" onload' not in text, path
    assert "&lt;script&gt;" in client.get("/tournament").text


def test_tables_are_told_as_their_cameras_see_them():
    hall = playing()
    hall.others = (TableStatus(name="ersatz", online=True),)
    page = words(visitor(hall).get("/tournament"))
    assert "nicht erreichbar seit 0:40" in page
    assert "12 Einträge fehlen hier noch" in page
    assert "Am Zug:" in page
    wall = visitor(hall).get("/tournament/wall?lang=en")
    assert "cannot be reached" in words(wall)
    assert "ersatz" in words(organiser(hall).get("/tournament/desk?at=cards"))


def test_a_viewer_of_an_older_log_is_told_to_start_afresh():
    client = visitor(opened(), STREAM_HEARTBEAT_S=0.01)
    with client.get("/api/stream?after=1000") as answer:
        first = next(iter(answer.response))
    assert "event: reset" in str(first)


def test_the_clock_counts_by_the_servers_time_from_the_draw_or_its_start():
    clock = Clock()
    clock.now_s = START_S
    hall = opened(people(9))
    hall.clock_s = clock
    act(hall, type="draw_round", by="R")
    app = create_hub_app(hall, access=Access(known_pins(), clock=clock))
    client = app.test_client()
    clock.now_s += 90
    assert "noch 58:30" in words(client.get("/tournament"))
    act(hall, type="start_clock")
    clock.now_s += 61
    assert "noch 58:59" in words(client.get("/tournament/wall"))
    told = client.get("/tournament").text
    assert f'data-now="{round(1000 * clock.now_s)}"' in told
    clock.now_s += 3600
    assert "Zeit um seit 1:01" in words(client.get("/tournament"))


def test_a_board_is_drawn_once_in_a_while_however_many_ask():
    boards, drawn_at = Boards(), []
    for tenth in range(32):
        at_s = tenth * FRESH_S / 10
        boards.get("wall", at_s, lambda at_s=at_s: drawn_at.append(at_s) or str(at_s))
    assert len(drawn_at) in (3, 4)
    assert all(later - before >= FRESH_S for before, later in pairwise(drawn_at))


def test_a_board_of_one_language_is_not_sent_to_the_other():
    client = visitor(playing())
    assert "Tisch 1" in client.get("/tournament/wall/board?lang=de").text
    assert "Table 1" in client.get("/tournament/wall/board?lang=en").text
    assert "Tisch 1" in client.get("/tournament/board").text
    assert "Table 1" in client.get("/tournament/board?lang=en").text


def test_a_page_is_never_newer_than_it_says():
    """What happens while it is made must not be told as seen: the stream would not wake it."""
    hall = playing()
    before = hall.seq
    real = hall.tournament

    def while_it_is_made() -> object:
        hall.log.append("thrown", {})
        return real()

    hall.tournament = while_it_is_made  # type: ignore[method-assign,assignment]
    page = visitor(hall).get("/tournament").text
    found = re.search(r'class="board hall-board" data-seq="(\d+)"', page)
    assert found is not None
    assert int(found[1]) == before


def test_the_front_page_leads_to_the_overview():
    answer = visitor(MemoryHall()).get("/?lang=en")
    assert answer.status_code == 302
    assert answer.headers["Location"] == "/tournament?lang=en"
    missing = visitor(MemoryHall()).get("/nothing")
    assert missing.status_code == 404
    assert 'href="/tournament?lang=de"' in missing.text


def test_health_names_tables_that_are_gone():
    assert visitor(opened()).get("/healthz").get_json()["status"] == "ok"
    told = visitor(playing()).get("/healthz").get_json()
    assert told["status"] == "degraded"
    assert "tisch-2" in told["faults"]


def test_the_first_view_of_a_large_field_stays_small():
    hall = between(people(96))
    for path in ("/tournament", "/tournament/wall"):
        page = visitor(hall).get(path).text
        named = [STATIC.parent / name for name in re.findall(r'="/(static/[^"]+)"', page)]
        files = {file for file in named if file.suffix != ".js"} | set(
            (STATIC / "fonts").glob("*.woff2")
        )
        files = files.union(*(loaded(file) for file in named if file.suffix == ".js"))
        sent = len(page.encode()) + sum(file.stat().st_size for file in files)
        assert sent < 150_000, f"{path}: {sent} bytes"


def test_the_state_is_told_as_json_and_follows():
    hall = playing()
    client = visitor(hall)
    told = client.get("/api/tournament").get_json()
    assert told["phase"] == "playing"
    assert told["tournament"]["rounds"][0]["waiting"]
    step(hall, random.Random(5))
    later = client.get("/api/tournament").get_json()
    assert later["seq"] > told["seq"]
    assert len(later["tournament"]["rounds"][0]["results"]) == 2
