"""What the measures look at: one table's settings, its running watch, and the machine it is on."""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

import models
from device.health.clock import ClockWatch, kernel_status
from device.health.machine import (
    ALL_NOW,
    ROOT,
    SINCE_BOOT,
    UNDER_VOLTAGE,
    Run,
    ask,
    low_voltage,
    throttled,
)
from device.health.storing import DiskPace, Weights
from device.health.vitals import Vitals
from device.settings import Settings

KEEP_S = {"timedatectl": 60.0, "vcgencmd": 9.0}
"""What a program has said holds for so long: asking costs a process."""


@dataclass(frozen=True)
class Link:
    """To the hub.

    Attributes:
        is_connected: whether the broker is there.
        waiting: how many entries of the log the hub does not have yet.
    """

    is_connected: Callable[[], bool]
    waiting: Callable[[], int]


@dataclass
class Subject:
    """What is looked at.

    Attributes:
        settings: of the table.
        vitals: of its watch; None: it does not run in this process.
        link: to the hub; None: not paired, or not in this process.
        is_holding: whether the log does not take what is written now.
        root: of the file system, for /proc and /sys.
        run: asks a program.
        wall: Unix time, seconds.
        steady: monotonic seconds.
        kernel_clock: the kernel's flags of its clock.
        began_s: when this began, monotonic.
    """

    settings: Settings
    vitals: Vitals | None = None
    link: Link | None = None
    is_holding: Callable[[], bool] = lambda: False
    root: Path = ROOT
    run: Run = ask
    wall: Callable[[], float] = time.time
    steady: Callable[[], float] = time.monotonic
    kernel_clock: Callable[[], int | None] = kernel_status
    began_s: float = field(init=False)
    clock: ClockWatch = field(init=False)
    pace: DiskPace = field(init=False)
    weights: Weights = field(init=False)

    _seen: int = field(init=False, default=0)
    _asked: dict[str, tuple[float, str | None]] = field(init=False, default_factory=dict)

    def __post_init__(self) -> None:
        self.began_s = self.steady()
        self.clock = ClockWatch(self.wall, self.steady)
        self.pace = DiskPace(self.steady)
        folder = Path(self.settings["model.folder"] or models.FOLDER)
        self.weights = Weights(folder, self.steady)

    @property
    def log_path(self) -> Path:
        """The file of the log."""
        return Path(self.settings["store.path"])

    def power_flags(self) -> int | None:
        """The firmware's flags of too little power and too much heat, now and earlier.

        What was so while this ran is remembered: the kernel polls the firmware and has it forget.
        None: nobody tells of anything.
        """
        flags = throttled(self.root, self.ask)
        if (low := low_voltage(self.root)) is not None:
            flags = (flags or 0) | (UNDER_VOLTAGE if low else 0)
        if flags is None:
            return None
        self._seen |= flags & ALL_NOW
        return flags | self._seen << SINCE_BOOT

    def ask(self, words: Sequence[str]) -> str | None:
        """What a program says, or has said a moment ago; None: there is none, or it fails."""
        now_s, key = self.steady(), " ".join(words)
        at_s, said = self._asked.get(key, (float("-inf"), None))
        if now_s - at_s >= KEEP_S.get(words[0], 0.0):
            said = self.run(words)
            self._asked[key] = (now_s, said)
        return said
