"""Everything breaks once, under the appliance as a person starts it; docs/faults.md is its table.

Power cuts are in `tests/test_device_fault_power.py`, what the camera sees while the log cannot be
written in `tests/test_device_unwritten.py`, broker and hub in `tests/test_device_hub_outages.py`.
"""

import resource
import shutil
import signal
import socket
import sqlite3
from collections.abc import Iterator
from pathlib import Path

import pytest
from fault_play import entries_of, until
from real_table import RealTable
from small_disk import fill, need_root, small_disk

from device import demo_material

pytestmark = pytest.mark.slow

DAY_S = 86_400
UNWRITABLE = "log_unwritable"
OTHER_CLOCK = """
import pathlib, sys, time
true, off = time.time, pathlib.Path("clock-is-off-by")
time.time = lambda: true() + float(off.read_text())
from device.cli import main
sys.exit(main())
"""
OTHER_WEIGHTS = """
import pathlib, sys, models
models.FOLDER = pathlib.Path("weights")
from device.cli import main
sys.exit(main())
"""


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    made = RealTable(tmp_path)
    yield made
    made.end()


def thrown(table: RealTable) -> list[list[int]]:
    return [e.data["dice"] for e in entries_of(table.log) if e.type == "thrown"]


def faults_of(table: RealTable, what: str) -> list[str]:
    return [e.type for e in entries_of(table.log) if e.data.get("what") == what]


def test_a_full_disk_is_shown_and_the_evening_goes_on_once_there_is_room(tmp_path: Path) -> None:
    need_root("a small disk")
    (tmp_path / "state").mkdir()
    with small_disk(tmp_path / "state"):
        table = RealTable(tmp_path)
        try:
            table.start()
            table.serves()
            assert table.throw("A", "652")["status"] == 200
            known = (table.said("state") or {})["seq"]
            others = fill(table.log.parent)
            refused = table.throw("B", "651")
            assert (refused["status"], refused["error"]["code"]) == (409, UNWRITABLE)
            assert "Speicherkarte voll" in refused["error"]["text_de"]
            assert "log" in table.faults()
            assert (table.said("state") or {})["seq"] == known
            others.unlink()
            until(lambda: "log" not in table.faults(), "the alarm is over")
            assert table.throw("B", "651")["status"] == 200
        finally:
            table.end()
        assert thrown(table) == [[6, 5, 2], [6, 5, 1]]
        assert faults_of(table, "log") == ["fault", "fault_over"]


def test_a_clock_that_jumps_by_a_day_disturbs_nothing(tmp_path: Path) -> None:
    table = RealTable(tmp_path, program=("-c", OTHER_CLOCK))
    off = tmp_path / "clock-is-off-by"

    def jump(by_s: int) -> None:
        fresh = off.with_suffix(".new")
        fresh.write_text(str(by_s))
        fresh.replace(off)

    jump(0)
    try:
        table.start()
        table.serves()
        for player, dice, jump_s in (("A", "652", 0), ("B", "651", DAY_S), ("C", "322", -DAY_S)):
            jump(jump_s)
            assert table.throw(player, dice)["status"] == 200
        table.end()
        jump(-DAY_S)
        table.start()  # without a clock of its own a Pi begins in the past
        table.serves()
        assert table.throw("C", "641")["status"] == 200
    finally:
        table.end()
    assert thrown(table) == [[6, 5, 2], [6, 5, 1], [3, 2, 2], [6, 4, 1]]
    times_s = [e.at_s for e in entries_of(table.log) if e.type == "thrown"]
    assert 0.9 * DAY_S < times_s[1] - times_s[0] < 1.1 * DAY_S
    assert times_s[2] < times_s[0], "the log's order is that of its numbers"


def test_a_camera_that_is_pulled_out_comes_back_by_itself(tmp_path: Path) -> None:
    table = RealTable(tmp_path, f"hostile:unplug@2+2:{demo_material.clip()}")
    try:
        table.start()
        table.serves()
        until(lambda: "camera" in table.faults(), "the camera is missed")
        until(lambda: "camera" not in table.faults(), "the camera is back")
    finally:
        table.end()
    assert faults_of(table, "camera")[:2] == ["fault", "fault_over"]


