"""What each format makes of a card, with the numbers of the tournaments' own pages."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from tournament_play import card, game, half, opened, scharf

from rules.tournament import Tournament
from rules.tournament_actions import CallScharf, DrawRound, HandIn, RecordStechen
from rules.tournament_format import Format
from rules.tournament_knockout import cut_of
from rules.tournament_library import find_format, own_format
from rules.tournament_results import GameRecord, HalfRecord
from rules.tournament_scoring import outcome_by_lives, outcome_by_points, table_scores

WERL, GONZERATH, LEBEN, SCHOCKFREUNDE, JAHR = (
    find_format(name) for name in ("werl", "gonzerath", "leben", "schockfreunde", "grand slam")
)


def points(made: Format, players: str, *games: GameRecord) -> dict[str, int]:
    scores = table_scores(made, tuple(players), card(*games))
    return {name: score.points for name, score in scores.items()}


@pytest.mark.parametrize(
    ("players", "one", "expected"),
    [
        ("ABCD", game(1, "ABCD", "ABDC", "D"), {"A": 6, "B": 4, "C": 1, "D": 0}),
        ("ABC", game(1, "ABC", "BCA", "C"), {"A": 3, "B": 4, "C": 0}),
        ("ABCD", game(1, "ABCD", "BACD"), {"A": 5, "B": 5, "C": 2, "D": -1}),
        ("ABC", game(1, "ABC", "ABC"), {"A": 6, "B": 2, "C": -1}),
    ],
    ids=["four", "three", "four, Durchmarsch", "three, Durchmarsch"],
)
def test_werl_counts_the_order_of_going_out(
    players: str, one: GameRecord, expected: dict[str, int]
) -> None:
    assert points(WERL, players, one) == expected


@pytest.mark.parametrize(("ties", "shared"), [("best", 3), ("worst", 2)])
def test_who_went_out_together_shares_a_place(ties: str, shared: int) -> None:
    text = f'key="x"\nbased_on="werl"\n[fields]\nexit_ties = {{ value = "{ties}", text = "x" }}'
    both = HalfRecord(loser="D", out=(("A", "B"), ("C",)))
    one = GameRecord(number=1, players=tuple("ABCD"), halves=(both, both), loser="D", how="sweep")
    assert points(own_format(text), "ABCD", one) == {
        "A": 2 * shared,
        "B": 2 * shared,
        "C": 2,
        "D": -1,
    }


@pytest.mark.parametrize("made", [GONZERATH, SCHOCKFREUNDE, JAHR], ids=lambda made: made.key)
def test_a_lost_half_counts_one_and_a_lost_game_one_more(made: Format) -> None:
    final, sweep = game(1, "ABC", "ACB", "B"), game(2, "BAC", "BAC")
    assert points(made, "ABC", final, sweep) == {"A": 0, "B": 2, "C": 1 + 3}


def test_champions_league_costs_the_game_whatever_halves_were_played() -> None:
    early = GameRecord(
        number=1, players=tuple("ABC"), halves=(half("ABC"),), loser="B", how="champions_league"
    )
    assert points(GONZERATH, "ABC", early) == {"A": 0, "B": 1, "C": 1}


def test_a_game_that_somebody_missed_is_no_advantage() -> None:
    full, without = game(1, "ABC", "ACB", "B"), game(2, "AB", "AB")
    assert points(GONZERATH, "ABC", full, without) == {"A": 0, "B": 2 + 3, "C": 1 + 2}
    assert points(WERL, "ABC", full, without) == {"A": 12, "B": -1, "C": 1}


def test_two_lost_games_and_you_are_out() -> None:
    games = [game(1, "ABC", "ABC"), game(2, "ACB", "ACB"), game(3, "ABC", "ABC")]
    found = outcome_by_lives(GONZERATH, "final", tuple("ABC"), card(*games))
    assert (found.still_in, found.lives) == (("A", "B"), {"A": 2, "B": 1, "C": 0})
    games.append(game(4, "AB", "AB"))
    found = outcome_by_lives(GONZERATH, "final", tuple("ABC"), card(*games))
    assert found.places == (("A",), ("B",), ("C",))
    assert found.through == ("A",)


def test_the_lives_of_dattenberg_are_three_and_two_go_on() -> None:
    games = [game(n, "ABC", "ABC") for n in (1, 2, 3)]
    found = outcome_by_lives(LEBEN, "ko", tuple("ABC"), card(*games))
    assert found.through == ("A", "B")
    assert found.lives_lost == {"A": 0, "B": 0, "C": 3}


def test_a_sudden_death_half_puts_its_loser_out_at_once() -> None:
    games = [game(1, "ABCD", "ABCD"), scharf(2, "BCAD"), scharf(3, "CBA")]
    found = outcome_by_lives(LEBEN, "ko", tuple("ABCD"), card(*games))
    assert found.through == ("B", "C")
    assert found.lives_lost == {"A": 3, "B": 0, "C": 0, "D": 3}


def test_a_sudden_death_half_decides_a_table_of_werl_by_itself() -> None:
    games = [game(1, "ABCD", "ABCD"), scharf(2, "DCBA")]
    found = outcome_by_points(WERL, "ko", tuple("ABCD"), card(*games))
    assert found.places == (("D",), ("C",), ("B",), ("A",))
    assert found.through == ("D",)


def test_a_tie_at_a_table_of_werl_asks_for_a_stechen() -> None:
    found = outcome_by_points(WERL, "ko", tuple("ABC"), card(game(1, "ABC", "BAC")))
    assert (found.tied, found.through) == (("A", "B"), ())


def test_who_has_left_a_knockout_table_is_out() -> None:
    one = card(game(1, "ABC", "ABC"))
    found = outcome_by_lives(LEBEN, "ko", tuple("ABCD"), one, gone=("D",))
    assert found.places == (("A", "B", "C"), ("D",))
    found = outcome_by_points(WERL, "ko", tuple("ABC"), one, gone=("A",))
    assert (found.through, found.places[-1]) == (("B",), ("A",))


@pytest.mark.parametrize(
    ("field", "cut"), [(3, 3), (4, 4), (5, 4), (23, 4), (24, 12), (31, 12), (32, 16), (200, 64)]
)
def test_werl_cuts_at_half_the_field_at_most(field: int, cut: int) -> None:
    assert cut_of(WERL, field) == cut


def test_gonzerath_plays_one_final_of_six() -> None:
    assert [cut_of(GONZERATH, field) for field in (5, 6, 7, 100)] == [5, 6, 6, 6]


@pytest.mark.parametrize(("size", "go_on"), [(3, 1), (4, 2), (5, 3), (6, 4)], ids=str)
def test_schockfreunde_find_two_losers_at_every_table(size: int, go_on: int) -> None:
    assert SCHOCKFREUNDE.go_on(size, "ko") == go_on
    assert SCHOCKFREUNDE.go_on(size, "final") == 1


def evening(tournament: Tournament, order: str) -> Tournament:
    """Thirteen games that the last of the order all loses by both halves."""
    tournament, _ = tournament.do(DrawRound(by="R"))
    games = [game(n, order, order) for n in range(1, 14)]
    return tournament.do(HandIn(table=1, result=card(*games)))[0]


def test_the_worst_of_four_evenings_is_struck_out() -> None:
    tournament = opened(JAHR, "ABC")
    for order in ("ABC", "ABC", "BAC"):
        tournament = evening(tournament, order)
    assert [(one.player, one.score.points) for one in tournament.standings] == [
        ("A", 0), ("B", 0), ("C", 117),
    ]  # fmt: skip
    tournament = evening(tournament, "CBA")
    scores = {one.player: one for one in tournament.standings}
    assert {name: one.score.points for name, one in scores.items()} == {"A": 0, "B": 0, "C": 78}
    assert scores["A"].reason_de == "0 Verlustpunkte (Runde 4 gestrichen), geteilt mit B"


def test_in_leben_the_referee_calls_sudden_death() -> None:
    tournament = opened(LEBEN, "ABCD")
    tournament, _ = tournament.do(DrawRound(by="R"))
    sharp = HandIn(table=1, result=card(scharf(1, "ABCD"), scharf(2, "ABC"), scharf(3, "AB")))
    refused = tournament.refusal(sharp)
    assert refused is not None
    assert "erst, wenn die Spielleitung es sagt" in refused.text_de
    tournament, _ = tournament.do(CallScharf(tables=(1,), by="R"))
    tournament, _ = tournament.do(sharp)
    assert [one.player for one in tournament.standings] == list("ABCD")


def test_a_stechen_decides_a_knockout_table() -> None:
    tournament = opened(WERL, "ABCD")
    for _ in range(2):
        tournament, _ = tournament.do(DrawRound(by="R"))
        tournament, _ = tournament.do(HandIn(table=1, result=card(game(1, "ABCD", "ABCD"))))
    tournament, _ = tournament.do(DrawRound(by="R"))
    tournament, _ = tournament.do(HandIn(table=1, result=card(game(1, "ABCD", "BACD"))))
    (needed,) = tournament.stechen_needed
    assert (needed.players, needed.table, needed.places) == (("A", "B"), 1, 1)
    assert tournament.can(RecordStechen(order=(("A",), ("B",)), by="R")) is False
    tournament, _ = tournament.do(RecordStechen(order=(("B",), ("A",)), by="R", table=1))
    first, second = tournament.standings[:2]
    assert (first.player, first.reason_de) == ("B", "Sieger des Finales nach Stechen, 8 Punkte")
    assert (second.player, second.reason_en) == (
        "A", "in the final after a play-off, number 2 of the table, ahead of C, 12 points",
    )  # fmt: skip


@given(orders=st.lists(st.tuples(st.permutations("ABCD"), st.permutations("ABCD")), max_size=5))
def test_a_game_of_four_at_werl_always_gives_eleven_points(
    orders: list[tuple[list[str], list[str]]],
) -> None:
    games = [
        game(n, first, second, "" if first[-1] == second[-1] else second[-1])
        for n, (first, second) in enumerate(orders, start=1)
    ]
    assert sum(points(WERL, "ABCD", *games).values()) == 11 * len(games)
