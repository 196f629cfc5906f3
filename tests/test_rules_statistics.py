"""What games come to: counted by hand where the game is small, by laws where it is long."""

from dataclasses import replace
from functools import reduce
from operator import add
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rules_play import begun, one_throw_round, opened, played, rounds

from rules import (
    Abandon,
    Action,
    CorrectThrow,
    Event,
    KeepDice,
    Match,
    Refused,
    ReportFault,
    RuleBook,
    RuleRound,
    StopTurn,
    TakeBack,
    ThrowDice,
    TurnSixes,
    all_books,
    find_book,
)
from rules.fairness import Faces
from rules.phases import CORRECTIONS
from rules.playthrough import _choose, _numbers
from rules.statistics import SHARED_DICE, Run, Tally, tally
from rules.transcript import parse_action

TURNIER = find_book("turnier")
GOLDEN = Path(__file__).parent / "golden"
BOOKS = pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)


def whole_game(book: RuleBook, players: tuple[str, ...], seed: int) -> tuple[Match, list[Event]]:
    match, log = Match.new(book, players), []
    numbers = _numbers(seed)
    while not match.is_over:
        match, events = match.do(_choose(match, numbers))
        log += events
    return match, log


def of(match: Match) -> Tally:
    return tally(match.state)


def two_rounds() -> Match:
    """The opening costs C four Deckel of B's Schock 4; in round 1 A beats B."""
    match = opened()
    return played(match, *one_throw_round("CAB", (6, 5, 2), (6, 6, 2), (3, 3, 1)))[0]


def test_a_small_game_counted_by_hand() -> None:
    match = two_rounds()
    assert [(r.winner, r.loser, r.moved) for r in match.state.history] == [
        ("B", "C", 4),
        ("A", "B", 1),
    ]
    found = of(match)
    assert (found.games, found.rounds) == (1, 2)
    b, c = found.players["B"], found.players["C"]
    assert (b.rounds, b.highest, b.lowest, b.given, b.taken) == (2, 1, 1, 4, 1)
    assert (c.rounds, c.highest, c.lowest, c.given, c.taken) == (2, 0, 1, 0, 4)
    assert (b.results, b.worth, b.mean_worth) == (2, 5, 2.5)
    assert (c.calm.longest, c.losing.longest, b.losing.longest) == (1, 1, 1)
    assert found.players["A"].calm.longest == 2
    assert {pair: (n.rounds, n.deckel) for pair, n in found.pairs.items()} == {
        ("B", "C"): (1, 4),
        ("A", "B"): (1, 1),
    }
    dearest = found.dearest
    assert (dearest.deckel, dearest.winner, dearest.loser, dearest.round) == (4, "B", "C", 1)
    assert dearest.result is not None
    assert dearest.result.name == "Schock 4"
    assert (b.games, b.games_lost, b.halves_lost) == (0, 0, 0), "the game goes on"


def test_the_dice_of_every_throw_count_once() -> None:
    found = of(two_rounds())
    assert found.faces == {SHARED_DICE: Faces(3, 5, 3, 1, 2, 4)}
    assert found.faces[SHARED_DICE].thrown == 18


def test_what_lies_outside_and_turned_sixes_are_not_thrown_again_and_burnt_dice_show_nothing() -> (
    None
):
    match = opened()
    before = of(match).faces[SHARED_DICE]
    match, _ = played(
        match,
        ThrowDice("C", (6, 6, 2)),
        TurnSixes("C"),
        ThrowDice("C", (5, 5), burns="tower"),
        ThrowDice("C", (4, 1)),
        KeepDice("C", (1,)),
        ThrowDice("C", (3,)),
    )
    assert of(match).faces[SHARED_DICE] == before + Faces(1, 1, 1, 1, 0, 2)


def test_at_seats_everybody_has_dice_of_his_own() -> None:
    own = tally(two_rounds().state, own_dice=True).faces
    assert own["A"] == Faces(0, 2, 0, 0, 1, 3)
    assert reduce(add, own.values()) == of(two_rounds()).faces[SHARED_DICE]


