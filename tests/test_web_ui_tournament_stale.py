"""Forms that were left open or sent twice: what they were made for is no longer there."""

import threading
from typing import Any

import pytest
from flask.testing import FlaskClient
from hall_client import forms, organiser, send, words
from hall_scenes import act, between, drawn, opened, people, playing
from test_web_ui_tournament_cards import as_sent, halves_of, now
from tournament_hall import MemoryHall
from tournament_play import card, game

from rules.wire import plain

FOUR = ("Anna", "Ben", "Cem", "Dora")


def hand_in(hall: MemoryHall, *, table: int = 1) -> tuple[str, ...]:
    """A table hands in one game; returns who sits there."""
    seats = now(hall)[1].tables[table - 1]
    result = card(game(1, seats, seats), cut_short="Zeit")
    act(hall, type="hand_in", table=table, result=_json(result))
    return seats


def _json(result: Any) -> dict[str, Any]:
    told: dict[str, Any] = plain(result)
    return told


def test_a_card_that_is_sent_again_does_not_count_for_the_next_round() -> None:
    """Four players have one table: in the next round the same names sit at the same number."""
    hall = drawn(FOUR)
    seats = now(hall)[1].tables[0]
    sent = as_sent(card(game(1, seats, seats), cut_short="Zeit"), seats, kind="hand_in", do="send")
    client = organiser(hall)
    assert client.post("/tournament/card/1/1", data=sent).status_code == 303
    act(hall, type="draw_round", by="R")
    answer = client.post("/tournament/card/1/1?lang=en", data=sent)
    assert answer.status_code == 409
    assert "has handed in its result of round 1 already" in words(answer)
    assert not now(hall)[1].handed


def test_a_correction_of_a_result_that_was_corrected_meanwhile_is_refused() -> None:
    hall = between()
    seats = now(hall)[1].tables[0]
    clients = [organiser(hall), organiser(hall)]
    pages = [forms(client.get("/tournament/card/1/1"))["card"]["seen"] for client in clients]
    assert pages[0] == pages[1]
    first = card(game(1, seats, seats), cut_short="Zeit")
    second = card(game(1, seats[::-1], seats[::-1]), cut_short="Zeit")
    answers = []
    for client, right in zip(clients, (first, second), strict=True):
        sent = as_sent(right, seats, kind="correct_result", do="send", reason="falsch")
        sent["seen"] = pages[0]
        answers.append(client.post("/tournament/card/1/1?lang=en", data=sent))
    assert [one.status_code for one in answers] == [303, 409]
    assert "was corrected meanwhile" in words(answers[1])
    assert halves_of(now(hall)[1].handed[1].result) == halves_of(first)
    assert forms(answers[1])["card"]["seen"] != pages[0]


def made_for(client: FlaskClient, form: str, at: str = "round") -> str:
    return forms(client.get(f"/tournament/desk?at={at}"))[form]["draw"]


@pytest.mark.parametrize("form", ["form-draw", "form-redraw", "form-seat", "form-pot"])
def test_every_form_of_a_draw_says_for_which_it_was_made(form: str) -> None:
    client = organiser(drawn())
    assert made_for(client, form) == "1-1"


def test_a_round_is_drawn_anew_once_however_often_it_is_sent() -> None:
    hall = drawn()
    clients = [organiser(hall), organiser(hall)]
    pages = [made_for(client, "form-redraw") for client in clients]
    answers = [
        send(client, "redraw", reason="zu früh", draw=page)
        for client, page in zip(clients, pages, strict=True)
    ]
    assert [one.status_code for one in answers] == [303, 409]
    assert now(hall)[1].attempt == 2


def test_a_page_of_an_earlier_round_draws_seats_and_times_nothing_in_the_next() -> None:
    hall = drawn(people(6))
    stale = made_for(organiser(hall), "form-redraw")
    for table in (1, 2):
        hand_in(hall, table=table)
    act(hall, type="draw_round", by="R")
    before, seq = now(hall)[1], hall.seq
    moved = before.tables[0][0]
    for do, fields in (
        ("redraw", {"reason": "x"}), ("seat", {"player": moved, "table": "2"}), ("clock", {}),
        ("draw", {}), ("draw_by_hand", {"reason": "x", "seat-0": "1", "seat-1": "1"}),
    ):  # fmt: skip
        answer = send(organiser(hall), do, "/tournament/desk?lang=en", draw=stale, **fields)
        assert answer.status_code == 409, do
        assert "Another draw was made meanwhile" in words(answer)
    assert (now(hall)[1], hall.seq) == (before, seq)


