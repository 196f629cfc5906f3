"""A game that is begun at the dashboard: by the log alone, and all of it or nothing."""

from pathlib import Path
from typing import Any

import pytest
from pipeline_table import Table

from device.game import Game
from device.pipeline import Pipeline
from device.restoring import Restored
from device.starting import NOT_PLAYED, Room
from device.store import MemoryLog
from rules import Part
from rules.library import own_book
from vision.errors import SeatsError
from web_ui.errors import ActionRefused

WEDNESDAY_S = 1_795_608_000.0  # 2026-11-25, noon in most of Europe
OWN = """
key = "eckkneipe"
based_on = "turnier"
aliases = []
title_de = "Eckkneipe"
title_en = "The corner pub"
"""


def start(table: Any, *players: str, book: str = "turnier", **more: Any) -> dict[str, Any]:
    return table.submit("start_game", players=list(players), book=book, **more)


def code_against(table: Any, *players: str, **more: Any) -> str:
    before = len(table.entries())
    with pytest.raises(ActionRefused) as refused:
        start(table, *players, **more)
    assert refused.value.text_de != refused.value.text_en
    left = [entry.type for entry in table.entries()[before:]]
    assert set(left) <= {"refused"}, "nothing has changed"
    return refused.value.code


def test_others_play_by_another_book_before_anybody_has_played_a_round() -> None:
    table = Table()
    table.throw(6, 5, 2, clear=True)
    answer = start(table, "Anna", "Ben", book="jule")
    assert [event["type"] for event in answer["events"]] == ["abandoned", "match_started"]
    assert table.last("abandoned") | {"by": "Ute", "reason": NOT_PLAYED} == table.last("abandoned")
    assert (table.game.match.players, table.game.match.book.key) == (("Anna", "Ben"), "jule")
    restored = Restored(table.log).match
    assert restored == table.game.match, "the log alone says so"
    table.switch_on()
    assert table.game.match.players == ("Anna", "Ben")
    table.throw(4, clear=True)
    assert table.game.player == "Ben", "the camera's throw was the first player's"


def test_a_game_of_which_a_round_was_begun_ends_with_a_reason_only() -> None:
    table = Table()
    table.lead()
    assert code_against(table, "Anna", "Ben") == "game_under_way"
    assert table.game.match.players == ("A", "B", "C")
    start(table, "Anna", "Ben", reason="C muss gehen")
    assert table.last("abandoned")["reason"] == "C muss gehen"
    assert table.game.match.players == ("Anna", "Ben")


def test_questions_of_the_abandoned_game_are_closed_before_the_next_begins() -> None:
    table = Table()
    table.lead()
    table.say("unsure", (6, 5, 4), reason="values")
    table.say("cup_down")
    start(table, "Anna", "Ben", reason="genug")
    asked = table.types("question.asked", "abandoned", "question.withdrawn", "match_started")
    assert asked == [
        "match_started",
        "question.asked",
        "abandoned",
        "question.withdrawn",
        "match_started",
    ]
    assert table.pipeline.desk.questions == ()
    assert table.pipeline.desk.waiting == ()
    assert Restored(table.log).desk.questions == ()


def test_after_a_game_the_next_one_needs_no_reason() -> None:
    table = Table()
    table.lead()
    table.by_hand("abandon", by="R", reason="spät")
    answer = start(table, "B", "A", "C", book="allgemein")
    assert [event["type"] for event in answer["events"]] == ["match_started"]
    assert table.game.match.part is Part.OPENING


@pytest.mark.parametrize("players", [["A"], [], ["A", "A"], ["A", " "]])
def test_players_who_cannot_play_are_refused(players: list[str]) -> None:
    assert code_against(Table(), *players) == "malformed"


@pytest.mark.parametrize("book", ["", "poker", "../turnier", "haus.toml", "/etc/passwd"])
def test_a_book_is_never_a_file_that_somebody_names(book: str) -> None:
    assert code_against(Table(), "A", "B", book=book) == "no_book"


def test_trying_it_changes_nothing() -> None:
    table = Table()
    before = len(table.entries())
    tried = table.pipeline.preview(
        {"type": "start_game", "players": ["X", "Y"], "book": "jule", "by": "Ute"}
    )
    assert tried["after"]["players"] == ["X", "Y"]
    assert len(table.entries()) == before
    assert table.game.match.players == ("A", "B", "C")


@pytest.mark.parametrize(
    ("book", "told", "day"),
    [
        ("statuten", None, "wednesday"),
        ("statuten", "friday", "friday"),
        ("turnier", "wednesday", None),
    ],
)
def test_the_day_is_of_the_clock_unless_told_and_only_where_the_book_asks_for_it(
    book: str, told: str | None, day: str | None
) -> None:
    game = Game(MemoryLog(), book="turnier", players=("A", "B"), clock=lambda: WEDNESDAY_S)
    action = {"type": "start_game", "players": ["A", "B"], "book": book, "by": "Ute"}
    Pipeline(game).submit(action | ({"weekday": told} if told else {}))
    assert game.match.state.weekday == day


def test_the_pubs_own_book_is_played_from_its_text(tmp_path: Path) -> None:
    game = Game(MemoryLog(), book="turnier", players=("A", "B"), clock=lambda: 0.0)
    pipeline = Pipeline(game, Room(books=(own_book(OWN),)))
    begin = {"type": "start_game", "players": ["A", "B"], "by": "Ute"}
    pipeline.submit(begin | {"book": "eckkneipe"})
    assert game.match.book.text == OWN
    assert Restored(game.log).match == game.match
    pipeline.submit(begin | {"book": "turnier"})
    assert game.match.book.key == "turnier"


@pytest.mark.parametrize("type", ["start_game", "begin_game"])
def test_whoever_has_no_seat_at_the_mat_is_refused_and_told_why(type: str) -> None:
    def two_seats(players: Any) -> None:
        if len(players) > 2:
            raise SeatsError("A mat has 2 seats.")

    game = Game(MemoryLog(), book="turnier", players=("A", "B"), clock=lambda: 0.0)
    pipeline = Pipeline(game, Room(verify_seats=two_seats))
    action: dict[str, Any] = {"type": type, "players": ["A", "B", "C"], "by": "Ute"}
    action |= {"book": "turnier"} if type == "start_game" else {}
    with pytest.raises(ActionRefused, match="2 seats") as refused:
        pipeline.submit(action)
    assert refused.value.code == "no_seat"
    assert game.match.players == ("A", "B")
