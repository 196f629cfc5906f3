"""The hall: tables that play by themselves, results that hand themselves in, cards and rulings."""

import random
import time

import pytest
from hall_play import NAMES, SHORT, HallInMemory, results

from device.random_play import random_action
from rules.tournament import Tournament
from web_ui.errors import ActionRefused


def test_a_round_plays_itself_and_hands_in() -> None:
    hall = HallInMemory(2)
    hall.open("werl", NAMES[:7])
    hall.do("draw_round")
    hall.play()
    handed = results(hall, 1)
    assert sorted(handed) == [1, 2]
    tournament = hall.hall.state.tournament
    assert tournament is not None
    assert tournament.round is not None
    for number, one in handed.items():
        assert one.result.source == "log"
        assert one.result.by == f"table-{number}"
        assert len(one.result.games) == 5
        assert {p for game in one.result.games for p in game.players} == set(
            tournament.round.tables[number - 1]
        )
    assert not hall.hall.state.incidents
    hall.do("draw_round")
    hall.bring()
    playing = [table.hosting.is_playing for table in hall.tables.values()]
    assert playing == [True, True]


def test_a_tournament_by_lives_ends_by_itself() -> None:
    hall = HallInMemory(3)
    hall.open(SHORT, NAMES[:9])
    play_out(hall)
    tournament = hall.hall.state.tournament
    assert tournament is not None
    assert tournament.is_over
    assert {one.player for one in tournament.standings} == set(NAMES[:9])
    assert not hall.hall.state.incidents


def test_what_is_played_for_fun_afterwards_does_not_count() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.play()
    before = results(hall, 1)
    table = hall.tables["table-1"]
    table.pipeline.submit(
        {"type": "start_game", "players": ["X", "Y"], "book": "turnier", "by": "X"}
    )
    chance = random.Random(3)
    while not table.game.match.is_over:
        table.pipeline.submit(random_action(table.game.match, chance).to_json())
    hall.bring()
    assert results(hall, 1) == before
    assert not hall.hall.state.incidents


def test_a_ruling_after_the_round_was_scored_corrects_the_result() -> None:
    hall = HallInMemory(1, seed=7)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.play()
    table, before = hall.tables["table-1"], results(hall, 1)[1].result
    last = before.games[-1]
    settled = [e for e in table.log.read(0, 100_000) if e.type == "round_settled"][-1].data
    (other,) = {half.loser for half in last.halves} - {last.loser}
    ruling = {"part": settled["part"], "round": settled["round"], "verdict": "loser"}
    swapped = {"loser": other, "winner": last.loser, "deckel": "all"}
    words = {"by": "R", "reason": "der Würfel lag auf der Kante", "drop_later": True}
    table.pipeline.submit({"type": "rule_round", **ruling, **swapped, **words})
    hall.play()
    after = results(hall, 1)[1].result
    assert after.games[:-1] == before.games[:-1]
    assert after.games[-1].loser == other
    assert last.loser != other
    corrected = [e for e in hall.log.read(0, 1000) if e.type == "tournament.result_corrected"]
    assert corrected[-1].data["by"] == "table-1"


def test_a_card_counts_until_a_person_corrects_it() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.cut_off.add("table-1")
    tournament = hall.hall.state.tournament
    assert tournament is not None
    assert tournament.round is not None
    a, b, c, d = tournament.round.tables[0]
    one_half = {"loser": d, "out": [[a], [b], [c]]}
    game = {
        "number": 1, "players": [a, b, c, d], "halves": [one_half, one_half], "loser": d,
        "how": "sweep", "schock_aus": {},
    }  # fmt: skip
    card = {"games": [game], "source": "log", "by": "Schreiber", "cut_short": ""}
    hall.do("hand_in", table=1, result=card)
    assert results(hall, 1)[1].result.source == "card", "a person hands in a card"
    hall.cut_off.clear()
    hall.play()
    assert results(hall, 1)[1].result.source == "card"


def test_after_a_restart_the_hall_is_the_same() -> None:
    hall = HallInMemory(2)
    hall.open("werl", NAMES[:8])
    hall.do("draw_round")
    hall.play(every=3)
    again = hall.new_hall()
    assert again.state.tournament == hall.hall.state.tournament
    assert again.state.devices(again.state.tournament.round) == {1: "table-1", 2: "table-2"}


def test_what_the_rules_refuse_is_refused_with_both_texts() -> None:
    hall = HallInMemory(1)
    with pytest.raises(ActionRefused) as refused:
        hall.do("draw_round")
    assert refused.value.code == "no_tournament"
    hall.open("werl", NAMES[:4], fee=5)
    refusal = hall.hall.refusal({"type": "draw_round", "by": "R"})
    assert refusal is not None
    assert all((refusal.text_de, refusal.text_en))


def play_out(hall: HallInMemory) -> None:
    """Draw and play until the tournament is over; ties are played off by name."""
    for _ in range(30):
        tournament = hall.hall.state.tournament
        assert isinstance(tournament, Tournament)
        if tournament.is_over:
            return
        if needed := tournament.stechen_needed:
            order = [[name] for name in sorted(needed[0].players)]
            hall.do("record_stechen", order=order, table=needed[0].table)
        elif hall.hall.refusal({"type": "draw_round", "by": "R"}) is None:
            hall.do("draw_round")
            hall.play()
        else:
            hall.do("finish")
    raise AssertionError("the tournament does not end")


