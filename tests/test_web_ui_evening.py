"""What an evening comes to: whose games count, and how the players stand."""

import time

import pytest
from test_web_ui_table import Table
from web_ui_scenes import evening as play_evening

from rules.actions import StopTurn, ThrowDice
from web_ui.evening import Game, evening_of, games_of_evening, standings
from web_ui.projection import Projection


def game(*players: str, began_s: float = 0.0, **more: object) -> Game:
    empty = {"half_losers": (), "loser": None, "over": True, "schock_aus": {}}
    return Game(began_s=began_s, players=players, **(empty | more))  # type: ignore[arg-type]


def places(*games: Game) -> list[tuple[int, str]]:
    return [(row.place, row.player) for row in standings(games)]


def at(day: int, hour: int) -> float:
    return time.mktime((2026, 10, day, hour, 0, 0, 0, 0, -1))


def test_who_has_lost_the_fewest_games_leads_and_equals_share_a_place():
    games = [game("A", "B", "C", loser="A"), game("A", "B", "C", loser="A")]
    assert places(*games) == [(1, "B"), (1, "C"), (3, "A")]


def test_halves_decide_between_equals_and_then_schock_aus():
    first = game("A", "B", "C", half_losers=("A",))
    assert places(first) == [(1, "B"), (1, "C"), (3, "A")]
    assert places(first, game("A", "B", "C", schock_aus={"C": 1}))[0] == (1, "C")


def test_a_game_under_way_counts_with_its_halves_but_not_as_a_game():
    rows = {row.player: row for row in standings([game("A", "B", over=False, half_losers=("A",))])}
    assert (rows["A"].games, rows["A"].lost, rows["A"].halves) == (0, 0, 1)


def test_who_came_later_has_fewer_games():
    rows = {row.player: row.games for row in standings([game("A", "B"), game("A", "B", "C")])}
    assert rows == {"A": 2, "B": 2, "C": 1}


@pytest.mark.parametrize(("day", "hour", "same"), [(8, 3, True), (8, 7, False), (7, 23, True)])
def test_an_evening_lasts_until_six_in_the_morning(day: int, hour: int, same: bool):
    assert (evening_of(at(7, 20)) == evening_of(at(day, hour))) is same


def test_only_games_of_that_evening_count_and_a_clip_is_one_evening():
    yesterday, tonight = game("A", "B", began_s=at(6, 21)), game("A", "B", began_s=at(7, 21))
    assert games_of_evening([yesterday, tonight], at(8, 1)) == (tonight,)
    clip = game("A", "B", began_s=12.0)
    assert games_of_evening([tonight, clip], 400.0) == (clip,)


def test_the_projection_keeps_every_game_of_the_log():
    table = Table(["Anna", "Ben", "Cem", "Dora"])
    play_evening(table, games=3)
    board = Projection(table.log, log_lines=5).board()
    assert [played.over for played in board.games] == [True, True, True]
    assert board.games[-1].loser == table.match.state.game_loser
    entries = table.log.read(0, 100_000)
    lost = [entry.data["loser"] for entry in entries if entry.type == "game_over"]
    assert [played.loser for played in board.games] == lost
    assert board.at_s == entries[-1].at_s
    began = [entry.at_s for entry in entries if entry.type == "match_started"]
    assert [played.began_s for played in board.games] == began


def test_a_correction_after_the_end_changes_who_has_lost():
    """The game is summed up when the next one begins, not when it ended."""
    table = Table(["Anna", "Ben"])
    throws = {"Anna": (1, 1, 1), "Ben": (2, 2, 1)}
    while not table.match.is_over:
        player = str(table.match.current_player)
        table.do(ThrowDice(player, throws[player]))
        turn = table.match.turn
        if turn is not None and turn.player == player and turn.thrown:
            table.do(StopTurn(player))
    projection = Projection(table.log, log_lines=5)
    assert projection.board().games[0].loser == "Ben"
    assert projection.board().games[0].schock_aus["Anna"] > 0
    table.submit({"type": "take_back", "by": "Ute"})
    table.begin(["Anna", "Ben"])
    assert projection.board().games[0].loser is None
    assert not projection.board().games[0].over
    assert len(projection.board().games) == 2
