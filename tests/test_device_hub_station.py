"""The station: what comes from the broker goes where it belongs; a table answers its referee."""

import json
import threading
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from hub_mosquitto import until

from device.errors import HubError
from device.hub.station import Station
from device.hub_wire import ACTION, ANSWERS, SEATING, WANTED, Seating, seal, topic, unseal
from web_ui.errors import ActionRefused

KEY = b"k" * 32


class Everything:
    """Writes down what the station hands on; its first `failing` jobs fail."""

    def __init__(self) -> None:
        self.told: list[tuple[Any, ...]] = []
        self.failing = 0

    def events(self, topic: str, content: bytes) -> None:
        self.told.append(("events", topic, content))

    def available(self, table: str, *, online: bool) -> None:
        if self.failing:
            self.failing -= 1
            raise HubError("the database is away")
        self.told.append(("available", table, online))

    def file(self, table: str, sha256: str, content: bytes) -> None:
        self.told.append(("file", table, sha256, content))

    def connected(self) -> None:
        self.told.append(("connected",))


class Sent:
    """A broker that answers actions as it is told to."""

    def __init__(self) -> None:
        self.messages: list[tuple[str, dict[str, Any], bool]] = []
        self.answer: Callable[[str], None] = lambda number: None
        self.is_there = True

    def __call__(self, where: str, content: bytes, *, retain: bool = False) -> bool:
        if not self.is_there:
            return False
        body = unseal(KEY, where, content)
        self.messages.append((where, body, retain))
        if where.endswith(ACTION):
            threading.Thread(target=self.answer, args=(body["id"],)).start()
        return True


@pytest.fixture
def hands() -> Everything:
    return Everything()


@pytest.fixture
def sent() -> Sent:
    return Sent()


@pytest.fixture
def station(hands: Everything, sent: Sent, monkeypatch: pytest.MonkeyPatch) -> Iterator[Station]:
    monkeypatch.setattr("device.hub.station.ANSWER_S", 0.5)
    monkeypatch.setattr("device.hub.station.TRY_AGAIN_S", 0.01)
    station = Station(sent, lambda: {"t1": KEY, "t2": KEY}, hands)
    station.start()
    yield station
    station.close()


def answering(station: Station, table: str = "t1", key: bytes = KEY, **body: Any) -> Any:
    def answer(number: str) -> None:
        where = topic(table, ANSWERS, number)
        station.received(where, seal(key, where, {"id": number, **body}), False)

    return answer


def test_messages_go_where_they_belong(station: Station, hands: Everything) -> None:
    digest = "a" * 64
    for where, content in (
        (topic("t1", "events"), b"1"),
        (topic("stranger", "events"), b"2"),
        (topic("t1", "available"), b"online"),
        (topic("t2", "available"), b"offline"),
        (topic("stranger", "available"), b"online"),
        (topic("t1", "evidence", digest), b"picture"),
        ("somewhere/else", b"3"),
    ):
        station.received(where, content, False)
    station.changed(True)
    until(lambda: ("connected",) in hands.told)
    assert hands.told == [
        ("events", topic("t1", "events"), b"1"),
        ("events", topic("stranger", "events"), b"2"),
        ("available", "t1", True),
        ("available", "t2", False),
        ("file", "t1", digest, b"picture"),
        ("connected",),
    ]


def test_a_table_that_comes_before_its_pairing_is_known_is_there_afterwards(
    hands: Everything, sent: Sent
) -> None:
    keys: dict[str, bytes] = {}
    station = Station(sent, lambda: keys, hands)
    station.received(topic("t1", "available"), b"online", False)
    station.received(topic("t1", "state"), b'{"turn": "Anna"}', False)
    keys["t1"] = KEY
    station.paired()
    station.start()
    until(lambda: hands.told == [("available", "t1", True)])
    assert station.state("t1") == {"turn": "Anna"}
    station.close()


