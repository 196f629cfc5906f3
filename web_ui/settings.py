"""Every setting of the dashboard, with default, unit and help."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any


@dataclass(frozen=True)
class Setting:
    """One setting: its name carries the unit."""

    name: str
    default: Any
    help: str


SETTINGS = (
    Setting("EVIDENCE_DIR", None, "Folder with the stills of throws; None: no stills are served."),
    Setting("DEFAULT_LANGUAGE", "de", "Language of the pages without ?lang=: de or en."),
    Setting("TABLE_NAME", "", "Name of the table in the page's head, such as 'Tisch 1'."),
    Setting(
        "PUBLIC_URL",
        "",
        "Address by which phones reach the pages, for the QR code; empty: as the screen asked.",
    ),
    Setting("MAX_CONTENT_LENGTH", 16_384, "Largest request body that is read, in bytes."),
    Setting(
        "TABLE_NEEDS_PIN",
        default=True,
        help="Whether acting at the table needs its PIN; rulings and PINs always need theirs.",
    ),
    Setting(
        "SIGNED_IN_S", 57_600, "How long somebody stays signed in, seconds; an admin one hour."
    ),
    Setting("HOST_NAMES", (), "Names with a point that browsers may call this server by."),
    Setting("HOUSE_BOOKS", (), "The pub's own rule books (rules.book.RuleBook)."),
    Setting("WEEKDAY", "", "Day of the evening, such as wednesday; empty: as the clock says."),
    Setting("LAYOUT", "shared", "Whether all share one throwing zone (shared) or not (seats)."),
    Setting("FIXED_SEATS", (), "Who has a seat whatever order is played in; empty: the players."),
    Setting("LOG_LINES", 40, "Entries of the log shown on the page."),
    Setting("STREAM_RETRY_MS", 1_000, "Pause of a browser before it reconnects, milliseconds."),
    Setting("STREAM_HEARTBEAT_S", 10.0, "Longest silence on the live stream, seconds."),
    Setting(
        "STREAM_LIMIT",
        100,
        "Live viewers at the same time; each holds a thread of the server, further ones get 503.",
    ),
)


def with_defaults(settings: Mapping[str, Any]) -> dict[str, Any]:
    """Return the settings with the default of every one that is not given.

    Settings of others (a composition root may hand over all it has) pass through.

    Raises:
        ValueError: DEFAULT_LANGUAGE is neither de nor en, or a number is not positive.
    """
    merged = {setting.name: setting.default for setting in SETTINGS} | dict(settings)
    if merged["DEFAULT_LANGUAGE"] not in ("de", "en"):
        raise ValueError(
            f"DEFAULT_LANGUAGE is {merged['DEFAULT_LANGUAGE']!r}, expected 'de' or 'en'."
        )
    for setting in SETTINGS:
        value = merged[setting.name]
        if isinstance(setting.default, bool):
            if not isinstance(value, bool):
                raise ValueError(f"{setting.name} is {value!r}, expected True or False.")
        elif isinstance(setting.default, int | float) and not (
            isinstance(value, int | float) and value > 0
        ):
            raise ValueError(f"{setting.name} is {value!r}, expected a number above 0.")
    return merged
