"""Screens in the hall in a process of their own, for `schockauge bench hub`.

All follow the hub's live stream; some fetch the wall's board after it as the wall's page does, with
the pause that the page names. Each notes what it saw when: the number that it was told, or that
stood on the board.
"""

from __future__ import annotations

import asyncio
import json
import re
import time

from device.hub.bench_part import config_and_orders, tell

HOST = "127.0.0.1"
PATIENCE_S = 30.0
LOOK_S = 0.02
WALL, BOARD = "/tournament/wall", "/tournament/wall/board"

Seen = list[tuple[int, float]]


class Screens:
    """All screens of one hub.

    Args:
        port: of the hub's pages on this machine.
        viewers: how many.
        boards: how many of them fetch the board as well.
    """

    def __init__(self, port: int, viewers: int, boards: int) -> None:
        self._port = port
        self.told: list[Seen] = [[] for _ in range(viewers)]
        self.boards: list[Seen] = [[] for _ in range(boards)]
        self.connections = 0
        self._pause_s = 1.0

    async def watch(self, after: int) -> list[asyncio.Task[None]]:
        """Connect all, each in a task of its own."""
        page = await self._fetch(WALL)
        if found := re.search(rb'data-pause-ms="(\d+)"', page):
            self._pause_s = int(found[1]) / 1000
        tasks = [
            asyncio.create_task(self._view(told, number, after))
            for number, told in enumerate(self.told)
        ]
        while self.connections < len(self.told):
            await asyncio.sleep(LOOK_S)
        return tasks

    async def until(self, last: int) -> None:
        """Wait until all have seen a number."""
        end_s = time.monotonic() + PATIENCE_S
        while time.monotonic() < end_s and not all(
            seen and seen[-1][0] >= last for seen in (*self.told, *self.boards)
        ):
            await asyncio.sleep(LOOK_S)

    async def _view(self, told: Seen, number: int, after: int) -> None:
        fetching: asyncio.Task[None] | None = None
        last = after
        while True:
            reader, writer = await asyncio.open_connection(HOST, self._port)
            writer.write(_request("/api/stream", f"Last-Event-ID: {last}\r\n"))
            while (await reader.readline()).strip():  # status and headers
                pass
            self.connections += 1
            while line := await reader.readline():
                if not line.startswith(b"data: {"):
                    continue
                last = json.loads(line[6:])["seq"]
                told.append((last, time.time()))
                if number < len(self.boards) and (fetching is None or fetching.done()):
                    fetching = asyncio.create_task(self._follow(number))
            writer.close()

    async def _follow(self, number: int) -> None:
        """Fetch the board, and again as long as it is older than what was told (live.js)."""
        told, shown = self.told[number], self.boards[number]
        while not shown or shown[-1][0] < told[-1][0]:
            await asyncio.sleep(self._pause_s)
            board = await self._fetch(BOARD)
            found = re.search(rb'data-seq="(\d+)"', board)
            if found is not None:
                shown.append((int(found[1]), time.time()))

    async def _fetch(self, path: str) -> bytes:
        reader, writer = await asyncio.open_connection(HOST, self._port)
        writer.write(_request(path))
        content = await reader.read()
        writer.close()
        return content


def _request(path: str, more: str = "") -> bytes:
    # Version 1.0 has no chunks: the lines of the stream come as they are.
    return f"GET {path} HTTP/1.0\r\nHost: {HOST}\r\n{more}\r\n".encode()


async def _main() -> None:
    config, orders = config_and_orders()
    screens = Screens(config["port"], config["viewers"], config["boards"])
    tasks = await screens.watch(config["after"])
    tell(ready=True)
    while (order := await asyncio.to_thread(next, orders, None)) is not None:
        await screens.until(order["last"])
        again = screens.connections - len(screens.told)
        tell(told=screens.told, boards=screens.boards, again=again)
    for task in tasks:
        task.cancel()


if __name__ == "__main__":
    asyncio.run(_main())
