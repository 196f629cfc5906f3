"""Rule books are data: found by name, complete, every decision with its source."""

import json
from contextlib import suppress
from dataclasses import replace
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from rules import BookError, Match, RuleBook, UnknownBook, all_books, find_book, parse_book
from rules.book import BASES, TOPICS, decision_fields
from rules.library import own_book

TURNIER_TOML = (resources.files("rules.books") / "turnier.toml").read_text(encoding="utf-8")


@pytest.mark.parametrize("name", ["turnier", " Turnier ", "001", "DM", "meisterschaft"])
def test_turnier_is_found_by_name_and_alias(name: str) -> None:
    assert find_book(name).key == "turnier"


@pytest.mark.parametrize("name", ["", "kneipe", "turnier2"])
def test_an_unknown_book_is_an_error_that_names_the_known_ones(name: str) -> None:
    with pytest.raises(UnknownBook, match=r"known books: .*turnier"):
        find_book(name)


def test_no_two_books_share_a_name() -> None:
    names = [name for book in all_books() for name in (book.key, *book.aliases)]
    assert len(set(names)) == len(names)


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
def test_every_decision_says_where_it_comes_from(book: RuleBook) -> None:
    for name in (*decision_fields(), *TOPICS):
        source = book.sources[name]
        assert source.section
        assert source.basis in BASES
        assert book.document in book.cite(name)


def test_turnier_marks_the_defaults_that_the_rule_matrix_lists() -> None:
    book = find_book("turnier")
    assumed = {name for name in decision_fields() if book.sources[name].basis != "text"}
    assert {
        "start_value_scope", "max_throws", "covered", "turn_keep_side", "winner_short",
        "zero_after_stock", "half2_starter",
    } <= assumed  # fmt: skip
    assert book.penalties["lift_early"].source.basis == "default"
    assert book.cite("max_throws") == "001 silent, default jule L15"


def test_house_rules_state_only_what_differs() -> None:
    pub = parse_book(
        """
        based_on = "turnier"
        key = "goldener_anker"
        version = "1"
        title_de = "Hausregeln im Goldenen Anker"
        title_en = "House rules of the Golden Anchor"
        document = "Aushang"
        [fields]
        deckel_total = { value = 15, text = "Punkt 1" }
        """
    )
    assert (pub.deckel_total, pub.max_throws) == (15, 3)
    assert pub.cite("deckel_total") == "Aushang Punkt 1"
    assert pub.cite("return_kept") == "001 L47"
    assert pub.aliases == ()


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        ({"deckel_total": 0}, "deckel_total must be positive"),
        ({"deckel_total": True}, "deckel_total must be a whole number"),
        ({"max_throws": 4}, "max_throws 1 to 3"),
        ({"keep": "twos"}, "keep must be one of"),
        ({"tie_break": ("throws",)}, "end with 'order'"),
        ({"tie_break": ("luck", "order")}, "tie_break must be a list of"),
        ({"sources": {}}, "does not say where these come from"),
    ],
)
def test_an_impossible_book_is_refused_with_a_sentence(
    wrong: dict[str, object], message: str
) -> None:
    with pytest.raises(BookError, match=message):
        replace(find_book("turnier"), **wrong)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("key = ", "must be a TOML file"),
        ('key = "x"', "does not fit"),
        (TURNIER_TOML.replace("[fields]", "[fields]\nbeer = { value = 1, text = 'L1' }"), "beer"),
        (
            TURNIER_TOML.replace('text = "L44"', "page = 3"),
            "final_starter must say where it comes from",
        ),
    ],
)
def test_a_broken_book_file_is_refused_with_a_sentence(text: str, message: str) -> None:
    with pytest.raises(BookError, match=message):
        parse_book(text)


def test_an_inherited_default_names_the_book_that_is_silent() -> None:
    assert find_book("turnier").cite("limit") == "001 silent, default jule L15"


OWN = """\
based_on = "turnier"
key = "krug"
title_de = "Zum Krug"
title_en = "At the jug"
document = "Krug"

[names]
hausnummer = "Hausnummer"

[fields]
keep = { value = "only_ones", text = "Tafel" }
turn_keep_side = { value = "only_ones", text = "Tafel" }

[penalties]
spilt_beer = { outcome = { drink_round = true }, text = "Tafel" }
"""


