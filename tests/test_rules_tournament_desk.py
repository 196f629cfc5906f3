"""The desk of a tournament: who registers, pays, comes late, leaves, and how it ends."""

import random

import pytest
from tournament_play import (
    DRAW,
    GONZERATH,
    JAHR,
    LEBEN,
    NAMES,
    SCHOCKFREUNDE,
    WERL,
    by_hand,
    card,
    code,
    does,
    game,
    opened,
    places,
    play_out,
    played,
)

from rules.errors import MalformedRecord
from rules.tournament_actions import (
    ComeBack,
    Finish,
    HandIn,
    Leave,
    PayCharity,
    PayFee,
    Register,
    Seat,
)


def test_a_name_is_registered_once_whatever_its_case() -> None:
    tournament = opened(WERL, ["Anna"])
    assert code(tournament, Register(player="ANNA")) == "name_taken"
    for bad in ("", " Ben", "Ben "):
        with pytest.raises(MalformedRecord):
            tournament.decide(Register(player=bad))


def test_a_team_has_three_players_however_it_is_written() -> None:
    tournament = opened(SCHOCKFREUNDE, NAMES[:3], teams=3)
    assert code(tournament, Register(player="Zoe", team="TEAM 1")) == "team_full"
    tournament = does(tournament, Leave(player="Anna", reason="krank"))
    tournament = does(tournament, Register(player="Zoe", team="TEAM 1"))
    assert tournament.state.entrants["Zoe"].team == "Team 1"
    assert code(opened(WERL, []), Register(player="Zoe", team="X")) == "no_teams"


def test_the_fee_is_paid_in_parts_and_never_too_much() -> None:
    tournament = does(opened(WERL, NAMES[:3]), Register(player="Zoe"))
    assert code(tournament, PayFee(player="Zoe", eur=11)) == "nothing_to_pay"
    assert code(tournament, PayFee(player="Zoe", eur=0)) == "nothing_to_pay"
    assert code(tournament, PayFee(player="Yan", eur=10)) == "unknown_entrant"
    tournament, (event,) = tournament.do(PayFee(player="Zoe", eur=4))
    assert event.to_json()["open_eur"] == 6
    assert code(tournament, DRAW) == "fee_open"
    tournament = does(tournament, PayFee(player="Zoe", eur=6))
    assert tournament.can(DRAW)


def test_one_player_alone_has_nothing_to_draw_and_two_play() -> None:
    tournament = opened(WERL, "A")
    assert code(tournament, DRAW) == "too_few"
    assert code(tournament, Finish(by="R")) == "not_over"
    ended = does(tournament, Finish(by="R", reason="keiner kam"))
    assert ended.state.ended_early == "keiner kam"
    tournament = does(opened(WERL, "AB"), DRAW)
    assert tournament.state.rounds[0].tables in ((("A", "B"),), (("B", "A"),))


def test_five_sit_at_one_table_and_seven_at_two() -> None:
    for count, sizes in ((5, [5]), (7, [4, 3])):
        tournament = does(opened(WERL, NAMES[:count]), DRAW)
        assert [len(table) for table in tournament.state.rounds[0].tables] == sizes


def test_a_late_arrival_plays_the_second_round_and_has_nothing_of_the_first() -> None:
    tournament = played(by_hand(opened(WERL, "ABCD"), "ABCD"), "ABCD")
    tournament = does(tournament, Register(player="Z"), PayFee(player="Z", eur=10))
    reasons = {one.player: one.reason_de for one in tournament.standings}
    assert reasons["Z"] == "0 Punkte (Runde 1 nicht gespielt)"
    tournament = by_hand(tournament, "ABCDZ")
    assert tournament.state.rounds[1].tables == (tuple("ABCDZ"),)
    tournament = played(tournament, "ZABCD")
    reasons = {one.player: one.reason_de for one in tournament.standings}
    assert reasons["Z"] == "6 Punkte (Runde 1 nicht gespielt), geteilt mit B"
    assert code(tournament, Register(player="Y")) == "too_late"


