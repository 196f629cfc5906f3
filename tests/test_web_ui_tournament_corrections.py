"""Corrections of a card: shown before they count, with a reason, and told afterwards."""

import random

import pytest
from hall_client import organiser, words
from hall_scenes import between, drawn, people, until
from test_web_ui_tournament_cards import as_sent, halves_of, now
from tournament_play import card, game


def test_a_correction_is_shown_before_it_counts():
    hall = between()
    tournament, one = now(hall)
    seats, before = one.tables[0], one.handed[1].result
    right = card(game(1, seats[::-1], seats[::-1]), game(2, seats[::-1], seats[::-1]))
    client = organiser(hall)
    page = client.get("/tournament/card/1/1")
    assert "bleibt im Protokoll" in words(page)
    assert 'value="send"' not in page.text  # not before it was shown what it changes
    sent = as_sent(right, seats, kind="correct_result", do="try", reason="Zahlendreher")
    tried = client.post("/tournament/card/1/1", data=sent)
    assert tried.status_code == 200
    assert now(hall)[1].handed[1].result == before
    places = {row.player: row.place for row in tournament.standings}
    sent["do"] = "send"
    assert client.post("/tournament/card/1/1", data=sent).status_code == 303
    after, one = now(hall)
    assert halves_of(one.handed[1].result) == halves_of(right)
    moved = [row for row in after.standings if places[row.player] != row.place]
    assert moved
    for row in moved:
        told = f"{row.player}: Platz {places[row.player]} → {row.place}"
        assert told in words(tried)
    assert "Ergebnis berichtigt von Ute (Zahlendreher)" in words(client.get("/tournament/desk"))


def test_a_correction_tells_which_knockout_round_would_have_been_another():
    hall = drawn(people(12))
    until(hall, "round_drawn", random.Random(1))
    chance = random.Random(4)
    while now(hall)[1].kind == "points":
        hall.log.append("mark", {})
        until(hall, "round_drawn", chance)
    seats = now(hall)[0].state.rounds[0].tables[0]
    last = next(n for n in seats if n not in now(hall)[1].here or n not in now(hall)[1].players)
    order = (last, *(name for name in seats if name != last))
    right = card(*(game(number, order, order) for number in range(1, 6)))
    sent = as_sent(right, seats, kind="correct_result", do="try", reason="falsch")
    page = organiser(hall).post("/tournament/card/1/1", data=sent)
    assert "wäre anders ausgelost worden" in words(page)
    assert f"Dabei gewesen wäre: {last}" in words(page)


@pytest.mark.parametrize("do", ["try", "send"])
def test_a_correction_needs_a_reason_and_a_change(do: str):
    hall = between()
    one = now(hall)[1]
    seats, before = one.tables[0], one.handed[1].result
    client = organiser(hall)
    right = card(game(1, seats[::-1], seats[::-1]))
    sent = as_sent(right, seats, kind="correct_result", do=do, reason=" ")
    answer = client.post("/tournament/card/1/1", data=sent)
    assert answer.status_code == 409
    assert "Dazu gehört ein Grund" in words(answer)
    sent = as_sent(before, seats, kind="correct_result", do=do, reason="x")
    sent["by"] = before.by
    answer = client.post("/tournament/card/1/1", data=sent)
    assert answer.status_code == 409
    assert "So steht das Ergebnis" in words(answer)
