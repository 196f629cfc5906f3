"""`schockauge bench draw`: how rarely players meet again at drawn tables, against mere chance.

The same fields are cut into the same tables twice: by `rules.tournament_draw`, and by a shuffle.
What is told is the ratio of the pairs that meet again, and how long a large field takes, in CPU
seconds of this process.
"""

from __future__ import annotations

import argparse
import random
import time
from collections import Counter
from collections.abc import Callable, Sequence
from itertools import combinations
from typing import Any

from device.commands.common import add_json, print_json, progress
from device.errors import UsageError

FIELDS = (24, 48, 96)
ROUNDS = 5
DRAWS = 20
LARGE = 1000
TABLE_SIZES = (4, 3, 5)
LIMIT_S = 2.0
"""How long the draw of a large field may take."""

Tables = Sequence[Sequence[str]]


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    parser.add_argument(
        "--players", type=int, nargs="+", default=list(FIELDS), metavar="N",
        help=f"fields to draw; default {' '.join(map(str, FIELDS))}",
    )  # fmt: skip
    parser.add_argument(
        "--rounds", type=int, default=ROUNDS, metavar="N", help=f"of each; default {ROUNDS}"
    )
    parser.add_argument(
        "--draws", type=int, default=DRAWS, metavar="N",
        help=f"tournaments of each field, each with another seed; default {DRAWS}",
    )  # fmt: skip
    parser.add_argument(
        "--large", type=int, default=LARGE, metavar="N",
        help=f"field whose draw is timed; default {LARGE}",
    )  # fmt: skip
    parser.add_argument("--seed", default="1", metavar="TEXT", help="of the lots; default 1")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    for name, value, least in (
        *(("players", count, 3) for count in [*args.players]),
        ("rounds", args.rounds, 2),
        ("draws", args.draws, 1),
        ("large", args.large, 3),
    ):
        if value < least:
            raise UsageError(f"--{name} is {value}, expected {least} or more.")
    fields = [
        _field(count, args.rounds, args.draws, args.seed)
        for count in progress(args.players, total=len(args.players), unit="field")
    ]
    large = _large(args.large, args.rounds, args.seed)
    if args.json:
        print_json({"rounds": args.rounds, "draws": args.draws, "fields": fields, "large": large})
        return 0
    print(f"{args.rounds} rounds, mean of {args.draws} tournaments each")
    print(f"{'players':>8} {'meet again':>11} {'by chance':>10} {'ratio':>7} {'proved best':>12}")
    for one in fields:
        print(
            f"{one['players']:>8} {one['repeats']:>11.2f} {one['repeats_random']:>10.2f} "
            f"{one['ratio']:>7.3f} {one['proved']:>12.0%}"
        )
    print(
        f"{large['players']} players: {large['slowest_s']:.2f} s for the slowest of "
        f"{args.rounds} rounds, {large['of_limit']:.2f} of the {LIMIT_S:g} s allowed"
    )
    return 0


def _field(count: int, rounds: int, draws: int, seed: str) -> dict[str, Any]:
    """One field: pairs that meet again when drawn and when shuffled."""
    from rules.tournament_draw import Past, draw

    proved = 0
    again = by_chance = 0
    for number in range(draws):

        def drawn(names: Sequence[str], past: Past, at: int, number: int = number) -> Tables:
            nonlocal proved
            one = draw(names, TABLE_SIZES, past, f"{seed} {number} {at}")
            proved += one.exact
            return one.tables

        chance = random.Random(f"{seed} {number}")

        def shuffled(
            names: Sequence[str], past: Past, at: int, chance: random.Random = chance
        ) -> Tables:
            return _shuffled(names, chance)

        again += repeats(count, rounds, drawn)
        by_chance += repeats(count, rounds, shuffled)
    return {
        "players": count,
        "repeats": round(again / draws, 3),
        "repeats_random": round(by_chance / draws, 3),
        "ratio": round(again / by_chance, 4) if by_chance else 0.0,
        "proved": round(proved / (draws * rounds), 4),
    }


def repeats(count: int, rounds: int, seat: Callable[[Sequence[str], Any, int], Tables]) -> int:
    """Play a tournament's draws and count the pairs at a table who have met before.

    Args:
        count: how many players.
        rounds: how many rounds.
        seat: draws a round: names, what has been, number of the round.
    """
    from rules.tournament_draw import Pair, Past
    from rules.tournament_sizes import usual_size

    names = [f"player {number}" for number in range(count)]
    met: Counter[Pair] = Counter()
    uneven: Counter[str] = Counter()
    again = 0
    for at in range(rounds):
        tables = seat(names, Past(met=met, teams={}, uneven=uneven, sat_out={}), at)
        usual = usual_size([len(table) for table in tables])
        pairs = [frozenset(pair) for table in tables for pair in combinations(table, 2)]
        again += sum(1 for pair in pairs if met[pair])
        met.update(pairs)
        uneven.update(name for table in tables if len(table) != usual for name in table)
    return again


def _shuffled(names: Sequence[str], chance: random.Random) -> Tables:
    from rules.tournament_sizes import plan

    order = chance.sample(list(names), len(names))
    sizes, _ = plan(len(order), TABLE_SIZES)
    return [[order.pop() for _ in range(size)] for size in sizes]


def _large(count: int, rounds: int, seed: str) -> dict[str, Any]:
    """How long each round of a large field takes to draw."""
    from rules.tournament_draw import Past, draw

    taken_s: list[float] = []

    def timed(names: Sequence[str], past: Past, at: int) -> Tables:
        began_s = time.process_time()
        tables = draw(names, TABLE_SIZES, past, f"{seed} large {at}").tables
        taken_s.append(time.process_time() - began_s)
        return tables

    again = repeats(count, rounds, timed)
    slowest_s = max(taken_s)
    return {
        "players": count,
        "repeats": again,
        "slowest_s": round(slowest_s, 3),
        "of_limit": round(slowest_s / LIMIT_S, 4),
    }