def test_who_misses_a_round_of_loss_points_is_no_better_than_the_worst() -> None:
    tournament = by_hand(opened(GONZERATH, "ABC"), "ABC")
    five = card(*(game(n, "ABC", "ABC") for n in range(1, 6)))
    tournament = does(tournament, HandIn(table=1, result=five), Register(player="Z"))
    points = {one.player: one.score.points for one in tournament.standings}
    assert points == {"A": 0, "B": 0, "C": 15, "Z": 15}


def test_a_late_arrival_is_seated_at_a_running_table() -> None:
    tournament = does(by_hand(opened(GONZERATH, "ABC"), "ABC"), Register(player="Z"))
    sits = Seat(player="Z", table=1, by="R")
    assert code(tournament, sits) == "fee_open"
    tournament = does(tournament, PayFee(player="Z", eur=10), sits)
    games = [game(n, "ABC", "ABC") for n in (1, 2)]
    games += [game(n, "ABCZ", "ABCZ") for n in (3, 4, 5)]
    tournament = does(tournament, HandIn(table=1, result=card(*games)))
    points = {one.player: one.score.points for one in tournament.standings}
    assert points == {"A": 0, "B": 0, "C": 6, "Z": 2 * 2 + 3 * 3}


def test_who_may_be_seated_where() -> None:
    tournament = by_hand(opened(WERL, "ABCDEFGHI"), "ABCDEF", "GHI")
    seat = {name: Seat(player=name, table=1, by="R") for name in "AGX"}
    assert code(tournament, seat["A"]) == "seated_already"
    assert code(tournament, seat["G"]) == "table_full"
    assert code(tournament, seat["X"]) == "unknown_entrant"
    assert code(tournament, Seat(player="A", table=3, by="R")) == "no_table"
    moved = does(tournament, Seat(player="A", table=2, by="R"))
    assert moved.state.rounds[0].tables == (tuple("BCDEF"), tuple("GHIA"))
    tournament = played(moved, "GHIA")
    assert code(tournament, Seat(player="B", table=2, by="R")) == "no_table"
    assert code(tournament, Seat(player="G", table=1, by="R")) == "seated_already"
    gone = does(tournament, Leave(player="B", reason="x"))
    assert code(gone, Seat(player="B", table=1, by="R")) == "gone_already"


def test_who_leaves_a_running_table_has_what_he_played_and_comes_last() -> None:
    tournament = does(by_hand(opened(WERL, "ABCD"), "ABCD"), Leave(player="A", reason="müde"))
    games = game(1, "ABCD", "ABCD"), game(2, "BCD", "BCD")
    tournament = does(tournament, HandIn(table=1, result=card(*games)))
    last = tournament.standings[-1]
    assert (last.player, last.reason_de) == ("A", "gegangen in Runde 1, 6 Punkte")
    assert (last.codes, last.here) == (("left",), False)
    tournament = does(tournament, DRAW)
    assert set(tournament.state.rounds[1].players) == set("BCD")


def test_a_game_without_somebody_who_is_there_is_refused() -> None:
    tournament = by_hand(opened(WERL, "ABCD"), "ABCD")
    games = game(1, "ABCD", "ABCD"), game(2, "BCD", "BCD")
    refused = tournament.refusal(HandIn(table=1, result=card(*games)))
    assert refused is not None
    assert refused.text_de == "Tisch 1: Spiel 2 wurde ohne A gespielt."


def test_who_has_played_his_round_leaves_before_the_next() -> None:
    tournament = played(by_hand(opened(WERL, "ABCDEF"), "ABC", "DEF"), "ABC")
    tournament = does(tournament, Leave(player="A", reason="müde"))
    assert tournament.state.entrants["A"].gone_in_round == 2
    assert code(tournament, Leave(player="A", reason="müde")) == "gone_already"
    assert code(tournament, Leave(player="B", reason=" ")) == "reason_missing"
    assert code(tournament, ComeBack(player="B")) == "not_gone"
    assert does(tournament, ComeBack(player="A")).state.entrants["A"].here


def test_who_leaves_after_the_point_rounds_keeps_his_place_behind_the_knockout() -> None:
    tournament = opened(WERL, "ABCDE")
    for _ in range(2):
        tournament = played(by_hand(tournament, "ABCDE"), "ABCDE")
    assert places(tournament) == "1A 2B 3C 4D 5E"
    tournament = does(tournament, Leave(player="A", reason="müde"), DRAW)
    assert set(tournament.state.rounds[-1].players) == set("BCDE")
    last = tournament.standings[-1]
    assert (last.place, last.player) == (5, "A")
    assert last.reason_de == "nicht in der K.-o.-Runde, 12 Punkte"
    assert code(tournament, ComeBack(player="A")) == "knockout_without"


