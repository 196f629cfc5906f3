"""Find a rule book by name; the only place of the package that reads a file (its own data)."""

import tomllib
from collections.abc import Mapping
from dataclasses import replace
from functools import cache
from importlib import resources
from typing import Any

from rules.book import BASES, CategoryNames, Penalty, RuleBook, Source
from rules.book_file import check_form, contradictions, line_of, with_lines
from rules.errors import BookError, UnknownBook

_RESTS_ON: Mapping[str, str] = {"jule_421": "jule"}
"""Fields that decide whether there is anything to say on a topic, and that topic."""


def find_book(name: str) -> RuleBook:
    """Find a rule book by its key or one of its aliases.

    Args:
        name: for example `turnier`; upper and lower case, spaces around do not matter.

    Raises:
        UnknownBook: no such book; the message lists those that there are.

    >>> find_book("Turnier").deckel_total
    13
    """
    wanted = name.strip().casefold() if isinstance(name, str) else name
    for book in all_books():
        if wanted in (book.key, *book.aliases):
            return book
    known = ", ".join(book.key for book in all_books())
    raise UnknownBook(f"there is no rule book {name!r}; known books: {known}")


@cache
def all_books() -> tuple[RuleBook, ...]:
    """Return every book that this package offers, by key."""
    files = resources.files("rules.books")
    names = sorted(entry.name for entry in files.iterdir() if entry.name.endswith(".toml"))
    return tuple(parse_book((files / name).read_text(encoding="utf-8")) for name in names)


def parse_book(text: str, *, base: RuleBook | None = None) -> RuleBook:
    """Read a rule book from TOML text.

    Args:
        text: the form of `rules/books/turnier.toml`. With `based_on = "<key>"` it
            need only state what differs from that book.
        base: the book that `based_on` means, when it is not one of the package's.

    Raises:
        BookError: no TOML, or not a complete and consistent book.
    """
    try:
        data = tomllib.loads(text)
    except ValueError as error:
        raise BookError(f"a rule book must be a TOML file: {error}") from error
    except RecursionError:
        raise BookError("a rule book must be a TOML file; this one is nested too deeply") from None
    check_form(text, data)
    parent = base if base is not None else _parent(text, data)
    try:
        book = _build(data, parent)
        if found := contradictions(book):
            raise BookError(f"rule book {book.key!r} contradicts itself: {'; '.join(found)}")
    except BookError as error:
        raise BookError(with_lines(text, data, str(error))) from error
    return book


def _parent(text: str, data: dict[str, Any]) -> RuleBook | None:
    """Take out of a book's data which book it is based on."""
    name = data.pop("based_on", None)
    if name is None:
        return None
    try:
        return find_book(name)
    except UnknownBook as error:
        raise BookError(f"line {line_of(text, '', 'based_on')}: based_on: {error}") from error


def own_book(text: str) -> RuleBook:
    """Read a pub's own book, to be played by and to be carried along in the log.

    Raises:
        BookError: no book, or one that is called as a book of the package.
    """
    book = parse_book(text)
    for known in all_books():
        own = {name.strip().casefold() for name in (book.key, *book.aliases)}
        taken = {known.key, *known.aliases} & own
        if taken:
            where = "key" if book.key.strip().casefold() in taken else "aliases"
            raise BookError(
                f"line {line_of(text, '', where)}: {where}: a book of your own needs a name of "
                f"its own, but {min(taken)!r} is taken"
            )
    return replace(book, text=text)


def _build(data: Mapping[str, Any], parent: RuleBook | None) -> RuleBook:
    inherited = {} if parent is None else dict(vars(parent))
    tables = {"names", "fields", "sections", "penalties"}
    values: dict[str, Any] = {k: v for k, v in data.items() if k not in {*tables, "based_on"}}
    values["aliases"] = tuple(data.get("aliases", ()))
    own = data.get("key", inherited.get("document"))  # never the base's: that is another text
    document = values["document"] = str(data.get("document", own))
    sources = dict(inherited.get("sources", {}))
    for name, entry in data.get("fields", {}).items():
        raw = entry.get("value") if isinstance(entry, Mapping) else None
        values[name] = tuple(raw) if isinstance(raw, list) else raw
        sources[name] = _source(document, name, entry)
    for name, topic in _RESTS_ON.items():  # what the base says of a figure that it does not have
        if name in data.get("fields", {}) and values[name] != inherited.get(name, values[name]):
            sources[topic] = sources[name]
    for name, entry in data.get("sections", {}).items():
        sources[name] = _source(document, name, entry)
    penalties = dict(inherited.get("penalties", {}))
    for name, entry in data.get("penalties", {}).items():
        penalties[name] = Penalty(
            outcome=entry.get("outcome", {}), source=_source(document, name, entry)
        )
    values |= {"sources": sources, "penalties": penalties}
    try:
        if "names" in data:
            names = CategoryNames() if parent is None else parent.names
            values["names"] = replace(names, **data["names"])
        return RuleBook(**{**inherited, **values})
    except TypeError as error:
        raise BookError(f"rule book {data.get('key')!r} does not fit: {error}") from error


def _source(document: str, name: str, entry: Any) -> Source:
    if isinstance(entry, Mapping):
        for basis in BASES:
            if isinstance(entry.get(basis), str):
                return Source(document=document, section=entry[basis], basis=basis)
    raise BookError(
        f"{name!r} must be a table with 'text', 'interpretation' or 'default' that says where "
        f"it comes from, but got {entry!r}"
    )
