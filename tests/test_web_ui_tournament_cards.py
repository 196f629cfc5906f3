"""Paper cards: filled in by hand they say what a camera would have said; corrections are tried."""

import random
import re
from dataclasses import replace
from typing import Any

import pytest
from hall_client import organiser, visitor, words
from hall_scenes import act, drawn, people, playing
from hypothesis import given
from hypothesis import strategies as st
from tournament_hall import MemoryHall
from tournament_play import SCHOCKFREUNDE, WERL, card, game, random_card, scharf
from werkzeug.datastructures import MultiDict

from rules.tournament import Tournament
from rules.tournament_results import GameRecord, HalfRecord, TableResult
from rules.tournament_state import Round
from rules.wire import plain
from web_ui.tournament_card import (
    MOST_GAMES,
    CardForm,
    blank_card,
    card_from,
    card_of,
    result_of,
)

SEATS = ("Anna", "Ben", "Cem", "Dora")
ROUND = Round(
    number=1, kind="points", tables=(SEATS,), sitting_out=(), attempt=1, here=frozenset(SEATS)
)


def fields_of(form: CardForm, **more: Any) -> MultiDict[str, str]:
    """A card as a browser sends its form."""
    sent: MultiDict[str, str] = MultiDict({"games": str(len(form.games)), **more})
    for name in form.seats:
        sent.add("seat", name)
    for number, one in enumerate(form.games, start=1):
        for at in sorted(one.here):
            sent.add(f"g{number}in", str(at))
        for half, row in enumerate(one.out, start=1):
            for at, value in enumerate(row):
                sent.add(f"g{number}h{half}p{at}", value)
        for at, value in enumerate(one.aus):
            sent.add(f"g{number}a{at}", value)
        sent.add(f"g{number}loser", one.loser)
        sent.add(f"g{number}how", one.how)
    sent.add("cut_short", form.cut_short)
    return sent


def as_sent(result: TableResult, seats: tuple[str, ...], **more: Any) -> MultiDict[str, str]:
    return fields_of(card_of(result, seats), by="Ute", **more)


def halves_of(result: TableResult) -> list[Any]:
    """A result without the order in which players are named."""
    return [(one.halves, one.loser, one.how, {*one.players}) for one in result.games]


def now(hall: MemoryHall) -> tuple[Tournament, Round]:
    tournament = hall.tournament()
    assert tournament is not None
    assert tournament.round is not None
    return tournament, tournament.round


# --- the form says what the card says --------------------------------------------------------


@given(st.integers(0, 10_000))
def test_a_card_comes_back_from_its_form_as_it_was(seed: int):
    """Whatever a table can hand in can be typed, and is what was typed."""
    result = random_card(WERL, ROUND, 1, random.Random(seed))
    form = card_from(as_sent(result, SEATS), SEATS, result.by)
    assert result_of(form) == plain(result)


def test_games_that_ended_otherwise_come_back_too():
    tied = GameRecord(
        number=1, players=SEATS, loser="Ben", how="champions_league",
        halves=(HalfRecord(loser="Ben", out=(("Anna", "Cem"), ("Dora",))),),
        schock_aus={"Anna": 2, "Ben": 1},
    )  # fmt: skip
    for result in (card(tied), card(scharf(1, SEATS)), card(cut_short="alle weg")):
        form = card_from(as_sent(result, SEATS), SEATS, result.by)
        assert result_of(form) == plain(result)


def test_who_did_not_play_is_left_out():
    result = card(game(1, SEATS, SEATS), game(2, SEATS[:3], SEATS[:3]))
    form = card_from(as_sent(result, SEATS), SEATS, "Ute")
    assert [len(one["players"]) for one in result_of(form)["games"]] == [4, 3]


