"""Safe mode: a table whose settings cannot be used starts with a page on which they are mended.

The evening is not touched meanwhile: nothing opens its log. What happens here (who has changed
what, who was refused) is written into the log when the table has started. A log that cannot be used
(a full card, say) brings a table here as well; then the page says so and leaves the file alone.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any, TypeVar

from device.errors import SchockaugeError, SettingsError
from device.health.systemd import Notifier
from device.listening import problem_of, reachable
from device.mending import Mend, Note
from device.page_settings import page_settings
from device.pin_file import PinFile, pins_path
from device.settings import Settings
from device.settings_file import SettingsFile
from device.settings_sense import UNFIT, check_emptied
from device.settings_versions import Versions
from web_ui.access import Access
from web_ui.pins import MemoryPins, Pins
from web_ui.safe_mode import create_safe_app

Table = TypeVar("Table")


def start(
    prepare: Callable[[], Table], path: Path, given: Mapping[str, Any]
) -> tuple[Table, list[Note]]:
    """Prepare a table, in safe mode for as long as its settings keep it from starting.

    Args:
        prepare: puts it together; raises one of `UNFIT`.
        path: of its settings file.
        given: settings that the command line gives, by name; None: it does not.

    Returns:
        The table, and what is to be noted in its log.

    Raises:
        SchockaugeError: safe mode cannot start either, or there is no such file and never was.
    """
    try:
        return _prepared(prepare, path), []
    except UNFIT as error:
        if not path.exists() and not Versions(path.resolve()).all():
            raise  # nobody has ever had such a file: a slip of who has typed the command
        mending = Mend(path, error, {k: v for k, v in given.items() if v is not None})
        with _serving(mending) as notifier:
            while True:
                mending.wait(lambda: notifier.alive(mending.status))
                try:
                    return _prepared(prepare, path), mending.notes
                except UNFIT as still:
                    mending.failed(still)


def _prepared(prepare: Callable[[], Table], path: Path) -> Table:
    """A table, and its settings kept as a version: safe mode has what worked to go by."""
    check_emptied(path)
    table = prepare()
    with suppress(SettingsError, OSError):  # where nothing may be written it plays all the same
        if path.read_bytes().strip():
            SettingsFile(path).keep()
    return table


@contextmanager
def _serving(mending: Mend) -> Iterator[Notifier]:
    """The page of safe mode, where the table's own would be; for systemd the service is ready."""
    settings = mending.readable()
    keys, first_pin = _pins(settings)
    shown = page_settings(settings, None, ())
    app = create_safe_app(mending, shown, Access(keys, note=mending.note))
    server, misplaced = reachable(settings, app)
    if misplaced is not None:
        print(f"schockauge: error: {misplaced}", file=sys.stderr)
        mending.served_elsewhere(problem_of(misplaced))
    with server:
        print(f"Abgesicherter Betrieb: {server.url} (Strg-C beendet)", file=sys.stderr)
        if first_pin is not None:
            print(f"Erste PIN des Wirts: {first_pin}", file=sys.stderr)
        notifier = Notifier()
        notifier.ready(mending.status)
        yield notifier


def _pins(settings: Settings) -> tuple[Pins, str | None]:
    """The table's own PINs and the first one; where their file is of no use, new ones for now."""
    try:
        keys = Pins(PinFile(pins_path(settings)))
        return keys, keys.begin()
    except SchockaugeError as error:
        print(f"schockauge: error: {error}", file=sys.stderr)
        keys = Pins(MemoryPins())
        return keys, keys.begin()
