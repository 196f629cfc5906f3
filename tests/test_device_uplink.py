"""The road between a table and the hub, over a real broker."""

import resource
from collections.abc import Iterator
from contextlib import ExitStack
from dataclasses import replace
from pathlib import Path

import pytest
from hub_mosquitto import PlainMosquitto, until
from hub_wires import KEY, SmallHub, Table, pairing
from paho.mqtt.packettypes import PacketTypes
from paho.mqtt.reasoncodes import ReasonCode

from device.errors import StoreError
from device.hub_wire import Seating, topic
from device.mqtt import Connection
from device.store import MemoryLog, SqliteLog
from device.uplink import Uplink


@pytest.fixture
def hub(plain_broker: PlainMosquitto) -> Iterator[SmallHub]:
    access = pairing(plain_broker.port, "hub").access
    hub = SmallHub(access, {"table-1": KEY, "table-2": KEY})
    with hub.link:
        until(lambda: hub.link.is_connected)
        yield hub
    assert not hub.failures


def test_what_a_table_writes_is_at_the_hub_in_order(
    plain_broker: PlainMosquitto, hub: SmallHub, tmp_path: Path
) -> None:
    with SqliteLog(tmp_path / "log.sqlite3") as log:
        log.append_all([("thrown", {"n": n}) for n in range(950)], at_s=1.0)
        with Uplink(log, pairing(plain_broker.port), Table().side) as uplink:
            until(uplink.is_done)
            for n in range(30):
                log.append("thrown", {"n": n}, at_s=2.0)
            until(uplink.is_done)
            assert hub.entries(log.read(0, 1)[0].hash) == log.read(0, 10_000)


def test_the_log_goes_on_from_where_the_hub_has_it(
    plain_broker: PlainMosquitto, hub: SmallHub, tmp_path: Path
) -> None:
    with SqliteLog(tmp_path / "log.sqlite3") as log:
        log.append_all([("thrown", {"n": n}) for n in range(500)], at_s=1.0)
        with Uplink(log, pairing(plain_broker.port), Table().side) as uplink:
            until(uplink.is_done)
        before = hub.batches
        log.append("thrown", {}, at_s=2.0)
        with Uplink(log, pairing(plain_broker.port), Table().side) as uplink:
            until(uplink.is_done)
        assert hub.batches == before + 1
        assert len(hub.entries(log.read(0, 1)[0].hash)) == 501


def test_a_broker_that_is_killed_three_times_costs_no_entry(
    plain_broker: PlainMosquitto, hub: SmallHub, tmp_path: Path
) -> None:
    with ExitStack() as stack:
        log = stack.enter_context(SqliteLog(tmp_path / "log.sqlite3"))
        uplink = stack.enter_context(Uplink(log, pairing(plain_broker.port), Table().side))
        for _ in range(3):
            for n in range(300):
                log.append("thrown", {"n": n}, at_s=1.0)
            plain_broker.kill()
            log.append_all([("thrown", {"n": n}) for n in range(300)], at_s=2.0)
            plain_broker.start()
            until(lambda: uplink.is_connected)
        until(uplink.is_done)
        assert hub.entries(log.read(0, 1)[0].hash) == log.read(0, 10_000)


def test_the_hub_sees_who_is_there_and_what_the_table_shows(
    plain_broker: PlainMosquitto, hub: SmallHub
) -> None:
    table, log = Table(), MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    with Uplink(log, pairing(plain_broker.port), table.side):
        until(lambda: {"players": ["A", "B"], "seq": 1} in hub.states("table-1"))
        table.shown["players"] = ["C", "D"]
        log.append("match_started", {}, at_s=0.0)
        until(lambda: {"players": ["C", "D"], "seq": 2} in hub.states("table-1"))
    assert hub.states("table-1")[-1] == {"players": ["C", "D"], "seq": 2}
    until(lambda: hub.said("table-1", "available") == [b"online", b"offline"])


def test_a_seating_is_told_once_and_again_when_it_changes(
    plain_broker: PlainMosquitto, hub: SmallHub
) -> None:
    table, log = Table(), MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    one, two = (Seating("cup", n, players=("A", "B"), book="turnier", games=1) for n in (1, 2))
    with Uplink(log, pairing(plain_broker.port), table.side) as uplink:
        until(lambda: uplink.is_connected)
        for seating in (one, one, two):
            hub.tell("table-1", "set/seating", seating.to_body(), retain=True)
        until(lambda: len(table.seatings) == 2)
    assert table.seatings == [one, two]


def test_a_seating_that_could_not_be_written_is_carried_out_later(
    plain_broker: PlainMosquitto, hub: SmallHub
) -> None:
    table, log, tries = Table(), MemoryLog(), []

    def seat(seating: Seating) -> None:
        tries.append(seating)
        if len(tries) < 3:
            raise StoreError("the disk is busy")
        table.seatings.append(seating)

    log.append("match_started", {}, at_s=0.0)
    one = Seating("cup", 1, players=("A", "B"), book="turnier", games=1)
    side = replace(table.side, on_seating=seat)
    with Uplink(log, pairing(plain_broker.port), side) as uplink:
        until(lambda: uplink.is_connected)
        hub.tell("table-1", "set/seating", one.to_body(), retain=True)
        until(lambda: table.seatings)
    assert table.seatings == [one]


