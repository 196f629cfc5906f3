"""Changes in the text of a settings file that leave its comments and its order alone."""

from __future__ import annotations

import tomllib
from collections.abc import Mapping, MutableMapping
from typing import Any

import tomlkit
from tomlkit.exceptions import TOMLKitError

from device.errors import SettingsError
from device.setting import Value


def edited(text: str, values: Mapping[str, Value | None]) -> str:
    """Return the text of a settings file with some values changed.

    Args:
        text: sound TOML.
        values: by setting name; None takes a setting out, so that it has its default.

    Raises:
        SettingsError: the text is laid out in a way in which this cannot be done safely.
    """
    wanted = _flat(tomllib.loads(text))
    for name, value in values.items():
        if value is None:
            wanted.pop(name, None)
        else:
            wanted[name] = value
    try:
        document = tomlkit.parse(text)
        for name, value in values.items():
            _set(document, name, value)
        changed = document.as_string()
        fits = _flat(tomllib.loads(changed)) == wanted
    except (TOMLKitError, ValueError, KeyError, TypeError, AttributeError) as error:
        raise _unsafe(values) from error
    if not fits:
        raise _unsafe(values)
    return changed


def _set(document: MutableMapping[str, Any], name: str, value: Value | None) -> None:
    section, key = name.split(".", 1)
    content = document.get(section)
    if value is None:
        if content is not None and key in content:
            del content[key]
        return
    if content is None:
        content = document[section] = tomlkit.table()
    content[key] = value


def _flat(sections: Mapping[str, Any]) -> dict[str, Any]:
    """Values by `section.key`."""
    return {
        f"{section}.{key}": value
        for section, content in sections.items()
        for key, value in content.items()
    }


def _unsafe(values: Mapping[str, Value | None]) -> SettingsError:
    return SettingsError(
        f"{', '.join(values)} cannot be changed without harm to the rest of the file; change it in "
        "the file itself, and put the settings of a section under one heading such as [web]."
    )
