"""The hub's broker: who gets in, who may say what, and what happens when it dies."""

import json
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hub_mosquitto import Hall, Proxy, until
from hub_wires import SmallHub, Table

from device.hub.certificates import Authority
from device.hub_wire import AVAILABLE, MOST_EVIDENCE_BYTES, STATE, Cursor, seal, topic
from device.mqtt import Connection, Trouble
from device.pairing_file import BrokerAccess, Pairing
from device.store import MemoryLog, SqliteLog
from device.uplink import Uplink

Client = Callable[..., "Listener"]

# paho leaves a socket to the garbage collector when the handshake fails.
handshakes_fail = pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")


class Listener:
    """A client of the broker that writes down what it gets."""

    def __init__(self, access: BrokerAccess, *topics: str, name: str = "somebody") -> None:
        self.got: list[tuple[str, bytes]] = []
        self.connection = Connection(
            access,
            name,
            topics or ("x/y",),
            lambda t, c, _: self.got.append((t, c)),
            lambda _: None,
        )


@pytest.fixture
def client() -> Iterator[Client]:
    with ExitStack() as stack:

        def connect(access: BrokerAccess, *topics: str, name: str = "somebody") -> Listener:
            made = Listener(access, *topics, name=name)
            stack.callback(made.connection.close)
            made.connection.start()
            return made

        yield connect


@pytest.fixture
def hub(hall: Hall) -> Iterator[SmallHub]:
    hub = SmallHub(hall.folder.hub_access(), {})
    with hub.link:
        until(lambda: hub.link.is_connected)
        yield hub
    assert not hub.failures


def paired(hall: Hall, hub: SmallHub, table: str = "table-1") -> Pairing:
    pairing = hall.folder.issue(table)
    hub.keys[table] = pairing.key
    return pairing


def started(log: MemoryLog | SqliteLog) -> str:
    return log.append("match_started", {}, at_s=0.0).hash


def test_a_paired_table_plays_through_three_deaths_of_the_broker(
    hall: Hall, hub: SmallHub, tmp_path: Path
) -> None:
    with SqliteLog(tmp_path / "log.sqlite3") as log:
        log_id = started(log)
        with Uplink(log, paired(hall, hub), Table().side) as uplink:
            until(uplink.is_done)
            for _ in range(3):
                log.append_all([("thrown", {"n": n}) for n in range(500)], at_s=1.0)
                hall.kill()
                log.append_all([("thrown", {"n": n}) for n in range(50)], at_s=1.0)
            until(uplink.is_done, 60.0)
        assert hub.entries(log_id) == log.read(0, 10_000)
    assert len(hall.deaths) == 3


def test_a_cut_and_a_pulled_cable_cost_no_entry(
    hall: Hall, hub: SmallHub, road: Callable[[int], Proxy], tmp_path: Path
) -> None:
    pairing = paired(hall, hub)
    proxy = road(pairing.access.port)
    pairing = replace(pairing, access=replace(pairing.access, port=proxy.port))
    with SqliteLog(tmp_path / "log.sqlite3") as log:
        log_id = started(log)
        with Uplink(log, pairing, Table().side) as uplink:
            until(uplink.is_done)
            for harm, mend in ((proxy.cut, proxy.mend), (proxy.hold, proxy.let_go)):
                harm()
                log.append_all([("thrown", {"n": n}) for n in range(700)], at_s=1.0)
                assert not uplink.is_done()
                mend()
                until(uplink.is_done, 60.0)
        assert hub.entries(log_id) == log.read(0, 10_000)


def test_on_a_slow_road_what_is_written_meanwhile_gathers(
    hall: Hall, hub: SmallHub, road: Callable[[int], Proxy]
) -> None:
    pairing = paired(hall, hub)
    proxy = road(pairing.access.port)
    pairing = replace(pairing, access=replace(pairing.access, port=proxy.port))
    log = MemoryLog()
    log_id = started(log)
    with Uplink(log, pairing, Table().side) as uplink:
        until(uplink.is_done)
        proxy.delay_s, before = 0.1, hub.batches
        for n in range(300):
            log.append("thrown", {"n": n}, at_s=1.0)
        until(uplink.is_done, 60.0)
    assert hub.entries(log_id) == log.read()
    assert hub.batches - before <= 20


