"""An evening by a pub's own rule book."""

from pathlib import Path

import pytest

from device.books import book_named
from device.errors import SourceError
from device.game import Game
from device.store import SqliteLog
from rules import ThrowDice, UnknownBook

OWN = """\
based_on = "turnier"
key = "krug"
title_de = "Zum Krug"
title_en = "At the jug"
document = "Krug"

[fields]
deckel_total = { value = 15, text = "Tafel" }
"""


def test_an_evening_goes_on_by_its_own_book_when_the_file_is_gone(tmp_path: Path) -> None:
    file = tmp_path / "krug.toml"
    file.write_text(OWN, encoding="utf-8")
    with SqliteLog(tmp_path / "evening.sqlite3") as log:
        game = Game(log, book=str(file), players=["Anna", "Bert"], clock=lambda: 0.0)
        game.do(ThrowDice("Anna", (6, 5, 2)))
        before = game.match.state
    file.unlink()
    with SqliteLog(tmp_path / "evening.sqlite3") as log:
        again = Game(log, book="turnier", players=["Anna", "Bert"], clock=lambda: 0.0)
    assert again.match.state == before
    assert (again.match.book.key, again.match.book.deckel_total) == ("krug", 15)


def test_a_book_that_cannot_be_read_is_told_with_file_and_line(tmp_path: Path) -> None:
    with pytest.raises(SourceError, match=r"none\.toml cannot be read"):
        book_named(str(tmp_path / "none.toml"))
    bad = tmp_path / "bad.toml"
    bad.write_text(OWN.replace("15", '"many"'), encoding="utf-8")
    with pytest.raises(
        SourceError, match=r"bad\.toml: line 8: deckel_total must be a whole number"
    ):
        book_named(str(bad))
    bad.write_bytes(b"\xff\xfe\x00")
    with pytest.raises(SourceError, match=r"bad\.toml cannot be read"):
        book_named(str(bad))
    with pytest.raises(UnknownBook):
        book_named("krug")
