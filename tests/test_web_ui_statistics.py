"""The statistics page and its numbers: what they count, how they are said, and how much it is."""

import random
import re
import time
import xml.etree.ElementTree as ET
from functools import reduce
from operator import add

import pytest
from flask.testing import FlaskClient
from test_web_ui_table import Table
from web_ui_scenes import evening, mid_round, names, play

from rules.actions import Abandon, ThrowDice
from rules.fairness import Faces
from rules.luck import first_throw
from rules.statistics import PlayerTally, Tally, tally
from web_ui import create_app
from web_ui.charts import Chart, drawn
from web_ui.fairness_words import fairness_text
from web_ui.i18n import LANGUAGES
from web_ui.projection import Projection
from web_ui.statistics import tally_of
from web_ui.statistics_view import present_statistics

SVG = "{http://www.w3.org/2000/svg}"
HTML_NAME = "<b>Ben</b> & 'Co'"
BUDGET_BYTES = 150_000
PATHS = ["/statistics", "/statistics?lang=en", "/statistics?span=evening", "/api/statistics"]


def client_of(table: Table, **settings: object) -> FlaskClient:
    return create_app(table.log, table.submit, settings).test_client()


def page_of(table: Table, path: str = "/statistics") -> str:
    response = client_of(table).get(path)
    assert response.status_code == 200, response.text
    return response.text


def numbers_of(table: Table, path: str = "/api/statistics") -> dict[str, object]:
    told: dict[str, object] = client_of(table).get(path).get_json()
    return told


def charts(page: str) -> list[ET.Element]:
    return [ET.fromstring(found) for found in re.findall(r'<svg [^>]*class="chart".*?</svg>', page)]


def cells(page: str, player: str) -> list[str]:
    """The row of a player in the first table."""
    row = re.search(rf'<tr data-player="{player}">(.*?)</tr>', page, re.DOTALL)
    assert row is not None
    return re.findall(r"<td>([^<]*)</td>", row[1])


@pytest.fixture
def table() -> Table:
    """The opening costs Cem one Deckel, the first round costs Ben four."""
    table = Table()
    table.play_opening()
    table.play_round()
    return table


def test_the_numbers_of_a_small_game(table: Table):
    told = numbers_of(table)
    assert (told["games"], told["rounds"], told["span"], told["broken"]) == (1, 2, "all", None)
    assert told["seq"] == table.last_seq()
    anna, ben, cem = told["players"]  # type: ignore[misc]
    assert (anna["player"], anna["rounds"], anna["longest_without_deckel"]) == ("Anna", 2, 2)
    assert (anna["given"], anna["taken"], anna["highest"]) == (1, 0, 1)
    assert (ben["given"], ben["taken"], ben["dearest"]["winner"]) == (0, 4, "Cem")
    assert (cem["given"], cem["taken"], cem["highest"], cem["lowest"]) == (4, 1, 1, 1)
    assert told["dearest"] == {
        "deckel": 4, "winner": "Cem", "loser": "Ben", "part": "half1", "round": 1,
        "result": "Schock 4",
    }  # fmt: skip
    (dice,) = told["dice"]  # type: ignore[misc]
    assert (dice["player"], dice["counts"], dice["verdict"]) == (
        None,
        [3, 5, 1, 3, 3, 3],
        "too_few",
    )


def test_the_page_shows_the_same_numbers(table: Table):
    page = page_of(table)
    assert cells(page, "Ben") == ["0", "0", "0", "2", "0", "1", "0", "0", "1,00"]
    assert (
        "Teuerste Runde: Ben kassiert 4 Deckel von Cem (Schock Vier), 1. Hälfte, Runde 1." in page
    )
    assert "Stand: 1 Spiel, 2 abgerechnete Runden." in page
    assert "18 Würfel geworfen: zu wenige" in page
    english = page_of(table, "/statistics?lang=en")
    assert cells(english, "Ben")[-1] == "1.00"
    assert "Dearest round: Ben takes 4 Deckel from Cem (Schock Four), 1st half, round 1." in english


