"""A machine that tells what a test says, and a time that passes as it says."""

import json
from collections.abc import Callable, Sequence
from pathlib import Path
from types import SimpleNamespace
from typing import Any, Self

import numpy as np

from device.frames import Frame
from device.health.checks import BY_KEY
from device.health.monitor import Monitor
from device.health.state import Finding, Judge
from device.health.subject import Subject
from device.health.vitals import Vitals
from device.settings import Settings
from device.watching import Moment
from vision.events import TableEvent


class Time:
    """Passes when it is told to; read as `wall` and `steady`."""

    def __init__(self, now_s: float = 1_800_000_000.0) -> None:
        self.now_s = now_s
        self.set_by_s = 0.0

    def __call__(self) -> float:
        return self.now_s

    def wall(self) -> float:
        return self.now_s + self.set_by_s

    def pass_s(self, seconds: float) -> None:
        self.now_s += seconds

    def jump_s(self, seconds: float) -> None:
        """Somebody sets the clock."""
        self.set_by_s += seconds


class Machine:
    """A folder that looks like the root of a machine, and programs that answer."""

    def __init__(self, root: Path) -> None:
        self.root = root
        self.asked = 0
        self._said: dict[str, str] = {}
        self._zones = 0

    def file(self, name: str, text: str) -> Self:
        path = self.root / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)
        return self

    def zone(self, kind: str, milli_c: int | str) -> Self:
        folder = f"sys/class/thermal/thermal_zone{self._zones}"
        self._zones += 1
        return self.file(f"{folder}/type", f"{kind}\n").file(f"{folder}/temp", f"{milli_c}\n")

    def says(self, program: str, text: str) -> Self:
        self._said[program] = text
        return self

    def run(self, words: Sequence[str]) -> str | None:
        self.asked += 1
        return self._said.get(words[0])

    def subject(
        self,
        *,
        time: Time | None = None,
        vitals: Vitals | None = None,
        kernel_clock: Callable[[], int | None] = lambda: 0,
        log: Path | None = None,
        models: Path | None = None,
        **more: Any,
    ) -> Subject:
        """What can be looked at from outside, and from inside where there are vitals."""
        time = time or Time()
        settings = {"store.path": str(log or self.root / "evening.sqlite3")}
        if models is not None:
            settings["model.folder"] = str(models)
        return Subject(
            Settings({**settings, **more}),
            vitals=vitals,
            root=self.root,
            run=self.run,
            wall=time.wall,
            steady=time,
            kernel_clock=kernel_clock,
        )

    def running(self, *, time: Time, **more: Any) -> Subject:
        """With an appliance inside."""
        return self.subject(time=time, vitals=Vitals(time), **more)


def found(subject: Subject, key: str) -> Finding:
    """What comes of one check."""
    check = BY_KEY[key]
    return Judge().find(check, check.measure(subject))


def on_a_pi(folder: Path) -> Monitor:
    """Of a Pi in the middle of an evening: it is warm, and its power was too weak once."""
    time = Time()
    pi = Machine(folder / "pi").zone("cpu-thermal", 76_300)
    pi.says("vcgencmd", "throttled=0x50000\n").file("proc/self/statm", "99000 83000 1\n")
    pi.file("proc/meminfo", "MemAvailable: 2345678 kB\n")
    vitals = Vitals(time)
    subject = pi.subject(time=time, vitals=vitals, log=folder / "evening.sqlite3")
    frames = (Frame(np.zeros((2, 2, 3), np.uint8), n / 25, n) for n in range(999))
    watcher: Any = SimpleNamespace(looks=0)
    settled = TableEvent(9.0, "throw_seen", None, (6, 5, 2), (), True, 8.0, 9.0)
    watching = vitals.frames(frames, live=True)
    for n in range(400):
        time.pass_s(0.01)
        frame = next(watching)
        assert isinstance(frame, Frame)
        time.pass_s(0.03)
        watcher.looks += n % 5 == 0
        told = (settled,) if n % 90 == 0 else ()
        list(vitals.moments([Moment(watcher, told, frame=frame)]))
    note = {"at_s": time.wall() - 9.2 * 86_400, "path": "stick", "bytes": 41_000_000}
    pi.file("../last_backup.json", json.dumps(note))
    monitor = Monitor(subject, clock=time)
    monitor.findings()
    return monitor  # what it has found stays as it is: its time stands still
