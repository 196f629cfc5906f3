"""The simulated table without its pictures: the game, the script, the geometry, the truth.

What needs physics or the renderer is in tests_lab.
"""

import json
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

from device.errors import SourceError, UsageError
from device.simulate_game import (
    Move,
    Policy,
    letters,
    play,
    play_script,
    read_script,
    write_game,
)
from device.simulate_table import (
    MAT_SIZE_MM,
    STRIP_SLOTS_MM,
    seat_directions,
    throwing_zone,
    to_table,
)
from device.simulate_truth import Truth
from rules.actions import KeepDice, StopTurn, ThrowDice, TurnSixes
from rules.errors import UnknownBook
from rules.events import HalfOver, OpeningSettled, RoundSettled
from vision.lying import Zones

PLAYERS = ("A", "B", "C")
KEYS = ["t_s", "type", "seat", "dice", "outside", "sure"]


def moves(seed: int = 207, rounds: int | None = 2) -> list[Move]:
    return list(play("turnier", PLAYERS, seed=seed, rounds=rounds))


def events_of(game: list[Move], kind: type) -> list[object]:
    return [event for move in game for event in move.events if isinstance(event, kind)]


def test_a_seed_always_plays_the_same_game():
    assert [m.action for m in moves(3)] == [m.action for m in moves(3)]
    assert [m.action for m in moves(3)] != [m.action for m in moves(4)]


@pytest.mark.parametrize("rounds", [0, 1, 2])
def test_the_game_is_the_opening_and_the_wanted_number_of_rounds(rounds):
    game = moves(2, rounds)
    assert len(events_of(game, OpeningSettled)) == 1
    assert len(events_of(game, RoundSettled)) == rounds


def test_a_half_is_played_until_one_player_has_all_deckel():
    game = moves(207, None)
    over = events_of(game, HalfOver)
    assert len(over) == 1
    assert over[0] in game[-1].events


def test_the_policy_shows_everything_the_table_can_do():
    actions = [move.action for seed in (2, 3, 28, 207) for move in moves(seed, None)]
    assert {type(action) for action in actions} == {ThrowDice, KeepDice, TurnSixes, StopTurn}
    burns = {action.burns for action in actions if isinstance(action, ThrowDice)}
    assert burns == {None, "tower", "burning", "off_mat"}


def test_no_die_falls_off_the_mat_out_of_a_cup_that_is_put_over_burnt_dice():
    again = set()
    for seed in range(20):
        game = play("turnier", PLAYERS, seed=seed, rounds=3, policy=Policy(burns=0.6))
        throws = [move.action for move in game if isinstance(move.action, ThrowDice)]
        for before, action in pairwise(throws):
            if before.burns in ("tower", "burning"):
                assert action.player == before.player
                again.add(action.burns)
    assert again == {None, "tower", "burning"}


def test_a_policy_without_faults_burns_no_throw():
    game = play("turnier", PLAYERS, seed=1, rounds=6, policy=Policy(burns=0.0))
    assert all(m.action.burns is None for m in game if isinstance(m.action, ThrowDice))


def test_an_unknown_book_is_refused():
    with pytest.raises(UnknownBook):
        list(play("nosuchbook", PLAYERS, seed=1, rounds=1))


@pytest.mark.parametrize("count", [1, 7])
def test_only_two_to_six_players_sit_at_the_table(count):
    with pytest.raises(UsageError, match="--players must be 2 to 6"):
        letters(count)


# --- scripts -------------------------------------------------------------------------------------

SCRIPT = [
    {"book": "turnier", "players": ["Anna", "Ben"]},
    {"type": "throw", "player": "Anna", "dice": [6, 5, 2]},
    {"type": "throw", "player": "Ben", "dice": [], "burns": "tower"},
    {"type": "throw", "player": "Ben", "dice": [2, 2, 1]},
]


def written(folder: Path, records: list[object]) -> Path:
    path = folder / "game.jsonl"
    path.write_text("".join(json.dumps(record) + "\n" for record in records), encoding="utf-8")
    return path


def test_a_written_game_is_played_as_written(tmp_path):
    book, players, script = read_script(written(tmp_path, SCRIPT))
    assert (book, players) == ("turnier", ("Anna", "Ben"))
    game = list(play_script("turnier", players, script))
    assert [move.action for move in game] == script
    assert all(move.opening for move in game)
    assert game[-1].match.holdings == {"Anna": 0, "Ben": 1}


