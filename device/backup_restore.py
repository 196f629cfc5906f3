"""A backup brought back: checked to its last byte before anything is touched, nothing overwritten.

Whatever lies where a file belongs is kept beside it as `NAME.before-restore-TIME`. Each file takes
its place in one step, so that a power cut in between leaves the old one or the new one.
"""

from __future__ import annotations

import json
import os
import sqlite3
import tempfile
import time
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from device.backup import FORMAT, LOG, SETTINGS, VERSIONS, keep_names, parts_of
from device.backup_folder import MANIFEST
from device.errors import SchockaugeError, SettingsError, StoreError
from device.pairing_file import OWNER_ONLY
from device.proof import EVIDENCE, prove_log
from device.proof_files import UnreadableError, ZipFiles
from device.proof_logs import from_database
from device.settings import Settings, load_settings
from device.settings_versions import Versions, is_kept
from device.store_file import check_form, read_only

LEAST_WAIT_S = 1.0
BESIDE_LOG = ("-wal", "-shm", "-journal")


@dataclass(frozen=True)
class Restored:
    """What was brought back.

    Attributes:
        log: its file.
        entries: how many it has.
        seal: hash of the last one.
        placed: the files that took their places.
        aside: where what was there before is kept.
    """

    log: Path
    entries: int
    seal: str
    placed: tuple[Path, ...]
    aside: tuple[Path, ...]


def restore(
    archive: Path,
    settings_file: Path | None,
    *,
    keep_settings: bool = False,
    older: bool = False,
    clock: Callable[[], float] = time.time,
) -> Restored:
    """Bring a backup back.

    Args:
        archive: made by `device.backup.back_up`.
        settings_file: where the settings belong; None: the table has no file of settings.
        keep_settings: those of the table stay, and say where the rest belongs.
        older: also where the table's log has everything of the backup and more.
        clock: Unix time in seconds, names what is kept aside.

    Raises:
        SourceError: no such file.
        StoreError: it is damaged, or the table is playing; nothing was changed.
        SchockaugeError: it belongs to a later version, or cannot be unpacked.
    """
    files = ZipFiles(archive)
    try:
        manifest = _checked(archive, files)
        settings = _settings(files, settings_file, keep=keep_settings)
        places = _places(manifest, settings, settings_file, keep=keep_settings)
        log = places[LOG]
        for folder in {path.parent for path in places.values()}:
            folder.mkdir(parents=True, exist_ok=True)
        fresh: dict[Path, Path] = {}
        try:
            for name, path in places.items():
                fresh[path] = _unpacked(files.read(name), path)
            _prove(fresh[log], manifest)
            if not older:
                _refuse_older(log, manifest)
            aside = _swap(fresh, log, f"{datetime.fromtimestamp(clock(), UTC):%Y%m%d-%H%M%S}")
        finally:
            for left in fresh.values():
                left.unlink(missing_ok=True)
    except OSError as error:
        if isinstance(error, SchockaugeError):
            raise
        raise SchockaugeError(f"{archive} cannot be brought back: {error}.") from error
    finally:
        files.close()
    said = manifest["log"]
    return Restored(log, said["entries"], said["seal"], tuple(sorted(places.values())), aside)


def _checked(archive: Path, files: ZipFiles) -> dict[str, Any]:
    """The manifest of an archive in which everything is as it was written."""
    for expected, found in files.problems():
        raise _damaged(archive, f"the archive was changed: expected {expected}, found {found}")
    try:
        manifest: dict[str, Any] = json.loads(files.read(MANIFEST))
        form, listed = int(manifest["format"]), dict(manifest["files"])
        said = {name: str(of["sha256"]) for name, of in listed.items()}
        known = isinstance(manifest["log"]["entries"], int) and LOG in said
    except (UnreadableError, KeyError, TypeError, ValueError) as error:
        raise StoreError(
            f"{archive} is no backup of Schockauge ({MANIFEST}: {error!r})."
        ) from error
    if form > FORMAT:
        raise SchockaugeError(
            f"{archive} was made by a later version ({manifest.get('version')}, form {form}; this "
            f"one knows {FORMAT}). Update first."
        )
    others = set(files.names()) ^ (set(said) | {MANIFEST})
    if others or not known:
        raise _damaged(archive, f"its files are not those of its list: {sorted(others) or LOG}")
    for name, digest in said.items():
        try:
            found = files.sha256(name)
        except UnreadableError as error:
            raise _damaged(archive, f"{name} is {error}") from error
        if found != digest:
            raise _damaged(archive, f"{name} was changed: expected {digest}, found {found}")
    return manifest


def _damaged(archive: Path, what: str) -> StoreError:
    return StoreError(f"{archive} is damaged, nothing was changed: {what}. Take another backup.")


def _settings(files: ZipFiles, settings_file: Path | None, *, keep: bool) -> Settings:
    """Those that say where everything belongs."""
    if keep or settings_file is None or SETTINGS not in files.names():
        there = settings_file is not None and settings_file.exists()
        return load_settings(settings_file if there else None)
    with tempfile.TemporaryDirectory(prefix="schockauge-restore-") as folder:
        path = Path(folder) / SETTINGS
        path.write_bytes(files.read(SETTINGS))
        try:
            return load_settings(path)
        except SettingsError as error:
            why = str(error).replace(str(path), SETTINGS)
            raise SettingsError(
                f"The settings in the backup cannot be used, nothing was changed: {why} With "
                "--keep-settings those that are there say where everything belongs."
            ) from error


