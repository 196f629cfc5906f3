"""`schockauge export`: a log as CSV or JSON lines, or a whole evening with its evidence."""

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

from device.chain import LogEntry, as_line
from device.commands.common import add_settings, new_parser, settings_from
from device.errors import SchockaugeError, UsageError

COLUMNS = ("seq", "at", "type", "player", "dice", "text", "data", "hash")


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "export",
        "Write a log as CSV (for a spreadsheet) or as JSON lines (complete, with its chain), or a "
        "whole evening with rule books, stills and clips (`schockauge verify` checks it).",
        example="schockauge export evening.sqlite3 --format csv --out evening.csv\n"
        "  schockauge export evening.sqlite3 --evening evening.zip",
    )
    parser.add_argument(
        "file", type=Path, nargs="?", metavar="LOG", help="the log; default: store.path"
    )
    parser.add_argument("--format", choices=("csv", "json"))
    parser.add_argument("--json", action="store_const", const="json", dest="format")
    parser.add_argument(
        "--evening", type=Path, metavar="PATH", help="write all of it: FILE.zip, or a new folder"
    )
    parser.add_argument(
        "--evidence", metavar="DIR", help="stills and clips; default: store.evidence_dir"
    )
    add_settings(parser)
    parser.add_argument("--out", type=Path, metavar="FILE", help="default: stdout")


def run(args: argparse.Namespace) -> int:
    """Write every entry of the log."""
    from device.records import entries

    settings = settings_from(args, store__evidence_dir=args.evidence)
    log = args.file or Path(settings["store.path"])
    if args.evening is not None:
        if args.format is not None or args.out is not None:
            raise UsageError("--evening has a form and a place of its own; leave out the others.")
        return _write_evening(log, settings["store.evidence_dir"], args.evening)
    if args.evidence is not None:
        raise UsageError("--evidence belongs to --evening.")
    text = _as_json(entries(log)) if args.format == "json" else _as_csv(entries(log))
    if args.out is None:
        sys.stdout.write(text)
        return 0
    try:
        args.out.write_text(text, encoding="utf-8", newline="")
    except OSError as error:
        raise SchockaugeError(f"{args.out} cannot be written: {error.strerror}.") from error
    return 0


def _write_evening(log: Path, evidence_dir: str, out: Path) -> int:
    """Write an evening; status 1 where files of evidence are lacking."""
    from device.evening import export_evening

    done = export_evening(log, Path(evidence_dir) if evidence_dir else None, out)
    print(f"{out}: {done.entries} Einträge, {done.files} Dateien. Siegel: {done.seal}")
    if done.lacking:
        raise SchockaugeError(
            f"{len(done.lacking)} stills or clips are missing in {evidence_dir or '(no folder)'} "
            f"or were changed, the first is {done.lacking[0]}. What is there was exported; name "
            "the right folder with --evidence."
        )
    return 0


def _as_json(log: Iterable[LogEntry]) -> str:
    return "".join(as_line(entry) + "\n" for entry in log)


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
