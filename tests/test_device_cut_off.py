"""A log that breaks off inside a decision: it is completed, with a word, and the game goes on."""

import json
from pathlib import Path

import pytest
from conftest import Run

from device.game import Game, event_entry
from device.records import replay
from device.store import MemoryLog
from rules import Event, Match, StopTurn, ThrowDice, find_book
from web_ui.sentences import describe

PLAYERS = ["A", "B", "C"]
MOVES = [
    ThrowDice("A", (6, 5, 2)), ThrowDice("B", (4, 1, 1)), ThrowDice("C", (3, 2, 2)),
    ThrowDice("C", (6, 5, 2)), StopTurn("C"),
]  # fmt: skip


def a_game() -> tuple[Match, list[Event]]:
    match = Match.new(find_book("turnier"), PLAYERS)
    log: list[Event] = [match.started]
    for move in MOVES:
        match, events = match.do(move)
        log += events
    return match, log


def cut_off(log: list[Event], end: int) -> MemoryLog:
    stored = MemoryLog()
    stored.append_all([event_entry(event) for event in log[:end]], at_s=1.0)
    return stored


def test_a_game_goes_on_from_a_log_that_breaks_off_anywhere() -> None:
    match, log = a_game()
    assert [event.type for event in log[-3:]] == ["stopped", "limit_set", "turn_started"]
    for end in range(1, len(log)):
        stored = cut_off(log, end)
        game = Game(stored, book="jule", players=["X", "Y"], clock=lambda: 2.0)
        assert game.player in PLAYERS
        notes = [entry for entry in stored.read() if entry.type == "log_completed"]
        added = len(stored.read()) - end - len(notes)
        assert [entry.data["events"] for entry in notes] == (
            [[event.type for event in log[end : end + added]]] if added else []
        )
        again = Game(stored, book="jule", players=["X", "Y"], clock=lambda: 3.0)
        assert again.match == game.match == Match.replay(log[: end + added])
    assert match.current_player == "A"


def test_a_log_that_breaks_off_before_the_end_of_a_game_ends_it_and_begins_another() -> None:
    match = Match.new(find_book("jule"), ["A", "B"])
    log: list[Event] = [match.started]
    all_gone = [ThrowDice("A", (6,)), ThrowDice("B", (5,))]
    for half in range(2):
        first, last = ("A", "B") if half == 0 else ("B", "A")
        dice = {"A": (1, 1, 1), "B": (2, 2, 1)}
        all_gone += [ThrowDice(first, dice[first]), StopTurn(first)]
        all_gone += [ThrowDice(last, dice[last]), StopTurn(last)]
    for move in all_gone:
        match, events = match.do(move)
        log += events
    assert match.is_over
    stored = cut_off(log, len(log) - 1)
    game = Game(stored, book="turnier", players=["A", "B"], clock=lambda: 2.0)
    written = [entry.type for entry in stored.read()][len(log) - 1 :]
    assert written == ["log_completed", "game_over", "match_started"]
    assert game.match.book.key == "turnier"


@pytest.mark.parametrize("as_json", [False, True])
def test_replay_completes_a_record_that_breaks_off_and_says_so(
    run: Run, tmp_path: Path, as_json: bool
) -> None:
    match, log = a_game()
    path = tmp_path / "cut.jsonl"
    path.write_text("\n".join(json.dumps(event.to_json()) for event in log[:-2]), encoding="utf-8")
    steps = list(replay(path))
    assert steps[-1].match == match
    assert [step.missing for step in steps] == [False] * (len(log) - 2) + [True, True]
    status, out, err = run("replay", path, *["--json"] * as_json)
    assert status == 0
    assert f"ends inside a decision at line {len(log) - 2}" in err
    assert "limit_set, turn_started" in err
    if as_json:
        told = [json.loads(line) for line in out.splitlines()]
        assert [line["event"]["type"] for line in told if line.get("missing")] == [
            "limit_set", "turn_started",
        ]  # fmt: skip
    path.write_text("\n".join(json.dumps(event.to_json()) for event in log), encoding="utf-8")
    assert run("replay", path)[2] == ""


def test_the_page_tells_that_a_log_was_completed() -> None:
    assert "brach mitten in einem Zug ab" in describe("de", "log_completed", {"events": []}).text
