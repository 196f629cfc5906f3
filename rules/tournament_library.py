"""Find a tournament format by name, or read an organiser's own."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from rules.book import BASES, Source
from rules.book_file import with_lines
from rules.errors import FormatError, UnknownFormat
from rules.tournament_format import Format
from rules.tournament_format_file import check_form, wrong


def find_format(name: str) -> Format:
    """Find a format by its key or one of its aliases.

    Args:
        name: for example `punkte_ko`; upper and lower case, spaces around do not matter.

    Raises:
        UnknownFormat: no such format; the message lists those that there are.

    >>> find_format("Gonzerath").point_rounds
    3
    """
    sought = name.strip().casefold() if isinstance(name, str) else name
    for one in all_formats():
        if sought in (one.key, *one.aliases):
            return one
    known = ", ".join(one.key for one in all_formats())
    raise UnknownFormat(f"there is no tournament format {name!r}; known formats: {known}")


@cache
def all_formats() -> tuple[Format, ...]:
    """Return every format that this package offers, by key."""
    files = resources.files("rules.formats")
    names = sorted(entry.name for entry in files.iterdir() if entry.name.endswith(".toml"))
    return tuple(parse_format((files / name).read_text(encoding="utf-8")) for name in names)


def parse_format(text: str) -> Format:
    """Read a format from TOML text.

    Args:
        text: the form of `rules/formats/punkte_ko.toml`. With `based_on = "<key>"` it need only
            state what differs from that format.

    Raises:
        FormatError: no TOML, or not a complete and consistent format; with the line.
    """
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise FormatError(f"a tournament format must be a TOML file: {error}") from error
    except RecursionError:
        problem = "a tournament format must be a TOML file; this one is nested too deeply"
        raise FormatError(problem) from None
    check_form(text, data)
    parent = _parent(text, data)
    try:
        return _build(data, parent)
    except FormatError as error:
        raise FormatError(with_lines(text, data, str(error))) from error


def own_format(text: str) -> Format:
    """Read an organiser's own format, to be played by and carried along in the log.

    Raises:
        FormatError: no format, or one that is called as a format of the package.
    """
    made = parse_format(text)
    for known in all_formats():
        own = {name.strip().casefold() for name in (made.key, *made.aliases)}
        if taken := {known.key, *known.aliases} & own:
            where = "key" if made.key.strip().casefold() in taken else "aliases"
            problem = f"needs a name of its own, but {min(taken)!r} is taken"
            raise wrong(text, "", where, problem)
    return replace(made, text=text)


def _parent(text: str, data: dict[str, Any]) -> Format | None:
    name = data.pop("based_on", None)
    if name is None:
        return None
    try:
        return find_format(name)
    except UnknownFormat as error:
        raise wrong(text, "", "based_on", f"names no format: {error}") from error


def _build(data: Mapping[str, Any], parent: Format | None) -> Format:
    values: dict[str, Any] = {} if parent is None else dict(vars(parent))
    head = {name: value for name, value in data.items() if name != "fields"}
    values |= {n: tuple(v) if isinstance(v, list) else v for n, v in head.items()}
    values["aliases"] = tuple(head.get("aliases", ()))  # the base's name another format
    document = values["document"] = str(head.get("document", head.get("key", "")))
    sources = dict(values.get("sources", {}))
    for name, entry in data.get("fields", {}).items():
        raw = entry["value"]
        values[name] = tuple(raw) if isinstance(raw, list) else raw
        basis = next(basis for basis in BASES if basis in entry)
        sources[name] = Source(document=document, section=entry[basis], basis=basis)
    try:
        return Format(**{**values, "sources": sources})
    except TypeError as error:
        said = str(error).removeprefix("Format.__init__() ")
        raise FormatError(
            f"format {data.get('key')!r} is not complete ({said}); state the rest, or say "
            'based_on = "…"'
        ) from error
