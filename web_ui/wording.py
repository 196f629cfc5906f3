"""How names, dice, Deckel and results are worded; the parts that sentences are made of."""

from collections.abc import Mapping, Sequence
from typing import Any

from rules.spoken import figure_words
from web_ui.i18n import counted, has, text

Data = Mapping[str, Any]


def join_names(language: str, names: Sequence[str]) -> str:
    """Return `A, B und C`."""
    if len(names) < 2:
        return "".join(names)
    return f"{', '.join(names[:-1])} {text(language, 'list.and')} {names[-1]}"


def deckel(language: str, count: int | str) -> str:
    """Return `4 Deckel` or `alle Deckel`, as the price of a round is named."""
    if isinstance(count, str):
        return text(language, "deckel.all")
    if not isinstance(count, int):
        raise TypeError(f"count of Deckel is {count!r}, expected a whole number or 'all'.")
    return counted(language, "deckel", count)


def spoken(language: str, result: Data) -> str:
    """Return a result as players say it; its name where the record has no wording."""
    said = result.get("spoken_en") if language == "en" else result.get("spoken")
    return str(said or result["name"])


def figure(language: str, data: Data) -> str:
    """Return `sechs zweiundfünfzig` for what the dice of an entry show, whenever it was thrown.

    Args:
        language: of the words.
        data: `category` (None for a single die) and `name`, as the rules call it; which is returned
            where it is in an unknown form.
    """
    category, name = data["category"], str(data["name"])
    if category is None:
        return name
    try:
        said_de, said_en = figure_words(str(category), name)
    except (ValueError, IndexError):
        return name
    return said_en if language == "en" else said_de


def dice_of(value: object) -> tuple[int, ...]:
    """Return the numbers of a JSON list that are values of dice; () for anything else."""
    if not isinstance(value, list | tuple):
        return ()
    return tuple(v for v in value if isinstance(v, int) and 1 <= v <= 6)


def number_in(data: Data, name: str) -> int:
    """Return a number of an entry, such as that of a throw; 0 (no throw has it) for all else."""
    value = data.get(name)
    return value if isinstance(value, int) else 0


def in_language(language: str, data: Data) -> str:
    """Return `text_de` or `text_en` of an entry that brings its own texts."""
    return str(data[f"text_{language}"])


def throw_ordinal(language: str, number: int) -> str:
    """Return `Ersten` or `first`, as the throws of a turn are counted."""
    key = f"throw.{number}"
    return text(language, key) if has(language, key) else f"{number}."


def burns_text(language: str, burnt: Data) -> str:
    """Return why a throw burns, as in `Türmchen`."""
    key = f"burns.{burnt['burns']}"
    return (
        text(language, key)
        if has(language, key)
        else text(language, "burns.other", why=burnt["burns"])
    )