def test_a_blank_card_has_room_for_the_games_of_the_round_and_none_of_them_counts():
    form = blank_card(WERL, ROUND, 1, "Ute", gone=("Dora",))
    assert len(form.games) == WERL.games_per_round
    assert form.games[0].here == {0, 1, 2}
    assert result_of(form)["games"] == []
    assert len(blank_card(SCHOCKFREUNDE, replace(ROUND, kind="ko"), 1, "Ute", ()).games) == 3


# --- what is handed in -----------------------------------------------------------------------


def test_a_card_is_handed_in():
    hall = drawn()
    seats = now(hall)[1].tables[1]
    result = card(game(1, seats, seats))
    client = organiser(hall)
    assert "Tisch 2, Runde 1" in words(client.get("/tournament/card/1/2"))
    sent = as_sent(result, seats, kind="hand_in", do="send")
    answer = client.post("/tournament/card/1/2", data=sent)
    assert answer.status_code == 303
    assert answer.headers["Location"].startswith("/tournament/desk?")
    handed = now(hall)[1].handed[2].result
    assert halves_of(handed) == halves_of(result)
    assert (handed.by, handed.source) == ("Ute", "card")


@pytest.mark.parametrize(
    ("changed", "said"),
    [
        ({"g1h1p0": "L"}, "Game 1, half 1: one loser is expected, but 2 are given."),
        ({"g1h1p0": ""}, "Game 1 does not name everybody once who went out of half 1."),
        ({"g1h2p0": "x"}, 'Game 1: "x" is no number from 1.'),
        ({"g1a0": "-1"}, 'Game 1: "-1" is no number from 1.'),
        ({"g1how": "scharf"}, "Game 1 has 2 halves."),
        ({"g1how": "final", "g1loser": ""}, "is handed in"),
        ({"games": "0"}, "Without any game it must say why"),
        ({"games": "1000"}, ""),
    ],
)
def test_a_card_that_cannot_be_is_refused_with_what_is_wrong(changed: dict[str, str], said: str):
    hall = drawn()
    seats = now(hall)[1].tables[1]
    sent = as_sent(card(game(1, seats, seats)), seats, kind="hand_in", do="send")
    sent.update({})
    for name, value in changed.items():
        sent[name] = value
    answer = organiser(hall).post("/tournament/card/1/2?lang=en", data=sent)
    if said == "is handed in":  # a sweep: who lost both halves has lost the game
        assert answer.status_code == 303
        return
    expected = 409 if said.startswith(("Game 1 ", "Without")) else 400
    assert answer.status_code == expected, words(answer)
    assert said in words(answer)
    assert not now(hall)[1].handed
    if "games" not in changed:  # what was typed is still there
        assert "selected>1</option>" in answer.text


def test_a_game_without_a_loser_is_refused():
    hall = drawn()
    seats = now(hall)[1].tables[1]
    sent = as_sent(card(game(1, seats, seats[::-1], seats[0])), seats, kind="hand_in", do="send")
    sent["g1loser"] = ""
    answer = organiser(hall).post("/tournament/card/1/2", data=sent)
    assert answer.status_code == 400
    assert "Spiel 1: Es fehlt, wer das Spiel verloren hat." in words(answer)


def test_a_card_for_a_table_at_which_others_sit_by_now_is_refused():
    """Drawn anew while somebody was typing: the numbers of the seats would mean others."""
    hall = drawn()
    seats = now(hall)[1].tables[1]
    sent = as_sent(card(game(1, seats, seats)), seats, kind="hand_in", do="send")
    act(hall, type="draw_round", by="R", reason="noch einmal")
    assert now(hall)[1].tables[1] != seats
    answer = organiser(hall).post("/tournament/card/1/2?lang=en", data=sent)
    assert answer.status_code == 409
    assert "Others sit at this table by now" in words(answer)
    assert not now(hall)[1].handed


