"""The PINs of the roles: hashed, changed, and what becomes of who is signed in.

What is kept is one JSON object (`PinStore`): the key that signs cookies, a hash for every role,
and the sessions that were signed out before their time. A PIN in clear is nowhere on disk.

A session names the PIN it was begun with by its id; a new PIN has a new id, so that everybody who
was signed in with the old one is signed out at once, on every device.
"""

import secrets
import threading
from collections.abc import Mapping
from contextlib import suppress
from itertools import pairwise
from typing import Any, Protocol

from werkzeug.security import check_password_hash, generate_password_hash

from web_ui.roles import ADMIN, LEAST_DIGITS, MOST_DIGITS, PIN_ROLES

KDF = "scrypt:32768:8:1"
"""Werkzeug's name of scrypt with N=2^15, r=8, p=1: 32 MiB and a fifth of a second per guess.

Source: RFC 7914; OWASP Password Storage Cheat Sheet.
"""

FIRST_DIGITS = 6
Record = dict[str, Any]


class PinStore(Protocol):
    """Where the PINs are kept, beside the log and never in it.

    Attributes:
        name: what people call it: the name of the file.
    """

    name: str

    def load(self) -> Record:
        """Return what was saved last; empty before the first time.

        Raises:
            OSError: it cannot be read, or holds something else.
        """

    def save(self, record: Mapping[str, Any]) -> None:
        """Keep it for the next start, readable by nobody else.

        Raises:
            OSError: it cannot be written.
        """


class MemoryPins:
    """PINs for the life of one process."""

    name = "memory"

    def __init__(self) -> None:
        self._record: Record = {}

    def load(self) -> Record:
        """Return what was saved last."""
        return self._record

    def save(self, record: Mapping[str, Any]) -> None:
        """Keep it."""
        self._record = dict(record)


class BadPin(ValueError):  # noqa: N818 - a refusal, not a failure
    """A PIN that cannot be set; `least` and `most` are the digits it must have."""

    def __init__(self, role: str) -> None:
        self.least, self.most = LEAST_DIGITS[role], MOST_DIGITS
        super().__init__(
            f"a PIN for {role} has {self.least} to {self.most} digits, not all alike and not "
            "in a row such as 123456"
        )


