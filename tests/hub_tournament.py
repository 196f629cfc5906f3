"""Whole tournaments over a real broker and PostgreSQL: what several tests of the hub share."""

import time
from collections.abc import Callable, Collection, Iterator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from typing import Any

from device.hub.assembly import Hub
from device.hub_wire import Seating
from device.played_rounds import SEATED
from device.rehearsal import BY, Organiser, Tables
from device.store import EventLog
from rules.events import EVENT_TYPES
from rules.tournament import Tournament
from rules.tournament_log import table_result
from rules.tournament_results import GameRecord
from web_ui.errors import ActionRefused

Json = dict[str, Any]


def until(said: Callable[[], object], what: str, patience_s: float = 120.0) -> None:
    """Wait until something holds."""
    end_s = time.monotonic() + patience_s
    while not said():
        assert time.monotonic() < end_s, f"it did not come to that: {what}"
        time.sleep(0.1)


@contextmanager
def running(
    broker: Any, database: str, folder: Path, tables: int, **more: Any
) -> Iterator[tuple[Hub, Tables]]:
    """A hub and its tables, all of them there.

    Args:
        broker: the fixture `hall`.
        database: its address.
        folder: for the files of the hub.
        tables: how many.
        more: for `Tables`.
    """
    pairings = [broker.folder.issue(f"table-{n}") for n in range(1, tables + 1)]
    keys = broker.folder.keys()
    with (
        Hub(database, broker.folder.hub_access(), folder / "files", keys=keys) as hub,
        Tables(pairings, None, **more) as at_tables,
    ):
        until(lambda: sum(one.online for one in hub.front.tables()) == tables, "all are there")
        yield hub, at_tables


def tournament_of(hub: Hub) -> Tournament:
    found = hub.front.tournament()
    assert found is not None
    return found


def paper_card(seats: tuple[str, ...]) -> Json:
    """Two games, both lost by the last of the table."""
    half = {"loser": seats[-1], "out": [[name] for name in seats[:-1]]}
    games = [
        {
            "number": number, "players": list(seats), "halves": [half, half], "loser": seats[-1],
            "how": "sweep", "schock_aus": {},
        }
        for number in (1, 2)
    ]  # fmt: skip
    return {"games": games, "source": "card", "by": "Schreiber", "cut_short": "Gerät defekt"}


def cards_for_the_rest(hub: Hub) -> set[tuple[int, int]]:
    """Hand in a card for every table at which no device stands; return round and table of each."""
    one = tournament_of(hub).round
    assert one is not None
    missing = [number for number in one.waiting if number not in hub.hall.state.devices(one)]
    for number in missing:
        card = paper_card(one.tables[number - 1])
        hub.front.do({"type": "hand_in", "table": number, "result": card}, BY)
    return {(one.number, number) for number in missing}


def play_round(
    hub: Hub,
    organiser: Organiser,
    *,
    games: int = 0,
    scharf: bool = False,
    patience_s: float = 240.0,
) -> set[tuple[int, int]]:
    """Do what is due until a round was drawn, and wait until all its tables have handed in.

    Args:
        hub: with its tables.
        organiser: who draws.
        games: the time is up for a table when it has played so many; 0: it plays all.
        scharf: then the rest is sudden death; else what was played counts.
        patience_s: with the tables, in seconds.

    Returns:
        Round and number of the tables that have played by card.
    """
    number = len(tournament_of(hub).state.rounds)
    while len(tournament_of(hub).state.rounds) == number and not organiser.is_over:
        assert organiser.step(), "something is due between two rounds"
    cards = cards_for_the_rest(hub)
    until(lambda: is_played(hub, games, scharf=scharf), "the round is played", patience_s)
    return cards


def is_played(hub: Hub, games: int = 0, *, scharf: bool = False) -> bool:
    """Whether all tables have handed in; those whose time is up are told so (see `play_round`)."""
    one = tournament_of(hub).round
    assert one is not None
    late = {s.number for s in hub.front.tables() if games and s.games_done >= games}
    for number in late & set(one.waiting) - one.scharf:
        kind = "call_scharf" if scharf else "collect"
        with suppress(ActionRefused):  # it has handed in just now
            reason = {} if scharf else {"reason": "die Zeit ist um"}
            hub.front.do({"type": kind, "tables": [number], **reason}, BY)
    one = tournament_of(hub).round
    return one is not None and not one.waiting


def told(hub: Hub) -> list[Json]:
    """The tournament's events, as its log in the database has them."""
    entries = hub.streams.read(0, 10_000_000)
    own = [entry for entry in entries if not entry.table]
    kinds = [entry for entry in own if entry.type.startswith("tournament.")]
    return [{**e.data, "type": e.type.removeprefix("tournament.")} for e in kinds]


def games_of(log: EventLog, number: int) -> list[GameRecord]:
    """The games of a round as the table's own log has them, read apart from the hub."""
    games: list[list[Json]] = []
    sharp_from, seating, is_one = None, None, False
    for entry in log.read(0, 10_000_000):
        if entry.type == SEATED:
            said = Seating.from_body(entry.data)
            seating = said if said.round == number else None if said.round else seating
            is_one = is_one and seating is not None
            if seating is not None and said.scharf and sharp_from is None:
                kinds = {event["type"] for event in games[-1]} if games else {"game_over"}
                sharp_from = len(games) - (not kinds & {"game_over", "half_over"})
        elif seating is not None and entry.type in EVENT_TYPES:
            if entry.type == "match_started":
                is_one = set(entry.data["players"]) <= set(seating.players)
                games += [[]] if is_one else []
            if is_one:
                games[-1].append({"type": entry.type, **entry.data})
    records: list[GameRecord] = []
    for n, events in enumerate(games):
        sharp = int(sharp_from is not None and n >= sharp_from)
        read = table_result(events, by="test", scharf_from=sharp, drop_unfinished=True).games
        records += [replace(one, number=len(records) + 1) for one in read[:1]]
    return records


def chains_agree(hub: Hub, tables: Tables, *, dead: Collection[str] = ()) -> None:
    """Every entry of every table is in the hub, once, in order, with the hash it has there.

    Args:
        hub: has them.
        tables: as they are at the end.
        dead: those of whose log only the beginning has come.
    """
    for name, table in tables.tables.items():
        own = [entry.hash for entry in table.log.read(0, 10_000_000)]
        if name in dead:
            own = own[: len(hub.streams.read_log(own[0], 0, 10_000_000))]
            assert len(own) > 1
        until(lambda own=own: len(hub.streams.read_log(own[0], 0, 10_000_000)) >= len(own), name)
        there = [entry.hash for entry in hub.streams.read_log(own[0], 0, 10_000_000)]
        assert there[: len(own)] == own
        seqs = [entry.log_seq for entry in hub.streams.read_log(own[0], 0, 10_000_000)]
        assert seqs == list(range(1, len(seqs) + 1))
