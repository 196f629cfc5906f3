"""The rule sheet says every decision of every book in words, and where it comes from."""

import json
from dataclasses import replace
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from rules.book import DOOFMANN_TOPICS, TOPICS, RuleBook, decision_fields
from rules.library import all_books, find_book, parse_book
from rules.sheet import LANGUAGES, SheetRow, _words, rule_sheet

BOOKS = [book.key for book in all_books()]
IDLE = {
    "jule": {"assembled", "assembled_general", "koenigswurf_any_count", "start_value_scope"},
    "turnier": {"koenigswurf_any_count", "three_dice_start_fee_eur"},
    "blog2019": {"three_dice_start_fee_eur"},
    "allgemein": {"koenigswurf_any_count", "start_value_scope"},
    "statuten": {"assembled_general", "koenigswurf_any_count", "start_value_scope"},
}
"""Decisions that another one leaves nothing to decide, so that the sheet says nothing of them."""
for key in ("turnier", "blog2019", "allgemein", "statuten"):
    IDLE[key] |= {"jule", "jule_one_throw", "drop_repeat"}
for key in ("jule", "turnier", "allgemein", "statuten"):
    IDLE[key] |= {"voluntary_take_source"}
for key in ("jule", "turnier", "blog2019", "allgemein"):
    IDLE[key] |= {
        "replacement_counts_as", "sweep_adds_to_loss_fee", "cl_adds_to_loss_fee",
        "cl_fee_per_schock_aus_eur",
    }  # fmt: skip


def rows_of(book: RuleBook, language: Literal["de", "en"] = "de") -> dict[str, SheetRow]:
    chapters = rule_sheet(book, language).chapters
    return {row.name: row for chapter in chapters for row in chapter.rows}


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", BOOKS)
def test_every_decision_is_named_once_with_its_source(key, language):
    book = find_book(key)
    rows = [row for chapter in rule_sheet(book, language).chapters for row in chapter.rows]
    topics = [*TOPICS, *(DOOFMANN_TOPICS if book.doofmann else ())]
    named = {*decision_fields(), *topics} - IDLE[key]
    assert sorted(row.name for row in rows) == sorted(named)
    for row in rows:
        assert row.basis == book.sources[row.name].basis
        assert book.sources[row.name].section in row.note
        assert row.text.endswith((".", "“.", '".'))
        assert "{" not in row.text
        assert (book.document in row.note) == (row.basis != "default")


@pytest.mark.parametrize("key", BOOKS)
def test_what_is_assumed_is_what_the_book_does_not_say(key):
    book = find_book(key)
    silent = {name for name, source in book.sources.items() if source.basis == "default"}
    assert {row.name for row in rule_sheet(book).assumed} == silent - IDLE[key]
    assert all("nicht im Regelwerk, angenommen" in row.note for row in rule_sheet(book).assumed)


def test_every_value_that_a_book_may_have_has_words_of_its_own():
    fields = _words()["fields"]
    for name, hint in get_type_hints(RuleBook).items():
        if name not in decision_fields():
            continue
        options = [*get_args(hint)] if get_origin(hint) is Literal else []
        options = [True, False] if hint is bool else options
        words, keys = (
            fields[name],
            [str(option).lower() if hint is bool else option for option in options],
        )
        assert "*" in words or set(keys) <= set(words), name
        sentences = [
            tuple(told) for value, told in words.items() if value not in ("chapter", "idle_if")
        ]
        assert len(set(sentences)) == len(sentences), name
        assert options or "*" in words or name in ("champions_league", "tie_break")


def test_the_ladder_has_every_figure_of_the_book_best_first():
    names = [figure.name for figure in rule_sheet(find_book("jule")).ladder]
    assert names[:3] == ["Aus", "Jule", "Max 6"]
    assert names.index("Drei Dicke 2") < names.index("Max 2") < names.index("Straße 4-5-6")
    assert names[-1] == "Einfacher Wurf 221"
    general = [figure.name for figure in rule_sheet(find_book("allgemein")).ladder]
    assert general.index("Schock 2") < general.index("General 6")


def test_a_pubs_own_book_has_a_sheet(tmp_path):
    own = parse_book(
        'based_on = "turnier"\nkey = "krug"\ntitle_de = "Zum Krug"\ntitle_en = "At the jug"\n'
        'document = "Krug"\n[fields]\nkeep = { value = "only_ones", text = "Tafel" }\n'
    )
    rows = rows_of(own)
    assert rows["keep"].text == "Nur Einsen dürfen herausgelegt werden."
    assert rows["keep"].note == "Krug Tafel"


def test_the_command_prints_text_a_page_and_json(run):
    status, text, _ = run("rules", "statuten")
    assert status == 0
    assert "Champions League ist mittwochs.  [004 §19]" in text
    assert text.index("Rangfolge der Figuren") < text.index("Nicht im Regelwerk")
    status, page, _ = run("rules", "statuten", "--html", "--lang", "en")
    assert status == 0

    class Reader(HTMLParser):
        open_tags: list[str] = []  # noqa: RUF012

        def handle_starttag(self, tag, attrs):
            assert not {"src", "href"} & {name for name, _ in attrs}
            if tag != "meta":
                self.open_tags.append(tag)

        def handle_endtag(self, tag):
            assert self.open_tags.pop() == tag

    Reader().feed(page)
    assert "Champions League is on Wednesdays." in page
    status, line, _ = run("rules", "jule", "--json")
    told = json.loads(line)
    assert (status, told["book"], told["ladder"][0]) == (
        0,
        "jule",
        {"figure": "Aus", "deckel": "alle"},
    )


