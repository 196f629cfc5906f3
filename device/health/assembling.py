"""Puts the monitor of a table together."""

from __future__ import annotations

from typing import TYPE_CHECKING

from device.health.monitor import Monitor
from device.health.subject import Link, Subject
from device.health.vitals import Vitals
from device.settings import Settings

if TYPE_CHECKING:
    from device.appliance import Appliance
    from device.store import EventLog
    from device.uplink import Uplink

MOST_COUNTED = 2000
"""What waits for the hub is counted up to here."""


def monitor_of(settings: Settings) -> Monitor:
    """A monitor of a table that is still to be put together."""
    return Monitor(Subject(settings, vitals=Vitals()))


def watched_by(monitor: Monitor, appliance: Appliance) -> None:
    """Let a monitor look at an appliance's log and road to the hub, and tell of alarms."""
    if appliance.uplink is not None:
        monitor.subject.link = link_of(appliance.uplink, appliance.log)
    monitor.subject.is_holding = lambda: bool(appliance.unwritten.alarms())
    monitor.tell_by(appliance.report, appliance.fault_over, appliance.faults)


def link_of(uplink: Uplink, log: EventLog) -> Link:
    """How the road to the hub is."""
    return Link(
        is_connected=lambda: uplink.is_connected,
        waiting=lambda: len(log.read(uplink.cursor, MOST_COUNTED)),
    )
