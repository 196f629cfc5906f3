"""Versions side by side: which one a name stands for, and how systemd starts it."""

from __future__ import annotations

import subprocess
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path

from device.backup import keep_names
from device.durable_file import write_durably
from device.errors import SchockaugeError

UNIT, SERVICE = Path("/etc/systemd/system/schockauge.service"), Path("install/schockauge.service")
"""By which systemd starts what `current` points to, and where a version has its own."""
RELOAD_S = 60.0
"""Patience with systemd."""


def points_to(link: Path) -> Path | None:
    """Which version a name stands for; None: there is no such name."""
    return link.resolve() if link.is_symlink() else None


def point(link: Path, target: Path) -> None:
    """Let a name point elsewhere, in one step."""
    fresh = link.with_name(f"{link.name}.new")
    fresh.unlink(missing_ok=True)
    fresh.symlink_to(target)
    fresh.replace(link)
    keep_names(link.parent)


def fit_service(unit: Path | None, reload: Sequence[str], release: Path) -> None:
    """Have systemd start a version by its own service file; what a landlord changes is a drop-in.

    Args:
        unit: systemd's file; None: there is none.
        reload: has systemd read it anew.
        release: the version; an older one that has none leaves the file as it is.

    Raises:
        SchockaugeError: the file cannot be written, or systemd does not read it; it is as before.
    """
    own = release / SERVICE
    if unit is None or not own.is_file():
        return
    before = None
    try:
        if own.read_bytes() == (known := unit.read_bytes()):
            return
        write_durably(unit, own.read_bytes())
        before = known
        subprocess.run(list(reload), capture_output=True, check=True, timeout=RELOAD_S)
    except (OSError, subprocess.SubprocessError) as error:
        if before is not None:
            with suppress(OSError):
                write_durably(unit, before)
        raise SchockaugeError(f"{unit} cannot be renewed for {release.name}: {error}") from error
