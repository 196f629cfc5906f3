"""One process of `schockauge bench hub`, and what the processor has done for it.

The hub, its tables, its viewers each run in a process of their own: so that none of them waits for
another's interpreter, and so that the work of each can be told apart. They speak JSON lines: what
they are to do comes in, what came of it goes out.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import threading
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Self

from device.errors import SchockaugeError

ANSWER_S = 1900.0
"""No part takes that long over anything."""

_USER, _SYSTEM, _CHILDREN_USER, _CHILDREN_SYSTEM = 11, 12, 13, 14
"""Fields of /proc/PID/stat after the name, in ticks (proc(5), utime to cstime)."""


class Part:
    """A module that runs as a process; a context manager.

    Args:
        module: `device.hub.` comes before it.
        config: told at its start.

    Raises:
        SchockaugeError: it does not start.
    """

    def __init__(self, module: str, config: dict[str, Any]) -> None:
        self._name = module
        words = [sys.executable, "-m", f"device.hub.{module}"]
        self._process = subprocess.Popen(
            words, stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
        )
        self.send(config)

    @property
    def pid(self) -> int:
        """Of its process."""
        return self._process.pid

    def send(self, said: dict[str, Any]) -> None:
        """Tell it something, without waiting.

        Raises:
            SchockaugeError: it has ended.
        """
        assert self._process.stdin is not None
        try:
            self._process.stdin.write(json.dumps(said) + "\n")
            self._process.stdin.flush()
        except OSError as error:
            raise self._ended() from error

    def answer(self) -> dict[str, Any]:
        """Wait for its next line.

        Raises:
            SchockaugeError: it has ended, or says nothing.
        """
        assert self._process.stdout is not None
        watchdog = threading.Timer(ANSWER_S, self._process.kill)
        watchdog.start()
        line = self._process.stdout.readline()
        watchdog.cancel()
        if not line:
            raise self._ended()
        said: dict[str, Any] = json.loads(line)
        return said

    def ask(self, said: dict[str, Any]) -> dict[str, Any]:
        """Tell it something and wait for its answer.

        Raises:
            SchockaugeError: as `answer`.
        """
        self.send(said)
        return self.answer()

    def close(self) -> None:
        """End it: it closes what it has open when nothing comes any more; may be called twice."""
        assert self._process.stdin is not None
        if self._process.poll() is None:
            self._process.stdin.close()
            try:
                self._process.wait(30.0)
            except subprocess.TimeoutExpired:
                self._process.kill()
                self._process.wait()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
        for pipe in (self._process.stdin, self._process.stdout):
            if pipe is not None:
                pipe.close()

    def _ended(self) -> SchockaugeError:
        self._process.kill()
        return SchockaugeError(
            f"The process {self._name} of the benchmark has ended with status "
            f"{self._process.wait()}; its own words are above."
        )


def config_and_orders() -> tuple[dict[str, Any], Iterator[dict[str, Any]]]:
    """The other end of `Part`: what was told at the start, and what is to be done after that."""
    lines = iter(sys.stdin.readline, "")
    return json.loads(next(lines)), map(json.loads, lines)


def tell(**said: Any) -> None:
    """Answer who has started this process."""
    print(json.dumps(said), flush=True)


def cpu_s(pids: Iterable[int]) -> float:
    """Processor time that living processes have used, seconds."""
    ticks = sum(sum(_stat(pid)[_USER : _SYSTEM + 1]) for pid in pids)
    return ticks / os.sysconf("SC_CLK_TCK")


def family_cpu_s(parent: int) -> float:
    """Processor time of a process and all children it ever had, seconds (PostgreSQL's server)."""
    own = sum(_stat(parent)[_USER : _CHILDREN_SYSTEM + 1]) / os.sysconf("SC_CLK_TCK")
    return own + cpu_s(pid for pid in _all() if _stat(pid)[1] == parent)


def parent_of(pid: int) -> int | None:
    """Of a process of this machine; None where it is none, or another program than PostgreSQL."""
    try:
        if not Path(f"/proc/{pid}/comm").read_text().startswith("postgres"):
            return None
    except OSError:
        return None
    return _stat(pid)[1] or None


def memory_mb(pid: int) -> float:
    """Memory of a process at its most, megabytes."""
    for line in Path(f"/proc/{pid}/status").read_text().splitlines():
        if line.startswith("VmHWM:"):
            return int(line.split()[1]) / 1024
    return 0.0


def _all() -> list[int]:
    return [int(path.name) for path in Path("/proc").glob("[0-9]*")]


def _stat(pid: int) -> list[int]:
    """The numbers behind the name and the state; the first one is set to 0 for the state."""
    try:
        _, _, after = Path(f"/proc/{pid}/stat").read_text().rpartition(")")
    except OSError:
        return [0] * (_CHILDREN_SYSTEM + 1)  # it has just ended
    return [0, *map(int, after.split()[1:])]
