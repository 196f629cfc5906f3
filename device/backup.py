"""A table in one file: log, settings, PINs, calibration, own books, pairing; made while it plays.

The archive is a ZIP without compression. `manifest.json` names every file with its SHA-256, says
where the log's chain begins and ends; the comment at the archive's end seals all of it
(`device.proof_files`). PINs are in it as hashes, the pairing with the hub as it is: whoever has the
file can play the table's part there, so it is for its owner alone (mode 600). The settings have
their earlier versions with them.
"""

from __future__ import annotations

import hashlib
import json
import os
import sqlite3
import time
import zipfile
from collections.abc import Callable, Iterator
from contextlib import closing, suppress
from dataclasses import dataclass, replace
from importlib import metadata
from pathlib import Path
from typing import Any, BinaryIO

from device.backup_folder import MANIFEST, free_name
from device.errors import SchockaugeError, SourceError, StoreError
from device.health.storing import last_backup
from device.mentions import Mentions
from device.pairing_file import OWNER_ONLY, write_secret
from device.pin_file import FILE_NAME
from device.proof import EVIDENCE, prove_log
from device.proof_files import CHUNK_BYTES, SEAL, ZipFiles, seal_archive
from device.proof_logs import from_database
from device.settings import Settings
from device.settings_versions import Versions
from device.store_file import read_only

FORMAT = 1
"""Of the archive; a later one is refused."""
LOG, SETTINGS = "log.sqlite3", "settings.toml"
VERSIONS = "settings.versions/"
"""Earlier contents of the settings file, and who made them (`device.settings_versions`)."""
LAST = "last_backup.json"
"""Beside the log: when the last backup on another disk was made (where there is none, on the same),
where it lies and how large it is."""
MAY_GO = (EVIDENCE, VERSIONS)
"""Beginnings of the names of what the table itself deletes in time."""
_FIRST_DAY = (1980, 1, 1, 0, 0, 0)


@dataclass(frozen=True)
class Part:
    """A file of the table.

    Attributes:
        name: in the archive.
        path: where it lies by the settings; None: they name none.
        secret: whoever has it can act in the table's name.
    """

    name: str
    path: Path | None
    secret: bool = False


@dataclass(frozen=True)
class Made:
    """What a backup has come to.

    Attributes:
        path: the archive.
        bytes: its size.
        entries: of the log.
        seal: hash of its last entry.
        files: names in it, without the manifest.
        lacking: files that the settings name and that are not there.
        same_disk: it lies on the disk of the log, and is lost with it.
        noted: the log's folder has taken the note of it; a card that can only be read does not.
    """

    path: Path
    bytes: int
    entries: int
    seal: str
    files: tuple[str, ...]
    lacking: tuple[str, ...]
    same_disk: bool = False
    noted: bool = True


def parts_of(settings: Settings, settings_file: Path | None) -> tuple[Part, ...]:
    """The files of a table besides its log and its evidence."""

    def named(name: str) -> Path | None:
        return Path(settings[name]) if settings[name] else None

    book = settings["game.book"]
    pins = named("store.pins_file") or Path(settings["store.path"]).parent / FILE_NAME
    return (
        Part(SETTINGS, settings_file),
        Part("pins.json", pins, secret=True),
        Part("calibration.toml", named("table.mat_file")),
        Part("own-dice.npz", named("model.own_dice_file")),
        Part("book.toml", Path(book) if book.endswith(".toml") else None),
        Part("pairing.json", named("hub.pairing_file"), secret=True),
    )


def back_up(
    settings: Settings,
    settings_file: Path | None,
    to: Path,
    *,
    evidence: bool = False,
    secrets: bool = True,
    clock: Callable[[], float] = time.time,
) -> Made:
    """Write the table's backup; it may be playing.

    Args:
        settings: of the table.
        settings_file: where they were read from; None: they have no file.
        to: a new file, or a folder in which one is named after the time.
        evidence: take stills and clips along.
        secrets: take PINs and pairing along.
        clock: Unix time in seconds.

    Raises:
        SourceError: there is no log.
        StoreError: it is damaged; no backup was made.
        SchockaugeError: `to` exists already, or cannot be written.
    """
    log, at_s = Path(settings["store.path"]), clock()
    if not log.is_file():
        raise SourceError(f"The log {log} does not exist, so there is nothing to back up.")
    out = free_name(to, at_s) if to.is_dir() else to
    if out.exists():
        raise SchockaugeError(f"{out} exists already; a backup is never overwritten.")
    if not out.parent.is_dir():
        raise SchockaugeError(
            f"The folder {out.parent} does not exist. Is the disk plugged in and mounted?"
        )
    here = [p for p in parts_of(settings, settings_file) if secrets or not p.secret]
    lacking = [str(p.path) for p in here if p.path and not p.path.is_file() and not p.secret]
    files = {p.name: p.path for p in here if p.path is not None and p.path.is_file()}
    files |= _versions(settings_file)
    part = out.with_name(f"{out.name}.part")
    copy = out.with_name(f"{out.name}.log")
    try:
        part.unlink(missing_ok=True)  # of one that a power cut has ended
        entries, seal, first = _copy_log(log, copy)
        files[LOG] = copy
        if evidence and (folder := settings["store.evidence_dir"]):
            files |= dict(_evidence(copy, Path(folder)))
        of_log = {"entries": entries, "seal": seal, "first": first}
        taken = _write(part, files, {"at_s": at_s, "log": of_log})
        _check(part)
        part.rename(out)
        keep_names(out.parent)
    except (OSError, sqlite3.Error) as error:
        if isinstance(error, SchockaugeError):
            raise
        why = getattr(error, "strerror", None) or error
        raise SchockaugeError(f"{out} cannot be written: {why}.") from error
    finally:
        for left in (part, copy):
            with suppress(OSError):
                left.unlink(missing_ok=True)
    same_disk = out.stat().st_dev == log.stat().st_dev
    made = Made(out, out.stat().st_size, entries, seal, taken, tuple(lacking), same_disk)
    return replace(made, noted=_note(made, log, at_s))


