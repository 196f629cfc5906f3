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
    if how == "sweep":
        return book.sweep_fee_eur + book.sweep_adds_to_loss_fee * book.loss_fee_eur
    if how == "champions_league":
        extra = schock_aus * book.cl_fee_per_schock_aus_eur
        return extra + book.cl_adds_to_loss_fee * book.loss_fee_eur
    return book.loss_fee_eur


FEE_TOPICS: dict[HowLost, tuple[str, ...]] = {
    "final": ("loss_fee_eur",),
    "sweep": ("sweep_fee_eur", "sweep_adds_to_loss_fee"),
    "champions_league": ("cl_fee_per_schock_aus_eur", "cl_adds_to_loss_fee"),
}
"""Where a book says what losing in that way costs, for `RuleBook.cite`."""