def test_a_pubs_own_book_is_read_and_keeps_the_rest_of_its_base() -> None:
    book, base = parse_book(OWN), find_book("turnier")
    assert (book.key, book.keep, book.names.hausnummer) == ("krug", "only_ones", "Hausnummer")
    assert book.penalties["spilt_beer"].source.cite() == "Krug Tafel"
    assert book.final_starter == base.final_starter


@pytest.mark.parametrize(
    ("old", "new", "problem"),
    [
        ('"turnier"', '"tunier"', "line 1: based_on: there is no rule book 'tunier'"),
        ("[names]", "aliases = 5\n[names]", "line 7: aliases must be a list of texts, but is 5"),
        ("[names]", "aliases = [[1]]\n[names]", "line 7: aliases must be a list of texts"),
        ('"krug"', '" "', "key must be text"),
        ("keep =", 'tie_break = { value = ["throws", "throws", "order"], text = "x" }\nkeep =',
         "line 11: .*name nothing twice"),
        ("keep =", 'prize_places = { value = -1, text = "x" }\nkeep =',
         "line 11: .*prize_places is below 0"),
        ("keep =", f'deckel_total = {{ value = {"9" * 5000}, text = "x" }}\nkeep =',
         "must be a TOML file"),
        ("keep =", f"keeps = {'[' * 5000}\nkeep =", "nested too deeply"),
        ('keep = { value = "only_ones",', 'keep = { value = "only_ones", default = "y",',
         "line 11: keep must say where it comes from, once"),
        ("title_de", "titel_de", "line 3: titel_de .* did you mean 'title_de'"),
        ('"Krug"\n', "7\n", "line 5: document must be text, but is 7"),
        ("hausnummer =", "hausnumer =", "line 8: hausnumer .* did you mean 'hausnummer'"),
        ("keep =", "keeps =", "line 11: keeps is no entry of fields; did you mean 'keep'"),
        ('"only_ones", text = "Tafel" }\nturn', '"ones", text = "Tafel" }\nturn',
         "line 11: keep must be one of .*'any', 'only_ones'.*, but is 'ones'"),
        ("{ value = \"only_ones\", text = \"Tafel\" }\nturn", "{ text = \"Tafel\" }\nturn",
         "line 11: keep has no value"),
        (', text = "Tafel" }\nturn', " }\nturn", "line 11: keep must say where it comes from"),
        ("outcome =", "outcom =", "line 15: spilt_beer has no outcome"),
        ('turn_keep_side = { value = "only_ones"', 'turn_keep_side = { value = "any"',
         "lines 11, 12: .*contradicts itself: keep = 'only_ones' leaves turn_keep_side"),
        ("[names]", "names = 3\n[nomes]", "line 8: nomes"),
        ("[fields]", "[fields", "must be a TOML file: .*line 10"),
        ("keep =", 'champions_league = { value = "Freitag", text = "x" }\nkeep =',
         "line 11: champions_league must be one of 'off', 'monday', .*'sunday', but is 'Freitag'"),
        ("keep =", 'tie_break = { value = ["luck"], text = "x" }\nkeep =',
         "line 11: tie_break must be a list of 'throws', .*'order', but is"),
    ],
)  # fmt: skip
def test_what_is_wrong_with_a_book_is_told_with_its_line(old: str, new: str, problem: str) -> None:
    assert old in OWN
    with pytest.raises((BookError, UnknownBook), match=problem):
        parse_book(OWN.replace(old, new, 1))


@given(st.text(max_size=60), st.integers(0, len(OWN)))
def test_any_text_is_a_book_or_a_clear_error(noise: str, at: int) -> None:
    with suppress(BookError, UnknownBook):
        assert parse_book(OWN[:at] + noise + OWN[at:]).deckel_total > 0


@given(st.integers(0, len(OWN)), st.integers(0, 30))
def test_a_book_with_a_hole_is_a_book_or_a_clear_error(at: int, length: int) -> None:
    with suppress(BookError, UnknownBook):
        assert parse_book(OWN[:at] + OWN[at + length :]).deckel_total > 0


def test_a_match_by_a_pubs_own_book_is_replayed_where_nobody_has_the_book() -> None:
    match = Match.new(own_book(OWN), ["Anna", "Bert"])
    told = [match.started.to_json()]
    again = Match.replay(json.loads(json.dumps(told)))
    assert again.state == match.state
    assert again.book.keep == "only_ones"
    assert "book_text" in told[0]
    old = {key: value for key, value in told[0].items() if key != "book_text"}
    assert Match.replay([{**old, "book": "turnier"}]).book == find_book("turnier")


