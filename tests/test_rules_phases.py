"""The transition table is closed, complete, and what the golden game really walks."""

import pytest

from rules import IllegalEvent, Match, Part, Phase, event_from_json
from rules.consequences import consequence
from rules.events import EVENT_TYPES
from rules.phases import CORRECTIONS, PART_CHANGES, TRANSITIONS, following

WAITING = {
    Phase.OPENING,
    Phase.LOADED,
    Phase.LOOKED,
    Phase.TURNED,
    Phase.COVERED,
    Phase.SHOWDOWN,
    Phase.GAME_OVER,
}


def walk() -> set[tuple[Part, Phase]]:
    """Return every part and phase that the tables can reach from the start."""
    seen = {(Part.OPENING, Phase.OPENING)}
    new = list(seen)
    while new:
        part, phase = new.pop()
        for event in TRANSITIONS[part].get(phase, {}):
            reached = following(part, phase, event)
            if reached not in seen:
                seen.add(reached)
                new.append(reached)
    return seen


def test_every_phase_in_the_table_can_be_reached_and_every_reached_one_is_in_it() -> None:
    listed = {(part, phase) for part, phases in TRANSITIONS.items() for phase in phases}
    assert listed == walk()


def test_every_event_type_is_in_the_table_or_a_correction_or_the_beginning() -> None:
    used = {
        event for phases in TRANSITIONS.values() for events in phases.values() for event in events
    }
    assert used | CORRECTIONS | {"match_started"} == set(EVENT_TYPES)


def test_only_the_end_of_the_game_has_no_way_on() -> None:
    for part, phases in TRANSITIONS.items():
        for phase, events in phases.items():
            assert bool(events) == (phase is not Phase.GAME_OVER), (part, phase)


def test_parts_change_only_by_events_that_their_table_has() -> None:
    for part, changes in PART_CHANGES.items():
        here = {event for events in TRANSITIONS[part].values() for event in events}
        assert set(changes) <= here


def test_an_impossible_event_is_an_error_that_names_the_possible_ones() -> None:
    possible = (
        "possible are: abandoned, burnt, covered, deckel_ruled, doofmann_paid, fault_reported, "
        "part_forfeited, paused, player_out, reentered, resumed, round_void, thrown, "
        "took_voluntarily, turn_forfeited, turn_handed_over, turn_replaced"
    )
    with pytest.raises(IllegalEvent, match=possible):
        following(Part.HALF1, Phase.LOADED, "stopped")


def test_nothing_follows_by_itself_where_the_table_waits_for_somebody() -> None:
    started = {
        "type": "match_started",
        "book": "turnier",
        "book_version": "1",
        "players": ["A", "B"],
    }
    match = Match.replay([event_from_json(started)])
    assert match.phase in WAITING
    assert consequence(match.state) is None