def test_a_correction_and_a_throw_taken_back_count_as_what_they_are(table: Table):
    client = client_of(table)
    before = client.get("/api/statistics").get_json()
    table.submit(
        {"type": "correct_throw", "player": "Cem", "throw_id": 4, "dice": [6, 1, 1], "by": "Ute"}
    )
    mended = client.get("/api/statistics").get_json()
    assert mended["dearest"]["deckel"] == 6
    assert mended["dice"][0]["counts"] == [3, 5, 1, 2, 3, 4]
    table.submit(
        {"type": "correct_throw", "player": "Cem", "throw_id": 4, "dice": [4, 1, 1], "by": "Ute"}
    )
    table.do(ThrowDice(str(table.match.current_player), (5, 5, 5)))
    table.submit({"type": "take_back", "by": "Ute"})
    after = client.get("/api/statistics").get_json()
    assert after | {"seq": 0} == before | {"seq": 0}


@pytest.mark.parametrize("path", PATHS)
def test_an_empty_log_a_game_just_begun_and_a_round_under_way(path: str):
    empty = Table()
    empty.log = type(empty.log)()
    assert client_of(empty).get(path).status_code == 200
    begun = Table(["Anna", "Ben"])
    assert client_of(begun).get(path).status_code == 200
    if path == "/statistics":
        assert "Noch ist nichts abgerechnet" in page_of(begun)
        assert not charts(page_of(begun))
    mid_round(begun, part="half1", round=1)
    assert client_of(begun).get(path).status_code == 200
    begun.do(Abandon("R", "x"))
    assert client_of(begun).get(path).status_code == 200


def test_several_games_are_added_and_players_who_left_stay():
    table = Table(["Anna", "Ben"], start_s=30.0)
    evening(table, games=1)
    table.begin(["Anna", "Cem", "Dora"])
    evening(table, games=1)
    told = {one["player"]: one for one in numbers_of(table)["players"]}  # type: ignore[attr-defined]
    assert list(told) == ["Anna", "Ben", "Cem", "Dora"]
    assert [one["games"] for one in told.values()] == [2, 1, 1, 1]
    assert sum(one["games_lost"] for one in told.values()) == 2


def test_the_latest_evening_alone():
    first, latest = (time.mktime((2026, 9, day, 20, 0, 0, 0, 0, -1)) for day in (11, 13))
    table = Table(["Anna", "Ben"], start_s=first)
    evening(table, games=1)
    table.log._start_s = latest
    table.begin(["Cem", "Dora"])
    evening(table, games=1)
    every, tonight = numbers_of(table), numbers_of(table, "/api/statistics?span=evening")
    assert (every["games"], tonight["games"], tonight["span"]) == (2, 1, "evening")
    assert [one["player"] for one in tonight["players"]] == ["Cem", "Dora"]  # type: ignore[attr-defined]
    assert numbers_of(table, "/api/statistics?span=nonsense") == every
    assert 'data-player="Anna"' not in page_of(table, "/statistics?span=evening")


def test_past_games_are_summed_up_once_and_the_board_keeps_the_one_under_way():
    table = Table(names(4))
    evening(table, games=2)
    projection = Projection(table.log, log_lines=5)
    board = projection.board()
    assert board.past == board.games[0].tally
    assert board.under_way == tally(table.match.state)
    assert projection.board().under_way is board.under_way, "nothing is worked out twice"
    assert tally_of(board, "all") == board.past + board.under_way


def test_at_seats_every_player_has_a_set_of_dice(table: Table):
    table.log.append("table.cup_down", {"t_s": 1.0, "type": "cup_down", "seat": "Anna"})
    told = numbers_of(table)["dice"]
    assert [(one["player"], one["thrown"]) for one in told] == [  # type: ignore[attr-defined]
        ("Anna", 6), ("Ben", 6), ("Cem", 6),
    ]  # fmt: skip
    assert "Würfel von Anna" in page_of(table)
    table.begin(["Anna", "Ben"])
    table.do(ThrowDice("Anna", (6, 5, 2)))
    told = {one["player"]: one["thrown"] for one in numbers_of(table)["dice"]}  # type: ignore[attr-defined]
    assert told == {"Anna": 6, "Ben": 6, "Cem": 6, None: 3}, "who knows whose dice these are"


def test_what_the_rules_cannot_follow_is_told(table: Table):
    table.log.append("stopped", {"nonsense": 1})
    assert numbers_of(table)["broken"]["seq"] == table.last_seq()  # type: ignore[index]
    assert f"Ab Eintrag {table.last_seq()} passt das Protokoll nicht" in page_of(table)


def test_names_are_text_wherever_they_stand():
    table = Table([HTML_NAME, "x" * 60, "Zoë 🎲"])
    table.play_opening()
    table.play_round()
    page = page_of(table)
    assert HTML_NAME not in page
    assert "<b>" not in page
    assert "&lt;b&gt;Ben" in page
    for chart in charts(page):
        assert not chart.findall(f".//{SVG}b")
    assert any("xxxxxxxxxxxxx…" in "".join(chart.itertext()) for chart in charts(page))


