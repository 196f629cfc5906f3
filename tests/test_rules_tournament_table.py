"""The tables of a tournament: how they are drawn, and which cards they may hand in."""

import pytest
from tournament_play import (
    DRAW,
    GONZERATH,
    LEBEN,
    NAMES,
    WERL,
    by_hand,
    card,
    code,
    does,
    game,
    opened,
    places,
    played,
    scharf,
)

from rules.tournament import Tournament
from rules.tournament_actions import (
    CallScharf,
    DrawRound,
    HandIn,
    PayFee,
    Register,
)
from rules.tournament_events import RoundDrawn


def test_an_unplayed_round_is_drawn_anew_with_a_reason_and_another_lot() -> None:
    tournament = does(opened(WERL, NAMES), DRAW)
    assert code(tournament, DRAW) == "redraw_needs_reason"
    first = tournament.state.rounds[0].tables
    again = does(tournament, DrawRound(by="R", reason="zu spät"))
    assert again.state.rounds[0].attempt == 2
    assert again.state.rounds[0].tables != first
    one = again.state.rounds[0]
    orders = card(*[game(1, one.tables[0], one.tables[0])])
    again = does(again, HandIn(table=1, result=orders))
    assert code(again, DrawRound(by="R", reason="x")) == "tables_missing"
    assert code(opened(WERL, NAMES), DrawRound(by="R", reason="x")) == "reason_without_redraw"


def test_a_draw_is_proved_by_the_seed_and_a_changed_one_is_not() -> None:
    before = opened(WERL, NAMES)
    after, (drawn,) = before.do(DRAW)
    assert isinstance(drawn, RoundDrawn)
    assert before.proves(drawn)
    assert not after.proves(drawn)
    other = Tournament.new(WERL, "Kirmes", seed="8")
    for name in NAMES:
        other = does(other, Register(player=name), PayFee(player=name, eur=10))
    assert not other.proves(drawn)
    _, (by_pot,) = before.do(DrawRound(by="R", tables=(NAMES[:6], NAMES[6:])))
    assert isinstance(by_pot, RoundDrawn)
    assert not before.proves(by_pot)


@pytest.mark.parametrize(
    ("tables", "said"),
    [
        (("ABCD", "EFA"), "A sits twice"),
        (("ABCD", "EFZ"), "Z does not play"),
        (("ABCD", "E"), "a table of 1 players"),
        (("ABCDEFG",), "a table of 7 players"),
    ],
)
def test_a_draw_by_hand_is_checked(tables: tuple[str, ...], said: str) -> None:
    tournament = opened(WERL, "ABCDEFG")
    action = DrawRound(by="R", tables=tuple(tuple(table) for table in tables))
    refused = tournament.refusal(action)
    assert refused is not None
    assert said in refused.text_en


def test_who_is_not_named_by_hand_sits_out_and_gets_his_average() -> None:
    tournament = by_hand(opened(WERL, "ABCDE"), "ABCD")
    assert tournament.state.rounds[0].sitting_out == ("E",)
    tournament = played(tournament, "ABCD")
    scores = {one.player: one for one in tournament.standings}
    assert scores["E"].reason_de == "3 Punkte (Runde 1 ausgesetzt)"  # of 6, 4, 2, -1 each
    tournament = played(by_hand(tournament, "EABCD"), "EABCD")
    scores = {one.player: one for one in tournament.standings}
    assert scores["E"].score.points == 12
    knockout = DrawRound(by="R", tables=(("A", "B", "C"),))
    assert code(tournament, knockout) == "not_the_field"


@pytest.mark.parametrize(
    ("result", "said"),
    [
        (card(game(2, "ABC", "ABC")), "Game 1 has the number 2"),
        (card(game(1, "ABX", "ABX")), "names X, not at this table"),
        (card(game(1, "AB", "AB")), "was played without C"),
        (card(game(1, "ABC", "ABC", "C")), "must be a sweep exactly"),
        (card(game(1, "ABC", "ACB", "A")), "cannot be lost by A"),
        (card(scharf(1, "ABC")), "only once the referee calls it"),
        (card(), "must say why none was played"),
        (card(*(game(n, "ABC", "ABC") for n in range(1, 7))), "at most 5"),
    ],
)
def test_a_wrong_card_is_refused_with_what_is_wrong(result: object, said: str) -> None:
    tournament = by_hand(opened(WERL, "ABC"), "ABC")
    action = HandIn(table=1, result=result)  # type: ignore[arg-type]
    assert code(tournament, action) == "wrong_result"
    refused = tournament.refusal(action)
    assert refused is not None
    assert said in refused.text_en


