"""Whatever is asked or loaded: an answer, or one of the errors that say what is wrong."""

import copy
import json
import random
from contextlib import suppress
from dataclasses import fields
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from test_rules_tournament_recount import hall
from tournament_play import opened, random_game

from rules.errors import IllegalEvent, MalformedRecord, RulesError
from rules.tournament import Tournament
from rules.tournament_actions import ACTION_TYPES, tournament_action_from_json
from rules.tournament_honours import prizes, schock_aus_kings, team_standings
from rules.tournament_library import all_formats, find_format

KEYS = [made.key for made in all_formats()]
ODD: list[Any] = [None, True, -1, 0, 1, 2, 99, 2.5, "", "P00", "P01", "x", [], ["P00"], {}, [[]]]


def written(key: str, seed: int) -> list[dict[str, Any]]:
    _, log = hall(key, 9, seed)
    return [json.loads(json.dumps(event.to_json())) for event in log]


LOGS = {key: written(key, 5) for key in KEYS}


def places(value: Any) -> list[tuple[Any, Any]]:
    """Every place in a JSON value where something else could stand."""
    items = value.items() if isinstance(value, dict) else enumerate(value)
    found: list[tuple[Any, Any]] = []
    for key, item in list(items):
        found.append((value, key))
        if isinstance(item, dict | list):
            found += places(item)
    return found


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=60)
@given(seed=st.integers(0, 100_000))
def test_a_log_with_something_else_in_it_is_refused_or_another_tournament(
    key: str, seed: int
) -> None:
    chance = random.Random(seed)
    log = copy.deepcopy(LOGS[key])
    container, at = chance.choice(places(chance.choice(log)))
    container[at] = chance.choice(ODD)
    with suppress(RulesError):
        tournament = Tournament.replay(log)
        assert len(tournament.standings) <= len(tournament.state.entrants)


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=40)
@given(seed=st.integers(0, 100_000))
def test_an_entry_that_is_left_out_or_comes_twice_never_ends_in_a_traceback(
    key: str, seed: int
) -> None:
    chance = random.Random(seed)
    log = copy.deepcopy(LOGS[key])
    at = chance.randrange(len(log))
    log[at : at + 1] = [] if chance.random() < 0.5 else [log[at], log[at]]
    with suppress(IllegalEvent, MalformedRecord):
        tournament = Tournament.replay(log)
        assert len(tournament.standings) <= len(tournament.state.entrants)


def wild(kind: str, tournament: Tournament, chance: random.Random) -> dict[str, Any]:
    """An action with values that might be right."""
    names = [*tournament.state.entrants, "Fremder"]
    some = chance.sample(names, min(len(names), chance.randint(1, 5)))
    games = [random_game(n, some, chance) for n in range(chance.randint(0, 3))]
    values: dict[str, Any] = {
        "player": chance.choice(names), "team": chance.choice(["", "Team 1"]),
        "eur": chance.randint(-12, 12), "reason": chance.choice(["", "x"]), "by": "R",
        "tables": chance.choice([[], [some]]), "table": chance.randint(-1, 4),
        "round": chance.randint(-1, 5), "order": [[name] for name in some],
        "result": {"games": games, "source": "card", "by": "S", "cut_short": "x"},
    }  # fmt: skip
    if kind == "call_scharf":
        values["tables"] = [chance.randint(-1, 4)]
    body = {f.name: values[f.name] for f in fields(ACTION_TYPES[kind])}
    if "result" in body:
        body["result"]["games"] = [_plain(one) for one in games]
    return {"type": kind, **body}


def _plain(game: Any) -> dict[str, Any]:
    from rules.wire import plain

    return json.loads(json.dumps(plain(game)))  # type: ignore[no-any-return]


@pytest.mark.parametrize("key", KEYS)
@settings(max_examples=25)
@given(seed=st.integers(0, 100_000))
def test_wild_actions_are_done_or_refused_in_two_languages(key: str, seed: int) -> None:
    chance = random.Random(seed)
    tournament = opened(find_format(key), [f"P{n:02}" for n in range(7)], seed=str(seed))
    log = [tournament.started]
    again = tournament
    for _ in range(60):
        data = wild(chance.choice([*ACTION_TYPES, "draw_round", "hand_in"]), tournament, chance)
        try:
            action = tournament_action_from_json(data)
            refused = tournament.refusal(action)
        except MalformedRecord:
            continue
        if refused is not None:
            assert refused.text_de
            assert refused.text_en
            assert "{" not in refused.text_de + refused.text_en
            continue
        tournament, events = tournament.do(action)
        for event in events:
            again = again.apply(event)
        log += events
        assert again == tournament
        state = tournament.state
        assert len(tournament.standings) <= len(state.entrants)
        schock_aus_kings(state), prizes(state), team_standings(state)
