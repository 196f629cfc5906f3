"""The table started anew from its page: it ends tidily, and the evening goes on after it."""

import http.cookiejar
import json
import os
import threading
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fault_play import entries_of, until
from first_pin import first_pin
from real_table import RealTable

from device.camera_settings import CameraSettings
from device.restarting import STATUS, Restart, is_service
from device.settings import load_settings
from device.settings_desk import SettingsDesk
from web_ui.settings_port import BadValues

PATIENCE_S = 20.0
AS_SYSTEMD = ("sh", "-c", 'SYSTEMD_EXEC_PID=$$ exec "$@"', "sh")
"""Starts a program as systemd does: it is told that it is the one that was started."""


def test_a_service_is_what_systemd_itself_has_started() -> None:
    mine = str(os.getpid())
    assert is_service({"SYSTEMD_EXEC_PID": mine})
    assert not is_service({"SYSTEMD_EXEC_PID": "1", "INVOCATION_ID": "of a desktop's terminal"})
    assert not is_service({})


def test_a_stuck_camera_ends_only_what_somebody_starts_again(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setenv("INVOCATION_ID", "of a desktop's terminal")
    monkeypatch.delenv("SYSTEMD_EXEC_PID", raising=False)
    assert not CameraSettings().as_service
    monkeypatch.setenv("SYSTEMD_EXEC_PID", str(os.getpid()))
    assert CameraSettings().as_service


def test_it_ends_once_however_often_somebody_asks() -> None:
    ended: list[int] = []
    done = threading.Event()

    def end() -> None:
        ended.append(1)
        done.set()

    restart = Restart(can=True, end=end, answer_s=0.0)
    assert not restart.wanted
    for _ in range(3):
        restart.begin()
    assert done.wait(PATIENCE_S)
    assert (restart.wanted, ended) == (True, [1])


class Desk:
    """The desk of a table with a settings file; nothing ends."""

    def __init__(self, folder: Path, *, can: bool = True) -> None:
        self.path = folder / "table.toml"
        self.path.write_text('[web]\ntable_name = "Ecke"\n', encoding="utf-8")
        self.held = 0
        self.noted: list[tuple[str, dict[str, Any]]] = []
        self.ended = threading.Event()
        self.restart = Restart(can=can, end=self.ended.set, answer_s=0.0)
        self.desk = SettingsDesk(
            self.path,
            load_settings(self.path),
            note=lambda kind, data: self.noted.append((kind, data)),
            restarting=self.restart,
            held=lambda: self.held,
        )


def test_the_log_knows_who_has_started_it_anew(tmp_path: Path) -> None:
    table = Desk(tmp_path)
    assert table.desk.sheet().can_restart
    table.desk.restart(by="Wirt")
    assert table.ended.wait(PATIENCE_S)
    assert table.noted == [("settings.restarted", {"by": "Wirt"})]


def test_without_a_service_it_says_what_to_type(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.argv", ["/opt/bin/schockauge", "run", "--settings", "my table.toml"])
    table = Desk(tmp_path, can=False)
    assert not table.desk.sheet().can_restart
    assert table.desk.sheet().command == "schockauge run --settings 'my table.toml'"
    with pytest.raises(BadValues, match="not run as a service"):
        table.desk.restart(by="Wirt")
    assert not table.restart.wanted


@pytest.mark.parametrize("text", ["[web\n", '[game]\nbook = "nix"\n'])
def test_a_table_that_would_not_come_back_goes_on(tmp_path: Path, text: str) -> None:
    table = Desk(tmp_path)
    table.path.write_text(text, encoding="utf-8")
    with pytest.raises(BadValues, match=r"no TOML|no rule book"):
        table.desk.restart(by="Wirt")
    assert not table.restart.wanted
    assert table.noted == []


def test_what_waits_for_the_log_is_not_lost_by_it(tmp_path: Path) -> None:
    table = Desk(tmp_path)
    table.held = 2
    with pytest.raises(BadValues, match="would be lost"):
        table.desk.restart(by="Wirt")
    assert not table.restart.wanted
    table.held = 0
    table.desk.restart(by="Wirt")
    assert table.restart.wanted


class Landlord:
    """Signed in at the page of a table that runs as a process."""

    def __init__(self, table: RealTable) -> None:
        self._base = f"http://127.0.0.1:{table.port}"
        cookies = urllib.request.HTTPCookieProcessor(http.cookiejar.CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), cookies)
        token = json.loads(self.get("/api/session"))["csrf"]
        body = json.dumps({"role": "admin", "pin": first_pin(table.console)}).encode()
        headers = {"Content-Type": "application/json", "X-CSRF-Token": token}
        asked = urllib.request.Request(f"{self._base}/api/session", body, headers)
        self._token = json.loads(self._open(asked))["csrf"]

    def get(self, path: str) -> str:
        return self._open(urllib.request.Request(self._base + path))

    def send(self, path: str, **form: str) -> str:
        body = urllib.parse.urlencode({"csrf": self._token, **form}).encode()
        return self._open(urllib.request.Request(self._base + path, body))

    def _open(self, asked: urllib.request.Request) -> str:
        with self._opener.open(asked, timeout=PATIENCE_S) as answer:
            said: str = answer.read().decode()
            return said


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    running = RealTable(tmp_path)
    yield running
    running.end()


def test_what_waits_counts_after_it_and_the_evening_goes_on(table: RealTable) -> None:
    table.start(prefix=AS_SYSTEMD)
    table.serves()
    assert table.throw("A", "652")["status"] == 200
    known = entries_of(table.log)
    landlord = Landlord(table)
    page = landlord.get("/settings")
    assert "/settings/restart" not in page, "nothing waits"
    stamp = page.partition('name="stamp" value="')[2].partition('"')[0]
    changed = landlord.send("/settings", stamp=stamp, **{"store.clip_fps": "5"})
    assert 'action="/settings/restart' in changed
    assert "Der Tisch startet neu" in landlord.send("/settings/restart")
    assert table.ended() == STATUS
    assert "Traceback" not in table.console.read_text()
    table.start(prefix=AS_SYSTEMD)
    table.serves()
    landlord = Landlord(table)
    assert "Wartet auf den nächsten Start" not in landlord.get("/settings")
    assert table.throw("B", "651")["status"] == 200
    until(lambda: len(entries_of(table.log)) > len(known), "the log goes on")
    assert entries_of(table.log)[: len(known)] == known
