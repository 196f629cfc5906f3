"""What goes over the broker between a table and the hub: topics and sealed messages. Pure.

A table's messages carry a seal (HMAC-SHA256) made with the key that only it and the hub know since
they were paired, over topic and content: who gets past the broker's lists still cannot speak for
another table. The content of `events` is the table's own hash-chained log; its sequence number
tells what is new, what is double and what is missing (docs/hub.md).
"""

from __future__ import annotations

import hmac
import json
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass
from hashlib import sha256
from typing import Any, Self

from device.chain import LogEntry, canonical, is_row
from device.errors import ForgedMessageError, SchockaugeError

ROOT = "schockauge"

AVAILABLE, STATE, EVENTS = "available", "state", "events"
"""From the table: `online` or, by its last will, `offline` (retained, not sealed); what it shows
(retained, not sealed: for everybody on the broker); its log, as `Batch` (sealed, QoS 1)."""

EVIDENCE, ANSWERS = "evidence", "answers"
"""From the table, a level below: `evidence/<sha256>`, a file as it is; `answers/<id>`, sealed."""

CURSOR, SEATING, ACTION, WANTED = "set/cursor", "set/seating", "set/action", "set/evidence"
"""From the hub, sealed: `Cursor` (retained), `Seating` (retained), a referee's action for the
table's own pipeline (`id`, `action`), and which picture or clip is asked for (`sha256`)."""

ONLINE, OFFLINE = b"online", b"offline"

KEY_BYTES = 32
MOST_ENTRIES = 200
"""In one message; a table that was away for long catches up in several."""

MOST_BYTES = 262_144
"""Of one sealed message; evidence has a limit of its own, and the broker refuses what is larger."""

MOST_EVIDENCE_BYTES = 16_777_216
"""Of one still or clip."""

_NAME = re.compile(r"[a-z0-9](?:[a-z0-9-]{0,30}[a-z0-9])?")
_SHA256 = re.compile(r"[0-9a-f]{64}")


def check_table(name: str) -> str:
    """Return the name of a table that fits into topics, file names and addresses.

    Raises:
        SchockaugeError: it does not.
    """
    if not _NAME.fullmatch(name):
        raise SchockaugeError(
            f"A table cannot be called {name!r}; expected 1 to 32 small letters a to z, digits and "
            "hyphens, such as table-7."
        )
    return name


def topic(table: str, what: str, more: str = "") -> str:
    """The topic of a table, such as `schockauge/table-7/events`; `more`: a level below."""
    return "/".join(part for part in (ROOT, table, what, more) if part)


def parse_topic(name: str) -> tuple[str, str, str] | None:
    """Table, what, and the level below (or ""); None if it is none of a table's own topics."""
    parts = name.split("/")
    if len(parts) not in (3, 4) or parts[0] != ROOT or not _NAME.fullmatch(parts[1]):
        return None
    return parts[1], parts[2], parts[3] if len(parts) == 4 else ""


def is_sha256(text: object) -> bool:
    """Whether a text is a digest as it names evidence."""
    return isinstance(text, str) and _SHA256.fullmatch(text) is not None


def seal(key: bytes, where: str, body: Mapping[str, Any]) -> bytes:
    """Make a message for a topic of content and seal."""
    content = canonical(body)
    return canonical({"body": content, "seal": _mac(key, where, content)}).encode()


def unseal(key: bytes, where: str, payload: bytes) -> dict[str, Any]:
    """Return the content of a message that came on a topic.

    Raises:
        ForgedMessageError: it is not sealed with this key for this topic, or no message at all.
    """
    try:
        message = json.loads(payload)
        content, made = message["body"], message["seal"]
        good = hmac.compare_digest(_mac(key, where, content), made)
        body = json.loads(content) if good else None
    except (ValueError, TypeError, KeyError, AttributeError, RecursionError) as error:
        raise ForgedMessageError(f"What came on {where} is no sealed message.") from error
    if not isinstance(body, dict):
        raise ForgedMessageError(f"The seal of what came on {where} does not fit.")
    return body


