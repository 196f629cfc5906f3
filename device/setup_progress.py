"""How far the set-up of a table has come: a small file beside the log, so that it can be left."""

from __future__ import annotations

import json
import threading
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field, replace
from pathlib import Path
from typing import Any

from device.durable_file import write_durably
from device.errors import StoreError
from web_ui.setup_ports import DONE, OPEN, SKIPPED, STEPS

FILE_NAME = "schockauge-setup.json"
"""Beside the log."""


@dataclass(frozen=True)
class Progress:
    """How far it has come.

    Attributes:
        is_on: the camera belongs to the set-up.
        finished_at_s: when it was left last, Unix time in seconds; None: never.
        steps: `OPEN`, `DONE` or `SKIPPED` by step.
        taps: corners of the mat that were pointed at, pixels of the shown picture.
    """

    is_on: bool = False
    finished_at_s: float | None = None
    steps: Mapping[str, str] = field(default_factory=lambda: dict.fromkeys(STEPS, OPEN))
    taps: tuple[tuple[float, float], ...] = ()


class ProgressFile:
    """Keeps the progress of one table; safe to use from several threads.

    A file that cannot be read counts as a table that has been set up: damage must never take the
    camera from a game.

    Args:
        path: the file; made when absent.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._lock = threading.RLock()
        self._now = self._loaded()

    @property
    def now(self) -> Progress:
        """How far it is."""
        with self._lock:
            return self._now

    def change(self, **changed: Any) -> Progress:
        """Keep something new for the next start; values by the names of `Progress`.

        Raises:
            StoreError: it cannot be written; nothing has changed.
        """
        with self._lock:
            fresh = replace(self._now, **changed)
            try:
                write_durably(self.path, (json.dumps(asdict(fresh)) + "\n").encode())
            except OSError as error:
                raise StoreError(
                    f"The progress of the set-up in {self.path} cannot be written: "
                    f"{error.strerror}. Make room on the disk."
                ) from error
            self._now = fresh
            return fresh

    def mark(self, step: str, state: str) -> None:
        """Keep what has become of a step; errors as of `change`."""
        with self._lock:
            self.change(steps={**self._now.steps, step: state})

    def _loaded(self) -> Progress:
        try:
            record = json.loads(self.path.read_text(encoding="utf-8"))
            return _progress(record)
        except FileNotFoundError:
            return Progress()
        except (OSError, ValueError, TypeError, AttributeError, KeyError):
            return Progress(finished_at_s=0.0)


def _progress(record: Any) -> Progress:
    """What a file says; ValueError or the like where it says something else."""
    finished = record["finished_at_s"]
    known = {step: state for step, state in record["steps"].items() if step in STEPS}
    if not isinstance(record["is_on"], bool) or {*known.values()} - {OPEN, DONE, SKIPPED}:
        raise ValueError("no progress of a set-up")
    return Progress(
        is_on=record["is_on"],
        finished_at_s=None if finished is None else float(finished),
        steps={**dict.fromkeys(STEPS, OPEN), **known},
        taps=tuple((float(x), float(y)) for x, y in record["taps"]),
    )
