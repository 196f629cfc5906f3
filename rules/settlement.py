"""Who pays whom: the settlement of a round (rows A1 to A7, E1 to E3, E5).

First the stock pays, and only what it has; once it is empty the winner pays, and
only what he has. A Schock aus brings everything to the loser. Stock and holdings
together are always the total.
"""

from collections.abc import Mapping
from dataclasses import dataclass

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.results import Deckel


@dataclass(frozen=True)
class Transfer:
    """Deckel that went from `giver` (None: the stock) to the loser; always at least one."""

    giver: str | None
    count: int


@dataclass(frozen=True)
class Settlement:
    """What a settled round leaves behind.

    Attributes:
        stock: Deckel in the common supply afterwards.
        holdings: Deckel per player afterwards, in the order given.
        transfers: where the loser's Deckel came from.
        out: players without Deckel while the stock is empty, unless the part is over.
        part_loser: who holds everything, or None while the part goes on.
    """

    stock: int
    holdings: Mapping[str, int]
    transfers: tuple[Transfer, ...]
    out: tuple[str, ...]
    part_loser: str | None

    @property
    def moved(self) -> int:
        """How many Deckel the loser received."""
        return sum(transfer.count for transfer in self.transfers)


def settle(
    book: RuleBook,
    *,
    stock: int,
    holdings: Mapping[str, int],
    winner: str,
    loser: str,
    value: Deckel,
) -> Settlement:
    """Settle a round.

    Args:
        book: the rule book.
        stock: Deckel in the common supply.
        holdings: Deckel per player of the part.
        winner: who threw the highest; pays when the stock is empty.
        loser: who threw the lowest.
        value: what the highest is worth, or "all".

    Raises:
        MalformedRecord: winner and loser are not two of the players, or a number
            is impossible.
    """
    _check(stock, holdings, winner, loser, value)
    transfers = _transfers(stock, holdings, winner, loser, value)
    after = dict(holdings)
    for transfer in transfers:
        after[loser] += transfer.count
        if transfer.giver is None:
            stock -= transfer.count
        else:
            after[transfer.giver] -= transfer.count
    over = stock == 0 and after[loser] == sum(after.values())
    leave = stock == 0 and not over and book.zero_after_stock == "out"
    return Settlement(
        stock=stock,
        holdings=after,
        transfers=transfers,
        out=tuple(player for player in after if after[player] == 0) if leave else (),
        part_loser=loser if over else None,
    )


def _transfers(
    stock: int, holdings: Mapping[str, int], winner: str, loser: str, value: Deckel
) -> tuple[Transfer, ...]:
    if value == "all":
        givers = [Transfer(None, stock)]
        givers += [Transfer(p, count) for p, count in holdings.items() if p != loser]
    elif stock > 0:
        givers = [Transfer(None, min(stock, value))]
    else:
        givers = [Transfer(winner, min(holdings[winner], value))]
    return tuple(transfer for transfer in givers if transfer.count > 0)


def _check(stock: int, holdings: Mapping[str, int], winner: str, loser: str, value: Deckel) -> None:
    for player in (winner, loser):
        if player not in holdings:
            raise MalformedRecord(f"{player!r} is none of the players {list(holdings)}")
    if winner == loser:
        raise MalformedRecord(f"winner and loser must be two players, but both are {winner!r}")
    counts = {"stock": stock, **{f"holding of {p}": count for p, count in holdings.items()}}
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise MalformedRecord(f"{name} must be a whole number from 0, but got {count!r}")
    if value != "all" and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise MalformedRecord(f'value must be "all" or a number from 1, but got {value!r}')
