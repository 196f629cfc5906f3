"""The file of the PINs, the command that sets one, and the first PIN of a new appliance."""

import io
import json
import stat
import threading
from pathlib import Path

import pytest
from conftest import Run
from device_table import stand_in
from test_web_ui_table import Table
from web_ui_access import CHEAP_KDF, THROW, begin, guarded, known_pins, sign_in, signed_in

from device import bootstrap
from device.errors import StoreError
from device.pin_file import FILE_NAME, PinFile
from device.settings import Settings
from web_ui.pins import Pins


def mode(path: Path) -> int:
    return stat.S_IMODE(path.stat().st_mode)


def test_the_file_is_for_its_owner_alone_and_holds_no_pin(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    Pins(PinFile(path), kdf=CHEAP_KDF).set("table", "25802580")
    assert mode(path) == 0o600
    assert "25802580" not in path.read_text(encoding="utf-8")
    assert [file.name for file in tmp_path.iterdir()] == ["pins.json"], "nothing is left over"
    path.chmod(0o644)
    assert Pins(PinFile(path), kdf=CHEAP_KDF).matches("table", "25802580")
    assert mode(path) == 0o600, "copied by hand, perhaps"


def test_key_and_pins_outlive_a_restart(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    before = Pins(PinFile(path), kdf=CHEAP_KDF)
    before.set("referee", "314159")
    before.sign_out("gone", until_s=2.0, now_s=1.0)
    after = Pins(PinFile(path), kdf=CHEAP_KDF)
    assert after.secret_key == before.secret_key
    assert len(after.secret_key) == 64
    assert after.matches("referee", "314159")
    assert after.is_signed_out("gone")
    after.sign_out("other", until_s=9.0, now_s=3.0)
    assert not after.is_signed_out("gone"), "it has ended by itself by now"


DAMAGED = (
    "", "{", "[]", '{"pins": 3}', '{"pins": {"table": 3}}', '{"pins": {"table": {"id": "x"}}}',
    '{"secret_key": 3}', '{"signed_out": []}', '{"signed_out": {"x": "y"}}', "\udcff",
)  # fmt: skip


@pytest.mark.parametrize("text", DAMAGED)
def test_a_damaged_file_is_named_with_the_way_out(tmp_path: Path, text: str) -> None:
    path = tmp_path / "pins.json"
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    with pytest.raises(StoreError, match=r"pins\.json cannot be read.*delete it"):
        Pins(PinFile(path))


def test_a_folder_that_cannot_be_written_is_named(tmp_path: Path) -> None:
    with pytest.raises(StoreError, match=r"store\.pins_file"):
        Pins(PinFile(tmp_path / "none" / "pins.json"))


@pytest.mark.parametrize("text", DAMAGED)
def test_a_file_damaged_under_a_running_table_refuses_new_ones_and_keeps_who_is_there(
    tmp_path: Path, text: str
) -> None:
    path = tmp_path / "pins.json"
    pins = known_pins(PinFile(path))
    app = guarded(Table(), pins=pins)
    landlord, referee, newcomer = signed_in(app, "admin"), signed_in(app), app.test_client()
    whole = path.read_bytes()
    path.write_bytes(text.encode("utf-8", "surrogateescape"))
    refused = sign_in(newcomer, "table")
    assert refused.status_code == 503
    error = refused.get_json()["error"]
    assert error["code"] == "pins_lost"
    assert "(pins.json)" in error["text_de"]
    assert "löschen" in error["text_de"]
    assert str(tmp_path) not in error["text_en"], "guests need not know where it lies"
    form = {"role": "table", "pin": "2580", "csrf": begin(newcomer), "next": "/"}
    page = newcomer.post("/signin", data=form)
    assert (page.status_code, "pins.json" in page.text) == (503, True)
    assert referee.get("/api/session").get_json()["role"] == "referee"
    form = {"role": "table", "pin": "8642", "csrf": begin(landlord)}
    page = landlord.post("/pins", data=form)
    assert (page.status_code, "pins.json" in page.text) == (503, True)
    assert path.read_bytes() == text.encode("utf-8", "surrogateescape"), "it is left for people"
    path.write_bytes(whole)
    assert sign_in(newcomer, "table").status_code == 200
    assert referee.get("/api/session").get_json()["role"] == "referee"


def test_who_signs_out_while_the_file_is_damaged_is_out(tmp_path: Path) -> None:
    path = tmp_path / "pins.json"
    app = guarded(Table(), pins=known_pins(PinFile(path)))
    client = signed_in(app)
    cookie = client.get_cookie("schockauge")
    assert cookie is not None
    path.write_text("{", encoding="utf-8")
    assert client.delete("/api/session").get_json()["signed_in"] is False
    copied = app.test_client()
    copied.set_cookie("schockauge", cookie.value)
    assert copied.get("/api/session").get_json()["signed_in"] is False


def test_the_command_sets_a_pin_and_a_running_table_takes_it_over(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = tmp_path / "evening.sqlite3"
    table = Table()
    running = guarded(table, pins=bootstrap.pins(Settings({"store.path": str(log)})))
    client = running.test_client()
    begin(client)
    assert sign_in(client, "table", "8642").status_code == 409
    for pin, expected in (("8642", 200), ("9753", 401)):
        monkeypatch.setattr("sys.stdin", io.StringIO(pin + "\n"))
        status, out, err = run("pin", "--role", "table", "--log", log)
        assert (status, out, pin in err) == (0, "", False)
        if expected == 200:
            assert sign_in(client, "table", pin).status_code == 200
        assert client.post("/api/actions", json=THROW).status_code == expected
    assert mode(tmp_path / FILE_NAME) == 0o600


def test_the_command_refuses_a_pin_that_anybody_tries_first(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("123456\n"))
    status, out, err = run("pin", "--role", "admin", "--log", tmp_path / "evening.sqlite3")
    assert (status, out) == (1, "")
    assert "schockauge: error: a PIN for admin has 6 to 12 digits" in err


def test_a_new_appliance_tells_the_first_pin_on_the_console(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, short_clip: Path
) -> None:
    stand_in(monkeypatch)
    log = tmp_path / "evening.sqlite3"
    words = ["run", "--source", short_clip, "--log", log, "--port", "0", "--once"]
    toml = tmp_path / "table.toml"
    toml.write_text('[store]\nevidence_dir = ""\n')
    status, out, err = run(*words, "--settings", toml)
    assert status == 0
    pin = err.split("Erste PIN des Wirts: ")[1].split()[0]
    assert len(pin) == 6
    assert pin not in out
    record = json.loads((tmp_path / FILE_NAME).read_text(encoding="utf-8"))
    assert record["pins"]["admin"]["first"] is True
    pins = Pins(PinFile(tmp_path / FILE_NAME))
    assert pins.matches("admin", pin)
    _, _, err = run(*words, "--settings", toml)
    assert "Erste PIN" not in err, "somebody has used it"


def test_two_threads_may_save_at_once(tmp_path: Path) -> None:
    pins = Pins(PinFile(tmp_path / "pins.json"), kdf=CHEAP_KDF)
    names = [f"session {number}" for number in range(20)]

    def end(name: str) -> None:
        pins.sign_out(name, until_s=2.0, now_s=1.0)

    threads = [threading.Thread(target=end, args=(name,)) for name in names]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(pins.is_signed_out(name) for name in names)
