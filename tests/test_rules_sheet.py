"""The rule sheet says every decision of every book in words, and where it comes from."""

import json
from html.parser import HTMLParser
from pathlib import Path
from typing import Literal, get_args, get_origin, get_type_hints

import pytest

from rules.book import DOOFMANN_TOPICS, TOPICS, RuleBook, decision_fields
from rules.library import all_books, find_book, parse_book
from rules.sheet import LANGUAGES, _words, rule_sheet

BOOKS = [book.key for book in all_books()]


@pytest.mark.parametrize("language", LANGUAGES)
@pytest.mark.parametrize("key", BOOKS)
def test_every_decision_is_named_once_with_its_source(key, language):
    book = find_book(key)
    rows = [row for chapter in rule_sheet(book, language).chapters for row in chapter.rows]
    topics = [*TOPICS, *(DOOFMANN_TOPICS if book.doofmann else ())]
    assert sorted(row.name for row in rows) == sorted([*decision_fields(), *topics])
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
    assert {row.name for row in rule_sheet(book).assumed} == silent
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
        sentences = [tuple(told) for value, told in words.items() if value != "chapter"]
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
    rows = {row.name: row for chapter in rule_sheet(own).chapters for row in chapter.rows}
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
    assert "Champions League is on wednesday." in page
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
