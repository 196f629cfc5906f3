"""What the page of health shows, in one language."""

from collections.abc import Sequence
from dataclasses import dataclass

from web_ui.i18n import LANGUAGES, counted, text
from web_ui.ports import HEALTH_GROUPS, HealthRow

SIGNS = {"good": "✓", "noted": "·", "warn": "!", "bad": "✕", "unknown": "?"}
"""Beside the word for a state, for the eye; whoever sees no colour has both."""


@dataclass(frozen=True)
class Row:
    """A line of the page; `todo` is empty where nothing is to be done."""

    key: str
    state: str
    sign: str
    word: str
    title: str
    said: str
    todo: str


@dataclass(frozen=True)
class Section:
    """The lines under one heading."""

    name: str
    title: str
    rows: tuple[Row, ...]


@dataclass(frozen=True)
class HealthView:
    """The page: its state as a whole, in a word and a sentence, and the sections."""

    state: str
    sign: str
    sentence: str
    sections: tuple[Section, ...]


def present_health(rows: Sequence[HealthRow], lang: str) -> HealthView:
    """Return what the page shows.

    Args:
        rows: everything that was looked at; empty: nothing is measured here.
        lang: `de` or `en`.
    """
    bad = sum(row.state == "bad" for row in rows)
    warn = sum(row.state == "warn" for row in rows)
    state = "unknown" if not rows else "bad" if bad else "warn" if warn else "good"
    if bad or warn:
        sentence = counted(lang, f"health.all.{state}", bad or warn)
    else:
        sentence = text(lang, f"health.all.{state}")
    sections = tuple(
        Section(group, text(lang, f"health.group.{group}"), lines)
        for group in HEALTH_GROUPS
        if (lines := tuple(_row(row, lang) for row in rows if row.group == group))
    )
    return HealthView(state, SIGNS[state], sentence, sections)


def _row(row: HealthRow, lang: str) -> Row:
    at = LANGUAGES.index(lang)
    return Row(
        key=row.key,
        state=row.state,
        sign=SIGNS[row.state],
        word=text(lang, f"health.state.{row.state}"),
        title=row.title[at],
        said=row.said[at],
        todo=row.todo[at] if row.state in ("warn", "bad") else "",
    )
