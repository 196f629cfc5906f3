"""Old evidence goes, oldest first and told in the log; what somebody may still need stays."""

import threading
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pipeline_table import Table

from device.commands.verify import _prove
from device.retention import DAY_S, Needed, Rules, may_go
from device.store import MemoryLog, SqliteLog
from device.tidying import Tidying
from vision.events import TableEvent

SIZE = 1000
NO_LIMIT = Rules(days=0, most_bytes=0)
Log = MemoryLog | SqliteLog


def keep(log: Log, name: str, *, at_s: float = 0.0, about: int = 1) -> None:
    data = {"seq": about, "kind": "clip", "file": name, "sha256": "0" * 64}
    log.append("evidence.kept", data, at_s=at_s)


def needed_of(log: Log) -> Needed:
    needed = Needed()
    for entry in log.read(limit=100_000):
        needed.take(entry)
    return needed


def going(
    log: Log, rules: Rules, now_s: float = 0.0, gone: set[str] | None = None
) -> dict[str, Any]:
    needed = needed_of(log)
    sizes = {name: SIZE for name in needed.mentions.kept if name not in (gone or set())}
    return {drop.rule: list(drop.names) for drop in may_go(needed, sizes, rules, now_s)}


def test_what_is_older_than_its_days_goes_and_then_the_oldest_above_the_limit() -> None:
    log = MemoryLog()
    for day in range(10):
        keep(log, f"{day}.webm", at_s=day * DAY_S)
    now_s = 9 * DAY_S
    assert going(log, NO_LIMIT, now_s) == {}
    assert going(log, Rules(7, 0), now_s) == {"days": ["0.webm", "1.webm"]}
    assert going(log, Rules(0, 8 * SIZE), now_s) == {"bytes": ["0.webm", "1.webm"]}
    assert going(log, Rules(7, 6 * SIZE), now_s) == {
        "days": ["0.webm", "1.webm"], "bytes": ["2.webm", "3.webm"],
    }  # fmt: skip
    assert going(log, Rules(7, 8 * SIZE), now_s) == {"days": ["0.webm", "1.webm"]}
    # What is not there any more takes no room.
    assert going(log, Rules(0, 8 * SIZE), now_s, gone={"5.webm", "6.webm"}) == {}


@given(
    st.lists(st.tuples(st.floats(0, 100), st.integers(0, 5000), st.booleans()), max_size=30),
    st.floats(0, 90),
    st.integers(0, 50_000),
)
def test_nothing_spared_goes_and_the_limits_hold_for_the_rest(
    files: list[tuple[float, int, bool]], days: float, most_bytes: int
) -> None:
    log = MemoryLog()
    for n, (day, _, spared) in enumerate(files):
        if spared:
            log.append("case.opened", {"seq": n + 1000}, at_s=0.0)
        keep(log, str(n), at_s=day * DAY_S, about=n + 1000)
    sizes = {str(n): size for n, (_, size, _) in enumerate(files)}
    needed = needed_of(log)
    drops = may_go(needed, sizes, Rules(days, most_bytes), 100 * DAY_S)
    gone = {name for drop in drops for name in drop.names}
    left = {n: f for n, f in enumerate(files) if str(n) not in gone}
    assert not any(files[int(name)][2] for name in gone)
    free = {n: f for n, f in left.items() if not f[2]}
    assert not days or all(100 - day <= days + 1e-9 for day, _, _ in free.values())
    if most_bytes and free:
        assert sum(size for _, size, _ in left.values()) <= most_bytes
    assert sum(drop.bytes for drop in drops) == sum(sizes[name] for name in gone)


def with_stills(table: Table) -> Callable[..., str]:
    """A way to throw at a table whose facts have stills; it returns the still's name."""

    def throw(*dice: int, sure: bool = True, **more: Any) -> str:
        table.t_s += 3.0
        kind = "throw_seen" if sure else "unsure"
        event = TableEvent(
            table.t_s, kind, None, dice, (), sure, table.t_s - 0.5, table.t_s, **more
        )
        name = f"throw-{table.t_s}.jpg"
        table.pipeline.receive(event, {"still": name, "sha256": "0" * 64})
        return name

    return throw


def spared(table: Table) -> set[str]:
    return needed_of(table.log).spared()


def submit(table: Table, action: Mapping[str, Any]) -> None:
    table.pipeline.submit(action)


