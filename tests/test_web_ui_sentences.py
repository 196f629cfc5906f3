"""Texts for people: both catalogues alike, and every event of a game told in a sentence."""

import random
import re
import string
from pathlib import Path

import pytest
from test_web_ui_table import Table

import web_ui
from rules.actions import KeepDice, StopTurn, ThrowDice, TurnSixes
from rules.events import EVENT_TYPES
from rules.library import find_book
from rules.ranking import Result
from rules.valuation import describe as describe_result
from web_ui.i18n import LANGUAGES, counted, messages, text
from web_ui.sentences import describe
from web_ui.wording import figure, join_names, spoken

PACKAGE = Path(web_ui.__file__).parent


def placeholders(message: str) -> set[str]:
    return {name for _, name, _, _ in string.Formatter().parse(message) if name}


def test_both_languages_have_the_same_keys_and_placeholders():
    german, english = (messages(language) for language in LANGUAGES)
    assert list(german) == list(english)
    for key in german:
        assert placeholders(german[key]) == placeholders(english[key]), key


def test_the_catalogues_are_real_translations():
    german, english = (messages(language) for language in LANGUAGES)
    same = [key for key in german if german[key] == english[key]]
    assert set(same) <= {
        "title", "players.title", "deckel.one", "deckel.other", "stock.title", "start.league",
        "hall.open.name", "hall.open.format", "hall.card.ended.champions_league", "hall.card.part3",
        "setup.pin.title",
    }  # fmt: skip


def test_every_key_the_templates_and_modules_name_is_in_the_catalogue():
    sources = [*PACKAGE.glob("*.py"), *(PACKAGE / "templates").iterdir()]
    named = {
        key
        for source in sources
        for key in re.findall(
            r"""(?:\bt\(|(?:text|counted)\(\s*lang(?:uage)?,\s*)["']([\w.]+)["']""",
            source.read_text(encoding="utf-8"),
        )
    }
    assert len(named) > 50
    known = set(messages("de"))
    assert {k for k in named if k not in known and f"{k}.one" not in known} == set()


def test_an_unknown_language_or_key_is_an_error():
    with pytest.raises(ValueError, match="'fr'"):
        messages("fr")
    with pytest.raises(KeyError):
        text("de", "no.such.key")


def test_one_and_many():
    assert counted("de", "line.limit_set", 1, player="Ben") == "Ben gibt 1 Wurf vor."
    assert counted("de", "line.limit_set", 2, player="Ben") == "Ben gibt 2 Würfe vor."


def test_names_are_joined_as_people_do():
    assert join_names("de", ["A", "B", "C"]) == "A, B und C"
    assert join_names("en", ["A", "B"]) == "A and B"
    assert join_names("de", ["A"]) == "A"


def random_game(seed: int) -> Table:
    """A whole game of random dice and random, legal choices."""
    table, chance = Table(), random.Random(seed)
    while not table.match.is_over:
        player, turn = str(table.match.current_player), table.match.turn
        if turn is None or not turn.thrown or turn.must_throw:
            count = 3 if turn is None else turn.dice_to_throw
            if chance.random() < 0.05:
                table.do(ThrowDice(player, (), burns="tower"))
            table.do(ThrowDice(player, tuple(chance.choices(range(1, 7), k=count))))
        elif table.match.can_turn(player):
            table.do(TurnSixes(player, 1))
        elif 1 in turn.lying and turn.throws_left and table.match.can_keep(player, (1,)):
            table.do(KeepDice(player, (1,)))
        elif chance.random() < 0.5 and table.match.can_throw(player):
            table.do(ThrowDice(player, tuple(chance.choices(range(1, 7), k=turn.dice_to_throw))))
        else:
            table.do(StopTurn(player))
        if (forced := table.match.forced()) is not None:
            table.do(forced)
    return table


