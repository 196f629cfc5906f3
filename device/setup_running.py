"""What the set-up of a table needs of the appliance that is running."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from device.filming import Fault
from device.frames import Frame
from device.settings import Settings
from vision.watcher import Watcher

TryWatcher = Callable[[Settings, Frame], Watcher]


def _no_note(kind: str, data: dict[str, Any]) -> None:
    """Before an appliance is there."""


def _not_shown(*, there: bool) -> None:
    """Before an appliance is there."""


@dataclass
class Table:
    """What the set-up needs of the appliance that is running now; another one after each end.

    Attributes:
        note: writes into its log.
        try_watcher: a watcher for the mat that a frame shows, by settings that are being made.
        show: shows on the dashboard, or takes back, that the camera is being set up.
    """

    note: Callable[[str, dict[str, Any]], None] = _no_note
    try_watcher: TryWatcher | None = None
    show: Fault = _not_shown
