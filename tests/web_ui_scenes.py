"""Moments of an evening for the tests and the pictures of the wall screen, with 2 to 10 players."""

import random
from collections.abc import Callable, Sequence

from test_web_ui_table import Table

from rules.actions import CoverThrow, KeepDice, StopTurn, ThrowDice

NAMES = ("Anna", "Bert", "Cem", "Dörte", "Emil", "Frieda", "Günther", "Hatice", "Ivo", "Jule")

LONG_NAMES = (
    "Maximiliane-Friederike von Hohen",
    "Donaudampfschifffahrtskapitän Ho",
    "Wolfgang Amadeus Schmidt-Müllers",
    "Kreuzberger Knobelbrüder Nordwes",
    "Ute vom Stammtisch am Marktplatz",
    "Bartholomäus Wagner-Grossmannsau",
    "Die Wirtin aus der Goldenen Gans",
    "Hans-Dieter Obermeier der Zweite",
    "Anneliese Wiedemann-Oberhofstadt",
    "Präsident des Vereins, Karl-Hein",
)
"""32 characters each, with and without places to break a line."""


def play(table: Table, chance: random.Random, wanted: Callable[[], bool]) -> None:
    """Random throws, and everybody stops where he may, until something holds."""
    while not wanted() and not table.match.is_over:
        step(table, chance)


def step(table: Table, chance: random.Random) -> None:
    """One action: a random throw, or a stop."""
    player, turn = str(table.match.current_player), table.match.turn
    if turn is not None and turn.thrown and not turn.must_throw:
        table.do(StopTurn(player))
    else:
        table.do(ThrowDice(player, thrown(table, chance)))


def thrown(table: Table, chance: random.Random) -> tuple[int, ...]:
    """Dice as many as the current player has in his cup."""
    turn, opening = table.match.turn, table.match.state.opening
    count = turn.dice_to_throw if turn is not None else opening.dice_to_throw if opening else 3
    return tuple(chance.choices(range(1, 7), k=count))


def names(count: int, *, long: bool = False) -> Sequence[str]:
    """The first so many players."""
    return (LONG_NAMES if long else NAMES)[:count]


def mid_round(table: Table, *, part: str = "half2", round: int = 3, seed: int = 3) -> None:
    """Go into a round: one open result, one covered if three play, the next one keeping a one."""
    chance = random.Random(seed)
    while not (table.match.part.value == part and table.match.state.round == round):
        if table.match.is_over:
            table.begin(table.match.players)
        step(table, chance)
    first = str(table.match.current_player)
    table.do(ThrowDice(first, (6, 5, 2)), ThrowDice(first, (5, 4, 4)), StopTurn(first))
    others = len(table.match.state.order) - 1
    if others > 2:
        second = str(table.match.current_player)
        table.do(ThrowDice(second, (4, 1, 1)), StopTurn(second))
    if others > 1:
        third = str(table.match.current_player)
        table.do(ThrowDice(third, (3, 2, 2)), CoverThrow(third), StopTurn(third))
    last = str(table.match.current_player)
    table.do(ThrowDice(last, (6, 4, 1)), KeepDice(last, (1,)))


def evening(table: Table, *, games: int = 3, seed: int = 5) -> None:
    """Whole games until so many are over; the last one's end stands."""
    chance = random.Random(seed)
    players = table.match.players
    for game in range(games):
        if game:
            table.begin(players)
        play(table, chance, lambda: False)