def test_two_who_hand_in_the_same_card_do_not_correct_each_other():
    hall = drawn()
    seats = now(hall)[1].tables[1]
    sent = as_sent(card(game(1, seats, seats)), seats, kind="hand_in", do="send")
    client = organiser(hall)
    assert client.post("/tournament/card/1/2", data=sent).status_code == 303
    answer = client.post("/tournament/card/1/2", data=sent)
    assert answer.status_code == 409
    assert "schon abgegeben" in words(answer)


def test_there_is_room_for_more_games_and_nothing_typed_is_lost():
    hall = drawn()
    seats = now(hall)[1].tables[1]
    sent = as_sent(card(game(1, seats, seats)), seats, kind="hand_in", do="more")
    client = organiser(hall)
    page = client.post("/tournament/card/1/2", data=sent)
    assert page.status_code == 200
    assert page.text.count('<fieldset class="game"') == 4
    assert 'name="games" value="4"' in page.text
    sent["games"] = str(MOST_GAMES)
    full = client.post("/tournament/card/1/2", data=sent)
    assert full.text.count('<fieldset class="game"') == MOST_GAMES
    assert 'id="do-more"' not in full.text
    assert not now(hall)[1].handed


@pytest.mark.parametrize("path", ["0/1", "9/1", "1/0", "1/99"])
def test_a_card_of_no_table_is_not_there(path: str):
    client = organiser(drawn())
    assert client.get(f"/tournament/card/{path}").status_code == 404
    assert client.post(f"/tournament/card/{path}", data={"do": "send"}).status_code == 404
    assert organiser(MemoryHall()).get(f"/tournament/card/{path}").status_code == 404


def test_only_who_may_hands_in():
    hall = drawn()
    seats = now(hall)[1].tables[1]
    sent = as_sent(card(game(1, seats, seats)), seats, kind="hand_in", do="send")
    stranger = visitor(hall)
    sent["csrf"] = stranger.get("/api/session").get_json()["csrf"]
    assert stranger.post("/tournament/card/1/2", data=sent).status_code == 401
    client = organiser(hall)
    client.environ_base.pop("HTTP_X_CSRF_TOKEN")
    assert client.post("/tournament/card/1/2", data=sent).status_code == 403
    assert not now(hall)[1].handed


def test_names_on_a_card_are_never_markup():
    evil = "<b>Ann</b>"
    hall = drawn((evil, "Ben", "Cem"))
    page = organiser(hall).get("/tournament/card/1/1").text
    assert evil not in page
    assert "&lt;b&gt;Ann&lt;/b&gt;" in page


def test_a_table_that_plays_shows_a_blank_card_and_one_that_is_done_what_was_handed_in():
    client = organiser(playing())
    done = client.get("/tournament/card/1/1").text
    open_ = client.get("/tournament/card/1/2").text
    assert 'value="correct_result"' in done
    assert 'value="hand_in"' in open_
    assert " selected>V</option>" in done
    assert " selected>V</option>" not in open_


def test_a_card_names_who_was_moved_to_another_table_meanwhile():
    hall = drawn(people(7), by_hand=4)
    seats = now(hall)[1].tables[0]
    moved = seats[0]
    act(hall, type="seat", player=moved, table=2, by="R")
    client = organiser(hall)
    page = client.get("/tournament/card/1/1")
    rows = (*seats[1:], moved)
    assert tuple(re.findall(r'name="seat" value="([^"]+)"', page.text)) == rows
    made = blank_card(WERL, now(hall)[1], 1, "Ute", ())
    assert made.seats == rows
    together = card(game(1, seats, seats), game(2, seats[1:], seats[1:]), cut_short="Zeit")
    sent = as_sent(together, rows, kind="hand_in", do="send")
    assert client.post("/tournament/card/1/1", data=sent).status_code == 303
    assert now(hall)[1].handed[1].result.games[0].players == tuple(
        name for name in rows if name in seats
    )
    corrected = client.get("/tournament/card/1/1")
    assert corrected.status_code == 200
    assert moved in words(corrected)
