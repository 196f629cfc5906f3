"""How long things take: calls of the networks, stages of the way from a frame to an event."""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, TypeVar

if TYPE_CHECKING:
    from device.settings import Settings
    from vision.detections import ValueWitness

Result = TypeVar("Result")
Times = dict[str, list[float]]
"""Milliseconds by stage."""
WARM_UP = 3
"""Measurements at the start that pay for loading and caches."""


class Stopwatch:
    """A network whose calls are timed.

    Args:
        call: `Detector.find`, `Namer.shows`, `PipCounter.probabilities` or `PipCounter.maps`,
            `StanceReader.stances`, `OutlineReader.stances` or `Glimpse.parts`.

    Attributes:
        ms: how long each call took since `take`, milliseconds.
        sizes_px: the size of each of these calls that was a look.
    """

    def __init__(self, call: Callable[..., Any]) -> None:
        self._call = call
        self.ms: list[float] = []
        self.sizes_px: list[int] = []

    def __call__(self, *words: Any, **named: Any) -> Any:
        """Call, and write down how long it took."""
        began_s = time.perf_counter()
        answer = self._call(*words, **named)
        self.ms.append((time.perf_counter() - began_s) * 1000)
        self.sizes_px += [named["size_px"]] if "size_px" in named else []
        return answer

    find = shows = probabilities = maps = stances = parts = __call__

    def take(self) -> list[float]:
        """The times so far; the lists start anew."""
        taken, self.ms, self.sizes_px = self.ms, [], []
        return taken


@dataclass(frozen=True)
class Eyes:
    """Networks, timed: those of a table, or of photographs."""

    finder: Stopwatch
    namer: Stopwatch
    counter: Stopwatch
    stance: Stopwatch
    outline: Stopwatch | None = None

    @classmethod
    def of_photographs(cls, settings: Settings) -> Eyes:
        """The networks that read photographs; errors as of `device.bootstrap_readers`."""
        from device import bootstrap_readers as readers

        return cls(
            Stopwatch(readers.finder(settings).find),
            Stopwatch(readers.namer(settings).shows),
            Stopwatch(readers.counter(settings).probabilities),
            Stopwatch(readers.stance_reader(settings).stances),
        )

    def at_table(self, settings: Settings) -> Eyes:
        """Those that look at a table; its finder looks in few sizes. Errors as above."""
        from device import bootstrap_readers as readers
        from vision.outline_judge import OutlineJudge

        finds = Stopwatch(readers.finder(settings).in_few_sizes().find)
        names = Stopwatch(readers.table_namer(settings).shows)
        second = readers.second_reader(settings)
        if not isinstance(second, OutlineJudge):
            return Eyes(finds, names, Stopwatch(second.probabilities), self.stance)
        counts, outline = Stopwatch(second.counter.maps), Stopwatch(second.reader.stances)
        return Eyes(finds, names, counts, self.stance, outline)

    @property
    def value_reader(self) -> ValueWitness:
        """Who counts pips at a table, and judges outlines if anybody does."""
        from vision.outline_judge import OutlineJudge

        return OutlineJudge(self.counter, self.outline) if self.outline else self.counter

    def take(self) -> list[list[float]]:
        """What each took since the last time, milliseconds a call, in the order above."""
        every = (self.finder, self.namer, self.counter, self.stance, self.outline)
        return [watch.take() if watch else [] for watch in every]


def timed(times: Times, stage: str, work: Callable[[], Result]) -> Result:
    """Do some work and write down how long a stage took."""
    began_s = time.perf_counter()
    result = work()
    note(times, stage, (time.perf_counter() - began_s) * 1000)
    return result


def note(times: Times, stage: str, ms: float) -> None:
    """Write down how long a stage took, milliseconds."""
    times.setdefault(stage, []).append(ms)


def median_ms(values: list[float]) -> float:
    """The median without the first `WARM_UP`, which pay for loading and caches."""
    return round(statistics.median(values[WARM_UP:] or values), 2)
