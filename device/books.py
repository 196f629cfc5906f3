"""Rule books by name, or a pub's own one from its file."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from device.errors import SourceError
from rules import BookError, RuleBook, find_book
from rules.library import own_book

SUFFIX = ".toml"


def book_named(name: str) -> RuleBook:
    """The book of that name; a name that ends in `.toml` is a file with a pub's own one.

    Raises:
        UnknownBook: no such book.
        SourceError: the file cannot be read, or holds no rule book; the message tells the line.
    """
    if not name.endswith(SUFFIX):
        return find_book(name)
    try:
        return own_book(Path(name).read_text(encoding="utf-8-sig"))
    except (OSError, UnicodeDecodeError) as error:
        raise SourceError(f"The rule book {name} cannot be read: {error}.") from error
    except BookError as error:
        raise SourceError(f"{name}: {error}.") from error


def own_books(names: Iterable[str]) -> tuple[RuleBook, ...]:
    """The pub's own ones among some books; errors as of `book_named`."""
    return tuple(book_named(name) for name in names if name.endswith(SUFFIX))
