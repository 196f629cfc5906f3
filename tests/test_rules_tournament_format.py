"""Tournament formats are data: complete, sourced, and wrong ones are told by their line."""

import re
from importlib import resources
from typing import get_args, get_type_hints

import pytest

from rules.errors import FormatError, UnknownFormat
from rules.tournament_format import Format, decisions
from rules.tournament_library import all_formats, find_format, own_format, parse_format
from rules.tournament_sheet import format_chapters, format_sheet

KEYS = ("jahreswertung", "leben", "punkte_ko", "strafpunkte_leben", "verlustpunkte")
OWN = """key = "kirmes"
title_de = "Kirmes"
based_on = "werl"

[fields]
cuts = { value = [8], text = "Aushang" }
"""


def test_the_five_formats_are_there() -> None:
    assert tuple(made.key for made in all_formats()) == KEYS


@pytest.mark.parametrize(("name", "key"), [("Werl", "punkte_ko"), (" GONZERATH ", "verlustpunkte")])
def test_a_format_is_found_by_its_aliases(name: str, key: str) -> None:
    assert find_format(name).key == key


def test_an_unknown_format_names_those_that_there_are() -> None:
    with pytest.raises(UnknownFormat, match="punkte_ko"):
        find_format("schweizer")


@pytest.mark.parametrize("made", all_formats(), ids=lambda made: made.key)
def test_every_file_states_every_decision_itself_in_the_order_of_the_class(made: Format) -> None:
    text = (resources.files("rules.formats") / f"{made.key}.toml").read_text(encoding="utf-8")
    stated = re.findall(r"^(\w+) += \{", text, re.MULTILINE)
    assert tuple(stated) == decisions()
    assert set(made.sources) == set(decisions())


def test_a_format_of_ones_own_states_only_what_differs() -> None:
    made, base = own_format(OWN), find_format("werl")
    assert (made.cuts, made.text) == ((8,), OWN)
    assert made.cite("cuts") == "kirmes Aushang"
    others = [name for name in decisions() if name != "cuts"]
    assert [getattr(made, name) for name in others] == [getattr(base, name) for name in others]


@pytest.mark.parametrize(
    ("old", "new", "line", "said"),
    [
        ("cuts =", "cut =", 6, "did you mean 'cuts'"),
        ("[8]", '"8"', 6, "must be a list of whole numbers, but is '8'"),
        ("[8]", "[8, 4]", 6, "cuts must rise"),
        (', text = "Aushang"', "", 6, "must say where it comes from"),
        (', text = "Aushang"', ', text = "a", default = "b"', 6, "must say where it comes from"),
        ("value = [8], ", "", 6, "has no value"),
        ('text = "Aushang"', 'text = "a", why = "b"', 6, "has why, which mean nothing"),
        ('"werl"', '"wert"', 3, "names no format"),
        ('title_de = "Kirmes"', "title_de = 3", 2, "must be text"),
        ('title_de = "Kirmes"', 'titel = "Kirmes"', 2, "did you mean 'title"),
        ('key = "kirmes"', 'key = "werl"', 1, "needs a name of its own"),
        ('title_de = "Kirmes"', 'aliases = ["Leben"]', 2, "needs a name of its own"),
        ('title_de = "Kirmes"', 'unit_de = ["Punkt", 2]', 2, "must be a list of texts"),
        ("cuts = { value = [8]", 'ko = { value = "swiss"', 6, "must be one of 'none', 'points'"),
        ("cuts = { value = [8]", "team_size = { value = true", 6, "must be a whole number"),
        ("cuts = { value = [8]", "prize_places = { value = -1", 6, "must be 0 or more"),
        ("cuts = { value = [8]", "exit_points_4 = { value = [3]", 6, "must be 4 numbers"),
        ("cuts = { value = [8]", 'scharf = { value = "half_out"', 6, "are for ko = 'lives'"),
        ("cuts = { value = [8]", "table_sizes = { value = [4, 7]", 6, "sizes from 3 to 6"),
        ("cuts = { value = [8]", "final_most = { value = 7", 6, "final_most must be from 2 to 6"),
        ("cuts = { value = [8]", "strike_worst = { value = 2", 6, "must be below point_rounds"),
        ("cuts = { value = [8]", "prize_percent = { value = [90, 20]", 6, "that make 100 or less"),
    ],
)  # fmt: skip
def test_a_wrong_entry_is_told_by_its_line(old: str, new: str, line: int, said: str) -> None:
    assert old in OWN
    with pytest.raises(FormatError) as raised:
        own_format(OWN.replace(old, new))
    assert f"line {line}:" in str(raised.value)
    assert said in str(raised.value)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("key =", "must be a TOML file"),
        ("key = " + "[" * 9999, "must be a TOML file"),
        ('key = "x"\nfields = 3', "line 2: fields must be a table"),
        ('key = "x"', "is not complete"),
    ],
)
def test_what_is_no_format_at_all_is_told(text: str, said: str) -> None:
    with pytest.raises(FormatError, match=re.escape(said)):
        parse_format(text)


@pytest.mark.parametrize("made", all_formats(), ids=lambda made: made.key)
@pytest.mark.parametrize("language", ["de", "en"])
def test_the_sheet_names_every_assumption_twice(made: Format, language: str) -> None:
    sheet = format_sheet(made, language)  # type: ignore[arg-type]
    rows = [row for chapter in format_chapters(made, language) for row in chapter.rows]  # type: ignore[arg-type]
    assert {row.name for row in rows} <= set(decisions())
    for row in rows:
        assert sheet.count(row.text) >= (2 if row.basis == "default" else 1)
    assert "{" not in sheet


def test_every_value_that_can_be_chosen_has_a_sentence_of_its_own() -> None:
    from rules.tournament_sheet import _words

    hints = get_type_hints(Format)
    for name in decisions():
        for value in get_args(hints[name]):
            if isinstance(value, str):
                assert value in _words()["fields"][name], f"{name} = {value}"
    assert set(_words()["fields"]) == set(decisions())


def test_a_citation_of_ones_own_is_told_as_it_is() -> None:
    assert "mindestens die kleinste.  [kirmes, Aushang]" in format_sheet(own_format(OWN))
