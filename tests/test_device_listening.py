"""Where the pages are when the address in the settings is not this machine's."""

import signal
import socket
import urllib.request
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from fault_play import until
from real_table import RealTable

from device import listening, server
from device.errors import AddressError, PortInUseError
from device.listening import reachable
from device.settings import Settings

NOWHERE = ("192.0.2.1", "schockauge.invalid", "no..name", "http://192.0.2.1/", "ü" * 70)


def app(environ: Any, start_response: Any) -> list[bytes]:
    start_response("200 OK", [("Content-Length", "6")])
    return [b"Deckel"]


@pytest.mark.parametrize("host", NOWHERE)
def test_an_address_that_this_machine_does_not_have_leaves_a_page_everywhere(host: str) -> None:
    found, wrong = reachable(Settings({"web.host": host, "web.port": 0}), app)
    with found:
        assert wrong is not None
        assert host in str(wrong)
        with urllib.request.urlopen(found.url, timeout=10) as page:
            assert page.read() == b"Deckel"


def test_a_right_address_is_kept() -> None:
    found, wrong = reachable(Settings({"web.host": "127.0.0.1", "web.port": 0}), app)
    with found:
        assert wrong is None
        assert found._socket.getsockname()[0] == "127.0.0.1"


def test_a_port_that_only_root_may_have_opens_the_page_to_nobody_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    tried = []

    def refusing(host: str, port: int) -> socket.socket:
        tried.append((host, port))
        if port == 80:
            raise AddressError("Permission denied")
        return socket.create_server((host, 0))

    monkeypatch.setattr(server, "_listen", refusing)
    found, wrong = reachable(Settings({"web.host": "127.0.0.1", "web.port": 80}), app)
    found.close()
    assert str(wrong) == "Permission denied"
    assert tried == [("127.0.0.1", 80), ("127.0.0.1", 8080)]


def test_a_port_in_use_is_waited_for_instead() -> None:
    with socket.create_server(("127.0.0.1", 0)) as other:
        settings = Settings({"web.host": "127.0.0.1", "web.port": other.getsockname()[1]})
        with pytest.raises(PortInUseError):
            reachable(settings, app)


@pytest.fixture
def table(tmp_path: Path) -> Iterator[RealTable]:
    running = RealTable(tmp_path, web='host = "192.0.2.1"')
    yield running
    running.end()


def test_the_table_plays_and_its_pages_say_so_until_it_is_mended(table: RealTable) -> None:
    table.start()
    table.serves()
    until(lambda: listening.FAULT in table.faults(), "the address is told of")
    assert table.throw("A", "652")["status"] == 200
    table.end(signal.SIGTERM)
    assert "cannot listen on 192.0.2.1" in table.console.read_text()
    table.settings.write_text(table.settings.read_text().replace("192.0.2.1", "127.0.0.1"))
    table.start()
    table.serves()
    until(lambda: listening.FAULT not in table.faults(), "it is mended")


def test_safe_mode_is_there_too_and_says_so(table: RealTable) -> None:
    table.settings.write_text(table.settings.read_text() + "[pub]\nname = 1\n")
    table.start()
    until(lambda: "Abgesicherter Betrieb" in table.console.read_text(), "safe mode")
    with urllib.request.urlopen(f"http://127.0.0.1:{table.port}/", timeout=10) as page:
        text = page.read().decode()
    assert "unter allen Adressen des Geräts" in text
    assert "cannot listen on 192.0.2.1" in text
    assert "pub.name" in text


def test_strictly_it_is_an_error_for_the_console(table: RealTable) -> None:
    table.start("--strict")
    assert table.ended() == 1
    assert "cannot listen on 192.0.2.1" in table.console.read_text()
