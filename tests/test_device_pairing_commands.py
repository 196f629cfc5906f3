"""Pairing by the commands that people type, at the hub and at a table."""

import json
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from hub_mosquitto import Hall, until
from hub_wires import SmallHub, Table

from device.hub.broker_folder import BrokerFolder
from device.pairing_file import Pairing, load_pairing
from device.store import MemoryLog
from device.uplink import Uplink

Run = Callable[..., tuple[int, str, str]]


def hub_settings(hall: Hall, tmp_path: Path) -> Path:
    path = tmp_path / "hub.toml"
    where = hall.folder
    path.write_text(
        f'[hub]\nfolder = "{where.folder}"\nhost = "127.0.0.1"\n'
        f"broker_port = {where.settings.port}\n"
    )
    return path


def test_from_the_hubs_screen_to_the_first_entry_at_the_hub(
    hall: Hall, tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The two commands as two people give them, and a broker that takes the table over."""
    settings, shown = hub_settings(hall, tmp_path), threading.Event()
    told: dict[str, Any] = {}

    def show(record: dict[str, Any]) -> None:
        told.update(record)
        shown.set()

    def issue_slowly(folder: BrokerFolder, table: str) -> Pairing:
        time.sleep(0.5)  # longer than the hub waits between two looks whether the code still holds
        return issue(folder, table)

    issue = BrokerFolder.issue
    monkeypatch.setattr(BrokerFolder, "issue", issue_slowly)
    monkeypatch.setattr("device.commands.hub_pair.print_json", show)
    words = ["hub", "pair", "table-7", "--code", "--json", "--settings", str(settings)]
    from device.cli import main

    at_the_hub = threading.Thread(target=main, args=(words,))
    at_the_hub.start()
    assert shown.wait(20.0)
    out = tmp_path / "table-7.json"
    status, said, err = run("pair", told["url"], told["code"], "--out", out, "--json")
    at_the_hub.join(20.0)
    assert status == 0, err
    assert json.loads(said)["table"] == "table-7"
    assert told["paired"] is True
    pairing = load_pairing(out)
    hub = SmallHub(hall.folder.hub_access(), hall.folder.keys())
    log = MemoryLog()
    log_id = log.append("match_started", {}, at_s=0.0).hash
    with hub.link, Uplink(log, pairing, Table().side) as uplink:
        until(uplink.is_done)
    assert hub.entries(log_id) == log.read()


def test_by_file_and_unpaired_again(hall: Hall, tmp_path: Path, run: Run) -> None:
    settings, stick = hub_settings(hall, tmp_path), tmp_path / "stick.json"
    assert run("hub", "pair", "table-7", "--out", stick, "--settings", settings)[0] == 0
    own = tmp_path / "own.json"
    assert run("pair", "--file", stick, "--out", own)[0] == 0
    assert load_pairing(own) == load_pairing(stick)
    assert hall.folder.keys() == {"table-7": load_pairing(own).key}
    assert run("hub", "unpair", "table-7", "--settings", settings)[0] == 0
    assert hall.folder.keys() == {}
    status, _, err = run("hub", "unpair", "table-7", "--settings", settings)
    assert (status, "table-7" in err) == (1, True)


def test_home_assistant_is_let_in_by_a_command(hall: Hall, tmp_path: Path, run: Run) -> None:
    settings = hub_settings(hall, tmp_path)
    status, out, _ = run("hub", "pair", "--home-assistant", "--settings", settings, "--json")
    told = json.loads(out)
    access = hall.folder.home_assistant_access()
    assert (status, told["user"], told["password"]) == (0, "homeassistant", access.password)
    assert Path(told["certificate"]).read_text() == access.ca_pem
    assert run("hub", "pair", "--settings", settings)[0] == 2


def test_bad_usage_is_said(tmp_path: Path, run: Run) -> None:
    assert run("pair")[0] == 2
    assert run("pair", "http://x/")[0] == 2
    assert run("pair", "http://x/", "7-123456", "--camera")[0] == 2
    assert run("hub", "pair", "a", "b", "--out", tmp_path / "x")[0] == 2
    assert run("uplink", tmp_path / "no.sqlite3")[0] == 2
    status, _, err = run("pair", "--file", tmp_path / "none.json")
    assert (status, "does not exist" in err) == (1, True)
