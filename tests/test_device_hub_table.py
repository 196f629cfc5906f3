"""A whole table with a hub: what it shows, a referee's action, evidence, faults; and discovery."""

import hashlib
import json
import os
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from device_table import stand_in
from hub_mosquitto import PlainMosquitto, until
from hub_wires import KEY, SmallHub, pairing

from device import bootstrap
from device.appliance import Appliance
from device.faults import FAULTS
from device.hub_table import Pictures
from device.hub_troubles import HUB_TROUBLES
from device.hub_wire import Seating
from device.pairing_file import save_pairing
from device.settings import Settings
from device.store import MemoryLog, SqliteLog

Run = Callable[..., tuple[int, str, str]]


@pytest.fixture
def hub(plain_broker: PlainMosquitto) -> Iterator[SmallHub]:
    hub = SmallHub(pairing(plain_broker.port, "hub").access, {"table-1": KEY})
    with hub.link:
        until(lambda: hub.link.is_connected)
        yield hub
    assert not hub.failures


@pytest.fixture
def seatings() -> list[Seating]:
    return []


@pytest.fixture
def table(
    plain_broker: PlainMosquitto,
    tmp_path: Path,
    seatings: list[Seating],
    monkeypatch: pytest.MonkeyPatch,
) -> Iterator[Appliance]:
    stand_in(monkeypatch)
    save_pairing(tmp_path / "pairing.json", pairing(plain_broker.port))
    settings = Settings(
        {
            "store.path": str(tmp_path / "evening.sqlite3"),
            "store.evidence_dir": str(tmp_path / "stills"),
            "hub.pairing_file": str(tmp_path / "pairing.json"),
            "game.players": ["Anna", "Bert", "Cem"],
            "web.table_name": "Tisch 1",
        }
    )
    built = bootstrap.build(settings, lambda appliance, seating: seatings.append(seating))
    built.connect()
    yield built
    built.close()


def test_every_entry_of_a_game_is_at_the_hub_and_the_state_says_what_is_played(
    table: Appliance, hub: SmallHub
) -> None:
    table.pipeline.submit({"type": "throw", "player": "Anna", "dice": [6, 5, 1]})
    assert table.uplink is not None
    until(table.uplink.is_done)
    assert hub.entries(table.log.read(0, 1)[0].hash) == table.log.read(0, 1000)
    until(lambda: hub.states("table-1") and hub.states("table-1")[-1]["last"])
    state = hub.states("table-1")[-1]
    assert state["players"] == ["Anna", "Bert", "Cem"]
    assert (state["name"], state["turn"], state["faults"]) == ("Tisch 1", "Bert", [])
    assert state["last"] == {"player": "Anna", "dice": [6, 5, 1]}


def test_the_hubs_referee_acts_as_at_the_table(table: Appliance, hub: SmallHub) -> None:
    assert table.uplink is not None
    until(lambda: table.uplink.is_connected)  # type: ignore[union-attr]
    orders: dict[str, dict[str, Any]] = {
        "good": {"type": "throw", "player": "Anna", "dice": [6, 5, 1]},
        "not-now": {"type": "throw", "player": "Anna", "dice": [6, 5, 2]},
        "malformed": {"type": "throw", "player": "Bert", "dice": [7, 5, 1]},
        "unknown": {"type": "set_pin", "role": "admin"},
    }
    for number, action in orders.items():
        hub.tell("table-1", "set/action", {"id": number, "action": action})
        until(lambda: len(hub.answers) == list(orders).index(number) + 1)  # noqa: B023
    assert [hub.answers[number]["ok"] for number in orders] == [True, False, False, False]
    assert hub.answers["good"]["result"]["events"][0]["type"] == "thrown"
    codes = [hub.answers[number]["code"] for number in list(orders)[2:]]
    assert codes == ["malformed_action", "unknown_action"]
    assert all(hub.answers[n]["text_de"] for n in list(orders)[1:])
    assert sum(entry.type == "thrown" for entry in table.log.read()) == 1


def test_the_hub_seats_the_table(table: Appliance, hub: SmallHub, seatings: list[Seating]) -> None:
    until(lambda: table.uplink is not None and table.uplink.is_connected)
    seating = Seating("cup", 1, players=("Dora", "Emil"), book="turnier", games=1)
    hub.tell("table-1", "set/seating", seating.to_body(), retain=True)
    until(lambda: seatings)
    assert seatings == [seating]


