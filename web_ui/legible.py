"""A log as pages can write it, whatever its entries say.

What the table writes is whole: its log is sealed as UTF-8, which has no half characters. Nobody
knows what another program has written into one, and a page must not fail over a name. So entries
are mended where they come in, once for every page, the interface and the live stream.
"""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from math import isfinite
from typing import Any

from web_ui.ports import EventLog, LogEntry

LATEST_S = 253_402_300_800.0
"""Midnight after 31 December 9999: no calendar here goes on."""


@dataclass(frozen=True)
class Mended:
    """An entry of which something could not be shown as it was; see `web_ui.ports.LogEntry`."""

    seq: int
    at_s: float
    type: str
    data: Mapping[str, Any]


class LegibleLog:
    """A log whose texts are whole characters, whose numbers are finite, whose times are dates."""

    def __init__(self, log: EventLog) -> None:
        self._log = log

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[LogEntry]:
        """Return up to `limit` entries with a number above `after_seq`, oldest first."""
        return [legible(entry) for entry in self._log.read(after_seq, limit)]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Block until there are entries above `after_seq`; False when the time is over."""
        return self._log.wait(after_seq, timeout_s)


def legible(entry: LogEntry) -> LogEntry:
    r"""Return an entry that every page can write; nearly always the same one.

    Half a character (a lone surrogate) is spelled out, as in `\ud800`, so that two names stay two;
    a number that is none becomes null, and a time without a date 0.
    """
    if abs(entry.at_s) < LATEST_S and _is_legible([entry.type, dict(entry.data)]):
        return entry
    at_s = entry.at_s if abs(entry.at_s) < LATEST_S else 0.0
    return Mended(entry.seq, at_s, mended(entry.type), mended(dict(entry.data)))


def _is_legible(value: Any) -> bool:
    try:
        json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return False
    return True


def mended(value: Any) -> Any:
    """Return a JSON value that every page can write, in the form that `legible` says."""
    if isinstance(value, str):
        return value.encode("utf-8", "backslashreplace").decode()
    if isinstance(value, float):
        return value if isfinite(value) else None
    if isinstance(value, Mapping):
        return {mended(name): mended(one) for name, one in value.items()}
    if isinstance(value, list | tuple):
        return [mended(one) for one in value]
    return value
