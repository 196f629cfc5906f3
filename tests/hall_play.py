"""A hall in memory: real tables that play by chance, the hub's log, and the hall over both."""

import random
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from device.errors import DatabaseAwayError
from device.hub.hall import Hall
from device.hub_wire import Seating
from device.rehearsal_table import RehearsalTable
from device.store import MemoryLog

NAMES = (
    "Anna", "Ben", "Cem", "Dora", "Emil", "Fee", "Gero", "Hanna", "Ina", "Jan", "Kai", "Lea",
)  # fmt: skip


SHORT = """
key = "kurz"
version = "1"
title_de = "Kurz"
title_en = "Short"
based_on = "leben"

[fields]
ko_lives = { value = 1, text = "Aushang" }
final_lives = { value = 1, text = "Aushang" }
tied_places = { value = "shared", text = "Aushang" }
"""
"""A format by lives that is over soon."""


@dataclass(frozen=True)
class Fed:
    """One entry of the feed."""

    seq: int
    at_s: float
    type: str
    data: dict[str, Any]
    table: str
    log: str
    log_seq: int


class MemoryFeed:
    """All logs as one, in the order in which they were brought in."""

    def __init__(self) -> None:
        self.entries: list[Fed] = []
        self._known: dict[str, int] = {}
        self.is_away: Callable[[], bool] = lambda: False
        self.is_broken = False

    def bring(self, table: str, log: MemoryLog) -> None:
        """What a log has that the feed has not."""
        entries = log.read(0, 1_000_000)
        name = entries[0].hash if entries else ""
        for entry in entries[self._known.get(name, 0) :]:
            seq = len(self.entries) + 1
            self.entries.append(
                Fed(seq, entry.at_s, entry.type, entry.data, table, name, entry.seq)
            )
        self._known[name] = len(entries)

    def read(self, after_seq: int = 0, limit: int = 1000) -> list[Fed]:
        if self.is_away():
            raise DatabaseAwayError("the plug is pulled")
        if self.is_broken:
            raise ValueError("nobody has thought of this")
        return self.entries[after_seq : after_seq + limit]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        return self.is_broken or len(self.entries) > after_seq


class HubMemory(MemoryLog):
    """The hub's own log, part of the feed as soon as it is written."""

    def __init__(self, feed: MemoryFeed) -> None:
        super().__init__()
        self.feed = feed
        self.is_away = False
        self.most: int | None = None
        """How often it can still be written; None: always."""

    def append_all(self, items: Any, *, at_s: float) -> Any:
        if self.is_away or self.most == 0:
            raise DatabaseAwayError("the plug is pulled")
        if self.most is not None:
            self.most -= 1
        written = super().append_all(items, at_s=at_s)
        self.feed.bring("", self)
        return written


class HallInMemory:
    """Tables `table-1` ... and the hall; `play` until nothing is left to play."""

    def __init__(self, tables: int, *, seed: int = 1) -> None:
        self.now_s = 1_000_000.0
        self.feed = MemoryFeed()
        self.log = HubMemory(self.feed)
        self.names = [f"table-{n}" for n in range(1, tables + 1)]
        self.tables = {
            name: RehearsalTable(MemoryLog(), random.Random(seed + n), clock=self.clock)
            for n, name in enumerate(self.names)
        }
        self.cut_off: set[str] = set()
        """Tables whose cable is out: they play on, nothing is heard of them."""
        self.waiting: dict[str, Seating] = {}
        self.hall = self.new_hall()
        for name in self.names:
            self.hall.available(name, online=True)

    def clock(self) -> float:
        self.now_s += 0.01
        return self.now_s

    def new_hall(self) -> Hall:
        """The hub, as it is after a restart."""
        return Hall(
            self.feed, self.log, clock=self.clock, devices=lambda: self.names, seat=self.seat
        )

    def seat(self, name: str, seating: Seating) -> None:
        self.waiting[name] = seating

    def bring(self) -> None:
        """Everything that is on its way arrives."""
        for name, table in self.tables.items():
            if name not in self.cut_off:
                if name in self.waiting:
                    table.seat(self.waiting.pop(name))
                self.feed.bring(name, table.log)
        if self.hall.catch_up():
            self.hall.follow()

    def play(self, *, rounds: int = 20_000, every: int = 20) -> None:
        """Until no table has a move to make."""
        for _ in range(rounds):
            self.bring()
            moved = False
            for table in self.tables.values():
                for _ in range(every):
                    if not table.move() and not table.move():
                        break
                    moved = True
            if not moved and not self.waiting.keys() - self.cut_off:
                self.bring()
                return
        raise AssertionError("the tables play without end")

    def do(self, kind: str, **more: Any) -> Any:
        return self.hall.do({"type": kind, **more}, by="R")

    def open(self, made: str, names: Sequence[str], *, fee: int = 10, seed: str = "7") -> None:
        own = {"format_text": made} if "\n" in made else {"format": made}
        self.do("open_tournament", name="Kirmes", **own, seed=seed, book="turnier")
        for name in names:
            self.do("register", player=name)
            self.do("pay_fee", player=name, eur=fee)


def results(hall: HallInMemory, number: int) -> dict[int, Any]:
    """What was handed in for a round, by the number of the table."""
    tournament = hall.hall.state.tournament
    assert tournament is not None
    return dict(tournament.state.rounds[number - 1].handed)