def test_a_book_that_does_not_exist_and_a_file_that_is_none_are_told(run, tmp_path: Path):
    status, _, err = run("rules", "poker")
    assert status != 0
    assert "there is no rule book 'poker'; known books: allgemein" in err
    status, _, err = run("rules", tmp_path / "none.toml")
    assert status != 0
    assert "cannot be read" in err
    (tmp_path / "bad.toml").write_text('based_on = "turnier"\nnonsense\n')
    status, _, err = run("rules", tmp_path / "bad.toml")
    assert status != 0
    assert "line 2" in err


@pytest.mark.parametrize(
    ("key", "name", "text", "basis"),
    [
        # J2, K2: from the hand is higher at any equal number of throws, only never against fewer
        ("statuten", "aus_rohr_top", "Gegen Schock aus mit weniger Würfen hilft es nichts", "text"),
        # S10, S11: these three have all load, and what they load is their first throw
        ("jule", "loading", "Vor jeder Runde drehen alle ihren Becher um", "text"),
        ("turnier", "loading", "ist ihr erster Wurf", "text"),
        ("allgemein", "loading", "müssen aber nicht", "default"),
        # T3, T11: what no line of these books says is not printed as their text
        ("allgemein", "fewer_throws", "auch weniger Würfe", "text"),
        ("turnier", "fewer_throws", "auch weniger Würfe", "default"),
        ("allgemein", "open_to_all", "für alle zu sehen", "default"),
        ("allgemein", "seen_must_be_shown", "hineingesehen", "interpretation"),
        ("statuten", "seen_must_be_shown", "hineingesehen", "interpretation"),
        ("blog2019", "seen_must_be_shown", "hineingesehen", "interpretation"),
        # A8, X9, V3, V4, F7, F8
        ("jule", "finish_round", "noch zu Ende gespielt", "interpretation"),
        ("turnier", "further_throw", "muss noch ein Wurf folgen.", "interpretation"),
        ("blog2019", "assembled", "Straße gebastelt zählt als Hausnummer.", "text"),
        ("blog2019", "assembled_general", "Pasch gebastelt zählt als", "interpretation"),
        ("jule", "drop_repeat", "wird der Wurf wiederholt", "default"),
        ("blog2019", "tilted", "schief", "default"),
        ("jule", "off_mat", "von der Unterlage", "default"),
        ("statuten", "by_number", "von der höchsten Ziffer", "default"),
    ],
)
def test_a_row_says_what_its_lines_say(key, name, text, basis):
    row = rows_of(find_book(key))[name]
    assert text in row.text
    assert row.basis == basis


@pytest.mark.parametrize(
    ("name", "claim"),
    [
        ("part_lost", "zu Ende gespielt"),
        ("burnt_throw", "schief"),
        ("burnt_throw", "Unterlage"),
        ("drop_die", "angenommen"),
        ("limit", "weniger"),
        ("hausnummer", "von der höchsten"),
        ("further_throw", "im letzten"),
    ],
)
@pytest.mark.parametrize("key", BOOKS)
def test_no_row_claims_what_another_one_has_to_answer_for(key, name, claim):
    assert claim not in rows_of(find_book(key))[name].text


def test_fewer_throws_cite_their_own_lines():
    notes = {key: rows_of(find_book(key))["fewer_throws"].note for key in BOOKS}
    assert notes["jule"] == "000 L15, L47"
    assert notes["blog2019"] == "002 L159-162"
    assert notes["allgemein"] == "003 L7"
    assert notes["statuten"] == "004 §9"


def test_the_english_sheet_says_what_the_german_one_does():
    rows = rows_of(replace(find_book("jule"), aus_rohr_top=True), "en")
    assert rows["aus_rohr_top"].text == "Aus in one throw beats any assembled one."
    assert "lies open" not in rows["one_at_a_time"].text  # a third throw stays covered


def test_a_row_comes_back_when_it_has_something_to_say():
    house = replace(find_book("jule"), voluntary_take=True)
    assert "voluntary_take_source" in rows_of(house)
    limit = replace(find_book("statuten"), too_many_throws="lose_round")
    assert "replacement_counts_as" in rows_of(limit)  # lifting early still leads to it


def test_the_ladder_begins_with_what_can_be_thrown():
    highest = {
        key: max(f.number for f in rule_sheet(find_book(key)).ladder if f.category == "hausnummer")
        for key in BOOKS
    }
    assert highest["statuten"] == 665  # a six cannot be put out (§10a): no assembled 6-6-6
    assert highest["blog2019"] == 666


def test_a_fee_for_losing_stands_on_the_sheet_for_every_way_of_losing():
    rows = rows_of(replace(find_book("jule"), loss_fee_eur=5, champions_league="friday"))
    assert rows["loss_fee_eur"].text == "Wer das Spiel verliert, zahlt 5 €."
    for name in ("sweep_fee_eur", "cl_fee_per_schock_aus_eur"):
        assert "nicht mehr als" in rows[name].text
        assert "kostet nichts" not in rows[name].text


def test_a_figure_that_only_the_house_has_does_not_rest_on_the_text_of_its_base():
    text = 'based_on = "{}"\nkey = "krug"\ntitle_de = "Krug"\ntitle_en = "Jug"\ndocument = "Krug"\n'
    text += '[fields]\njule_421 = {{ value = true, text = "Tafel" }}\n'
    row = rows_of(parse_book(text.format("statuten")))["jule"]
    assert row.text.startswith("Jule: 4-2-1")
    assert row.note == "Krug Tafel"
    assert rows_of(parse_book(text.format("jule")))["jule"].note.startswith("000 ")
    own = text.format("statuten") + '[sections]\njule = { text = "Punkt 3" }\n'
    assert rows_of(parse_book(own))["jule"].note == "Krug Punkt 3"
