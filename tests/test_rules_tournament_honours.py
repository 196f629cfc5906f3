"""Schock-Aus-König with the charity condition, prizes, teams."""

from dataclasses import replace

from tournament_play import card, game, opened

from rules.tournament import Tournament
from rules.tournament_actions import DrawRound, Finish, HandIn, Leave, PayCharity
from rules.tournament_honours import KingRow, prizes, schock_aus_kings, team_standings
from rules.tournament_library import find_format, own_format
from rules.tournament_results import GameRecord

WERL, SCHOCKFREUNDE = find_format("werl"), find_format("schockfreunde")


def with_aus(number: int, order: str, **aus: int) -> GameRecord:
    return replace(game(number, order, order), schock_aus=aus)


def after(*games: GameRecord) -> Tournament:
    tournament, _ = opened(WERL, "ABC").do(DrawRound(by="R"))
    return tournament.do(HandIn(table=1, result=card(*games)))[0]


def paid(tournament: Tournament, **eur: int) -> Tournament:
    for name, amount in eur.items():
        tournament, _ = tournament.do(PayCharity(player=name, eur=amount))
    return tournament


def test_only_who_has_given_for_each_schock_aus_is_in_the_ranking() -> None:
    tournament = after(with_aus(1, "ABC", A=2, B=1), with_aus(2, "ABC", A=1, B=1))
    rows = schock_aus_kings(tournament.state)
    assert [(row.player, row.schock_aus, row.open_eur, row.place) for row in rows] == [
        ("A", 3, 9, 0), ("B", 2, 6, 0),
    ]  # fmt: skip
    rows = schock_aus_kings(paid(tournament, A=8, B=6).state)
    assert rows == (
        KingRow(player="B", schock_aus=2, paid_eur=6, open_eur=0, place=1),
        KingRow(player="A", schock_aus=3, paid_eur=8, open_eur=1, place=0),
    )
    rows = schock_aus_kings(paid(tournament, A=9, B=6).state)
    assert [(row.player, row.place) for row in rows] == [("A", 1), ("B", 2)]


def test_equal_kings_share_and_each_gets_the_cup() -> None:
    tournament = paid(after(with_aus(1, "ABC", A=1, C=1)), A=3, C=5)
    assert [(row.player, row.place) for row in schock_aus_kings(tournament.state)] == [
        ("A", 1), ("C", 1),
    ]  # fmt: skip
    won = [(one.player, one.place, one.cup) for one in prizes(tournament.state)]
    assert won == [("A", 1, True), ("B", 2, False), ("C", 3, False), ("A", 0, True), ("C", 0, True)]


def test_a_tournament_without_a_king_counts_none() -> None:
    text = (
        'key="x"\nbased_on="werl"\n[fields]\nking={value="none",text="x"}\n'
        'king_eur={value=0,text="x"}'
    )
    tournament, _ = opened(own_format(text), "ABC").do(DrawRound(by="R"))
    one = card(with_aus(1, "ABC", A=1))
    tournament, _ = tournament.do(HandIn(table=1, result=one))
    assert schock_aus_kings(tournament.state) == ()


def test_equals_divide_the_money_of_their_places_and_the_rest_stays_in_the_box() -> None:
    text = (
        'key="x"\nbased_on="leben"\n[fields]\ntied_places={value="shared",text="x"}\n'
        'prize_percent={value=[50, 20, 10, 5, 5, 5],text="x"}'
    )
    tournament = opened(own_format(text), "ABCDEFG")
    tournament, _ = tournament.do(DrawRound(by="R", tables=(tuple("ABC"), tuple("DEFG"))))
    three = [game(n, "ABC", "ABC") for n in (1, 2, 3)]
    four = [game(n, "DEFG", "DEFG") for n in (1, 2, 3)] + [game(n, "DEF", "DEF") for n in (4, 5, 6)]
    tournament, _ = tournament.do(HandIn(table=1, result=card(*three)))
    tournament, _ = tournament.do(HandIn(table=2, result=card(*four)))
    tournament, _ = tournament.do(DrawRound(by="R"))
    final = [game(n, "ABDE", "ABDE") for n in (1, 2, 3)] + [
        game(n, "ABD", "ABD") for n in (4, 5, 6)
    ]
    final += [game(n, "AB", "AB") for n in (7, 8, 9)]
    tournament, _ = tournament.do(HandIn(table=1, result=card(*final)))
    tournament, _ = tournament.do(Finish(by="R"))
    cents = {one.player: (one.place, one.cents) for one in prizes(tournament.state)}
    assert cents == {
        "A": (1, 3500), "B": (2, 1400), "D": (3, 700), "E": (4, 350), "C": (5, 350), "F": (5, 350),
    }  # fmt: skip


