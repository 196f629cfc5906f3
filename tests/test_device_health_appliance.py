"""Health of a whole appliance: from the real watch and the real machine to page, log and doctor."""

import socket
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from conftest import Run
from device_help import FixedReader, lines
from device_table import stand_in
from fault_play import until
from health_fakes import Machine
from prometheus_client.parser import text_string_to_metric_families

from device import bootstrap
from device.appliance import Appliance
from device.errors import StoreError
from device.health import monitor as monitoring
from device.server import DashboardServer
from device.settings import Settings
from device.sources import VideoSource

Build = Callable[[], Appliance]


@pytest.fixture
def build(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Build]:
    """Appliances over one log, one after the other."""
    stand_in(monkeypatch)
    told = {
        "store.path": str(tmp_path / "evening.sqlite3"),
        "store.evidence_dir": str(tmp_path / "stills"),
        "web.port": 0,
    }
    built: list[Appliance] = []

    def make() -> Appliance:
        for before in built:
            before.close()
        built.append(bootstrap.build(Settings(told)))
        return built[-1]

    yield make
    for one in built:
        one.close()


def health_of(appliance: Appliance) -> dict[str, Any]:
    return dict(appliance.app.test_client().get("/healthz").get_json())


@pytest.mark.usefixtures("small_as_an_appliance")
def test_an_evening_tells_its_own_measures(build: Build, short_clip: Path) -> None:
    appliance = build()
    assert health_of(appliance)["checks"]["read"]["state"] == "unknown"
    with VideoSource(short_clip) as source:
        appliance.play(source)
    assert appliance.monitor is not None
    appliance.monitor.turn()
    told = health_of(appliance)
    assert told["status"] == "ok"
    checks = told["checks"]
    for key, unit in (("read", "ms"), ("told", "ms")):
        assert checks[key]["unit"] == unit
        assert 0 < checks[key]["value"] < 60_000
    assert checks["watch"]["state"] == "noted"
    assert checks["log"]["state"] == checks["weights"]["state"] == "good"
    text = appliance.app.test_client().get("/metrics").get_data(as_text=True)
    names = {family.name for family in text_string_to_metric_families(text)}
    assert {"schockauge_read_seconds", "process_resident_memory_bytes"} <= names
    (frames,) = [
        sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
        if sample.name == "schockauge_camera_frames_total"
    ]
    with VideoSource(short_clip) as source:
        assert frames == sum(1 for _ in source)
    page = appliance.app.test_client().get("/health").get_data(as_text=True)
    assert 'data-check="read" data-state=' in page


def make_hot(appliance: Appliance, folder: Path) -> Machine:
    """Put the appliance on another machine, whose file system lies in a folder."""
    assert appliance.monitor is not None
    pi = Machine(folder).zone("cpu-thermal", 91_000)
    appliance.monitor.subject.root = folder
    appliance.monitor.subject.run = pi.run
    return pi


