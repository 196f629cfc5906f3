"""Judge what happens around a round: start, settlement, half, game."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from rules import opening
from rules.book import RuleBook
from rules.errors import MalformedRecord, Refused
from rules.judge_input import Fields
from rules.opening import OPENING_DICE, new_opening
from rules.ranking import over_limit, rank
from rules.results import Deckel
from rules.settlement import Settlement, hardcore_value, settle

METHODS: Mapping[str, str] = {
    "single_die": "single_die",
    "three_dice": "three_dice_round",
    "three_dice_round": "three_dice_round",
}


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


def _round_of(book: RuleBook, entry: Fields) -> tuple[str, str, Deckel, tuple[str, ...]]:
    """Read who pays whom how much, as given or from the results of the round."""
    hardcore = entry.flag("hardcore", default=False)
    if hardcore and book.hardcore_first_round == "off":
        raise MalformedRecord(f"the book {book.key!r} has no hardcore rounds")
    if hardcore and not entry.has("results"):
        raise MalformedRecord("a hardcore round needs 'results', because each of them counts")
    if entry.has("results"):
        results = entry.results()
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
        taking_part = {winner, loser}
        if entry.has("results"):
            taking_part = {result.player for result in entry.results()}
        for name in self.out:
            if name in taking_part:
                raise MalformedRecord(
                    f"{name!r} takes part in round {len(self.starters) + 1}, but is already out"
                )
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


def judge_game(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what follows from the losers of the halves: sweep, or a final and who starts it."""
    players = asked.names("players") if asked.has("players") else None
    first = asked.text("half1_loser")
    second, last = asked.optional_text("half2_loser"), asked.optional_text("final_loser")
    for name in (first, second, last):
        if players is not None and name is not None and name not in players:
            raise MalformedRecord(f"{name!r} is none of the players {list(players)}")
    starter = _half2_starter(book, asked, first)
    if players is not None and starter not in players:
        raise MalformedRecord(f"{starter!r} is none of the players {list(players)}")
    answer: dict[str, Any] = {
        "final": None,
        "finalists": [],
        "sweep": None,
        "half2_starter": starter,
        "final_starter": None,
        "game_loser": None,
    }
    if second is None:
        if last is not None:
            raise MalformedRecord("a final has a loser, but 'half2_loser' is not known")
        return {**answer, "rule": book.cite("half2_starter")}
    if first == second:
        if last is not None:
            raise MalformedRecord(f"there is no final, because {first!r} has lost both halves")
        answer |= {"final": False, "sweep": book.sweep_name or None, "game_loser": first}
        return {**answer, "rule": book.cite("sweep")}
    third = [last] if last not in (None, first, second) else []
    if third and not book.reentry:  # statuten §8, §19: "Finalspiele mit drei Mitspielern"
        raise MalformedRecord(f"{last!r} cannot lose a final between {first!r} and {second!r}")
    starters = {"loser_half1": first, "loser_half2": second}
    answer |= {
        "final": True,
        "finalists": [first, second, *third],
        "final_starter": starters[book.final_starter],
        "game_loser": last,
    }
    topics = ["final_players", "final_starter", "game_loser", *(["reentry"] if third else [])]
    topics += ["half2_starter"] if starter != first else []
    return {**answer, "rule": book.cite(*topics)}


def _half2_starter(book: RuleBook, asked: Fields, loser: str) -> str:
    """Return who leads half 2: its loser, or in some books whom he has chosen (row S7)."""
    chosen = asked.optional_text("half2_starter_chosen") or loser
    if chosen != loser and book.half2_starter != "chosen_by_loser_half1":
        raise MalformedRecord(
            f"in the book {book.key!r} half 2 is led by the loser of half 1, {loser!r}, "
            f"who may not choose {chosen!r}"
        )
    return chosen


def judge_start(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Follow the throws for the start of a game, first of all players, then of the tied."""
    if asked.has("method"):
        method = METHODS[asked.choice("method", tuple(METHODS))]
        if method != book.start:
            raise MalformedRecord(
                f"the book {book.key!r} starts a game by {book.start!r}, not by {method!r}"
            )
    rolls = asked.objects("rolls")
    if not rolls or not rolls[0].values:
        raise MalformedRecord("'rolls' must begin with the throws of all players")
    state = new_opening(book, _names(rolls[0]))
    ended = opening.Outcome(tied=state.contenders)
    for at, entry in enumerate(rolls):
        if not ended.tied:
            raise MalformedRecord(f"the start was already decided before pass {at + 1}")
        state = _pass(state if at == 0 else opening.rethrow(state, ended.tied), entry, at)
        ended = opening.outcome(state)
    rule = book.cite("start", "opening_tie") if len(rolls) > 1 else book.cite("start")
    if ended.tied:
        return {"starter": None, "tied": list(ended.tied), "rule": book.cite("opening_tie")}
    if ended.loser is None:
        return {"starter": ended.starter, "next_starter": ended.starter, "rule": rule}
    return {
        "starter": ended.starter,
        "winner": ended.winner,
        "loser": ended.loser,
        "deckel": ended.deckel,
        "next_starter": ended.starter,
        "half_over": ended.deckel == "all",
        "half_loser": ended.loser if ended.deckel == "all" else None,
        "rule": rule,
    }


def _names(entry: Fields) -> tuple[str, ...]:
    names = tuple(entry.values)
    if len(names) < 2 or not all(isinstance(name, str) and name for name in names):
        raise MalformedRecord(f"a start needs at least two named players, but got {list(names)}")
    return names


def _pass(state: opening.Opening, entry: Fields, at: int) -> opening.Opening:
    if set(entry.values) != set(state.waiting):
        raise MalformedRecord(
            f"pass {at + 1} must be thrown by {list(state.waiting)}, but got {list(entry.values)}"
        )
    wanted = OPENING_DICE[state.book.start]
    for player in state.waiting:
        roll = entry.need(player)
        listed = Fields({player: [roll] if isinstance(roll, int) else roll})
        try:
            state = opening.add_throw(state, player, listed.dice(player, least=wanted, most=wanted))
        except Refused as refused:
            raise MalformedRecord(refused.text_en) from refused
    return state
