"""The hub's commands as processes: the hub with broker and pages, a rehearsal, tables alone."""

import json
import os
import re
import subprocess
import sys
import urllib.parse
import urllib.request
from collections.abc import Callable, Iterator
from http.cookiejar import CookieJar
from pathlib import Path
from typing import Any

import pytest
from hall_play import SHORT
from hub_mosquitto import free_port, mosquitto, until

from device.hub.broker import reload_broker
from device.hub.broker_folder import BrokerFolder, BrokerSettings
from device.pairing_file import save_pairing
from web_ui.roles import ADMIN

Run = Callable[..., tuple[int, str, str]]


def started(*words: object, cwd: Path) -> "subprocess.Popen[str]":
    environment = {**os.environ, "PYTHONPATH": str(Path(__file__).parent.parent)}
    return subprocess.Popen(
        [sys.executable, "-m", "device", *map(str, words)],
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, cwd=cwd, env=environment,
    )  # fmt: skip


def stop(process: "subprocess.Popen[str]") -> None:
    process.terminate()
    process.communicate(timeout=30)


def said(process: "subprocess.Popen[str]") -> dict[str, Any]:
    assert process.stdout is not None
    told: dict[str, Any] = json.loads(process.stdout.readline())
    return told


def page(url: str) -> str:
    with urllib.request.urlopen(url, timeout=20) as answer:
        return str(answer.read().decode())


def is_there(url: str) -> bool:
    tables = json.loads(page(f"{url}api/tournament"))["tables"]
    return any(one["name"] == "table-1" and one["online"] for one in tables)


@pytest.fixture
def settings(tmp_path: Path) -> Path:
    mosquitto()
    path = tmp_path / "hub.toml"
    path.write_text(f'[hub]\nhost = "127.0.0.1"\nbroker_port = {free_port()}\n[web]\nport = 0\n')
    return path


@pytest.fixture
def hub(tmp_path: Path, settings: Path) -> Iterator[tuple["subprocess.Popen[str]", dict[str, Any]]]:
    process = started("hub", "run", "--settings", settings, "--json", cwd=tmp_path)
    try:
        yield process, said(process)
    finally:
        stop(process)


def test_the_hub_serves_its_pages_and_takes_in_a_table(
    hub: tuple["subprocess.Popen[str]", dict[str, Any]], tmp_path: Path
) -> None:
    _, told = hub
    assert told["tables"] == []
    for path in ("tournament", "tournament/wall", "healthz"):
        assert page(told["url"] + path)
    # Another command pairs a table; the hub that runs takes it over by itself.
    host, port = told["broker"].split(":")
    folder = BrokerFolder(tmp_path / "hub", BrokerSettings(host, int(port), frozenset({host})))
    pairing = folder.issue("table-1")
    reload_broker(folder.config)
    save_pairing(tmp_path / "table-1.json", pairing)
    table = started(
        "simulate", "tournament", "--pairing", tmp_path / "table-1.json", "--folder",
        tmp_path / "logs", "--json", cwd=tmp_path,
    )  # fmt: skip
    try:
        assert "1 tables play" in said(table)["text"]
        until(lambda: is_there(told["url"]), 60.0)
    finally:
        stop(table)


def test_a_rehearsal_plays_a_tournament_of_ones_own_to_its_end(
    settings: Path, tmp_path: Path
) -> None:
    (tmp_path / "kurz.toml").write_text(SHORT)
    process = started(
        "simulate", "tournament", "--tables", 1, "--players", 3, "--format", "kurz.toml",
        "--move", 0, "--once", "--settings", settings, "--json", cwd=tmp_path,
    )  # fmt: skip
    out, _ = process.communicate(timeout=200)
    told = [json.loads(line)["text"] for line in out.splitlines()]
    assert process.returncode == 0
    assert told[1] == "3 players have registered"
    assert any("has won" in text for text in told)
    assert [text.strip()[:2] for text in told[-3:]] == ["1.", "2.", "3."]


