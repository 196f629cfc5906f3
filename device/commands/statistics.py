"""`schockauge statistics`: what the games of a log come to, for each player and set of dice."""

from __future__ import annotations

import argparse
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.chain import LogEntry
from device.commands.common import add_json, new_parser, print_json
from device.errors import StoreError

if TYPE_CHECKING:
    from rules.statistics import Tally


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "statistics",
        "Tell what the games of a log come to: for each player rounds, Deckel, Schock aus, streaks "
        "and luck, and whether the dice fall evenly.",
        example="schockauge statistics evening.sqlite3",
    )
    parser.add_argument(
        "file", type=Path, metavar="LOG", help="a log, or one exported as JSON lines"
    )
    parser.add_argument("--lang", choices=("de", "en"), default="de", help="de (default) or en")
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Print the same numbers as the page /statistics and /api/statistics."""
    from web_ui.statistics_numbers import statistics_json

    tally = _tally(args.file)
    if args.json:
        print_json(statistics_json(tally, args.lang))
    else:
        print("\n".join(_lines(tally, args.lang)))
    return 0


class _Entries:
    """The entries of a file, as the fold of the pages reads a log."""

    def __init__(self, path: Path) -> None:
        from device.records import entries

        self._all = list(entries(path))

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[LogEntry]:
        """Return entries; they are numbered from 1 without gaps (`device.chain`)."""
        return self._all[after_seq : after_seq + limit]


def _tally(path: Path) -> Tally:
    """Sum up a log.

    Raises:
        SourceError: no such file, or no log.
        StoreError: it is damaged, or the rules cannot follow it.
    """
    from web_ui.projection import Projection

    board = Projection(_Entries(path), log_lines=1).board()
    if board.broken is not None:
        raise StoreError(
            f"Entry {board.broken['seq']} of {path} does not follow from those before it: "
            f"{board.broken['reason']}. The log belongs to another version or is damaged."
        )
    return board.past + board.under_way


def _lines(tally: Tally, lang: str) -> Iterator[str]:
    """A column for each player, then the dearest round and the sets of dice."""
    from web_ui.fairness_words import fairness_text
    from web_ui.i18n import text
    from web_ui.statistics_view import dearest_text, dice_name, player_rows

    if not tally.rounds:
        yield text(lang, "stats.empty")
    else:
        yield from _table(player_rows(tally.players, lang))
        yield dearest_text(tally.dearest, lang)
    for whose, faces in tally.faces.items():
        yield f"{dice_name(whose, lang)}: {fairness_text(faces, lang)}"


def _table(rows: Sequence[Sequence[str]]) -> Iterator[str]:
    widths = [max(map(len, column)) for column in zip(*rows, strict=True)]
    for head, *cells in rows:
        aligned = [cell.rjust(width) for cell, width in zip(cells, widths[1:], strict=True)]
        yield "  ".join([head.ljust(widths[0]), *aligned])
