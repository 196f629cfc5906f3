"""The file of the PINs: hashes and the key of the cookies, beside the log, for its owner alone."""

from __future__ import annotations

import json
import os
import secrets
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from device.errors import StoreError

FILE_NAME = "schockauge-pins.json"
"""Beside the log, where the settings name no other file."""

OWNER_ONLY = 0o600


def pins_path(settings: Mapping[str, Any]) -> Path:
    """Where the settings say that the PINs lie."""
    named = settings["store.pins_file"]
    return Path(named) if named else Path(settings["store.path"]).parent / FILE_NAME


class PinFile:
    """A `web_ui.pins.PinStore` in a file; a change by another process is seen with the next look.

    Args:
        path: the file; made when absent (its folder must exist).
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self.name = path.name
        self._seen: tuple[int, int, int] | None = None
        self._record: dict[str, Any] = {}

    def load(self) -> dict[str, Any]:
        """Return what was saved last, by whomever.

        Raises:
            StoreError: the file cannot be read, or holds something else.
        """
        try:
            state = self.path.stat()
            seen = (state.st_mtime_ns, state.st_ino, state.st_size)
            if seen != self._seen:
                if state.st_mode & 0o077:
                    self.path.chmod(OWNER_ONLY)  # copied by hand, perhaps
                record = json.loads(self.path.read_text(encoding="utf-8"))
                if not _is_record(record):
                    raise ValueError("it is no record of PINs")
                self._record, self._seen = record, seen
        except FileNotFoundError:
            return {}
        except (OSError, ValueError) as error:
            raise StoreError(
                f"The PINs in {self.path} cannot be read: {error}. Restore the file from a copy, "
                "or delete it: all PINs are then gone and the landlord gets a new first one."
            ) from error
        return self._record

    def save(self, record: Mapping[str, Any]) -> None:
        """Write a new file and put it in the place of the old one, so that a power cut harms none.

        Raises:
            StoreError: it cannot be written.
        """
        fresh = self.path.with_name(f"{self.path.name}.{secrets.token_hex(4)}")
        try:
            try:
                handle = os.open(fresh, os.O_WRONLY | os.O_CREAT | os.O_EXCL, OWNER_ONLY)
                with os.fdopen(handle, "w", encoding="utf-8") as file:
                    json.dump(record, file)
                    file.flush()
                    os.fsync(file.fileno())
                fresh.replace(self.path)
            finally:
                fresh.unlink(missing_ok=True)
        except OSError as error:
            raise StoreError(
                f"The PINs cannot be written to {self.path}: {error.strerror}. Name a file in a "
                "folder that can be written with the setting store.pins_file."
            ) from error


def _is_record(record: Any) -> bool:
    """Whether it has the form in which `web_ui.pins` keeps it."""
    if not isinstance(record, dict) or not isinstance(record.get("secret_key", ""), str):
        return False
    pins, ended = record.get("pins", {}), record.get("signed_out", {})
    if not isinstance(pins, dict) or not isinstance(ended, dict):
        return False
    named = all(
        isinstance(pin, dict) and all(isinstance(pin.get(key), str) for key in ("hash", "id"))
        for pin in pins.values()
    )
    return named and all(isinstance(until_s, int | float) for until_s in ended.values())
