"""The JSON schema of the settings file, by which an editor checks and completes it while typing."""

from __future__ import annotations

from typing import Any

from device.setting import Setting
from device.settings import SETTINGS

DIALECT = "https://json-schema.org/draft/2020-12/schema"
KINDS = {str: "string", int: "integer", float: "number", bool: "boolean", list: "array"}
ONE_LINE = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*$"
SOMETHING = "^[^\\u0000-\\u001f\\u007f-\\u009f\\u2028\\u2029]*\\S[^\\u0000-\\u001f]*$"


def schema() -> dict[str, Any]:
    """The schema (draft 2020-12): an object for every section, no key that is none of ours."""
    sections: dict[str, Any] = {}
    for setting in SETTINGS:
        section, key = setting.name.split(".", 1)
        inside = sections.setdefault(section, {"type": "object", "additionalProperties": False})
        inside.setdefault("properties", {})[key] = _of(setting)
    return {
        "$schema": DIALECT,
        "title": "Schockauge: settings of a table or a hub",
        "type": "object",
        "additionalProperties": False,
        "properties": sections,
    }


def _of(setting: Setting) -> dict[str, Any]:
    unit = f" [{setting.unit}]" if setting.unit else ""
    told: dict[str, Any] = {
        "description": f"{setting.help}{unit}",
        "default": setting.default,
        "type": KINDS[type(setting.default)],
    }
    if isinstance(setting.default, list):
        number, text = {"type": "number"}, {"type": "string", "pattern": SOMETHING}
        told["items"] = number if setting.of_numbers else text
        told |= {"minItems": setting.least_items} if setting.least_items else {}
        told |= {"uniqueItems": True} if setting.distinct else {}
    elif isinstance(setting.default, str):
        told |= {"enum": list(setting.choices)} if setting.choices else {"pattern": ONE_LINE}
    else:
        told |= {} if setting.least is None else {"minimum": setting.least}
        told |= {} if setting.most is None else {"maximum": setting.most}
    return told
