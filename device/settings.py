"""Every setting of the appliance: name, default, unit, help; one TOML file changes them.

`schockauge settings` prints the list, `docs/settings.md` shows it, and a test keeps them equal.
A file looks like this:

    [game]
    book = "turnier"
    players = ["Anna", "Bert", "Cem"]

    [web]
    port = 8080
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Iterator, Mapping
from pathlib import Path
from typing import Any, get_args

from device.errors import SettingsError
from device.setting import Setting
from device.store_settings import STORE_SETTINGS
from rules.book import Weekday
from vision.seats import ASIDE_MM

__all__ = ["BY_NAME", "SETTINGS", "Setting", "Settings", "load_settings"]

SETTINGS: tuple[Setting, ...] = (
    Setting(
        "game.book", "turnier", "", "Rule book of the evening: a name, or FILE.toml of your own."
    ),
    Setting("game.players", ["A", "B", "C"], "", "Names, clockwise in throwing order; at least 2."),
    Setting(
        "game.weekday",
        "",
        "",
        "Day of the evening, such as wednesday, for books with a Champions League; empty: today, "
        "until six in the morning the day before.",
        choices=("", *get_args(Weekday)),
    ),
    *STORE_SETTINGS,
    Setting("table.source", "camera:0", "", "Camera (camera:0), clip or folder that is watched."),
    Setting(
        "table.mat_file",
        "",
        "",
        "Calibration written by `schockauge calibrate`: corners, lens and size of the dice; where "
        "all markers are to be seen they tell where the mat is. Empty: the markers alone do.",
    ),
    Setting("table.mat_width_mm", 420.0, "mm", "Width of the mat.", 50),
    Setting("table.mat_height_mm", 315.0, "mm", "Height of the mat.", 50),
    Setting(
        "table.layout",
        "shared",
        "",
        "One throwing zone for all (shared), or a part of the mat for every player (seats), who "
        "then may all shake at once; a mat with seats should measure 600 x 450 mm or more.",
        choices=("shared", "seats"),
    ),
    Setting("table.seats", [], "", "Who has a seat, 2 to 8 names; empty: the players."),
    Setting(
        "table.seat_angles_deg",
        [],
        "deg",
        "Where each of them sits: 0 at the picture's lower edge, 90 at its left one, clockwise as "
        "seen from above; empty: evenly around, in the order of the names.",
        of_numbers=True,
    ),
    Setting(
        "table.seat_aside_mm",
        ASIDE_MM,
        "mm",
        "Dice so near to the middle of the mat, in the direction of their seat, are put aside.",
        1,
    ),
    Setting(
        "table.camera_fov_deg",
        66.0,
        "deg",
        "Horizontal field of view of the camera as its picture is cut; Raspberry Pi Camera Module "
        "3: 66, its wide one: 102, half of the picture's width cut out: 36 and 63. With a false "
        "one flat dice look tilted and are asked about.",
        20,
    ),
    Setting(
        "model.folder", "", "", "Folder with manifest.json and weights; empty: those that ship."
    ),
    Setting(
        "model.own_dice_file",
        "",
        "",
        "Last stage tuned to the table's own dice by `schockauge learn tune`; empty: none.",
    ),
    Setting("model.threads", 2, "threads", "Processor threads a model may use.", 1),
    Setting("web.host", "127.0.0.1", "", "Address the dashboard listens on; 0.0.0.0: all."),
    Setting("web.port", 8080, "", "Port the dashboard listens on; 0: any free one.", 0),
    Setting(
        "web.threads",
        64,
        "threads",
        "Answers at the same time; each live view holds one, four are kept for the page.",
        2,
    ),
    Setting(
        "web.table_needs_pin",
        default=True,
        unit="",
        help="Whether entering throws and answering questions needs the PIN of the table; false: "
        "whoever reaches the page may. Rulings and PINs always need theirs.",
    ),
    Setting(
        "web.signed_in_h",
        16.0,
        "h",
        "How long a device stays signed in, so that the one at the table does for the evening; "
        "the landlord's for one hour at most.",
        0.1,
    ),
    Setting(
        "web.host_names",
        [],
        "",
        "Names with a point by which browsers may call the dashboard, such as table1.example.org; "
        "addresses in digits, names without a point and *.local need no entry.",
    ),
    Setting("web.language", "de", "", "Language of the pages.", choices=("de", "en")),
    Setting("web.table_name", "", "", "Name of the table in the page's head."),
    Setting(
        "web.public_url",
        "",
        "",
        "Address by which phones reach the pages, such as http://192.168.1.20:8080/, for the QR "
        "code on the wall screen; empty: the address under which the screen itself asked.",
    ),
)

BY_NAME: Mapping[str, Setting] = {setting.name: setting for setting in SETTINGS}


class Settings(Mapping[str, Any]):
    """All settings with their values, by name; unchanged ones have their defaults.

    Args:
        changed: values by setting name.

    Raises:
        SettingsError: an unknown name or an unfit value.
    """

    def __init__(self, changed: Mapping[str, Any] | None = None) -> None:
        self._values: dict[str, Any] = {s.name: s.default for s in SETTINGS}
        for name, value in (changed or {}).items():
            self._values[name] = _checked(name, value)

    def __getitem__(self, name: str) -> Any:
        return self._values[name]

    def __iter__(self) -> Iterator[str]:
        return iter(self._values)

    def __len__(self) -> int:
        return len(self._values)

    def with_values(self, changed: Mapping[str, Any]) -> Settings:
        """A copy with some values changed; None means: as it is.

        Raises:
            SettingsError: an unknown name or an unfit value.
        """
        kept = {name: value for name, value in changed.items() if value is not None}
        return Settings({**self._values, **kept})


def load_settings(path: Path | None) -> Settings:
    """Read a settings file.

    Args:
        path: a TOML file; None: all defaults.

    Raises:
        SettingsError: names the file, the line, the value and what was expected.
    """
    if path is None:
        return Settings()
    try:
        text = path.read_text(encoding="utf-8")
    except FileNotFoundError as error:
        raise SettingsError(f"The settings file {path} does not exist.") from error
    except (OSError, UnicodeDecodeError) as error:
        raise SettingsError(f"The settings file {path} cannot be read: {error}.") from error
    try:
        sections = tomllib.loads(text)
    except ValueError as error:
        raise SettingsError(f"{path} is no TOML: {error}.") from error
    except RecursionError:
        raise SettingsError(f"{path} is no TOML that can be read: nested too deeply.") from None
    changed: dict[str, Any] = {}
    for section, content in sections.items():
        items = content if isinstance(content, dict) else {"": content}
        for key, value in items.items():
            name = f"{section}.{key}" if key else section
            try:
                changed[name] = _checked(name, value)
            except SettingsError as error:
                line = _line_of(text, section, key)
                raise SettingsError(f"{path}, line {line}: {error}") from None
    return Settings(changed)


def _checked(name: str, value: Any) -> Any:
    setting = BY_NAME.get(name)
    if setting is None:
        raise SettingsError(
            f"There is no setting {name!r}. `schockauge settings` lists all of them."
        )
    value = float(value) if _is_number(value) and isinstance(setting.default, float) else value
    if type(value) is not type(setting.default):
        wanted = {str: "a text", int: "a whole number", float: "a number", list: "a list"}
        raise SettingsError(
            f"{name} is {value!r}, expected {wanted.get(type(setting.default), 'true or false')}."
        )
    return _in_range(setting, value)


def _in_range(setting: Setting, value: Any) -> Any:
    name = setting.name
    if isinstance(value, list):
        wanted = "numbers" if setting.of_numbers else "texts"
        fits = _is_number if setting.of_numbers else _is_text
        if not all(fits(item) for item in value):
            raise SettingsError(f"{name} is {value!r}, expected a list of {wanted}.")
    if setting.least is not None and value < setting.least:
        raise SettingsError(f"{name} is {value!r}, expected {setting.least:g} or more.")
    if setting.choices and value not in setting.choices:
        raise SettingsError(f"{name} is {value!r}, expected one of {', '.join(setting.choices)}.")
    if name == "game.players" and (len(value) < 2 or len(set(value)) < len(value)):
        raise SettingsError(f"{name} is {value!r}, expected two or more different names.")
    return value


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value)


def _is_number(value: Any) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _line_of(text: str, section: str, key: str) -> int:
    """Find the line of `key` in `[section]`, 1-based; that of the section when it has none."""
    here, found = "", 1
    for number, line in enumerate(text.splitlines(), start=1):
        if head := re.match(r"\s*\[\s*\"?([\w.-]+)\"?\s*\]", line):
            here = head[1]
            found = number if here == section else found
        elif (
            re.match(rf"\s*\"?{re.escape(key or section)}\"?\s*=", line)
            and here
            in (
                section,
                "",
            )
        ) or (re.match(rf"\s*{re.escape(section)}\.{re.escape(key)}\s*=", line) and not here):
            return number
    return found
