"""Does the appliance stay the same over an evening? Memory, files, threads, writing, by the minute.

The real thing runs: the shipped clip as a camera that never ends, at its own speed, through
models, rules, log, stills and clips to the page, at which viewers look on from another process.
Whenever the clip begins again so does a game.
"""

from __future__ import annotations

import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path

from device import bootstrap, demo_material
from device.appliance import Appliance
from device.frames import Frame
from device.settings import Settings
from device.sources import VideoSource, at_real_speed
from device.web_bench import resident_mb

WARM_UP = 1 / 3
"""So much of the time does not count: caches fill, the ring fills, the allocator finds its size."""
GAP_S = 1.0
"""Between two showings of the clip."""


@dataclass(frozen=True)
class Sample:
    """What the process holds and has done.

    Attributes:
        t_s: seconds since the beginning.
        rss_mb: memory in use.
        files: open files.
        threads: of the process.
        entries: of the log.
        log_mb: the log's file and what lies beside it.
        evidence_mb: stills and clips.
        written_mb: what the process has sent to the disk so far; None where Linux does not say.
    """

    t_s: float
    rss_mb: float
    files: int
    threads: int
    entries: int
    log_mb: float
    evidence_mb: float
    written_mb: float | None


@dataclass(frozen=True)
class Soaked:
    """What came of it.

    Attributes:
        samples: by the minute.
        mb_per_hour: how memory grows after the warm-up (least squares); None: too few samples.
        throws: that the camera saw.
        faults: that were told of.
    """

    samples: tuple[Sample, ...]
    mb_per_hour: float | None
    throws: int
    faults: tuple[str, ...]


def soak(
    minutes: float,
    *,
    viewers: int = 5,
    every_s: float = 60.0,
    told: Callable[[Sample], None] = lambda sample: None,
    clip: Path | None = None,
) -> Soaked:
    """Let the appliance play, and look at it now and then.

    Args:
        minutes: how long.
        viewers: who look on live.
        every_s: how often it is looked at, seconds.
        told: hears of every look at once.
        clip: what the camera shows; None: the one that ships.

    Raises:
        SchockaugeError: the appliance cannot be put together, or breaks.
    """
    with tempfile.TemporaryDirectory(prefix="schockauge-soak-") as name:
        folder = Path(name)
        settings = Settings(
            {
                "store.path": str(folder / "soak.sqlite3"),
                "store.evidence_dir": str(folder / "evidence"),
                "table.camera_fov_deg": demo_material.FOV_DEG,
                "web.port": 0,
            }
        )
        appliance = bootstrap.build(settings)
        try:
            with bootstrap.serve(settings, appliance.app) as server, _viewers(server.port, viewers):
                end_s = time.monotonic() + 60.0 * minutes
                with _sampling(appliance, folder, every_s, told) as samples:
                    frames = _endless(clip or demo_material.clip(), appliance, end_s)
                    appliance.play(at_real_speed(frames))
            entries = appliance.log.read(limit=sys.maxsize)
        finally:
            appliance.close()
    throws = sum(entry.type == "table.throw_seen" for entry in entries)
    faults = tuple(str(entry.data["what"]) for entry in entries if entry.type == "fault")
    return Soaked(tuple(samples), growth_mb_per_hour(samples), throws, faults)


def growth_mb_per_hour(samples: list[Sample]) -> float | None:
    """How fast memory grows after the warm-up, by least squares; None: fewer than three samples."""
    if not samples:
        return None
    counted = [one for one in samples if one.t_s >= WARM_UP * samples[-1].t_s]
    if len(counted) < 3:
        return None
    hours = [one.t_s / 3600.0 for one in counted]
    return statistics.linear_regression(hours, [one.rss_mb for one in counted]).slope


def _endless(clip: Path, appliance: Appliance, end_s: float) -> Iterator[Frame]:
    """The clip again and again, its time going on; each time with another game."""
    offset_s, index = 0.0, 0
    while True:
        if index:
            match = appliance.game.match
            begin = {"type": "start_game", "players": list(match.players), "by": "soak"}
            reason = {} if match.is_over else {"reason": "The clip begins again."}
            appliance.pipeline.submit({**begin, "book": match.book.key, **reason})
        at_s = offset_s
        with VideoSource(clip) as source:
            for frame in source:
                at_s = offset_s + frame.taken_at_s
                yield Frame(frame.image_bgr, at_s, index)
                index += 1
                if time.monotonic() >= end_s:
                    return
        offset_s = at_s + GAP_S


@contextmanager
def _sampling(
    appliance: Appliance, folder: Path, every_s: float, told: Callable[[Sample], None]
) -> Iterator[list[Sample]]:
    """Look at the process in the background."""
    began_s, over, samples = time.monotonic(), threading.Event(), list[Sample]()

    def look() -> None:
        while not over.wait(began_s + (len(samples) + 1) * every_s - time.monotonic()):
            samples.append(_sample(appliance, folder, time.monotonic() - began_s))
            told(samples[-1])

    thread = threading.Thread(target=look, name="soak", daemon=True)
    thread.start()
    try:
        yield samples
    finally:
        over.set()
        thread.join()


def _sample(appliance: Appliance, folder: Path, t_s: float) -> Sample:
    log = sum(path.stat().st_size for path in folder.glob("soak.sqlite3*"))
    kept = sum(path.stat().st_size for path in (folder / "evidence").glob("*.*"))
    return Sample(
        t_s=round(t_s, 1),
        rss_mb=round(resident_mb(), 1),
        files=sum(1 for _ in Path("/proc/self/fd").iterdir()),
        threads=threading.active_count(),
        entries=len(appliance.log.read(limit=sys.maxsize)),
        log_mb=round(log / 1e6, 2),
        evidence_mb=round(kept / 1e6, 2),
        written_mb=_written_mb(),
    )


def _written_mb() -> float | None:
    try:
        lines = Path("/proc/self/io").read_text(encoding="ascii").splitlines()
    except OSError:
        return None
    counted = dict(line.split(": ") for line in lines)
    return round(int(counted["write_bytes"]) / 1e6, 2)


@contextmanager
def _viewers(port: int, count: int) -> Iterator[None]:
    """Viewers in a process of their own; they take what comes until it is over."""
    if not count:
        yield
        return
    words = [sys.executable, "-m", "device.web_viewers", str(port), str(count), "0", str(count)]
    looking = subprocess.Popen(
        words, stdin=subprocess.PIPE, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
    )
    try:
        yield
    finally:
        looking.kill()
        looking.communicate()


def as_json(sample: Sample) -> dict[str, float | None]:
    """A look as a JSON object."""
    return asdict(sample)