def test_a_wrong_password_is_told_at_the_table(
    hall: Hall, hub: SmallHub, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.uplink.GRACE_S", 0.1)
    pairing = paired(hall, hub)
    table, log = Table(), MemoryLog()
    log_id = started(log)
    wrong = replace(pairing, access=replace(pairing.access, password="guessed"))
    with Uplink(log, wrong, table.side) as uplink:
        until(lambda: ("hub_refused", True) in table.faults)
        assert not uplink.is_connected
    assert hub.entries(log_id) == []


@handshakes_fail
def test_who_answers_with_a_strange_certificate_is_not_trusted(
    hall: Hall, hub: SmallHub, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.uplink.GRACE_S", 0.1)
    pairing = paired(hall, hub)
    (tmp_path / "other").mkdir()
    other = replace(pairing.access, ca_pem=Authority(tmp_path / "other").pem)
    table, log = Table(), MemoryLog()
    started(log)
    with Uplink(log, replace(pairing, access=other), table.side):
        until(lambda: ("hub_untrusted", True) in table.faults)
    assert "table-1" not in hall.log().partition("p2,")[0]


@handshakes_fail
def test_a_certificate_for_another_address_is_not_trusted(hall: Hall, client: Client) -> None:
    access = replace(hall.folder.hub_access(), host="127.0.0.2")
    somebody = client(access)
    until(lambda: somebody.connection.trouble is Trouble.UNTRUSTED)


def test_nobody_gets_in_without_tls(hall: Hall, client: Client) -> None:
    somebody = client(replace(hall.folder.hub_access(), ca_pem=""))
    until(lambda: "SSL" in hall.log() or "rror" in hall.log())
    assert not somebody.connection.is_connected


def test_a_table_cannot_speak_as_another(hall: Hall, hub: SmallHub, client: Client) -> None:
    mine, other = paired(hall, hub, "table-1"), paired(hall, hub, "table-2")
    somebody = client(mine.access)
    until(lambda: somebody.connection.is_connected)
    body = {"log": "a" * 64, "entries": []}
    for what in ("table-2/events", "table-2/state", "table-2/available", "table-1/set/cursor"):
        where = f"schockauge/{what}"
        somebody.connection.refused = None
        assert somebody.connection.publish(where, seal(other.key, where, body), retain=True)
        until(lambda: somebody.connection.refused)
    assert somebody.connection.publish("schockauge/table-1/state", b"{}", retain=True)
    until(lambda: hub.other)
    assert [where for where, *_ in hub.other] == ["schockauge/table-1/state"]
    late = client(hall.folder.hub_access(), "schockauge/#", name="late")
    until(lambda: late.got)
    assert late.got == [("schockauge/table-1/state", b"{}")]


def test_a_table_cannot_put_another_out_by_taking_its_name(
    hall: Hall, hub: SmallHub, client: Client
) -> None:
    mine, other = paired(hall, hub, "table-1"), paired(hall, hub, "table-2")
    log = MemoryLog()
    log_id = started(log)
    with Uplink(log, mine, Table().side) as uplink:
        until(uplink.is_done)
        somebody = client(other.access, name="table-1")
        until(lambda: somebody.connection.is_connected)
        log.append("thrown", {}, at_s=1.0)
        until(uplink.is_done)
        assert somebody.connection.is_connected
    assert hub.entries(log_id) == log.read()
    assert hub.said("table-1", "available") == [b"online", b"offline"]


def test_a_table_hears_nothing_of_what_others_are_told(
    hall: Hall, hub: SmallHub, client: Client
) -> None:
    mine, other = paired(hall, hub, "table-1"), paired(hall, hub, "table-2")
    somebody = client(mine.access, "schockauge/#", "#")
    until(lambda: somebody.connection.is_connected)
    for pairing in (other, mine):
        hub.tell(pairing.table, "set/cursor", Cursor("", 0).to_body(), retain=True)
    until(lambda: somebody.got)
    late = client(mine.access, "schockauge/+/set/#", name="late")
    until(lambda: late.got)
    heard = {where for where, _ in somebody.got + late.got}
    assert heard == {"schockauge/table-1/set/cursor"}


def test_a_forged_order_is_not_carried_out_and_told_at_the_table(hall: Hall, hub: SmallHub) -> None:
    pairing = paired(hall, hub)
    table, log = Table(), MemoryLog()
    started(log)
    with Uplink(log, pairing, table.side) as uplink:
        until(lambda: uplink.is_connected)
        where = topic("table-1", "set/action")
        order = {"id": "a1", "action": {"type": "pause"}}
        hub.link.publish(where, seal(b"x" * 32, where, order))
        until(lambda: ("hub_forged", True) in table.faults)
        elsewhere = topic("table-1", "set/seating")  # a good seal, but of another topic
        hub.link.publish(where, seal(pairing.key, elsewhere, order))
        hub.tell("table-1", "set/action", {**order, "id": "a2"})
        until(lambda: "a2" in hub.answers)
        until(lambda: table.faults[-1] == ("hub_forged", False))
    assert "a1" not in hub.answers
    assert len(table.actions) == 1


def test_garbage_that_the_broker_keeps_as_cursor_stops_nothing(hall: Hall, hub: SmallHub) -> None:
    pairing = paired(hall, hub)
    where = topic("table-1", "set/cursor")
    hub.link.publish(where, b"\xff{nonsense", retain=True)
    log = MemoryLog()
    log_id = started(log)
    with Uplink(log, pairing, Table().side) as uplink:
        until(uplink.is_done)
    assert hub.entries(log_id) == log.read()


def test_a_message_that_is_too_large_is_refused_and_the_next_passes(
    hall: Hall, hub: SmallHub, client: Client
) -> None:
    somebody = client(paired(hall, hub).access)
    until(lambda: somebody.connection.is_connected)
    where = topic("table-1", "evidence", "a" * 64)
    assert somebody.connection.publish(where, b"x" * (MOST_EVIDENCE_BYTES + 10_000))
    until(lambda: not somebody.connection.is_connected)  # put out, and back at once
    until(lambda: somebody.connection.is_connected)
    assert somebody.connection.publish(where, b"x" * MOST_EVIDENCE_BYTES)
    until(lambda: hub.said("table-1", "evidence", "a" * 64))
    assert [len(content) for _, content, _ in hub.other] == [MOST_EVIDENCE_BYTES]


def test_a_table_that_is_unpaired_is_put_out_at_once(hall: Hall, hub: SmallHub) -> None:
    pairing = paired(hall, hub)
    log = MemoryLog()
    log_id = started(log)
    with Uplink(log, pairing, Table().side) as uplink:
        until(uplink.is_done)
        assert hall.folder.withdraw("table-1")
        until(lambda: not uplink.is_connected)
        log.append("thrown", {}, at_s=1.0)
        assert not hall.folder.withdraw("table-1")
    assert len(hub.entries(log_id)) == 1


def test_home_assistant_sees_who_is_there_and_no_log(
    hall: Hall, hub: SmallHub, client: Client
) -> None:
    assistant = client(hall.folder.home_assistant_access(), "#")
    until(lambda: assistant.connection.is_connected)
    log = MemoryLog()
    started(log)
    with Uplink(log, paired(hall, hub), Table().side) as uplink:
        until(uplink.is_done)
        until(lambda: len(assistant.got) >= 2)
    until(lambda: assistant.got[-1][1] == b"offline")
    (first, online), *states, (last, _) = assistant.got
    assert first == last == topic("table-1", AVAILABLE)
    assert online == b"online"
    assert {where for where, _ in states} == {topic("table-1", STATE)}
    assert all(json.loads(said)["players"] == ["A", "B"] for _, said in states)
