"""A folder of backups: how they are named, and which of them are too old."""

from __future__ import annotations

import json
from datetime import UTC, datetime
from itertools import count
from pathlib import Path

from device.proof_files import UnreadableError, ZipFiles

MANIFEST = "manifest.json"
PREFIX, SUFFIX = "schockauge-", ".zip"


def free_name(folder: Path, at_s: float) -> Path:
    """For an archive; by UTC, so that none is named twice in the night the clock goes back.

    Args:
        folder: may be shared with another table, which is backed up at the same second.
        at_s: Unix time, seconds.
    """
    plain = f"{PREFIX}{datetime.fromtimestamp(at_s, UTC):%Y-%m-%d-%H%M%S}"
    names = (f"{plain}{f'-{number}' if number > 1 else ''}{SUFFIX}" for number in count(1))
    return next(path for name in names if not (path := folder / name).exists())


def tidy_folder(folder: Path, keep: int, of: Path) -> list[Path]:
    """Remove the oldest backups of a log but `keep`, and return them.

    Other files stay, and so do the backups of another table, or of this one's log before a card
    was changed: who shares a folder takes nothing from anybody.

    Args:
        folder: of the backups.
        keep: so many of the newest stay.
        of: a backup of the log.
    """
    ours = _first_of(of)
    found = sorted(folder.glob(f"{PREFIX}????-??-??-??????*{SUFFIX}"), key=lambda one: one.stem)
    found = [path for path in found if ours and _first_of(path) == ours]
    gone = found[: max(0, len(found) - keep)]
    for path in gone:
        path.unlink()
    return gone


def _first_of(archive: Path) -> str:
    """Hash of the first entry of the log in a backup; "" where there is none, or it tells not."""
    files = None
    try:
        files = ZipFiles(archive)
        return str(json.loads(files.read(MANIFEST))["log"]["first"])
    except (OSError, ValueError, KeyError, TypeError, UnreadableError):
        return ""
    finally:
        if files is not None:
            files.close()
