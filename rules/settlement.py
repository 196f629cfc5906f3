"""Who pays whom: the settlement of a round (rows A1 to A7, E1 to E3, E5).

First the stock pays, and only what it has; once it is empty the winner pays, and
only what he has. A Schock aus brings everything to the loser. Stock and holdings
together are always the total. Doofmanndeckel, a punishment beside the results (rows
D1 to D5, E4), come from the stock, too, and from the richest once it is empty.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.ranking import Result, value_of
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
    return _moved(book, stock, holdings, loser, transfers)


def pay_doofmann(
    book: RuleBook, *, stock: int, holdings: Mapping[str, int], doofmann: str
) -> Settlement:
    """Give a Doofmanndeckel: from the stock, else one from each of the richest others.

    Args:
        book: the rule book.
        stock: Deckel in the common supply.
        holdings: Deckel per player of the part.
        doofmann: who is punished; he never pays himself, even if he has the most.

    Raises:
        MalformedRecord: the Doofmann is none of the players, or a number is impossible.

    Source: statuten §17a, §17c-e.
    """
    _check_players(holdings, doofmann)
    _check_counts(stock, holdings)
    return _moved(book, stock, holdings, doofmann, doofmann_givers(stock, holdings, doofmann))


def doofmann_givers(stock: int, holdings: Mapping[str, int], doofmann: str) -> tuple[Transfer, ...]:
    """Return who gives the Doofmann a Deckel; see `pay_doofmann`."""
    if stock > 0:
        return (Transfer(None, 1),)
    others = {name: count for name, count in holdings.items() if name != doofmann}
    most = max(others.values(), default=0)
    return tuple(Transfer(name, 1) for name, count in others.items() if count == most > 0)


def hardcore_value(book: RuleBook, others: Sequence[Result]) -> Deckel:
    """Return what a hardcore round is worth: all results but the loser's together.

    Args:
        book: the rule book.
        others: the results of everybody but the loser.

    Source: statuten §18; with a Schock aus it is all of them anyway (§15).
    """
    total = 0
    for result in others:
        worth = value_of(book, result).deckel
        if worth == "all":
            return "all"
        total += worth
    return total


def _moved(
    book: RuleBook,
    stock: int,
    holdings: Mapping[str, int],
    loser: str,
    transfers: tuple[Transfer, ...],
) -> Settlement:
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
    _check_players(holdings, winner, loser)
    if winner == loser:
        raise MalformedRecord(f"winner and loser must be two players, but both are {winner!r}")
    _check_counts(stock, holdings)
    if value != "all" and (isinstance(value, bool) or not isinstance(value, int) or value < 1):
        raise MalformedRecord(f'value must be "all" or a number from 1, but got {value!r}')


def _check_players(holdings: Mapping[str, int], *players: str) -> None:
    for player in players:
        if player not in holdings:
            raise MalformedRecord(f"{player!r} is none of the players {list(holdings)}")


def _check_counts(stock: int, holdings: Mapping[str, int]) -> None:
    counts = {"stock": stock, **{f"holding of {p}": count for p, count in holdings.items()}}
    for name, count in counts.items():
        if isinstance(count, bool) or not isinstance(count, int) or count < 0:
            raise MalformedRecord(f"{name} must be a whole number from 0, but got {count!r}")
