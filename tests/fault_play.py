"""Players who play by chance in a process of their own, which is killed."""

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
from collections.abc import Callable
from pathlib import Path
from typing import Any

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


if __name__ == "__main__":
    serve_players()
