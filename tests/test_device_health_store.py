"""What is looked at in clock, disk, log, backup and weights."""

import ctypes
import json
import os
import sqlite3
from collections.abc import Sequence
from pathlib import Path

import pytest
from health_fakes import Machine, Time, found

from device.health import machine
from device.health.clock import (
    STA_UNSYNC,
    TIMEX_BYTES,
    ClockWatch,
    Timex,
    is_synchronised,
    kernel_status,
)
from device.health.state import State
from device.health.storing import LOCKED, DiskPace, last_backup, why_not_writable
from device.store import SqliteLog


def test_who_keeps_the_clock_right(tmp_path: Path) -> None:
    def says(answer: str | None) -> machine.Run:
        return lambda words: answer if words[0] == "timedatectl" else None

    assert is_synchronised(tmp_path, says("no\n"), lambda: 0) is True
    assert is_synchronised(tmp_path, says("yes\n"), lambda: STA_UNSYNC) is False
    forbidden: Sequence[object] = (says("yes\n"), says("no\n"), says(None), says("odd"))
    told = [is_synchronised(tmp_path, run, lambda: None) for run in forbidden]  # type: ignore[arg-type]
    assert told == [True, False, None, None]
    Machine(tmp_path).file("run/systemd/timesync/synchronized", "")
    assert is_synchronised(tmp_path, says(None), lambda: None) is True


def test_the_kernel_is_asked_with_a_structure_of_its_size() -> None:
    """Too small a one would be written over its end."""
    assert ctypes.sizeof(Timex) == TIMEX_BYTES
    flags = kernel_status()
    assert flags is None or 0 <= flags < 1 << 16


def test_a_jump_of_the_clock_is_told_for_half_an_hour() -> None:
    wall, steady = Time(1_800_000_000.0), Time(5.0)
    watch = ClockWatch(wall, steady)

    def both_pass(s: float) -> None:
        wall.pass_s(s)
        steady.pass_s(s)

    both_pass(100.0)
    wall.pass_s(0.4)  # the network's daily work
    assert watch.jump() == (0.0, 0.0)
    wall.pass_s(86_400.0)
    assert watch.jump()[0] == pytest.approx(86_400.0)
    both_pass(600.0)
    wall.pass_s(-30.0)
    jump_s, age_s = watch.jump()
    assert (jump_s, age_s) == (pytest.approx(86_400.0), pytest.approx(600.0))
    both_pass(1500.0)
    assert watch.jump()[0] == pytest.approx(-30.0)
    both_pass(1801.0)
    assert watch.jump() == (0.0, 0.0)


def test_a_jump_is_bad_while_it_is_news_and_then_a_word_on_the_page(tmp_path: Path) -> None:
    time = Time()
    subject = Machine(tmp_path).running(time=time)
    assert found(subject, "clock_jump").state is State.GOOD
    time.jump_s(-3600.0)
    finding = found(subject, "clock_jump")
    assert (finding.state, finding.value) == (State.BAD, 3600.0)
    assert "backwards" in finding.said[1]
    time.pass_s(121.0)
    assert found(subject, "clock_jump").state is State.WARN


def test_errors_that_the_kernel_has_met_in_the_log_s_file_system(tmp_path: Path) -> None:
    pi = Machine(tmp_path)
    subject = pi.subject()
    assert found(subject, "file_system").state is State.UNKNOWN
    number = tmp_path.stat().st_dev
    pi.file("sys/devices/mmc/mmcblk0p2/uevent", "")
    block = tmp_path / "sys/dev/block"
    block.mkdir(parents=True)
    name = f"{os.major(number)}:{os.minor(number)}"
    (block / name).symlink_to(tmp_path / "sys/devices/mmc/mmcblk0p2")
    pi.file("sys/fs/ext4/mmcblk0p2/errors_count", "0\n").file("sys/fs/ext4/sda/errors_count", "7")
    assert found(subject, "file_system").state is State.GOOD
    pi.file("sys/fs/ext4/mmcblk0p2/errors_count", "3\n")
    finding = found(subject, "file_system")
    assert (finding.state, finding.said[1]) == (State.WARN, "3 errors")


