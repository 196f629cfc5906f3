"""What the page of the settings is given from outside: the table's settings and their file."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Protocol, cast

from flask import Flask, current_app

Texts = Mapping[str, str]
"""One text by language, `de` and `en`."""

_KEY = "schockauge.settings"


@dataclass(frozen=True)
class Field:
    """One setting as it is shown.

    Attributes:
        name: `section.key`.
        kind: "text", "whole", "number", "switch", "choice", "texts" or "numbers".
        value: as the file has it, as somebody would type it; items of a list in lines of their own.
        default: likewise.
        unit: "mm", "s" ...; "" when it has none.
        help: what it does.
        choices: of a "choice".
        is_set: whether the file names it.
        at_once: a change takes effect at once; else with the next start.
        running: what the table runs by where that differs from the file; None: it does not.
        locked: why it is not changed here; None: it is.
    """

    name: str
    kind: str
    value: str
    default: str
    unit: str
    help: Texts
    choices: tuple[str, ...] = ()
    is_set: bool = False
    at_once: bool = False
    running: str | None = None
    locked: Texts | None = None

    @property
    def section(self) -> str:
        """What it belongs to."""
        return self.name.partition(".")[0]


@dataclass(frozen=True)
class Version:
    """One content that the file has had.

    Attributes:
        number: names it.
        at_s: since when, Unix time in seconds.
        by: who wrote it; empty: somebody at the file itself.
        changed: names of what differs from the one before.
        is_current: the file has it now.
    """

    number: int
    at_s: float
    by: str
    changed: tuple[str, ...]
    is_current: bool = False


@dataclass(frozen=True)
class Mistake:
    """Something that is wrong.

    Attributes:
        text: what, what was expected, what to do.
        name: of the setting; empty: of none.
        line: of the file, from 1 on; None: of none.
    """

    text: Texts
    name: str = ""
    line: int | None = None


@dataclass(frozen=True)
class SettingsSheet:
    """All settings at a moment.

    Attributes:
        fields: in their order.
        versions: of the file, newest first.
        stamp: names the content of the file; what is sent back says what it was meant for.
        file: its name; empty: the table was started without one.
        mistakes: what is wrong with the file now, while the table runs by an earlier content.
        can_restart: the table can be started anew from the page.
        command: what somebody types for it at the appliance where it cannot.
    """

    fields: tuple[Field, ...]
    versions: tuple[Version, ...]
    stamp: str
    file: str
    mistakes: tuple[Mistake, ...] = ()
    can_restart: bool = False
    command: str = ""


class BadValues(ValueError):  # noqa: N818 - a refusal, not a failure
    """Settings that cannot be so; nothing was written."""

    def __init__(self, mistakes: tuple[Mistake, ...]) -> None:
        super().__init__("; ".join(mistake.text["en"] for mistake in mistakes))
        self.mistakes = mistakes


class TableSettings(Protocol):
    """The settings of a table."""

    def sheet(self) -> SettingsSheet:
        """Return all of them as they are now."""

    def shown(self, stamp: str) -> Mapping[str, str]:
        """Return what the form said, by name, that was made of the content with a stamp.

        What is no longer kept is as the file has it now.
        """

    def change(self, typed: Mapping[str, str | None], *, stamp: str, by: str) -> tuple[str, ...]:
        """Write what somebody has typed, by name; None: back to the default.

        Returns:
            The names of what differs now.

        Raises:
            BadValues: something does not fit, is locked, or the file is another one by now.
        """

    def restore(self, number: int, *, stamp: str, by: str) -> tuple[str, ...]:
        """Take an earlier version of the file back; returns and errors as of `change`."""

    def restart(self, *, by: str) -> None:
        """Start the table anew, a moment after this.

        Raises:
            BadValues: nobody would start it again, it could not begin with what the file says, or
                something would be lost that waits for a log that cannot be written.
        """


def install(app: Flask, settings: TableSettings | None) -> None:
    """Give an application the settings of its table."""
    app.extensions[_KEY] = settings


def table_settings() -> TableSettings | None:
    """Return the settings of the table that this request is about; None: they are not known."""
    return cast(TableSettings | None, current_app.extensions[_KEY])
