"""What the dashboard is given from outside: the log to read and the way to act."""

from collections.abc import Callable, Mapping, Sequence
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

Preview = Callable[[dict[str, Any]], Mapping[str, Any]]
"""Tries an action and changes nothing: `before` and `after` (`rules.view.snapshot`) and the
`events`; raises `web_ui.errors.ActionRefused` as carrying it out would."""
