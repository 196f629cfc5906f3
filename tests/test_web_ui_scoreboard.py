"""What the board makes of the rules' snapshot in the special moments of an evening."""

import random
from typing import Any

import pytest
from test_web_ui_table import Table

from rules.actions import KeepDice, StopTurn, ThrowDice, TurnSixes
from web_ui.projection import Projection
from web_ui.scoreboard import present


def view_of(table: Table, lang: str = "de") -> dict[str, Any]:
    return present(Projection(table.log, log_lines=20).board(), lang)


def states(view: dict[str, Any]) -> list[str]:
    return [step["state"] for step in view["steps"]]


def badges(view: dict[str, Any], name: str) -> list[str]:
    (player,) = [p for p in view["players"] if p["name"] == name]
    return [badge["kind"] for badge in player["badges"]]


def play_until(table: Table, wanted: Any, throws: dict[str, tuple[int, int, int]]) -> None:
    """One throw each, always the same ones, until something holds."""
    while not wanted():
        player = str(table.match.current_player)
        table.do(ThrowDice(player, throws[player]))
        turn = table.match.turn
        if turn is not None and turn.player == player and turn.thrown:
            table.do(StopTurn(player))


def test_a_game_lost_by_both_halves_names_the_sweep_and_no_final():
    table = Table(["Anna", "Ben"])
    play_until(table, lambda: table.match.is_over, {"Anna": (1, 1, 1), "Ben": (2, 2, 1)})
    view = view_of(table)
    assert view["turn"] is None
    assert view["verdict"] == {
        "title": "Das Spiel ist aus",
        "name": "Ben",
        "text": "hat beide Hälften verloren: Blattschuss",
    }
    assert states(view) == ["done", "done", "done", "ahead"]
    assert badges(view, "Ben") == ["half1", "half2", "game"]


def test_in_the_final_who_does_not_play_it_is_pale():
    table = Table()
    lost = {"Anna": (6, 5, 2), "Ben": (1, 1, 1), "Cem": (2, 2, 1)}
    play_until(table, lambda: table.match.part.value == "half2", lost)
    lost = {"Anna": (2, 2, 1), "Ben": (1, 1, 1), "Cem": (6, 5, 2)}
    play_until(table, lambda: table.match.part.value == "final", lost)
    view = view_of(table)
    assert states(view) == ["done", "done", "done", "now"]
    assert {p["name"]: p["state"] for p in view["players"]} == {
        "Anna": "in",
        "Ben": "out",
        "Cem": "in",
    }
    assert badges(view, "Cem") == ["half1"]
    assert badges(view, "Anna") == ["half2"]


def test_a_schock_aus_is_celebrated():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (1, 1, 1)))
    turn = view_of(table)["turn"]
    assert (turn["mood"], turn["spoken"]) == ("celebration", "Schock aus aus der Hand")


def test_a_throw_under_the_cup_shows_the_cup():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 5, 2)))
    table.submit({"type": "cover", "player": "Cem"})
    view = view_of(table)
    assert view["turn"]["inside"] == ()
    assert view["turn"]["spoken"] == ""
    assert view["turn"]["hint"] == "Verdeckt: der Wurf liegt unter dem Becher"
    table.do(StopTurn("Cem"))
    assert badges(view_of(table), "Cem") == ["covered"]


def test_a_corrected_throw_does_not_keep_its_old_name():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 5, 2)))
    assert view_of(table)["turn"]["spoken"] == "sechs zweiundfünfzig im Ersten"
    assert view_of(table, "en")["turn"]["spoken"] == "six fifty-two in the first"
    correction = {"type": "correct_throw", "player": "Cem", "throw_id": 4, "by": "Ben"}
    table.submit(correction | {"dice": [6, 6, 2]})
    turn = view_of(table)["turn"]
    assert turn["inside"] == (6, 6, 2)
    assert turn["spoken"] == "sechs zweiundsechzig im Ersten"


def test_a_pause_and_a_ruling_against_the_book_are_shown():
    table = Table()
    table.play_opening()
    assert not view_of(table)["paused"]
    for name, dice in (("Cem", (6, 5, 2)), ("Anna", (6, 6, 2)), ("Ben", (3, 3, 1))):
        table.do(ThrowDice(name, dice))
        table.do(StopTurn(name))
    ruling = {"type": "rule_round", "part": "half1", "round": 1, "verdict": "loser", "by": "Ute"}
    ruling |= {"reason": "swapped", "loser": "Cem", "winner": "Anna", "deckel": 3}
    table.submit(ruling)
    table.submit({"type": "pause", "by": "Ute"})
    view = view_of(table)
    assert view["paused"]
    assert view["ranking"]["stakes"].startswith("Cem bekommt 3 Deckel: so entschied")


def test_until_somebody_has_thrown_the_last_round_stays_on_the_board():
    table = Table()
    table.play_opening()
    ranking = view_of(table)["ranking"]
    assert ranking["title"] == "Letzte Runde"
    assert [row["player"] for row in ranking["rows"]] == ["Anna", "Ben", "Cem"]
    assert [row["role"] for row in ranking["rows"]] == ["top", "", "bottom"]
    assert ranking["stakes"] == "Cem bekommt 1 Deckel, angesetzt von Anna."


@pytest.mark.parametrize("lang", ["de", "en"])
def test_every_moment_of_random_games_can_be_shown(lang: str):
    table, chance = Table(["A", "B", "C", "D"]), random.Random(11)
    projection = Projection(table.log, log_lines=5)
    for _ in range(400):
        if table.match.is_over:
            break
        player, turn = str(table.match.current_player), table.match.turn
        if turn is None or not turn.thrown or turn.must_throw:
            count = 3 if turn is None else turn.dice_to_throw
            table.do(ThrowDice(player, tuple(chance.choices(range(1, 7), k=count))))
        else:
            table.do(StopTurn(player))
        view = present(projection.board(), lang)
        held = sum(p["deckel"] for p in view["players"])
        assert held + view["stock"] == view["total"] == 13


def test_dice_put_aside_and_thrown_again_are_named_together():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 4, 1)), KeepDice("Cem", (1,)))
    assert view_of(table)["turn"]["spoken"] == "sechs einundvierzig im Ersten"
    table.do(ThrowDice("Cem", (6, 6)))
    assert view_of(table)["turn"]["spoken"] == "sechs einundsechzig im Zweiten"
    table.do(TurnSixes("Cem", 1))
    assert view_of(table)["turn"]["spoken"] == "", "he has to throw before it counts"
