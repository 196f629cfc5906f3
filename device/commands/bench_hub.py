"""`schockauge bench hub`: many tables at one hub; what reaches the wall, and when."""

from __future__ import annotations

import argparse
from collections.abc import Iterable, Iterator
from typing import Any

from device.commands.common import add_json, print_json, progress

EPILOG = """\
Runs Mosquitto (with TLS, passwords and rights), the hub with its pages, the tables and the screens
on this machine, each in a process of its own, with a tournament in which all tables play. The time
of an event counts from when it is written into the log of its table until a screen is told of it.
Afterwards every log is read back from the hub's database and held against the table's own.

With --backlog all tables come back at once with that many entries each, as after an evening without
the hub. First a bare subscriber (paho-mqtt) counts the same messages; the ratio is that of the hub
to it, in entries a second.

Without --database the hub works on a file. A PostgreSQL for an afternoon, as any user but root:
  initdb -D /tmp/bench --username=schock --auth=trust
  pg_ctl -D /tmp/bench -o "-p 5499 -c unix_socket_directories=" -l /tmp/bench.log start
  schockauge bench hub --database postgresql://schock@127.0.0.1:5499/postgres
The benchmark makes a database of its own there for each measurement, and removes it. (On Debian the
programs are in /usr/lib/postgresql/VERSION/bin.)

Exit status 1: an entry was lost, is there twice, or in the wrong order.
"""

LABELS = {
    "tables": "tables",
    "rate": "events a second of each",
    "backlog": "entries that each came back with",
    "seconds": "seconds",
    "database": "database",
    "logs": "logs of the tables in",
    "events": "events",
    "tables_complete": "tables of which the hub has everything",
    "missing": "  entries that are missing",
    "out_of_order": "  entries twice or out of order",
    "dropped": "messages that had to be sent again",
    "late_ms_p99": "how late the benchmark itself wrote, 99 of 100, ms",
    "late_ms_max": "  at most, ms",
    "hub_ms_p50": "from the table's log to the hub's database, median, ms",
    "hub_ms_p99": "  99 of 100, ms",
    "hub_ms_max": "  at most, ms",
    "ms_p50": "from the table's log to a screen, median, ms",
    "ms_p99": "  99 of 100, ms",
    "ms_max": "  at most, ms",
    "board_ms_p50": "  to a new board on the wall, median, ms",
    "board_ms_p99": "  99 of 100, ms",
    "board_ms_max": "  at most, ms",
    "events_per_s": "entries a second, until tables know that they are safe",
    "hall_per_s": "  until the hall shows them",
    "bare_per_s": "  of a bare subscriber that only counts",
    "ratio": "  ratio of the hub to it",
    "cpu_hub_ms": "processor for one event: hub, ms",
    "cpu_broker_ms": "  broker, ms",
    "cpu_database_ms": "  PostgreSQL, ms",
    "cpu_tables_ms": "  all tables, ms",
    "cpu_viewers_ms": "  screens, ms",
    "hub_cpu_percent": "processor of the hub, % of one core",
    "hub_mb": "memory of the hub at its most, MB",
}
"""Figures and how they are called, in the order of printing."""

MOST_TABLES = 1000


def add_options(parser: argparse.ArgumentParser) -> None:
    """The options of this benchmark."""
    number = parser.add_argument
    number("--tables", type=int, default=200, metavar="N", help="at once (200)")
    number("--rate", type=float, default=1.0, metavar="N", help="events a second of each (1)")
    number("--seconds", type=float, default=60.0, metavar="S", help="(60)")
    number(
        "--steps", metavar="N,N,…", help="instead of --tables: one measurement after the other"
    )  # fmt: skip
    number(
        "--backlog", type=int, default=0, metavar="N",
        help="instead of --rate: all come back at once, with so many entries each",
    )  # fmt: skip
    number("--viewers", type=int, default=5, metavar="N", help="screens (5)")
    number(
        "--boards", type=int, default=1, metavar="N", help="of them fetch the wall's board, too (1)"
    )
    number(
        "--processes", type=int, default=0, metavar="N",
        help="for the tables (one for each hundred)",
    )  # fmt: skip
    number("--memory", action="store_true", help="keep the tables' logs in memory, not in files")
    number(
        "--database", default="", metavar="URL",
        help="a PostgreSQL in which databases may be made (without it: a file)",
    )  # fmt: skip
    number("--seed", type=int, default=1, metavar="N", help="of games and moments (1)")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Measure and print."""
    from device.hub.bench import steps
    from device.hub.bench_stage import Load

    tables = _tables(args)
    _check(args)
    load = Load(
        rate=args.rate,
        seconds=args.seconds,
        backlog=args.backlog,
        viewers=args.viewers,
        boards=args.boards,
        processes=args.processes,
        memory=args.memory,
        database=args.database,
        seed=args.seed,
    )
    done: list[dict[str, Any]] = []
    for figures in steps(load, tables, _ticking):
        if args.json:
            print_json(figures)
        done.append(figures)
    if not args.json:
        _print(done)
    return 0 if all(map(_is_whole, done)) else 1


def _ticking(items: Iterable[int], total: int) -> Iterator[int]:
    return progress(items, total=total, unit="s" if total < 10_000 else "entries")


def _is_whole(figures: dict[str, Any]) -> bool:
    wrong = figures["missing"] or figures["out_of_order"]
    return not wrong and figures["tables_complete"] == figures["tables"]


def _print(done: list[dict[str, Any]]) -> None:
    """One column for each measurement."""
    for name, label in LABELS.items():
        row = [str(figures[name]) for figures in done if name in figures]
        if row:
            print(f"  {label:<56}" + "".join(f"{cell:>17}" for cell in row))


def _tables(args: argparse.Namespace) -> list[int]:
    from device.errors import UsageError

    if args.steps is None:
        counts, name = [args.tables], "tables"
    else:
        name = "steps"
        try:
            counts = [int(word) for word in args.steps.split(",")]
        except ValueError as error:
            raise UsageError(
                f"--steps is {args.steps!r}, expected numbers of tables, such as 50,100,200."
            ) from error
    for count in counts:
        if not 1 <= count <= MOST_TABLES:
            raise UsageError(f"--{name} has {count}, expected 1 to {MOST_TABLES} tables.")
    return counts


def _check(args: argparse.Namespace) -> None:
    from device.errors import UsageError

    for name, least in (("backlog", 0), ("viewers", 1), ("boards", 0), ("processes", 0)):
        if getattr(args, name) < least:
            raise UsageError(f"--{name} is {getattr(args, name)}, expected {least} or more.")
    if args.boards > args.viewers:
        raise UsageError(f"--boards is {args.boards}, expected 0 to {args.viewers}.")
    for name in ("rate", "seconds"):
        if getattr(args, name) <= 0:
            raise UsageError(f"--{name} is {getattr(args, name):g}, expected more than 0.")
