"""A disk that is full or read-only already at the start: the page is there and says so."""

import signal
import subprocess
import urllib.error
import urllib.request
from pathlib import Path
from typing import Any

import pytest
from fault_play import entries_of, until
from real_table import RealTable
from small_disk import fill, need_root, small_disk

from device.pin_file import PinFile, pins_path
from device.settings import load_settings
from web_ui.pins import Pins

pytestmark = pytest.mark.slow

UNUSABLE = "log_unusable"


def page(table: RealTable) -> str:
    with urllib.request.urlopen(f"http://127.0.0.1:{table.port}/", timeout=30.0) as answer:
        return str(answer.read().decode())


def health(table: RealTable) -> tuple[int, str]:
    with pytest.raises(urllib.error.HTTPError) as told:
        urllib.request.urlopen(f"http://127.0.0.1:{table.port}/healthz", timeout=30.0)
    return told.value.code, told.value.read().decode()


def refuses(table: RealTable) -> Any:
    said = table.said("state") or {}
    return UNUSABLE in str(said.get("error")) and said


@pytest.mark.parametrize("end", [signal.SIGTERM, signal.SIGKILL])
def test_a_disk_that_is_full_already_is_told_of_and_waited_for(
    tmp_path: Path, end: signal.Signals
) -> None:
    need_root("a small disk")
    (tmp_path / "state").mkdir()
    with small_disk(tmp_path / "state"):
        table = RealTable(tmp_path)
        try:
            table.start()
            table.serves()
            assert table.throw("A", "652")["status"] == 200
            table.end(end)
            others = fill(table.log.parent)
            table.start()
            until(lambda: refuses(table), "the page is there and says that nothing is recorded")
            assert "Es wird nichts aufgezeichnet" in page(table)
            assert "Die Speicherkarte ist voll" in page(table)
            assert "table.toml" not in page(table), "the settings are not what is wrong"
            status, told = health(table)
            assert (status, '"faults":["log"]' in told) == (503, True)
            others.unlink()
            until(lambda: "seq" in (table.said("state") or {}), "it goes on by itself")
            assert table.throw("B", "651")["status"] == 200
        finally:
            table.end()
        thrown = [e.data["dice"] for e in entries_of(table.log) if e.type == "thrown"]
        assert thrown == [[6, 5, 2], [6, 5, 1]]


def test_a_log_that_opens_on_a_full_disk_is_shown_with_the_alarm(tmp_path: Path) -> None:
    """After a power cut its write-ahead log is there already, and opening writes nothing."""
    need_root("a small disk")
    (tmp_path / "state").mkdir()
    with small_disk(tmp_path / "state"):
        table = RealTable(tmp_path)
        Pins(PinFile(pins_path(load_settings(table.settings)))).set("admin", "482915")
        try:
            table.start()
            table.serves()
            assert table.throw("A", "652")["status"] == 200
            table.end(signal.SIGKILL)
            others = fill(table.log.parent)
            table.start()
            table.serves()
            until(lambda: "log" in table.faults(), "the alarm, before anybody has thrown")
            assert table.throw("B", "651")["status"] == 409
            others.unlink()
            until(lambda: "log" not in table.faults(), "the alarm is over")
            assert table.throw("B", "651")["status"] == 200
        finally:
            table.end()


def test_a_disk_that_can_only_be_read_is_told_of_and_waited_for(tmp_path: Path) -> None:
    need_root("a small disk")
    (tmp_path / "state").mkdir()
    with small_disk(tmp_path / "state"):
        table = RealTable(tmp_path)
        try:
            table.start()
            table.serves()
            assert table.throw("A", "652")["status"] == 200
            table.end(signal.SIGTERM)
            _remount(table.log.parent, "ro")
            table.start()
            until(lambda: refuses(table), "the page is there and says that nothing is recorded")
            assert "lässt sich nur noch lesen" in page(table)
            _remount(table.log.parent, "rw")
            until(lambda: "seq" in (table.said("state") or {}), "it goes on by itself")
        finally:
            table.end()


def _remount(folder: Path, how: str) -> None:
    subprocess.run(["mount", "-o", f"remount,{how}", str(folder)], check=True)
