"""The cash book of a game: every amount that somebody owes, posted by itself, with its section.

It follows from the match as it stands, so that a correction corrects it, too. Which amounts there
are is data of the book (rows M2 to M5 of the rule matrix); a book without money has none. What a
whole tournament costs (M1) is no game's affair.
"""

from collections.abc import Iterator
from dataclasses import asdict, dataclass
from typing import Any

from rules.events import FaultReported, Thrown
from rules.fees import FEE_FAULTS, loss_items
from rules.state import MatchState

WHAT = {
    "schock_aus_koenig_eur": (
        "Schock aus in einem Wurf, für den guten Zweck",
        "Schock out in one throw, for a good cause",
    ),
    "three_dice_start_fee_eur": ("mit drei Würfeln angefangen", "began with three dice"),
    "loss_fee_eur": ("Spiel verloren", "game lost"),
    "sweep_fee_eur": ("beide Hälften verloren", "both halves lost"),
    "cl_fee_per_schock_aus_eur": (
        "ein Schock aus der Runde, die das Spiel entschied",
        "a Schock out of the round that decided the game",
    ),
}
"""What an amount is for, by the field of the book that sets it: German and English."""


@dataclass(frozen=True)
class CashItem:
    """One amount.

    Attributes:
        player: who owes it.
        eur: whole euros.
        what: the field of the book that sets it, a key of `WHAT`.
        box: where it goes; "" if the book does not say.
        section: what it rests on.
    """

    player: str
    eur: int
    what: str
    box: str
    section: str

    @property
    def text_de(self) -> str:
        """What it is for, in German."""
        return WHAT[self.what][0]

    @property
    def text_en(self) -> str:
        """What it is for, in English."""
        return WHAT[self.what][1]

    def to_json(self) -> dict[str, Any]:
        """The item as a JSON-able object, with its words."""
        return {**asdict(self), "text_de": self.text_de, "text_en": self.text_en}


def cash_book(state: MatchState) -> tuple[CashItem, ...]:
    """Return what this game costs whom so far, in the order in which it fell due."""
    book = state.book
    return tuple(
        CashItem(player, amount, what, book.fee_box, book.cite(what))
        for player, what in _due(state)
        if (amount := getattr(book, what))
    )


def _due(state: MatchState) -> Iterator[tuple[str, str]]:
    """Who owes something, and the field of the book that says how much."""
    for event in state.record:
        if isinstance(event, FaultReported) and event.fault in FEE_FAULTS:
            yield event.player, FEE_FAULTS[event.fault]
        elif isinstance(event, Thrown) and event.from_hand and event.dice == (1, 1, 1):
            yield event.player, "schock_aus_koenig_eur"
    if state.game_loser is not None and state.lost_by is not None:
        for what in loss_items(state.book, state.lost_by, schock_aus=state.lost_with):
            yield state.game_loser, what
