"""What the machine tells of itself: heat, power, memory. On another than a Pi much is unknown.

Every function takes the root of the file system, so that a test brings its own `/proc` and `/sys`,
and returns None for what the machine does not tell.
"""

from __future__ import annotations

import os
import re
import subprocess
from collections.abc import Callable, Sequence
from pathlib import Path

ROOT = Path("/")
RUN_S = 3.0
"""A program that is asked has to answer within this."""

THROTTLED = "sys/devices/platform/soc/soc:firmware/get_throttled"
"""The firmware's flags, in hexadecimal. The kernel calls the file deprecated, and complains in its
log when it is read; so `vcgencmd`, which needs /dev/vcio (group `video`), is asked before."""

# Bits of get_throttled; https://www.raspberrypi.com/documentation/computers/os.html#get_throttled
UNDER_VOLTAGE, CAPPED, SLOWED, SOFT_LIMIT = 1 << 0, 1 << 1, 1 << 2, 1 << 3
ALL_NOW = UNDER_VOLTAGE | CAPPED | SLOWED | SOFT_LIMIT
SINCE_BOOT = 16
"""So many bits higher: it has been so since the machine was switched on."""

NEVER, EARLIER, NOW = 0, 1, 2

Run = Callable[[Sequence[str]], str | None]
"""Asks a program and returns what it says; None: there is none, or it fails."""


def ask(words: Sequence[str]) -> str | None:
    """Run a program and return its output; None: it is not there, fails, or takes too long."""
    try:
        done = subprocess.run(  # the words are ours
            words, capture_output=True, text=True, timeout=RUN_S, check=True
        )
    except (OSError, ValueError, subprocess.SubprocessError):
        return None
    return done.stdout


def temperature_c(root: Path = ROOT) -> float | None:
    """Of the hottest part of the processor, °C."""
    zones = (root / "sys/class/thermal").glob("thermal_zone*")
    found = [read for zone in zones if (read := _celsius(zone)) is not None]
    return max(found, default=None)


def _celsius(zone: Path) -> float | None:
    """A processor's zone; others (batteries, Wi-Fi) are none of ours."""
    kind = _text(zone / "type") or ""
    if not re.search(r"cpu|soc|x86_pkg|acpitz", kind, re.IGNORECASE):
        return None
    milli = _text(zone / "temp")
    try:
        return None if milli is None else int(milli) / 1000.0
    except ValueError:
        return None


def throttled(root: Path = ROOT, run: Run = ask) -> int | None:
    """The firmware's flags of a Raspberry Pi; None: this is none, or it does not tell."""
    flags = _hex(run(["vcgencmd", "get_throttled"]))
    return _hex(_text(root / THROTTLED)) if flags is None else flags


def low_voltage(root: Path = ROOT) -> bool | None:
    """Whether a Raspberry Pi's kernel has seen too low a voltage in its last two seconds.

    None: there is no such sensor. Source: drivers/hwmon/raspberrypi-hwmon.c of Linux.
    """
    for sensor in (root / "sys/class/hwmon").glob("hwmon*"):
        if _text(sensor / "name") == "rpi_volt":
            return {"1": True, "0": False}.get(_text(sensor / "in0_lcrit_alarm") or "")
    return None


def _hex(text: str | None) -> int | None:
    """`50005` as the file has it, `throttled=0x50005` as vcgencmd."""
    found = re.fullmatch(r"(?:throttled=)?(?:0x)?([0-9a-fA-F]+)", (text or "").strip())
    return None if found is None else int(found[1], 16)


def when(flags: int, *bits: int) -> int:
    """Whether one of some bits is set: `NEVER`, `EARLIER` (since boot) or `NOW`."""
    mask = sum(bits)
    if flags & mask:
        return NOW
    return EARLIER if flags & (mask << SINCE_BOOT) else NEVER


def memory_mb(root: Path = ROOT) -> float | None:
    """What this process takes of the memory (resident), MB."""
    fields = (_text(root / "proc/self/statm") or "").split()
    if len(fields) < 2:
        return None
    return int(fields[1]) * os.sysconf("SC_PAGE_SIZE") / 1e6


def memory_free_mb(root: Path = ROOT) -> float | None:
    """What the machine still has for programs, MB."""
    found = re.search(r"^MemAvailable:\s+(\d+) kB", _text(root / "proc/meminfo") or "", re.M)
    return None if found is None else int(found[1]) * 1024 / 1e6


def _text(path: Path) -> str | None:
    try:
        return path.read_text(encoding="utf-8", errors="replace").strip()
    except OSError:
        return None
