"""The sheet of a format: every decision in words, with the place it rests on, to hang in the hall.

As on the rule sheet of a book, what the tournament's own page leaves open is marked and gathered
at the end: it has to be named before the first draw.
"""

import tomllib
from collections.abc import Mapping
from functools import cache
from importlib import resources
from typing import Any

from rules.book import Basis, Source
from rules.sheet import LANGUAGES, Chapter, Language, SheetRow
from rules.tournament_format import Format

NOTES: Mapping[Basis, Mapping[Language, str]] = {
    "text": {"de": "{document}, {column}", "en": "{document}, {section}"},
    "interpretation": {
        "de": "{document}, {column}, so ausgelegt",
        "en": "{document}, {section}, read this way",
    },
    "default": {"de": "angenommen", "en": "assumed: {section}"},
}
COLUMNS_DE = {
    "tables": "Tische",
    "a round": "Runde",
    "scoring": "Wertung",
    "then": "danach",
    "all": "überall",
}
"""The columns of the table in docs/tournaments.md."""

_ASSUMED = {
    "de": "Nicht in der Quelle, vor der ersten Auslosung bekannt zu geben",
    "en": "Not in the source, to be made known before the first draw",
}


def format_chapters(made: Format, language: Language = "de") -> tuple[Chapter, ...]:
    """Put a format into words; decisions that others leave idle are left out."""
    words = _words()
    return tuple(
        Chapter(
            title=titles[LANGUAGES.index(language)],
            rows=tuple(
                _row(made, name, entry, language)
                for name, entry in words["fields"].items()
                if entry["chapter"] == chapter and not _is_idle(made, entry)
            ),
        )
        for chapter, titles in words["chapters"].items()
    )


def format_sheet(made: Format, language: Language = "de") -> str:
    """The sheet as text, for a printer or a notice board."""
    title = made.title_de if language == "de" else made.title_en
    lines, assumed = [title, "=" * len(title)], []
    for chapter in format_chapters(made, language):
        if not chapter.rows:
            continue
        lines += ["", chapter.title, "-" * len(chapter.title)]
        for row in chapter.rows:
            mark = "!" if row.basis == "default" else "·"
            lines.append(f"{mark} {row.text}  [{row.note}]")
            assumed += [f"! {row.text}"] if row.basis == "default" else []
    lines += ["", _ASSUMED[language], "-" * len(_ASSUMED[language]), *assumed]
    return "\n".join(lines) + "\n"


@cache
def _words() -> Mapping[str, Any]:
    text = (resources.files("rules") / "tournament_words.toml").read_text(encoding="utf-8")
    return tomllib.loads(text)


def _is_idle(made: Format, entry: Mapping[str, Any]) -> bool:
    return any(
        all(_key(getattr(made, name)) in values for name, values in case.items())
        for case in entry.get("idle_if", ())
    )


def _row(made: Format, name: str, entry: Mapping[str, Any], language: Language) -> SheetRow:
    value = _key(getattr(made, name))
    sentence = entry[value if value in entry else "*"][LANGUAGES.index(language)]
    source = made.sources[name]
    text = sentence.format(value=value)
    return SheetRow(name=name, text=text, basis=source.basis, note=_note(source, language))


def _note(source: Source, language: Language) -> str:
    """Where a decision comes from; an own format may cite anything, which is told as it is."""
    column, _, _ = source.section.partition(":")
    return NOTES[source.basis][language].format(
        document=source.document,
        section=source.section,
        column=COLUMNS_DE.get(column, source.section),
    )


def _key(value: object) -> str:
    """How a value is written in the file of words."""
    if isinstance(value, tuple):
        return ", ".join(map(str, value))
    return str(value).lower() if isinstance(value, bool) else str(value)
