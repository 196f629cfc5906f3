"""A rehearsed tournament: tables that play by themselves over the real broker, and an organiser."""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any, Protocol, Self

from device.pairing_file import Pairing
from device.rehearsal_table import RehearsalTable
from device.store import EventLog, MemoryLog, SqliteLog
from device.uplink import Uplink
from rules.tournament import Tournament
from rules.tournament_standings import Standing
from web_ui.errors import ActionRefused

FIRST = (
    "Anna", "Ben", "Cem", "Dora", "Emil", "Fee", "Gero", "Hanna", "Ina", "Jan", "Kai", "Lea",
    "Max", "Nele", "Ole", "Pia", "Quinn", "Rosa", "Sven", "Tea", "Udo", "Vera", "Willi", "Yara",
)  # fmt: skip

BY = "Probe"


def names(count: int) -> list[str]:
    """So many different names."""
    rows = range(-(-count // len(FIRST)))
    return [f"{name} {row + 1}" if row else name for row in rows for name in FIRST][:count]


class Tables:
    """Virtual tables, each with log, game and uplink of its own; a context manager.

    Args:
        pairings: of the tables.
        folder: for their logs, which are taken up where they are; None: in memory.
        seed: of all chance.
        move_s: from one move at a table to the next, in seconds.
    """

    def __init__(
        self,
        pairings: Sequence[Pairing],
        folder: Path | None,
        *,
        seed: int = 1,
        move_s: float = 0.0,
    ) -> None:
        self.pairings, self._folder = pairings, folder
        self._seed, self._move_s = seed, move_s
        self._closing = ExitStack()
        self.tables: dict[str, RehearsalTable] = {}
        self.uplinks: dict[str, Uplink] = {}

    def __enter__(self) -> Self:
        with ExitStack() as undo:
            for pairing in self.pairings:
                log = undo.enter_context(self._log(pairing.table))
                chance = random.Random(f"{self._seed} {pairing.table}")
                table = RehearsalTable(log, chance, clock=time.time, move_s=self._move_s)
                table.start()
                undo.callback(table.close)
                self.tables[pairing.table] = table
                uplink = Uplink(log, pairing, table.side())
                self.uplinks[pairing.table] = undo.enter_context(uplink)
            self._closing = undo.pop_all()
        return self

    def __exit__(self, *_: object) -> None:
        for uplink in self.uplinks.values():
            uplink.stop()  # all at once, so that closing waits once
        self._closing.close()

    def _log(self, table: str) -> Any:
        log: EventLog = (
            MemoryLog() if self._folder is None else SqliteLog(self._folder / f"{table}.sqlite3")
        )
        return log


class Desk(Protocol):
    """Where the organiser acts (`web_ui.tournament_ports.Hall`)."""

    def tournament(self) -> Tournament | None:
        """The tournament that is under way or was the last."""

    def do(self, action: dict[str, Any], by: str) -> Sequence[Mapping[str, Any]]:
        """Carry out an action; raises `ActionRefused`."""

    def refusal(self, action: dict[str, Any]) -> ActionRefused | None:
        """Why an action is refused now, or None."""


class Organiser:
    """Runs a tournament from registration to its end; whoever is tied plays off by the seed.

    Args:
        desk: where to act.
        format: key of the format, or the text of one's own (TOML).
        players: who registers.
        seed: of the draws and play-offs.
        book: rule book of the games.
        said: told in words what is done.
    """

    def __init__(
        self,
        desk: Desk,
        *,
        format: str,
        players: Sequence[str],
        seed: str,
        book: str = "turnier",
        said: Callable[[str], None] = lambda text: None,
    ) -> None:
        self._desk, self._format, self._players = desk, format, players
        self._seed, self._book, self._said = seed, book, said
        self._chance = random.Random(seed)

    def open(self) -> None:
        """Open the registration, and register all."""
        own = "\n" in self._format
        made = {"name": "Generalprobe", "book": self._book}
        made |= {"format_text": self._format} if own else {"format": self._format}
        self._do("open_tournament", **made, seed=self._seed)
        fee = self._tournament().format.entry_fee_eur
        for name in self._players:
            self.register(name, fee)
        self._said(f"{len(self._players)} players have registered")

    def register(self, name: str, fee_eur: int) -> None:
        """Register one, and take the fee."""
        team = self._tournament().format.team_size
        self._do("register", player=name, **({"team": self._team()} if team > 1 else {}))
        if fee_eur:
            self._do("pay_fee", player=name, eur=fee_eur)

    def step(self) -> bool:
        """Do the next thing that is due; False: the tables are playing, or it is over."""
        tournament = self._tournament()
        one = tournament.round
        if tournament.is_over or (one is not None and one.waiting):
            return False
        if needed := tournament.stechen_needed:
            order = self._chance.sample(list(needed[0].players), len(needed[0].players))
            self._said(f"Stechen: {', '.join(order)}")
            groups = [[name] for name in order]
            self._do("record_stechen", order=groups, table=needed[0].table, reason="")
        elif self._desk.refusal({"type": "draw_round", "by": BY}) is None:
            self._do("draw_round")
            drawn = self._tournament().round
            if drawn is not None:
                self._said(f"round {drawn.number} ({drawn.kind}): {len(drawn.tables)} tables")
        else:
            self._do("finish", reason="")
            first = self._tournament().standings[0]
            self._said(f"over: {first.player} has won")
        return True

    @property
    def is_over(self) -> bool:
        """Whether the tournament has ended."""
        return self._tournament().is_over

    def ranking(self) -> Sequence[Standing]:
        """Everybody's place, with its reason."""
        return self._tournament().standings

    def _team(self) -> str:
        """Whoever comes goes into the team that is not full yet, late arrivals too."""
        tournament = self._tournament()
        return f"Team {len(tournament.state.entrants) // tournament.format.team_size + 1}"

    def _tournament(self) -> Tournament:
        tournament = self._desk.tournament()
        assert tournament is not None, "it was opened"
        return tournament

    def _do(self, kind: str, **more: Any) -> None:
        self._desk.do({"type": kind, **more}, BY)
