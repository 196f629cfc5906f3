"""When a bad finding becomes a fault in the log, and when that is over. Pure: time is told to it.

A finding has to be bad for `AFTER_S` before anybody is told, and good for `CALM_S` before it is
taken back; between two words about the same check `REST_S` pass, whatever happens. What cannot be
measured changes nothing: a fault that was told stays until it is known to be over.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable

from device.health.state import Finding, State

AFTER_S = 10.0
CALM_S = 60.0
REST_S = 60.0


class Alarm:
    """Of one check.

    Args:
        raised: it was told before, in an evening that this one goes on with.
    """

    def __init__(self, *, raised: bool = False) -> None:
        self.raised = raised
        self._since_s: float | None = None
        self._told_s: float | None = None

    def wants(self, state: State, now_s: float) -> bool:
        """Whether it has to be told, or taken back, now; `told` says that it was."""
        if state is State.UNKNOWN or (state is State.BAD) == self.raised:
            self._since_s = None
            return False
        if self._since_s is None:
            self._since_s = now_s
        lasts_s = CALM_S if self.raised else AFTER_S
        rested = self._told_s is None or now_s - self._told_s >= REST_S
        return rested and now_s - self._since_s >= lasts_s

    def told(self, now_s: float) -> None:
        """The log has taken it."""
        self.raised = not self.raised
        self._since_s, self._told_s = None, now_s


class Alarms:
    """Of all checks that have one.

    Args:
        raised: codes of the faults that an evening before has left open.
    """

    def __init__(self, raised: Collection[str] = ()) -> None:
        self._raised = frozenset(raised)
        self._alarms: dict[str, Alarm] = {}

    def due(self, findings: Iterable[Finding], now_s: float) -> list[tuple[Finding, Alarm]]:
        """The findings to be told or taken back now, with their alarms."""
        found = [(f, self._of(f)) for f in findings if f.check.alarm is not None]
        return [(f, alarm) for f, alarm in found if alarm.wants(f.state, now_s)]

    def _of(self, finding: Finding) -> Alarm:
        fault = finding.check.fault
        if fault not in self._alarms:
            self._alarms[fault] = Alarm(raised=fault in self._raised)
        return self._alarms[fault]