def test_money_for_charity_is_entered_once_by_two_desks() -> None:
    hall = playing(FOUR)
    fields = {"player": "Anna", "eur": "3", "had": "0"}
    codes: list[int] = []
    desks = [organiser(hall) for _ in range(4)]

    def press(client: FlaskClient) -> None:
        codes.append(send(client, "charity", **fields).status_code)

    threads = [threading.Thread(target=press, args=(client,)) for client in desks]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert sorted(codes) == [303, 409, 409, 409]
    assert now(hall)[0].state.entrants["Anna"].charity_eur == 3


def test_money_for_charity_can_be_given_back_at_the_desk() -> None:
    hall = opened(FOUR)
    act(hall, type="pay_charity", player="Ben", eur=6)
    page = organiser(hall).get("/tournament/desk?at=players&lang=en")
    assert "Ben: 6 € charity back" in page.text
    assert send(organiser(hall), "charity", player="Ben", eur="-6", had="6").status_code == 303
    assert now_charity(hall, "Ben") == 0


def now_charity(hall: MemoryHall, name: str) -> int:
    tournament = hall.tournament()
    assert tournament is not None
    return tournament.state.entrants[name].charity_eur


# --- what cannot be a name -------------------------------------------------------------------


@pytest.mark.parametrize("lang", ["de", "en"])
def test_a_name_that_no_card_can_show_is_refused_and_the_others_are_taken(lang: str) -> None:
    hall = opened()
    answer = send(
        organiser(hall), "register", f"/tournament/desk?lang={lang}", names=f"Anna\n{'x' * 61}\nBen"
    )
    assert answer.status_code == 400
    assert "60" in words(answer)
    assert "x" * 61 in answer.text, "what was not registered is still there to be shortened"
    state = hall.tournament()
    assert state is not None
    assert list(state.state.entrants) == ["Anna", "Ben"]


def test_a_reason_that_no_page_can_show_is_refused() -> None:
    hall = opened(FOUR)
    answer = send(organiser(hall), "leave", player="Anna", reason="x" * 301)
    assert answer.status_code == 400


def test_a_name_is_one_however_its_accents_are_coded() -> None:
    hall = opened()
    decomposed = "Ju\u0308rgen"
    assert send(organiser(hall), "register", names=decomposed).status_code == 303
    state = hall.tournament()
    assert state is not None
    assert list(state.state.entrants) == ["Jürgen"]
    answer = organiser(hall).post(
        "/api/tournament/actions",
        json={"by": "Ute", "action": {"type": "register", "player": decomposed}},
    )
    assert answer.status_code == 409
    assert answer.get_json()["error"]["code"] == "name_taken"


# --- what is over, and what is wrong ---------------------------------------------------------


def test_a_tournament_that_was_ended_early_and_corrected_is_not_said_to_have_ended() -> None:
    hall = drawn(FOUR)
    seats = hand_in(hall)
    act(hall, type="finish", by="R", reason="Feueralarm")
    client = organiser(hall)
    assert "Ended early: Feueralarm" in words(client.get("/tournament/results.html?lang=en"))
    right = _json(card(game(1, seats[::-1], seats[::-1]), cut_short="Zeit"))
    act(hall, type="correct_result", round=1, table=1, result=right, by="R", reason="falsch")
    assert "Feueralarm" not in words(client.get("/tournament/results.html?lang=en"))


@pytest.mark.parametrize("made", ["punkte_ko", "verlustpunkte", "leben", "jahreswertung"])
@pytest.mark.parametrize("names", [(), ("Anna",)])
def test_a_tournament_in_which_nothing_was_played_ends_with_a_reason_only(
    made: str, names: tuple[str, ...]
) -> None:
    hall = opened(names, made)
    assert send(organiser(hall), "finish").status_code == 409
    assert send(organiser(hall), "finish", reason="Niemand kam").status_code == 303


def test_a_hall_that_cannot_go_on_is_an_alarm_and_no_health() -> None:
    hall = opened()
    hall.told = [
        {"what": "hall", "table": "", "at_s": 0.0, "text_de": "steht", "text_en": "stands still"}
    ]
    client = organiser(hall)
    page = client.get("/tournament/desk?lang=en")
    assert "The hub is in trouble: stands still" in words(page)
    assert client.get("/healthz").get_json() == {
        "status": "degraded", "seq": hall.seq, "faults": ["hall"],
    }  # fmt: skip
