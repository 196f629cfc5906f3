"""Looks at everything every few seconds, raises and takes back alarms, and tells whoever asks."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Collection, Iterable, Sequence
from typing import Any, Self

from device.errors import StoreError
from device.health.alarms import Alarms
from device.health.checks import CHECKS
from device.health.metrics import Metrics
from device.health.state import UNKNOWN_HERE, Check, Finding, Judge, Measured, State
from device.health.subject import Subject
from device.health.vitals import Vitals
from web_ui.ports import HealthRow

EVERY_S = 5.0

UNSERVED = ("log", "watch")
"""Where one of these is bad, the appliance does not tell what happens at the table."""

Tell = Callable[..., None]

_log = logging.getLogger(__name__)


def look(subject: Subject, checks: Iterable[Check], judge: Judge) -> tuple[Finding, ...]:
    """Look at everything once; a measure that breaks has found nothing."""
    return tuple(judge.find(check, _measured(subject, check)) for check in checks)


def _measured(subject: Subject, check: Check) -> Measured:
    try:
        return check.measure(subject)
    except Exception:  # what measures must not be what fails
        _log.exception("%s cannot be measured", check.key)
        return Measured(None, UNKNOWN_HERE)


class Monitor:
    """Watches over one appliance; tells nobody before it was told whom (`tell_by`).

    Args:
        subject: what is looked at.
        checks: the checks.
        clock: monotonic seconds.

    Attributes:
        subject: see above.
        vitals: of its watch.
    """

    def __init__(
        self,
        subject: Subject,
        checks: Sequence[Check] = CHECKS,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        self.subject, self._checks, self._clock = subject, checks, clock
        self.vitals = subject.vitals or Vitals()
        self._judge, self._alarms = Judge(), Alarms()
        self._report: Tell | None = None
        self._fault_over: Tell | None = None
        self._lock = threading.Lock()
        self._now: tuple[float, tuple[Finding, ...]] = (float("-inf"), ())
        self._over = threading.Event()
        self._thread = threading.Thread(target=self._run, name="health", daemon=True)
        self._metrics = Metrics(self.findings, subject.vitals)

    def tell_by(self, report: Tell, fault_over: Tell, raised: Collection[str] = ()) -> None:
        """Say how the table is told; before `start`.

        Args:
            report: shows a fault, and notes more of it in the log.
            fault_over: takes it back.
            raised: codes of the faults that are shown already.
        """
        self._report, self._fault_over = report, fault_over
        self._alarms = Alarms(raised)

    def findings(self) -> tuple[Finding, ...]:
        """How everything is; some seconds old at most, looked at anew where nobody did."""
        at_s, found = self._now
        return found if self._clock() - at_s < 2 * EVERY_S else self._look()

    def turn(self) -> None:
        """Look, and tell or take back what is due."""
        found, now_s = self._look(), self._clock()
        for finding, alarm in self._alarms.due(found, now_s):
            try:
                self._tell(finding)
            except StoreError:  # then the log is the trouble, and `/healthz` says so
                continue
            alarm.told(now_s)

    def rows(self) -> Sequence[HealthRow]:
        """How everything is, for the page."""
        return [_row(finding) for finding in self.findings()]

    def failing(self) -> Sequence[str]:
        """Keys of what keeps the appliance from telling the truth; empty: nothing does."""
        found = self.findings()
        return [f.check.key for f in found if f.check.key in UNSERVED and f.state is State.BAD]

    def line(self) -> str:
        """How everything is, in one line for an operator."""
        found = self.findings()
        bad = [f"{f.check.title[1]}: {f.said[1]}" for f in found if f.state is State.BAD]
        rate = [f.said[1] for f in found if f.check.key == "frame_rate" and f.value is not None]
        return "; ".join(["to mend: " + ", ".join(bad) if bad else "all is well", *rate])

    def metrics(self) -> tuple[bytes, str]:
        """Everything for Prometheus, and the type of the text."""
        return self._metrics.text()

    def start(self) -> Self:
        """Begin, in the background."""
        self._thread.start()
        return self

    def close(self) -> None:
        """End; may be called twice."""
        self._over.set()
        if self._thread.is_alive():
            self._thread.join()

    def __enter__(self) -> Self:
        return self.start()

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self) -> None:
        while not self._over.is_set():
            try:
                self.turn()
            except Exception:  # whatever it is, the next look comes
                _log.exception("the look at the appliance's health stumbled")
            self._over.wait(EVERY_S)

    def _look(self) -> tuple[Finding, ...]:
        with self._lock:
            found = look(self.subject, self._checks, self._judge)
            self._now = self._clock(), found
            return found

    def _tell(self, finding: Finding) -> None:
        tell = self._report if finding.state is State.BAD else self._fault_over
        if tell is None:
            return
        more: dict[str, Any] = {}
        if finding.value is not None:
            more = {"value": round(finding.value, 3), "unit": finding.check.unit}
        tell(finding.check.fault, **more)


def _row(finding: Finding) -> HealthRow:
    check = finding.check
    return HealthRow(
        key=check.key,
        group=check.group,
        state=finding.state,
        value=finding.value,
        unit=check.unit,
        title=check.title,
        said=finding.said,
        todo=check.todo,
    )