def test_a_result_that_a_note_has_taken_in_hands_itself_in_all_the_same() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    follow, hall.hall.follow = hall.hall.follow, lambda: None  # type: ignore[method-assign]
    hall.play()
    hall.feed.bring("table-1", hall.tables["table-1"].log)
    hall.hall.note("hall.file", {"table": "table-1"})
    assert not results(hall, 1)
    hall.hall.follow = follow  # type: ignore[method-assign]
    hall.hall.start()
    deadline_s = time.monotonic() + 20.0
    while not results(hall, 1):
        assert time.monotonic() < deadline_s
        time.sleep(0.01)
    hall.hall.close()


def test_that_a_table_has_come_is_written_before_all_else_is_taken_in() -> None:
    hall = HallInMemory(2)
    hall.bring()
    seq, count = hall.hall.seq, len(hall.feed.entries)
    assert seq == count
    hall.tables["table-1"].log.append("note", {}, at_s=1.0)
    hall.feed.bring("table-1", hall.tables["table-1"].log)
    hall.hall.available("table-2", online=False)
    hall.hall.available("table-2", online=False)
    assert hall.hall.seq == seq
    assert [one.type for one in hall.feed.entries[count:]].count("hall.available") == 1
    assert hall.hall.state.tables["table-2"].online
    hall.bring()
    assert not hall.hall.state.tables["table-2"].online
    hall.hall.available("table-2", online=True)
    hall.bring()
    assert hall.hall.state.tables["table-2"].online


def test_what_a_table_plays_after_its_time_was_up_does_not_count() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    play_one_game(hall)
    hall.cut_off.add("table-1")  # it does not hear that it is enough
    hall.do("collect", tables=[1], reason="die Zeit ist um")
    before = results(hall, 1)
    for _ in range(400):
        hall.tables["table-1"].move()
    hall.cut_off.clear()
    hall.play()
    assert 0 < len(before[1].result.games) < 5
    assert results(hall, 1) == before
    assert not hall.hall.state.incidents


def games_done(hall: HallInMemory) -> int:
    played = hall.hall.state.tables["table-1"].played
    return len(played.games(played.place)) if played.place is not None else 0


def play_one_game(hall: HallInMemory) -> None:
    """Let the first table play until it has one game, and the hub hear of it."""
    while not hall.tables["table-1"].game.match.is_over or games_done(hall) < 1:
        hall.bring()
        hall.tables["table-1"].move()
    hall.bring()


def test_a_device_that_is_changed_in_the_middle_of_a_round_needs_the_card() -> None:
    hall = HallInMemory(2)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    while games_done(hall) < 1:
        hall.bring()
        hall.tables["table-1"].move()
    hall.do("assign_table", table=1, device="table-2")
    hall.play()
    assert not results(hall, 1), "games of two logs are not put together unseen"
    assert [one["kind"] for one in hall.hall.state.incidents] == ["two_devices"]
    refused = hall.hall.refusal({"type": "collect", "tables": [1], "reason": "Zeit"})
    assert refused is not None
    assert refused.code == "two_devices"
    tournament = hall.hall.state.tournament
    assert tournament is not None
    assert tournament.round is not None
    seats = tournament.round.tables[0]
    half = {"loser": seats[-1], "out": [[name] for name in seats[:-1]]}
    game = {
        "number": 1, "players": list(seats), "halves": [half, half], "loser": seats[-1],
        "how": "sweep", "schock_aus": {},
    }  # fmt: skip
    hall.do(
        "hand_in", table=1, result={"games": [game], "source": "card", "by": "S", "cut_short": ""}
    )
    assert results(hall, 1)[1].result.source == "card"


def test_a_table_that_has_ended_no_game_is_not_scored_by_its_log() -> None:
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    hall.bring()
    refused = hall.hall.refusal({"type": "collect", "tables": [1], "reason": "Zeit"})
    assert refused is not None
    assert refused.code == "no_game"


def test_a_card_with_fewer_games_than_the_log_is_told_at_the_desk() -> None:
    """A scribe has left out a game: the card counts, but somebody must look."""
    hall = HallInMemory(1)
    hall.open("werl", NAMES[:4])
    hall.do("draw_round")
    play_one_game(hall)
    card = {"games": [], "source": "card", "by": "Schreiber", "cut_short": "Kamera aus"}
    hall.do("hand_in", table=1, result=card)
    hall.play()
    assert results(hall, 1)[1].result.games == ()
    assert [one["kind"] for one in hall.hall.state.incidents] == ["card_differs"]


def test_a_game_that_was_played_before_somebody_moved_is_handed_in_from_the_log() -> None:
    hall = HallInMemory(2)
    hall.open("werl", NAMES[:7])
    hall.do("draw_round")
    play_one_game(hall)
    tournament = hall.hall.state.tournament
    assert tournament is not None
    assert tournament.round is not None
    four = tournament.round.tables[0]
    hall.do("seat", player=four[0], table=2)
    hall.play()
    handed = results(hall, 1)
    assert sorted(handed) == [1, 2]
    assert handed[1].result.source == "log"
    assert set(handed[1].result.games[0].players) == set(four)
    assert set(handed[1].result.games[-1].players) == set(four[1:])
    assert four[0] in handed[2].result.games[-1].players
    assert not hall.hall.state.incidents