def test_an_action_is_carried_out_once_and_answered_each_time(
    plain_broker: PlainMosquitto, hub: SmallHub
) -> None:
    table, log = Table(), MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    with Uplink(log, pairing(plain_broker.port), table.side) as uplink:
        until(lambda: uplink.is_connected)
        order = {"id": "a1", "action": {"type": "pause"}}
        hub.tell("table-1", "set/action", order)
        until(lambda: "a1" in hub.answers)
        first = hub.answers.pop("a1")
        hub.tell("table-1", "set/action", order)
        until(lambda: "a1" in hub.answers)
        hub.tell("table-1", "set/action", {"id": "a2", "action": {"type": "forbidden"}})
        until(lambda: "a2" in hub.answers)
    assert first == hub.answers["a1"] == {"id": "a1", "ok": True, "result": {"done": 1}}
    assert table.actions == [{"type": "pause"}]
    assert (hub.answers["a2"]["ok"], hub.answers["a2"]["code"]) == (False, "not_now")


def test_an_action_that_the_broker_has_kept_is_none_of_now(
    plain_broker: PlainMosquitto, hub: SmallHub
) -> None:
    table, log = Table(), MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    hub.tell("table-1", "set/action", {"id": "old", "action": {"type": "abandon"}}, retain=True)
    wait_until_kept(plain_broker, topic("table-1", "set/action"))
    with Uplink(log, pairing(plain_broker.port), table.side) as uplink:
        until(lambda: uplink.is_connected)
        hub.tell("table-1", "set/action", {"id": "new", "action": {"type": "pause"}})
        until(lambda: "new" in hub.answers)
    assert table.actions == [{"type": "pause"}]


def test_a_picture_comes_when_it_is_asked_for(plain_broker: PlainMosquitto, hub: SmallHub) -> None:
    table, log = Table(), MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    there, gone = "a" * 64, "b" * 64
    table.pictures[there] = b"jpeg" * 100_000
    with Uplink(log, pairing(plain_broker.port), table.side) as uplink:
        until(lambda: uplink.is_connected)
        hub.tell("table-1", "set/evidence", {"sha256": there})
        until(lambda: hub.said("table-1", "evidence", there))
        hub.tell("table-1", "set/evidence", {"sha256": gone})
        until(lambda: gone in hub.answers)
    assert hub.said("table-1", "evidence", there) == [b"jpeg" * 100_000]
    assert hub.answers[gone]["code"] == "no_evidence"


def test_a_process_with_more_than_a_thousand_open_files_keeps_its_broker(
    plain_broker: PlainMosquitto, hub: SmallHub
) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = 1500
    if hard != resource.RLIM_INFINITY and hard < wanted:
        pytest.skip(f"this system allows only {hard} open files")
    resource.setrlimit(resource.RLIMIT_NOFILE, (max(soft, wanted), hard))
    log = MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    with ExitStack() as stack:
        for _ in range(1100):
            stack.enter_context(Path("/dev/null").open("rb"))
        uplink = stack.enter_context(Uplink(log, pairing(plain_broker.port), Table().side))
        until(uplink.is_done)
        plain_broker.kill()
        until(lambda: not uplink.is_connected)
        plain_broker.start()
        log.append("thrown", {}, at_s=0.0)
        until(uplink.is_done)
    resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert hub.entries(log.read(0, 1)[0].hash) == log.read()


def test_an_uplink_that_never_reached_its_broker_ends_all_the_same(
    plain_broker: PlainMosquitto,
) -> None:
    plain_broker.kill()
    log = MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    with Uplink(log, pairing(plain_broker.port), Table().side) as uplink:
        assert not uplink.is_done()
    uplink.close()
    never = Uplink(log, pairing(plain_broker.port), Table().side)
    never.close()
    assert not never.is_connected


def test_an_uplink_to_a_host_that_cannot_be_called_so_goes_on_trying() -> None:
    log = MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    made = pairing(1)
    wrong = replace(made, access=replace(made.access, host="hub..local"))
    with Uplink(log, wrong, Table().side) as uplink:
        loop = uplink._connection._loop
        until(lambda: loop._pause_s > 1.0)  # more than one try
        assert loop._thread.is_alive()


@pytest.mark.parametrize(
    ("reason", "trouble"), [(134, "refused"), (135, "refused"), (136, "away"), (137, "away")]
)
def test_a_broker_that_is_busy_does_not_send_anybody_to_pair_anew(
    reason: int, trouble: str
) -> None:
    made = Connection(pairing(1).access, "t", ["x"], lambda *_: None, lambda _: None)
    said = ReasonCode(PacketTypes.CONNACK, identifier=reason)
    made._on_connect(made._client, None, None, said, None)
    assert made.trouble.value == trouble
    made.close()


def wait_until_kept(broker: PlainMosquitto, where: str) -> None:
    """Until the broker has a message for whoever comes later."""
    kept: list[bool] = []
    access = pairing(broker.port, "probe").access
    probe = Connection(
        access, "probe", [where], lambda _, __, is_kept: kept.append(is_kept), lambda _: None
    )
    probe.start()
    try:
        until(lambda: kept)
    finally:
        probe.close()
