"""The real appliance as a process, `schockauge run`, and somebody at its page."""

import json
import os
import signal
import subprocess
import sys
import urllib.error
import urllib.request
from contextlib import suppress
from http.client import HTTPException
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from fault_play import PATIENCE_S, until
from shipped_demo import free_port

from device.store import SqliteLog


class RealTable:
    """`schockauge run` as a process, and somebody who enters throws at its page.

    Args:
        folder: where it runs and keeps its files; throws need no PIN.
        source: of its pictures.
        program: what is run instead of `python -m device`.
        more: lines of its settings, by section.
    """

    def __init__(
        self,
        folder: Path,
        source: str = "camera:99",
        program: tuple[str, ...] = ("-m", "device"),
        **more: str,
    ) -> None:
        self.folder, self.port = folder, free_port()
        self.log = folder / "state" / "evening.sqlite3"
        self.console = folder / "console.txt"
        self.log.parent.mkdir(exist_ok=True)
        SqliteLog(self.log).close()  # a table without any log begins with its set-up
        self._program = program
        self.settings = folder / "table.toml"
        sections = {
            "game": 'players = ["A", "B", "C"]',
            "store": f'path = "{self.log}"\nevidence_dir = "{self.log.parent}/evidence"',
            "table": f'source = "{source}"',
            "web": f"port = {self.port}\ntable_needs_pin = false",
        }
        text = [f"[{name}]\n{sections.get(name, '')}\n{more.get(name, '')}\n"
                for name in {**sections, **more}]  # fmt: skip
        self.settings.write_text("".join(text))
        self.process: subprocess.Popen[bytes] | None = None

    def start(self, *words: object, prefix: tuple[str, ...] = (), **more: Any) -> None:
        """Start it; it answers some seconds later."""
        with self.console.open("ab") as console:
            self.process = subprocess.Popen(
                [
                    *prefix, sys.executable, *self._program, "run", "--settings",
                    str(self.settings), *map(str, words),
                ],
                stdout=console, stderr=console, cwd=self.folder,
                env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}, **more,
            )  # fmt: skip

    def serves(self) -> "RealTable":
        """Wait until the page is there."""
        until(lambda: self.said("state") or not self.is_running, "it answers or has ended")
        assert self.is_running, self.console.read_text()
        return self

    @property
    def is_running(self) -> bool:
        return self.process is not None and self.process.poll() is None

    def end(self, how: signal.Signals = signal.SIGKILL) -> int:
        """Pull the plug, or end it as a service is ended; its exit status."""
        if self.process is None:
            return 0
        self.process.send_signal(how)
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.process.kill()
            self.process.wait()
            self.process = None

    def ended(self) -> int:
        """Wait until it has ended by itself; its exit status."""
        assert self.process is not None
        try:
            return self.process.wait(PATIENCE_S)
        finally:
            self.end()

    def said(self, what: str) -> dict[str, Any] | None:
        """What the page's interface says; None: nobody answers."""
        try:
            return self._ask(urllib.request.Request(self._url(what)))
        except urllib.error.HTTPError as error:
            with suppress(HTTPException):  # it ended in the middle of its answer
                return {"status": error.code, "error": error.read().decode(errors="replace")}
        except (OSError, ValueError, HTTPException):
            pass
        return None

    def faults(self) -> set[str]:
        """Which faults the table shows."""
        state = self.said("state") or {}
        return {str(fault["what"]) for fault in state.get("faults", ())}

    def throw(self, player: str, dice: str) -> dict[str, Any]:
        """Enter a throw; the answer, with `status`."""
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)
        token = self._ask(urllib.request.Request(self._url("session")), opener)["csrf"]
        headers = {"Content-Type": "application/json", "X-CSRF-Token": token}
        action = {"type": "throw", "player": player, "dice": [int(die) for die in dice]}
        request = urllib.request.Request(self._url("actions"), json.dumps(action).encode(), headers)
        try:
            return {"status": 200, **self._ask(request, opener)}
        except urllib.error.HTTPError as error:
            return {"status": error.code, **json.load(error)}

    def _url(self, what: str) -> str:
        return f"http://127.0.0.1:{self.port}/api/{what}"

    def _ask(self, request: urllib.request.Request, opener: Any = None) -> dict[str, Any]:
        opener = opener or urllib.request.build_opener(urllib.request.ProxyHandler({}))
        with opener.open(request, timeout=30.0) as answer:
            told: dict[str, Any] = json.load(answer)
            return told
