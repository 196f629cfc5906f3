"""Moments of a tournament for the tests of its pages, and a server that shows them."""

import random
import time
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import pytest
from flask import Flask
from tournament_hall import MemoryHall
from tournament_play import play_on
from web_ui_page import Server

from device.hub.pairing import PairingDesk
from device.hub.pairing_office import Office
from rules.tournament_checking import action_of
from web_ui.ports import VERDICTS
from web_ui.tournament_app import create_hub_app
from web_ui.tournament_ports import OPEN, LastThrow, Pending, TableStatus

FIRST = (
    "Anna", "Bernd", "Cem", "Dora", "Emil", "Fatma", "Gerd", "Hanna", "Ingo", "Jana", "Kai", "Lena",
    "Max", "Nina", "Olaf", "Petra", "Quirin", "Rita", "Sven", "Tanja", "Uwe", "Vera", "Wim", "Yan",
)  # fmt: skip
LAST = ("Adler", "Brinkmann", "Çelik", "Dombrowski-Schulze")
THROWN = (
    LastThrow(player="", dice=(1, 1, 5), text_de="Schock 5", text_en="Schock 5"),
    LastThrow(player="", dice=(4, 5, 6), text_de="Straße 6", text_en="Straight 6"),
    LastThrow(player="", dice=(1, 1, 1), text_de="Schock aus", text_en="Schock out"),
)
STILL, CLIP = "a" * 64, "b" * 64


class HubServer(Server):
    """The pages of a tournament on a port of this machine."""

    def make_app(self) -> Flask:
        hall: Any = self.table
        return create_hub_app(
            hall, self.settings, access=self._access, pairing=getattr(hall, "office", None)
        )


def people(count: int) -> tuple[str, ...]:
    return tuple(
        f"{FIRST[at % len(FIRST)]} {LAST[at // len(FIRST) % len(LAST)]}" for at in range(count)
    )


def opened(names: Sequence[str] = (), made: str = "punkte_ko", **more: Any) -> MemoryHall:
    """A hall in which these have registered and paid."""
    hall = MemoryHall(clock_s=time.time, **more)
    act(hall, type=OPEN, name="Kirmes 2026", format=made, format_text="", seed="7", book="turnier")
    for name in names:
        act(hall, type="register", player=name, team="")
        state = hall.tournament()
        assert state is not None
        if state.format.entry_fee_eur:
            act(hall, type="pay_fee", player=name, eur=state.format.entry_fee_eur)
    return hall


def act(hall: MemoryHall, **action: Any) -> None:
    hall.do(action, "R")


def drawn(
    names: Sequence[str] = people(9), made: str = "punkte_ko", *, by_hand: int = 0
) -> MemoryHall:
    """The first round is drawn; `by_hand`: at tables of so many."""
    hall = opened(names, made)
    tables = [list(names[at : at + by_hand]) for at in range(0, len(names), by_hand or len(names))]
    act(hall, type="draw_round", by="R", tables=tables if by_hand else [])
    return hall


def playing(
    names: Sequence[str] = people(9), made: str = "punkte_ko", *, by_hand: int = 0
) -> MemoryHall:
    """The clock runs, cameras tell of most tables, one has gone, one card has been handed in."""
    hall = drawn(names, made, by_hand=by_hand)
    act(hall, type="start_clock")
    tournament = hall.tournament()
    assert tournament is not None
    assert tournament.round is not None
    count = len(tournament.round.tables)
    hall.statuses = {n: status(n, tournament.round.tables[n - 1]) for n in range(1, count)}
    step(hall, random.Random(1))
    return hall


def status(number: int, seats: Sequence[str]) -> TableStatus:
    thrown = THROWN[number % len(THROWN)]
    return TableStatus(
        name=f"tisch-{number}",
        online=number % 5 != 2,
        turn=seats[number % len(seats)],
        last_throw=LastThrow(**{**vars(thrown), "player": seats[0]}),
        games_done=number % 4,
        behind=12 if number % 5 == 2 else 0,
        last_seen_s=40.0 if number % 5 == 2 else 1.0,
        url=f"http://192.168.1.{100 + number}:8080/",
        faults=(("Die Kamera liefert keine Bilder.", "The camera sends nothing."),)
        if number == 1
        else (),
        source="log",
    )