def test_a_book_of_ones_own_needs_a_key_of_its_own() -> None:
    with pytest.raises(BookError, match=r"line 2: key: .*'turnier' is taken"):
        own_book(OWN.replace('"krug"', '"turnier"'))
    with pytest.raises(BookError, match="is taken"):
        own_book(OWN.replace('"krug"', '" TURNIER "'))
    with pytest.raises(BookError, match=r"line 6: aliases: .*'dm' is taken"):
        own_book(OWN.replace('"Krug"\n', '"Krug"\naliases = ["Eck", "DM"]\n'))


HOUSE = 'based_on = "{base}"\nkey = "krug"\ntitle_de = "Krug"\ntitle_en = "Jug"\n{rest}\n'


def field(name: str, value: str) -> str:
    return f'[fields]\n{name} = {{ value = {value}, text = "Tafel" }}'


@pytest.mark.parametrize(
    ("base", "rest", "problem"),
    [
        ("statuten", field("start", "'three_dice_round'"),
         "line 6: .*three_dice_start_fee_eur is for a start with one die"),
        ("turnier", field("voluntary_take_source", "'stock_then_winner'"),
         "line 6: .*needs voluntary_take = true"),
        ("turnier", field("cl_adds_to_loss_fee", "true"),
         "line 6: .*cl_adds_to_loss_fee = true needs champions_league"),
        ("blog2019", field("max_throws", "2"),
         "line 6: .*'koenigswurf', which is a throw 3, but max_throws is 2"),
        ("jule", '[names]\nschock = "X"\ngeneral = "x "',
         "lines 6, 7: .*schock and general have the same name 'x'"),
        ("jule", '[names]\ngeneral = " "', "line 6: general must be text"),
        ("jule", "[penalties]\ntoo_many_throws = { outcome = { loses_round = false }, text = 'T' }",
         "line 6: too_many_throws is no penalty to be stated: .*[fields] too_many_throws"),
        ("jule", "[penalties]\nconcede = { outcome = { allowed = true }, text = 'T' }",
         "line 6: concede is no penalty to be stated: it is worked out from [fields]"),
        ("jule", "[penalties]\nvoluntary_take = { outcome = { allowed = true }, text = 'T' }",
         "line 6: voluntary_take is no penalty to be stated: it is worked out from [fields]"),
        ("jule", "[penalties]\nfeuer = { outcome = { throw = 'repeat' }, text = 'T' }",
         "line 6: feuer is another word for burning; state that"),
    ],
)  # fmt: skip
def test_decisions_that_cannot_both_be_meant_are_refused(
    base: str, rest: str, problem: str
) -> None:
    with pytest.raises(BookError, match=problem.replace("[fields]", r"\[fields\]")):
        parse_book(HOUSE.format(base=base, rest=rest))


def test_what_a_house_names_anew_leaves_the_other_names() -> None:
    book = parse_book(HOUSE.format(base="jule", rest='[names]\nhausnummer = "Zahl"'))
    assert book.names.hausnummer == "Zahl"
    assert (book.names.schock, book.names.general) == ("Max", "Drei Dicke")


def test_a_house_rule_is_not_printed_as_the_text_of_its_base() -> None:
    rest = field("champions_league", "'friday'")
    book = parse_book(HOUSE.format(base="statuten", rest=rest))
    assert book.cite("champions_league", "doofmann") == "krug Tafel; 004 §6, §7, §17a-e"


def test_a_penalty_says_what_the_field_says_that_it_follows_from() -> None:
    rest = field("return_kept", "true")
    house = parse_book(HOUSE.format(base="turnier", rest=rest))
    assert house.penalties["return_kept"].outcome == {"allowed": True}
    assert house.penalties["return_kept"].source.cite() == "krug Tafel"


@pytest.mark.parametrize(
    "written",
    [
        "fields.keep = {}",
        '"fields" . "keep" = {}',
        "fields.keep.value = 1",
        "fields = { keep = {} }",
    ],
)
def test_a_field_is_found_in_its_line_however_it_is_written(written: str) -> None:
    with pytest.raises(BookError, match="line 5: keep must say where it comes from"):
        parse_book(HOUSE.format(base="turnier", rest=f"{written}\n[names]\nschock = 'S'"))
