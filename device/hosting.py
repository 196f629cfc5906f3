"""A table as the host of a tournament's round: seats whom the hub sends, plays game after game.

The hub says who plays and for how long (`Seating`); from then on the table needs nobody: it goes on
by its own log while the hub is away, and after a power cut as well.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Mapping
from typing import Any

from device.errors import StoreError
from device.hub_wire import Seating
from device.played_rounds import REFUSED, SEATED, PlayedRounds
from device.store import EventLog
from rules.errors import RulesError
from web_ui.errors import ActionRefused
from web_ui.ports import START

BY = "Turnier"
NEXT_ROUND = "die nächste Runde des Turniers beginnt"
"""Why a game is abandoned that the round before has left open."""

SCHARF = "scharf: eine Hälfte hat entschieden"
"""Why the rest of a game of sudden death is not played."""

PAUSE_S = 5.0
"""Between two games, so that everybody sees who has lost."""

LOOK_S = 0.5
PAGE_ENTRIES = 1000

_log = logging.getLogger(__name__)

Note = Callable[[str, dict[str, Any]], None]
Submit = Callable[[Mapping[str, Any]], Any]


class Hosting:
    """Plays the rounds of a tournament at a table; a thread of its own between `start` and `close`.

    Args:
        log: of the table; what it says of earlier seatings holds.
        note: writes an entry that is no event of the rules.
        submit: carries out an action at the table (`device.pipeline.Pipeline.submit`).
        pause_s: between two games, in seconds.
    """

    def __init__(
        self, log: EventLog, note: Note, submit: Submit, *, pause_s: float = PAUSE_S
    ) -> None:
        self._log, self._note, self._submit, self._pause_s = log, note, submit, pause_s
        self._played = PlayedRounds()
        self._seq = 0
        self._wanted: Seating | None = None
        self._lock = threading.RLock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="hosting", daemon=True)
        self._refused = ""
        self._read()
        self._wanted = self._played.seating

    def start(self) -> None:
        """Begin to watch the log for games that are over."""
        self._thread.start()

    def close(self) -> None:
        """Stop; may be called twice, and without `start`."""
        self._stop.set()
        if self._thread.is_alive():
            self._thread.join(2.0)

    def seat(self, seating: Seating) -> None:
        """Do as the hub says; hearing the same twice changes nothing.

        Raises:
            StoreError: the log cannot be written.
        """
        with self._lock:
            self._read()
            before = self._played.seating
            if seating != before and (seating.round or before is not None):
                self._note(SEATED, seating.to_body())
            self._wanted, self._refused = seating, ""
            self.go_on()

    @property
    def is_playing(self) -> bool:
        """Whether a game of a round is under way, be it one that a ruling has opened again."""
        with self._lock:
            self._read()
            return self._played.is_playing

    def _run(self) -> None:
        while not self._stop.is_set():
            try:
                self._log.wait(self._seq, LOOK_S)
                if self._is_due():
                    self._stop.wait(self._pause_s)
                    self.go_on()
            except StoreError:
                self._stop.wait(LOOK_S)  # the table itself shows what is wrong with its log
            except Exception:  # the round must not end because of one stumble
                _log.exception("the tournament's round could not go on")
                self._stop.wait(self._pause_s or LOOK_S)

    def _is_due(self) -> bool:
        """Whether the round goes on at this table and nothing is being played."""
        with self._lock:
            self._read()
            return not self._under_way() and bool(self._next_players())

    def _read(self) -> None:
        """Take in what is new in the log."""
        while page := self._log.read(self._seq, PAGE_ENTRIES):
            for entry in page:
                self._played.take(entry)
                self._seq = entry.seq

    def _next_players(self) -> tuple[str, ...]:
        seating = self._wanted
        if seating is None or not seating.round or self._refused:
            return ()
        try:
            return self._played.next_players(seating)
        except RulesError:
            return ()  # the log is damaged; the page says so

    def go_on(self) -> None:
        """Begin the next game of the round, if there is one and none of it is under way."""
        with self._lock:
            self._read()
            if self._under_way() or self._stop.is_set():
                return
            seating, players = self._wanted, self._next_players()
            if seating is None or not players:
                return
            action: dict[str, Any] = {"type": START, "players": list(players), "by": BY}
            match = self._played.match
            if match is not None and not match.is_over:
                action["reason"] = SCHARF if self._played.in_place else NEXT_ROUND
            try:
                self._submit({**action, "book": seating.book})
            except ActionRefused as refused:
                self._tell(refused)
            self._read()

    def _under_way(self) -> bool:
        seating = self._wanted
        return seating is not None and seating.round > 0 and self._played.is_playing

    def _tell(self, refused: ActionRefused) -> None:
        """Say once that the game which the hub wants cannot begin here; it is not tried again."""
        self._refused = refused.code
        texts = {"text_de": refused.text_de, "text_en": refused.text_en}
        self._note(REFUSED, {"code": refused.code, **texts})
