"""The hub put together: it begins again with what is in its database."""

from hashlib import sha256
from pathlib import Path

import pytest
from hub_tables import keys_of

from device.errors import HubError
from device.hub.assembly import FILE_CAME, Hub
from device.pairing_file import BrokerAccess


def test_a_hub_begins_again_while_a_round_is_played(hub_url: str, tmp_path: Path) -> None:
    access = BrokerAccess("127.0.0.1", 1, "hub", "secret")
    keys = keys_of("table-1", "table-2")
    hub = Hub(hub_url, access, tmp_path, keys=keys)
    hub.hall.do(
        {"type": "open_tournament", "name": "K", "format": "werl", "book": "turnier", "seed": "1"}
    )
    for name in ("Anna", "Ben", "Cem", "Dora"):
        hub.hall.do({"type": "register", "player": name})
        hub.hall.do({"type": "pay_fee", "player": name, "eur": 10})
    hub.hall.do({"type": "draw_round"}, "R")
    before = hub.hall.state.seatings(["table-1"]).get("table-1")
    hub.close()
    again = Hub(hub_url, access, tmp_path)
    assert again.hall.state.seatings(["table-1"]).get("table-1") == before
    assert before is not None
    assert before.round == 1
    again.close()


def test_a_picture_that_came_while_the_database_was_away_is_told(
    hub_url: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    access = BrokerAccess("127.0.0.1", 1, "hub", "secret")
    hub = Hub(hub_url, access, tmp_path, keys=keys_of("table-1"))
    digest = sha256(b"picture").hexdigest()
    hub._files.want("table-1", digest)

    def away(*_: object) -> None:
        raise HubError("the database is away")

    with monkeypatch.context() as patched:
        patched.setattr(hub.hall, "note", away)
        with pytest.raises(HubError):
            hub.file("table-1", digest, b"picture")
    for _ in range(2):
        hub.file("table-1", digest, b"picture")
    told = [entry.data for entry in hub.streams.read() if entry.type == FILE_CAME]
    assert told == [{"table": "table-1", "sha256": digest}]
    hub.close()
