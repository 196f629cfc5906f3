"""The disk: room, how long it lasts, whether the log can be written, the last backup, the weights.

Whether the log can be written is tried as far as it costs no wear: the database's write lock is
taken and given back, which fails on a read-only or damaged file, and the free space is looked at.
"""

from __future__ import annotations

import json
import os
import shutil
import sqlite3
import threading
import time
from collections import deque
from collections.abc import Callable
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import models
from device.health.state import NOTHING, Measured, State, Words

LOCK_S = 1.0
"""Patience with whoever writes just now."""
LEAST_BYTES = 2_000_000
"""An entry, its page of the write-ahead log and the lot of it when it is folded in."""
BACKUP_FILE = "last_backup.json"
"""Beside the log: `{"at_s": Unix time, "path": where, "bytes": size, "same_disk": as the log}`."""
PACE_S = 6 * 3600.0
"""The pace of the disk is that of the last six hours: more than an evening."""
PACE_LEAST_S = 1800.0
"""Before half an hour nobody can say."""
PACE_EVERY_S = 60.0
WEIGHTS_EVERY_S = 3600.0
"""Files of some megabytes are read anew so often."""
DAY_S = 86_400.0

FULL: Words = "die Speicherkarte ist voll", "the disk is full"
READ_ONLY: Words = "die Speicherkarte lässt sich nur lesen", "the disk is read-only"
LOCKED: Words = "ein anderes Programm schreibt gerade", "another program is writing"
NOT_OURS: Words = (
    "in den Ordner des Protokolls darf nicht geschrieben werden",
    "the folder of the log may not be written",
)
LOCKED_CODES = frozenset({sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED})
PRIMARY_CODE = 0xFF
"""Of SQLite's extended codes the part that names the kind."""


def free_mb(path: Path) -> float | None:
    """Room on the disk of a file, for whoever runs this, MB."""
    try:
        return shutil.disk_usage(path.resolve().parent).free / 1e6
    except OSError:
        return None


def why_not_writable(path: Path) -> Words | None:
    """Why a log cannot be written; None: it can. Names no file, as guests may read it.

    A log that is not there yet has a writable folder.

    Args:
        path: of the log.
    """
    folder = path.resolve().parent
    try:
        about = os.statvfs(folder)
        if about.f_flag & os.ST_RDONLY:
            return READ_ONLY
        if about.f_bavail * about.f_frsize < LEAST_BYTES:
            return FULL
        if not path.exists():
            return None if os.access(folder, os.W_OK) else NOT_OURS
        uri = f"{path.resolve().as_uri()}?mode=rw"
        with closing(sqlite3.connect(uri, timeout=LOCK_S, uri=True, isolation_level=None)) as db:
            db.execute("BEGIN IMMEDIATE")
            db.execute("ROLLBACK")
    except OSError as error:
        why = error.strerror or type(error).__name__
        return why, why
    except sqlite3.Error as error:
        code = getattr(error, "sqlite_errorcode", 0) & PRIMARY_CODE
        return LOCKED if code in LOCKED_CODES else (str(error), str(error))
    return None


def file_system_errors(path: Path, root: Path) -> int | None:
    """Errors that the kernel has met in the file system of a log; None: it does not count them.

    Args:
        path: of the log.
        root: of the machine's file system, for /sys; ext4 alone counts.
    """
    try:
        number = path.resolve().parent.stat().st_dev
        device = (root / f"sys/dev/block/{os.major(number)}:{os.minor(number)}").resolve().name
        return int((root / f"sys/fs/ext4/{device}/errors_count").read_text())
    except (OSError, ValueError):
        return None


class DiskPace:
    """How long the disk lasts at the present pace.

    Args:
        clock: monotonic seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._free: deque[tuple[float, float]] = deque()

    def days(self, now_mb: float | None) -> Measured:
        """Days of uninterrupted running until the disk is full.

        Args:
            now_mb: free space now; None: unknown.
        """
        if now_mb is None:
            return NOTHING
        with self._lock:
            now_s = self._clock()
            if not self._free or now_s - self._free[-1][0] >= PACE_EVERY_S:
                self._free.append((now_s, now_mb))
            while now_s - self._free[0][0] > PACE_S:
                self._free.popleft()
            then_s, then_mb = self._free[0]
        if now_s - then_s < PACE_LEAST_S:
            return Measured(None, ("dafür läuft es noch nicht lange genug", "too early to say"))
        used_mb = then_mb - now_mb
        if used_mb <= 0:
            return Measured(None, ("es wird nicht voller", "it does not get fuller"), State.GOOD)
        return Measured(now_mb / used_mb * (now_s - then_s) / DAY_S)


@dataclass(frozen=True)
class Backup:
    """What the last backup has left.

    Attributes:
        at_s: when it was made, Unix time.
        bytes: its size.
        same_disk: it lies on the card of the log, and is lost with it.
    """

    at_s: float
    bytes: int
    same_disk: bool = False


def last_backup(log_path: Path) -> Backup | None:
    """The last backup of a log; None: there is none that is known.

    Raises:
        ValueError: its note is damaged.
    """
    try:
        text = (log_path.resolve().parent / BACKUP_FILE).read_text(encoding="utf-8")
    except FileNotFoundError:
        return None
    except OSError as error:
        raise ValueError(str(error)) from error
    noted: Any = json.loads(text)
    if not isinstance(noted, dict):
        raise ValueError(f"{BACKUP_FILE} is no object")
    try:
        same_disk = bool(noted.get("same_disk", False))
        return Backup(float(noted["at_s"]), int(noted["bytes"]), same_disk)
    except (KeyError, TypeError) as error:
        raise ValueError(f"{BACKUP_FILE} lacks {error}") from error


class Weights:
    """Looks now and then whether the weights are still those of the manifest.

    Args:
        folder: with manifest and weights.
        clock: monotonic seconds.
    """

    def __init__(self, folder: Path, clock: Callable[[], float] = time.monotonic) -> None:
        self._folder, self._clock = folder, clock
        self._lock = threading.Lock()
        self._looked_s: float | None = None
        self._found = NOTHING

    def look(self) -> Measured:
        """1: all of them are; 0: one is missing or another."""
        with self._lock:
            now_s = self._clock()
            if self._looked_s is None or now_s - self._looked_s >= WEIGHTS_EVERY_S:
                self._found, self._looked_s = self._read(), now_s
            return self._found

    def _read(self) -> Measured:
        try:
            known = models.manifest(self._folder)
        except models.ModelFileError:
            return Measured(
                0, ("das Manifest fehlt oder ist beschädigt", "the manifest is gone or damaged")
            )
        wrong = [name for name in known.networks if not self._is_ours(name)]
        if wrong:
            names = ", ".join(wrong)
            return Measured(0, (f"beschädigt oder fort: {names}", f"damaged or gone: {names}"))
        of = ", ".join(f"{name} {file.sha256[:12]}" for name, file in known.networks.items())
        told = f"{known.version}: {of}"
        return Measured(1, (told, told))

    def _is_ours(self, name: str) -> bool:
        try:
            models.weights(name, self._folder)
        except (models.ModelFileError, OSError):
            return False
        return True
