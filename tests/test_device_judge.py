"""`schockauge judge`: questions in, answers with their section out."""

import json
from pathlib import Path

import pytest
from conftest import Run
from device_help import lines

QUESTION = {
    "id": "q1", "book": "turnier", "kind": "value",
    "input": {"dice": [4, 1, 1], "throws": 1, "from_hand": True},
}  # fmt: skip


def test_judge_answers_line_by_line_and_goes_on_after_a_bad_one(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    unknown = {**QUESTION, "id": "q2", "book": "kneipe"}
    path.write_text("\n".join([json.dumps(QUESTION), "{", json.dumps(unknown), ""]))
    status, out, err = run("judge", path, "--json")
    first, broken, other = lines(out)
    assert first["id"] == "q1"
    assert first["category"] == "schock"
    assert first["rule"]
    assert broken["id"] == "line 2"
    assert "no JSON" in broken["error"]
    assert other["id"] == "q2"
    assert "turnier" in other["error"], "an unknown book lists the known ones"
    assert status == 1
    assert "schockauge: error: 2 questions" in err


def test_judge_speaks_german_to_a_referee(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps(QUESTION))
    status, out, _ = run("judge", path)
    assert status == 0
    assert out.startswith("q1: ")
    assert "Deckel" in out
    assert "[001" in out


def test_judge_agrees_with_the_worked_cases_of_turnier(run: Run, shared: Path) -> None:
    cases = [
        json.loads(line)
        for line in (shared / "rules" / "cases-dev.jsonl").read_text(encoding="utf-8").splitlines()
    ]
    turnier = [case for case in cases if case["book"] == "turnier"]
    assert len(turnier) >= 29
    status, out, _ = run("judge", shared / "rules" / "cases-dev.jsonl", "--json")
    answers = {line["id"]: line for line in lines(out)}
    assert set(answers) == {case["id"] for case in cases}
    for case in turnier:
        answer = answers[case["id"]]
        wrong = {k: (answer.get(k), v) for k, v in case["expect"].items() if answer.get(k) != v}
        assert not wrong, f"{case['id']}: {wrong}"
        assert answer["rule"]
    assert status in (0, 1)  # 1 while other books are not offered yet


def test_judge_names_a_missing_file(run: Run, tmp_path: Path) -> None:
    status, _, err = run("judge", tmp_path / "none.jsonl")
    assert status == 1
    assert "none.jsonl cannot be read" in err


def test_deckel_come_from_everybody_after_a_schock_aus(run: Run) -> None:
    status, out, _ = run(
        "judge", "A: Schock aus", "B: 664", "C: 655", "--stock", "4", "--holding", "A=2",
        "--holding", "B=3", "--holding", "C=4",
    )  # fmt: skip
    assert status == 0
    assert "Aus dem Stock 4, von A 2, von B 3; im Stock bleiben 0." in out
    assert "verloren hat C" in out


@pytest.mark.parametrize(
    ("words", "problem"),
    [
        (["A: Schock 5", "B: 221", "--stock", "2"], "There are 13 Deckel, but 2 in the stock"),
        (["A: Schock 5", "B: 221", "--stock", "20"], "There are 13 Deckel"),
        (["A: Schock 5", "B: 221", "--stock", "-3"], "There are 13 Deckel"),
        (["A: Schock 5", "B: 221", "--holding", "a=5"], "--holding names 'a'"),
        (["A: Schock 5", "B: 221", "--holding", "A"], "expected NAME=N"),
        (["A: Schock 5"], "at least two results"),
        (["A: Schock 5", "A: 221"], "named twice"),
        (["A: Schock 5", "B: Schock 6 im Zweiten"], "B has more throws than A"),
        (["A: Straße 6-5-3", "B: 221"], "cannot be strasse"),
        (["A: Schock 5", "B: 221", "--holding", "A=²"], "expected NAME=N"),
        (["A: Schock 5", "B: 221", "--holding", "A=3", "--holding", "A=4"], "'A' twice"),
        (
            ["A: 665", "B: 652", "C: 221", "--stock", "0", "--holding", "A=7", "--holding", "B=6"],
            "C without Deckel cannot have thrown",
        ),
        (["A: 665", "B: 652", "--stock", "0", "--holding", "A=13"], "The half is over"),
    ],
)
def test_what_cannot_be_at_the_table_is_refused(run: Run, words: list[str], problem: str) -> None:
    status, out, err = run("judge", *words)
    assert status in (1, 2)
    assert problem in err
    assert not out


def test_a_schock_aus_counts_though_a_doofmanndeckel_emptied_the_stock(run: Run) -> None:
    table = ("--stock", "0", "--holding", "A=12", "--holding", "B=1")
    status, out, _ = run("judge", "--book", "statuten", "C: 111", "A: 665", "B: 221", *table)
    assert status == 0
    assert "verloren hat B" in out
    status, _, err = run("judge", "--book", "statuten", "C: Schock 5", "A: 665", "B: 221", *table)
    assert status == 2
    assert "C without Deckel cannot have thrown" in err


HARDCORE = ("judge", "--book", "statuten", "A: Schock 4", "B: 665", "C: 532")


def test_the_first_round_counts_all_throws_where_the_book_says_so(run: Run) -> None:
    status, out, _ = run(*HARDCORE, "--stock", "13", "--first-round")
    assert status == 0
    assert "C bekommt 5 Deckel" in out
    assert "Aus dem Stock 5; im Stock bleiben 8." in out
    assert "004 §18" in out
    assert "Achtung" not in out


@pytest.mark.parametrize("stock", [[], ["--stock", "13"]])
def test_a_round_that_may_be_the_first_is_not_settled_without_a_word(
    run: Run, stock: list[str]
) -> None:
    status, out, _ = run(*HARDCORE, *stock)
    assert status == 0
    assert "C bekommt 4 Deckel" in out
    assert "Ist das die erste Runde des Spiels" in out
    assert "C bekäme 5 Deckel." in out
    _, line, _ = run(*HARDCORE, *stock, "--json")
    assert "--first-round" in lines(line)[0]["note"]


@pytest.mark.parametrize(
    "words",
    [
        [*HARDCORE, "--stock", "9", "--holding", "A=4"],  # not the first: Deckel are dealt out
        [*HARDCORE[:-1], "--stock", "13"],  # of two players only the best counts anyway
        ["judge", "--book", "jule", *HARDCORE[3:]],
    ],
)
def test_no_first_round_is_spoken_of_where_it_makes_no_difference(
    run: Run, words: list[str]
) -> None:
    status, out, _ = run(*words)
    assert status == 0
    assert "Achtung" not in out


def test_who_is_out_after_a_round_is_told(run: Run) -> None:
    words = ("--stock", "1", "--holding", "A=6", "--holding", "C=6")
    _, out, _ = run("judge", "--book", "turnier", "A: Schock 4", "B: 665", "C: 532", *words)
    assert "Ausgeschieden: B." in out
    assert "blog2019 L141" in out


FAULT = {
    "event": "round_lost_by_fault", "player": "A",
    "results": [{"player": "A", "dice": [1, 1, 1]}, {"player": "B", "dice": [6, 5, 2]}],
}  # fmt: skip
TAKES = {"event": "voluntary_take", "player": "B", "own_throw_covered": True, "highest_value": 2}
BEGUN = {"players": ["A", "B"], "starter": "A", "rounds": []}
TURNED = [{"do": "throw", "dice": [6, 6, 2]}, {"do": "turn"}, {"do": "stop"}]


@pytest.mark.parametrize(
    ("book", "kind", "given", "told", "untold"),
    [
        # A threw 1-1-1: he has lost, but his was not the lowest throw
        ("jule", "penalty", FAULT, "verliert die Runde: A", "niedrigster Wurf"),
        ("blog2019", "penalty", TAKES, "nimmt die Deckel: B", "niedrigster Wurf"),
        ("jule", "half", BEGUN, "Verlierer der Hälfte: niemand", "niedrigster Wurf"),
        ("jule", "start", {"rolls": [{"A": [6], "B": [5]}]}, "q: es beginnt: A [000 L15]", ";"),
        ("jule", "penalty", {"event": "drop_die", "nth": 2}, "Wurf: –;", "niemand"),
        ("jule", "fee", {"event": "lost_game"}, "an: –", "niemand"),
        ("turnier", "turn", {"actions": TURNED}, "weil: Der Spieler hat Sechsen gedreht", "The "),
        ("turnier", "settle", {"stock": 9, "holdings": {"A": 4, "B": 0}, "winner": "A",
                               "loser": "B", "value": 2}, "niedrigster Wurf: B", "moved"),
    ],
)  # fmt: skip
def test_what_is_told_in_german_is_called_what_it_is(
    run: Run, tmp_path: Path, book: str, kind: str, given: dict[str, object], told: str, untold: str
) -> None:
    path = tmp_path / "questions.jsonl"
    path.write_text(json.dumps({"id": "q", "book": book, "kind": kind, "input": given}))
    status, out, _ = run("judge", path)
    assert status == 0
    assert told in out
    assert untold not in out
