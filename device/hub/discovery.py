"""What Home Assistant is told of every table, so that it shows them without being set up. Pure.

Source: Home Assistant, MQTT integration, sections "MQTT Discovery", "Binary sensor" and "Sensor":
a retained JSON object below `homeassistant/<component>/<node>/<object>/config`; an empty message
takes the entity away again. Templates see the last message as `value_json`.
"""

from __future__ import annotations

import json
from importlib import metadata
from typing import Any

from device.hub_wire import AVAILABLE, OFFLINE, ONLINE, STATE, check_table, topic

PREFIX = "homeassistant"

_PLAYERS = "{{ value_json.players | default([]) | join(', ') }}"
_LAST = "{% set t = value_json.last %}{{ (t.player ~ ': ' ~ (t.dice | join('-'))) if t else '' }}"
_SENSORS = {
    "turn": ("Am Zug", "{{ value_json.turn or '' }}", "mdi:account-arrow-right"),
    "players": ("Spieler", _PLAYERS, "mdi:account-group"),
    "last": ("Letzter Wurf", _LAST, "mdi:dice-multiple"),
    "faults": ("Störungen", "{{ value_json.faults | default([]) | count }}", "mdi:alert"),
}
"""Object -> name, template of its value (255 letters at most in Home Assistant), icon."""


def discovery(table: str) -> dict[str, bytes]:
    """What is published (retained) for a table: topic -> content.

    Raises:
        SchockaugeError: a table cannot be called so.
    """
    node = f"schockauge_{check_table(table).replace('-', '_')}"
    common: dict[str, Any] = {
        "device": {
            "identifiers": [node],
            "name": f"Schockauge {table}",
            "manufacturer": "Schockauge",
            "model": "Tisch",
            "sw_version": metadata.version("schockauge"),
        },
        "origin": {"name": "Schockauge", "sw_version": metadata.version("schockauge")},
    }
    there: dict[str, Any] = {
        "name": "Verbunden",
        "unique_id": f"{node}_available",
        "device_class": "connectivity",
        "state_topic": topic(table, AVAILABLE),
        "payload_on": ONLINE.decode(),
        "payload_off": OFFLINE.decode(),
    }
    made = {_where("binary_sensor", node, "available"): there | common}
    for key, (name, template, icon) in _SENSORS.items():
        made[_where("sensor", node, key)] = {
            "name": name,
            "unique_id": f"{node}_{key}",
            "icon": icon,
            "state_topic": topic(table, STATE),
            "value_template": template,
            "availability_topic": topic(table, AVAILABLE),
            "payload_available": ONLINE.decode(),
            "payload_not_available": OFFLINE.decode(),
        } | common
    made[_where("sensor", node, "turn")]["json_attributes_topic"] = topic(table, STATE)
    return {where: json.dumps(told, ensure_ascii=False).encode() for where, told in made.items()}


def forgotten(table: str) -> dict[str, bytes]:
    """What is published when a table is unpaired: it takes away what `discovery` has made."""
    return dict.fromkeys(discovery(table), b"")


def _where(component: str, node: str, key: str) -> str:
    return f"{PREFIX}/{component}/{node}/{key}/config"