def test_a_table_that_all_have_left_hands_in_an_empty_card() -> None:
    tournament = by_hand(opened(LEBEN, "ABCDEFGH"), "ABCD", "EFGH")
    for name in "ABC":
        tournament = does(tournament, Leave(player=name, reason="Bus"))
    assert code(tournament, HandIn(table=1, result=card())) == "wrong_result"
    tournament = does(tournament, HandIn(table=1, result=card(cut_short="alle weg")))
    games = [game(n, "EFGH", "EFGH") for n in (1, 2, 3)] + [
        game(n, "EFG", "EFG") for n in (4, 5, 6)
    ]
    tournament = does(tournament, HandIn(table=2, result=card(*games)), DRAW)
    assert set(tournament.state.rounds[1].players) == set("DEF")


def test_charity_is_collected_only_where_it_counts() -> None:
    tournament = opened(WERL, "ABC")
    assert code(tournament, PayCharity(player="A", eur=0)) == "no_king"
    tournament = does(tournament, PayCharity(player="A", eur=3), PayCharity(player="A", eur=3))
    assert tournament.state.entrants["A"].charity_eur == 6


@pytest.mark.parametrize("made", [WERL, GONZERATH, LEBEN, SCHOCKFREUNDE, JAHR])
@pytest.mark.parametrize("field", [2, 3, 5, 7, 12])
def test_every_place_has_a_reason_in_both_languages(made: object, field: int) -> None:
    names = [f"P{n:02}" for n in range(field)]
    tournament, log = play_out(opened(made, names), random.Random(field))  # type: ignore[arg-type]
    ranking = log[-1].to_json()["ranking"]
    assert [one["player"] for one in ranking] == [one.player for one in tournament.standings]
    assert sorted(one["player"] for one in ranking) == names
    for one in ranking:
        assert one["reason_de"]
        assert one["reason_en"]
        assert one["reason_de"] != one["reason_en"]
    expected = 1
    for at, one in enumerate(ranking, start=1):
        expected = at if one["place"] != expected else expected
        assert one["place"] == expected


def test_money_is_paid_back_but_no_more_than_was_paid() -> None:
    tournament = opened(WERL, "ABC")
    assert code(tournament, PayFee(player="A", eur=-11)) == "nothing_to_pay"
    tournament = does(tournament, PayFee(player="A", eur=-10))
    assert code(tournament, DRAW) == "fee_open"
    tournament = does(tournament, PayCharity(player="B", eur=6), PayCharity(player="B", eur=-3))
    assert tournament.state.entrants["B"].charity_eur == 3
    assert code(tournament, PayCharity(player="B", eur=-4)) == "no_king"


def test_who_comes_back_to_his_table_may_have_missed_games() -> None:
    tournament = by_hand(opened(GONZERATH, "ABCD"), "ABCD")
    tournament = does(tournament, Leave(player="A", reason="Telefon"), ComeBack(player="A"))
    orders = ("ABCD", "BCD", "BCD", "ABCD", "ABCD")
    games = [game(n, order, order) for n, order in enumerate(orders, start=1)]
    tournament = does(tournament, HandIn(table=1, result=card(*games)))
    points = {one.player: one.score.points for one in tournament.standings}
    assert points == {"A": 4, "B": 0, "C": 0, "D": 15}
    assert all(one.here for one in tournament.standings)


def test_games_after_a_leaver_has_decided_the_table_are_refused() -> None:
    tournament = by_hand(opened(LEBEN, "ABCDEFGH"), "ABCD", "EFGH")
    tournament = does(tournament, Leave(player="A", reason="Bus"))
    games = [game(1, "ABCD", "ABCD"), *(game(n, "BCD", "BCD") for n in (2, 3))]
    assert tournament.can(HandIn(table=1, result=card(*games)))
    more = HandIn(table=1, result=card(*games, game(4, "BC", "BC")))
    refused = tournament.refusal(more)
    assert refused is not None
    assert "Game 4 was played after the table was decided" in refused.text_en