def test_weights_that_the_disk_has_damaged_leave_the_evening_to_hands(tmp_path: Path) -> None:
    import models

    weights = tmp_path / "weights"
    shutil.copytree(models.FOLDER, weights)
    broken = models.weights("finder", weights)
    content = bytearray(broken.read_bytes())
    content[len(content) // 2] ^= 1
    broken.write_bytes(content)
    table = RealTable(tmp_path, str(demo_material.clip()), program=("-c", OTHER_WEIGHTS))
    try:
        table.start()
        table.serves()
        until(lambda: "model" in table.faults(), "the model is told of")
        assert table.throw("A", "652")["status"] == 200
        table.end(signal.SIGTERM)
        shutil.rmtree(weights)
        shutil.copytree(models.FOLDER, weights)
        table.start()
        table.serves()
        until(lambda: "model" not in table.faults(), "it is whole again")
    finally:
        table.end()
    assert thrown(table)[0] == [6, 5, 2]


def test_broken_settings_touch_no_evening(table: RealTable) -> None:
    table.start()
    table.serves()
    assert table.throw("A", "652")["status"] == 200
    table.end()
    known, good = entries_of(table.log), table.settings.read_text()
    table.settings.write_text(good.replace("[web]", "[web]\nhost = 5"))
    table.start()
    until(lambda: "Abgesicherter Betrieb" in table.console.read_text(), "safe mode")
    assert table.is_running
    table.end()
    assert "web.host is 5" in table.console.read_text()
    assert entries_of(table.log) == known
    table.settings.write_text(good)
    table.start()
    table.serves()
    assert table.throw("B", "651")["status"] == 200


def test_a_locked_database_is_waited_for(table: RealTable) -> None:
    table.start()
    table.serves()
    other = sqlite3.connect(table.log, isolation_level=None)
    other.execute("BEGIN IMMEDIATE")
    refused = table.throw("A", "652")
    assert (refused["status"], refused["error"]["code"]) == (409, UNWRITABLE)
    assert "log" in table.faults()
    other.execute("ROLLBACK")
    other.close()
    until(lambda: "log" not in table.faults(), "the alarm is over")
    assert table.throw("A", "652")["status"] == 200
    table.end()
    assert thrown(table) == [[6, 5, 2]]


def test_a_port_that_is_taken_is_named_and_the_evening_waits(table: RealTable) -> None:
    table.start()
    table.serves()
    assert table.throw("A", "652")["status"] == 200
    table.end()
    known = entries_of(table.log)
    with socket.create_server(("127.0.0.1", table.port)):
        table.start()
        assert table.ended() == 1
    said = table.console.read_text()
    assert f"The port {table.port} is in use by another program" in said
    assert "Traceback" not in said
    assert entries_of(table.log) == known
    table.start()
    table.serves()
    assert table.throw("B", "651")["status"] == 200


def test_a_limit_of_memory_ends_it_at_worst_and_loses_nothing(table: RealTable) -> None:
    """The limit falls on a table that plays: what is answered is kept, whatever becomes of it."""
    table.start()
    table.serves()
    assert table.throw("A", "652")["status"] == 200
    assert table.process is not None
    pages = int(Path(f"/proc/{table.process.pid}/statm").read_text().split()[0])
    used = pages * resource.getpagesize()
    resource.prlimit(table.process.pid, resource.RLIMIT_AS, (used, used))
    answered = [[6, 5, 2]]
    for player, dice in (("B", "651"), ("C", "322")):
        try:
            if table.throw(player, dice)["status"] == 200:
                answered.append([int(die) for die in dice])
        except OSError:
            break
    table.end()
    assert thrown(table)[: len(answered)] == answered
    table.start()
    table.serves()
    table.end()


def test_too_little_memory_to_begin_with_is_said_and_touches_nothing(table: RealTable) -> None:
    table.start()
    table.serves()
    assert table.throw("A", "652")["status"] == 200
    table.end()
    known = entries_of(table.log)
    limit = 400_000_000
    table.start(preexec_fn=lambda: resource.setrlimit(resource.RLIMIT_AS, (limit, limit)))
    assert table.ended() != 0
    assert [e.hash for e in entries_of(table.log)][: len(known)] == [e.hash for e in known]


READ_ONLY = """
mount --bind "$1" "$1" && mount -o remount,bind,ro / || exit 90
touch "$0/elsewhere" 2>/dev/null && exit 91
shift; exec "$@"
"""


def test_everything_but_the_state_folder_may_be_read_only(tmp_path: Path) -> None:
    """A whole start, throws by hand, pictures and clips of the demo: nothing else is written."""
    need_root("a read-only root")
    table = RealTable(tmp_path, str(demo_material.clip()))
    state = table.log.parent
    prefix = ("unshare", "-m", "--propagation", "private", "sh", "-c", READ_ONLY)
    try:
        table.start(prefix=(*prefix, str(tmp_path), str(state)))
        table.serves()
        until(lambda: list((state / "evidence").glob("*.jpg")), "a still is kept", 180.0)
        until(lambda: list((state / "evidence").glob("*.webm")), "a clip is kept", 180.0)
        assert not {"disk", "clips", "log", "mat_file"} & table.faults()
        table.end(signal.SIGTERM)
    finally:
        table.end()
    assert {path.name for path in tmp_path.iterdir()} == {"state", "table.toml", "console.txt"}