def test_a_format_that_is_none_is_said_by_its_line(settings: Path, tmp_path: Path) -> None:
    (tmp_path / "falsch.toml").write_text(SHORT.replace("ko_lives =", "ko_live ="))
    process = started(
        "simulate", "tournament", "--tables", 1, "--format", "falsch.toml", "--settings",
        settings, cwd=tmp_path,
    )  # fmt: skip
    _, err = process.communicate(timeout=100)
    assert process.returncode == 1
    assert "did you mean 'ko_lives'?" in err


@pytest.mark.parametrize("words", [("hub", "run"), ("simulate", "tournament")])
def test_without_its_packages_the_hub_says_what_to_install(
    words: tuple[str, ...], run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("importlib.util.find_spec", lambda name: None)
    status, out, err = run(*words)
    assert (status, out) == (1, "")
    assert "make hub" in err


def test_a_pace_that_cannot_be_is_bad_usage(run: Run) -> None:
    assert run("simulate", "tournament", "--move", -1)[0] == 2
    assert run("simulate", "tournament", "--tables", 0)[0] == 2


class Browser:
    """The organiser at the hub's pages: cookies, forms, and what stands on a page."""

    def __init__(self, url: str) -> None:
        self._url = url
        jar = urllib.request.HTTPCookieProcessor(CookieJar())
        self._opener = urllib.request.build_opener(urllib.request.ProxyHandler({}), jar)

    def get(self, path: str) -> str:
        return self._open(urllib.request.Request(self._url + path))

    def post(self, path: str, **fields: str) -> str:
        """Send a form, with the token of the page it is on; the page that follows."""
        (token, *_) = re.findall(r'name="csrf" value="([^"]+)"', self.get(path))
        body = urllib.parse.urlencode({"csrf": token, **fields}).encode()
        return self._open(urllib.request.Request(self._url + path, body))

    def _open(self, request: urllib.request.Request) -> str:
        with self._opener.open(request, timeout=20) as answer:
            return str(answer.read().decode())


def told_on(process: "subprocess.Popen[str]", pattern: str) -> str:
    """Wait until the console says something; the first group of the pattern."""
    assert process.stderr is not None
    said_so_far = []
    for line in process.stderr:
        said_so_far.append(line)
        if found := re.search(pattern, line):
            return found[1]
    raise AssertionError(f"it ended without {pattern!r}: {''.join(said_so_far)}")


def test_a_table_is_paired_by_the_code_on_the_organisers_page_and_plays(
    settings: Path, tmp_path: Path
) -> None:
    """The page, the command at the table and the broker as three people have them before them."""
    hub = started("hub", "run", "--settings", settings, cwd=tmp_path)
    table = None
    try:
        url = told_on(hub, r"Das Turnier: (\S+)tournament ")
        browser = Browser(url)
        signed_in = f"signin?role={ADMIN}&next=/tournament/pairing"
        browser.post(signed_in, role=ADMIN, pin=told_on(hub, r"PIN des Wirts: (\d+)"))
        shown = browser.post("tournament/pairing", do="offer", table="table-1")
        (code,) = re.findall(r'<p class="digits">([^<]+)</p>', shown)
        assert f"schockauge pair {url} {code}" in shown
        file = tmp_path / "table-1.json"
        guess = started("pair", url, f"{code[:2]}000000", "--out", file, cwd=tmp_path)
        guess.communicate(timeout=60)
        assert (guess.returncode, file.exists()) == (1, False)
        asking = started("pair", url, code, "--out", file, "--json", cwd=tmp_path)
        out, err = asking.communicate(timeout=60)
        assert asking.returncode == 0, err
        assert json.loads(out)["table"] == "table-1"
        assert "digits" not in browser.get("tournament/pairing")
        until(lambda: ">table-1</b>" in browser.get("tournament/pairing"), 30.0)
        table = started(
            "simulate", "tournament", "--pairing", file, "--folder", tmp_path / "logs", "--json",
            cwd=tmp_path,
        )  # fmt: skip
        assert "1 tables play" in said(table)["text"]
        until(lambda: is_there(url), 60.0)
    finally:
        for process in (table, hub):
            if process is not None:
                stop(process)
