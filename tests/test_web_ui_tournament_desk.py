"""The desk: every form, every refusal, in whose name, and that nobody else may."""

import random
from typing import Any

import pytest
from hall_client import forms, organiser, send, words
from hall_scenes import act, between, drawn, opened, over, people, playing, stechen, until
from tournament_hall import MemoryHall

from rules.tournament import Tournament
from rules.tournament_library import all_formats
from web_ui.i18n import LANGUAGES, messages
from web_ui.tournament_desk_view import PLACES
from web_ui.tournament_forms import _FORMS, draw_id

OPEN_FORM = {"name": "Kirmes", "format": "punkte_ko", "seed": "7", "book": "turnier"}
OWN = 'key = "kirmes"\nversion = "1"\ntitle_de = "Kirmes"\ntitle_en = "Fair"\nbased_on = "werl"\n'


def now(hall: MemoryHall) -> Tournament:
    tournament = hall.tournament()
    assert tournament is not None
    return tournament


def done(hall: MemoryHall, do: str, **fields: Any) -> None:
    """Press a button that works."""
    answer = send(organiser(hall), do, **fields)
    assert answer.status_code == 303, words(answer)


def refused(hall: MemoryHall, do: str, status: int = 409, **fields: Any) -> str:
    """Press a button that does not work; what the page says then, in English."""
    before = hall.seq
    answer = send(organiser(hall), do, "/tournament/desk?lang=en", **fields)
    assert answer.status_code == status, words(answer)
    assert hall.seq == before
    assert 'id="piece-refusals" role="alert"' in answer.text
    return words(answer)


# --- every form ------------------------------------------------------------------------------


def test_a_tournament_is_opened_with_a_format_that_ships():
    hall = MemoryHall()
    client = organiser(hall)
    page = client.get("/tournament/desk").text
    for made in all_formats():
        assert f'value="{made.key}"' in page
    done(hall, "open", **OPEN_FORM)
    assert now(hall).format.key == "punkte_ko"
    assert hall.done[-1][0] == {"type": "open_tournament", "format_text": "", **OPEN_FORM}
    assert "under way" in refused(hall, "open", **OPEN_FORM)


def test_a_tournament_is_opened_with_a_format_of_its_own():
    hall = MemoryHall()
    done(hall, "open", **OPEN_FORM, format_text=OWN)
    assert now(hall).format.key == "kirmes"
    page = refused(MemoryHall(), "open", **OPEN_FORM, format_text='cuts = "16"')
    assert "cuts" in page


def test_many_names_are_registered_at_once():
    hall = opened()
    done(hall, "register", names="Anna\r\n  Ben  Schmidt \n\nCem\t\n")
    assert list(now(hall).state.entrants) == ["Anna", "Ben Schmidt", "Cem"]


def test_many_names_are_registered_with_their_teams():
    hall = opened(made="strafpunkte_leben")
    done(hall, "register", names="Anna; Würfler\nBen\tWürfler\nCem", team="Die Dritten")
    teams = {one.name: one.team for one in now(hall).state.entrants.values()}
    assert teams == {"Anna": "Würfler", "Ben": "Würfler", "Cem": "Die Dritten"}


def test_who_cannot_be_registered_is_named_and_the_others_are():
    hall = opened(("Anna",))
    answer = send(organiser(hall), "register", names="Ben\nANNA\nCem")
    assert answer.status_code == 409
    assert list(now(hall).state.entrants) == ["Anna", "Ben", "Cem"]
    assert "ANNA heißt wie Anna" in words(answer)
    assert ">ANNA</textarea>" in answer.text  # to be changed and sent again


def test_nobody_is_registered_without_a_name():
    assert "no name" in refused(opened(), "register", 400, names=" \n ")


def test_the_fee_is_paid_and_paid_back():
    hall = opened()
    done(hall, "register", names="Anna")
    done(hall, "pay", player="Anna", eur="10")
    assert now(hall).state.entrants["Anna"].paid_eur == 10
    assert "owes 0" in refused(hall, "pay", player="Anna", eur="10")
    done(hall, "pay", player="Anna", eur="-10")
    assert now(hall).state.entrants["Anna"].paid_eur == 0
    assert "eur" in refused(hall, "pay", 400, player="Anna", eur="zehn")


