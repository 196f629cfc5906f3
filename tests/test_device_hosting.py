"""A table that plays what the hub seats: one game after the other, through changes and restarts."""

import random
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

import pytest

from device.hosting import Hosting
from device.hub_wire import Seating
from device.played_rounds import REFUSED, SEATED, PlayedRounds
from device.random_play import random_action
from device.rehearsal_table import RehearsalTable
from device.store import MemoryLog
from web_ui.errors import ActionRefused

SEATING = Seating(
    tournament="K", round=1, number=2, players=("Anna", "Ben", "Cem"), book="turnier", games=2
)
FREE = Seating(tournament="K", round=0)


def table(log: MemoryLog | None = None, seed: int = 1) -> RehearsalTable:
    now_s = iter(range(1, 10_000_000))
    return RehearsalTable(log or MemoryLog(), random.Random(seed), clock=lambda: next(now_s))


def play(one: RehearsalTable) -> None:
    while one.move() or one.move():
        pass


def games(log: MemoryLog) -> list[tuple[str, ...]]:
    entries = log.read(0, 1_000_000)
    return [tuple(e.data["players"]) for e in entries if e.type == "match_started"]


def played(log: MemoryLog) -> PlayedRounds:
    fold = PlayedRounds()
    for entry in log.read(0, 1_000_000):
        fold.take(entry)
    return fold


def test_it_plays_as_many_games_as_the_hub_says() -> None:
    one = table()
    one.seat(SEATING)
    play(one)
    assert games(one.log) == [("A", "B"), SEATING.players, SEATING.players]
    assert len(played(one.log).games(SEATING.place)) == 2
    assert one.game.match.is_over


def test_hearing_the_same_again_changes_nothing() -> None:
    one = table()
    for _ in range(3):
        one.seat(SEATING)
    play(one)
    one.seat(SEATING)
    kinds = [entry.type for entry in one.log.read(0, 1_000_000)]
    assert kinds.count(SEATED) == 1
    assert len(games(one.log)) == 3


def test_lives_decide_who_plays_on() -> None:
    one = table()
    seating = replace(SEATING, games=0, lives=(1, 1, 1), go_on=1)
    one.seat(seating)
    play(one)
    first, second = played(one.log).games(SEATING.place)
    assert first.players == SEATING.players
    assert set(second.players) == set(SEATING.players) - {first.loser}


def test_a_late_arrival_plays_from_the_next_game_on() -> None:
    one = table()
    one.seat(SEATING)
    for _ in range(5):
        one.move()
    one.seat(replace(SEATING, players=(*SEATING.players, "Dora")))
    play(one)
    assert [len(game) for game in games(one.log)] == [2, 3, 4]


def test_a_new_round_ends_the_game_that_is_under_way_with_a_reason() -> None:
    one = table()
    one.seat(SEATING)
    for _ in range(30):
        one.move()
    one.seat(replace(SEATING, round=2, players=("Dora", "Emil")))
    play(one)
    assert games(one.log)[-2:] == [("Dora", "Emil")] * 2
    abandoned = [e for e in one.log.read(0, 1_000_000) if e.type == "game_over"]
    assert abandoned
    fold = played(one.log)
    assert fold.games(SEATING.place) == ()
    assert len(fold.games(replace(SEATING, round=2).place)) == 2


def test_a_free_table_plays_nothing_and_what_is_played_for_fun_does_not_count() -> None:
    one = table()
    one.seat(SEATING)
    play(one)
    one.seat(FREE)
    assert not one.move()
    one.pipeline.submit({"type": "start_game", "players": ["X", "Y"], "book": "turnier", "by": "X"})
    before = played(one.log).games(SEATING.place)
    chance = random.Random(3)
    while not one.game.match.is_over:
        one.pipeline.submit(random_action(one.game.match, chance).to_json())
    assert played(one.log).games(SEATING.place) == before


@pytest.mark.parametrize("moves", [0, 1, 17, 60, 200])
def test_after_a_power_cut_it_goes_on_with_the_same_game(moves: int) -> None:
    log = MemoryLog()
    one = table(log)
    one.seat(SEATING)
    for _ in range(moves):
        one.move()
    before = games(log)
    again = table(log, seed=2)
    again.seat(SEATING)  # the broker has kept it
    assert games(log) == before or one.game.match.is_over
    play(again)
    assert len(played(log).games(SEATING.place)) == 2


def test_a_restart_needs_no_hub() -> None:
    log = MemoryLog()
    table(log).seat(SEATING)
    play(table(log))
    assert len(played(log).games(SEATING.place)) == 2


def test_why_a_game_cannot_begin_is_told_once() -> None:
    def refuse(action: Mapping[str, Any]) -> Any:
        raise ActionRefused("Kein Platz.", "No room.", "no_seat")

    log = MemoryLog()
    noted: list[tuple[str, dict[str, Any]]] = []
    hosting = Hosting(log, lambda kind, data: noted.append((kind, data)), refuse, pause_s=0.0)
    hosting.seat(SEATING)
    for _ in range(3):
        hosting.go_on()
    assert [kind for kind, _ in noted] == [SEATED, REFUSED]
    assert noted[-1][1]["text_de"] == "Kein Platz."


@pytest.mark.parametrize("half_out", [True, False])
def test_in_sudden_death_a_half_decides_and_who_is_out_plays_no_more(
    half_out: bool,
) -> None:
    players = ("Anna", "Ben", "Cem", "Dora")
    one = table(seed=3)
    seating = replace(SEATING, players=players, games=0, lives=(2, 2, 2, 2), half_out=half_out)
    one.seat(seating)
    one.move()
    one.seat(replace(seating, scharf=True))
    play(one)
    told = played(one.log).games(seating.place)
    assert [game.how for game in told] == ["scharf"] * len(told)
    lives = dict.fromkeys(players, 2)
    for game in told:
        assert set(game.players) == {name for name in players if lives[name] > 0}
        assert len(game.halves) == 1
        lives[game.loser] -= 2 if half_out else 1
    assert len(told) == 3 or not half_out
    assert sum(left > 0 for left in lives.values()) == 1


def test_where_points_decide_one_half_of_sudden_death_is_the_end() -> None:
    one = table(seed=3)
    one.seat(replace(SEATING, games=5))
    one.move()
    one.seat(replace(SEATING, games=5, scharf=True))
    play(one)
    assert [game.how for game in played(one.log).games(SEATING.place)] == ["scharf"]