def test_files_of_an_open_question_stay_until_it_is_answered_as_the_camera_read_it() -> None:
    table = Table()
    throw = with_stills(table)
    first = throw(6, 5, 2, sure=False, reason="values")
    assert spared(table) == {first}
    question = table.pipeline.open_question
    assert question is not None
    answer = {"type": "answer_question", "question_id": question["question_id"], "by": "Wirt"}
    submit(table, {**answer, "dice": [6, 5, 2]})
    assert spared(table) == set()


@pytest.mark.parametrize("said", [{"dice": [6, 5, 3]}, {"verdict": "no_throw"}])
def test_files_of_a_throw_that_a_person_read_otherwise_stay(said: dict[str, Any]) -> None:
    table = Table()
    first = with_stills(table)(6, 5, 2, sure=False, reason="values")
    question = table.pipeline.open_question
    assert question is not None
    answer = {"type": "answer_question", "question_id": question["question_id"], "by": "Wirt"}
    submit(table, {**answer, **said})
    assert spared(table) == {first}


def test_files_of_a_corrected_throw_stay_and_those_of_others_do_not() -> None:
    table = Table()
    throw = with_stills(table)
    stills = [throw(6, 5, 2), throw(6, 5, 1), throw(3, 2, 2)]
    correction = {
        "type": "correct_throw", "player": "B", "throw_id": 2, "dice": [6, 4, 1], "by": "Wirt",
        "reason": "Sicht",
    }  # fmt: skip
    submit(table, correction)
    assert spared(table) == {stills[1]}
    submit(table, {"type": "take_back", "by": "Wirt", "reason": "noch einmal"})
    assert stills[1] in spared(table)


def test_files_of_a_case_stay_whatever_becomes_of_it() -> None:
    log = MemoryLog()
    keep(log, "a.webm", about=7)
    keep(log, "b.webm", about=8)
    log.append("case.opened", {"case_id": "x", "seq": 7}, at_s=0.0)
    log.append("case.closed", {"case_id": "x"}, at_s=0.0)
    assert needed_of(log).spared() == {"a.webm"}


def test_files_of_a_round_that_the_referee_ruled_stay() -> None:
    log = MemoryLog()
    log.append("match_started", {}, at_s=0.0)
    for number in (1, 2):
        data = {"still": f"{number}.jpg", "sha256": "0", "dice": [6, 5, number]}
        log.append("table.throw_seen", data, at_s=0.0)
        thrown = {"throw_id": number, "part": "half1", "round": number, "dice": [6, 5, number]}
        log.append("thrown", thrown, at_s=0.0)
    log.append("round_ruled", {"ruled_part": "half1", "ruled_round": 2}, at_s=0.0)
    assert needed_of(log).spared() == {"2.jpg"}


def test_exported_files_stay() -> None:
    log = MemoryLog()
    keep(log, "a.webm")
    keep(log, "b.webm")
    log.append("evidence.exported", {"seq": 2, "files": ["b.webm"], "others": {}}, at_s=0.0)
    assert going(log, Rules(0, 1)) == {"bytes": ["a.webm"]}


@pytest.mark.parametrize(
    ("seq", "gone"),
    [(3, ["a.webm", "b.webm"]), (2, ["a.webm"]), ([3], ["a.webm"]), (None, ["a.webm"])],
)
def test_files_of_an_export_that_failed_may_go(seq: object, gone: list[str]) -> None:
    log = MemoryLog()
    keep(log, "a.webm")
    keep(log, "b.webm")
    log.append("evidence.exported", {"seq": 2, "files": ["b.webm"], "others": {}}, at_s=0.0)
    log.append("evidence.export_failed", {"seq": seq, "reason": "full"}, at_s=0.0)
    assert going(log, Rules(0, 1)) == {"bytes": gone}


class Faults:
    def __init__(self) -> None:
        self.said: list[bool] = []

    def __call__(self, *, there: bool) -> None:
        self.said.append(there)


def tidying(log: Log, folder: Path, rules: Rules, fault: Faults) -> Tidying:
    def note(kind: str, data: dict[str, Any]) -> None:
        log.append(kind, data, at_s=100.0)

    return Tidying(log, note, folder, rules, fault, clock=lambda: 40 * DAY_S)


def written(log: Log, folder: Path, *names: str) -> None:
    import hashlib

    folder.mkdir(exist_ok=True)
    for name in names:
        (folder / name).write_bytes(name.encode() * 100)
        digest = hashlib.sha256(name.encode() * 100).hexdigest()
        data = {"seq": 1, "kind": "clip", "file": name, "sha256": digest}
        log.append("evidence.kept", data, at_s=float(len(name)))


