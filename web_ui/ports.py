"""What the dashboard is given from outside: the log to read and the way to act."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Protocol


class LogEntry(Protocol):
    """One entry of the log; only what the dashboard reads of it."""

    @property
    def seq(self) -> int:
        """Number of the entry: 1, 2, 3, … without gaps; also the SSE id."""

    @property
    def at_s(self) -> float:
        """When it was written, seconds since 1970 (or since the start of a clip)."""

    @property
    def type(self) -> str:
        """The kind of entry, such as `thrown` or `question.asked`."""

    @property
    def data(self) -> Mapping[str, Any]:
        """The content, JSON-able."""


class Readable(Protocol):
    """A log that may have come to its end."""

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[LogEntry]:
        """Return up to `limit` entries with a number above `after_seq`, oldest first."""


class EventLog(Readable, Protocol):
    """The log of a table that plays."""

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        """Block until there are entries above `after_seq`; False when the time is over."""


Submit = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Carries out an action (a dict with `type`); raises `web_ui.errors.ActionRefused`."""

VERDICTS = ("burning", "no_throw", "covered", "too_many_throws", "next_player")
"""What a question can be answered with instead of dice: the throw burns, there was none; and where
the question offers it, that it stays covered, or that the player before threw once too often."""

RULINGS = ("fault", "dismissed", "ruled")
"""What the referee says of a case: it was so and the book's penalty follows; it was not, or what is
disputed stands; or he rules himself, by an action and with a reason."""

ANSWER, CLAIM, REPEAT, RULE = "answer_question", "claim", "repeat_throw", "rule_case"
START = "start_game"
OWN_ACTIONS = (ANSWER, CLAIM, REPEAT, RULE, START)
"""Actions that are the table's own; all others are of the rules."""

Alarms = Callable[[], Sequence[Mapping[str, Any]]]
"""What lasts and cannot stand in the log, as entries `fault`: that the log cannot be written."""

Preview = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Tries an action and changes nothing: `before` and `after` (`rules.view.snapshot`) and the
`events`; raises `web_ui.errors.ActionRefused` as carrying it out would."""

HEALTH_GROUPS = ("table", "machine", "store", "net")
"""The headings of the page of health, in its order."""


@dataclass(frozen=True)
class HealthRow:
    """One thing that was looked at.

    Attributes:
        key: its name in JSON.
        group: one of `HEALTH_GROUPS`.
        state: `good`, `noted` (for information), `warn`, `bad` or `unknown`.
        value: in its unit; None where it has none or nobody knows.
        unit: of the value, or "".
        title: its name, German and English.
        said: the value for people, German and English.
        todo: what to do where it is not good, German and English.
    """

    key: str
    group: str
    state: str
    value: float | None
    unit: str
    title: tuple[str, str]
    said: tuple[str, str]
    todo: tuple[str, str]


class Health(Protocol):
    """How the appliance is."""

    def rows(self) -> Sequence[HealthRow]:
        """Everything that is looked at."""

    def failing(self) -> Sequence[str]:
        """Keys of what keeps the appliance from telling the truth; empty: nothing does."""

    def metrics(self) -> tuple[bytes, str]:
        """Everything as text for Prometheus, and the type of that text."""


class NoHealth:
    """For a page beside which nothing is measured."""

    def rows(self) -> Sequence[HealthRow]:
        """Nothing."""
        return ()

    def failing(self) -> Sequence[str]:
        """Nothing that anybody knows of."""
        return ()

    def metrics(self) -> tuple[bytes, str]:
        """No text."""
        return b"", "text/plain; version=0.0.4; charset=utf-8"
