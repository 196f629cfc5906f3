"""Hardcore first round, Champions League and fees in a match (statuten §2, §18, §19)."""

import pytest
from rules_play import one_throw_round, played

from rules import Event, MalformedRecord, Match, Part, ThrowDice, find_book, parse_book
from rules.book import RuleBook, Weekday

STATUTEN = find_book("statuten")
AUS = (1, 1, 1)


def opened(book: RuleBook = STATUTEN, weekday: Weekday | None = None) -> Match:
    match = Match.new(book, ["A", "B", "C"], weekday=weekday)
    rolls = [("A", (6,)), ("B", (4,)), ("C", (2,))]
    return played(match, *(ThrowDice(name, die) for name, die in rolls))[0]


def rounds(match: Match, *thrown: tuple[tuple[int, ...], ...]) -> tuple[Match, list[Event]]:
    log: list[Event] = []
    for dice in thrown:
        match, events = played(match, *one_throw_round("".join(match.state.order), *dice))
        log += events
    return match, log


def test_statuten_18_first_round_of_the_game_is_hardcore_and_no_other() -> None:
    match, log = rounds(opened(), ((4, 1, 1), (6, 5, 2), (3, 2, 2)))
    assert match.holdings["C"] == 5
    settled = next(event.to_json() for event in log if event.type == "round_settled")
    assert (settled["deckel"], "004 §18" in settled["section"]) == (5, True)
    match, _ = rounds(match, ((4, 1, 1), (6, 5, 2), (3, 2, 2)))
    assert match.holdings["B"] == 4
    match, _ = rounds(match, (AUS, (6, 5, 2), (3, 2, 2)))
    assert match.part is Part.HALF2
    loser = match.current_player
    assert loser is not None
    match, _ = rounds(match, ((2, 2, 1), (6, 5, 2), (4, 1, 1)))
    assert match.holdings[loser] == 4


def test_c2_hardcore_in_each_half_is_a_house_rule() -> None:
    house = parse_book(
        """
        based_on = "statuten"
        key = "house"
        version = "1"
        title_de = "Haus"
        title_en = "House"
        document = "Aushang"
        [fields]
        hardcore_first_round = { value = "half", text = "Punkt 1" }
        """
    )
    match, _ = rounds(opened(house), (AUS, (6, 5, 2), (3, 2, 2)), ((2, 2, 1), (6, 5, 2), (4, 1, 1)))
    assert match.part is Part.HALF2
    assert sorted(match.holdings.values()) == [0, 0, 5]


def test_statuten_19_two_schock_aus_on_wednesday_end_the_game_in_the_first_half() -> None:
    match, log = rounds(opened(weekday="wednesday"), (AUS, AUS, (6, 5, 2)))
    assert match.is_over
    over = log[-1].to_json()
    assert over["type"] == "game_over"
    assert (over["how"], over["loser"], over["fee_eur"]) == ("champions_league", "C", 6)
    assert (over["half1_loser"], over["half2_loser"]) == ("C", None)
    assert over["section"] == "004 §19"


@pytest.mark.parametrize("weekday", [None, "tuesday"])
def test_statuten_15_on_other_days_only_the_half_is_lost(weekday: Weekday | None) -> None:
    match, _ = rounds(opened(weekday=weekday), (AUS, AUS, (6, 5, 2)))
    assert (match.part, match.stock) == (Part.HALF2, 13)


def test_statuten_19_in_the_final_the_lower_schock_aus_loses_and_pays_for_both() -> None:
    match, _ = rounds(opened(weekday="wednesday"), (AUS, (6, 5, 2), (2, 2, 1)))
    match, _ = rounds(match, (AUS, (6, 5, 2), (2, 2, 1)))
    assert match.part is Part.FINAL
    second = match.state.order[1]
    match, log = rounds(match, (AUS, AUS))
    over = log[-1].to_json()
    assert (over["how"], over["loser"], over["fee_eur"]) == ("champions_league", second, 6)


def test_statuten_2_loser_pays_three_and_a_glatter_schuss_five_euros() -> None:
    match, _ = rounds(opened(), (AUS, (6, 5, 2), (2, 2, 1)))
    _, swept = rounds(match, ((2, 2, 1), AUS, (6, 5, 2)))
    final, _ = rounds(match, (AUS, (6, 5, 2), (2, 2, 1)))
    _, lost = rounds(final, (AUS, (6, 5, 2)))
    ends = [log[-1].to_json() for log in (swept, lost)]
    assert [(over["how"], over["fee_eur"]) for over in ends] == [("sweep", 5), ("final", 3)]
    assert ends[0]["sweep"] == "Glatter Schuss"


def test_the_day_is_part_of_the_log_and_must_be_one() -> None:
    match = opened(weekday="wednesday")
    assert match.started.to_json()["weekday"] == "wednesday"
    assert Match.replay([match.started]).state.weekday == "wednesday"
    with pytest.raises(MalformedRecord, match="weekday must be one of monday"):
        Match.new(STATUTEN, ["A", "B"], weekday="mittwochs")  # type: ignore[arg-type]
