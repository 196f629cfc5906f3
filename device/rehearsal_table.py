"""A table of a rehearsal: real game, log and pipeline; its players decide by chance."""

from __future__ import annotations

import random
import threading
from collections.abc import Callable
from typing import Any

from device.game import Game
from device.hosting import Hosting
from device.hub_orders import TableSide
from device.hub_troubles import HUB_TROUBLES
from device.hub_wire import Seating
from device.pipeline import Pipeline
from device.random_play import random_action
from device.store import EventLog
from web_ui.errors import ActionRefused

NOBODY = ("A", "B")
"""Who plays before the hub has seated anybody: nobody touches the dice."""

LEAST_S = 0.0005
"""Between two moves, however fast the game is: what the hub wants must get a turn."""

IDLE_S = 0.05
"""How long a table without players waits before it looks again."""


class RehearsalTable:
    """Plays what the hub seats, one move every `move_s`, until closed.

    Args:
        log: of the table; one that is not empty is taken up.
        chance: decides dice and choices.
        clock: Unix time in seconds.
        move_s: from one move to the next, in seconds.
    """

    def __init__(
        self,
        log: EventLog,
        chance: random.Random,
        *,
        clock: Callable[[], float],
        move_s: float = 0.0,
    ) -> None:
        self._chance, self._move_s = chance, move_s
        self.log = log
        self.game = Game(log, book="turnier", players=NOBODY, clock=clock, weekday="saturday")
        self.pipeline = Pipeline(self.game)
        self.hosting = Hosting(log, self.game.note, self.pipeline.submit, pause_s=0.0)
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="rehearsal", daemon=True)

    def seat(self, seating: Seating) -> None:
        """Do as the hub says (see `device.hosting.Hosting.seat`)."""
        self.hosting.seat(seating)

    def side(self) -> TableSide:
        """What the table offers to the hub; it has no camera, so no pictures."""
        return TableSide(
            state=self._state,
            on_seating=self.seat,
            on_action=self.pipeline.submit,
            evidence=lambda _: None,
            show_fault=self._show_fault,
        )

    def start(self) -> None:
        """Begin to play in threads of its own."""
        self.hosting.start()
        self._thread.start()

    def close(self) -> None:
        """Stop playing; may be called twice."""
        self._stop.set()
        self.hosting.close()
        if self._thread.is_alive():
            self._thread.join(5.0)

    def move(self) -> bool:
        """Make one move; tell whether there was one to make."""
        if not self.hosting.is_playing:
            self.hosting.go_on()  # without the pause in which players see who has lost
            return False
        try:
            self.pipeline.submit(random_action(self.game.match, self._chance).to_json())
        except ActionRefused:
            return False  # the game has changed meanwhile: the next look shows it
        return True

    def _state(self) -> dict[str, Any]:
        match = self.game.match
        return {"players": list(match.players), "turn": match.current_player or ""}

    def _show_fault(self, what: str, *, there: bool) -> None:
        if not there:
            self.game.note("fault_over", {"what": what})
            return
        text_de, text_en = HUB_TROUBLES[what]
        self.game.note("fault", {"what": what, "text_de": text_de, "text_en": text_en})

    def _run(self) -> None:
        while not self._stop.is_set():
            moved = self.move()
            self._stop.wait(max(self._move_s, LEAST_S if moved else IDLE_S))
