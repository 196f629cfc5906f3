"""What the views share: the log, the way to act and the fold, kept with the application."""

import threading
from dataclasses import dataclass
from typing import cast

from flask import current_app

from web_ui.ports import Alarms, EventLog, Health, Preview, Submit
from web_ui.projection import Projection

_KEY = "schockauge.web_ui"


class Seats:
    """Counts the live viewers, so that they never use up all threads of the server."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._taken = 0

    def take(self, limit: int) -> bool:
        """Take a seat; False when all `limit` are taken."""
        with self._lock:
            if self._taken >= limit:
                return False
            self._taken += 1
            return True

    def leave(self) -> None:
        """Give a seat back."""
        with self._lock:
            self._taken -= 1


@dataclass(frozen=True)
class Context:
    """The seams of one application."""

    log: EventLog
    submit: Submit
    preview: Preview
    projection: Projection
    seats: Seats
    health: Health
    alarms: Alarms = tuple

    def install(self, extensions: dict[str, object]) -> None:
        """Keep this context in the application's extensions."""
        extensions[_KEY] = self


def context() -> Context:
    """Return the seams of the application that serves this request."""
    return cast(Context, current_app.extensions[_KEY])
