"""What losing costs, in whole euros (rows M2 to M4 and C3 of the rule matrix)."""

from typing import Literal

from rules.book import RuleBook

HowLost = Literal["final", "sweep", "champions_league"]
"""How a game was lost: in the final, by both halves, or by several Schock aus in a round."""


def loss_fee(book: RuleBook, how: HowLost, *, schock_aus: int = 0) -> int:
    """Return what the loser of a game pays.

    Args:
        book: the rule book.
        how: how the game was lost.
        schock_aus: how many Schock aus the deciding round had; for `champions_league`.

    Returns:
        Euros; 0 where the book knows no money. Whether the fee for a sweep or for the
        Champions League comes on top of the ordinary one is a switch of the book; where it
        has no fee of its own for that, the ordinary one is due: who has lost is the loser.
    """
    items = loss_items(book, how, schock_aus=schock_aus)
    return sum(int(getattr(book, item)) for item in items)


def loss_items(book: RuleBook, how: HowLost, *, schock_aus: int = 0) -> tuple[str, ...]:
    """Return what the loser of a game pays item by item: the fields of the book that say how much.

    Args:
        book: the rule book.
        how: how the game was lost.
        schock_aus: how many Schock aus the deciding round had: each is an item.
    """
    special, adds = _SPECIAL.get(how, ("", ""))
    if not special or not getattr(book, special):
        return ("loss_fee_eur",)
    times = schock_aus if how == "champions_league" else 1
    return (special,) * times + ("loss_fee_eur",) * bool(getattr(book, adds))


def fee_topics(book: RuleBook, how: HowLost) -> tuple[str, ...]:
    """Where a book says what losing in that way costs, for `RuleBook.cite`."""
    special = _SPECIAL.get(how, ())
    if not special:
        return ("loss_fee_eur",)
    return special if getattr(book, special[0]) else (*special, "loss_fee_eur")


_SPECIAL: dict[HowLost, tuple[str, str]] = {
    "sweep": ("sweep_fee_eur", "sweep_adds_to_loss_fee"),
    "champions_league": ("cl_fee_per_schock_aus_eur", "cl_adds_to_loss_fee"),
}
"""Ways of losing with a fee of their own, and whether the ordinary fee comes on top."""

FEE_FAULTS: dict[str, str] = {"three_dice_start": "three_dice_start_fee_eur"}
"""Faults that only cost money, and the field of the book that says how much (row M4)."""
