"""The referee of a tournament: Stechen on ties, corrections of what was handed in."""

import random

from tournament_play import (
    DRAW,
    JAHR,
    LEBEN,
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

from rules.tournament import Tournament
from rules.tournament_actions import (
    CorrectResult,
    DrawRound,
    Finish,
    HandIn,
    RecordStechen,
    Register,
)
from rules.tournament_events import ResultCorrected
from rules.tournament_library import own_format


def werl_points(names: str, *rounds: tuple[str, ...]) -> Tournament:
    """Two point rounds with the given tables, each losing in its order."""
    tournament = opened(WERL, names)
    for tables in rounds:
        tournament = played(by_hand(tournament, *tables), *tables)
    return tournament


def test_a_tie_at_the_cut_asks_for_a_stechen_and_the_reason_says_so() -> None:
    # Eight players, four go on; A and E have 12, B and F 8, C and G 4, D and H -2.
    tournament = werl_points("ABCDEFGH", ("ABCD", "EFGH"), ("ABCD", "EFGH"))
    assert places(tournament) == "1A 1E 3B 3F 5C 5G 7D 7H"
    assert tournament.can(DRAW)
    tournament = werl_points("ABCDEFGHI", ("ABC", "DEF", "GHI"), ("ABC", "DEF", "GHI"))
    (needed,) = tournament.stechen_needed
    assert (set(needed.players), needed.places) == (set("BEH"), 1)
    assert code(tournament, DRAW) == "stechen_needed"
    wrong = RecordStechen(order=(("B",), ("E",)), by="R")
    assert code(tournament, wrong) == "no_stechen"
    tournament = does(tournament, RecordStechen(order=(("H", "B"), ("E",)), by="R"))
    (needed,) = tournament.stechen_needed
    assert (set(needed.players), needed.places) == (set("BH"), 1)
    tournament = does(tournament, RecordStechen(order=(("H",), ("B",)), by="R"))
    tournament = does(tournament, DRAW)
    assert set(tournament.state.rounds[-1].players) == set("ADGH")
    reasons = {one.player: one.reason_de for one in tournament.standings}
    assert reasons["B"] == ("nicht in der K.-o.-Runde, 4 Punkte, Stechen gegen E gewonnen")


def test_the_lot_may_decide_the_cut_instead() -> None:
    text = """key="x"\nbased_on="werl"\n[fields]\ntied_cut = { value = "lot", text = "x" }"""
    tournament = opened(own_format(text), "ABCDEFGHI")
    for _ in range(2):
        tournament = played(by_hand(tournament, "ABC", "DEF", "GHI"), "ABC", "DEF", "GHI")
    tournament = does(tournament, DRAW)
    through = set(tournament.state.rounds[-1].players)
    assert len(through & set("BEH")) == 1
    assert through > set("ADG")


def test_places_with_a_prize_need_a_stechen_others_are_shared() -> None:
    tournament = opened(JAHR, "ABCDEFGHI")
    for _ in range(4):
        tournament = by_hand(tournament, "ABC", "DEF", "GHI")
        for at, order in enumerate(("ABC", "DEF", "GHI"), start=1):
            games = [game(n, order, order) for n in range(1, 14)]
            tournament = does(tournament, HandIn(table=at, result=card(*games)))
    (needed,) = tournament.stechen_needed
    assert set(needed.players) == set("ABDEGH")
    assert code(tournament, Finish(by="R")) == "stechen_for_places"
    order = tuple((name,) for name in "HGEDBA")
    tournament = does(tournament, RecordStechen(order=order, by="R"), Finish(by="R"))
    assert places(tournament) == "1H 2G 3E 4D 5B 6A 7C 7F 7I"
    assert code(tournament, DRAW) == "over"
    assert code(tournament, Register(player="Z")) == "over"


def test_a_correction_says_who_would_have_been_drawn_and_changes_no_table() -> None:
    tournament = does(werl_points("ABCDEFGH", ("ABCD", "EFGH"), ("ABCD", "EFGH")), DRAW)
    tables = tournament.state.rounds[-1].tables
    assert set(tables[0]) == set("ABEF")
    right = card(game(1, "DCBA", "DCBA"))
    fix = CorrectResult(round=2, table=1, result=right, by="R", reason="Karte verkehrt gelesen")
    tournament, (event,) = tournament.do(fix)
    assert isinstance(event, ResultCorrected)
    assert tournament.state.rounds[-1].tables == tables
    moved = {(one.player, one.before, one.after) for one in event.moved}
    assert {("A", 1, 4), ("D", 7, 6)} < moved  # A was drawn, and is ahead of who was not
    (other,) = event.otherwise
    assert (other.round, other.came_in, other.fell_out) == (3, ("C",), ("A",))
    redrawn = does(tournament, DrawRound(by="R", reason="Berichtigung"))
    assert set(redrawn.state.rounds[-1].players) == {
        name for table in other.tables for name in table
    }


def test_a_correction_that_makes_a_tie_says_which_stechen_would_have_come_first() -> None:
    tournament = does(werl_points("ABCDEFGH", ("ABCD", "EFGH"), ("ABCD", "EFGH")), DRAW)
    right = card(game(1, "ACBD", "ACBD"))
    fix = CorrectResult(round=2, table=1, result=right, by="R", reason="B und C vertauscht")
    _, (event,) = tournament.do(fix)
    assert isinstance(event, ResultCorrected)
    (other,) = event.otherwise
    assert (set(other.stechen), other.tables) == (set("BC"), ())


def test_a_correction_that_changes_no_field_says_nothing_of_a_draw() -> None:
    tournament = does(werl_points("ABCDEFGH", ("ABCD", "EFGH"), ("ABCD", "EFGH")), DRAW)
    right = card(game(1, "BACD", "BACD"))
    fix = CorrectResult(round=2, table=1, result=right, by="R", reason="vertauscht")
    _, (event,) = tournament.do(fix)
    assert isinstance(event, ResultCorrected)
    assert event.otherwise == ()
    assert {one.player for one in event.moved} == set("ABF")


def test_what_cannot_be_corrected() -> None:
    tournament = by_hand(opened(WERL, "ABCDEF"), "ABC", "DEF")
    right = card(game(1, "ABC", "ABC"))
    tournament = does(tournament, HandIn(table=1, result=right))

    def fix(table: int = 1, number: int = 1, reason: str = "x", result: object = right) -> str:
        action = CorrectResult(
            round=number,
            table=table,
            result=result,
            by="R",
            reason=reason,  # type: ignore[arg-type]
        )
        return code(tournament, action)

    assert fix() == "unchanged_result"
    assert fix(reason="") == "reason_missing"
    assert fix(table=2) == "not_handed_in"
    assert fix(number=2) == "not_handed_in"
    assert fix(result=card(game(1, "ABD", "ABD"))) == "wrong_result"
    assert code(tournament, HandIn(table=1, result=right)) == "handed_in"


def test_a_correction_after_the_end_opens_the_tournament_again() -> None:
    tournament, _ = play_out(opened(LEBEN, "ABC"), random.Random(1))
    one = tournament.round
    assert one is not None
    winner = tournament.standings[0].player
    others = [name for name in "ABC" if name != winner]
    games = [game(n, [*others, winner], [*others, winner]) for n in (1, 2, 3)]
    games += [game(n, others, others) for n in (4, 5, 6)]
    fix = CorrectResult(round=1, table=1, result=card(*games), by="R", reason="Namen vertauscht")
    tournament, _ = tournament.do(fix)
    assert not tournament.is_over
    assert places(does(tournament, Finish(by="R"))) == f"1{others[0]} 2{others[1]} 3{winner}"


def test_a_wrong_stechen_is_replaced_with_a_reason_until_the_next_draw() -> None:
    tables = "ABC", "DEF", "GHI"
    tournament = werl_points("ABCDEFGHI", tables, tables)
    order = (("B",), ("E",), ("H",))
    again = RecordStechen(order=order[::-1], by="R", reason="verkehrt notiert")
    assert code(tournament, again) == "no_stechen_yet"
    tournament = does(tournament, RecordStechen(order=order, by="R"))
    assert code(tournament, RecordStechen(order=order[::-1], by="R")) == "no_stechen"
    tournament = does(tournament, again)
    assert [playoff.order for playoff in tournament.state.playoffs] == [order[::-1]]
    tournament = does(tournament, DRAW)
    assert set(tournament.state.rounds[-1].players) == set("ADGH")
    assert code(tournament, again) == "no_stechen_yet"


def test_replacing_a_stechen_lets_go_of_those_that_went_on_from_it() -> None:
    tables = "ABC", "DEF", "GHI"
    tournament = werl_points("ABCDEFGHI", tables, tables)
    tournament = does(
        tournament,
        RecordStechen(order=(("B", "E"), ("H",)), by="R"),
        RecordStechen(order=(("B",), ("E",)), by="R"),
        RecordStechen(order=(("H",), ("B", "E")), by="R", reason="H war besser"),
    )
    assert len(tournament.state.playoffs) == 1
    assert set(does(tournament, DRAW).state.rounds[-1].players) == set("ADGH")