def test_somebody_goes_home_and_comes_back():
    hall = opened(people(5))
    name = people(5)[0]
    assert "reason" in refused(hall, "leave", player=name, reason="")
    done(hall, "leave", player=name, reason="krank")
    assert not now(hall).state.entrants[name].here
    assert "has left already" in refused(hall, "leave", player=name, reason="krank")
    done(hall, "come_back", player=name)
    assert now(hall).state.entrants[name].here
    assert "need not come back" in refused(hall, "come_back", player=name)


def test_a_round_is_drawn_and_drawn_anew_with_a_reason():
    hall = opened(people(8))
    done(hall, "draw", by="Ute")
    assert hall.done[-1] == ({"type": "draw_round", "by": "Ute", "reason": "", "tables": []}, "Ute")
    first = now(hall).round
    assert "drawn anew" in refused(hall, "draw")
    assert "reason" in refused(hall, "redraw", 400, reason="  ")
    done(hall, "redraw", reason="Tisch wackelt")
    second = now(hall).round
    assert first is not None
    assert second is not None
    assert second.attempt == 2


def test_a_draw_from_a_pot_is_taken_over():
    hall = opened(people(7))
    pot = {f"seat-{at}": str(1 + at % 2) for at in range(7)}
    done(hall, "draw_by_hand", **pot)
    one = now(hall).round
    assert one is not None
    assert one.tables == (people(7)[0::2], people(7)[1::2])
    gap = refused(hall, "draw_by_hand", 400, **{**pot, "seat-0": "9"}, reason="x")
    assert "1, 2, 9" in gap
    assert "1 players" in refused(opened(people(4)), "draw_by_hand", **{"seat-0": "1"})


def test_a_late_arrival_is_seated():
    hall = drawn(people(7))
    done(hall, "register", names="Zoe")
    assert "fee" in refused(hall, "seat", player="Zoe", table="2")
    done(hall, "pay", player="Zoe", eur="10")
    done(hall, "seat", player="Zoe", table="2", by="Ute")
    one = now(hall).round
    assert one is not None
    assert one.table_of("Zoe") == 2
    assert "no table 9" in refused(hall, "seat", player="Zoe", table="9")


def test_scharf_is_called_for_tables_of_a_knockout_round_alone():
    hall = drawn()
    assert "knockout rounds only" in refused(hall, "scharf", draw="1-1", table=["1"])
    chance = random.Random(1)
    while now(hall).round is None or now(hall).round.kind == "points":  # type: ignore[union-attr]
        until_next_draw(hall, chance)
    draw = draw_id(now(hall).round)
    assert "ticked" in refused(hall, "scharf", 400, draw=draw)
    done(hall, "scharf", draw=draw, table=["1"], by="Ute")
    assert now(hall).round.scharf == {1}  # type: ignore[union-attr]


def until_next_draw(hall: MemoryHall, chance: random.Random) -> None:
    hall.log.append("mark", {})
    until(hall, "round_drawn", chance)


def test_a_stechen_is_entered_by_places():
    hall = stechen()
    needed = now(hall).stechen_needed[0]
    about = {"player": list(needed.players), "table": str(needed.table)}
    ranks = [str(at + 1) for at in range(len(needed.players))]
    assert "missing" in refused(hall, "stechen", 400, **about, rank=["1", *[""] * (len(ranks) - 1)])
    done(hall, "stechen", **about, rank=ranks[::-1], by="Ute")
    assert now(hall).state.playoffs[-1].order == tuple((name,) for name in needed.players[::-1])
    assert "No play-off is needed" in refused(hall, "stechen", **about, rank=ranks)
    done(hall, "stechen", **about, rank=ranks, reason="verwechselt")
    assert now(hall).state.playoffs[-1].order == tuple((name,) for name in needed.players)
    page = words(organiser(hall).get("/tournament/desk?at=end"))
    assert f"Stechen berichtigen: {', '.join(needed.players)}" in page


def test_money_for_charity_is_entered():
    hall = over(seed=4)
    name = next(iter(now(hall).state.entrants))
    done(hall, "charity", player=name, eur="3")
    assert now(hall).state.entrants[name].charity_eur == 3
    done(hall, "charity", player=name, eur="-3")
    assert "no amount" in refused(hall, "charity", player=name, eur="-3")


