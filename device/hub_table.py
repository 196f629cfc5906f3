"""What a table offers to the hub: what it shows, a referee's action, evidence."""

from __future__ import annotations

import hashlib
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.hub_orders import TableSide
from device.hub_wire import Seating
from device.mentions import Mentions
from device.settings import Settings
from device.store import EventLog
from rules.view import snapshot
from web_ui.errors import ActionRefused, RequestError
from web_ui.i18n import text
from web_ui.parsing import checked_action, least_of
from web_ui.roles import REFEREE, reaches

if TYPE_CHECKING:
    from device.appliance import Appliance

PAGE_ENTRIES = 1000


def table_side(
    appliance: Appliance, settings: Settings, seat: Callable[[Appliance, Seating], None] | None
) -> TableSide:
    """What a table offers.

    Args:
        appliance: the table.
        settings: its name and address.
        seat: lets it play what the hub has drawn; None: it goes on as it is.
    """
    folder = None if appliance.evidence is None else appliance.evidence.folder
    pictures = Pictures(appliance.log, folder)

    def on_seating(seating: Seating) -> None:
        if seat is not None:
            seat(appliance, seating)

    def show_fault(what: str, *, there: bool) -> None:
        (appliance.report if there else appliance.fault_over)(what)

    return TableSide(
        state=lambda: table_state(appliance, settings),
        on_seating=on_seating,
        on_action=lambda action: submit_for_referee(appliance, action),
        evidence=pictures.read,
        show_fault=show_fault,
    )


def table_state(appliance: Appliance, settings: Settings) -> dict[str, Any]:
    """What the table shows, as docs/hub.md describes it."""
    match = snapshot(appliance.game.match)
    turn, throws = match["turn"], match["throws"]
    return {
        "name": settings["web.table_name"],
        "url": settings["web.public_url"],
        **{key: match[key] for key in ("book", "players", "part", "round", "phase", "paused")},
        **{key: match[key] for key in ("stock", "holdings", "out")},
        "turn": None if turn is None else turn["player"],
        "throws": 0 if turn is None else turn["throws"],
        "last": {key: throws[-1][key] for key in ("player", "dice")} if throws else None,
        "game_loser": match["game"]["game_loser"],
        "faults": list(appliance.faults),
    }


def submit_for_referee(appliance: Appliance, action: dict[str, Any]) -> Mapping[str, Any]:
    """Carry out an action of the hub's referee as if he had signed in at the table's page.

    Raises:
        ActionRefused: it is malformed, not his, or not allowed now; nothing has changed.
    """
    try:
        may = reaches(REFEREE, least_of(action))
        checked = checked_action(action)
    except RequestError as error:
        de, en = (text(lang, f"error.{error.code}", **error.values) for lang in ("de", "en"))
        raise ActionRefused(de, en, error.code) from error
    if not may:
        raise ActionRefused(
            "Das darf nur der Wirt am Tisch.", "Only the landlord may, at the table.", "not_yours"
        )
    return appliance.pipeline.submit(checked)


class Pictures:
    """Finds stills and clips by digest: those that the log names, and no others.

    Args:
        log: of the table.
        folder: of the evidence; None: none is kept.
    """

    def __init__(self, log: EventLog, folder: Path | None) -> None:
        self._log, self._folder = log, folder
        self._mentions, self._seq = Mentions(), 0
        self._lock = threading.Lock()

    def read(self, sha256: str) -> bytes | None:
        """Content of a file; None: the log does not name it, or it is gone or changed.

        Raises:
            StoreError: the log cannot be read.
        """
        if self._folder is None:
            return None
        with self._lock:
            while page := self._log.read(self._seq, PAGE_ENTRIES):
                for entry in page:
                    self._mentions.take(entry)
                self._seq = page[-1].seq
            files = self._mentions.expected()
        for name, mention in files.items():
            if mention.sha256 == sha256 and Path(name).name == name:
                with suppress(OSError):
                    content = (self._folder / name).read_bytes()
                    if hashlib.sha256(content).hexdigest() == sha256:
                        return content
        return None
