"""The appliance as a process of its own, as a person starts it, and may pull its plug."""

import os
import signal
import subprocess
import sys
from pathlib import Path

from first_pin import first_pin
from shipped_demo import free_port

END_S = 30.0
"""Patience with its end."""


class Process:
    """`schockauge` with some words and a port; it keeps its files in a folder.

    Args:
        folder: where it runs, and where its console goes.
        words: the command with its options, without the port.
    """

    def __init__(self, folder: Path, *words: str) -> None:
        self.port = free_port()
        self._folder = folder
        self._words = words
        self._console = folder / "console.txt"
        self._process: subprocess.Popen[bytes] | None = None

    def start(self) -> None:
        """Start it; it answers some seconds later."""
        with self._console.open("a") as console:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "device", *self._words, "--port", str(self.port)],
                stdout=subprocess.DEVNULL,
                stderr=console,
                cwd=self._folder,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
            )

    def end(self, how: signal.Signals = signal.SIGTERM) -> None:
        """End it as a service is ended: Ctrl-C does not reach what a shell runs behind."""
        if self._process is None:
            return
        self._process.send_signal(how)
        try:
            self._process.wait(END_S)
        finally:
            self._process.kill()
            self._process.wait()
            self._process = None

    @property
    def url(self) -> str:
        return f"http://127.0.0.1:{self.port}/"

    @property
    def first_pin(self) -> str:
        """The landlord's, as it stands on the console."""
        return first_pin(self._console)