@pytest.mark.parametrize(
    ("record", "complaint"),
    [
        ({"type": "throw", "player": "A", "dice": [7]}, "line 2: .*7"),
        ({"type": "nonsense"}, "line 2: .*nonsense"),
        ({"type": "throw", "player": "A", "dice": [], "burns": "magic"}, "burns must be one of"),
        ({"type": "take_back", "by": "A"}, "cannot show 'take_back'"),
    ],
)
def test_a_line_that_the_table_cannot_show_is_named(tmp_path, record, complaint):
    with pytest.raises(SourceError, match=complaint):
        read_script(written(tmp_path, [SCRIPT[0], record]))


def test_what_the_rules_refuse_is_told_with_its_number(tmp_path):
    _, players, script = read_script(written(tmp_path, [SCRIPT[0], SCRIPT[1], SCRIPT[1]]))
    with pytest.raises(SourceError, match="action 2 "):
        list(play_script("turnier", players, script))


def test_a_missing_script_is_an_error(tmp_path):
    with pytest.raises(SourceError, match="cannot be read"):
        read_script(tmp_path / "none.jsonl")


def test_a_game_that_was_played_is_written_as_it_can_be_played_again(tmp_path):
    game = list(play("jule", ("A", "B"), seed=3, rounds=1))
    write_game(tmp_path / "game.jsonl", "jule", ("A", "B"), game)
    book, players, script = read_script(tmp_path / "game.jsonl")
    again = list(play_script(book, players, script))
    assert again[-1].match == game[-1].match
    opening = [move.action.dice for move in game if move.opening]
    assert all(len(dice) == 1 for dice in opening), "jule begins with single dice"


# --- the table -----------------------------------------------------------------------------------


def test_mat_and_table_coordinates_share_the_middle():
    width, height = MAT_SIZE_MM
    assert to_table((width / 2, height / 2)).tolist() == [0, 0, 0]
    assert to_table((0, 0), 8).tolist() == [-width / 2, height / 2, 8]


def test_dice_end_inside_the_throwing_zone_and_are_kept_in_the_strip():
    x0, y0, x1, y1 = throwing_zone()
    left, top, right, bottom = Zones().throwing
    assert to_table((left, bottom))[0] < x0 < x1 < to_table((right, top))[0]
    assert to_table((left, bottom))[1] < y0 < y1 < to_table((right, top))[1]
    aside = Zones().aside
    assert all(aside[0] < x < aside[2] and aside[1] < y < aside[3] for x, y in STRIP_SLOTS_MM)


@pytest.mark.parametrize("count", range(2, 7))
def test_nobody_sits_where_dice_are_put_aside(count):
    sides = np.array(seat_directions(count))
    assert np.allclose(np.linalg.norm(sides, axis=1), 1)
    assert (sides[:, 0] < 0.5).all()
    assert len(np.unique(sides.round(3), axis=0)) == count


# --- the truth -----------------------------------------------------------------------------------


def test_truth_tells_of_dice_aside_when_the_cup_goes_down():
    truth = Truth()
    truth.tell(1.0, "throw_seen", "A", (1, 6, 6))
    truth.lay_aside("dice_kept", 1, "A")
    truth.lay_aside("turned", 1, "A")
    truth.tell(3.0, "cup_down", "A")
    truth.tell_aside(3.0, "A")
    truth.tell(4.0, "throw_seen", "A", (2,))
    truth.tell_cleared(6.0, "A")
    told = [(line["type"], line["dice"], line["outside"]) for line in truth.lines]
    assert told == [
        ("throw_seen", [6, 6, 1], []),
        ("cup_down", [], []),
        ("turned", [1], [1, 1]),
        ("dice_kept", [1], [1, 1]),
        ("throw_seen", [2], [1, 1]),
        ("cleared", [], []),
    ]
    assert all(list(line) == KEYS for line in truth.lines)


def test_truth_tells_every_settlement_with_ranking_and_deckel(tmp_path):
    truth = Truth()
    game = moves(207, None)
    for move in game:
        truth.tell_rounds(move, 1.0)
    truth.write(tmp_path / "truth.jsonl")
    lines = [json.loads(line) for line in (tmp_path / "truth.jsonl").read_text().splitlines()]
    assert [line["part"] for line in lines][:2] == ["opening", "half1"]
    for line in lines:
        assert {entry["player"] for entry in line["ranking"]} == set(PLAYERS)
        assert line["deckel"]["stock"] + sum(line["deckel"]["holdings"].values()) == 13
    assert 13 in lines[-1]["deckel"]["holdings"].values(), "the end of a half, not the next start"
