"""Throws that stay under the cup until the showdown (rows T5 to T12)."""

from rules_play import code_against, opened, played

from rules import CorrectThrow, CoverThrow, KeepDice, Match, Phase, StopTurn, ThrowDice, snapshot


def covered_to_the_showdown() -> Match:
    """C leaves his third throw covered, A stops after one, B leaves his third covered, too."""
    c_throws = [ThrowDice("C", (6, 5, 2)), KeepDice("C", (6,)), ThrowDice("C", (5, 2))]
    moves = [*c_throws, CoverThrow("C"), StopTurn("C"), ThrowDice("A", (6, 5, 3)), StopTurn("A")]
    b_throws = [ThrowDice("B", (4, 3, 1)), ThrowDice("B", (5, 3, 1)), CoverThrow("B")]
    return played(opened(), *moves, *b_throws, StopTurn("B"))[0]


def test_t5_t10_covered_third_throws_are_shown_in_the_showdown() -> None:
    match = covered_to_the_showdown()
    assert (match.phase, match.current_player) == (Phase.SHOWDOWN, "C")
    assert snapshot(match)["covered"] == ["C", "B"]
    assert code_against(match, StopTurn("C")) == "showdown"
    assert code_against(match, ThrowDice("A", (6, 6, 6))) == "showdown"
    assert code_against(match, ThrowDice("C", (6, 6, 6))) == "wrong_number_of_dice"
    match, log = played(match, ThrowDice("B", (6, 5, 3)))
    assert [event.type for event in log] == ["thrown"]
    assert log[0].to_json()["shown"] is True
    match, log = played(match, ThrowDice("C", (1, 1)))
    assert log[1].to_json()["type"] == "round_settled"
    order = [(item["player"], item["throws"]) for item in snapshot(match)["history"][-1]["order"]]
    assert order == [("C", 3), ("A", 1), ("B", 3)]
    assert match.current_player == "B"


def test_a_covered_throw_counts_for_the_limit_and_forces_the_stop() -> None:
    match, log = played(opened(), CoverThrow("C"))
    assert match.forced() is None
    assert code_against(match, CoverThrow("C")) == "cup_is_down"
    assert code_against(match, KeepDice("C", (1,))) == "cup_is_down"
    match, log = played(match, StopTurn("C"))
    assert [event.type for event in log] == ["left_covered", "limit_set", "turn_started"]
    match, _ = played(match, CoverThrow("A"))
    assert match.forced() == StopTurn("A")


def test_lifting_the_cup_in_the_turn_reads_the_same_throw() -> None:
    match, _ = played(opened(), CoverThrow("C"), ThrowDice("C", (6, 6, 2)))
    assert match.turn is not None
    assert (match.turn.throws, match.turn.lying) == (1, (6, 6, 2))
    assert [entry["throw_id"] for entry in snapshot(match)["throws"]] == [1, 2, 3, 4]
    match, _ = played(match, CorrectThrow("C", 4, (6, 5, 2), by="Referee"))
    assert match.turn is not None
    assert match.turn.lying == (6, 5, 2)


def test_a_tower_under_a_covered_cup_is_thrown_again() -> None:
    match, _ = played(opened(), CoverThrow("C"), ThrowDice("C", (), burns="tower"))
    assert match.turn is not None
    assert (match.turn.throws, match.phase) == (0, Phase.LOADED)
    match = covered_to_the_showdown()
    match, _ = played(match, ThrowDice("C", (), burns="tower"))
    assert (match.phase, match.current_player) == (Phase.SHOWDOWN, "C")
    match, log = played(match, ThrowDice("C", (5, 5)), ThrowDice("B", (1, 1, 1)))
    assert snapshot(match)["history"][-1]["winner"] == "B"
    ids = [entry["throw_id"] for entry in snapshot(match)["throws"]]
    assert len(set(ids)) == len(ids)
    lifted = int(log[0].to_json()["throw_id"])
    match, _ = played(match, CorrectThrow("C", lifted, (1, 1), by="Referee"))
    assert snapshot(match)["history"][-1]["order"][1]["name"] == "Schock 6"
