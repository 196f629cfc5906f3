"""The hub between broker and hall: hands on what tables send, and sends what the hall wants.

The broker's thread only sorts: logs go to the receiver, answers to whoever waits for them, and what
takes time (the database, the disk) to a worker of its own.
"""

from __future__ import annotations

import json
import logging
import threading
import time
import uuid
from collections.abc import Callable, Mapping
from queue import Empty, SimpleQueue
from typing import Any, Protocol

from device.errors import ForgedMessageError, HubError, StoreError
from device.hub_wire import (
    ACTION,
    ANSWERS,
    AVAILABLE,
    EVENTS,
    EVIDENCE,
    MOST_BYTES,
    MOST_EVIDENCE_BYTES,
    ONLINE,
    SEATING,
    STATE,
    WANTED,
    Seating,
    parse_topic,
    seal,
    topic,
    unseal,
)
from web_ui.errors import ActionRefused

ANSWER_S = 6.0
"""So long a referee's action waits for the table's answer."""

TRY_AGAIN_S = 1.0

ABSENT_S = 15.0
"""A table of which a fresh connection has heard nothing for so long is not there: a broker that was
killed does not know any more whose will it had to tell."""

MOST_FILE_BYTES = 4 * MOST_EVIDENCE_BYTES
"""Of stills and clips that wait to be kept, while the disk or the database is away."""

_log = logging.getLogger(__name__)


class Publish(Protocol):
    """Sends a message (`device.hub.link.HubLink.publish`)."""

    def __call__(self, topic: str, content: bytes, *, retain: bool = False) -> bool:
        """False: there is no connection, nothing was kept of it."""


class Hands(Protocol):
    """Whoever takes what the station has sorted (`device.hub.hall`, `device.hub.files`)."""

    def events(self, topic: str, content: bytes) -> None:
        """A piece of a table's log; must not block."""

    def available(self, table: str, *, online: bool) -> None:
        """A table has come or gone."""

    def file(self, table: str, sha256: str, content: bytes) -> None:
        """A still or clip has come."""

    def connected(self) -> None:
        """The broker is there, or there again: it may have forgotten what it kept."""


