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
        Champions League comes on top of the ordinary one is a switch of the book.
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
    if how == "sweep":
        return ("sweep_fee_eur",) + ("loss_fee_eur",) * book.sweep_adds_to_loss_fee
    if how == "champions_league":
        each = ("cl_fee_per_schock_aus_eur",) * schock_aus
        return each + ("loss_fee_eur",) * book.cl_adds_to_loss_fee
    return ("loss_fee_eur",)


FEE_FAULTS: dict[str, str] = {"three_dice_start": "three_dice_start_fee_eur"}
"""Faults that only cost money, and the field of the book that says how much (row M4)."""

FEE_TOPICS: dict[HowLost, tuple[str, ...]] = {
    "final": ("loss_fee_eur",),
    "sweep": ("sweep_fee_eur", "sweep_adds_to_loss_fee"),
    "champions_league": ("cl_fee_per_schock_aus_eur", "cl_adds_to_loss_fee"),
}
"""Where a book says what losing in that way costs, for `RuleBook.cite`."""