def _note(made: Made, log: Path, at_s: float) -> bool:
    """Note a backup beside the log; one on the log's own disk hides none that lies elsewhere.

    Returns:
        Whether that can be done: a card at its end is the very reason for a backup.
    """
    with suppress(ValueError):  # a damaged note is written anew
        known = last_backup(log)
        if made.same_disk and known is not None and not known.same_disk:
            return True
    note = {"at_s": at_s, "path": str(made.path.resolve()), "bytes": made.bytes}
    text = json.dumps({**note, "same_disk": made.same_disk}) + "\n"
    try:
        write_secret(log.parent / LAST, text, mode=0o644)
    except SchockaugeError:
        return False
    return True


def keep_names(folder: Path) -> None:
    """Have the disk take down which file a name stands for now, where it can."""
    with suppress(OSError):  # some sticks' file systems cannot, and need not
        at = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(at)
        finally:
            os.close(at)


def _copy_log(log: Path, copy: Path) -> tuple[int, str, str]:
    """Copy the log as it is at one moment, whoever writes to it.

    Returns:
        Of the copy: how many entries, the hash of the last one, and of the first ("": none).

    Raises:
        StoreError: its chain is broken.
    """
    copy.unlink(missing_ok=True)
    copy.touch(mode=OWNER_ONLY)
    with closing(read_only(log)) as source, closing(sqlite3.connect(copy)) as target:
        target.execute("PRAGMA synchronous = OFF")  # the archive is flushed, this goes again
        source.backup(target)
        target.execute("PRAGMA journal_mode = DELETE")  # one file, complete in itself
    proof = prove_log(from_database(copy), None)
    if proof.findings:
        raise StoreError(f"{log} is damaged, nothing was backed up: {proof.findings[0].text('en')}")
    first = next((read.entry.hash for read in from_database(copy) if read.entry is not None), "")
    return proof.entries, proof.seal, first


def _versions(settings_file: Path | None) -> dict[str, Path]:
    """The earlier versions of the settings file, by their names in the archive."""
    if settings_file is None:
        return {}
    return {f"{VERSIONS}{path.name}": path for path in Versions(settings_file.resolve()).files()}


def _evidence(log: Path, folder: Path) -> Iterator[tuple[str, Path]]:
    entries = (read.entry for read in from_database(log))
    for name in Mentions.of(e for e in entries if e is not None).expected():
        if Path(name).name == name and (folder / name).is_file():
            yield f"{EVIDENCE}{name}", folder / name


def _write(out: Path, files: dict[str, Path], said: dict[str, Any]) -> tuple[str, ...]:
    """Write the archive; the names of what is in it.

    Stills, clips and versions of the settings may be dropped by the table meanwhile, as their time
    is over: then they are not in it.
    """
    handle = os.open(out, os.O_RDWR | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
    with os.fdopen(handle, "w+b") as file:
        with zipfile.ZipFile(file, "w", zipfile.ZIP_STORED) as archive:
            archive.comment = SEAL % bytes(64)
            listed = {}
            for name, path in sorted(files.items()):
                try:
                    content = path.open("rb")
                except FileNotFoundError:
                    if name.startswith(MAY_GO):
                        continue
                    raise
                with content:
                    listed[name] = _add(archive, name, content)
            version = metadata.version("schockauge")
            manifest = {"format": FORMAT, "version": version, **said, "files": listed}
            text = json.dumps(manifest, indent=1, sort_keys=True)
            archive.writestr(zipfile.ZipInfo(MANIFEST, _FIRST_DAY), text)
        seal_archive(out)
        file.flush()
        os.fsync(file.fileno())
    return tuple(listed)


def _add(archive: zipfile.ZipFile, name: str, content: BinaryIO) -> dict[str, Any]:
    """Copy an open file into the archive; what the manifest says of it."""
    member = zipfile.ZipInfo(name, _FIRST_DAY)
    member.file_size = os.fstat(content.fileno()).st_size
    digest, size = hashlib.sha256(), 0
    with archive.open(member, "w") as into:
        while chunk := content.read(CHUNK_BYTES):
            digest.update(chunk)
            size += into.write(chunk)
    return {"sha256": digest.hexdigest(), "bytes": size}


def _check(archive: Path) -> None:
    """Read the archive back: a stick that takes everything and keeps nothing is told of now."""
    files = ZipFiles(archive)
    try:
        listed = json.loads(files.read(MANIFEST))["files"]
        good = not files.problems() and all(
            files.sha256(name) == said["sha256"] for name, said in listed.items()
        )
    finally:
        files.close()
    if not good:
        raise SchockaugeError(
            f"What was written to {archive.parent} reads back as something else; a file may have "
            "changed meanwhile, or the disk is bad. Try again, or take another disk."
        )