class Station:
    """Sorts and sends; safe to use from several threads.

    Args:
        publish: sends a message.
        keys: the paired tables and the keys of their seals.
        hands: who takes what.
    """

    def __init__(
        self, publish: Publish, keys: Callable[[], Mapping[str, bytes]], hands: Hands
    ) -> None:
        self._publish, self._keys, self._hands = publish, keys, hands
        self._states: dict[str, dict[str, Any]] = {}
        self._online: dict[str, bool] = {}
        self._look_s: float | None = None
        self._waiting: dict[tuple[str, str], SimpleQueue[dict[str, Any]]] = {}
        self._todo: SimpleQueue[Callable[[], None] | None] = SimpleQueue()
        self._counting, self._file_bytes = threading.Lock(), 0
        self._over = threading.Event()
        self._worker = threading.Thread(target=self._work, name="hub worker", daemon=True)

    def start(self) -> None:
        """Begin to work."""
        self._worker.start()

    def close(self) -> None:
        """End; may be called twice."""
        self._over.set()
        self._todo.put(None)
        if self._worker.is_alive():
            self._worker.join(2.0)

    def received(self, where: str, content: bytes, is_kept: bool) -> None:  # noqa: FBT001
        """Sort a message of the broker; it comes in the connection's thread."""
        table, what, more = parse_topic(where) or ("", "", "")
        if what == EVENTS:
            self._hands.events(where, content)  # the receiver tells of strangers, too
        elif what == AVAILABLE:  # also of one whose pairing the hub has not seen yet
            self._online[table] = content == ONLINE
            self._tell_available(table)
        elif what == STATE:
            self._keep_state(table, content)
        elif table not in self._keys():
            return
        elif what == ANSWERS:
            self._answer(table, where, more, content)
        elif what == EVIDENCE:
            self._take_file(table, more, content)

    def changed(self, is_connected: bool) -> None:  # noqa: FBT001 - the connection's callback
        """The connection is there, or lost."""
        if not is_connected:
            self._online.clear()
        else:
            self._look_s = time.monotonic() + ABSENT_S
            self._todo.put(self._hands.connected)

    def paired(self) -> None:
        """Other tables are paired than before: some may have come already."""
        for table in self._keys():
            self._tell_available(table)

    def state(self, table: str) -> Mapping[str, Any]:
        """What a table says of itself (docs/hub.md); empty where it has said nothing."""
        return self._states.get(table, {})

    def seat(self, table: str, seating: Seating) -> None:
        """Tell a table who plays there; the broker keeps it for a table that is away."""
        self._send(table, SEATING, seating.to_body(), retain=True)

    def want(self, table: str, sha256: str) -> None:
        """Ask a table for a still or clip."""
        self._send(table, WANTED, {"sha256": sha256})

    def ask(self, table: str, action: Mapping[str, Any], by: str) -> None:
        """Have a table carry out a referee's action, and wait for its answer.

        Raises:
            ActionRefused: it does not allow it, it cannot be reached, or does not answer.
        """
        number = uuid.uuid4().hex
        answers: SimpleQueue[dict[str, Any]] = SimpleQueue()
        self._waiting[table, number] = answers
        try:
            body = {"id": number, "action": {**action, "by": action.get("by") or by}}
            if not self._send(table, ACTION, body):
                raise _unreachable(table)
            answer = answers.get(timeout=ANSWER_S)
        except Empty:
            raise _silent(table) from None
        finally:
            del self._waiting[table, number]
        if not answer.get("ok"):
            said = (str(answer.get(name, "")) for name in ("text_de", "text_en", "code"))
            raise ActionRefused(*said)

    def _send(
        self, table: str, what: str, body: Mapping[str, Any], *, retain: bool = False
    ) -> bool:
        key = self._keys().get(table)
        if key is None:
            return False
        where = topic(table, what)
        return self._publish(where, seal(key, where, body), retain=retain)

    def _keep_state(self, table: str, content: bytes) -> None:
        try:
            said = json.loads(content) if len(content) <= MOST_BYTES else None
        except (ValueError, RecursionError):
            said = None
        if isinstance(said, dict):
            self._states[table] = said

    def _answer(self, table: str, where: str, number: str, content: bytes) -> None:
        waiting, key = self._waiting.get((table, number)), self._keys().get(table)
        if waiting is None or key is None:
            return  # too late, or of another hub
        try:
            waiting.put(unseal(key, where, content))
        except ForgedMessageError:
            _log.warning("what came on %s was no answer of the table", where)

    def _take_file(self, table: str, sha256: str, content: bytes) -> None:
        """Have a file kept; while too much waits it is dropped, and asked for again by a page."""
        with self._counting:
            if self._file_bytes + len(content) > MOST_FILE_BYTES:
                return
            self._file_bytes += len(content)

        def keep() -> None:
            try:
                self._hands.file(table, sha256, content)
            except (HubError, StoreError):
                raise  # tried again: it waits on
            except Exception:
                self._file_gone(len(content))
                raise
            self._file_gone(len(content))

        self._todo.put(keep)

    def _file_gone(self, size: int) -> None:
        with self._counting:
            self._file_bytes -= size

    def _tell_available(self, table: str) -> None:
        online = self._online.get(table)
        if online is not None and table in self._keys():
            self._todo.put(lambda: self._hands.available(table, online=online))

    def _tell_absent(self) -> None:
        for table in self._keys():
            if table not in self._online:
                self._hands.available(table, online=False)

    def _next(self) -> Callable[[], None] | None:
        wait_s = None if self._look_s is None else max(0.0, self._look_s - time.monotonic())
        try:
            return self._todo.get(timeout=wait_s)
        except Empty:
            self._look_s = None
            return self._tell_absent

    def _work(self) -> None:
        while (job := self._next()) is not None:
            while not self._over.is_set():
                try:
                    job()
                except (HubError, StoreError) as error:
                    _log.warning("the hub tries again: %s", error)
                    self._over.wait(TRY_AGAIN_S)
                except Exception:
                    _log.exception("the hub stumbled over a message")
                    break
                else:
                    break


def _unreachable(table: str) -> ActionRefused:
    return ActionRefused(
        f"{table} ist nicht zu erreichen. Bitte am Tisch selbst entscheiden.",
        f"{table} cannot be reached. Please rule at the table itself.",
        "table_unreachable",
    )


def _silent(table: str) -> ActionRefused:
    return ActionRefused(
        f"{table} hat nicht geantwortet; ob es angekommen ist, zeigt sein Protokoll. Erst "
        "nachsehen, dann noch einmal entscheiden.",
        f"{table} has not answered; its log shows whether it has arrived. Look there before you "
        "rule again.",
        "table_silent",
    )
