"""What a table has to send: cursors in, batches out; every entry arrives."""

from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from device.chain import LogEntry
from device.hub_wire import KEY_BYTES, MOST_BYTES, MOST_ENTRIES, Batch, Cursor, seal
from device.outbox import AGAIN_S, GREETING_S, PATIENCE_S, WINDOW, Outbox
from device.store import MemoryLog

Made = tuple[MemoryLog, Outbox]


def a_log(entries: int, *, letters: int = 10) -> MemoryLog:
    log = MemoryLog()
    log.append_all([("noted", {"n": n, "text": "x" * letters}) for n in range(entries)], at_s=0.0)
    return log


def outbox_of(log: MemoryLog) -> Outbox:
    return Outbox(log.read(0, 1)[0].hash)


def on_the_way(outbox: Outbox, log: MemoryLog, now_s: float) -> list[tuple[int, int]]:
    """All that may be sent now: first and last number of each batch."""
    sent: list[tuple[int, int]] = []
    while batch := outbox.next_batch(log.read, now_s):
        sent.append((batch.entries[0].seq, batch.entries[-1].seq))
    return sent


@pytest.fixture
def greeted() -> Made:
    """A log of 1000 entries, and a hub that has 100 of them and says so."""
    log = a_log(1000)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    outbox.acknowledged(Cursor(outbox.log, 100), 0.1)
    return log, outbox


def test_nothing_is_sent_without_a_connection() -> None:
    log = a_log(3)
    assert outbox_of(log).next_batch(log.read, 0.0) is None


def test_the_first_connection_waits_a_moment_for_the_cursor_that_the_broker_keeps() -> None:
    log = a_log(3)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    assert on_the_way(outbox, log, 0.9 * GREETING_S) == []
    assert on_the_way(outbox, log, GREETING_S) == [(1, 3)]


def test_it_goes_on_behind_the_cursor_with_a_few_batches_at_a_time(greeted: Made) -> None:
    log, outbox = greeted
    assert on_the_way(outbox, log, 0.1) == [(101, 300), (301, 500), (501, 700), (701, 900)]
    outbox.acknowledged(Cursor(outbox.log, 300), 0.2)
    assert on_the_way(outbox, log, 0.2) == [(901, 1000)]


def test_a_batch_ends_before_it_is_too_large_for_a_message() -> None:
    log = a_log(200, letters=5000)
    log.append_all([("noted", {"text": '"' * 40_000})] * 10, at_s=0.0)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    arrived: list[LogEntry] = []
    while batch := outbox.next_batch(log.read, 1.0):
        assert len(seal(b"k" * KEY_BYTES, "t", batch.to_body())) <= MOST_BYTES
        arrived += batch.entries
        outbox.acknowledged(Cursor(outbox.log, arrived[-1].seq), 1.0)
    assert arrived == log.read()


def test_an_entry_larger_than_that_goes_alone() -> None:
    log = a_log(1)
    log.append("noted", {"text": "x" * MOST_BYTES}, at_s=0.0)
    log.append("noted", {}, at_s=0.0)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    assert on_the_way(outbox, log, 1.0) == [(1, 1), (2, 2), (3, 3)]


def test_a_lost_connection_makes_doubtful_what_was_under_way(greeted: Made) -> None:
    log, outbox = greeted
    on_the_way(outbox, log, 0.1)
    outbox.disconnected()
    assert on_the_way(outbox, log, 0.2) == []
    outbox.connected(0.3)
    assert on_the_way(outbox, log, 0.3)[0] == (101, 300)


def test_what_the_hub_misses_is_sent_again_but_not_for_each_time_it_asks(greeted: Made) -> None:
    log, outbox = greeted
    on_the_way(outbox, log, 0.1)
    again = Cursor(outbox.log, 300, again=True)
    outbox.acknowledged(again, 0.2)
    assert on_the_way(outbox, log, 0.2)[0] == (301, 500)
    outbox.acknowledged(again, 0.3)
    assert on_the_way(outbox, log, 0.3) == []
    outbox.acknowledged(again, 0.2 + AGAIN_S)
    assert on_the_way(outbox, log, 0.2 + AGAIN_S)[0] == (301, 500)


