"""Judge settlements: one round on given holdings, or a half round by round."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.judge_input import Fields
from rules.ranking import over_limit, rank
from rules.results import Deckel
from rules.settlement import Settlement, hardcore_value, settle


def judge_settle(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Settle one round on given holdings."""
    stock, holdings = asked.number("stock", least=0), asked.counts("holdings")
    total = asked.number("total", least=1) if asked.has("total") else book.deckel_total
    if stock + sum(holdings.values()) != total:
        raise MalformedRecord(
            f"stock and holdings make {stock + sum(holdings.values())} Deckel, but there are "
            f"{total}"
        )
    winner, loser, value, topics = _round_of(book, asked)
    check_goes_on(book, stock, holdings)
    taking_part = _taking_part(book, asked, winner, loser)
    out = [name for name in taking_part if not stock and not holdings.get(name, 1)]
    if out and not emptied_meanwhile(book, value):
        raise MalformedRecord(
            f"the stock is empty and {out[0]!r} has no Deckel: he is out "
            f"({book.cite('stays_in', 'zero_after_stock')}) and takes no part in the round"
        )
    topics = (*topics, *(["doofmann_last_of_stock"] if out else []))
    settled = settle(book, stock=stock, holdings=holdings, winner=winner, loser=loser, value=value)
    return {
        "winner": winner,
        "loser": loser,
        "stock": settled.stock,
        "holdings": dict(settled.holdings),
        "moved": settled.moved,
        "out": list(settled.out),
        "half_over": settled.part_loser is not None,
        "half_loser": settled.part_loser,
        "rule": book.cite(*topics, *_settlement_topics(settled, value)),
    }


def emptied_meanwhile(book: RuleBook, value: Deckel) -> bool:
    """Whether a Doofmanndeckel may have been the last of the stock while the round went on.

    Who has none then plays on to the end of the round; it counts only with a Schock aus (row D2).
    """
    return book.doofmann and value == "all"


def check_goes_on(book: RuleBook, stock: int, holdings: Mapping[str, int]) -> None:
    """Refuse a table at which the half is already over: then nothing is given any more.

    Raises:
        MalformedRecord: somebody holds everything.
    """
    for name, count in holdings.items():
        if count and count == stock + sum(holdings.values()):
            raise MalformedRecord(
                f"{name!r} holds all {count} Deckel: the half is over ({book.cite('part_lost')})"
            )


def _taking_part(book: RuleBook, entry: Fields, winner: str, loser: str) -> tuple[str, ...]:
    """Who has thrown in a round, in throwing order; of some rounds only two are told."""
    if entry.has("results"):
        return tuple(result.player for result in entry.results(book))
    return winner, loser


def _round_of(book: RuleBook, entry: Fields) -> tuple[str, str, Deckel, tuple[str, ...]]:
    """Read who pays whom how much, as given or from the results of the round."""
    hardcore = entry.flag("hardcore", default=False)
    if hardcore and book.hardcore_first_round == "off":
        raise MalformedRecord(f"the book {book.key!r} has no hardcore rounds")
    if hardcore and not entry.has("results"):
        raise MalformedRecord("a hardcore round needs 'results', because each of them counts")
    if entry.has("results"):
        results = entry.results(book)
        for name in over_limit(results):
            raise MalformedRecord(
                f"{name!r} has more throws than {results[0].player!r} has set: a fault; ask for "
                "its penalty 'too_many_throws' first"
            )
        ranking = rank(book, results)
        value = hardcore_value(book, ranking.order[:-1]) if hardcore else ranking.deckel
        _same_as_said(entry, {"winner": ranking.winner, "loser": ranking.loser, "value": value})
        first = ["settlement", "hardcore_first_round"] if hardcore else ["settlement"]
        return ranking.winner, ranking.loser, value, (*first, *ranking.topics)
    given = entry.deckel("value")
    topics = ("settlement", "schock_aus") if given == "all" else ("settlement",)
    return entry.text("winner"), entry.text("loser"), given, topics


def _same_as_said(entry: Fields, worked_out: Mapping[str, Any]) -> None:
    for name, value in worked_out.items():
        if entry.has(name) and entry.values[name] != value:
            raise MalformedRecord(
                f"by the results {name!r} is {value!r}, but {entry.values[name]!r} is given"
            )