def test_lost_lives_count_for_the_team_and_an_incomplete_one_comes_last() -> None:
    tournament = opened(SCHOCKFREUNDE, "ABCDEFGH", teams=3)
    for _ in range(3):
        tables = tuple("ADG"), tuple("BEH"), tuple("CF")
        tournament, _ = tournament.do(DrawRound(by="R", tables=tables))
        for table, order in enumerate(("ADG", "BEH", "CF"), start=1):
            one = HandIn(table=table, result=card(game(1, order, order)))
            tournament, _ = tournament.do(one)
    # G, H and F have 9 penalty points each, all others none.
    rows = {one.team: one for one in team_standings(tournament.state)}
    assert [rows[f"Team {n}"].points for n in (1, 2, 3)] == [0, 9, 18]
    assert [rows[f"Team {n}"].place for n in (1, 2, 3)] == [1, 2, 3]
    assert rows["Team 3"].players == ("G", "H")
    assert rows["Team 3"].reason_de == "nur 2 von 3 Spielern, 18 Strafpunkte"
    knockout = DrawRound(by="R", tables=(tuple("ABCD"),))
    refused = tournament.refusal(knockout)
    assert refused is not None
    assert refused.code == "stechen_needed"


def test_a_final_costs_the_team_the_lives_of_its_players() -> None:
    tournament = opened(SCHOCKFREUNDE, "ABCDEF", teams=3)
    for _ in range(3):
        tournament, _ = tournament.do(DrawRound(by="R", tables=(tuple("ABE"), tuple("CDF"))))
        for table, order in enumerate(("ABE", "CDF"), start=1):
            one = HandIn(table=table, result=card(game(1, order, order)))
            tournament, _ = tournament.do(one)
    tournament, _ = tournament.do(DrawRound(by="R"))
    games = [game(n, "ABCD", "ABCD") for n in (1, 2)] + [game(n, "ABC", "ABC") for n in (3, 4)]
    games += [game(5, "BA", "BA"), *(game(n, "AB", "AB") for n in (6, 7))]
    tournament, _ = tournament.do(HandIn(table=1, result=card(*games)))
    first, second = team_standings(tournament.state)
    assert (first.team, first.points) == ("Team 1", 1 + 2 + 2)
    assert first.reason_de == "5 Strafpunkte (davon 5 verlorene Leben)"
    assert (second.team, second.points) == ("Team 2", 18 + 2)
    assert second.reason_en == "20 penalty points (2 of them lost lives)"


def test_a_format_without_teams_ranks_none() -> None:
    assert team_standings(opened(WERL, "ABC").state) == ()


def test_a_prize_waits_for_who_went_home_after_the_last_round() -> None:
    tournament = after(with_aus(1, "ABC"))
    tournament, _ = tournament.do(DrawRound(by="R"))
    tournament, _ = tournament.do(HandIn(table=1, result=card(game(1, "ABC", "ABC"))))
    tournament, _ = tournament.do(Leave(player="B", reason="Zug"))
    assert [(one.player, one.place) for one in prizes(tournament.state)] == [
        ("A", 1), ("B", 2), ("C", 3),
    ]  # fmt: skip