def test_five_games_are_five_unless_the_card_says_why_not() -> None:
    tournament = by_hand(opened(GONZERATH, "ABC"), "ABC")
    four = [game(n, "ABC", "ABC") for n in range(1, 5)]
    assert code(tournament, HandIn(table=1, result=card(*four))) == "wrong_result"
    done = does(tournament, HandIn(table=1, result=card(*four, cut_short="Stromausfall")))
    assert code(done, HandIn(table=1, result=card(*four))) == "no_round"


def test_lives_are_kept_by_the_card() -> None:
    tournament = by_hand(opened(LEBEN, "ABCD"), "ABCD")
    three = [game(n, "ABCD", "ABCD") for n in (1, 2, 3)]
    for games, said in (
        ([*three, game(4, "ABCD", "ABCD")], "D has no life left"),
        ([*three, game(4, "AB", "AB")], "was played without C"),
        (three, "Not decided yet: A, B, C are still in, 1 go on"),
    ):
        refused = tournament.refusal(HandIn(table=1, result=card(*games)))
        assert refused is not None
        assert said in refused.text_en
    over = (
        three
        + [game(n, "ABC", "ABC") for n in (4, 5, 6)]
        + [game(n, "AB", "AB") for n in (7, 8, 9)]
    )
    refused = tournament.refusal(HandIn(table=1, result=card(*over, game(10, "AB", "AB"))))
    assert refused is not None
    assert "Game 10: B has no life left" in refused.text_en
    assert places(does(tournament, HandIn(table=1, result=card(*over)))) == "1A 2B 3C 4D"


def test_a_table_of_lives_stops_when_it_is_decided() -> None:
    tournament = by_hand(opened(LEBEN, "ABCDEFG"), "ABC", "DEFG")
    games = [game(n, "ABC", "ABC") for n in (1, 2, 3)]
    assert tournament.can(HandIn(table=1, result=card(*games)))
    more = HandIn(table=1, result=card(*games, game(4, "AB", "AB")))
    refused = tournament.refusal(more)
    assert refused is not None
    assert "after the table was decided" in refused.text_en


def test_sudden_death_belongs_to_the_knockout() -> None:
    tournament = by_hand(opened(WERL, "ABC"), "ABC")
    assert code(tournament, CallScharf(tables=(1,), by="R")) == "no_scharf"
    tournament = by_hand(opened(LEBEN, "ABC"), "ABC")
    assert code(tournament, CallScharf(tables=(), by="R")) == "no_table"
    assert code(tournament, CallScharf(tables=(2,), by="R")) == "no_table"
    tournament = does(tournament, CallScharf(tables=(1,), by="R"))
    wrong = card(scharf(1, "ABC"), game(2, "AB", "AB"))
    assert code(tournament, HandIn(table=1, result=wrong)) == "wrong_result"


def test_a_card_says_of_which_round_it_is_and_counts_for_no_other() -> None:
    """Four players have one table: the card of one round fits the next one, too."""
    tournament = does(opened(WERL, NAMES[:4]), DRAW)
    seats = tournament.state.rounds[0].tables[0]
    sent = HandIn(table=1, result=card(game(1, seats, seats)), round=1)
    tournament, (event,) = tournament.do(sent)
    assert code(tournament, sent) == "handed_in"
    tournament = does(tournament, DRAW)
    assert code(tournament, sent) == "handed_in"
    assert code(tournament, HandIn(table=1, result=sent.result, round=3)) == "other_round"
    assert tournament.can(HandIn(table=1, result=sent.result, round=2))
    assert tournament.can(HandIn(table=1, result=sent.result)), "who says none means this one"
    assert not tournament.state.rounds[1].handed
    assert event.to_json()["round"] == 1
