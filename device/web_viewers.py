"""Viewers of the live stream in a process of their own, for `schockauge bench web`.

    python -m device.web_viewers PORT VIEWERS STALLED BOARDS

Says `ready` when all are connected. Reads the number of the last entry from its input; as soon as
everybody has seen it, it prints what they saw as one line of JSON. A viewer that stalls is
connected, but reads nothing before that number comes. One that is cut off comes back with
`Last-Event-ID`, as browsers do. The first BOARDS viewers fetch the board after events, as the
dashboard's page does.
"""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import sys
import time
from dataclasses import asdict, dataclass, field

HOST = "127.0.0.1"
LONGEST_LINE_BYTES = 1 << 20
SMALL_BUFFER_BYTES = 4096
"""Of a viewer that stalls, so that what it does not read stays with the server."""

RECONNECT_S = 0.5
PAGE_PAUSE_S = 0.08
"""Events come in bursts; the page fetches once for all of them (static/board.js)."""

PATIENCE_S = 60.0
"""How long the viewers may take to catch up after the last entry."""


@dataclass
class Seen:
    """What one viewer saw.

    Attributes:
        seqs: numbers of the entries, as they came.
        ms: from the writing of each entry to its arrival, milliseconds.
        board_ms: from an event to the board that shows it, milliseconds.
        connections: how often it had to connect.
        stalled: it read nothing until the end.
    """

    seqs: list[int] = field(default_factory=list)
    ms: list[float] = field(default_factory=list)
    board_ms: list[float] = field(default_factory=list)
    connections: int = 0
    stalled: bool = False


class Audience:
    """All viewers of one server.

    Args:
        port: of the server on this machine.
        viewers: how many.
        stalled: how many of them read nothing until the end.
        boards: how many of them fetch the board as well.
    """

    def __init__(self, port: int, *, viewers: int, stalled: int, boards: int) -> None:
        self._port = port
        self.seen = [Seen(stalled=number >= viewers - stalled) for number in range(viewers)]
        self._boards = boards
        self._connected = asyncio.Semaphore(0)
        self._may_read = asyncio.Event()

    async def watch(self) -> None:
        """Connect all, say so, and watch until the last entry that standard input names."""
        tasks = [
            asyncio.create_task(self._view(one, with_board=number < self._boards))
            for number, one in enumerate(self.seen)
        ]
        for _ in tasks:
            await self._connected.acquire()
        print("ready", flush=True)
        last = int(await asyncio.to_thread(sys.stdin.readline))
        self._may_read.set()
        with contextlib.suppress(TimeoutError):
            async with asyncio.timeout(PATIENCE_S):
                while not all(one.seqs and one.seqs[-1] >= last for one in self.seen):
                    await asyncio.sleep(0.05)
        for task in tasks:
            task.cancel()
        await asyncio.gather(*tasks, return_exceptions=True)

    async def _view(self, seen: Seen, *, with_board: bool) -> None:
        fetching: asyncio.Task[None] | None = None
        while True:
            with contextlib.suppress(OSError, asyncio.IncompleteReadError):
                reader, writer = await self._open(seen)
                if seen.connections == 1:
                    self._connected.release()
                if seen.stalled:
                    await self._may_read.wait()
                while line := await reader.readline():
                    if not line.startswith(b"data: {"):
                        continue
                    now_s = time.time()
                    entry = json.loads(line[6:])
                    seen.seqs.append(entry["seq"])
                    seen.ms.append(1000 * (now_s - entry["at_s"]))
                    if with_board and (fetching is None or fetching.done()):
                        fetching = asyncio.create_task(self._fetch_board(seen, entry["at_s"]))
                writer.close()
            await asyncio.sleep(RECONNECT_S)

    async def _open(self, seen: Seen) -> tuple[asyncio.StreamReader, asyncio.StreamWriter]:
        raw = socket.socket()
        raw.setblocking(False)  # noqa: FBT003 - the library's own form
        if seen.stalled:
            raw.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, SMALL_BUFFER_BYTES)
        await asyncio.get_running_loop().sock_connect(raw, (HOST, self._port))
        limit = SMALL_BUFFER_BYTES if seen.stalled and not seen.connections else LONGEST_LINE_BYTES
        reader, writer = await asyncio.open_connection(sock=raw, limit=limit)
        last = seen.seqs[-1] if seen.seqs else 0
        writer.write(self._request("/api/stream", f"Last-Event-ID: {last}\r\n"))
        while (await reader.readline()).strip():  # status and headers
            pass
        seen.connections += 1
        return reader, writer  # who lets go of the writer closes the connection

    async def _fetch_board(self, seen: Seen, at_s: float) -> None:
        await asyncio.sleep(PAGE_PAUSE_S)
        reader, writer = await asyncio.open_connection(HOST, self._port)
        writer.write(self._request("/board"))
        await reader.read()
        seen.board_ms.append(1000 * (time.time() - at_s))
        writer.close()

    def _request(self, path: str, more: str = "") -> bytes:
        # Version 1.0 has no chunks: the lines of the stream come as they are.
        return f"GET {path} HTTP/1.0\r\nHost: {HOST}\r\n{more}\r\n".encode()


def main() -> None:
    """Watch, then tell."""
    port, viewers, stalled, boards = (int(word) for word in sys.argv[1:])
    audience = Audience(port, viewers=viewers, stalled=stalled, boards=boards)
    asyncio.run(audience.watch())
    print(json.dumps([asdict(one) for one in audience.seen]), flush=True)


if __name__ == "__main__":
    main()