def test_an_alarm_is_a_fault_in_the_log_on_the_page_and_survives_a_restart(
    build: Build, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.health.alarms.AFTER_S", 0.0)
    monkeypatch.setattr("device.health.alarms.CALM_S", 0.0)
    appliance = build()
    make_hot(appliance, tmp_path / "pi")
    assert appliance.monitor is not None
    for _ in range(3):
        appliance.monitor.turn()
    faults = [e.data for e in appliance.log.read(limit=9999) if e.type == "fault"]
    assert [(f["what"], f["value"], f["unit"]) for f in faults] == [
        ("health_temperature", 91.0, "°C")
    ]
    page = appliance.app.test_client().get("/").get_data(as_text=True)
    assert 'data-fault="health_temperature"' in page
    assert "Der Rechner ist zu heiß." in page
    told = health_of(appliance)
    assert (told["status"], told["faults"]) == ("degraded", ["health_temperature"])

    again = build()
    assert again.faults == ("health_temperature",)
    pi = make_hot(again, tmp_path / "pi")
    assert again.monitor is not None
    again.monitor.turn()
    assert again.faults == ("health_temperature",), "it is still hot, and told once"
    pi.file("sys/class/thermal/thermal_zone0/temp", "50000\n")
    again.monitor.turn()
    assert again.faults == ()
    kinds = [e.type for e in again.log.read(limit=9999) if e.type.startswith("fault")]
    assert kinds == ["fault", "fault_over"]


def test_a_log_that_cannot_be_written_is_503(build: Build, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("device.health.alarms.AFTER_S", 0.0)
    appliance = build()
    why = "attempt to write a readonly database"
    monkeypatch.setattr("device.health.storing.why_not_writable", lambda path: (f"de {why}", why))

    def refuse(*_: object, **__: object) -> None:
        raise StoreError(why)

    monkeypatch.setattr(appliance.game, "note", refuse)
    assert appliance.monitor is not None
    appliance.monitor.turn()
    answer = appliance.app.test_client().get("/healthz")
    assert answer.status_code == 503
    assert answer.get_json()["reasons"] == ["log"]
    page = appliance.app.test_client().get("/health?lang=en").get_data(as_text=True)
    assert f"no: {why}" in page
    page = appliance.app.test_client().get("/health?lang=de").get_data(as_text=True)
    assert f"nein: de {why}" in page


def test_a_fault_that_the_log_did_not_take_is_told_as_soon_as_it_does(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Once, and in its place; meanwhile the pages show that the log takes nothing."""
    appliance = build()

    def refuse(*_: object, **__: object) -> None:
        raise StoreError("no space left")

    with monkeypatch.context() as full:
        full.setattr(appliance.game, "note", refuse)
        appliance.report("health_disk")
        appliance.report("health_disk")
        assert [alarm["what"] for alarm in appliance.unwritten.alarms()] == ["log"]
        answer = appliance.app.test_client().get("/healthz")
        assert (answer.status_code, answer.get_json()["reasons"]) == (503, ["log"])
        assert answer.get_json()["checks"]["log"] == {"state": "bad", "value": 0, "unit": ""}
    until(lambda: not appliance.unwritten.alarms(), "it is written")
    with monkeypatch.context() as full:
        full.setattr(appliance.game, "note", refuse)
        appliance.fault_over("health_disk")
    until(lambda: not appliance.unwritten.alarms(), "it is written")
    entries = appliance.log.read(limit=1000)
    told = [entry.type for entry in entries if entry.data.get("what") == "health_disk"]
    assert told == ["fault", "fault_over"]
    assert appliance.faults == ()


def test_connect_looks_after_it_and_close_ends_that(
    build: Build, monkeypatch: pytest.MonkeyPatch
) -> None:
    import threading

    looked = threading.Event()
    look = monitoring.look

    def seen(*words: Any) -> Any:
        looked.set()
        return look(*words)

    monkeypatch.setattr(monitoring, "look", seen)
    appliance = build()
    appliance.connect()
    assert looked.wait(20.0)
    appliance.close()
    assert "health" not in {thread.name for thread in threading.enumerate()}


def test_doctor_asks_the_one_that_runs(
    run: Run, build: Build, short_clip: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    appliance = build()
    with VideoSource(short_clip) as source:
        appliance.play(source)
    with bootstrap.serve(Settings({"web.port": 0}), appliance.app) as server:
        toml = tmp_path / "table.toml"
        toml.write_text(f'[web]\nport = {server.port}\n[store]\npath = "{tmp_path}/e.sqlite3"\n')
        status, out, _ = run("doctor", "--settings", toml, "--json")
    told = {line["check"]: line for line in lines(out)}
    assert told["port"]["text"].startswith(f"Schockauge runs at 127.0.0.1:{server.port}")
    assert told["read"]["state"] in ("ok", "warning", "failed")
    assert " ms a picture" in told["read"]["text"]
    assert told["source"]["text"] == "held by the Schockauge that runs"
    failed = any(line["state"] == "failed" for line in told.values())
    assert status == int(failed)


def test_doctor_says_what_to_do_and_fails_where_something_is_bad(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    monkeypatch.setattr("device.health.machine.temperature_c", lambda root: 86.0)
    toml = tmp_path / "table.toml"
    toml.write_text(f'[web]\nport = 0\n[store]\npath = "{tmp_path}/e.sqlite3"\n')
    status, out, err = run("doctor", "--settings", toml)
    assert status == 1
    assert "FAILED  temperature: 86 °C\n        -> Give the machine air" in out
    assert "schockauge: error: 1 checks failed." in err
    monkeypatch.setattr("device.health.machine.temperature_c", lambda root: None)
    status, out, _ = run("doctor", "--settings", toml, "--json")
    assert status == 0
    (heat,) = [line for line in lines(out) if line["check"] == "temperature"]
    assert heat == {"check": "temperature", "state": "unknown", "text": "unknown here", "todo": ""}


def test_safe_mode_on_the_port_is_no_table_that_is_well(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def safe_mode(environ: Any, start_response: Any) -> list[bytes]:
        start_response("503 Service Unavailable", [("Content-Type", "application/json")])
        return [b'{"status": "failed", "seq": null, "faults": ["log"]}']

    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    toml = tmp_path / "table.toml"
    with DashboardServer(safe_mode, host="127.0.0.1", port=0, threads=2) as server:
        toml.write_text(f'[web]\nport = {server.port}\n[store]\npath = "{tmp_path}/e.sqlite3"\n')
        status, out, _ = run("doctor", "--settings", toml, "--json")
    (port,) = [line for line in lines(out) if line["check"] == "port"]
    assert (status, port["state"]) == (1, "failed")
    assert "has no table (log): nothing is recorded" in port["text"]


def test_a_stranger_on_the_port_is_no_schockauge(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("device.bootstrap_readers.photo_reader", lambda settings: FixedReader())
    monkeypatch.setattr("device.health.set_up.CONNECT_S", 0.2)
    toml = tmp_path / "table.toml"
    with socket.create_server(("127.0.0.1", 0)) as taken:
        toml.write_text(f"[web]\nport = {taken.getsockname()[1]}\n")
        status, out, _ = run("doctor", "--settings", toml, "--json")
    told = {line["check"]: line for line in lines(out)}
    assert (status, told["port"]["state"]) == (1, "failed")
    assert "set web.port" in told["port"]["text"]
