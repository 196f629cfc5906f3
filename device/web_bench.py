"""How well the dashboard's server serves many viewers: the real one, over a log that grows."""

from __future__ import annotations

import json
import os
import random
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING, Any

from device.errors import SchockaugeError
from device.game import event_entry
from device.server import SPARE_THREADS, DashboardServer
from device.store import SqliteLog
from web_ui import create_app

if TYPE_CHECKING:
    from rules import RuleBook

PLAYERS = ("Anna", "Ben", "Cem", "Dora")
START_S = 60.0
IDLE_S = 5.0
"""How long all look on before the first event: what waiting alone costs."""


@dataclass(frozen=True)
class Load:
    """What is asked of the server.

    Attributes:
        viewers: live viewers at once.
        stalled: how many of them read nothing until the end.
        boards: how many of them fetch the board after events, as a page does.
        seconds: how long events come.
        rate: events a second.
    """

    viewers: int = 50
    stalled: int = 1
    boards: int = 0
    seconds: float = 120.0
    rate: float = 5.0


def serve(load: Load, *, seed: int = 1) -> dict[str, Any]:
    """Let viewers look on while games are played by chance, and judge what reached them.

    Args:
        load: how many, how long.
        seed: of the dice.

    Returns:
        The figures of `schockauge bench web`.

    Raises:
        SchockaugeError: the viewers cannot connect or end early.
    """
    bare_mb = resident_mb()
    with (
        tempfile.TemporaryDirectory(prefix="schockauge-bench-") as folder,
        SqliteLog(Path(folder) / "bench.sqlite3") as log,
    ):
        entries = played(seed)
        log.append(*next(entries), at_s=time.time())
        app = create_app(log, lambda action: {}, {"STREAM_LIMIT": load.viewers})
        threads = load.viewers + SPARE_THREADS
        with (
            DashboardServer(app, host="127.0.0.1", port=0, threads=threads) as server,
            _viewers(server.port, load) as viewers,
        ):
            idle_cpu = _share_of_cpu(IDLE_S, lambda: time.sleep(IDLE_S))
            busy_cpu = _share_of_cpu(load.seconds, lambda: _write(log, entries, load))
            full_mb = resident_mb()
            last = log.read(0, limit=1_000_000)[-1].seq
            seen = _told(viewers, last)
    return {
        **_judged(seen, last),
        "events": last,
        "threads": threads,
        "cpu_idle_percent": round(100 * idle_cpu, 1),
        "cpu_percent": round(100 * busy_cpu, 1),
        "rss_before_mb": round(bare_mb, 1),
        "rss_mb": round(full_mb, 1),
    }


def played(seed: int, players: Sequence[str] = PLAYERS) -> Iterator[tuple[str, dict[str, Any]]]:
    """The log of games without end, entry by entry."""
    from device.random_play import random_action
    from rules import Match

    chance, book = random.Random(seed), _book()
    while True:
        match = Match.new(book, players)
        yield event_entry(match.started)
        while not match.is_over:
            match, events = match.do(random_action(match, chance))
            yield from map(event_entry, events)


@cache
def _book() -> RuleBook:
    from rules import find_book

    return find_book("turnier")


def resident_mb() -> float:
    """Memory of this process that is in use now, megabytes; its peak where only that is known."""
    try:
        pages = int(Path("/proc/self/statm").read_text(encoding="ascii").split()[1])
    except OSError:
        import resource

        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1024
    return pages * os.sysconf("SC_PAGE_SIZE") / 1e6


def _share_of_cpu(wall_s: float, work: Any) -> float:
    began_s, began_cpu_s = time.monotonic(), time.process_time()
    work()
    return (time.process_time() - began_cpu_s) / max(wall_s, time.monotonic() - began_s)


def _write(log: SqliteLog, entries: Iterator[tuple[str, dict[str, Any]]], load: Load) -> None:
    """Write at the rate asked for, whatever a single write takes."""
    began_s = time.monotonic()
    for number in range(round(load.seconds * load.rate)):
        time.sleep(max(0.0, began_s + number / load.rate - time.monotonic()))
        log.append(*next(entries), at_s=time.time())


class _viewers:  # noqa: N801 - used like a function
    """The process of the viewers, all of them connected."""

    def __init__(self, port: int, load: Load) -> None:
        numbers = (port, load.viewers, load.stalled, load.boards)
        self._words = [sys.executable, "-m", "device.web_viewers", *map(str, numbers)]

    def __enter__(self) -> subprocess.Popen[str]:
        self._process = subprocess.Popen(
            self._words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        watchdog = threading.Timer(START_S, self._process.kill)
        watchdog.start()
        assert self._process.stdout is not None
        said = self._process.stdout.readline()
        watchdog.cancel()
        if said != "ready\n":
            self._process.kill()
            raise SchockaugeError(f"The viewers could not connect within {START_S:.0f} s.")
        return self._process

    def __exit__(self, *_: object) -> None:
        self._process.kill()
        self._process.communicate()


def _told(viewers: subprocess.Popen[str], last: int) -> list[dict[str, Any]]:
    assert viewers.stdin is not None
    assert viewers.stdout is not None
    viewers.stdin.write(f"{last}\n")
    viewers.stdin.flush()
    line = viewers.stdout.readline()
    if not line:
        raise SchockaugeError("The process of the viewers has ended early.")
    seen: list[dict[str, Any]] = json.loads(line)
    return seen


def _judged(seen: Sequence[dict[str, Any]], last: int) -> dict[str, Any]:
    """Who got everything in order, and how long it took; who stalled has no times."""
    expected = list(range(1, last + 1))
    lively = [one for one in seen if not one["stalled"]]
    # The first entry was written before anybody looked on.
    ms = sorted(value for one in lively for value in one["ms"][1:])
    boards = sorted(value for one in seen for value in one["board_ms"])
    return {
        "viewers": len(seen),
        "stalled": len(seen) - len(lively),
        "viewers_complete": sum(one["seqs"] == expected for one in seen),
        "reconnects": sum(one["connections"] - 1 for one in lively),
        **{f"ms_{name}": value for name, value in _quantiles(ms).items()},
        **({f"board_ms_{n}": v for n, v in _quantiles(boards).items()} if boards else {}),
        **({"boards": len(boards)} if boards else {}),
    }


def _quantiles(ordered: Sequence[float]) -> dict[str, float]:
    if len(ordered) < 2:
        return {}
    cuts = statistics.quantiles(ordered, n=100, method="inclusive")
    return {
        "p50": round(cuts[49], 1),
        "p99": round(cuts[98], 1),
        "max": round(ordered[-1], 1),
    }