@pytest.mark.parametrize("path", ["/statistics", "/statistics?lang=en"])
def test_charts_bring_nothing_that_the_page_forbids_and_say_what_they_show(path: str):
    table = Table(names(6))
    evening(table, games=1)
    page = page_of(table, path)
    found = charts(page)
    assert len(found) == 3
    ids = re.findall(r'\bid="([^"]+)"', page)
    assert len(ids) == len(set(ids)), "every id once in the page"
    for chart in found:
        for part in chart.iter():
            assert part.tag not in (f"{SVG}script", f"{SVG}style", f"{SVG}defs")
            assert not {"style", "onload", "href"} & set(part.attrib)
        assert chart.get("role") == "img"
        said = [chart.find(f"{SVG}{tag}") for tag in ("title", "desc")]
        assert [one.get("id") for one in said if one is not None] == str(
            chart.get("aria-labelledby")
        ).split()
        assert all(one is not None and one.text for one in said)
        assert "Pygal" not in "".join(chart.itertext())
    assert "fonts.googleapis" not in page
    assert "kozea" not in page.lower()


def test_a_bar_is_as_long_as_its_value_and_stands_at_its_name():
    chart = Chart("x", "t", "d", ("Anna", "Ben"), (("a", (2.0, 4.0)),), marks=((0.0, "0"),))
    root = ET.fromstring(drawn(chart))
    bars = root.findall(f".//{SVG}rect[@class='rect reactive tooltip-trigger']")
    (ben, anna) = sorted(bars, key=lambda bar: -float(bar.attrib["width"]))
    assert float(ben.attrib["width"]) == pytest.approx(2 * float(anna.attrib["width"]))
    assert float(anna.attrib["y"]) < float(ben.attrib["y"]), "in the order of the table"


def test_with_many_players_at_seats_the_page_stays_small():
    table = Table(names(10, long=True))
    play(table, random.Random(1), lambda: table.match.part.value == "final")
    table.log.append("table.cup_down", {"seat": "Anna"})
    page = page_of(table)
    assert len(charts(page)) == 12
    assert len(page.encode()) < BUDGET_BYTES


@pytest.mark.parametrize("lang", LANGUAGES)
def test_verdicts_name_the_dice_they_rest_on_and_never_say_loaded(lang: str):
    few, fair = Faces(10, 10), Faces(100, 104, 97, 99, 103, 97)
    odd, very = Faces(100, 100, 100, 100, 90, 150), Faces(100, 100, 100, 100, 100, 200)
    said = [fairness_text(faces, lang) for faces in (few, fair, odd, very)]
    for faces, sentence in zip((few, fair, odd, very), said, strict=True):
        assert str(faces.thrown) in sentence
        assert not re.search("loaded|gezinkt|manipul", sentence)
    assert "123" in said[0]
    assert "1800" in said[2]
    assert "150" in said[2]
    assert "107" in said[2]
    million = {"de": "über einer Million", "en": "more than a million"}[lang]
    assert million in said[3]


def test_a_player_without_a_first_throw_has_no_share_of_luck():
    table = Table(["Anna", "Ben"])
    table.do(ThrowDice("Anna", (6, 5, 2)), ThrowDice("Ben", (2, 2, 1)))
    view = present_statistics(tally(table.match.state), "de")
    assert [row["share"] for row in view["players"]] == ["–", "–"]
    assert view["luck_chart"] == ""
    table.do(ThrowDice(str(table.match.current_player), (6, 1, 1)))
    view = present_statistics(tally(table.match.state), "de")
    assert sorted(row["share"] for row in view["players"]) == ["99 %", "–"]


def test_one_round_is_no_rounds_and_a_small_error_is_not_nothing(table: Table):
    page = page_of(table, "/statistics?lang=en")
    assert 'title="1 round, 4 Deckel in all"' in page
    assert "3 fell 1 time, 4 fell 3 times" in page
    assert 'title="1 Runde, 4 Deckel"' in page_of(table)
    many = PlayerTally(luck=reduce(add, [first_throw(table.match.book, (6, 5, 2))] * 4000))
    said = present_statistics(Tally(1, 1, {"Anna": many}), "de")["players"][0]
    assert said["error"] == "0,5"
    assert said["share"] == "67 %"
