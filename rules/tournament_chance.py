"""Lots that only a seed decides: the same everywhere, so that a draw can be proved again.

SHA-256 in counter mode, as the standard library has it everywhere; `random` would be chance that
this package does not know, and its methods may change with the version of Python.
"""

from collections.abc import Iterator, Sequence
from hashlib import sha256
from typing import TypeVar

Item = TypeVar("Item")

WORD_BYTES = 4
WORD_LIMIT = 1 << (8 * WORD_BYTES)


class Chance:
    """Numbers drawn one after the other from a seed; another seed gives other numbers.

    >>> Chance("Kirmes").shuffled("ABCDE") == Chance("Kirmes").shuffled("ABCDE")
    True
    """

    def __init__(self, seed: str) -> None:
        self._words = _words(seed)

    def below(self, limit: int) -> int:
        """Draw a number from 0 to `limit` - 1, each as likely as the others.

        Args:
            limit: from 1 to 2**32.
        """
        fair = WORD_LIMIT - WORD_LIMIT % limit
        while (word := next(self._words)) >= fair:
            pass  # the last, incomplete stretch would favour the small numbers
        return word % limit

    def shuffled(self, items: Sequence[Item]) -> list[Item]:
        """Return the items in a drawn order, each order as likely as the others (Fisher-Yates)."""
        drawn = list(items)
        for last in range(len(drawn) - 1, 0, -1):
            at = self.below(last + 1)
            drawn[at], drawn[last] = drawn[last], drawn[at]
        return drawn


def lot(seed: str, name: str) -> int:
    """Return the number of a player's lot: whoever has the smaller one is ahead."""
    return int.from_bytes(sha256(f"{seed}\n{name}".encode()).digest(), "big")


def _words(seed: str) -> Iterator[int]:
    block = 0
    while True:
        digest = sha256(f"{block}\n{seed}".encode()).digest()
        for at in range(0, len(digest), WORD_BYTES):
            yield int.from_bytes(digest[at : at + WORD_BYTES], "big")
        block += 1
