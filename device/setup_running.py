"""What the set-up of a table needs of the appliance that is running."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from device.filming import Fault
from device.frames import Frame
from device.settings import Settings
from device.unwritten import HELD
from vision.watcher import Watcher
from web_ui.errors import ActionRefused

TryWatcher = Callable[[Settings, Frame], Watcher]


def _no_note(kind: str, data: dict[str, Any]) -> None:
    """Before an appliance is there."""


def _no_look() -> bool:
    """Before a camera is there."""
    return False


def _nothing_held() -> int:
    """Before an appliance is there."""
    return 0


def _not_shown(*, there: bool) -> None:
    """Before an appliance is there."""


@dataclass
class Table:
    """What the set-up needs of the appliance that is running now; another one after each end.

    Attributes:
        note: writes into its log.
        try_watcher: a watcher for the mat that a frame shows, by settings that are being made.
        show: shows on the dashboard, or takes back, that the camera is being set up.
        look_again: lets the camera find light and focus anew; False: it does not do such a thing.
        held: how much waits in its memory for a log that cannot be written.
    """

    note: Callable[[str, dict[str, Any]], None] = _no_note
    try_watcher: TryWatcher | None = None
    show: Fault = _not_shown
    look_again: Callable[[], bool] = _no_look
    held: Callable[[], int] = _nothing_held

    def check_log(self) -> None:
        """Check that nothing waits for the log: a set-up ends this appliance, and its memory.

        Raises:
            ActionRefused: something does.
        """
        if self.held():
            raise ActionRefused(*HELD, "log_unwritable")

    def look_again_or_say_why(self) -> None:
        """Let the camera find light and focus anew.

        Raises:
            ActionRefused: it is not there, or regulates itself all the time.
        """
        if not self.look_again():
            raise ActionRefused(
                "Nur eine Raspberry-Pi-Kamera, die Bilder sendet, stellt sich auf Wunsch neu ein; "
                "andere tun es von selbst oder an ihren eigenen Knöpfen.",
                "Only a Raspberry Pi camera that sends pictures finds light and focus anew when "
                "asked; others do so by themselves, or by buttons of their own.",
                "no_look",
            )
