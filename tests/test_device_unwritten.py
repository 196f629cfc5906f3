"""What the log does not take now is held, in order, and entered once it does."""

import threading
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

import pytest
from device_table import stand_in
from fault_play import until

from device import bootstrap
from device.appliance import Appliance
from device.chain import LogEntry
from device.errors import LogTakenError, StoreError
from device.settings import Settings
from device.sources import VideoSource
from device.store import SqliteLog
from device.unwritten import MOST_HELD, Unwritten
from web_ui.stream import frames

TRUE = [[6, 5, 2], [6, 5, 1], [3, 2, 2]]


class Disk:
    """Takes entries, or does not."""

    def __init__(self) -> None:
        self.full = False
        self.notes: list[tuple[str, dict[str, Any]]] = []

    def note(self, type: str, data: dict[str, Any]) -> None:
        if self.full:
            raise StoreError("no space left")
        self.notes.append((type, data))


@pytest.fixture
def disk() -> Disk:
    return Disk()


@pytest.fixture
def unwritten(disk: Disk) -> Iterator[Unwritten]:
    made = Unwritten(disk.note, again_s=0.01, clock=lambda: 7.0)
    yield made
    made.close()


def test_what_waits_is_written_in_order_and_told_of(disk: Disk, unwritten: Unwritten) -> None:
    unwritten.do(lambda: disk.note("a", {}))
    disk.full = True
    for name in ("b", "c", "d"):
        unwritten.do(lambda name=name: disk.note(name, {}))
    assert unwritten.held == 3
    (alarm,) = unwritten.alarms()
    assert alarm["what"] == "log"
    disk.full = False
    until(lambda: not unwritten.alarms(), "it is written", pause_s=0.001)
    assert [name for name, _ in disk.notes] == ["a", "fault", "b", "c", "d", "fault_over"]
    told = disk.notes[1][1]
    assert (told["since_s"], told["held"], told["not_held"]) == (7.0, 3, 0)
    disk.full = True
    unwritten.do(lambda: disk.note("e", {}))
    disk.full = False
    until(lambda: not unwritten.alarms(), "also the second time", pause_s=0.001)
    assert [name for name, _ in disk.notes][-3:] == ["fault", "e", "fault_over"]


def test_what_is_laid_behind_as_it_ends_is_written_and_ends_nothing_twice(disk: Disk) -> None:
    """Another thread's deed may come between `fault_over` and the end of holding."""

    def note(type: str, data: dict[str, Any]) -> None:
        disk.note(type, data)
        if type == "fault_over":
            unwritten.do(lambda: disk.note("late", {}))

    unwritten = Unwritten(note, again_s=0.01, clock=lambda: 7.0)
    disk.full = True
    unwritten.do(lambda: disk.note("a", {}))
    disk.full = False
    until(lambda: not unwritten.alarms(), "it is written", pause_s=0.001)
    unwritten.close()
    assert [name for name, _ in disk.notes] == ["fault", "a", "fault_over", "late"]


def test_no_more_is_held_than_memory_has_room_for(disk: Disk, unwritten: Unwritten) -> None:
    disk.full = True
    for _ in range(MOST_HELD + 5):
        unwritten.do(lambda: disk.note("x", {}))
    assert unwritten.held == MOST_HELD
    disk.full = False
    until(lambda: not unwritten.alarms(), "it is written", pause_s=0.001)
    assert disk.notes[0][1]["not_held"] == 5
    assert len(disk.notes) == MOST_HELD + 2


def test_what_waiting_does_not_mend_is_raised(disk: Disk, unwritten: Unwritten) -> None:
    def taken() -> None:
        raise LogTakenError("another program plays on it")

    with pytest.raises(LogTakenError):
        unwritten.do(taken)
    assert not unwritten.alarms()
    disk.full = True
    unwritten.do(lambda: disk.note("x", {}), taken)
    disk.full = False

    def raised() -> bool:
        try:
            unwritten.do(lambda: None)
        except LogTakenError:
            return True
        return False

    until(raised, "the next deed tells of it", pause_s=0.001)


