"""`schockauge bench rules`: games, judged rounds and odds per second of one core.

Everything is measured in CPU seconds of this process, which uses one core, so that other
work on the machine disturbs the figures little.
"""

from __future__ import annotations

import argparse
import random
import statistics
import time
from collections.abc import Callable, Sequence
from typing import Any

from device.commands.common import add_json, print_json, progress
from device.errors import UsageError
from device.random_play import random_action, random_dice

GAMES = 200
ROUNDS = 20_000
PLAYERS = 4

BATCH = 1000
"""Rounds that are timed at once: one alone is too short for the clock."""

LABELS = {
    "games_per_s": "random games per second",
    "actions_per_game": "actions per game",
    "rounds_per_s": "judged rounds per second",
    "rounds_from_dice_per_s": "  with checking their dice",
    "odds_cold_ms": "odds before anything is known, ms",
    "odds_first_ms": "odds of a round's first throw, ms",
    "odds_first_max_ms": "  at most, ms",
    "odds_next_ms": "odds of the next player's first throw, ms",
}
"""Figures and how they are called, in the order of printing."""


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument("--book", default="turnier", help="rule book; default turnier")
    parser.add_argument(
        "--players", type=int, default=PLAYERS, metavar="N", help=f"at a table; default {PLAYERS}"
    )
    parser.add_argument(
        "--games", type=int, default=GAMES, metavar="N", help=f"games to play; default {GAMES}"
    )
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, metavar="N", help=f"to judge; default {ROUNDS}"
    )
    parser.add_argument("--seed", type=int, default=1, metavar="N", help="of the dice; default 1")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from rules import find_book

    for name in ("players", "games", "rounds"):
        least = 2 if name == "players" else 1
        if getattr(args, name) < least:
            raise UsageError(f"--{name} is {getattr(args, name)}, expected {least} or more.")
    book = find_book(args.book)
    chance = random.Random(args.seed)
    figures = {
        **_odds_figures(book, args.players, chance),
        **_round_figures(book, args.players, args.rounds, chance),
        **_game_figures(book, args.players, args.games, chance),
    }
    ordered = {name: figures[name] for name in LABELS}
    if args.json:
        print_json({"book": book.key, "players": args.players, **ordered})
        return 0
    print(f"rules of {book.key}, {args.players} players, CPU time of one core")
    for name, value in ordered.items():
        print(f"  {LABELS[name]:<42} {value:12,.2f}")
    return 0


def play_random_game(book: Any, players: Sequence[str], chance: random.Random) -> int:
    """Play a whole match by chance, through the same door as a table.

    Args:
        book: the rule book.
        players: their names.
        chance: decides dice and choices.

    Returns:
        How many actions it took.
    """
    from rules import Match

    match = Match.new(book, players)
    actions = 0
    while not match.is_over:
        match, _ = match.do(random_action(match, chance))
        actions += 1
    return actions


def _game_figures(book: Any, players: int, games: int, chance: random.Random) -> dict[str, float]:
    names = [f"player {n}" for n in range(1, players + 1)]
    actions: list[int] = []
    spent = 0.0
    for _ in progress(range(games), total=games, unit="game"):
        spent += _seconds(lambda: actions.append(play_random_game(book, names, chance)))
    return {
        "games_per_s": round(games / spent, 1),
        "actions_per_game": round(statistics.mean(actions), 1),
    }


def _round_figures(book: Any, players: int, rounds: int, chance: random.Random) -> dict[str, float]:
    from rules import Result, rank

    def drawn() -> list[tuple[str, tuple[int, ...], int, bool]]:
        throws = [chance.randint(1, 3) for _ in range(players)]
        return [
            (f"player {n}", random_dice(3, chance), t, t == 1 or chance.random() < 0.5)
            for n, t in enumerate(throws)
        ]

    made: list[list[Result]] = []

    def check(fallen: Any) -> None:
        made.extend([Result(*fields) for fields in one] for one in fallen)

    def judge() -> None:
        for results in made:
            rank(book, results)

    ranking = checking = 0.0
    batches = [BATCH] * (rounds // BATCH) + [rounds % BATCH] * bool(rounds % BATCH)
    for size in progress(batches, total=len(batches), unit="batch"):
        made.clear()
        checking += _seconds(check, [drawn() for _ in range(size)])
        ranking += _seconds(judge)
    return {
        "rounds_per_s": round(rounds / ranking),
        "rounds_from_dice_per_s": round(rounds / (ranking + checking)),
    }


def _odds_figures(book: Any, players: int, chance: random.Random) -> dict[str, float]:
    from rules.dice import ALL_MULTISETS
    from rules.legality import Turn
    from rules.odds import Position, odds
    from rules.ranking import Result

    def position(dice: tuple[int, ...], *earlier: Any) -> Position:
        limit = earlier[0].throws if earlier else None
        turn = Turn(book=book, player="me", limit=limit, throws=1, lying=dice, thrown=dice)
        return Position(turn=turn, earlier=earlier, to_come=players - 1 - len(earlier))

    cold = _seconds(lambda: odds(position((6, 5, 4))))
    first, following = [], []
    for dice in progress(ALL_MULTISETS, total=len(ALL_MULTISETS), unit="throw"):
        first.append(_seconds(odds, position(dice)))
        before = Result("first", random_dice(3, chance), 3, from_hand=False)
        following.append(_seconds(odds, position(dice, before)))
    return {
        "odds_cold_ms": round(1000 * cold, 2),
        "odds_first_ms": round(1000 * statistics.median(first), 2),
        "odds_first_max_ms": round(1000 * max(first), 2),
        "odds_next_ms": round(1000 * statistics.median(following), 2),
    }


def _seconds(work: Callable[..., object], *given: object) -> float:
    began_s = time.process_time()
    work(*given)
    return time.process_time() - began_s