def test_a_broker_that_is_away_is_a_fault_on_the_page_until_it_is_back(
    table: Appliance,
    hub: SmallHub,
    plain_broker: PlainMosquitto,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr("device.uplink.GRACE_S", 0.2)
    assert table.uplink is not None
    until(table.uplink.is_done)
    plain_broker.kill()
    until(lambda: table.faults == ("hub",))
    page = table.app.test_client().get("/").get_data(as_text=True)
    assert 'data-fault="hub"' in page
    assert "Turnierleitung ist nicht zu erreichen" in page
    table.pipeline.submit({"type": "throw", "player": "Anna", "dice": [6, 5, 1]})
    plain_broker.start()
    until(lambda: table.faults == ())
    until(table.uplink.is_done)
    assert hub.entries(table.log.read(0, 1)[0].hash) == table.log.read(0, 1000)


def test_a_fault_of_the_evening_before_is_taken_back(
    plain_broker: PlainMosquitto, hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    stand_in(monkeypatch)
    settings = Settings(
        {
            "store.path": str(tmp_path / "evening.sqlite3"),
            "store.evidence_dir": "",
        }
    )
    save_pairing(tmp_path / "pairing.json", pairing(plain_broker.port))
    paired = settings.with_values({"hub.pairing_file": str(tmp_path / "pairing.json")})
    for again in (paired, settings):
        before = bootstrap.build(settings)
        before.report("hub")
        before.close()  # switched off before the hub was back
        after = bootstrap.build(again)
        assert after.faults == ("hub",)
        after.connect()
        until(lambda: after.faults == ())  # noqa: B023
        assert 'data-fault="hub"' not in after.app.test_client().get("/").get_data(as_text=True)
        after.close()


def test_a_hub_that_takes_nothing_is_told(
    table: Appliance, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    hub.deaf = True
    monkeypatch.setattr("device.uplink.SILENT_S", 0.2)
    until(lambda: table.faults == ("hub_silent",))
    hub.deaf = False
    monkeypatch.setattr("device.outbox.PATIENCE_S", 0.1)
    until(lambda: table.faults == ())


def test_every_trouble_has_words_in_two_languages() -> None:
    assert HUB_TROUBLES.keys() <= FAULTS.keys()
    for german, english in HUB_TROUBLES.values():
        assert german.endswith(".")
        assert english.endswith(".")
        assert german != english


def test_only_pictures_that_the_log_names_are_given_out(tmp_path: Path) -> None:
    log = MemoryLog()
    contents = {"a.jpg": b"one", "b.jpg": b"two", "c.jpg": b"three", "../d.jpg": b"four"}
    digests = {name: hashlib.sha256(said).hexdigest() for name, said in contents.items()}
    (tmp_path / "in").mkdir()
    for name, said in contents.items():
        (tmp_path / "in" / name).write_bytes(said)
    for name in ("a.jpg", "b.jpg", "../d.jpg"):
        log.append("table.throw_seen", {"still": name, "sha256": digests[name]}, at_s=0.0)
    pictures = Pictures(log, tmp_path / "in")
    assert pictures.read(digests["a.jpg"]) == b"one"
    assert pictures.read(digests["c.jpg"]) is None, "the log does not name it"
    assert pictures.read(digests["../d.jpg"]) is None
    (tmp_path / "in" / "b.jpg").write_bytes(b"changed")
    assert pictures.read(digests["b.jpg"]) is None
    log.append("evidence.dropped", {"files": ["a.jpg"], "rule": "age", "bytes": 3}, at_s=0.0)
    assert pictures.read(digests["a.jpg"]) is None
    assert Pictures(log, None).read(digests["a.jpg"]) is None


PLAYING = """
import sys, itertools
from pathlib import Path
from hub_wires import Table, pairing
from device.store import SqliteLog
from device.uplink import Uplink
with SqliteLog(Path(sys.argv[1])) as log, Uplink(log, pairing(int(sys.argv[2])), Table().side):
    for n in itertools.count():
        log.append("thrown", {"n": n}, at_s=1.0)
"""


def test_a_table_whose_plug_is_pulled_goes_on_where_it_was(
    plain_broker: PlainMosquitto, hub: SmallHub, tmp_path: Path, root: Path
) -> None:
    path = tmp_path / "log.sqlite3"
    words = [sys.executable, "-c", PLAYING, str(path), str(plain_broker.port)]
    environment = {**os.environ, "PYTHONPATH": f"{root}{os.pathsep}{root / 'tests'}"}
    for played in (100, 400, 900):
        with subprocess.Popen(words, env=environment) as process:
            until(lambda: sum(map(len, hub.logs.values())) > played, 60.0)  # noqa: B023
            process.send_signal(signal.SIGKILL)
    with SqliteLog(path) as log:
        from hub_wires import Table

        from device.uplink import Uplink

        with Uplink(log, pairing(plain_broker.port), Table().side) as uplink:
            until(uplink.is_done)
        assert hub.entries(log.read(0, 1)[0].hash) == log.read(0, 1_000_000)
    assert len(hub.logs) == 1


def test_the_rest_of_an_older_log_is_sent_beside_the_game(
    plain_broker: PlainMosquitto, hub: SmallHub, table: Appliance, tmp_path: Path, run: Run
) -> None:
    with SqliteLog(tmp_path / "older.sqlite3") as older:
        older.append_all([("noted", {"n": n}) for n in range(1000)], at_s=0.0)
        log_id, entries = older.read(0, 1)[0].hash, older.read(0, 10_000)
    assert table.uplink is not None
    until(table.uplink.is_done)
    words = ["uplink", tmp_path / "older.sqlite3", "--pairing", tmp_path / "pairing.json", "--json"]
    status, out, err = run(*words)
    assert status == 0, err
    assert json.loads(out)["entries"] == 1000
    assert hub.entries(log_id) == entries
    table.pipeline.submit({"type": "throw", "player": "Anna", "dice": [6, 5, 1]})
    until(table.uplink.is_done)
    assert hub.entries(table.log.read(0, 1)[0].hash) == table.log.read(0, 1000)
    assert hub.said("table-1", "available")[-1] == b"online", "the table itself was never away"


def test_the_rest_of_a_log_with_no_hub_there_is_a_failure_that_says_why(
    plain_broker: PlainMosquitto, tmp_path: Path, run: Run
) -> None:
    with SqliteLog(tmp_path / "older.sqlite3") as older:
        older.append("noted", {}, at_s=0.0)
    save_pairing(tmp_path / "pairing.json", pairing(plain_broker.port))
    plain_broker.kill()
    words = ["--pairing", tmp_path / "pairing.json", "--seconds", "0.2"]
    status, _, err = run("uplink", tmp_path / "older.sqlite3", *words)
    assert (status, "The hub has 0 entries" in err) == (1, True)
