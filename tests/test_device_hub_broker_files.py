"""The files of the hub's broker: who may read them, certificates, damage, a broker left behind."""

import json
import os
import shutil
import ssl
import stat
import subprocess
import threading
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

import pytest
from cryptography import x509
from hub_mosquitto import Hall, listens

from device.errors import HubError, SchockaugeError
from device.hub.broker import Broker, reload_broker
from device.hub.broker_folder import BrokerFolder, BrokerSettings
from device.hub.certificates import Authority
from device.hub.paired import password_hash


def test_the_files_of_the_hub_are_for_nobody_else(hall: Hall) -> None:
    hall.folder.issue("table-1")
    for path in hall.folder.folder.rglob("*"):
        if path.is_file() and path.suffix not in (".log", ".pid"):
            assert stat.S_IMODE(path.stat().st_mode) == 0o600, path
    assert "ca.key" not in {path.name for path in hall.folder.config.parent.iterdir()}


def test_no_password_is_a_word_of_a_command(hall: Hall) -> None:
    words = Path(f"/proc/{hall.broker.pid}/cmdline").read_bytes()
    assert hall.folder.hub_access().password.encode() not in words


def test_our_hashes_are_those_of_mosquittos_own_program(tmp_path: Path) -> None:
    program = shutil.which("mosquitto_passwd")
    if program is None:
        pytest.skip("mosquitto_passwd is not installed")
    made = tmp_path / "passwords"
    made.touch()
    subprocess.run([program, "-b", str(made), "hub", "secret"], check=True, capture_output=True)
    theirs = made.read_text().strip().partition(":")[2].split("$")
    ours = password_hash("secret").split("$")
    assert [len(part) for part in ours] == [len(part) for part in theirs]
    assert ours[:3] == theirs[:3]


def test_the_authority_stays_when_the_addresses_change(tmp_path: Path) -> None:
    cert, key = tmp_path / "broker.pem", tmp_path / "broker.key"
    authority = Authority(tmp_path)
    assert authority.certify(cert, key, {"127.0.0.1", "hub.local"})
    before = cert.read_text()
    again = Authority(tmp_path)
    assert again.pem == authority.pem
    assert not again.certify(cert, key, {"hub.local", "127.0.0.1"})
    assert cert.read_text() == before
    assert again.certify(cert, key, {"127.0.0.1", "192.168.1.5"})
    key.write_text("damaged")
    assert again.certify(cert, key, {"127.0.0.1", "192.168.1.5"})
    ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER).load_cert_chain(cert, key)


def test_a_table_whose_clock_stood_still_for_years_trusts_the_hub(tmp_path: Path) -> None:
    cert, key = tmp_path / "broker.pem", tmp_path / "broker.key"
    Authority(tmp_path).certify(cert, key, {"127.0.0.1"})
    for name in ("ca.pem", "broker.pem"):
        made = x509.load_pem_x509_certificate((tmp_path / name).read_bytes())
        assert made.not_valid_before_utc <= datetime(1970, 1, 2, tzinfo=UTC)
        assert made.not_valid_after_utc > datetime.now(UTC)


@pytest.mark.parametrize("harm", ["ca.pem", "ca.key"])
def test_half_an_authority_is_said_and_not_made_anew(tmp_path: Path, harm: str) -> None:
    Authority(tmp_path)
    (tmp_path / harm).unlink()
    with pytest.raises(HubError, match="Restore both"):
        Authority(tmp_path)


def test_a_port_in_use_is_said(hall: Hall, tmp_path: Path) -> None:
    second = Broker(BrokerFolder(tmp_path / "second", hall.folder.settings))
    with pytest.raises(HubError, match=r"listens on port \d+: set hub\.broker_port"):
        second.start()


def test_the_broker_of_a_killed_hub_is_found_and_ended(hall: Hall) -> None:
    left = hall.broker.pid
    assert left is not None
    hall.broker._over.set()  # this hub will not start it again: it was killed
    hall.broker._alone.close()  # type: ignore[union-attr]
    with Broker(hall.folder) as after:
        assert after.pid != left
        assert listens(hall.folder.settings.port)
        hall.broker._process.wait()  # type: ignore[union-attr]
        with pytest.raises(ProcessLookupError):
            os.kill(left, 0)


def test_a_second_hub_in_the_same_folder_leaves_the_broker_at_work_alone(hall: Hall) -> None:
    at_work = hall.broker.pid
    with pytest.raises(HubError, match="Another hub runs"):
        Broker(hall.folder).start()
    assert hall.broker.pid == at_work
    assert not hall.deaths
    assert reload_broker(hall.folder.config)


@pytest.mark.parametrize("name", ["hub", "homeassistant", "Table 1", "a/b", "+"])
def test_no_table_takes_a_name_that_is_not_its_own(tmp_path: Path, name: str) -> None:
    settings = BrokerSettings("127.0.0.1", 8883, frozenset())
    folder = BrokerFolder(tmp_path, settings)
    with pytest.raises(SchockaugeError, match="cannot be called"):
        folder.issue(name)


def test_damaged_files_are_said_with_what_to_do(tmp_path: Path) -> None:
    folder = BrokerFolder(tmp_path, BrokerSettings("127.0.0.1", 8883, frozenset()))
    records: tuple[Any, ...] = ("", "[]", '{"tables": {"t": {}}, "users": {}}')
    for record in records:
        (tmp_path / "paired.json").write_text(record)
        with pytest.raises(HubError, match="Restore the file"):
            folder.prepare()
    key = {"key": "no hex", "password_hash": "", "paired_at_s": 0.0}
    (tmp_path / "paired.json").write_text(json.dumps({"tables": {"t": key}, "users": {}}))
    with pytest.raises(HubError, match="Restore the file"):
        folder.keys()


def test_tables_that_are_paired_at_once_are_all_let_in(tmp_path: Path) -> None:
    """On the hub's pages several get their pairings at once: none is left out of the lists."""
    folder = BrokerFolder(tmp_path / "hub", BrokerSettings("127.0.0.1", 8883, frozenset()))
    names = [f"table-{n}" for n in range(1, 9)]
    threads = [threading.Thread(target=folder.issue, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    written = (folder.config.parent / "passwords").read_text()
    assert sorted(line.partition(":")[0] for line in written.splitlines()) == names
    assert sorted(folder.keys()) == names
