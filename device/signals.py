"""The lamp, the buzzer and the button of a table, kept in step with its log.

Nothing here can disturb the game: it reads the log beside it, in a thread of its own, and what goes
wrong is a fault on the page until it is over. The panel is tried again every `RETRY_S`.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from contextlib import suppress
from typing import Any, Protocol, Self

from device.chain import LogEntry
from device.errors import StoreError
from device.faults import SIGNALS_FAULT
from device.pipeline import Pipeline
from device.signal_button import claim_last, confirm_reading, only_question
from device.signal_panel import Panel, Presses
from device.signal_table import (
    ASKS,
    BLIND,
    CALIBRATING,
    COUNTED,
    FAULT,
    MOMENTARY,
    OBJECTS,
    OWN,
    READY,
    SCREEN,
    SEARCHING,
    Signal,
)
from device.store import EventLog

TICK_S = 0.2
"""So soon a signal that lasts for a while is over."""
RETRY_S = 30.0
"""A panel that could not be opened is tried again: the process before may still have held it."""

_log = logging.getLogger(__name__)


class Table(Protocol):
    """What is needed of a table (`device.appliance.Appliance`)."""

    log: EventLog
    pipeline: Pipeline
    sees_mat: bool

    @property
    def faults(self) -> tuple[str, ...]:
        """Codes of the faults that are shown."""

    def report(self, what: str, **more: Any) -> None:
        """Show a fault; `problem` says for the log what is wrong."""

    def fault_over(self, what: str) -> None:
        """Take it back."""


class Signals:
    """Shows what a table does; a context manager.

    Args:
        table: which one.
        open_panel: opens lamp, buzzer and button.
        clock: seconds, monotonic.
    """

    def __init__(
        self,
        table: Table,
        open_panel: Callable[[Presses], Panel],
        *,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self._table = table
        self._open_panel = open_panel
        self._clock = clock
        self._panel: Panel | None = None
        self._try_at_s = float("-inf")
        self._shown: Signal | None = None
        self._moment: tuple[Signal, float] | None = None
        self._pressed_at: str | None = None
        self._lock = threading.Lock()
        self._over = threading.Event()
        self._seq = self._end_of_log()
        self._thread = threading.Thread(target=self._run, name="signals", daemon=True)

    def start(self) -> None:
        """Begin."""
        self._thread.start()

    def close(self) -> None:
        """Go dark; may be called twice."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()
        if self._panel is not None:
            self._panel.close()
            self._panel = None

    def __enter__(self) -> Self:
        self.start()
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def step(self) -> None:
        """Take in what is new in the log, and show what is to be shown now.

        Raises:
            StoreError: the log cannot be read.
        """
        for entry in self._table.log.read(self._seq):
            self._seq = entry.seq
            self._take(entry)
        self._use(lambda panel: self._show(panel, self._now()))

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self._table.log.wait(self._seq, TICK_S)
                self.step()
            except Exception as error:  # left as it was, the lamp would tell what is no more
                _log.warning("the lamp cannot follow the log: %s", error)
                with suppress(StoreError):
                    self._use(lambda panel: self._show(panel, FAULT))
                self._over.wait(1.0)

    def _end_of_log(self) -> int:
        seq = 0
        while entries := self._table.log.read(seq):
            seq = entries[-1].seq
        return seq

    def _take(self, entry: LogEntry) -> None:
        if (signal := MOMENTARY.get(entry.type)) is not None:
            self._for_a_while(signal)
        if entry.type == "question.asked":
            self._use(lambda panel: panel.buzz())

    def _for_a_while(self, signal: Signal) -> None:
        with self._lock:
            now_s = self._clock()
            objects = self._moment is not None and self._moment[0] is OBJECTS
            if signal is COUNTED and objects and self._moment and now_s < self._moment[1]:
                return  # a throw that counts all the same does not take the objection back
            self._moment = (signal, now_s + (signal.lasts_s or 0.0))

    def _now(self) -> Signal:
        """What is to be shown: what has just happened, then what hinders most."""
        with self._lock:
            if self._moment is not None and self._clock() < self._moment[1]:
                return self._moment[0]
        desk = self._table.pipeline.desk
        faults = {*self._table.faults, *desk.faults} - OWN
        ways: tuple[tuple[bool, Signal], ...] = (
            (bool(faults & BLIND), FAULT),
            (bool(desk.questions), ASKS),
            (bool(faults & SEARCHING) or not self._table.sees_mat, CALIBRATING),
            (bool(faults), FAULT),
        )
        return next((signal for holds, signal in ways if holds), READY)

    def _show(self, panel: Panel, now: Signal) -> None:
        if now is not self._shown:
            panel.show(now)
            self._shown = now

    def _use(self, do: Callable[[Panel], None]) -> None:
        """Do something with the panel; a fault is told, and the panel tried again later."""
        try:
            if self._panel is None:
                if self._clock() < self._try_at_s:
                    return
                presses = Presses(short=self._claim, long=self._confirm, down=self._press)
                self._panel = self._open_panel(presses)
            do(self._panel)
            self._table.fault_over(SIGNALS_FAULT)
        except StoreError:
            raise
        except Exception as error:  # whatever a panel throws, the others stay as they are
            _log.warning("%s", error)
            self._try_at_s = self._clock() + RETRY_S
            self._shown = None
            panel, self._panel = self._panel, None
            if panel is not None:
                panel.close()
            self._table.report(SIGNALS_FAULT, problem=str(error))

    def _press(self) -> None:
        self._pressed_at = only_question(self._table.pipeline)

    def _claim(self) -> None:
        self._by_button(lambda: claim_last(self._table.pipeline))

    def _confirm(self) -> None:
        self._by_button(lambda: confirm_reading(self._table.pipeline, self._pressed_at))

    def _by_button(self, do: Callable[[], bool]) -> None:
        try:
            done = do()
        except Exception:  # in gpiozero's thread, which would end, and the button with it
            _log.exception("the button's press came to nothing")
            done = False
        if not done:
            self._for_a_while(SCREEN)