def test_a_hub_restored_from_an_older_copy_gets_what_it_has_lost(greeted: Made) -> None:
    log, outbox = greeted
    on_the_way(outbox, log, 0.1)
    outbox.acknowledged(Cursor(outbox.log, 900), 0.2)
    outbox.acknowledged(Cursor(outbox.log, 40), 0.3)
    assert on_the_way(outbox, log, 0.3)[0] == (41, 240)


@pytest.mark.parametrize("other", ["", "f" * 64])
def test_a_hub_that_knows_another_evening_gets_this_one_from_its_beginning(other: str) -> None:
    log = a_log(5)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    outbox.acknowledged(Cursor(other, 4711), 0.1)
    assert on_the_way(outbox, log, 0.1) == [(1, 5)]


def test_the_rest_of_an_older_evening_sent_beside_it_does_not_confuse(greeted: Made) -> None:
    log, outbox = greeted
    sent = on_the_way(outbox, log, 0.1)
    outbox.acknowledged(Cursor("f" * 64, 7), 0.2)
    outbox.acknowledged(Cursor(outbox.log, sent[-1][1]), 0.3)
    assert on_the_way(outbox, log, 0.3) == [(901, 1000)]
    assert outbox.cursor == 900


def test_a_hub_that_has_forgotten_this_log_gets_it_from_its_beginning(greeted: Made) -> None:
    log, outbox = greeted
    on_the_way(outbox, log, 0.1)
    outbox.acknowledged(Cursor("f" * 64, 7), 0.2)
    assert outbox.overdue(0.2 + PATIENCE_S)
    assert on_the_way(outbox, log, 6.0)[0] == (1, 200)


@pytest.mark.parametrize("other", ["", "f" * 64])
def test_a_hub_set_back_to_before_this_log_gets_it_although_nothing_new_is_written(
    other: str,
) -> None:
    log = a_log(3)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    outbox.acknowledged(Cursor(outbox.log, 3), 0.1)
    outbox.disconnected()
    outbox.connected(1.0)
    outbox.acknowledged(Cursor(other, 0), 1.1)
    assert not outbox.overdue(1.0 + PATIENCE_S)
    assert outbox.overdue(1.2 + PATIENCE_S)
    assert on_the_way(outbox, log, 7.0) == [(3, 3)]
    outbox.acknowledged(Cursor(outbox.log, 0, again=True), 7.1)
    assert on_the_way(outbox, log, 7.1) == [(1, 3)]
    outbox.acknowledged(Cursor(outbox.log, 3), 7.2)
    assert outbox.is_done(log.read)


def test_asking_whether_the_hub_has_it_all_is_no_silence(greeted: Made) -> None:
    log, outbox = greeted
    outbox.acknowledged(Cursor(outbox.log, 1000), 1.0)
    outbox.acknowledged(Cursor("e" * 64, 7), 2.0)
    assert outbox.overdue(2.0 + PATIENCE_S)
    assert on_the_way(outbox, log, 8.0) == [(1000, 1000)]
    outbox.acknowledged(Cursor(outbox.log, 1000), 8.1)
    assert outbox.silent_s(100.0) == 0.0
    assert not outbox.overdue(100.0)
    assert on_the_way(outbox, log, 100.0) == []


def test_silence_lets_it_send_again_ever_more_patiently(greeted: Made) -> None:
    log, outbox = greeted
    on_the_way(outbox, log, 1.0)
    assert not outbox.overdue(1.0 + 0.9 * PATIENCE_S)
    assert outbox.overdue(1.0 + PATIENCE_S)
    assert on_the_way(outbox, log, 6.0)[0] == (101, 300)
    assert not outbox.overdue(6.0 + PATIENCE_S)
    assert outbox.overdue(6.0 + 2 * PATIENCE_S)
    assert outbox.silent_s(16.0) == 15.0
    assert not outbox.overdue(60.0), "nothing is under way"
    on_the_way(outbox, log, 60.0)
    outbox.acknowledged(Cursor(outbox.log, 900), 61.0)
    assert outbox.silent_s(100.0) == 0.0