def test_who_is_not_heard_of_after_the_broker_was_killed_is_not_there(
    hands: Everything, sent: Sent, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The broker has forgotten whose will it had to tell."""
    monkeypatch.setattr("device.hub.station.ABSENT_S", 0.2)
    station = Station(sent, lambda: {"t1": KEY, "t2": KEY}, hands)
    station.received(topic("t1", "available"), b"online", False)
    station.received(topic("t2", "available"), b"online", False)
    station.changed(False)
    station.changed(True)
    station.received(topic("t1", "available"), b"online", False)
    station.start()
    until(lambda: ("available", "t2", False) in hands.told)
    assert ("available", "t1", False) not in hands.told
    station.close()


def test_what_the_database_does_not_take_is_tried_again(
    station: Station, hands: Everything
) -> None:
    hands.failing = 3
    station.received(topic("t1", "available"), b"online", False)
    until(lambda: hands.told == [("available", "t1", True)])


@pytest.mark.parametrize("said", [b"", b"[1]", b"{", b"x" * 300_000, b"[" * 100_000])
def test_garbage_is_no_state(station: Station, said: bytes) -> None:
    where = topic("t1", "state")
    station.received(where, json.dumps({"turn": "Anna"}).encode(), True)
    station.received(where, said, True)
    assert station.state("t1") == {"turn": "Anna"}
    assert station.state("t2") == {}


def test_pictures_do_not_fill_the_memory_while_they_cannot_be_kept(
    station: Station, hands: Everything, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.hub.station.MOST_FILE_BYTES", 10)
    digests = [letter * 64 for letter in "abcd"]
    hands.failing = 1_000_000
    station.received(topic("t1", "available"), b"online", False)  # the database is away
    for digest in digests[:3]:
        station.received(topic("t1", "evidence", digest), b"12345", False)
    hands.failing = 0
    until(lambda: len(hands.told) == 3)
    station.received(topic("t1", "evidence", digests[3]), b"12345", False)
    until(lambda: len(hands.told) == 4)
    assert [told[2] for told in hands.told[1:]] == [digests[0], digests[1], digests[3]]


def test_a_seating_is_kept_by_the_broker_and_a_wish_is_not(station: Station, sent: Sent) -> None:
    station.seat("t1", Seating(tournament="K", round=0))
    station.want("t1", "a" * 64)
    station.want("stranger", "a" * 64)
    kept = [(where, retain) for where, _, retain in sent.messages]
    assert kept == [(topic("t1", SEATING), True), (topic("t1", WANTED), False)]


def test_a_table_carries_out_what_its_referee_says(station: Station, sent: Sent) -> None:
    sent.answer = answering(station, ok=True, result={})
    station.ask("t1", {"type": "pause"}, "R")
    ((_, body, retain),) = sent.messages
    assert body["action"] == {"type": "pause", "by": "R"}
    assert not retain


def test_what_the_table_refuses_is_refused_with_its_words(station: Station, sent: Sent) -> None:
    sent.answer = answering(station, ok=False, code="paused", text_de="Pause.", text_en="Paused.")
    with pytest.raises(ActionRefused) as refused:
        station.ask("t1", {"type": "pause"}, "R")
    assert (refused.value.code, refused.value.text_de) == ("paused", "Pause.")


@pytest.mark.parametrize("forged", [{"key": b"o" * 32}, {"table": "t2"}, {"table": "t3"}])
def test_an_answer_that_is_not_the_tables_own_does_not_count(
    station: Station, sent: Sent, forged: dict[str, Any]
) -> None:
    sent.answer = answering(station, ok=True, **forged)
    with pytest.raises(ActionRefused) as refused:
        station.ask("t1", {"type": "pause"}, "R")
    assert refused.value.code == "table_silent"


def test_without_a_broker_or_a_pairing_the_table_cannot_be_reached(
    station: Station, sent: Sent
) -> None:
    for table, is_there in (("t1", False), ("stranger", True)):
        sent.is_there = is_there
        with pytest.raises(ActionRefused) as refused:
            station.ask(table, {"type": "pause"}, "R")
        assert refused.value.code == "table_unreachable"
