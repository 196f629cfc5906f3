"""`schockauge export`: an evening's log as CSV or JSON lines."""

from __future__ import annotations

import argparse
import csv
import io
import json
import sys
from collections.abc import Iterable
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.chain import LogEntry
from device.commands.common import new_parser
from device.errors import SchockaugeError

COLUMNS = ("seq", "at", "type", "player", "dice", "text", "data", "hash")


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "export",
        "Write a log as CSV (for a spreadsheet) or as JSON lines (complete, with its chain).",
        example="schockauge export evening.sqlite3 --format csv --out evening.csv",
    )
    parser.add_argument("file", type=Path, metavar="LOG", help="the log")
    parser.add_argument("--format", choices=("csv", "json"), default="csv")
    parser.add_argument("--json", action="store_const", const="json", dest="format")
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: stdout")


def run(args: argparse.Namespace) -> int:
    """Write every entry of the log."""
    from device.records import entries

    text = _as_csv(entries(args.file)) if args.format == "csv" else _as_json(entries(args.file))
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        args.out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise SchockaugeError(f"{args.out} cannot be written: {error.strerror}.") from error
    return 0


def _as_json(log: Iterable[LogEntry]) -> str:
    return "".join(json.dumps(entry.to_json(), ensure_ascii=False) + "\n" for entry in log)


def _as_csv(log: Iterable[LogEntry]) -> str:
    from web_ui.sentences import describe

    out = io.StringIO()
    writer = csv.writer(out)
    writer.writerow(COLUMNS)
    for entry in log:
        writer.writerow(
            (
                entry.seq,
                datetime.fromtimestamp(entry.at_s, UTC).isoformat(timespec="milliseconds"),
                entry.type,
                _cell(entry.data.get("player", "")),
                "-".join(str(die) for die in entry.data.get("dice") or ()),
                _cell(describe("de", entry.type, entry.data).text),
                json.dumps(entry.data, ensure_ascii=False),
                entry.hash,
            )
        )
    return out.getvalue()


def _cell(value: object) -> str:
    """A text cell; a name that begins like a formula must not become one in a spreadsheet."""
    text = str(value)
    return f"'{text}" if text.startswith(("=", "+", "-", "@")) else text