def _settlement_topics(settled: Settlement, value: Deckel) -> tuple[str, ...]:
    topics = [] if value == "all" else ["stock"]
    from_stock = any(transfer.giver is None for transfer in settled.transfers)
    if value != "all" and settled.moved < value and not from_stock:
        topics.append("winner_short")
    if settled.part_loser is not None:
        topics.append("part_lost")
    givers = {transfer.giver for transfer in settled.transfers}
    if givers & set(settled.out):
        topics.append("zero_after_stock")
    if set(settled.out) - givers:
        topics.append("stays_in")
    return tuple(topics)


@dataclass
class _Half:
    """A half while it is being counted, round by round."""

    book: RuleBook
    stock: int
    holdings: Mapping[str, int]
    next_starter: str
    starters: list[str] = field(default_factory=list)
    out: tuple[str, ...] = ()
    loser: str | None = None
    topics: list[str] = field(default_factory=list)

    def play(self, entry: Fields) -> None:
        """Count one round."""
        winner, loser, value, topics = _round_of(self.book, entry)
        self._check(entry, _taking_part(self.book, entry, winner, loser))
        settled = settle(
            self.book,
            stock=self.stock,
            holdings=self.holdings,
            winner=winner,
            loser=loser,
            value=value,
        )
        self.starters.append(self.next_starter)
        self.stock, self.holdings, self.out = settled.stock, settled.holdings, settled.out
        self.loser, self.next_starter = settled.part_loser, loser
        self.topics += [*topics, *_settlement_topics(settled, value)]

    def _check(self, entry: Fields, names: tuple[str, ...]) -> None:
        """Refuse a round that cannot have been the next one of this half."""
        number = len(self.starters) + 1
        for name in self.out:
            if name in names:
                raise MalformedRecord(f"{name!r} takes part in round {number}, but is already out")
        if number > 1 and entry.flag("hardcore", default=False):
            rule = self.book.cite("hardcore_first_round")
            raise MalformedRecord(f"round {number} is hardcore, but only a first one is ({rule})")
        if not entry.has("results"):
            return
        if names[0] != self.next_starter:
            rule = self.book.cite("next_starter")
            raise MalformedRecord(
                f"round {number} is begun by {self.next_starter!r} ({rule}), but its results begin "
                f"with {names[0]!r}; name them in throwing order"
            )
        missing = [name for name in self.holdings if name not in (*self.out, *names)]
        if missing:
            raise MalformedRecord(f"round {number} lacks the result of {missing[0]!r}")


def judge_half(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Count a half round by round, until somebody holds everything."""
    players, starter = asked.names("players"), asked.text("starter")
    if starter not in players:
        raise MalformedRecord(f"the starter {starter!r} is none of the players {list(players)}")
    total = asked.number("total", least=1) if asked.has("total") else book.deckel_total
    half = _Half(book, *_begun(asked, players, total), starter)
    for entry in asked.objects("rounds"):
        if half.loser is None:
            half.play(entry)
    return {
        "over": half.loser is not None,
        "loser": half.loser,
        "rounds_used": len(half.starters),
        "stock": half.stock,
        "holdings": dict(half.holdings),
        "out": list(half.out),
        "starters": half.starters,
        "next_starter": half.next_starter,
        "rule": book.cite(*half.topics, "next_starter"),
    }


def _begun(asked: Fields, players: Sequence[str], total: int) -> tuple[int, dict[str, int]]:
    """Stock and holdings that a half begins with: after an opening round some are dealt out."""
    if not asked.has("holdings"):
        stock = asked.number("stock", least=total, most=total) if asked.has("stock") else total
        return stock, dict.fromkeys(players, 0)
    holdings = asked.counts("holdings")
    if set(holdings) - set(players):
        raise MalformedRecord(f"'holdings' names {list(holdings)}, the players are {list(players)}")
    holdings = {name: holdings.get(name, 0) for name in players}
    stock = total - sum(holdings.values())
    if stock < 0 or (asked.has("stock") and asked.number("stock", least=0) != stock):
        raise MalformedRecord(f"stock and holdings must make {total} Deckel")
    return stock, holdings
