"""Somebody is seated at another table while both play: what was played at each of them counts."""

import pytest
from tournament_play import GONZERATH, LEBEN, WERL, by_hand, card, code, does, game, opened

from rules.tournament import Tournament
from rules.tournament_actions import CorrectResult, HandIn, Seat
from rules.tournament_format import Format
from rules.tournament_points import points_of

LEFT, RIGHT = "ABCD", "EFG"


def moved(made: Format) -> Tournament:
    """D has played at table 1 and goes over to the three at table 2."""
    tournament = by_hand(opened(made, LEFT + RIGHT), LEFT, RIGHT)
    return does(tournament, Seat(player="D", table=2, by="R"))


def points(tournament: Tournament, name: str) -> int:
    return points_of(tournament.state)[name].total.points


def test_the_games_before_count_for_all_who_played_them() -> None:
    tournament = moved(WERL)
    first = card(game(1, "DABC", "DABC"), game(2, "ABC", "ABC"), cut_short="Zeit")
    tournament = does(tournament, HandIn(table=1, result=first))
    assert points(tournament, "A") == 2 + 2 + 3 + 3, "second of four, then first of three"
    second = card(game(1, "EFG", "EFG"), game(2, "EDFG", "EDFG"), cut_short="Zeit")
    tournament = does(tournament, HandIn(table=2, result=second))
    assert points(tournament, "D") == 3 + 3 + 2 + 2, "first at one table, second at the other"
    assert points(tournament, "E") == 4 * 3


@pytest.mark.parametrize("order", [(1, 2), (2, 1)])
def test_a_game_missed_here_is_free_where_one_was_played_there(
    order: tuple[int, ...],
) -> None:
    """Five games each: two at the first table, three at the second, of which he missed two."""
    tournament = moved(GONZERATH)
    here = [game(n, "EFG", "EFG") for n in (1, 2)] + [game(n, "DEFG", "DEFG") for n in (3, 4, 5)]
    there = [game(n, "DABC", "DABC") for n in (1, 2)] + [game(n, "ABC", "ABC") for n in (3, 4, 5)]
    cards = {1: card(*there), 2: card(*here)}
    for table in order:
        tournament = does(tournament, HandIn(table=table, result=cards[table]))
    assert points(tournament, "D") == 0, "he lost nothing and missed nothing"
    assert points(tournament, "A") == 0
    assert points(tournament, "C") == 5 * 3, "two halves and the game, five times"


def test_who_missed_more_than_he_played_pays_for_the_rest() -> None:
    tournament = moved(GONZERATH)
    there = [game(1, "DABC", "DABC")] + [game(n, "ABC", "ABC") for n in (2, 3, 4, 5)]
    here = [game(n, "EFG", "EFG") for n in (1, 2, 3)] + [game(n, "DEFG", "DEFG") for n in (4, 5)]
    tournament = does(tournament, HandIn(table=1, result=card(*there)))
    tournament = does(tournament, HandIn(table=2, result=card(*here)))
    assert points(tournament, "D") == 2 * GONZERATH.missed_game_points


def test_who_was_never_there_is_still_a_stranger_and_corrections_are_no_other() -> None:
    tournament = moved(WERL)
    strange = card(game(1, "EABC", "EABC"), cut_short="Zeit")
    assert code(tournament, HandIn(table=1, result=strange)) == "wrong_result"
    back = does(tournament, Seat(player="D", table=1, by="R"))
    assert back.state.rounds[0].moved_from(1) == ()
    assert back.state.rounds[0].moved_from(2) == ("D",)
    tournament = does(tournament, HandIn(table=1, result=card(game(1, "ABC", "ABC"))))
    right = card(game(1, "DABC", "DABC"))
    fix = CorrectResult(round=1, table=1, result=right, by="R", reason="D spielte noch mit")
    tournament = does(tournament, fix)
    tournament = does(tournament, HandIn(table=2, result=card(game(1, "EDFG", "EDFG"))))
    assert points(tournament, "D") == 3 + 3 + 2 + 2


def test_a_knockout_table_names_its_own_alone() -> None:
    """Lives are lost at one table: a card that names who was moved is refused, not guessed at."""
    tournament = moved(LEBEN)
    strange = card(*(game(n, "ABCD", "ABCD") for n in (1, 2, 3)), game(4, "ABC", "ABC"))
    refused = tournament.refusal(HandIn(table=1, result=strange))
    assert refused is not None
    assert "names D, not at this table" in refused.text_en