class Pins:
    """The PINs of one table; safe to use from several threads.

    While the store cannot be read (its file was damaged, say), who is signed in stays so by what
    was known before; nobody signs in, and no PIN is changed (`OSError`).

    Args:
        store: where they are kept.
        kdf: how they are hashed, as `werkzeug.security` names it; a cheap one for tests.

    Attributes:
        secret_key: what cookies are signed with.
        first_pin: the generated PIN of the admin while nobody has signed in with it, or None.
    """

    def __init__(self, store: PinStore, *, kdf: str = KDF) -> None:
        self._store = store
        self._kdf = kdf
        self._lock = threading.RLock()
        self._hashing = threading.Lock()
        self.first_pin: str | None = None
        self._ended: dict[str, float] = {}
        self._known = store.load()
        with self._lock:
            key = self._known.get("secret_key")
            self.secret_key = str(key or secrets.token_hex(32))
            if key is None:
                self._save()

    @property
    def store_name(self) -> str:
        """What people call the place where the PINs are kept: the name of a file."""
        return self._store.name

    def begin(self) -> str | None:
        """Give the admin a PIN where there is none, or nobody has used the generated one yet.

        Returns:
            The new PIN, to be shown until somebody has signed in with it; None: there is one.
        """
        with self._lock:
            known = self._pins().get(ADMIN)
            if known is not None and not known.get("first"):
                return None
            pin = _drawn_pin()
            self._keep(ADMIN, pin, first=True)
            self.first_pin = pin
            return pin

    def has(self, role: str) -> bool:
        """Tell whether a role has a PIN."""
        return role in self._pins()

    def id_of(self, role: str) -> str | None:
        """Return which PIN a role has now; another one has another id."""
        known = self._pins().get(role)
        return None if known is None else str(known["id"])

    def set(self, role: str, pin: str) -> None:
        """Set the PIN of a role; whoever was signed in with the old one is signed out.

        Raises:
            BadPin: too short, too long, too easily guessed, or no digits.
            ValueError: the role has no PIN.
            OSError: the store cannot be read or written.
        """
        if role not in PIN_ROLES:
            raise ValueError(f"role is {role!r}, expected one of {', '.join(PIN_ROLES)}.")
        if not is_fit(role, pin):
            raise BadPin(role)
        with self._lock:
            self._keep(role, pin)
            if role == ADMIN:
                self.first_pin = None

    def matches(self, role: str, pin: str) -> bool:
        """Tell whether this is the role's PIN; slow on purpose, one at a time.

        Raises:
            OSError: the store cannot be read, or not be written after a first PIN was used.
        """
        self.check()
        known = self._pins().get(role)
        if known is None or not 1 <= len(pin) <= MOST_DIGITS:
            return False
        with self._hashing:  # 32 MiB each; not for many at once
            right = check_password_hash(known["hash"], pin)
        if right and known.get("first"):
            with self._lock:
                self._change(role, {key: known[key] for key in ("hash", "id")})
                self.first_pin = None
        return right

    def sign_out(self, session_id: str, *, until_s: float, now_s: float) -> None:
        """End a session before its time, for whoever holds a copy of its cookie, too.

        Args:
            session_id: which one.
            until_s: when it would have ended by itself; kept as long as that.
            now_s: the time now; older ones are dropped.

        Raises:
            OSError: the store cannot be read or written; in this process it is ended all the same.
        """
        with self._lock:
            self._ended = _later(self._ended, now_s) | {session_id: until_s}
            ended = _ended(self._store.load())
            self._save(signed_out=_later(ended, now_s) | {session_id: until_s})

    def is_signed_out(self, session_id: str) -> bool:
        """Tell whether a session was ended before its time."""
        return session_id in self._ended or session_id in _ended(self._record())

    def check(self) -> None:
        """Make sure that the store can be read.

        Raises:
            OSError: it cannot.
        """
        self._known = self._store.load()

    def _record(self) -> Record:
        """What was saved last, or what was known before where that cannot be read."""
        with suppress(OSError):
            self.check()
        return self._known

    def _pins(self) -> Mapping[str, Mapping[str, Any]]:
        pins: Mapping[str, Mapping[str, Any]] = self._record().get("pins", {})
        return pins

    def _keep(self, role: str, pin: str, *, first: bool = False) -> None:
        kept: Record = {"hash": generate_password_hash(pin, self._kdf), "id": secrets.token_hex(8)}
        self._change(role, kept | ({"first": True} if first else {}))

    def _change(self, role: str, kept: Mapping[str, Any]) -> None:
        self._save(pins={**self._pins(), role: dict(kept)})

    def _save(self, **changed: Any) -> None:
        self._store.save({"secret_key": self.secret_key, **self._store.load(), **changed})


def is_fit(role: str, pin: str) -> bool:
    """Tell whether a PIN has enough digits and is not among the first that anybody tries."""
    if not (pin.isascii() and pin.isdigit() and LEAST_DIGITS[role] <= len(pin) <= MOST_DIGITS):
        return False
    steps = {int(after) - int(before) for before, after in pairwise(pin)}
    return len(steps) > 1 or steps.isdisjoint({-1, 0, 1})


def _drawn_pin() -> str:
    while True:
        pin = "".join(secrets.choice("0123456789") for _ in range(FIRST_DIGITS))
        if is_fit(ADMIN, pin):
            return pin


def _ended(record: Mapping[str, Any]) -> Mapping[str, float]:
    ended: Mapping[str, float] = record.get("signed_out", {})
    return ended


def _later(ended: Mapping[str, float], now_s: float) -> dict[str, float]:
    return {known: end_s for known, end_s in ended.items() if end_s > now_s}
