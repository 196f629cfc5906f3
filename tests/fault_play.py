"""Players who play by chance in a process of their own, which is killed; and the real appliance."""

import json
import mmap
import os
import random
import signal
import struct
import subprocess
import sys
import time
import traceback
import urllib.error
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

from shipped_demo import free_port

from device.chain import LogEntry
from device.game import Game
from device.pipeline import Pipeline
from device.random_play import random_action
from device.store import SqliteLog
from rules import Match
from rules.events import EVENT_TYPES, event_from_json
from vision.events import TableEvent

PLAYERS = ("A", "B", "C")
ALL = 10_000_000
PATIENCE_S = 60.0


class Shared:
    """Two numbers in a file that outlive who writes them: has it begun, how far is the log."""

    def __init__(self, path: Path) -> None:
        if not path.exists():
            path.write_bytes(bytes(16))
        with path.open("r+b") as file:
            self._map = mmap.mmap(file.fileno(), 16)

    def tell(self, *, begun: bool, seq: int) -> None:
        self._map[:] = struct.pack("<qq", begun, seq)

    @property
    def begun(self) -> bool:
        return bool(struct.unpack("<qq", self._map[:])[0])

    @property
    def seq(self) -> int:
        return int(struct.unpack("<qq", self._map[:])[1])


class Player:
    """Forks players out of a process that has loaded everything, so that a cut takes no second."""

    def __init__(self, folder: Path) -> None:
        self._file = folder / "shared"
        self.shared = Shared(self._file)
        self._server = subprocess.Popen(
            [sys.executable, __file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True,
            env={**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)},
        )  # fmt: skip

    def play(
        self, path: Path, seed: int, *, cut_s: float | None = None, after: int = 0,
        dies_at: int = 0,
        moves: int = ALL,
    ) -> int:  # fmt: skip
        """Play on; the exit status.

        Args:
            path: of the log.
            seed: of the dice.
            cut_s: the plug is pulled so long after it has begun, seconds; None: not at all.
            after: and after the log has taken so many entries.
            dies_at: as of `play`.
            moves: as of `play`.
        """
        assert self._server.stdin is not None
        assert self._server.stdout is not None
        self.shared.tell(begun=False, seq=self.shared.seq)
        words = [str(path), seed, str(self._file), dies_at, moves]
        self._server.stdin.write(json.dumps(words) + "\n")
        self._server.stdin.flush()
        pid = int(self._server.stdout.readline())
        if cut_s is not None:
            known = self.shared.seq
            until(lambda: self.shared.begun, "it begins", pause_s=0.0)
            until(lambda: self.shared.seq >= known + after, "it plays", pause_s=0.0)
            time.sleep(cut_s)
            os.kill(pid, signal.SIGKILL)
        return int(self._server.stdout.readline())

    def close(self) -> None:
        self._server.kill()
        self._server.communicate()


def serve_players() -> None:
    """Fork a player for each line of standard input."""
    for line in sys.stdin:
        path, seed, shared, dies_at, moves = json.loads(line)
        pid = os.fork()
        if pid == 0:
            try:
                play(Path(path), seed, Shared(Path(shared)), dies_at, moves)
            except BaseException:
                traceback.print_exc()
                os._exit(1)
            os._exit(0)
        print(pid, flush=True)
        print(os.waitstatus_to_exitcode(os.waitpid(pid, 0)[1]), flush=True)


def play(path: Path, seed: int, shared: Shared, dies_at: int = 0, moves: int = ALL) -> None:
    """Play on, by hand and by camera, and tell after each move how far the log is for sure.

    Args:
        path: of the log.
        seed: of the dice.
        shared: hears of the beginning, and of the last entry that the log has taken.
        dies_at: the statement of SQL before which the plug is pulled; 0: none.
        moves: so many.
    """
    chance = random.Random(seed)
    shared.tell(begun=True, seq=shared.seq)
    with SqliteLog(path) as log:
        if dies_at:
            _die_at(log, dies_at)
        game = Game(log, book="turnier", players=PLAYERS, clock=lambda: 5.0)
        pipeline = Pipeline(game)
        for _ in range(moves):
            _move(pipeline, chance)
            shared.tell(begun=True, seq=log.read(max(0, shared.seq - 1), ALL)[-1].seq)


def _die_at(log: SqliteLog, count: int) -> None:
    left = [count]

    def statement(sql: str) -> None:
        left[0] -= 1
        if left[0] == 0:
            os.kill(os.getpid(), signal.SIGKILL)

    assert log._db is not None
    log._db.set_trace_callback(statement)


def _move(pipeline: Pipeline, chance: random.Random) -> None:
    match = pipeline.game.match
    if match.is_over:
        begin = {"type": "start_game", "players": list(PLAYERS), "book": "turnier", "by": "A"}
        pipeline.submit(begin)
        return
    if (question := pipeline.open_question) is not None:
        answer = {"question_id": question["question_id"], "by": "A", "verdict": "no_throw"}
        pipeline.submit({"type": "answer_question", **answer})
        return
    action = random_action(match, chance).to_json()
    if action["type"] == "throw" and chance.random() < 0.5:
        dice = tuple(action["dice"])
        sure = chance.random() < 0.9
        pipeline.receive(TableEvent(1.0, "throw_seen", None, dice, (), sure, 0.5, 1.0))
        return
    pipeline.submit(action)


def entries_of(path: Path) -> list[LogEntry]:
    """All entries; opening the log checks its chain."""
    with SqliteLog(path) as log:
        return log.read(limit=ALL)


def match_of(entries: list[LogEntry]) -> Match:
    """The latest game of a log, replayed by the rules alone."""
    events = [event_from_json({"type": e.type, **e.data}) for e in entries if e.type in EVENT_TYPES]
    begun = max(n for n, event in enumerate(events) if event.type == "match_started")
    return Match.replay(events[begun:])


def until(
    said: Callable[[], object], what: str, patience_s: float = PATIENCE_S, *, pause_s: float = 0.05
) -> Any:
    """Wait until something holds, and return it."""
    end_s = time.monotonic() + patience_s
    while True:
        if found := said():
            return found
        assert time.monotonic() < end_s, f"it did not come to that: {what}"
        time.sleep(pause_s)


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
            return {"status": error.code, "error": error.read().decode(errors="replace")}
        except (OSError, ValueError):
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


if __name__ == "__main__":
    serve_players()
