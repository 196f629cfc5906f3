"""What Home Assistant is told of the tables, and what the doctor tells of the hub."""

import json
from collections.abc import Callable
from pathlib import Path

import pytest
from hub_mosquitto import Hall, PlainMosquitto, until
from hub_wires import SmallHub, pairing

from device.errors import SchockaugeError
from device.hub.discovery import discovery, forgotten
from device.pairing_file import save_pairing

Run = Callable[..., tuple[int, str, str]]


def test_home_assistant_is_told_in_its_own_form() -> None:
    told = {where: json.loads(said) for where, said in discovery("table-7").items()}
    assert set(told) == {
        f"homeassistant/{what}/config"
        for what in (
            "binary_sensor/schockauge_table_7/available",
            *(f"sensor/schockauge_table_7/{key}" for key in ("turn", "players", "last", "faults")),
        )
    }
    assert len({entity["unique_id"] for entity in told.values()}) == len(told)
    for where, entity in told.items():
        assert entity["device"]["identifiers"] == ["schockauge_table_7"]
        assert entity["origin"]["name"] == "Schockauge"
        if where.startswith("homeassistant/sensor/"):
            assert entity["state_topic"] == "schockauge/table-7/state"
            assert entity["availability_topic"] == "schockauge/table-7/available"
            assert entity["payload_not_available"] == "offline"
    there = told["homeassistant/binary_sensor/schockauge_table_7/available/config"]
    assert (there["payload_on"], there["payload_off"]) == ("online", "offline")
    assert there["device_class"] == "connectivity"
    assert set(forgotten("table-7").values()) == {b""}
    with pytest.raises(SchockaugeError):
        discovery("table/7")


def test_its_templates_say_what_the_table_shows() -> None:
    from jinja2 import Environment

    state = {"turn": None, "players": ["A", "B"], "last": {"player": "A", "dice": [6, 5, 1]}}
    said = {
        where.split("/")[3]: Environment(autoescape=True)
        .from_string(json.loads(content)["value_template"])
        .render(value_json={**state, "faults": ["hub"]})
        for where, content in discovery("table-7").items()
        if where.startswith("homeassistant/sensor/")
    }
    assert said == {"turn": "", "players": "A, B", "last": "A: 6-5-1", "faults": "1"}
    before = {"turn": "A", "players": ["A", "B"], "last": None, "faults": []}
    for where, content in discovery("table-7").items():
        if where.startswith("homeassistant/sensor/"):
            template = json.loads(content)["value_template"]
            assert Environment(autoescape=True).from_string(template).render(value_json=before) in (
                "A",
                "A, B",
                "",
                "0",
            )


def test_the_hub_may_tell_home_assistant_and_it_hears_it(hall: Hall) -> None:
    from device.mqtt import Connection

    heard: dict[str, bytes] = {}
    access = hall.folder.home_assistant_access()
    assistant = Connection(
        access, "ha", ["homeassistant/#"], lambda t, c, _: heard.update({t: c}), lambda _: None
    )
    hub = SmallHub(hall.folder.hub_access(), {})
    assistant.start()
    with hub.link:
        until(lambda: hub.link.is_connected and assistant.is_connected)
        for where, content in discovery("table-7").items():
            hub.link.publish(where, content, retain=True)
        until(lambda: len(heard) == len(discovery("table-7")))
    assistant.close()
    assert heard == discovery("table-7")


def test_the_doctor_tells_of_pairing_and_broker(
    plain_broker: PlainMosquitto, hall: Hall, tmp_path: Path, run: Run
) -> None:
    hall.folder.issue("table-7")
    save_pairing(tmp_path / "pairing.json", pairing(plain_broker.port))
    settings = tmp_path / "table.toml"
    settings.write_text(
        f'[hub]\npairing_file = "{tmp_path / "pairing.json"}"\nfolder = "{hall.folder.folder}"\n'
    )

    def said() -> dict[str, tuple[str, str]]:
        lines = run("doctor", "--settings", settings, "--json")[1].splitlines()
        return {told["check"]: (told["state"], told["text"]) for told in map(json.loads, lines)}

    first = said()
    assert first["hub"][0] == "ok"
    assert "paired as table-1" in first["hub"][1]
    assert "1 tables paired" in first["broker"][1]
    assert first["broker"][1].endswith(", runs")
    plain_broker.kill()
    assert said()["hub"][0] == "failed"
