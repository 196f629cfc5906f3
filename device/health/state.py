"""What a check is and what comes of one. Pure: no clock, no file, no Pi."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from device.health.subject import Subject

Words = tuple[str, str]
"""The same in German and English."""


class State(StrEnum):
    """How something is."""

    GOOD = "good"
    NOTED = "noted"
    """Said for information; it cannot be bad."""
    WARN = "warn"
    BAD = "bad"
    UNKNOWN = "unknown"
    """It cannot be measured here, or not yet; never taken for good."""


class Group(StrEnum):
    """Under which heading a check stands."""

    SET_UP = "set_up"
    """Looked at once, before an evening, by `schockauge doctor` alone."""
    TABLE = "table"
    MACHINE = "machine"
    STORE = "store"
    NET = "net"


@dataclass(frozen=True)
class Measured:
    """What a measure has found.

    Attributes:
        value: in the unit of the check; None: unknown here.
        said: what to show instead of the value, or beside it where the check has a form for it.
        state: where the measure knows it and no limit could tell; None: the limits tell.
    """

    value: float | None
    said: Words | None = None
    state: State | None = None


NOTHING = Measured(None)

Measure = Callable[["Subject"], Measured]


@dataclass(frozen=True)
class Limits:
    """From which value on something is no longer good.

    Attributes:
        warn: a value this bad or worse is worth a look; None: there is no such value.
        bad: a value this bad or worse has to be mended; None likewise.
        back: a value that was bad counts as bad until it is better than this; None: than `bad`.
        lower_is_worse: as with free space; else higher is.

    Raises:
        ValueError: the limits are out of order.
    """

    warn: float | None = None
    bad: float | None = None
    back: float | None = None
    lower_is_worse: bool = False

    def __post_init__(self) -> None:
        order = [limit for limit in (self.warn, self.back, self.bad) if limit is not None]
        if order != sorted(order, reverse=self.lower_is_worse):
            raise ValueError(f"Limits must go from warn over back to bad, but got {self}.")

    def state(self, value: float, *, was_bad: bool = False) -> State:
        """How a value is; `was_bad`: the value before it was."""
        bad = self.back if was_bad and self.back is not None else self.bad
        if bad is not None and self._reaches(value, bad):
            return State.BAD
        if self.warn is not None and self._reaches(value, self.warn):
            return State.WARN
        return State.NOTED if self.warn is None and self.bad is None else State.GOOD

    def _reaches(self, value: float, limit: float) -> bool:
        return value <= limit if self.lower_is_worse else value >= limit


@dataclass(frozen=True)
class Metric:
    """How Prometheus is told of a value.

    Attributes:
        name: by its conventions, with the base unit, without the leading `schockauge_`.
        factor: from the check's unit to that one.
    """

    name: str
    factor: float = 1.0


@dataclass(frozen=True)
class Check:
    """One thing that is looked at.

    Attributes:
        key: its name in JSON, metrics and faults.
        title: its name for people.
        group: under which heading it stands.
        measure: looks.
        todo: what to do where it is not good.
        unit: of the value, "" where it has none.
        shown: the value in words, by German and English format (`{value}`), or by value where only
            a few are possible; None: the measure says it itself.
        limits: when the value is good.
        metric: None: it is told as a state alone.
        alarm: what the table is told when it gets bad; None: it is on the page only, as a fault
            of its own is shown or nothing can be done during an evening.
        needed: an evening needs it; where it does not, a failing one is only worth a look.
    """

    key: str
    title: Words
    group: Group
    measure: Measure
    todo: Words
    unit: str = ""
    shown: Words | Mapping[int, Words] | None = None
    limits: Limits = Limits()
    metric: Metric | None = None
    alarm: Words | None = None
    needed: bool = True

    @property
    def fault(self) -> str:
        """Code of its alarm in the log."""
        return f"health_{self.key}"


@dataclass(frozen=True)
class Finding:
    """A check and what came of it.

    Attributes:
        check: which.
        state: how it is.
        value: in the unit of the check; None where it has none or is unknown.
        said: the same for people.
    """

    check: Check
    state: State
    value: float | None
    said: Words


UNKNOWN_HERE: Words = ("hier nicht zu messen", "unknown here")


class Judge:
    """Turns what was measured into findings; remembers what was bad, for the way back."""

    def __init__(self) -> None:
        self._bad: set[str] = set()

    def find(self, check: Check, measured: Measured) -> Finding:
        """Judge one check."""
        value = measured.value
        if measured.state is not None:
            state = measured.state
        elif value is None:
            state = State.UNKNOWN
        else:
            state = check.limits.state(value, was_bad=check.key in self._bad)
        if state is State.BAD and not check.needed:
            state = State.WARN
        (self._bad.add if state is State.BAD else self._bad.discard)(check.key)
        return Finding(check, state, value, _said(check, measured))

    def told(self, check: Check, said: object) -> Finding | None:
        """What another appliance says of a check at `/healthz`; None: nothing of use."""
        if not isinstance(said, Mapping) or said.get("state") not in list(State):
            return None
        state, value = State(said["state"]), said.get("value")
        if not isinstance(value, int | float):
            return None if state is State.UNKNOWN else Finding(check, state, None, (state, state))
        return Finding(check, state, float(value), _said(check, Measured(float(value))))


def _said(check: Check, measured: Measured) -> Words:
    value, shown = measured.value, check.shown
    if measured.said is not None and (shown is None or value is None):
        return measured.said
    if value is None or shown is None:
        return UNKNOWN_HERE
    if isinstance(shown, Mapping):
        return shown[round(value)]
    more_de, more_en = measured.said or ("", "")
    de = _german(shown[0].format(value=value)) + (f" ({more_de})" if more_de else "")
    return de, shown[1].format(value=value) + (f" ({more_en})" if more_en else "")


def _german(number: str) -> str:
    """With the decimal comma and the point between thousands."""
    return number.translate(str.maketrans(",.", ".,"))