def _places(
    manifest: dict[str, Any], settings: Settings, settings_file: Path | None, *, keep: bool
) -> dict[str, Path]:
    """Where each file belongs; what the settings have no place for stays in the archive."""
    known = {part.name: part.path for part in parts_of(settings, settings_file)}
    known[LOG] = Path(settings["store.path"])
    if keep:
        known[SETTINGS] = None
    folder = settings["store.evidence_dir"]
    places: dict[str, Path] = {}
    for name in manifest["files"]:
        plain = name.removeprefix(EVIDENCE)
        if name.startswith(EVIDENCE) and Path(plain).name == plain and folder:
            places[name] = Path(folder) / plain
        elif name.startswith(VERSIONS):
            if settings_file is not None and not keep and is_kept(name.removeprefix(VERSIONS)):
                places[name] = Versions(settings_file.resolve()).folder / Path(name).name
        elif (path := known.get(name)) is not None:
            places[name] = path
    return places


def _unpacked(content: bytes, path: Path) -> Path:
    """A flushed file beside its place, with owner and mode of what is there, or of the folder."""
    handle, name = tempfile.mkstemp(prefix=f".{path.name}.", suffix=".restoring", dir=path.parent)
    with os.fdopen(handle, "wb") as file:
        file.write(content)
        of = path if path.exists() else path.parent
        if os.geteuid() == 0:
            os.fchown(file.fileno(), of.stat().st_uid, of.stat().st_gid)
        os.fchmod(file.fileno(), path.stat().st_mode & 0o777 if path.exists() else OWNER_ONLY)
        file.flush()
        os.fsync(file.fileno())
    return Path(name)


def _prove(log: Path, manifest: dict[str, Any]) -> None:
    check_form(log)
    proof = prove_log(from_database(log), None)
    said = manifest["log"]
    if proof.findings:
        raise StoreError(f"The log in the backup is damaged: {proof.findings[0].text('en')}")
    if (proof.entries, proof.seal) != (said["entries"], said["seal"]):
        raise StoreError(
            f"The log in the backup has {proof.entries} entries up to {proof.seal}, expected "
            f"{said['entries']} up to {said['seal']}. Nothing was changed."
        )


def _refuse_older(log: Path, manifest: dict[str, Any]) -> None:
    """Whoever brings back less than is there shall say so."""
    said = manifest["log"]
    if not log.exists():
        return
    try:
        with closing(read_only(log)) as database:
            row = database.execute(
                "SELECT hash FROM entries WHERE seq = ?", (said["entries"],)
            ).fetchone()
            (count,) = database.execute("SELECT count(*) FROM entries").fetchone()
    except sqlite3.Error:
        return  # what is there is damaged: the very reason for a backup
    if row == (said["seal"],) and count > said["entries"]:
        raise StoreError(
            f"The log {log} has everything of the backup and {count - said['entries']} entries "
            "more; nothing was changed. With --older the backup is brought back all the same, and "
            "the log is kept beside it."
        )


def _swap(fresh: dict[Path, Path], log: Path, stamp: str) -> tuple[Path, ...]:
    """Let every file take its place, the log last; returns where the old ones are kept."""
    _let_go(log)
    aside: list[Path] = []
    order = sorted(fresh, key=lambda path: (path == log, path))
    for path in order:
        old = path.with_name(f"{path.name}.before-restore-{stamp}")
        if path.exists():
            if path.read_bytes() == fresh[path].read_bytes():
                continue
            _keep(path, old)
            aside.append(old)
        if path == log:
            for suffix in BESIDE_LOG:  # of a damaged log, which could not be closed properly
                beside = Path(f"{path}{suffix}")
                if beside.exists():
                    beside.rename(f"{old}{suffix}")
        fresh[path].replace(path)
    for folder in {path.parent for path in order}:
        keep_names(folder)
    return tuple(aside)


def _keep(path: Path, old: Path) -> None:
    """Give a file a second name, so that the first one is never without a file."""
    try:
        os.link(path, old)
    except OSError:  # a file system without links
        path.rename(old)


def _let_go(log: Path) -> None:
    """Bring everything of the old log into its file.

    Raises:
        StoreError: the table is playing on it.
    """
    if not log.exists():
        return
    try:
        with closing(read_only(log)) as database:
            database.execute("SELECT count(*) FROM entries").fetchone()
    except sqlite3.DatabaseError:
        return  # damaged: its files are kept as they are, and opening them would change them
    try:
        with closing(sqlite3.connect(log, timeout=LEAST_WAIT_S)) as database:
            # Only who is alone with a log may leave its write-ahead mode.
            database.execute("PRAGMA journal_mode = DELETE").fetchone()
    except sqlite3.DatabaseError as error:
        if "locked" in str(error):
            raise StoreError(
                f"A program plays on the log {log}; nothing was changed. Stop it first "
                "(`systemctl stop schockauge`), then try again."
            ) from error
