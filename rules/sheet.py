"""The rule sheet of a book: every decision in words, with the place it rests on.

A decision that another one leaves idle (where Deckel come from that nobody may take) is left out.

What the book does not say itself is marked: a *default* is taken over from another book and has to
be named before an evening, an *interpretation* follows from the text only by reading it so.
"""

import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from typing import Any, Literal

from rules.book import DOOFMANN_TOPICS, TOPICS, Basis, RuleBook, decision_fields
from rules.errors import BookError
from rules.ranking import Figure, figures_of

Language = Literal["de", "en"]
LANGUAGES: tuple[Language, ...] = ("de", "en")
NOTES: Mapping[Basis, Mapping[Language, str]] = {
    "text": {"de": "{document} {section}", "en": "{document} {section}"},
    "interpretation": {
        "de": "{document} {section}, so ausgelegt",
        "en": "{document} {section}, read this way",
    },
    "default": {
        "de": "nicht im Regelwerk, angenommen: {section}",
        "en": "not in the rule book, assumed: {section}",
    },
}
WEEKDAYS_DE = {
    "monday": "montags",
    "tuesday": "dienstags",
    "wednesday": "mittwochs",
    "thursday": "donnerstags",
    "friday": "freitags",
    "saturday": "samstags",
    "sunday": "sonntags",
}


@dataclass(frozen=True, kw_only=True)
class SheetRow:
    """One decision: the field or topic, what it means, where it comes from."""

    name: str
    text: str
    basis: Basis
    note: str


@dataclass(frozen=True, kw_only=True)
class Chapter:
    """Decisions that belong together."""

    title: str
    rows: tuple[SheetRow, ...]


@dataclass(frozen=True, kw_only=True)
class RuleSheet:
    """A book in words.

    Attributes:
        key: of the book.
        title: of the book.
        language: of all texts.
        chapters: all decisions that are not idle, each once.
        ladder: all figures, the best first.
    """

    key: str
    title: str
    language: Language
    chapters: tuple[Chapter, ...]
    ladder: tuple[Figure, ...]

    @property
    def assumed(self) -> tuple[SheetRow, ...]:
        """What the book does not say: to be agreed on before an evening begins."""
        rows = (row for chapter in self.chapters for row in chapter.rows)
        return tuple(row for row in rows if row.basis == "default")


def rule_sheet(book: RuleBook, language: Language = "de") -> RuleSheet:
    """Put a book into words.

    Args:
        book: any book, a pub's own one, too.
        language: `de` or `en`.
    """
    words = _words()
    topics = (*TOPICS, *(DOOFMANN_TOPICS if book.doofmann else ()))
    entries = [(name, words["fields"][name]) for name in decision_fields()]
    entries += [(name, words["topics"][name]) for name in topics]
    chapters = tuple(
        Chapter(
            title=titles[LANGUAGES.index(language)],
            rows=tuple(
                _row(book, name, entry, language)
                for name, entry in entries
                if entry["chapter"] == chapter and not _is_idle(book, entry)
            ),
        )
        for chapter, titles in words["chapters"].items()
    )
    title = book.title_de if language == "de" else book.title_en
    return RuleSheet(
        key=book.key, title=title, language=language, chapters=chapters, ladder=figures_of(book)
    )


@cache
def _words() -> Mapping[str, Any]:
    text = (resources.files("rules") / "sheet_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _is_idle(book: RuleBook, entry: Mapping[str, Any]) -> bool:
    """Whether other decisions leave a row nothing to say: then it is left out."""
    return any(
        all(_key(getattr(book, name)) in values for name, values in case.items())
        for case in entry.get("idle_if", ())
    )


def _row(book: RuleBook, name: str, entry: Mapping[str, Any], language: Language) -> SheetRow:
    value = getattr(book, name, "")
    sentences = entry.get(_key(value), entry.get("*"))
    if sentences is None:
        raise BookError(f"the rule sheet has no words for {name} = {value!r}; add them to {_FILE}")
    source = book.sources[name]
    return SheetRow(
        name=name,
        text=sentences[LANGUAGES.index(language)].format(**_filling(book, value)),
        basis=source.basis,
        note=NOTES[source.basis][language].format(document=source.document, section=source.section),
    )


_FILE = "rules/sheet_words.toml"


def _key(value: object) -> str:
    """How a value is written in the file of words."""
    if isinstance(value, tuple):
        return " ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)


def _filling(book: RuleBook, value: object) -> dict[str, object]:
    """What the sentences may name."""
    return {
        **vars(book.names),
        "value": value,
        "weekday_de": WEEKDAYS_DE.get(str(value), ""),
        "weekday_en": f"{str(value).capitalize()}s",
    }
