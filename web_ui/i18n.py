"""Texts for people: German and English, JSON files of flat keys for each language.

A catalogue of two languages and some hundred sentences needs no compiler and no extra package;
a test keeps both languages on the same keys and placeholders.
"""

import json
from functools import cache
from pathlib import Path

LANGUAGES = ("de", "en")

_CATALOGUES = (
    "messages",
    "messages_desk",
    "messages_setup",
    "messages_settings",
    "messages_start",
    "messages_health",
    "messages_statistics",
    "messages_tournament",
)
"""What all pages say; the desks at a table, setting it up, settings, the start; health;
statistics; tournaments."""


@cache
def messages(language: str) -> dict[str, str]:
    """Return all texts of a language.

    Raises:
        ValueError: there is no such language.
    """
    if language not in LANGUAGES:
        raise ValueError(f"language is {language!r}, expected one of {', '.join(LANGUAGES)}.")
    texts: dict[str, str] = {}
    for name in _CATALOGUES:
        path = Path(__file__).with_name(f"{name}.{language}.json")
        texts |= json.loads(path.read_text(encoding="utf-8"))
    return texts


def text(language: str, key: str, **values: object) -> str:
    """Return one text with its placeholders filled in.

    Raises:
        KeyError: the catalogue has no such key, or a placeholder got no value.
    """
    return messages(language)[key].format(**values)


def counted(language: str, key: str, count: int, **values: object) -> str:
    """Return `key.one` or `key.other`, whichever fits the count, which is `{n}` in it."""
    form = "one" if count == 1 else "other"
    return text(language, f"{key}.{form}", n=count, **values)


def has(language: str, key: str) -> bool:
    """Tell whether the catalogue knows a key."""
    return key in messages(language)
