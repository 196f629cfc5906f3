"""Is this a tournament format? Every key and value of its TOML, with the line that is wrong.

What is checked here is the form; whether the decisions go together is for `Format` to say.
"""

import difflib
from collections.abc import Iterable, Mapping
from typing import Any, get_type_hints

from rules.book import BASES, fits, wanted
from rules.book_file import line_of
from rules.errors import FormatError
from rules.tournament_format import PLAIN_FIELDS, Format, decisions

HEAD = (PLAIN_FIELDS - {"sources", "text"}) | {"based_on"}
LISTS = ("aliases", "unit_de", "unit_en")
HINTS = get_type_hints(Format)


def check_form(text: str, data: Mapping[str, Any]) -> None:
    """Check a format's data, as `tomllib` read it from this text.

    Raises:
        FormatError: the first thing that is wrong: its line, what was expected, what to do.
    """
    for name, value in data.items():
        if name == "fields":
            continue
        _known(text, "", name, sorted(HEAD | {"fields"}))
        if name in LISTS:
            if not isinstance(value, list) or not all(_is_text(item) for item in value):
                raise wrong(text, "", name, f"must be a list of texts, but is {value!r}")
        elif not _is_text(value):
            raise wrong(text, "", name, f"must be text, but is {value!r}")
    entries = data.get("fields", {})
    if not isinstance(entries, Mapping):
        raise wrong(text, "", "fields", f"must be a table [fields], but is {entries!r}")
    for name, entry in entries.items():
        _check_field(text, name, entry)


def _check_field(text: str, name: str, entry: Any) -> None:
    _known(text, "fields", name, decisions())
    told = [basis for basis in BASES if isinstance(entry, Mapping) and _is_text(entry.get(basis))]
    if len(told) != 1:
        raise wrong(
            text, "fields", name,
            'must say where it comes from, once: { value = …, text = "…" }, or interpretation, '
            f"or default, but is {entry!r}",
        )  # fmt: skip
    if extra := sorted(set(entry) - {"value", told[0]}):
        raise wrong(text, "fields", name, f"has {', '.join(extra)}, which mean nothing here")
    if "value" not in entry:
        raise wrong(text, "fields", name, 'has no value; write { value = …, text = "…" }')
    raw = entry["value"]
    if not fits(HINTS[name], tuple(raw) if isinstance(raw, list) else raw):
        raise wrong(text, "fields", name, f"must be {wanted(HINTS[name])}, but is {raw!r}")


def _is_text(value: Any) -> bool:
    return isinstance(value, str) and bool(value.strip())


def _known(text: str, table: str, name: str, names: Iterable[str]) -> None:
    if name not in names:
        near = difflib.get_close_matches(name, list(names), n=1)
        hint = f"; did you mean {near[0]!r}?" if near else f"; there are {', '.join(names)}"
        raise wrong(text, table, name, f"is no entry of a tournament format{hint}")


def wrong(text: str, table: str, name: str, problem: str) -> FormatError:
    """An error that names the line of an entry."""
    return FormatError(f"line {line_of(text, table, name)}: {name} {problem}")
