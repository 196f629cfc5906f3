"""The table's side of the road to the hub: the log goes out, seatings and rulings come in.

Nothing here can disturb the game: it reads the log beside it, in threads of its own, and whatever
goes wrong is a fault that the table shows until it is over. What is to be sent when, `Outbox`
decides; how it gets there, `Connection`.

Three threads: the sender waits for new entries and sends them at once; the connection's own takes
what arrives, and lets the next batch go as soon as the hub has one; a third carries out what the
hub wants, so that a slow disk or a game under lock keeps nothing from being sent.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable
from queue import Empty, SimpleQueue
from typing import Any, Self

from device.chain import canonical
from device.errors import ForgedMessageError, StoreError
from device.hub_orders import Orders, TableSide
from device.hub_troubles import HUB_TROUBLES
from device.hub_wire import (
    AVAILABLE,
    CURSOR,
    EVENTS,
    OFFLINE,
    ONLINE,
    ROOT,
    SEATING,
    STATE,
    Cursor,
    seal,
    topic,
    unseal,
)
from device.mqtt import Connection, Trouble
from device.outbox import Outbox
from device.pairing_file import Pairing
from device.store import EventLog

WAIT_S = 0.25
"""The sender looks at the clock so often while nothing happens."""

STATE_EVERY_S = 1.0
"""What the table shows is told at most so often."""

GRACE_S = 5.0
"""A connection that is back within this time was no fault worth an entry in the log."""

SILENT_S = 30.0
"""A hub that takes nothing for so long is one."""

ORDER_AGAIN_S = 1.0
"""A seating that could not be carried out (the disk was busy) is tried again after this time."""

Order = tuple[str, dict[str, Any]]
"""What the hub wants: the end of the topic, and the content."""

_FAULT_OF = {Trouble.REFUSED: "hub_refused", Trouble.UNTRUSTED: "hub_untrusted"}

_log = logging.getLogger(__name__)


class Uplink:
    """Sends the log of a table to the hub and hands on what the hub wants; a context manager.

    Args:
        log: of the table; only read.
        pairing: with the hub.
        side: what the table offers to the hub.
        clock: monotonic time, seconds.
        rest: this is an older log, of which the hub lacks the rest: it is sent beside the table's
            own uplink, under another name, and nothing else is done.

    Raises:
        SchockaugeError: the pairing cannot be used.
    """

    def __init__(
        self,
        log: EventLog,
        pairing: Pairing,
        side: TableSide,
        clock: Callable[[], float] = time.monotonic,
        *,
        rest: bool = False,
    ) -> None:
        self._rest = rest
        self._log, self._pairing, self._side, self._clock = log, pairing, side, clock
        self._lock = threading.Lock()
        self._outbox: Outbox | None = None
        self._moved, self._over = threading.Event(), threading.Event()
        self._state, self._state_seq, self._state_s = b"", -1, float("-inf")
        self._shown = set(HUB_TROUBLES)  # what an evening before has left is taken back first
        self._forged = False
        self._lost_s: float | None = clock()
        self._connection = Connection(
            pairing.access,
            f"{pairing.table}-rest" if rest else pairing.table,
            [topic(pairing.table, CURSOR if rest else "set/+")],
            self._receive,
            self._changed,
            will=None if rest else (topic(pairing.table, AVAILABLE), OFFLINE),
        )
        self._orders = Orders(pairing, side, self._connection.publish)
        self._todo: SimpleQueue[Order | None] = SimpleQueue()
        name = f"uplink {pairing.table}"
        self._sender = threading.Thread(target=self._run, name=name, daemon=True)
        self._worker = threading.Thread(target=self._carry_out, name=f"{name} orders", daemon=True)

    @property
    def is_connected(self) -> bool:
        """Whether the broker is there."""
        return self._connection.is_connected

    @property
    def cursor(self) -> int:
        """The last entry that the hub has for good, as far as the table knows."""
        with self._lock:
            return 0 if self._outbox is None else self._outbox.cursor

    def is_done(self) -> bool:
        """Whether the hub has said that it has all of the log.

        Raises:
            StoreError: the log cannot be read.
        """
        with self._lock:
            return self._outbox is not None and self._outbox.is_done(self._log.read)

    def start(self) -> Self:
        """Begin, in the background."""
        self._sender.start()
        self._worker.start()
        return self

    def stop(self) -> None:
        """Ask it to end, without waiting."""
        self._over.set()
        self._moved.set()
        self._todo.put(None)

    def close(self) -> None:
        """Say goodbye to the hub and end; may be called twice."""
        self.stop()
        self._connection.close()
        for thread in (self._sender, self._worker):
            if thread.is_alive():
                thread.join(2 * WAIT_S)

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                if self._outbox is None:
                    self._begin()
                else:
                    self._turn(self._outbox)
            except StoreError:  # the game's own entries say that the log is not to be read
                self._over.wait(WAIT_S)
            except Exception:  # whatever it is, the game goes on and so does the sending
                _log.exception("the uplink of %s stumbled", self._pairing.table)
                self._over.wait(STATE_EVERY_S)

    def _begin(self) -> None:
        """A log has a name once it has a first entry."""
        if self._log.wait(0, WAIT_S):
            self._outbox = Outbox(self._log.read(0, 1)[0].hash)
            self._connection.start()

    def _turn(self, outbox: Outbox) -> None:
        now_s = self._clock()
        with self._lock:
            outbox.overdue(now_s)
            room_in_s, sent = outbox.room_in_s(now_s), outbox.sent
        self._show_faults(self._faults(outbox, now_s))
        if self.is_connected and not self._rest and now_s - self._state_s >= STATE_EVERY_S:
            self._tell_state(sent, now_s, look=room_in_s != 0.0)
        if room_in_s != 0.0:
            self._moved.wait(WAIT_S if room_in_s is None else min(WAIT_S, room_in_s))
            self._moved.clear()
        elif self._log.wait(sent, WAIT_S):
            self._send(outbox)

    def _send(self, outbox: Outbox) -> None:
        """Send what there is and may be sent."""
        where = topic(self._pairing.table, EVENTS)
        while True:
            with self._lock:
                batch = outbox.next_batch(self._log.read, self._clock())
                if batch is None:
                    return
                message = seal(self._pairing.key, where, batch.to_body())
                if not self._connection.publish(where, message):
                    return  # lost just now: `_changed` puts it back

    def _tell_state(self, sent: int, now_s: float, *, look: bool) -> None:
        """Tell what the table shows, where it may have changed; `look`: nobody knows."""
        if sent == self._state_seq and not look:
            return
        state = canonical({**self._side.state(), "seq": sent}).encode()
        self._state_seq, self._state_s = sent, now_s
        if state != self._state and self._connection.publish(
            topic(self._pairing.table, STATE), state, retain=True
        ):
            self._state = state

    def _changed(self, is_connected: bool) -> None:  # noqa: FBT001 - the connection's callback
        outbox, now_s = self._outbox, self._clock()
        if outbox is None:
            return
        with self._lock:
            if is_connected:
                outbox.connected(now_s)
            else:
                outbox.disconnected()
        if is_connected and not self._rest:
            where = topic(self._pairing.table, AVAILABLE)
            self._connection.publish(where, ONLINE, retain=True)
            self._state, self._state_s, self._state_seq = b"", float("-inf"), -1
        self._lost_s = None if is_connected else now_s
        self._moved.set()

    def _receive(self, where: str, content: bytes, is_kept: bool) -> None:  # noqa: FBT001
        what = where.removeprefix(f"{ROOT}/{self._pairing.table}/")
        if not content:  # how a message that the broker has kept is taken back
            return
        if is_kept and what not in (CURSOR, SEATING):  # an order of before is none of now
            return
        try:
            body = unseal(self._pairing.key, where, content)
            if what == CURSOR:
                self._follow(Cursor.from_body(body))
            else:
                self._todo.put((what, body))
        except ForgedMessageError:
            self._forged = True
        else:
            self._forged = False

    def _follow(self, cursor: Cursor) -> None:
        if (outbox := self._outbox) is None:
            return
        with self._lock:
            outbox.acknowledged(cursor, self._clock())
        self._send(outbox)
        self._moved.set()

    def _carry_out(self) -> None:
        failed: Order | None = None  # a seating: the hub says it once, and nobody would ask again
        while (order := self._next_order(failed)) is not None:
            failed = None if order[0] == SEATING else failed  # a newer one takes its place
            try:
                self._orders.carry_out(*order)
            except ForgedMessageError:
                self._forged = True
            except Exception:  # an order that cannot be carried out must not end those after it
                _log.exception("an order of the hub for %s failed", self._pairing.table)
                failed = order if order[0] == SEATING else failed

    def _next_order(self, failed: Order | None) -> Order | None:
        """What the hub wants next; after a while without anything: what has failed, once more."""
        try:
            return self._todo.get(timeout=None if failed is None else ORDER_AGAIN_S)
        except Empty:
            return failed

    def _faults(self, outbox: Outbox, now_s: float) -> set[str]:
        found, connection = set(), self._connection
        if self._lost_s is not None and now_s - self._lost_s >= GRACE_S:
            found.add(_FAULT_OF.get(connection.trouble, "hub"))
        with self._lock:
            if outbox.silent_s(now_s) >= SILENT_S:
                found.add("hub_refused" if connection.refused else "hub_silent")
            if outbox.is_behind_hub:
                found.add("hub_ahead")
        if self._forged:
            found.add("hub_forged")
        return found

    def _show_faults(self, found: set[str]) -> None:
        for what in self._shown - found:
            self._side.show_fault(what, there=False)
        for what in found - self._shown:
            self._side.show_fault(what, there=True)
        self._shown = found