@pytest.mark.parametrize("language", LANGUAGES)
def test_every_event_of_whole_games_is_told_in_a_sentence(language: str):
    told: dict[str, str] = {}
    for seed in range(6):
        for entry in random_game(seed).log.read(0, 100_000):
            sentence = describe(language, entry.type, entry.data)
            assert sentence.kind != "other", (entry, "is shown as its bare type")
            assert "None" not in sentence.text
            told[entry.type] = sentence.text
    rare = {"opening_tied", "returned", "throw_corrected", "taken_back"}
    rare |= {"round_ruled", "deckel_ruled", "paused", "resumed", "abandoned"}
    covered = {"covered", "left_covered", "showdown_started"}
    of_other_books = {
        "took_voluntarily", "carried_over", "turn_handed_over", "fault_reported", "reentered",
        "doofmann_paid", "turn_forfeited", "turn_replaced", "part_forfeited", "round_void",
    }  # fmt: skip
    assert set(EVENT_TYPES) - rare - covered - of_other_books <= set(told)


def test_sentences_of_the_rare_events():
    tied = {"players": ["Anna", "Ben"], "section": "001 L40"}
    assert describe("de", "opening_tied", tied).text == (
        "Gleichstand in der Eröffnung: Anna und Ben werfen noch einmal."
    )
    covered = {"player": "Ben", "throw_no": 3}
    assert describe("de", "covered", covered).text == "Ben wirft verdeckt im Dritten."
    assert describe("de", "left_covered", covered).text == "Ben lässt den Becher stehen."
    shown = {"players": ["Anna", "Ben"], "section": ""}
    assert describe("de", "showdown_started", shown).text == "Aufgedeckt wird: Anna und Ben."
    table = Table()
    table.do(ThrowDice("Anna", (6, 5, 2)))
    table.submit({"type": "take_back", "by": "Ben"})
    last = table.log.read(0, 100)[-1]
    assert describe("de", last.type, last.data).text == "Ben nimmt den letzten Zug von Anna zurück."


def test_sentences_of_what_the_referee_rules_against_the_book():
    ruled = {
        "ruled_part": "half1", "ruled_round": 3, "verdict": "loser", "loser": "Ben", "by": "Ute",
        "reason": "Würfel vertauscht",
    }  # fmt: skip
    assert describe("de", "round_ruled", ruled).text == (
        "Schiedsrichterentscheid von Ute: 1. Hälfte, Runde 3 hat Ben verloren (Würfel vertauscht)."
    )
    for verdict in ("void", "book"):
        told = describe("en", "round_ruled", {**ruled, "verdict": verdict, "loser": None})
        assert told.kind == "refused"
        assert "None" not in told.text
    moved = {"giver": None, "taker": "Ben", "count": 2, "by": "Ute", "reason": "Handy am Tisch"}
    assert describe("de", "deckel_ruled", moved).text == (
        "Schiedsrichterentscheid von Ute: Ben bekommt Deckel aus dem Stock: 2 (Handy am Tisch)."
    )
    for giver, taker in (("Ben", None), ("Ben", "Anna")):
        told = describe("en", "deckel_ruled", {**moved, "giver": giver, "taker": taker})
        assert (told.kind, "None" in told.text) == ("deckel", False)
    for kind in ("paused", "resumed", "abandoned"):
        assert describe("de", kind, {"by": "Ute", "reason": ""}).text.startswith("Ute ")
    void = {"part": "half1", "round": 2, "reason": "ruling", "section": ""}
    assert describe("en", "round_void", void).text.endswith("the referee has ruled so.")


def test_sentences_of_events_that_only_some_books_have():
    taken = {"player": "Ben", "throw_id": 7, "part": "half1", "round": 1, "section": "002 L143"}
    assert describe("de", "took_voluntarily", taken).text == (
        "Ben nimmt die Deckel freiwillig, der Wurf bleibt unter dem Becher."
    )
    assert describe("en", "carried_over", taken).text == (
        "Ben leads with the covered throw of the last round."
    )
    named = {"player": "Ben", "starter": "Cem", "part": "half2", "order": [], "section": ""}
    told = describe("de", "turn_handed_over", named)
    assert (told.text, told.kind) == ("Ben lässt Cem vorlegen.", "move")
    fault = {"player": "Ben", "fault": "drop_die", "by": "Cem", "consequence": "repeat"}
    assert describe("de", "fault_reported", fault).text == (
        "Cem meldet: Ben hat einen Würfel fallen lassen."
    )
    paid = {"player": "Ben", "givers": [], "count": 1, "stock": 3, "holdings": {}, "section": ""}
    assert describe("en", "doofmann_paid", paid).text == "Ben gets Doofmanndeckel: 1."
    void = {"part": "half1", "round": 2, "reason": "last_doofmanndeckel", "section": "004 §17b"}
    assert describe("de", "round_void", void).kind == "round"
    for plain in ("reentered", "turn_forfeited", "turn_replaced", "part_forfeited"):
        assert "Ben" in describe("de", plain, {"player": "Ben"}).text
    over = {"loser": "Cem", "how": "champions_league", "sweep": None}
    assert "Champions League" in describe("en", "game_over", over).text