def test_schock_aus_with_and_without_from_the_hand_and_what_it_is_worth() -> None:
    match = opened()
    assembled = [ThrowDice("C", (6, 1, 1)), KeepDice("C", (1, 1)), ThrowDice("C", (1,))]
    by_hand = [ThrowDice("A", (6, 5, 2)), ThrowDice("A", (1, 1, 1)), StopTurn("A")]
    others = [ThrowDice("B", (6, 5, 2)), StopTurn("B")]
    match, _ = played(match, *assembled, StopTurn("C"), *by_hand, *others)
    found = of(match).players
    assert (found["C"].schock_aus, found["C"].from_hand) == (1, 0)
    assert (found["A"].schock_aus, found["A"].from_hand) == (1, 1)
    assert (found["A"].luck.throws, found["A"].luck.schock_aus) == (1, 0), "it was not the first"
    assert found["C"].worth == 1 + match.book.deckel_total
    assert found["B"].halves_lost == 1
    assert found["B"].taken == 13, "nine of the stock and four of his own"


def test_a_correction_counts_as_corrected_and_a_throw_taken_back_not_at_all() -> None:
    corrected, _ = played(two_rounds(), CorrectThrow("A", 5, (6, 1, 1), by="R"))
    straight, _ = played(opened(), *one_throw_round("CAB", (6, 5, 2), (6, 1, 1), (3, 3, 1)))
    assert of(corrected) == of(straight)
    thrown, _ = played(two_rounds(), ThrowDice("B", (5, 5, 5)))
    back, _ = played(thrown, TakeBack(by="R"))
    assert of(thrown) != of(two_rounds())
    assert of(back) == of(two_rounds())
    again, _ = played(back, ThrowDice("B", (5, 5, 5)))
    assert of(again) == of(thrown), "entered anew it counts once"


def test_a_turn_that_a_fault_has_replaced_begins_anew() -> None:
    match = begun(find_book("statuten"))
    match, _ = played(match, ThrowDice("A", (6, 5, 2)), StopTurn("A"))
    match, _ = played(match, ThrowDice("B", (6, 4, 1)))
    match, _ = played(match, ReportFault("B", "too_many_throws", "R"), ThrowDice("B", (6, 6, 1)))
    assert of(match).players["B"].luck.throws == 2
    assert of(match).faces[SHARED_DICE].thrown == 3 + 3 * 3, "all of it was thrown"


def test_a_round_counts_as_the_referee_ruled_it() -> None:
    ruling = RuleRound("half1", 1, "loser", "R", "x", "C", "B", 3)
    ruled, _ = played(two_rounds(), ruling)
    found = of(ruled).players
    assert (found["C"].lowest, found["C"].taken, found["B"].given) == (2, 7, 7)
    void, _ = played(two_rounds(), RuleRound("half1", 1, "void", "R", "x"))
    assert of(void).rounds == 1
    assert of(void).players["A"].luck.throws == 1, "it was thrown all the same"


def test_deckel_that_were_not_there_do_not_move() -> None:
    match = rounds(begun(find_book("allgemein")), "A611 B652 C221", "C611 A655 B221")
    assert match.stock == 1
    match = rounds(match, "B611 C655 A221")
    assert [r.moved for r in match.state.history] == [6, 6, 1]
    assert [r.deckel for r in match.state.history] == [6, 6, 6]


@BOOKS
@pytest.mark.parametrize("seed", [1, 2])
def test_laws_of_whole_games(book: RuleBook, seed: int) -> None:
    match, log = whole_game(book, ("Anna", "Ben", "Cem", "Dora"), seed)
    found = of(match)
    players = found.players.values()
    moved = sum(event.to_json()["count"] for event in log if event.type == "deckel_moved")
    assert sum(one.given for one in players) == sum(one.taken for one in players) == moved
    assert sum(pair.deckel for pair in found.pairs.values()) == moved
    assert sum(pair.rounds for pair in found.pairs.values()) == found.rounds
    assert sum(one.lowest for one in players) == found.rounds
    assert sum(one.highest for one in players) == found.rounds
    assert sum(one.games_lost for one in players) == 1
    assert sum(one.halves_lost for one in players) == 2
    assert found.dearest.deckel == max(r.moved for r in match.state.history)
    for one in players:
        assert one.calm.rounds == one.losing.rounds == one.rounds >= one.highest + one.lowest
        assert one.games == 1
        assert one.from_hand <= one.schock_aus <= one.results <= one.rounds
    thrown = [event.to_json()["dice"] for event in log if event.type == "thrown"]
    assert found.faces[SHARED_DICE].thrown == sum(map(len, thrown))
    assert of(Match.replay([match.started, *log])) == found, "a replayed log comes to the same"


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*.txt")), ids=lambda path: path.stem)
def test_laws_of_golden_games_at_every_step(golden: Path) -> None:
    """Faults, rulings, covered throws, Deckel taken voluntarily: what is given is taken."""
    lines = golden.read_text(encoding="utf-8").splitlines()
    head = dict(line.split(" ", 1) for line in lines[:3] if line[:1].isalpha())
    match = Match.new(
        find_book(head["book"]),
        head["players"].split(),
        weekday=head.get("weekday"),  # type: ignore[arg-type]
    )
    moved, recounted = 0, False
    for line in (line.removeprefix("> ") for line in lines if line.startswith("> ")):
        try:
            match, events = match.do(parse_action(line))
        except Refused:
            continue
        recounted |= any(event.type in CORRECTIONS for event in events)
        moved += sum(event.to_json()["count"] for event in events if event.type == "deckel_moved")
        found = of(match)
        players = found.players.values()
        taken = sum(one.taken for one in players)
        assert sum(one.given for one in players) == taken
        assert recounted or taken == moved
        assert sum(one.lowest for one in players) == sum(one.highest for one in players)
        assert sum(pair.rounds for pair in found.pairs.values()) == found.rounds
    assert found.rounds, "the transcript has a settled round"