def test_the_clock_is_started():
    hall = drawn()
    done(hall, "clock")
    clock = hall.clock()
    assert clock is not None
    assert clock.started_at_s
    assert "No round" in refused(opened(), "clock")


def test_it_ends_early_with_a_reason_only():
    hall = between()
    assert "needs a reason" in refused(hall, "finish")
    done(hall, "finish", reason="Strom weg", by="Ute")
    assert now(hall).state.ended_early == "Strom weg"
    assert "is over" in refused(hall, "finish", reason="noch einmal")
    page = words(organiser(hall).get("/tournament/desk"))
    assert "Turnier beendet von Ute (Strom weg)" in page


def test_a_button_that_there_is_not_is_refused():
    answer = send(organiser(opened()), "explode")
    assert answer.status_code == 400
    assert "explode" in words(answer)


# --- what the page shows ---------------------------------------------------------------------


@pytest.mark.parametrize("lang", LANGUAGES)
@pytest.mark.parametrize("at", PLACES)
@pytest.mark.parametrize("scene", [opened, drawn, playing, between, stechen, over])
def test_every_part_of_the_desk_is_shown_at_every_moment(scene: Any, at: str, lang: str):
    answer = organiser(scene()).get(f"/tournament/desk?at={at}&lang={lang}")
    assert answer.status_code == 200
    assert "{" not in words(answer)


def test_what_cannot_be_done_is_off_and_says_why():
    page = organiser(opened(people(1))).get("/tournament/desk?at=round&lang=en").text
    assert 'value="draw" class="send" id="do-draw"' in page
    assert "disabled" in page[page.index('id="do-draw"') :][:80]
    assert "Only 1 players are here" in words(page)
    page = organiser(playing()).get("/tournament/desk?at=round").text
    assert "Von Runde 1 fehlen noch die Ergebnisse: 2, 3." in words(page)
    page = organiser(playing()).get("/tournament/desk?at=cards").text
    assert "Scharf wird in diesem Turnier nur in K.-o.-Runden gespielt" in words(page)
    late = organiser(over()).get("/tournament/desk?at=players").text
    assert "Das Turnier ist zu Ende" in words(late)
    assert '<textarea name="names" rows="4" disabled' in late


def test_the_desk_opens_where_something_is_due():
    for scene, form in (
        (opened, "form-register"), (between, "form-draw"), (stechen, "form-stechen-1"),
        (over, "form-finish"),
    ):  # fmt: skip
        assert form in forms(organiser(scene()).get("/tournament/desk"))


def test_what_happened_is_told_in_words():
    hall = opened(("Anna",))
    client = organiser(hall)
    page = words(client.get("/tournament/desk?lang=en"))
    assert 'Anna: 10 € entry fee Anna registered Tournament "Kirmes 2026" opened' in page
    hall.told = [{"at_s": 0.0, "what": "x", "table": "t1", "text_de": "Weg.", "text_en": "Gone."}]
    assert "t1 Gone." in words(client.get("/tournament/desk?lang=en"))


def test_the_desk_remembers_who_sits_there():
    hall = opened(people(5))
    client = organiser(hall)
    send(client, "draw", by="Ute Meier")
    page = forms(client.get("/tournament/desk?at=round"))
    assert page["form-redraw"]["by"] == "Ute Meier"


def test_every_form_has_its_words_and_every_word_its_form():
    page = "".join(
        organiser(scene()).get(f"/tournament/desk?at={at}").text
        for scene in (MemoryHall, opened, drawn, playing, stechen, lambda: opened(people(5)))
        for at in PLACES
    )
    for do in set(_FORMS) - {"charity", "leave", "come_back", "pay"}:
        assert f'value="{do}"' in page, do
    assert messages("de")["hall.leave"] in page


def test_names_in_a_form_are_those_that_are_sent():
    name = 'Ann "A" <b> & Co'
    hall = opened((name,))
    act(hall, type="pay_fee", player=name, eur=-10)
    page = organiser(hall).get("/tournament/desk?at=players").text
    assert 'value="Ann &#34;A&#34; &lt;b&gt; &amp; Co"' in page
