"""`schockauge verify`: prove that an evening is unchanged, or name the first changed entry."""

from __future__ import annotations

import argparse
from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.commands.common import add_json, new_parser, print_json
from device.errors import SourceError

if TYPE_CHECKING:
    from device.proof import Proof
    from device.proof_files import Files
    from device.proof_logs import Read

EVIDENCE_DIR = "evidence"
"""Where the files of a log lie when nobody says otherwise: in this folder beside it."""


def add_parser(subparsers: Any) -> None:
    """Add the command."""
    parser = new_parser(
        subparsers,
        "verify",
        "Prove that an evening is unchanged, or name the first changed entry and every file that "
        "is missing, changed or not mentioned.",
        example="schockauge verify evening.sqlite3\n  schockauge verify evening.zip",
        epilog="exit status: 0 unchanged, 1 changed or not to be read, 2 bad usage",
    )
    parser.add_argument(
        "file", type=Path, metavar="LOG_OR_EXPORT", help="log, exported log, folder or archive"
    )
    parser.add_argument(
        "--evidence",
        type=Path,
        metavar="DIR",
        help="stills and clips of a log; default: the folder 'evidence' beside it, if there is one",
    )
    add_json(parser)


def run(args: argparse.Namespace) -> int:
    """Check, and tell what was found."""
    proof = _prove(args.file, args.evidence)
    if args.json:
        _print_json(proof)
    else:
        for finding in proof.findings:
            print(finding.text("de"))
        print(_summary(proof))
    return 1 if proof.findings else 0


def _prove(path: Path, evidence: Path | None) -> Proof:
    from device.errors import UsageError
    from device.proof import LOG, prove_export, prove_log
    from device.proof_files import FolderFiles, ZipFiles
    from device.records import SQLITE_MAGIC

    if path.is_dir() or path.suffix.lower() == ".zip":
        if evidence is not None:
            raise UsageError("--evidence is for a log; an export has its files with it.")
        files = FolderFiles(path) if path.is_dir() else ZipFiles(path)
        return prove_export(_lines_of(files, LOG), files)
    try:
        with path.open("rb") as file:
            is_database = file.read(len(SQLITE_MAGIC)) == SQLITE_MAGIC
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error
    beside = path.parent / EVIDENCE_DIR
    folder = evidence or (beside if beside.is_dir() else None)
    return prove_log(_lines(path, is_database=is_database), FolderFiles(folder) if folder else None)


def _lines(path: Path, *, is_database: bool) -> Iterable[Read]:
    from device.proof_logs import from_database, from_lines

    if is_database:
        return from_database(path)
    try:
        return from_lines(path.read_bytes())
    except OSError as error:
        raise SourceError(f"{path} cannot be read: {error.strerror}.") from error


def _lines_of(files: Files, name: str) -> Iterable[Read]:
    from device.proof_files import UnreadableError
    from device.proof_logs import Read, from_lines

    if name not in files.names():
        return [Read(None, f"there is no {name}")]
    try:
        return from_lines(files.read(name))
    except UnreadableError as error:
        return [Read(None, f"{name} is {error}")]


def _print_json(proof: Proof) -> None:
    for finding in proof.findings:
        print_json(
            {
                "finding": finding.code,
                "seq": finding.seq,
                "file": finding.name or None,
                "expected": finding.expected,
                "found": finding.found,
                "text": finding.text("en"),
            }
        )
    print_json(
        {
            "unchanged": not proof.findings,
            "entries": proof.entries,
            "seal": proof.seal,
            "files": proof.files if proof.looked_at_files else None,
            "dropped": proof.dropped,
        }
    )


def _summary(proof: Proof) -> str:
    files = f"{proof.files} Dateien geprüft, {proof.dropped} planmäßig gelöscht"
    if not proof.looked_at_files:
        files = "Bilder und Filme nicht geprüft (ihren Ordner mit --evidence nennen)"
    if proof.findings:
        count = len(proof.findings)
        return f"VERÄNDERT: {count} Befunde; {proof.entries} Einträge stimmen davor; {files}."
    return f"Unverändert: {proof.entries} Einträge, {files}. Siegel: {proof.seal}"
