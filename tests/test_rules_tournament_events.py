"""A tournament's log: every event is JSON and back, and a changed one shows."""

import json
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest
from test_rules_tournament_recount import hall
from tournament_play import card, game, opened

from rules.errors import IllegalEvent, MalformedRecord
from rules.tournament import Tournament
from rules.tournament_actions import (
    ACTION_TYPES,
    DrawRound,
    HandIn,
    PayCharity,
    RecordStechen,
    Register,
    tournament_action_from_json,
)
from rules.tournament_checking import action_of
from rules.tournament_events import (
    EVENT_TYPES,
    RoundDrawn,
    TournamentEvent,
    TournamentStarted,
    tournament_event_from_json,
)
from rules.tournament_library import find_format, own_format

OWN = 'key = "kirmes"\ntitle_de = "Kirmes"\nbased_on = "werl"\n'


def log_with_everything() -> list[TournamentEvent]:
    """Logs of several evenings: together they have every event but the one below."""
    logs: list[TournamentEvent] = []
    for key, seed in (("punkte_ko", 7), ("leben", 3), ("strafpunkte_leben", 3), ("leben", 12)):
        logs += hall(key, 14, seed)[1]
    before = opened(find_format("werl"), "ABC")
    return [*logs, *before.decide(PayCharity(player="A", eur=3))]


LOG = log_with_everything()


def test_the_evenings_of_these_tests_have_every_kind_of_event() -> None:
    assert {event.type for event in LOG} == set(EVENT_TYPES)


def test_every_event_is_json_and_back() -> None:
    for event in LOG:
        assert tournament_event_from_json(json.loads(json.dumps(event.to_json()))) == event


def test_every_action_is_json_and_back() -> None:
    actions = [action_of(event) for event in LOG if not isinstance(event, TournamentStarted)]
    assert {action.type for action in actions} == set(ACTION_TYPES)
    for action in actions:
        assert tournament_action_from_json(json.loads(json.dumps(action.to_json()))) == action


@pytest.mark.parametrize("data", [None, {}, {"type": "dance"}, {"type": "registered"}])
def test_what_is_no_event_is_malformed(data: Any) -> None:
    with pytest.raises(MalformedRecord):
        tournament_event_from_json(data)
    with pytest.raises(MalformedRecord):
        tournament_action_from_json(data)


@pytest.mark.parametrize(
    "action",
    [
        lambda: HandIn(table=1, result=replace(card(), by=" ")),
        lambda: RecordStechen(order=(("A",),), by="R"),
        lambda: RecordStechen(order=(("A",), ("A",)), by="R"),
        lambda: RecordStechen(order=(("A", "B"), ()), by="R"),
    ],
)
def test_an_action_that_is_none_is_malformed(action: Callable[[], object]) -> None:
    with pytest.raises(MalformedRecord):
        action()


def test_a_log_of_an_own_format_carries_it_along() -> None:
    tournament = opened(own_format(OWN), "ABC")
    log = [tournament.started.to_json()]
    assert Tournament.replay(log).format == tournament.format


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"schema": 2}, "has form 2, expected 1"),
        ({"format_version": "0"}, "version '0', but there is 'punkte_ko' version '1'"),
        ({"format_text": "key ="}, "is none"),
    ],
)
def test_a_log_that_another_version_wrote_is_told(change: dict[str, Any], said: str) -> None:
    started = opened(find_format("werl"), []).started.to_json()
    with pytest.raises(IllegalEvent, match=said):
        Tournament.replay([{**started, **change}])


@pytest.mark.parametrize("log", [[], [LOG[1]]])
def test_a_log_begins_with_its_beginning(log: list[TournamentEvent]) -> None:
    with pytest.raises(IllegalEvent, match="must begin with 'tournament_started'"):
        Tournament.replay(log)


def test_a_tournament_begins_once_and_has_a_name_and_a_seed() -> None:
    tournament = opened(find_format("werl"), "ABC")
    with pytest.raises(IllegalEvent):
        tournament.apply(tournament.started)
    for name, seed in (("", "1"), ("Kirmes", " ")):
        with pytest.raises(MalformedRecord):
            Tournament.new(find_format("werl"), name, seed=seed)


TAMPERED: dict[str, dict[str, Any]] = {
    "registered": {"first_round": 2},
    "fee_paid": {"open_eur": 5},
    "player_left": {"table": 99},
    "round_drawn": {"repeats": 99},
    "player_seated": {"from_table": 99},
    "table_handed_in": {"gone": ("Niemand",)},
    "result_corrected": {"moved": ()},
    "scharf_called": {"round": 99},
    "stechen_recorded": {"round": 99},
    "tournament_finished": {"ranking": ()},
}


@pytest.mark.parametrize("kind", TAMPERED)
def test_a_changed_entry_shows(kind: str) -> None:
    tournament: Tournament | None = None
    found = 0
    for event in LOG[:-1]:
        if isinstance(event, TournamentStarted):
            tournament = Tournament.replay([event])
            continue
        assert tournament is not None
        changed = replace(event, **TAMPERED[kind]) if event.type == kind else event
        if changed != event:
            found += 1
            with pytest.raises(IllegalEvent):
                tournament.apply(changed)
        tournament = tournament.apply(event)
    assert found


@pytest.mark.parametrize(
    ("change", "said"),
    [
        ({"number": 2}, "number"),
        ({"attempt": 2}, "attempt"),
        ({"kind": "ko"}, "kind"),
        ({"tables": (("A", "B", "C", "D", "E", "F"),)}, "tables, sitting_out"),
        ({"tables": (("A", "B", "C"), ("D", "E", "A"))}, "A sits twice"),
        ({"team_pairs": 1}, "team_pairs"),
    ],
)
def test_a_draw_that_cannot_be_is_told(change: dict[str, Any], said: str) -> None:
    tournament = opened(find_format("werl"), "ABCDEFG")
    (drawn,) = tournament.decide(DrawRound(by="R"))
    with pytest.raises(IllegalEvent, match=said):
        tournament.apply(replace(drawn, **change))


def test_a_draw_that_the_seed_does_not_give_is_loaded_but_not_proved() -> None:
    tournament = opened(find_format("werl"), "ABCDEF")
    (drawn,) = tournament.decide(DrawRound(by="R"))
    assert isinstance(drawn, RoundDrawn)
    one, other = drawn.tables
    swapped = replace(drawn, tables=((*one[:2], other[2]), (*other[:2], one[2])))
    assert tournament.apply(swapped).round is not None
    assert not tournament.proves(swapped)


def test_an_event_that_is_not_allowed_cannot_follow() -> None:
    tournament = opened(find_format("werl"), "ABC")
    drawn, (event,) = tournament.do(DrawRound(by="R"))
    with pytest.raises(IllegalEvent, match="cannot follow"):
        drawn.apply(event)
    _, (handed,) = drawn.do(HandIn(table=1, result=card(game(1, "ABC", "ABC"))))
    with pytest.raises(IllegalEvent, match="cannot follow"):
        tournament.apply(handed)
    (late,) = tournament.decide(Register(player="D"))
    with pytest.raises(IllegalEvent, match="cannot follow"):
        tournament.apply(late).apply(late)
