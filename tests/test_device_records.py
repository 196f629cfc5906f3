"""Games that were written down: bad lines are named, changed ones are found out."""

import json
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from rules_play import begun, played, rounds

from device.errors import SchockaugeError, SourceError
from device.game import Game
from device.records import replay
from device.store import MemoryLog
from rules import Match, ThrowDice, find_book
from rules.errors import RulesError
from rules.events import Event
from rules.redoing import action_of

HEAD = {"book": "turnier", "players": ["A", "B"]}
THROW = {"type": "throw", "player": "A", "dice": [6, 5, 2]}


def lines(path: Path, *records: Any) -> Path:
    texts = (r if isinstance(r, str) else json.dumps(r, ensure_ascii=False) for r in records)
    path.write_text("\n".join(texts), encoding="utf-8")
    return path


@pytest.mark.parametrize(
    ("records", "problem"),
    [
        ([{**HEAD, "players": 5}], "line 1: 'players' must be a list of names, but got 5"),
        ([{**HEAD, "players": None}], "'players' must be a list"),
        ([{**HEAD, "players": "AB"}], "'players' must be a list"),
        ([{**HEAD, "players": [1, 2]}], "a player needs a name"),
        ([{**HEAD, "book": 5}], "'book' must be the name"),
        ([{"players": ["A", "B"]}], "'book' must be the name"),
        ([{**HEAD, "weekdy": "wednesday"}], "unknown weekdy"),
        ([{**HEAD, "weekday": "Wednesday"}], "weekday must be one of"),
        ([HEAD, HEAD], "line 2: a table is named while a game is under way"),
        ([THROW], "a record begins with the table"),
        ([HEAD, {"type": ["x"]}], "line 2: 'type' must name"),
        ([HEAD, {"type": {}}], "'type' must name"),
        ([HEAD, {"type": "thrown", "hash": "x", "data": [1]}], "line 2 is no entry of a log"),
        ([HEAD, "[" * 100_000], "line 2 is no JSON: it is nested too deeply"),
        ([HEAD, '{"type":"throw","player":"A","dice":[' + "9" * 5000 + "]}"], "line 2 is no JSON"),
        ([HEAD, '{"type": "stop", "player": "A", "player": "B"}'], "'player' is there twice"),
        ([HEAD, '{"type": "stop", "player": "\\ud800"}'], "half a character"),
        ([HEAD, '{"type": "stop", "player": NaN}'], "NaN is no number"),
        ([HEAD, [1]], "line 2 is .1., expected a JSON object"),
        (["", " "], "holds no game"),
    ],
)
def test_a_line_that_is_no_step_of_a_game_is_named(
    tmp_path: Path, records: list[Any], problem: str
) -> None:
    with pytest.raises(SourceError, match=problem):
        list(replay(lines(tmp_path / "game.jsonl", *records)))


def test_a_written_game_may_begin_with_a_mark_and_hold_odd_names(tmp_path: Path) -> None:
    path = tmp_path / "game.jsonl"
    head = {"book": "statuten", "players": ["A\u2028x", "Jörg"], "weekday": "wednesday"}
    path.write_bytes(b"\xef\xbb\xbf" + json.dumps(head, ensure_ascii=False).encode() + b"\r\n")
    (step,) = replay(path)
    assert step.match.players == ("A\u2028x", "Jörg")
    assert step.match.state.weekday == "wednesday"


def a_log() -> list[Event]:
    start = Match.new(find_book("turnier"), ["A", "B", "C"])
    end = rounds(begun(find_book("turnier")), "A652 B651 C221", "A411 B651 C621")
    return [start.started, *played(start, *map(action_of, end.state.record))[1]]


def edits(log: list[dict[str, Any]]) -> list[list[dict[str, Any]]]:
    """The log with one number, name, list or object of one event changed, in every way."""
    changed = []
    for at, line in enumerate(log[1:], start=1):
        for name, value in line.items():
            others: list[Any] = []
            if isinstance(value, bool):
                others = [not value]
            elif isinstance(value, int):
                others = [value + 1, 999]
            elif isinstance(value, list) and value:
                others = [value[:-1]]
            elif isinstance(value, dict):
                others = [{**value, "A": 99}]
            elif isinstance(value, str) and name not in ("type", "section"):
                others = ["Zed"]
            changed += [[*log[:at], {**line, name: other}, *log[at + 1 :]] for other in others]
    return changed


def test_no_changed_deleted_or_doubled_event_passes() -> None:
    log = [event.to_json() for event in a_log()]
    assert len(log) > 30
    broken = edits(log)
    broken += [[*log[:at], *log[at + 1 :]] for at in range(1, len(log) - 1)]
    broken += [[*log[: at + 1], *log[at:]] for at in range(len(log))]
    passed = []
    for events in broken:
        try:
            Match.replay(events)
        except RulesError:
            continue
        passed.append(events)
    assert not passed
    assert len(broken) > 300


def test_an_exported_log_is_replayed_and_one_that_was_changed_is_found_out(
    run: Run, tmp_path: Path
) -> None:
    log = MemoryLog()
    game = Game(log, book="turnier", players=["A", "B"], clock=lambda: 1.0)
    game.do(ThrowDice("A", (6, 5, 2)))
    game.note("fault", {"what": "camera"})
    game.do(ThrowDice("B", (6, 5, 1)))
    entries = [entry.to_json() for entry in log.read()]
    *_, last = replay(lines(tmp_path / "export.jsonl", *entries))
    assert last.match == game.match
    entries[1]["data"]["dice"] = [6, 6, 6]
    status, out, err = run("replay", lines(tmp_path / "export.jsonl", *entries))
    assert (status, out.count("General"), "was changed" in err) == (1, 0, True)


def test_a_log_in_another_form_is_not_guessed_at() -> None:
    started = a_log()[0].to_json()
    assert started["schema"] == 1
    with pytest.raises(RulesError, match="form 2, expected 1"):
        Match.replay([{**started, "schema": 2}])


WORDS = st.sampled_from(
    ["type", "throw", "player", "A", "B", "dice", "thrown", "stop", "players", "book", "turnier",
     "data", "hash", "seq", "burns", "tower", "report_fault", "rule_round", "match_started"]
)  # fmt: skip
VALUES = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.floats() | WORDS | st.text(max_size=5),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(WORDS, inner, max_size=4),
    max_leaves=8,
)


def told(path: Path) -> str:
    """What is said about a file; "" if it is a game."""
    try:
        steps = list(replay(path))
    except SchockaugeError as error:
        return str(error)
    assert steps[0].match.players == ("A", "B")
    return ""


@given(st.lists(VALUES | st.dictionaries(WORDS, VALUES, max_size=5), max_size=6), st.booleans())
@settings(max_examples=300, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_lines_are_a_game_or_a_clear_error(
    tmp_path: Path, records: list[Any], begun_well: bool
) -> None:
    path = lines(tmp_path / "any.jsonl", *([HEAD] * begun_well), *records)
    error = told(path)
    assert not error or str(path) in error or "Entry" in error


@given(st.binary(max_size=200))
@settings(max_examples=200, suppress_health_check=[HealthCheck.function_scoped_fixture])
def test_any_bytes_are_a_game_or_a_clear_error(tmp_path: Path, noise: bytes) -> None:
    path = tmp_path / "noise.jsonl"
    path.write_bytes(json.dumps(HEAD).encode() + b"\n" + noise)
    error = told(path)
    assert not error or str(path) in error
