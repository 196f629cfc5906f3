"""The composition root of lamp, buzzer and button."""

from __future__ import annotations

import logging
from contextlib import AbstractContextManager, nullcontext
from functools import partial

from device.appliance import Appliance
from device.errors import SettingsError
from device.faults import SIGNALS_FAULT
from device.settings import Settings
from device.signal_panel import open_panel
from device.signal_settings import PANELS, signal_settings
from device.signals import Signals

_log = logging.getLogger(__name__)


def signals(settings: Settings, appliance: Appliance) -> AbstractContextManager[object]:
    """The signals of a table, not begun yet; nothing where the settings want none.

    Pins that cannot be are a fault on the page, as a lamp is that cannot be used.
    """
    try:
        asked = signal_settings(settings)
    except SettingsError as error:
        _log.warning("%s", error)
        appliance.report(SIGNALS_FAULT, problem=str(error))
        return nullcontext()
    if asked.panel == PANELS[0]:
        appliance.fault_over(SIGNALS_FAULT)  # of an evening before, when there were some
        return nullcontext()
    return Signals(appliance, partial(open_panel, asked))
