"""Which day it is: a Champions League is played on its own day only, until late at night."""

import calendar
import time

import pytest

from device.game import Game, evening_of
from device.store import MemoryLog
from rules.book import Weekday


def local_s(day: int, hour: int) -> float:
    """Unix time of an hour of a day in November 2026, as the clock of this machine shows it."""
    return time.mktime((2026, 11, day, hour, 0, 0, 0, 0, -1))


@pytest.mark.parametrize(
    ("day", "hour", "evening"),
    [(18, 20, "wednesday"), (19, 3, "wednesday"), (19, 7, "thursday"), (22, 23, "sunday")],
)
def test_an_evening_lasts_into_the_night(day: int, hour: int, evening: Weekday) -> None:
    assert calendar.day_name[calendar.weekday(2026, 11, 18)] == "Wednesday"
    assert evening_of(local_s(day, hour)) == evening


@pytest.mark.parametrize(
    ("book", "weekday", "expected"),
    [
        ("statuten", None, "thursday"),
        ("statuten", "wednesday", "wednesday"),
        ("turnier", "wednesday", None),  # it does not matter to this book
    ],
)
def test_a_game_knows_its_day_where_the_book_asks_for_it(
    book: str, weekday: Weekday | None, expected: Weekday | None
) -> None:
    log = MemoryLog()
    players = ["A", "B"]
    clock_s = local_s(19, 21)
    game = Game(log, book=book, players=players, clock=lambda: clock_s, weekday=weekday)
    assert game.match.state.weekday == expected
    again = Game(log, book=book, players=players, clock=lambda: clock_s + 86400.0)
    assert again.match.state.weekday == expected, "a game that goes on keeps its day"
