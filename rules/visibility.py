"""Which throw lies uncovered (rows T4 to T12 of the rule matrix)."""

from collections.abc import Mapping
from typing import Literal

from rules.book import RuleBook

Role = Literal["first", "follower"]

_THIRD: Mapping[int, frozenset[int]] = {
    1: frozenset(),
    2: frozenset(),
    3: frozenset({3}),
}
_LAST: Mapping[int, frozenset[int]] = {
    1: frozenset({1}),
    2: frozenset({2}),
    3: frozenset({3}),
}
_THIRD_AND_SECOND: Mapping[int, frozenset[int]] = {
    1: frozenset(),
    2: frozenset({2}),
    3: frozenset({3}),
}

COVERED_FOLLOWER: Mapping[str, Mapping[int, frozenset[int]]] = {
    "third_only": _THIRD,
    "last_of_followers_and_third": _LAST,
    "third_and_second_of_followers": _THIRD_AND_SECOND,
}
"""Covered throws of a follower: ``COVERED_FOLLOWER[book.covered][limit]``."""

COVERED_FIRST = frozenset({3})
"""Covered throws of the first player: the third, in every book (row T5)."""


def is_shown(
    book: RuleBook, *, role: Role, limit: int | None, throw_no: int, seen: bool | None = None
) -> bool:
    """Tell whether a throw lies uncovered right after it was made.

    Args:
        book: the rule book.
        role: the first player of the round, or one of the others.
        limit: throws set by the first player; None for himself.
        throw_no: number of the throw, 1 to 3.
        seen: whether the player has looked at it; None if that is not known, then
            an open throw counts as looked at.

    Returns:
        True if everybody may see it.
    """
    if seen is False:
        return False
    if seen is True and book.seen_must_be_shown:
        return True
    if role == "first":
        return throw_no not in COVERED_FIRST
    return throw_no not in COVERED_FOLLOWER[book.covered][limit or book.max_throws]
