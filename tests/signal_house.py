"""A table with a lamp and a button that only remember, and a clock."""

from pipeline_table import Table

from device.signal_panel import Panel, Presses, SignalsError
from device.signal_table import Signal
from device.signals import Signals

NOBODY = Presses(short=lambda: None, long=lambda: None)


class Lamp:
    """Remembers what it was told; it can be broken."""

    def __init__(self) -> None:
        self.shown: list[str] = []
        self.beeps = 0
        self.closed = 0
        self.broken = False

    def show(self, signal: Signal) -> None:
        if self.broken:
            raise SignalsError("The wire is off.")
        self.shown.append(signal.name)

    def buzz(self) -> None:
        self.beeps += 1

    def close(self) -> None:
        self.closed += 1


class House:
    """A table with a lamp, and a clock."""

    def __init__(self) -> None:
        self.table = Table("A", "B", "C")
        self.log, self.pipeline = self.table.log, self.table.pipeline
        self.sees_mat = True
        self.faults: tuple[str, ...] = ()
        self.now_s = 0.0
        self.lamp = Lamp()
        self.presses = NOBODY
        self.missing = False
        self.signals = Signals(self, self.opened, clock=lambda: self.now_s)

    def opened(self, presses: Presses) -> Panel:
        if self.missing:
            raise SignalsError("There is no gpiozero.")
        self.presses = presses
        return self.lamp

    def report(self, what: str, **more: str) -> None:
        self.faults = tuple({*self.faults, what})
        self.problem = more.get("problem", "")

    def fault_over(self, what: str) -> None:
        self.faults = tuple({*self.faults} - {what})

    def after(self, seconds: float = 0.0) -> str:
        """What the lamp shows so long from now."""
        self.now_s += seconds
        self.signals.step()
        return self.lamp.shown[-1]
