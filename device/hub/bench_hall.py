"""The hub in a process of its own, for `schockauge bench hub`: the real one with its pages.

Before it begins, a tournament is written into its database, with as many players as sit down at
its tables; `draw` seats them.
"""

from __future__ import annotations

from contextlib import ExitStack
from pathlib import Path
from typing import Any

from device.hub.assembly import Hub
from device.hub.bench_part import config_and_orders, tell
from device.hub.database import open_database
from device.hub.hall_actions import tournament_entry
from device.hub.hall_state import OPENED
from device.hub.streams import Streams
from device.hub.table_log import HubLog
from device.pairing_file import BrokerAccess
from device.rehearsal import names
from device.server import SPARE_THREADS, DashboardServer
from rules.tournament import Tournament
from rules.tournament_actions import PayFee, Register
from rules.tournament_library import find_format
from web_ui.tournament_app import create_hub_app

FORMAT, BOOK = "verlustpunkte", "turnier"
SEATS = 4
BY = "Probe"


def main() -> None:
    """Serve until nothing more is asked for."""
    config, orders = config_and_orders()
    keys = {name: bytes.fromhex(key) for name, key in config["keys"].items()}
    if config["tournament"]:
        _register(config["database"], SEATS * len(keys))
    with ExitStack() as stack:
        access = BrokerAccess(**config["access"])
        hub = Hub(config["database"], access, Path(config["folder"]), keys=keys)
        stack.enter_context(hub)
        app = create_hub_app(hub.front, {"STREAM_LIMIT": config["viewers"]})
        threads = config["viewers"] + SPARE_THREADS
        server = DashboardServer(app, host="127.0.0.1", port=0, threads=threads)
        stack.enter_context(server)
        tell(port=server.port)
        for order in orders:
            tell(**_ORDERS[order["do"]](hub, order))


def _register(database: str, count: int) -> None:
    """Everybody has come and paid; nothing is drawn yet."""
    engine = open_database(database)
    with Streams(engine) as streams:
        tournament = Tournament.new(find_format(FORMAT), "Messung", seed="1")
        entries = [(OPENED, {"book": BOOK}), tournament_entry(tournament.started)]
        for name in names(count):
            fee = PayFee(player=name, eur=tournament.format.entry_fee_eur)
            for action in (Register(player=name), fee):
                tournament, events = tournament.do(action)
                entries += map(tournament_entry, events)
        HubLog(streams).append_all(entries, at_s=0.0)
    engine.dispose()


def _draw(hub: Hub, _: dict[str, Any]) -> dict[str, Any]:
    hub.front.do({"type": "draw_round"}, BY)
    return _seen(hub, {})


def _seen(hub: Hub, _: dict[str, Any]) -> dict[str, Any]:
    """How far the hall is, and what the receiver has taken in and has dropped."""
    counts = hub.receiver.counts()
    is_behind = hub.streams.wait(hub.hall.seq, 0.0)
    return {
        "seq": hub.hall.seq,
        "is_behind": is_behind,
        "entries": counts.entries,
        "dropped": counts.dropped,
        "online": sum(at.online for at in hub.hall.state.tables.values()),
    }


_ORDERS = {"draw": _draw, "look": _seen}

if __name__ == "__main__":
    main()
