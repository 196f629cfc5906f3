"""Golden transcripts: a whole game and a hard round of every book, read by people.

When a rule changes on purpose, write the files anew and read the diff:

    python -m rules.playthrough turnier > tests/golden/turnier_match.txt
    python -m rules.playthrough --script tests/golden/turnier_round.txt
"""

from pathlib import Path

import pytest

from rules import MalformedRecord, RuleBook, all_books
from rules.playthrough import main, play_through
from rules.transcript import action_line, parse_action, replay_script

GOLDEN = Path(__file__).parent / "golden"
BOOKS = pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)


@BOOKS
def test_whole_game_is_played_as_written(book: RuleBook) -> None:
    golden = GOLDEN / f"{book.key}_match.txt"
    assert golden.is_file(), f"no golden game: python -m rules.playthrough {book.key} > {golden}"
    assert play_through(book.key) == golden.read_text(encoding="utf-8")


@pytest.mark.parametrize("golden", sorted(GOLDEN.glob("*_round.txt")), ids=lambda path: path.stem)
def test_round_is_played_as_written(golden: Path) -> None:
    text = golden.read_text(encoding="utf-8")
    assert replay_script(text) == text


@BOOKS
def test_the_actions_of_a_golden_game_alone_lead_to_the_same_game(book: RuleBook) -> None:
    text = (GOLDEN / f"{book.key}_match.txt").read_text(encoding="utf-8")
    assert replay_script(text) == text


@pytest.mark.parametrize(
    "line",
    [
        "Anna throw 6 5 2",
        "Anna throw 6 5 2 burns tower",
        "Anna throw burns off_mat",
        "Anna keep 6 1",
        "Anna return 6",
        "Anna turn 2",
        "Anna stop",
        "correct 12 Anna 6 6 1 by Referee",
        "take back by Referee",
        "Anna take",
        "Anna hand over to Ben",
        "Anna fault lift_early by Referee",
        "Anna reenter",
    ],
)
def test_lines_of_actions_are_read_and_written_alike(line: str) -> None:
    assert action_line(parse_action(line)) == line


@pytest.mark.parametrize("line", ["", "Anna", "Anna throws 6", "Anna throw six", "Anna turn x"])
def test_a_line_that_is_no_action_is_an_error(line: str) -> None:
    with pytest.raises(MalformedRecord, match="is no action"):
        parse_action(line)


def test_command_prints_the_game_and_names_its_errors(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    assert main(["turnier", "--seed", "2"]) == 0
    assert capsys.readouterr().out.startswith("book turnier\nplayers Anna")
    assert main(["kneipe"]) == 1
    assert "there is no rule book 'kneipe'" in capsys.readouterr().err
    assert main(["--script", str(tmp_path / "none.txt")]) == 1
    with pytest.raises(SystemExit) as caught:
        main([])
    assert caught.value.code == 2
