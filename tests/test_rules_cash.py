"""What a game costs whom: every amount by itself, with its section."""

from collections.abc import Iterable
from dataclasses import replace

import pytest
from rules_play import begun, code_against, one_throw_round, played, rounds

from rules import Match, ReportFault, RuleBook, TakeBack, ThrowDice, all_books, find_book
from rules.cash import WHAT, CashItem, cash_book
from rules.fees import fee_topics, loss_fee
from rules.view import snapshot

STATUTEN, TURNIER = find_book("statuten"), find_book("turnier")


def owed(items: Iterable[CashItem]) -> list[tuple[str, int, str]]:
    return [(item.player, item.eur, item.section) for item in items]


def lost_halves(book: RuleBook, *losers: str, weekday: str | None = None) -> Match:
    """Halves of A, B and C, each lost at once to a Schock aus of another player."""
    match = Match.new(book, ["A", "B", "C"], weekday=weekday)  # type: ignore[arg-type]
    for at, name in enumerate("ABC"):
        match, _ = match.do(ThrowDice(name, (6 - at,)))
    for loser in losers:
        best = next(name for name in match.state.order if name != loser)
        dice = {loser: (2, 2, 1), best: (1, 1, 1)}
        for name in match.state.order:
            match, _ = played(match, *one_throw_round(name, dice.get(name, (6, 5, 2))))
    return match


def test_a_lost_final_and_two_lost_halves_cost_what_the_statutes_say() -> None:
    final = lost_halves(STATUTEN, "A", "B", "A")
    assert final.is_over
    assert owed(cash_book(final.state)) == [("A", 3, "004 §2")]
    (item,) = cash_book(final.state)
    assert (item.box, item.text_de) == ("Sparkästchen", "Spiel verloren")
    swept = lost_halves(STATUTEN, "B", "B")
    assert owed(cash_book(swept.state)) == [("B", 5, "004 §2")]
    both = lost_halves(replace(STATUTEN, sweep_adds_to_loss_fee=True), "B", "B")
    assert [item.what for item in cash_book(both.state)] == ["sweep_fee_eur", "loss_fee_eur"]


def test_every_schock_aus_of_a_champions_league_is_posted_by_itself() -> None:
    match = Match.new(STATUTEN, ["A", "B", "C"], weekday="wednesday")
    for at, name in enumerate("ABC"):
        match, _ = match.do(ThrowDice(name, (6 - at,)))
    match = rounds(match, "A111 B111 C221")
    assert match.is_over
    assert owed(cash_book(match.state)) == [("C", 3, "004 §19")] * 2


def test_whoever_begins_with_three_dice_pays_once() -> None:
    match = Match.new(STATUTEN, ["A", "B"])
    reported = ReportFault("B", "three_dice_start", "A")
    match, log = played(match, reported, ThrowDice("A", (6,)))
    assert log[0].to_json()["consequence"] == "fee"
    assert owed(cash_book(match.state)) == [("B", 3, "004 §3")]
    assert code_against(match, reported) == "not_at_the_start"
    match, _ = played(match, TakeBack("R"), TakeBack("R"))
    assert not cash_book(match.state)
    assert code_against(Match.new(TURNIER, ["A", "B"]), reported) == "not_at_the_start"
    assert code_against(begun(STATUTEN), reported) == "not_at_the_start"


def test_a_tournament_takes_something_for_each_schock_aus_in_one_but_no_entry_fee_a_game() -> None:
    match, _ = played(begun(TURNIER), *one_throw_round("A", (1, 1, 1)))
    items = cash_book(match.state)
    assert owed(items) == [("A", 3, "001 L58")]
    assert snapshot(match)["cash"][-1]["text_en"].startswith("Schock out in one throw")


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
def test_every_amount_of_a_book_can_be_posted(book: RuleBook) -> None:
    fees = {name for name in vars(book) if name.endswith("_eur")} - {"entry_fee_eur"}
    assert fees == set(WHAT)
    if not any(getattr(book, name) for name in fees):
        assert not cash_book(rounds(begun(book), "A111 B652 C221").state)


def test_a_fee_for_losing_is_due_however_the_game_is_lost() -> None:
    house = replace(find_book("jule"), key="house", loss_fee_eur=5, champions_league="friday")
    for how, thrown in (("final", 0), ("sweep", 0), ("champions_league", 2)):
        assert loss_fee(house, how, schock_aus=thrown) == 5, how  # type: ignore[arg-type]
        assert house.cite("loss_fee_eur") in house.cite(*fee_topics(house, how))  # type: ignore[arg-type]
    assert owed(cash_book(lost_halves(house, "B", "B").state)) == [("B", 5, "000 L1-72")]
