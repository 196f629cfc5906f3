"""`schockauge bench rules`: what it prints; how fast it is depends on the machine."""

import random

import pytest
from conftest import Run
from device_help import lines

from device.commands.bench_rules import LABELS, play_random_game
from rules import all_books

FEW = ("--games", 1, "--rounds", 5)


@pytest.mark.parametrize("book", all_books(), ids=lambda book: book.key)
def test_a_random_game_of_every_book_ends(book: object) -> None:
    assert play_random_game(book, ["A", "B"], random.Random(1)) > 10


def test_bench_rules_prints_every_figure(run: Run) -> None:
    status, out, _ = run("bench", "rules", *FEW, "--book", "allgemein", "--players", 2, "--json")
    assert status == 0
    (figures,) = lines(out)
    assert list(figures) == ["book", "players", *LABELS]
    assert (figures["book"], figures["players"]) == ("allgemein", 2)
    assert all(figures[name] > 0 for name in LABELS)
    status, out, _ = run("bench", "rules", *FEW)
    assert status == 0
    assert all(label in out for label in LABELS.values())


@pytest.mark.parametrize("words", [("--players", 1), ("--games", 0), ("--rounds", 0)])
def test_bench_rules_needs_something_to_measure(run: Run, words: tuple[str, int]) -> None:
    status, _, err = run("bench", "rules", *words)
    assert status == 2
    assert f"{words[0]} is {words[1]}, expected" in err


def test_bench_rules_of_a_book_that_is_not_there(run: Run) -> None:
    status, _, err = run("bench", "rules", "--book", "kneipe")
    assert status == 1
    assert "no rule book 'kneipe'" in err
