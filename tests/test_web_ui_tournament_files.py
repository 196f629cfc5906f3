"""What is printed or taken away, read back: all of it is there, and nothing leaves its page."""

import csv
import io
import itertools
from typing import Any

import cv2
import numpy as np
import pypdfium2
import pytest
from hall_client import PUBLIC_URL, organiser, visitor, words
from hall_scenes import act, drawn, opened, over, people
from hypothesis import given
from hypothesis import strategies as st
from tournament_hall import MemoryHall

from web_ui.i18n import LANGUAGES
from web_ui.tournament_card_sheet import Card, cards_pdf
from web_ui.tournament_paper import A5_MM, fitted, printable, width_mm
from web_ui.tournament_results import safe

LONG = tuple(f"Maximiliane-Friederike {letter * 9} von Hohenstein-Waldburg" for letter in "ABCDEF")
PT_TO_MM = 25.4 / 72
FORMULAS = ("=1+1", "+49 170", "-2+3", "@SUM(A1)", "\t=1", "=HYPERLINK(1)", "\uff1d1+1")


def pages_of(pdf: bytes) -> list[str]:
    document = pypdfium2.PdfDocument(pdf)
    return [" ".join(page.get_textpage().get_text_bounded().split()) for page in document]


def letters_outside(pdf: bytes, edge_mm: float = 3.0) -> list[str]:
    """Letters that come closer to the border of their page than a printer can print."""
    found = []
    for page in pypdfium2.PdfDocument(pdf):
        wide, tall = page.get_size()
        edge = edge_mm / PT_TO_MM
        text = page.get_textpage()
        for at in range(text.count_chars()):
            left, bottom, right, top = text.get_charbox(at)
            if left < edge or bottom < edge or right > wide - edge or top > tall - edge:
                found.append(text.get_text_range(at, 1))
    return found


def letters_on_each_other(pdf: bytes) -> list[str]:
    """Pairs of letters that are printed over each other."""
    found = []
    for page in pypdfium2.PdfDocument(pdf):
        text = page.get_textpage()
        boxes = [
            (text.get_charbox(at), text.get_text_range(at, 1)) for at in range(text.count_chars())
        ]
        boxes = [(box, one) for box, one in boxes if one.strip() and box[2] > box[0]]
        boxes.sort()
        for at, (a, one) in enumerate(boxes):
            for b, other in itertools.islice(boxes, at + 1, None):
                if b[0] >= a[2]:
                    break
                wide = min(a[2], b[2]) - max(a[0], b[0])
                tall = min(a[3], b[3]) - max(a[1], b[1])
                if wide > 0.5 * min(a[2] - a[0], b[2] - b[0]) and tall > 1.0:
                    found.append(one + other)
    return found


def pixels(pdf: bytes, page: int = 0) -> Any:
    return np.asarray(pypdfium2.PdfDocument(pdf)[page].render(scale=3).to_pil().convert("L"))


# --- cards -----------------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize(("count", "games"), [(3, 5), (4, 9), (6, 15)])
def test_a_card_has_everything_and_nothing_leaves_it(count: int, games: int, lang: str):
    one = Card(
        tournament="Kirmesturnier der dritten Kompanie " * 2, where="Runde 1", table=24,
        players=LONG[:count], games=games, url=PUBLIC_URL + "tournament/card/1/24",
    )  # fmt: skip
    pdf = cards_pdf((one,), lang)
    (page,) = pages_of(pdf)
    size = pypdfium2.PdfDocument(pdf)[0].get_size()
    assert tuple(round(side * PT_TO_MM) for side in size) == A5_MM
    assert ("Tisch 24" if lang == "de" else "Table 24") in page
    for at in range(1, count + 1):
        assert f"{at} Maximiliane" in page
    for number in range(1, games + 1):
        assert f" {number} " in f" {page} "
    assert letters_outside(pdf) == []
    assert letters_on_each_other(pdf) == []


def test_every_card_of_a_round_leads_to_its_own_form():
    hall = drawn()
    pdf = visitor(hall).get("/tournament/cards.pdf?round=1").data
    tournament = hall.tournament()
    assert tournament is not None
    assert tournament.round is not None
    pages = pages_of(pdf)
    for number, (page, seats) in enumerate(zip(pages, tournament.round.tables, strict=True), 1):
        assert f"Tisch {number}" in page
        assert all(name in page for name in seats)
        read, *_ = cv2.QRCodeDetector().detectAndDecode(pixels(pdf, number - 1))
        assert read == f"{PUBLIC_URL}tournament/card/1/{number}"
        assert organiser(hall).get(read.removeprefix(PUBLIC_URL[:-1])).status_code == 200


def test_a_card_has_no_code_that_would_lead_a_phone_to_itself():
    pdf = visitor(drawn(), PUBLIC_URL="").get("/tournament/cards.pdf?round=1").data
    read, *_ = cv2.QRCodeDetector().detectAndDecode(pixels(pdf))
    assert read == ""


def test_a_blank_card_needs_no_tournament():
    answer = visitor(MemoryHall()).get("/tournament/cards.pdf?lang=en")
    (page,) = pages_of(answer.data)
    assert "Table card" in page
    assert "Table ____" in page
    assert letters_outside(answer.data) == []
    assert letters_on_each_other(answer.data) == []


def test_a_round_that_was_not_drawn_has_no_cards():
    for path in ("cards.pdf?round=2", "poster.pdf?round=2", "cards.pdf?round=0"):
        assert visitor(drawn()).get(f"/tournament/{path}").status_code == 404
    assert visitor(drawn()).get("/tournament/cards.pdf?round=x").status_code == 400
    assert visitor(opened()).get("/tournament/poster.pdf").status_code == 404