def test_a_hub_that_has_more_than_the_table_is_a_fault_until_it_has_not() -> None:
    log = a_log(50)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    outbox.acknowledged(Cursor(outbox.log, 80), 0.1)
    assert on_the_way(outbox, log, 0.1) == []
    assert outbox.is_behind_hub
    log.append_all([("noted", {})] * 50, at_s=0.0)  # says something else under the same numbers
    outbox.acknowledged(Cursor(outbox.log, 80), 0.2)
    assert on_the_way(outbox, log, 0.2) == []
    assert outbox.is_behind_hub
    assert not outbox.is_done(log.read)
    outbox.acknowledged(Cursor(outbox.log, 50), 0.3)
    assert on_the_way(outbox, log, 0.3) == [(51, 100)]


def test_it_is_done_when_the_hub_says_so_and_not_when_all_is_sent() -> None:
    log = a_log(3)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    on_the_way(outbox, log, GREETING_S)
    assert not outbox.is_done(log.read)
    outbox.acknowledged(Cursor(outbox.log, 3), 2.0)
    assert outbox.is_done(log.read)


class Hub:
    """Takes what continues the log, and says after each batch how far it has it."""

    def __init__(self, log: str) -> None:
        self.log = log
        self.entries: list[LogEntry] = []

    def take(self, batch: Batch) -> Cursor:
        new = [entry for entry in batch.entries if entry.seq > len(self.entries)]
        gap = bool(new) and new[0].seq != len(self.entries) + 1
        self.entries += [] if gap else new
        return Cursor(batch.log, len(self.entries), again=gap)


def steps() -> Iterator[str]:
    yield from ("write", "send", "lose", "twice", "swap", "arrive", "cursor", "old cursor")
    yield from ("cut", "wait", "restore", "restart")


@given(st.lists(st.sampled_from(list(steps())), max_size=80), st.data())
def test_every_entry_arrives_whatever_the_road_and_the_hub_do(
    happened: list[str], data: st.DataObject
) -> None:
    log = a_log(1)
    outbox, now_s = outbox_of(log), 0.0
    hub = Hub(outbox.log)
    road: list[Batch] = []
    back: list[Cursor] = []
    outbox.connected(now_s)
    for step in happened:
        now_s += 0.4
        if step == "write":
            log.append_all([("noted", {})] * data.draw(st.integers(1, 3 * MOST_ENTRIES)), at_s=0.0)
        elif step == "send" and (batch := outbox.next_batch(log.read, now_s)):
            road.append(batch)
        elif step == "lose" and road:
            road.pop(data.draw(st.integers(0, len(road) - 1)))
        elif step == "twice" and road:
            road.append(road[0])
        elif step == "swap" and road:
            road.append(road.pop(0))
        elif step == "arrive" and road:
            back.append(hub.take(road.pop(0)))
        elif step == "cursor" and back:
            outbox.acknowledged(back.pop(), now_s)
        elif step == "old cursor" and back:
            outbox.acknowledged(back[0], now_s)
        elif step == "cut":
            road.clear()
            outbox.disconnected()
            outbox.connected(now_s)
        elif step == "wait":
            now_s += PATIENCE_S
            outbox.overdue(now_s)
        elif step == "restore":
            del hub.entries[data.draw(st.integers(0, len(hub.entries))) :]
            back = [Cursor(hub.log, len(hub.entries))]
        elif step == "restart":
            outbox = outbox_of(log)
            outbox.connected(now_s)
    for cursor in back:  # what was still on its way, in any order
        outbox.acknowledged(cursor, now_s)
    for _ in range(200):  # and now the road is good
        now_s += PATIENCE_S
        outbox.overdue(now_s)
        while batch := outbox.next_batch(log.read, now_s):
            assert len(batch.entries) <= MOST_ENTRIES
            outbox.acknowledged(hub.take(batch), now_s)
        if outbox.is_done(log.read):
            break
    assert hub.entries == log.read(0, 1_000_000)
    assert outbox.cursor == len(hub.entries)


def test_at_most_a_few_batches_are_under_way() -> None:
    log = a_log(10 * MOST_ENTRIES)
    outbox = outbox_of(log)
    outbox.connected(0.0)
    assert len(on_the_way(outbox, log, GREETING_S)) == WINDOW
    assert outbox.sent == WINDOW * MOST_ENTRIES
