"""What a table still has to send to the hub. Pure: cursors in, batches out, time is told to it.

The table's log is the outbox (docs/hub.md); all that is to be remembered is how far the hub has it
for good (the cursor) and what is under way. A batch is under way from `next_batch` until a cursor
says that the hub has it. Whatever makes doubtful that it arrives, lets it be sent again from the
cursor: a connection that was lost, a hub that misses something (`again`), a hub that was restored
from an older copy (the cursor goes back), or silence for too long. The hub knows by number what it
has twice, so that sending once too often does no harm.

One thing cannot be mended by sending: a hub that has more of this log than the table itself. Then
the table's file was put back to an older state, and what it writes from now on would say something
else under the same numbers. Nothing is sent any more, and the table says so (`is_behind_hub`).
"""

from __future__ import annotations

from collections import deque
from collections.abc import Callable, Sequence

from device.chain import LogEntry, canonical
from device.hub_wire import MOST_BYTES, MOST_ENTRIES, Batch, Cursor

Read = Callable[[int, int], Sequence[LogEntry]]
"""The entries behind a number, oldest first, at most so many."""

WINDOW = 4
"""Batches under way at a time: enough that the line is never idle while the hub writes; what is
written meanwhile gathers in the next batch."""

GREETING_S = 1.0
"""So long a fresh connection waits for the cursor that the broker keeps; a hub that has nothing of
this table yet has left none."""

PATIENCE_S = 5.0
"""Without a word from the hub for so long, what is under way is sent again."""

MOST_PATIENCE_S = 60.0
"""It doubles each time up to this: a hub that is away for the evening is not to be flooded."""

AGAIN_S = 1.0
"""The hub asks again for every batch that it finds too early; once in this time is enough."""


class Outbox:
    """What is to be sent of one log.

    Args:
        log: which log: the hash of its first entry.
    """

    def __init__(self, log: str) -> None:
        self.log = log
        self._cursor = 0
        self._known = False
        self._sent = 0
        self._end = 0
        self._under_way: deque[int] = deque()
        self._is_connected = False
        self._greeted_s = 0.0
        self._tried_s = 0.0
        self._since_s: float | None = None
        self._patience_s = PATIENCE_S
        self._asked: tuple[int, float] | None = None
        self._strange = False
        self._rolled_back_to: int | None = None

    @property
    def cursor(self) -> int:
        """The last entry that the hub has for good, as far as the table knows."""
        return self._cursor

    @property
    def sent(self) -> int:
        """The last entry that is under way or has arrived."""
        return self._sent

    @property
    def is_waiting(self) -> bool:
        """Whether something is under way."""
        return bool(self._under_way)

    @property
    def is_behind_hub(self) -> bool:
        """Whether the hub has more of this log than there is: it was put back to an older state."""
        return self._rolled_back_to is not None

    def silent_s(self, now_s: float) -> float:
        """For how long the hub has taken nothing of what was sent to it, seconds."""
        return 0.0 if self._since_s is None else now_s - self._since_s

    def room_in_s(self, now_s: float) -> float | None:
        """In how many seconds a batch may be sent: 0 now, None as soon as something happens."""
        if not self._is_connected or len(self._under_way) >= WINDOW or self.is_behind_hub:
            return None
        return max(0.0, self._greeted_s - now_s)

    def connected(self, now_s: float) -> None:
        """The broker is there and takes messages; its cursor is on the way."""
        self._is_connected = True
        self._greeted_s = now_s + (0.0 if self._known else GREETING_S)
        self._patience_s = PATIENCE_S
        self._go_back()

    def disconnected(self) -> None:
        """The broker is gone: nobody knows what has become of what was under way."""
        self._is_connected = False
        self._since_s = None
        self._go_back()

    def acknowledged(self, cursor: Cursor, now_s: float) -> None:
        """Take in how far the hub has the log.

        Args:
            cursor: as it came; that of another log tells that the hub may know nothing of this one.
            now_s: monotonic time, seconds.
        """
        self._greeted_s = now_s
        if cursor.log != self.log:
            if self._known and not self._strange and not self._under_way:
                self._tried_s = now_s
            self._strange = self._known
            return
        seq, before = max(0, cursor.seq), self._cursor
        self._cursor, self._known, self._strange = seq, True, False
        if self._rolled_back_to is not None and seq <= self._rolled_back_to:
            self._rolled_back_to = None
        if seq < before or (cursor.again and self._is_news(seq, now_s)):
            self._go_back()
        while self._under_way and self._under_way[0] <= seq:
            self._under_way.popleft()
            if not self._under_way:
                self._since_s = None
        self._sent = max(self._sent, seq)
        if seq > before:
            self._tried_s, self._patience_s = now_s, PATIENCE_S
            self._since_s = now_s if self._under_way else None

    def next_batch(self, read: Read, now_s: float) -> Batch | None:
        """Return what is to be sent now and count it as under way; None: nothing, or no room.

        Args:
            read: reads the log.
            now_s: monotonic time, seconds.
        """
        if self.room_in_s(now_s) != 0.0 or not self._has_what_the_hub_has(read):
            return None
        entries = _that_fit(read(self._sent, MOST_ENTRIES))
        if not entries:
            return None
        if not self._under_way:
            self._tried_s = now_s
        if self._since_s is None:
            self._since_s = now_s
        self._sent = entries[-1].seq
        self._end = max(self._end, self._sent)
        self._under_way.append(self._sent)
        return Batch(self.log, tuple(entries))

    def overdue(self, now_s: float) -> bool:
        """Go back to the cursor if the hub has been silent for too long; whether it has.

        A hub that speaks of another log may lack this one (it was set back to a backup from before
        it was begun). Where nothing is to be sent, the last entry is sent again: the answer tells.
        """
        if not (self._under_way or self._strange) or now_s - self._tried_s < self._patience_s:
            return False
        if not self._under_way:
            self._sent, self._tried_s = max(0, self._cursor - 1), now_s
            return True
        if self._strange:  # the hub speaks of another log: it may have forgotten this one
            self._cursor, self._strange = 0, False
        self._go_back()
        self._tried_s = now_s
        self._patience_s = min(2 * self._patience_s, MOST_PATIENCE_S)
        return True

    def is_done(self, read: Read) -> bool:
        """Whether the hub has said that it has all of the log."""
        return self._known and not self.is_behind_hub and not read(self._cursor, 1)

    def _go_back(self) -> None:
        self._under_way.clear()
        self._sent = self._cursor

    def _is_news(self, seq: int, now_s: float) -> bool:
        """Whether the hub has not just asked for the same."""
        asked, self._asked = self._asked, (seq, now_s)
        if asked is None or asked[0] != seq or now_s - asked[1] >= AGAIN_S:
            return True
        self._asked = asked
        return False

    def _has_what_the_hub_has(self, read: Read) -> bool:
        if self._cursor > self._end:
            if not read(self._cursor - 1, 1):
                self._rolled_back_to = _end_of(read, self._end)
                return False
            self._end = self._cursor
        return True


def _that_fit(entries: Sequence[LogEntry]) -> list[LogEntry]:
    """As many as make about half of what a message may hold: sealing can double quotation marks.

    One entry that is larger than that goes alone.
    """
    fit: list[LogEntry] = []
    left_bytes = MOST_BYTES // 2
    for entry in entries:
        left_bytes -= len(canonical(entry.to_json()).encode())
        if fit and left_bytes < 0:
            break
        fit.append(entry)
    return fit


def _end_of(read: Read, after_seq: int) -> int:
    while page := read(after_seq, MOST_ENTRIES):
        after_seq = page[-1].seq
    return after_seq