@given(st.text(max_size=80), st.floats(1.0, 60.0), st.booleans())
def test_whatever_is_printed_fits_its_room(text: str, room_mm: float, bold: bool):
    shown, size = fitted(text, room_mm, 10.0, bold=bold)
    assert width_mm(shown, size, bold=bold) <= room_mm + 0.01 or shown == "…"


def test_letters_that_the_font_lacks_are_seen_to_be_missing():
    assert printable("Łukasz Dvořák, Şahin, Öß") == "Łukasz Dvorák, Şahin, Öß"
    assert printable("Ирина 東") == "????? ?"
    assert printable("e\u0301") == "é"


# --- the draw to hang up ---------------------------------------------------------------------


@pytest.mark.parametrize("names", [people(9), people(96), LONG])
def test_the_poster_has_everybody_at_his_table_and_by_name(names: tuple[str, ...]):
    hall = drawn(names)
    pdf = visitor(hall).get("/tournament/poster.pdf").data
    pages = pages_of(pdf)
    tables = " ".join(page for page in pages if "nach Namen" not in page)
    by_name = " ".join(page for page in pages if "nach Namen" in page)
    for name in names if names != LONG else [one[:24] for one in LONG]:
        assert name in tables
        assert name in by_name
    assert letters_outside(pdf) == []
    assert letters_on_each_other(pdf) == []


def test_the_poster_tells_who_sits_out():
    hall = opened(people(3), "verlustpunkte")
    act(hall, type="draw_round", by="R", tables=[list(people(2))])
    pages = pages_of(visitor(hall).get("/tournament/poster.pdf").data)
    assert any(f"Springer: {people(3)[2]}" in page for page in pages)


# --- the ranking -----------------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("made", ["punkte_ko", "verlustpunkte", "jahreswertung", "leben"])
def test_the_printed_ranking_has_every_place_with_its_reason(made: str, lang: str):
    hall = over(people(9), made)
    tournament = hall.tournament()
    assert tournament is not None
    pdf = visitor(hall).get(f"/tournament/results.pdf?lang={lang}").data
    text = " ".join(pages_of(pdf)).replace("- ", "-")
    for one in tournament.standings:
        reason = one.reason_en if lang == "en" else one.reason_de
        assert one.player in text
        assert reason.split(",")[0].replace("- ", "-") in text
    assert letters_outside(pdf) == []
    assert letters_on_each_other(pdf) == []


def test_the_printed_ranking_has_the_teams():
    hall = opened((), "strafpunkte_leben")
    for at, name in enumerate(people(6)):
        act(hall, type="register", player=name, team=f"Team {at // 3}")
    pdf = visitor(hall).get("/tournament/results.pdf?lang=en").data
    text = " ".join(pages_of(pdf))
    assert f"Team 0 ({', '.join(people(3))})" in text


def test_a_long_ranking_of_long_names_goes_over_pages():
    hall = over(tuple(f"{LONG[at % 6]} {at}" for at in range(60)), "verlustpunkte")
    pdf = visitor(hall).get("/tournament/results.pdf").data
    assert len(pypdfium2.PdfDocument(pdf)) > 2
    assert letters_outside(pdf) == []
    assert letters_on_each_other(pdf) == []


@pytest.mark.parametrize(("lang", "delimiter"), [("de", ";"), ("en", ",")])
def test_the_csv_reads_back_with_every_place(lang: str, delimiter: str):
    hall = over()
    tournament = hall.tournament()
    assert tournament is not None
    answer = visitor(hall).get(f"/tournament/results.csv?lang={lang}")
    assert answer.mimetype == "text/csv"
    assert "attachment" in answer.headers["Content-Disposition"]
    text = answer.data.decode("utf-8-sig")
    head, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=delimiter)
    assert all(len(row) == len(head) for row in rows)
    for row, one in zip(rows, tournament.standings, strict=True):
        assert row[:4] == [str(one.place), one.player, one.team, str(one.score.points)]
        assert (one.reason_en if lang == "en" else one.reason_de) in row


def test_no_name_is_a_formula_for_a_spreadsheet():
    names = tuple(name for name in FORMULAS if name.isprintable())
    hall = over(names, "verlustpunkte")
    text = visitor(hall).get("/tournament/results.csv").data.decode("utf-8-sig")
    _, *rows = csv.reader(io.StringIO(text, newline=""), delimiter=";")
    assert {row[1] for row in rows} == {f"'{name}" for name in names}
    for row in rows:
        for cell in row:
            assert not cell.startswith(("=", "+", "@", "\t")), cell
            assert not cell.startswith("-") or cell[1:].isdecimal(), cell


@pytest.mark.parametrize("cell", FORMULAS)
def test_a_cell_that_would_be_a_formula_is_a_text(cell: str):
    assert safe(cell) == f"'{cell}"


def test_numbers_stay_numbers():
    assert [safe(cell) for cell in (-3, 0, "-3", "12", "Anna", "")] == [
        -3,
        0,
        "-3",
        "12",
        "Anna",
        "",
    ]


def test_the_page_of_results_tells_every_game_and_both_languages():
    hall = over()
    page = words(visitor(hall).get("/tournament/results.html"))
    assert "Endstand" in page
    assert "Spiel 1: " in page
    assert "Game 1: " in words(visitor(hall).get("/tournament/results.html?lang=en"))


def test_an_early_end_is_told_with_its_reason():
    hall = drawn()
    act(hall, type="finish", by="R", reason="Strom weg")
    assert "Vorzeitig beendet: Strom weg" in words(visitor(hall).get("/tournament/results.html"))
    assert "Strom weg" in pages_of(visitor(hall).get("/tournament/results.pdf").data)[0]
    assert "Strom weg" in words(visitor(hall).get("/tournament/wall"))
