"""Files that a power cut leaves whole: the old content or the new one, never half of either."""

from __future__ import annotations

import os
import secrets
from pathlib import Path

NEW_FILE, NEW_FOLDER = 0o644, 0o755
_READ_BITS, _ENTER_SHIFT = 0o444, 2


def write_durably(path: Path, content: bytes, *, like: Path | None = None) -> None:
    """Write a file in one step: a new one beside it, flushed to the disk, takes its name.

    Args:
        path: the file; made when absent.
        content: all of it.
        like: mode and owner are as of this file where it exists; None: as of `path` itself.

    Raises:
        OSError: it cannot be written; the old content is there as before.
    """
    state = _state(like or path)
    fresh = path.with_name(f".{path.name}.{secrets.token_hex(4)}")
    try:
        handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600)
        with os.fdopen(handle, "wb") as file:
            file.write(content)
            if state is not None:
                _give(file.fileno(), state)
            os.fchmod(file.fileno(), NEW_FILE if state is None else state.st_mode & 0o777)
            file.flush()
            os.fsync(file.fileno())  # before the name points there
        fresh.replace(path)
    finally:
        fresh.unlink(missing_ok=True)
    _flush_folder(path.parent)


def own_folder(path: Path, *, like: Path) -> None:
    """Make a folder where there is none; whoever may read the file `like` may look into it.

    Raises:
        OSError: it cannot be made.
    """
    if path.is_dir():
        return
    state = _state(like)
    try:
        path.mkdir(mode=0o700)
    except FileExistsError:
        if path.is_dir():
            return  # somebody else has just made it
        raise
    mode = NEW_FOLDER
    if state is not None:
        handle = os.open(path, os.O_RDONLY | os.O_DIRECTORY)
        try:
            _give(handle, state)
        finally:
            os.close(handle)
        mode = 0o700 | (state.st_mode & _READ_BITS) | (state.st_mode & _READ_BITS) >> _ENTER_SHIFT
    path.chmod(mode)
    _flush_folder(path.parent)


def _give(handle: int, state: os.stat_result) -> None:
    """Give a new file the owner of an old one: who mends settings as root keeps nobody out."""
    mine = os.fstat(handle)
    if (mine.st_uid, mine.st_gid) == (state.st_uid, state.st_gid):
        return
    try:
        os.fchown(handle, state.st_uid, state.st_gid)
    except PermissionError:
        return  # only root gives files away; who may write the folder owns the new one


def _state(path: Path) -> os.stat_result | None:
    try:
        return path.stat()
    except FileNotFoundError:
        return None


def _flush_folder(folder: Path) -> None:
    at = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(at)
    finally:
        os.close(at)
