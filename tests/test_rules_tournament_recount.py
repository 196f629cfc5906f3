"""The final ranking equals one that is counted again from the log, by code of its own."""

import json
import random

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from tournament_play import opened, play_on, random_card
from tournament_recount import recount

from rules.tournament import Tournament
from rules.tournament_actions import (
    ComeBack,
    CorrectResult,
    DrawRound,
    Leave,
    PayFee,
    Register,
    Seat,
    TournamentAction,
)
from rules.tournament_events import TournamentEvent
from rules.tournament_library import all_formats


def disturbance(tournament: Tournament, chance: random.Random) -> list[TournamentAction]:
    """What happens in a hall besides playing: some of it is refused, and then did not happen."""
    state = tournament.state
    name = chance.choice(list(state.entrants))
    new = f"Spät {len(state.entrants)}"
    actions: list[TournamentAction] = [
        Leave(player=name, reason="müde"),
        ComeBack(player=name),
        Register(player=new),
        PayFee(player=new, eur=10),
        PayFee(player=name, eur=10),
        DrawRound(by="R", reason="umgesetzt"),
    ]
    if state.rounds:
        one = chance.choice(state.rounds)
        table = chance.randint(1, len(one.tables))
        if table in one.handed:
            gone = one.handed[table].gone
            card = random_card(tournament.format, one, table, chance, gone)
            actions.append(
                CorrectResult(round=one.number, table=table, result=card, by="R", reason="Karte")
            )
    if state.rounds:
        table = chance.randint(1, len(state.rounds[-1].tables))
        actions += [Seat(player=who, table=table, by="R") for who in (name, new)]
    if chance.random() < 0.5:  # in this order a late arrival gets a seat
        return actions[2:4] + actions[-1:]
    return chance.sample(actions, chance.randint(0, len(actions)))


def hall(key: str, field: int, seed: int) -> tuple[Tournament, list[TournamentEvent]]:
    """A tournament with everything that disturbs one; it is played to its end."""
    chance = random.Random(seed)
    made = next(one for one in all_formats() if one.key == key)
    names = [f"P{n:02}" for n in range(field)]
    tournament = opened(made, names, seed=str(seed), teams=3 if made.has_teams else 0)
    log = [tournament.started, *opened_log(tournament)]
    disturbed = 0
    while not tournament.is_over:
        if disturbed < 12 and chance.random() < 0.3:
            for action in disturbance(tournament, chance):
                if tournament.can(action):
                    tournament, (event,) = tournament.do(action)
                    log.append(event)
                    disturbed += 1
        tournament, events = play_on(tournament, chance)
        log += events
    return tournament, log


def opened_log(tournament: Tournament) -> list[TournamentEvent]:
    again, log = Tournament.new(tournament.format, "Kirmes", seed=tournament.state.seed), []
    for name, one in tournament.state.entrants.items():
        for action in (Register(player=name, team=one.team), PayFee(player=name, eur=10)):
            again, (event,) = again.do(action)
            log.append(event)
    return log


@pytest.mark.parametrize("key", [made.key for made in all_formats()])
@settings(max_examples=25)
@example(field=3, seed=165)  # one of the equals of a final goes home before their Stechen
@example(field=22, seed=431735)  # a correction makes equals of a round behind which one is drawn
@given(field=st.integers(3, 26), seed=st.integers(0, 10_000))
def test_the_final_ranking_is_what_the_log_says(key: str, field: int, seed: int) -> None:
    tournament, log = hall(key, field, seed)
    written = [json.loads(json.dumps(event.to_json())) for event in log]
    final = [(one["place"], one["player"]) for one in written[-1]["ranking"]]
    assert sorted(final) == sorted(recount(written))
    assert Tournament.replay(written) == tournament


def test_who_goes_home_before_a_stechen_is_told_that_this_cost_the_place() -> None:
    _, log = hall("punkte_ko", 3, 165)
    ranking = log[-1].to_json()["ranking"]
    reasons = {one["player"]: (one["reason_de"], one["reason_en"]) for one in ranking}
    assert reasons["P00"][0].startswith("Sieger des Finales")
    german, english = reasons["P01"]
    assert "vor dem Stechen gegangen" in german
    assert "left before the play-off" in english