def test_from_many_threads_everything_is_written_once(disk: Disk, unwritten: Unwritten) -> None:
    def write(thread: int) -> None:
        for n in range(50):
            disk.full = (n + thread) % 7 < 3
            unwritten.do(lambda n=n: disk.note("x", {"of": (thread, n)}))

    threads = [threading.Thread(target=write, args=(n,)) for n in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    disk.full = False
    until(lambda: not unwritten.alarms(), "all of it is written", pause_s=0.001)
    written = sorted(data["of"] for name, data in disk.notes if name == "x")
    assert written == [(thread, n) for thread in range(4) for n in range(50)]


@pytest.fixture
def appliance(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Appliance]:
    stand_in(monkeypatch)
    paths = {
        "store.path": str(tmp_path / "evening.sqlite3"),
        "store.evidence_dir": str(tmp_path / "stills"),
        "store.clip_fps": 0.0,
    }
    built = bootstrap.build(Settings(paths))
    built.unwritten._again_s = 0.01
    yield built
    built.close()


def fails(monkeypatch: pytest.MonkeyPatch, first: int, count: int) -> None:
    """So many writes fail, from that one on."""
    write, calls = SqliteLog.append_all, [0]

    def sometimes(
        self: SqliteLog, items: Sequence[tuple[str, Mapping[str, Any]]], *, at_s: float
    ) -> list[LogEntry]:
        calls[0] += 1
        if first <= calls[0] < first + count:
            raise StoreError("database or disk is full")
        return write(self, items, at_s=at_s)

    monkeypatch.setattr(SqliteLog, "append_all", sometimes)


@pytest.mark.parametrize(("first", "count"), [*((n, 3) for n in range(1, 8)), (2, 1), (4, 1)])
def test_a_disk_that_is_full_for_a_while_costs_no_throw_that_the_camera_saw(
    appliance: Appliance,
    short_clip: Path,
    monkeypatch: pytest.MonkeyPatch,
    first: int,
    count: int,
) -> None:
    """At every step of three throws, once and for long."""
    fails(monkeypatch, first, count)
    with VideoSource(short_clip) as source:
        appliance.play(source)
    until(lambda: not appliance.unwritten.alarms(), "it is written", pause_s=0.001)
    entries = appliance.log.read(limit=10_000)
    assert [e.data["dice"] for e in entries if e.type == "thrown"] == TRUE
    assert len([e for e in entries if e.type == "table.throw_seen"]) == len(TRUE)
    stills = [e.data["still"] for e in entries if e.type == "table.throw_seen"]
    assert appliance.evidence is not None
    assert all((appliance.evidence.folder / still).is_file() for still in stills)
    told = [e.type for e in entries if e.data.get("what") == "log"]
    assert told == ["fault", "fault_over"] * (len(told) // 2)
    assert not appliance.pipeline.is_behind


def test_a_fault_that_a_cut_has_left_is_over_at_the_next_start(
    appliance: Appliance, tmp_path: Path
) -> None:
    appliance.game.note("fault", {"what": "log", "text_de": "x", "text_en": "x"})
    appliance.close()
    again = bootstrap.build(
        Settings({"store.path": str(tmp_path / "evening.sqlite3"), "store.evidence_dir": ""})
    )
    assert again.log.read(limit=1000)[-1].type == "fault_over"
    again.close()


def test_live_pages_hear_of_an_alarm_that_no_entry_tells_of(appliance: Appliance) -> None:
    alarms: list[Mapping[str, Any]] = []
    seen = appliance.log.read(limit=1000)[-1].seq
    stream = frames(
        appliance.log, seen, lang="de", retry_ms=1, heartbeat_s=0.02, alarms=lambda: tuple(alarms)
    )
    assert next(stream).startswith("retry")
    assert next(stream) == ": heartbeat\n\n"
    alarms.append({"what": "log"})
    assert next(stream) == "event: renew\ndata: 0\n\n"
    assert next(stream) == ": heartbeat\n\n"
    alarms.clear()
    assert next(stream) == "event: renew\ndata: 0\n\n"


def test_the_page_shows_an_alarm_while_the_log_says_nothing(appliance: Appliance) -> None:
    page = appliance.app.test_client()
    assert 'data-fault="log"' not in page.get("/board").get_data(as_text=True)
    appliance.unwritten._since_s = 1.0
    assert 'data-fault="log"' in page.get("/board").get_data(as_text=True)
    assert page.get("/api/state").get_json()["faults"][0]["what"] == "log"
    assert "log" in appliance.faults, "for the lamp as well"
    appliance.unwritten._since_s = None
    assert 'data-fault="log"' not in page.get("/board").get_data(as_text=True)
