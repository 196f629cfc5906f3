"""`demo --live`: refuses what has an end, and begins the next game when one is over."""

from collections.abc import Iterator
from typing import Any

import pytest
from pipeline_table import Table

from device.cli import build_parser
from device.commands import demo
from device.errors import UsageError
from device.simulate_game import play
from rules.events import HalfOver


@pytest.mark.parametrize("word", ["--once", "--clip=x.mp4"])
def test_a_table_that_is_played_at_without_end_has_no_end(word: str) -> None:
    args = build_parser().parse_args(["demo", "--live", word])
    with pytest.raises(UsageError, match="--live has no clip and no end"):
        demo._source(args)


@pytest.mark.parametrize("word", ["--seed=3", "--disturb=arms"])
def test_what_is_of_a_simulated_table_needs_one(word: str) -> None:
    args = build_parser().parse_args(["demo", word])
    with pytest.raises(UsageError, match="add --live"):
        demo._source(args)


def test_frames_are_lost_on_the_way_into_a_recording_only() -> None:
    args = build_parser().parse_args(["demo", "--live", "--disturb", "arms,lost_frames"])
    with pytest.raises(UsageError, match="lost_frames is of recorded clips"):
        demo._source(args)


def test_the_policy_plays_whole_games() -> None:
    moves = list(play("turnier", "AB", seed=3, rounds=None, whole=True))
    assert moves[-1].match.is_over
    assert sum(isinstance(event, HalfOver) for move in moves for event in move.events) >= 2


def test_the_next_game_begins_when_one_is_over() -> None:
    table = Table(book="turnier")

    class Appliance:
        game, pipeline = table.game, table.pipeline

    def frames() -> Iterator[Any]:
        yield 1
        table.pipeline.submit({"type": "abandon", "by": "R", "reason": "late"})
        yield 2
        yield 3

    assert list(demo._next_games(frames(), Appliance)) == [1, 2, 3]
    started = [entry for entry in table.entries() if entry.type == "match_started"]
    assert len(started) == 2
    assert not table.game.match.is_over
