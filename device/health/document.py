"""The table of checks for docs/health.md; `schockauge doctor --markdown` prints it."""

from __future__ import annotations

from collections.abc import Iterator

from device.health.checks import CHECKS
from device.health.metrics import NAMESPACE
from device.health.state import Check, Limits

HEAD = ("check", "on the page", "worth a look", "bad", "alarm", "metric", "what to do")


def table() -> str:
    """The checks of a running evening as a table in Markdown."""
    rows = [HEAD, tuple("---" for _ in HEAD), *(_row(check) for check in CHECKS)]
    return "\n".join(f"| {' | '.join(row)} |" for row in rows) + "\n"


def _row(check: Check) -> tuple[str, ...]:
    warn, bad = _limits(check.limits, check)
    metric = f"`{NAMESPACE}_{check.metric.name}`" if check.metric is not None else ""
    alarm = f"`{check.fault}`" if check.alarm is not None else ""
    return (f"`{check.key}`", check.title[1], warn, bad, alarm, metric, check.todo[1])


def _limits(limits: Limits, check: Check) -> Iterator[str]:
    sign = "≤" if limits.lower_is_worse else "≥"
    for limit in (limits.warn, limits.bad):
        if limit is None:
            yield ""
        elif isinstance(check.shown, dict):
            yield check.shown[round(limit)][1]
        elif not check.unit:
            yield "no" if limit == 0 else f"{sign} {limit:g}"
        else:
            back = limits.back if limit == limits.bad and limits.back is not None else None
            until = "" if back is None else f", until {back:g}"
            yield f"{sign} {limit:g} {check.unit}{until}"