def test_how_long_the_disk_lasts() -> None:
    time = Time()
    pace = DiskPace(time)
    assert pace.days(None).value is None
    for minute in range(30):
        assert pace.days(10_000.0 - 10 * minute).value is None
        time.pass_s(60.0)
    days = pace.days(9_700.0).value
    assert days == pytest.approx(9_700 / 300 * 1800 / 86_400)
    time.pass_s(60.0)
    assert pace.days(20_000.0).state is State.GOOD  # somebody has made room


def test_a_log_is_writable_until_it_is_not(tmp_path: Path) -> None:
    path = tmp_path / "evening.sqlite3"
    assert why_not_writable(path) is None
    with SqliteLog(path) as log:
        log.append("note", {}, at_s=1.0)
        assert why_not_writable(path) is None
        assert [entry.seq for entry in log.read()] == [1], "nothing was written for it"
        log.append("note", {}, at_s=2.0)
    path.write_bytes(b"no database " * 100)
    assert "not a database" in str(why_not_writable(path))
    gone = why_not_writable(tmp_path / "gone" / "evening.sqlite3")
    assert gone is not None
    assert str(tmp_path) not in str(gone)


def test_a_log_that_somebody_holds_is_not_writable(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.health.storing.LOCK_S", 0.05)
    path = tmp_path / "evening.sqlite3"
    with SqliteLog(path) as log:
        log.append("note", {}, at_s=1.0)
        holding = sqlite3.connect(path, isolation_level=None)
        holding.execute("BEGIN IMMEDIATE")
        assert why_not_writable(path) == LOCKED
        holding.execute("ROLLBACK")
        holding.close()
        assert why_not_writable(path) is None


def test_the_last_backup_is_read_beside_the_log(tmp_path: Path) -> None:
    log, note, time = tmp_path / "evening.sqlite3", tmp_path / "last_backup.json", Time()
    subject = Machine(tmp_path).subject(time=time, log=log)
    assert last_backup(log) is None
    assert found(subject, "backup").said[1] == "none yet"
    about = {"at_s": time() - 8 * 86_400, "path": "/media/stick/x.zip", "bytes": 3_200_000}
    note.write_text(json.dumps(about))
    finding = found(subject, "backup")
    assert (finding.state, finding.value) == (State.WARN, pytest.approx(8.0))
    assert finding.said == ("vor 8 Tagen (3 MB)", "8 days ago (3 MB)")
    note.write_text(json.dumps({**about, "at_s": time() - 40 * 86_400}))
    assert found(subject, "backup").state is State.WARN, "nobody is stopped by a missing backup"
    note.write_text(json.dumps({**about, "at_s": time(), "same_disk": True}))
    here = found(subject, "backup")
    assert (here.state, here.said[1]) == (State.WARN, "0 days ago (3 MB, on the same disk)")
    for damaged in ("{", "[]", '{"at_s": 1}', '{"at_s": "x", "bytes": 1}'):
        note.write_text(damaged)
        assert found(subject, "backup").said[1] == "the note of it is damaged"


def test_damaged_weights_are_found(tmp_path: Path) -> None:
    import shutil

    import models

    folder = tmp_path / "models"
    shutil.copytree(models.FOLDER / "weights", folder / "weights")
    shutil.copy(models.FOLDER / "manifest.json", folder)
    time = Time()
    subject = Machine(tmp_path).subject(time=time, models=folder)
    good = found(subject, "weights")
    assert good.state is State.GOOD
    assert models.manifest(folder).networks["finder"].sha256[:12] in good.said[1]
    file = folder / models.manifest(folder).networks["pips"].file
    file.write_bytes(file.read_bytes()[:-1] + b"?")
    assert found(subject, "weights").state is State.GOOD, "not read anew before an hour is over"
    time.pass_s(3600.0)
    bad = found(subject, "weights")
    assert (bad.state, bad.said[1]) == (State.BAD, "damaged or gone: pips")
    (folder / "manifest.json").unlink()
    models.manifest.cache_clear()
    time.pass_s(3600.0)
    assert "manifest" in found(subject, "weights").said[1]