def step(hall: MemoryHall, chance: random.Random) -> None:
    """One sensible step: a card, a Stechen, the next draw, or the end."""
    tournament = hall.tournament()
    assert tournament is not None
    _, (event,) = play_on(tournament, chance)
    hall.do(action_of(event).to_json(), "R")


def until(hall: MemoryHall, kind: str, chance: random.Random) -> None:
    """Play on until such an event has happened."""
    while hall.log.entries[-1].type != kind:
        step(hall, chance)


def between(names: Sequence[str] = people(9), made: str = "punkte_ko") -> MemoryHall:
    """All cards of the first round have been handed in."""
    hall = drawn(names, made)
    tournament, chance = hall.tournament(), random.Random(2)
    while tournament is not None and tournament.round is not None and tournament.round.waiting:
        step(hall, chance)
        tournament = hall.tournament()
    return hall


def stechen(names: Sequence[str] = people(9)) -> MemoryHall:
    """At the cut, or for a place with a prize, somebody has to play off."""
    for seed in range(100):
        hall, chance = drawn(names), random.Random(seed)
        tournament = hall.tournament()
        while tournament is not None and not tournament.is_over:
            if tournament.stechen_needed:
                return hall
            step(hall, chance)
            tournament = hall.tournament()
    raise AssertionError("no tournament of a hundred came to a Stechen")


def over(names: Sequence[str] = people(9), made: str = "punkte_ko", seed: int = 3) -> MemoryHall:
    hall = drawn(names, made)
    until(hall, "tournament_finished", random.Random(seed))
    return hall


def asked(folder: Path) -> MemoryHall:
    """A question, a case and a claim of two tables, the first with a picture, one still to come."""
    hall = playing()
    picture = folder / f"{STILL}.png"
    picture.write_bytes(PIXEL)
    hall.files["tisch-1", STILL] = picture
    at_s = time.time()
    hall.pending = [
        Pending(
            table="tisch-1", id="q1", kind="question", player="Anna", dice=(6, 5, 3),
            candidates=((6, 5, 3), (6, 5, 2)), verdicts=VERDICTS[:2], at_s=at_s - 90, still=STILL,
            text_de="Ein Würfel liegt schräg.", text_en="A die lies aslant.",
        ),
        Pending(
            table="tisch-1", id="c1", kind="case", player="Bernd", dice=(2, 2, 1), at_s=at_s - 60,
            clip=CLIP, text_de="Würfel nach dem Wurf berührt.", text_en="Dice touched.",
        ),
        Pending(
            table="tisch-2", id="claim-4", kind="claim", player="Cem", dice=(4, 4, 1),
            at_s=at_s - 5, text_de="Da lag eine Zwei.", text_en="That was a two.",
        ),
    ]  # fmt: skip
    hall.told = [
        {
            "at_s": at_s, "what": "forged", "table": "tisch-2",
            "text_de": "Eine Nachricht war nicht von diesem Tisch.",
            "text_en": "A message was not from this table.",
        }
    ]  # fmt: skip
    return hall


def coded() -> MemoryHall:
    """A round is played, and a code for one more table is shown."""
    hall = playing(people(15))
    desk = PairingDesk(lambda table: pytest.fail("nobody asks"), pytest.fail, time.monotonic)
    hall.office = Office(desk, lambda: "http://192.168.1.20:8090/", time.monotonic)
    hall.office.offer("tisch-7")
    return hall


PIXEL = bytes.fromhex(
    "89504e470d0a1a0a0000000d4948445200000001000000010806000000 1f15c489".replace(" ", "")
    + "0000000d49444154789c6360000002000001e221bc330000000049454e44ae426082"
)