def test_what_is_deleted_is_told_and_the_evening_is_still_proven(tmp_path: Path) -> None:
    path, folder, fault = tmp_path / "log.sqlite3", tmp_path / "evidence", Faults()
    with SqliteLog(path) as log:
        written(log, folder, "a", "bb", "ccc")
        with tidying(log, folder, Rules(0, 500), fault):
            pass
        dropped = [e.data for e in log.read() if e.type == "evidence.dropped"]
    assert dropped == [{"files": ["a"], "rule": "bytes", "bytes": 100}]
    assert {p.name for p in folder.iterdir()} == {"bb", "ccc"}
    assert fault.said == [False]
    proof = _prove(path, None)
    assert not proof.findings
    assert (proof.files, proof.dropped) == (2, 1)
    (folder / "bb").unlink()
    assert [f.code for f in _prove(path, None).findings] == ["file_missing"]


def test_a_deletion_that_a_power_cut_left_undone_is_done_the_next_time(tmp_path: Path) -> None:
    log, fault = MemoryLog(), Faults()
    written(log, tmp_path / "e", "a", "bb")
    log.append("evidence.dropped", {"files": ["a"], "rule": "days"}, at_s=1.0)
    tidying(log, tmp_path / "e", NO_LIMIT, fault).tidy()
    assert [p.name for p in (tmp_path / "e").iterdir()] == ["bb"]
    assert [e.type for e in log.read()].count("evidence.dropped") == 1


def test_what_must_stay_and_takes_too_much_room_is_a_fault(tmp_path: Path) -> None:
    log, fault = MemoryLog(), Faults()
    log.append("case.opened", {"seq": 1}, at_s=0.0)
    written(log, tmp_path / "e", "a", "bb")
    tidying(log, tmp_path / "e", Rules(1, 200), fault).tidy()
    assert len(list((tmp_path / "e").iterdir())) == 2
    assert fault.said == [True]


def test_what_came_before_the_clock_was_set_is_not_too_old_at_once(tmp_path: Path) -> None:
    """A Pi that was off for two months begins in the past; then the network tells it the time."""
    log, fault = MemoryLog(), Faults()
    written(log, tmp_path, "a")
    wall_s, steady_s = [3 * DAY_S], [0.0]

    def note(kind: str, data: dict[str, Any]) -> None:
        log.append(kind, data, at_s=wall_s[0])

    made = Tidying(log, note, tmp_path, Rules(30, 0), fault, lambda: wall_s[0], lambda: steady_s[0])
    made.tidy()
    written(log, tmp_path, "bb")  # by the clock as old as the first
    wall_s[0], steady_s[0] = 63 * DAY_S, 600.0
    made.tidy()
    assert {path.name for path in tmp_path.iterdir()} == {"bb"}
    wall_s[0], steady_s[0] = 94 * DAY_S, 31 * DAY_S
    made.tidy()
    assert not list(tmp_path.iterdir()), "it has been there for a month by any clock"


def test_a_disk_that_fails_is_a_fault_and_is_tried_again(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log, fault, told = MemoryLog(), Faults(), threading.Event()
    written(log, tmp_path / "e", "a")
    made = tidying(log, tmp_path / "e", Rules(1, 0), fault)
    monkeypatch.setattr("device.tidying.EVERY_S", 0.01)

    def fails() -> dict[str, int]:
        if fault.said.count(True) >= 2:
            told.set()
        raise OSError(5, "Input/output error")

    monkeypatch.setattr(made, "_sizes", fails)
    with made:
        assert told.wait(20.0), "its thread has ended without a word"
    assert set(fault.said) == {True}


def test_a_name_that_leaves_the_folder_is_never_deleted(tmp_path: Path) -> None:
    log, fault = MemoryLog(), Faults()
    (tmp_path / "precious").write_bytes(b"x")
    (tmp_path / "e").mkdir()
    keep(log, "../precious")
    tidying(log, tmp_path / "e", Rules(1, 1), fault).tidy()
    log.append("evidence.dropped", {"files": ["../precious"], "rule": "days"}, at_s=1.0)
    tidying(log, tmp_path / "e", Rules(1, 1), fault).tidy()
    assert (tmp_path / "precious").exists()