@pytest.mark.parametrize("seed", range(3))
def test_a_log_with_a_correction_comes_to_what_the_corrected_game_does(seed: int) -> None:
    """A throw is misread and corrected later: as if it had been read right at once."""
    match = Match.new(TURNIER, ("Anna", "Ben"))
    right = wrong = match
    numbers = _numbers(seed)
    for _ in range(40):
        action = _choose(right, numbers)
        right, _ = right.do(action)
        wrong, _ = wrong.do(action)
    throw = next(e for e in reversed(right.state.record) if e.type == "thrown")
    assert hasattr(throw, "throw_id")
    before = right
    other = tuple(sorted((7 - die for die in throw.dice), reverse=True))  # type: ignore[attr-defined]
    misread = before.refusal(fix(throw, other))
    if misread is not None:
        pytest.skip("what followed does not fit another throw")
    wrong, _ = before.do(fix(throw, other))
    assert of(wrong) != of(right)
    mended, _ = wrong.do(fix(throw, throw.dice))  # type: ignore[attr-defined]
    assert of(mended) == of(right)


def fix(throw: Event, dice: tuple[int, ...]) -> Action:
    data = throw.to_json()
    return CorrectThrow(data["player"], data["throw_id"], dice, by="R")


def test_games_are_added_and_who_came_later_or_left_has_his_own() -> None:
    first, _ = whole_game(TURNIER, ("Anna", "Ben"), 1)
    second, _ = whole_game(TURNIER, ("Anna", "Cem", "Dora"), 2)
    both = of(first) + of(second)
    assert list(both.players) == ["Anna", "Ben", "Cem", "Dora"]
    assert [one.games for one in both.players.values()] == [2, 1, 1, 1]
    assert both.players["Ben"] == of(first).players["Ben"]
    assert both.games == 2
    assert of(first) + Tally() == Tally() + of(first) == of(first)


def test_an_abandoned_game_has_no_loser_and_one_nobody_played_counts_with_its_dice_alone() -> None:
    match, _ = played(two_rounds(), ThrowDice("B", (6, 5, 1)), Abandon("R", "x"))
    assert [(one.games, one.games_lost) for one in of(match).players.values()] == [(1, 0)] * 3
    unplayed, _ = played(opened(), Abandon("R", "x"))
    found = of(unplayed)
    assert (found.games, found.rounds, dict(found.players)) == (0, 0, {})
    assert found.faces[SHARED_DICE].thrown == 9
    assert of(Match.new(TURNIER, ["A", "B"])).rounds == 0


RUNS = st.lists(st.booleans(), max_size=12)


def run_of(held: list[bool]) -> Run:
    each = (Run(1, 1, 1, 1) if one else Run(rounds=1) for one in held)
    return reduce(add, each, Run())


@given(RUNS, RUNS)
def test_a_row_goes_on_across_games(before: list[bool], after: list[bool]) -> None:
    words = "".join("x" if one else " " for one in (*before, *after)).split()
    assert run_of(before) + run_of(after) == run_of([*before, *after])
    assert run_of([*before, *after]).longest == max(map(len, words), default=0)


def test_of_equally_dear_rounds_the_first_stands() -> None:
    found = of(two_rounds())
    again = replace(found.dearest, winner="A")
    assert (found.dearest + again).winner == "B"
