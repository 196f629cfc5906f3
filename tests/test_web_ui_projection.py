"""The fold of the log, and that no entry can make it fail."""

import dataclasses
import threading
from collections.abc import Sequence

from hypothesis import given, settings
from hypothesis import strategies as st
from test_web_ui_table import Entry, ListLog, Table

from rules.view import snapshot
from web_ui.projection import Board, Projection
from web_ui.scoreboard import present
from web_ui.sentences import QUIET_TYPES


def board_of(log: ListLog) -> Board:
    return Projection(log, log_lines=20).board()


def test_following_the_log_equals_reading_it_at_once():
    table = Table()
    following = Projection(table.log, log_lines=20)
    following.board()
    table.play_opening()
    following.board()
    table.play_round()
    at_once = board_of(table.log)
    assert dataclasses.asdict(following.board()) == dataclasses.asdict(at_once)
    assert at_once.match == snapshot(table.match)


def test_a_board_that_did_not_change_is_not_made_again():
    table = Table()
    projection = Projection(table.log, log_lines=20)
    assert projection.board() is projection.board()


def test_a_new_match_takes_the_place_of_the_old_one():
    table = Table()
    table.play_opening()
    table.ask("old")
    fresh = Table(["Xenia", "Yves"])
    for entry in fresh.log.read():
        table.log.append(entry.type, entry.data)
    board = board_of(table.log)
    assert board.match == snapshot(fresh.match)
    assert board.questions == ()


def test_a_corrected_throw_moves_the_deckel_on_the_board():
    table = Table()
    table.play_opening()
    correction = {
        "type": "correct_throw",
        "player": "Anna",
        "throw_id": 1,
        "dice": [2, 2, 1],
        "by": "Cem",
        "drop_later": True,
    }
    table.submit(correction)
    board = board_of(table.log)
    assert board.match == snapshot(table.match)
    assert board.match["part"] == "opening", "Anna and Cem are tied now and throw again"


def test_unknown_entries_are_kept_for_the_log_and_change_nothing_else():
    table = Table()
    before = board_of(table.log)
    table.log.append("weather.changed", {"to": "rain"})
    after = board_of(table.log)
    assert after.match == before.match
    assert present(after, "de")["lines"][0]["text"] == "weather.changed"


def test_quiet_entries_are_not_told():
    table = Table()
    for quiet in QUIET_TYPES:
        table.log.append(quiet, {})
    assert not [entry for entry in board_of(table.log).entries if entry.type in QUIET_TYPES]


def test_an_event_that_cannot_follow_is_a_fault_and_the_state_before_it_stays():
    table = Table()
    table.play_opening()
    before = snapshot(table.match)
    table.log.append("player_out", {"player": "Anna", "part": "final", "section": ""})
    table.log.append("stopped", {"nonsense": 1})
    board = board_of(table.log)
    assert board.match == before
    assert board.broken is not None
    assert board.broken["seq"] == len(table.log.read(0, 10_000)) - 1
    (fault,) = present(board, "de")["faults"]
    assert "lässt sich ab Eintrag" in fault["text"]


def test_a_log_without_a_beginning_is_a_fault():
    log = ListLog()
    log.append("round_started", {"part": "half1", "round": 1, "order": ["A"]})
    board = board_of(log)
    assert board.match is None
    assert board.broken is not None


def test_a_question_is_closed_by_any_word_about_it():
    table = Table()
    table.ask("q1")
    table.ask("q2")
    table.log.append("question.withdrawn", {"question_id": "q1"})
    assert [q["question_id"] for q in board_of(table.log).questions] == ["q2"]


def test_the_log_keeps_so_many_lines_newest_first():
    log = ListLog()
    for number in range(50):
        log.append("note", {"n": number})
    board = board_of(log)
    assert [entry.data["n"] for entry in board.entries] == list(range(49, 29, -1))


def test_a_log_longer_than_one_page_is_read_to_its_end():
    log = ListLog()
    for number in range(2500):
        log.append("note", {"n": number})
    assert board_of(log).seq == 2500


def test_several_threads_see_one_truth():
    table = Table()
    projection = Projection(table.log, log_lines=20)
    table.play_opening()
    boards: list[Board] = []
    threads = [threading.Thread(target=lambda: boards.append(projection.board())) for _ in range(8)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert {id(board) for board in boards} == {id(boards[0])}


JSON = st.recursive(
    st.none() | st.booleans() | st.integers(-9, 9) | st.text(max_size=4),
    lambda inner: st.lists(inner, max_size=4) | st.dictionaries(st.text(max_size=4), inner),
    max_leaves=8,
)
TYPES = st.sampled_from(
    [
        "match_started",
        "thrown",
        "stopped",
        "deckel_moved",
        "round_settled",
        "game_over",
        "burnt",
        "limit_set",
        "throw_corrected",
        "half_over",
        "question.asked",
        "question.answered",
        "fault",
        "fault_over",
        "refused",
        "table.tower",
        "weather.changed",
    ]
)
FIELDS = st.sampled_from(
    [
        "player",
        "players",
        "dice",
        "outside",
        "question_id",
        "candidates",
        "still",
        "what",
        "text_de",
        "text_en",
        "reason",
        "count",
        "limit",
        "part",
        "by",
        "result",
        "deckel",
        "book",
        "type",
    ]
)


class Fixed:
    def __init__(self, entries: Sequence[Entry]) -> None:
        self._entries = entries

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[Entry]:
        return self._entries[after_seq : after_seq + limit]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        return False


@settings(max_examples=150, deadline=None)
@given(st.lists(st.tuples(TYPES, st.dictionaries(FIELDS, JSON, max_size=6)), max_size=6))
def test_no_entry_whatever_makes_the_page_fail(items: list[tuple[str, dict[str, object]]]):
    entries = [Entry(i + 1, 0.0, kind, data) for i, (kind, data) in enumerate(items)]
    board = Projection(Fixed(entries), log_lines=20).board()
    for lang in ("de", "en"):
        view = present(board, lang)
        assert [line["seq"] for line in view["lines"]] == list(range(len(entries), 0, -1))