def test_what_the_table_brings_besides():
    refused = {"text_de": "Du bist nicht dran.", "text_en": "Not your turn."}
    assert describe("de", "refused", refused).text == "Nicht gewertet: Du bist nicht dran."
    assert describe("en", "refused", refused).text == "Not counted: Not your turn."
    assert describe("de", "fault_over", {"what": "camera"}).text == "Störung behoben: Kamera."
    assert describe("en", "fault_over", {"what": "x"}).text == "Fault gone: x."
    assert describe("de", "entered_by_hand", {"action": {}}).text == "Von Hand eingegeben."
    burnt = {"player": "Ben", "burns": "spilt_beer"}
    assert describe("de", "burnt", burnt).text == (
        "Ben: ungültig (spilt_beer), der Wurf wird wiederholt."
    )
    assert describe("de", "table.tower", {}).text == "Türmchen auf dem Tisch."
    seated = {"round": 2, "number": 3, "players": ["Anna", "Ben", "Cem"]}
    assert describe("de", "tournament.seated", seated).text == (
        "Turnier, Runde 2, Tisch 3: Anna, Ben und Cem."
    )
    free = describe("en", "tournament.seated", {**seated, "round": 0}).text
    assert free == "Tournament: this table is done."
    assert describe("de", "tournament.refused", refused).text == (
        "Turnier: Hier kann nicht gespielt werden. Du bist nicht dran."
    )
    for what in HUB_FAULTS:
        assert what not in describe("de", "fault_over", {"what": what}).text


HUB_FAULTS = ("hub_refused", "hub_untrusted", "hub_silent", "hub_ahead", "hub_forged")


def test_an_unknown_or_malformed_entry_is_its_type():
    assert describe("de", "weather.changed", {"to": "rain"}).text == "weather.changed"
    assert describe("de", "thrown", {}).text == "thrown"
    assert describe("de", "deckel_moved", {"count": [], "taker": 3}).text == "deckel_moved"


THROWS = [
    ("statuten", (5, 2, 1), "fünf einundzwanzig", "five twenty-one"),
    ("turnier", (6, 5, 2), "sechs zweiundfünfzig", "six fifty-two"),
    ("allgemein", (4, 1, 1), "Schock Vier", "Schock Four"),
    ("jule", (4, 4, 4), "Drei Dicke Vier", "General Four"),
    ("blog2019", (3, 2, 1), "Straße eins zwei drei", "straight one two three"),
    ("statuten", (1, 1, 1), "Schock aus", "Schock out"),
]


@pytest.mark.parametrize(("book", "dice", "german", "english"), THROWS)
def test_the_log_and_the_wall_say_a_throw_as_players_do(
    book: str, dice: tuple[int, ...], german: str, english: str
):
    result = vars(describe_result(find_book(book), Result("Anna", dice, 1, from_hand=True)))
    thrown = {"player": "Anna", "throw_no": 1, **result}
    assert describe("de", "thrown", thrown).text == f"Anna wirft im Ersten: {german}"
    assert describe("en", "thrown", thrown).text == f"Anna, first throw: {english}"
    assert spoken("de", result).startswith(f"{german} ")
    assert spoken("en", result).startswith(f"{english} ")


@pytest.mark.parametrize("name", ["", "Schock", "Schock 9", "9999999", "²"])
@pytest.mark.parametrize("category", ["schock", "hausnummer", "weird", None])
def test_a_figure_in_an_unknown_form_keeps_its_name(category: str | None, name: str):
    assert figure("de", {"category": category, "name": name}) == name
