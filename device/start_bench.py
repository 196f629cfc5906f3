"""How soon a table is there after its start, and what it holds while it plays.

The command that a pub runs, as a process of its own: `schockauge run` before the shipped clip,
which a stand-in for a Raspberry Pi's camera plays at its own speed. It is asked what it tells
anybody (`/metrics`), and Linux what it takes.
"""

from __future__ import annotations

import re
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path
from urllib.request import ProxyHandler, build_opener

from prometheus_client.parser import text_string_to_metric_families

from device import demo_material
from device.errors import SchockaugeError

PATIENCE_S = 120.0
POLL_S = 0.05
END_S = 20.0

_ask = build_opener(ProxyHandler({})).open  # this machine is asked, never a proxy
_URL = re.compile(r"http://\S+")


@dataclass(frozen=True)
class Started:
    """What was measured.

    Attributes:
        page_s: from the start of the process until its page answers.
        picture_s: until the first picture of the camera has come.
        read_s: until the networks have read the first one.
        rss_mb: memory in use at the end, megabytes (of a million bytes).
        most_mb: the most that it ever was.
        played_s: how long it played for that.
        throws: that it has told of.
    """

    page_s: float
    picture_s: float
    read_s: float
    rss_mb: float
    most_mb: float
    played_s: float
    throws: int


def measure(seconds: float, *, clip: Path | None = None) -> Started:
    """Start a table, let it play, end it.

    Args:
        seconds: how long it plays after the first picture was read.
        clip: what the camera sees; None: the clip that ships.

    Raises:
        SchockaugeError: it did not start, or ended early; with what it said.
    """
    with tempfile.TemporaryDirectory(prefix="schockauge-start-") as name:
        folder = Path(name)
        (folder / "table.toml").write_text(
            f"[table]\ncamera_fov_deg = {demo_material.FOV_DEG}\n[web]\nport = 0\n",
            encoding="utf-8",
        )
        with _table(folder, clip or demo_material.clip()) as (child, console):
            began_s = time.monotonic()

            def until(what: str, there: Callable[[], bool]) -> float:
                while not there():
                    if child.poll() is not None or time.monotonic() - began_s > PATIENCE_S:
                        said = console.read_text(encoding="utf-8")
                        raise SchockaugeError(f"The table did not come to {what}:\n{said}")
                    time.sleep(POLL_S)
                return round(time.monotonic() - began_s, 2)

            page_s = until("its page", lambda: bool(_figures(console)))
            picture_s = until("a picture", lambda: _said(console, "camera_frames_total") > 0)
            read_s = until("reading", lambda: _said(console, "read_seconds_count") > 0)
            time.sleep(seconds)
            until("the end of the time", lambda: bool(_figures(console)))
            status = _status(child.pid)
        return Started(
            page_s, picture_s, read_s, status["VmRSS"], status["VmHWM"], seconds, _throws(folder)
        )


@contextmanager
def _table(folder: Path, clip: Path) -> Iterator[tuple[subprocess.Popen[bytes], Path]]:
    console = folder / "console.txt"
    source = f"picamera-stub:{clip.resolve()}"
    words = ["run", "--strict", "--settings", "table.toml", "--source", source]
    with console.open("wb") as out:
        child = subprocess.Popen(
            [sys.executable, "-m", "device", *words], cwd=folder, stdout=out, stderr=out
        )
    try:
        yield child, console
    finally:
        child.send_signal(signal.SIGINT)
        try:
            child.wait(END_S)
        except subprocess.TimeoutExpired:
            child.kill()
            child.wait()


def _figures(console: Path) -> dict[str, float]:
    """What `/metrics` says; nothing as long as nobody answers."""
    found = _URL.search(console.read_text(encoding="utf-8"))
    if found is None:
        return {}
    with suppress(OSError), _ask(found[0] + "metrics", timeout=5.0) as answer:
        families = text_string_to_metric_families(answer.read().decode())
        return {one.name: one.value for family in families for one in family.samples}
    return {}


def _said(console: Path, name: str) -> float:
    return _figures(console).get(f"schockauge_{name}", 0.0)


def _status(pid: int) -> dict[str, float]:
    """Of a process, from proc(5), megabytes."""
    lines = Path(f"/proc/{pid}/status").read_text(encoding="ascii").splitlines()
    kilobytes = {line.split(":")[0]: line.split()[1] for line in lines if line.endswith(" kB")}
    return {name: round(int(value) * 1.024e-3, 1) for name, value in kilobytes.items()}


def _throws(folder: Path) -> int:
    from device.store import SqliteLog

    with SqliteLog(folder / "schockauge.sqlite3") as log:
        return sum(entry.type == "table.throw_seen" for entry in log.read(limit=sys.maxsize))