@dataclass(frozen=True)
class Batch:
    """Consecutive entries of one log.

    Attributes:
        log: which log: the hash of its first entry.
        entries: oldest first, at least one.
    """

    log: str
    entries: tuple[LogEntry, ...]

    def to_body(self) -> dict[str, Any]:
        """As the content of a message."""
        return {"log": self.log, "entries": [entry.to_json() for entry in self.entries]}

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it; numbers and hashes are checked by whoever knows what came before.

        Raises:
            ForgedMessageError: this is no batch.
        """
        log, rows = body.get("log"), body.get("entries")
        if not is_sha256(log) or not isinstance(rows, list) or not 0 < len(rows) <= MOST_ENTRIES:
            raise ForgedMessageError(f"A message of events holds no log and entries: {log!r}.")
        return cls(str(log), tuple(_entry(row) for row in rows))


@dataclass(frozen=True)
class Cursor:
    """How far the hub has a log for good.

    Attributes:
        log: which log; "" if the hub has none of this table yet.
        seq: its last entry that is in the hub's database; 0: none.
        again: the hub misses what follows: send it again from there, now.
    """

    log: str
    seq: int
    again: bool = False

    def to_body(self) -> dict[str, Any]:
        """As the content of a message."""
        return asdict(self)

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it.

        Raises:
            ForgedMessageError: this is no cursor.
        """
        log, seq, again = body.get("log"), body.get("seq"), body.get("again", False)
        if not (log == "" or is_sha256(log)) or type(seq) is not int or type(again) is not bool:
            raise ForgedMessageError(f"This is no cursor: {dict(body)!r}.")
        return cls(str(log), seq, again)


@dataclass(frozen=True)
class Seating:
    """Who plays what at a table in a round of the tournament.

    Attributes:
        tournament: its name.
        round: number of the round; 0: nothing is to be played.
        attempt: which draw of it.
        number: of the table in the draw.
        players: clockwise.
        book: name of the rule book.
        games: how many are to be played at most; 0: until it is decided, or the hub says so.
        lives: of each player at the beginning of the round; empty: points decide.
        go_on: where lives decide: how many stay in.
        scharf: the referee has called sudden death: of each game only one half is played.
        half_out: where lives decide: such a half puts its loser out; else it costs a life.
    """

    tournament: str
    round: int
    attempt: int = 1
    number: int = 0
    players: tuple[str, ...] = ()
    book: str = ""
    games: int = 0
    lives: tuple[int, ...] = ()
    go_on: int = 1
    scharf: bool = False
    half_out: bool = False

    @property
    def place(self) -> tuple[str, int, int, int]:
        """Which table of which draw of which round this is; who sits there may change."""
        return self.tournament, self.round, self.attempt, self.number

    def to_body(self) -> dict[str, Any]:
        """As the content of a message."""
        return {**asdict(self), "players": list(self.players), "lives": list(self.lives)}

    @classmethod
    def from_body(cls, body: Mapping[str, Any]) -> Self:
        """Read it.

        Raises:
            ForgedMessageError: this is no seating.
        """
        lists = {name: body.get(name) for name, kind in _LISTS.items()}
        try:
            if not all(isinstance(value, list) for value in lists.values()):
                raise TypeError
            made = cls(**{**body, **{name: tuple(value or ()) for name, value in lists.items()}})
        except TypeError as error:
            raise ForgedMessageError(f"This is no seating: {dict(body)!r}.") from error
        for name, wanted in vars(cls(tournament="", round=0)).items():
            value = getattr(made, name)
            if type(value) is not type(wanted) or (
                name in _LISTS and not all(type(item) is _LISTS[name] for item in value)
            ):
                raise ForgedMessageError(f"{name} of a seating is {value!r}.")
        return made


_LISTS: Mapping[str, type] = {"players": str, "lives": int}


def _mac(key: bytes, where: str, content: str) -> str:
    return hmac.new(key, f"{where}\n{content}".encode(), sha256).hexdigest()


def _entry(row: object) -> LogEntry:
    if not isinstance(row, dict) or set(row) != set(LogEntry.__dataclass_fields__):
        raise ForgedMessageError("An entry of a batch has not the form of a log's entry.")
    entry = LogEntry(**row)
    columns = (entry.seq, entry.at_s, entry.type, "", entry.previous, entry.hash)
    if not is_row(columns) or not isinstance(entry.data, dict) or isinstance(entry.seq, bool):
        raise ForgedMessageError("An entry of a batch holds something else than a log's entry.")
    return entry
