"""Judge faults that the state of the table belongs to: Doofmann, drops, lost rounds, specials."""

from collections.abc import Callable, Mapping
from typing import Any, get_args

from rules.book import RuleBook, Weekday
from rules.champions import decides_game, schock_aus_count
from rules.errors import MalformedRecord
from rules.fees import fee_topics, loss_fee
from rules.judge_input import Fields
from rules.judge_settle import check_goes_on
from rules.judge_taking import PARTS, concede, voluntary_take
from rules.ranking import Result, figure_of, rank
from rules.settlement import Settlement, pay_doofmann

ONLY_SCHOCK_AUS = "only_schock_aus"
"""A round that counts only if a Schock aus falls (statuten §17b)."""

_DAYS_DE = ("montag", "dienstag", "mittwoch", "donnerstag", "freitag", "samstag", "sonntag")
WEEKDAYS: Mapping[str, str] = {
    **{day: day for day in get_args(Weekday)},
    **dict(zip(_DAYS_DE, get_args(Weekday), strict=True)),
}
"""Names of days, German and English, and how a match knows them."""


def round_lost_by_fault(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Settle a round that an offender loses; the others decide the value (row F3).

    Of two offenders the later one loses, and the dice of both are ignored (J9).
    """
    offenders, results = _offenders(asked), asked.results(book)
    others = tuple(result for result in results if result.player not in offenders)
    guilty = [result.player for result in results if result.player in offenders]
    if not others or (len(offenders) > 1 and len(guilty) != len(offenders)):
        raise MalformedRecord(f"the results must be those of {list(offenders)} and of others")
    ranking = rank(book, others)
    return {
        "winner": ranking.winner,
        "loser": guilty[-1] if guilty else offenders[0],  # packed up: no dice of his lie there
        "deckel": ranking.deckel,
        "rule": book.cite("round_lost_by_fault", "settlement", *ranking.topics),
    }


def _offenders(asked: Fields) -> tuple[str, ...]:
    """Who has done it: `offender` (or `player`) is one name, `offenders` a list."""
    if asked.has("offenders"):
        return asked.names("offenders")
    name = asked.first("offender", "player")
    return asked.names(name) if isinstance(asked.values.get(name), list) else (asked.text(name),)


def drop_die(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what a dropped die costs; in some books the second one costs the part (row F7)."""
    penalty = book.penalties["drop_die"]
    nth = asked.first("nth_in_this_half", "nth_in_this_final", "nth_in_this_part", "nth")
    times = asked.number(nth, least=1) if asked.has(nth) else 1
    if book.drop_die == "drinks_then_lose_part" and times > 1:
        outcome: Mapping[str, Any] = {"throw": None, "loses_part": True, "drink_round": False}
    else:
        outcome = penalty.outcome
    topics = ("drop_die", "drop_repeat") if outcome["throw"] == "repeat" else ("drop_die",)
    return {**outcome, "rule": book.cite(*topics)}


def _doofmann_fault(event: str) -> Callable[[RuleBook, Fields], dict[str, Any]]:
    def judge(book: RuleBook, asked: Fields) -> dict[str, Any]:
        """Say what the fault costs, and where the Doofmanndeckel comes from if there is one."""
        penalty = book.penalties[event]
        answer = {**penalty.outcome, "rule": penalty.source.cite()}
        if not penalty.outcome.get("doofmanndeckel") or not asked.has("holdings"):
            return answer
        stock, holdings = asked.number("stock", least=0), asked.counts("holdings")
        in_round = asked.flag("round_in_progress", default=True)
        name = asked.text(asked.first("player", "doofmann", "offender"))
        paid = _paid(book, stock, holdings, name, in_round=in_round)
        return {**answer, **paid, "rule": f"{answer['rule']}; {paid['rule']}"}

    return judge


def doofmann(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Give a Doofmanndeckel (rows D1 to D6)."""
    _needs_doofmann(book)
    stock, holdings = asked.number("stock", least=0), asked.counts("holdings")
    in_round = asked.flag("round_in_progress", default=False)
    answer: dict[str, Any] = {}
    name, times = asked.text(asked.first("doofmann", "player")), asked.first("offences", "count")
    for _ in range(asked.number(times, least=1, most=13) if asked.has(times) else 1):
        if answer and answer["half_over"]:
            break
        paid = _paid(book, stock, holdings, name, in_round=in_round)
        stock, holdings = paid["stock"], paid["holdings"]
        answer = _together(answer, paid) if answer else paid
    return answer


def _together(before: dict[str, Any], after: dict[str, Any]) -> dict[str, Any]:
    """Add up two Doofmanndeckel of one player; once a round is marked it stays so."""
    marks = {before["round_counts"], after["round_counts"]}
    return {
        **after,
        "from": [*before["from"], *after["from"]],
        "moved": before["moved"] + after["moved"],
        "round_counts": ONLY_SCHOCK_AUS if ONLY_SCHOCK_AUS in marks else True,
        "rule": "; ".join(dict.fromkeys([before["rule"], after["rule"]])),
    }


def reentry(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Let a player back in who is out of the part, for a Doofmanndeckel (row E4)."""
    name = asked.text(asked.first("player", "doofmann"))
    stock, holdings = asked.number("stock", least=0), asked.counts("holdings")
    if name not in holdings:
        raise MalformedRecord(f"{name!r} is none of the players {list(holdings)}")
    allowed = book.reentry and stock == 0 and holdings[name] == 0
    if not allowed:
        return {"allowed": False, "rule": book.cite("reentry")}
    paid = _paid(book, stock, holdings, name, in_round=False)
    return {"allowed": True, **paid, "rule": f"{book.cite('reentry')}; {paid['rule']}"}


def _paid(
    book: RuleBook, stock: int, holdings: Mapping[str, int], name: str, *, in_round: bool
) -> dict[str, Any]:
    check_goes_on(book, stock, holdings)
    paid = pay_doofmann(book, stock=stock, holdings=holdings, doofmann=name)
    last = in_round and stock == 1
    return {
        "stock": paid.stock,
        "holdings": dict(paid.holdings),
        "from": ["stock" if item.giver is None else item.giver for item in paid.transfers],
        "moved": paid.moved,
        "out": [] if last else list(paid.out),  # that round is played to its end
        "half_over": paid.part_loser is not None,
        "half_loser": paid.part_loser,
        "round_counts": ONLY_SCHOCK_AUS if last else True,
        "rule": book.cite(*_doofmann_topics(paid, last=last)),
    }


def _doofmann_topics(paid: Settlement, *, last: bool) -> tuple[str, ...]:
    if last:
        return ("doofmann_from_stock", "doofmann_last_of_stock")
    from_stock = any(item.giver is None for item in paid.transfers)
    return ("doofmann_from_stock" if from_stock else "doofmann_from_players",)


def _needs_doofmann(book: RuleBook) -> None:
    if not book.doofmann:
        raise MalformedRecord(f"the book {book.key!r} has no Doofmanndeckel")


def round_after_last_doofmanndeckel(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say whether a round counts whose course took the last Deckel of the stock (row D2)."""
    _needs_doofmann(book)
    results = asked.results(book)
    ranking = rank(book, results)
    counts = ranking.deckel == "all"
    return {
        "counts": counts,
        "winner": ranking.winner if counts else None,
        "loser": ranking.loser if counts else None,
        "deckel": "all" if counts else 0,
        "next_starter": ranking.loser if counts else results[0].player,
        "rule": book.cite("doofmann_last_of_stock", *(("schock_aus",) if counts else ())),
    }


def replacement_throw(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Value the single open throw that replaces a turn (rows F1, F2, S4)."""
    _needs_doofmann(book)
    dice = asked.dice("dice", least=3)
    counts_limit = book.replacement_counts_as == "limit"
    throws = asked.number("limit", least=1, most=book.max_throws) if counts_limit else 1
    figure = figure_of(book, Result("?", dice, throws, from_hand=True).dice, from_hand=True)
    return {
        "throws": throws,
        "from_hand": True,
        "shown": True,
        "may_throw_again": False,
        "may_turn": False,
        "category": figure.category,
        "name": figure.name,
        "deckel": figure.deckel,
        "rule": book.cite("replacement_counts_as"),
    }


def champions_league(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what the results of a round end: the part, the game, and what it costs (C3, C4)."""
    weekday = _weekday(asked)
    phase, results = asked.choice("phase", PARTS), asked.results(book)
    ranking, thrown = rank(book, results), schock_aus_count(book, results)
    if weekday is None and not asked.has("wednesday") and book.champions_league != "off":
        raise MalformedRecord("the question lacks 'weekday' (or 'wednesday'): it depends on it")
    decided = decides_game(book, schock_aus=thrown, weekday=weekday)
    part_over = thrown > 0
    game_over = decided or (part_over and phase == "final")
    return {
        "champions_league": decided,
        "schock_aus": thrown,
        "part_over": part_over,
        "part_loser": ranking.loser if part_over else None,
        "game_over": game_over,
        "winner": ranking.winner,
        "game_loser": ranking.loser if game_over else None,
        "fee_eur": loss_fee(book, "champions_league", schock_aus=thrown) if decided else 0,
        "rule": book.cite(
            "champions_league",
            *(fee_topics(book, "champions_league") if decided else ()),
            *(ranking.topics if part_over else ("schock_aus",)),
        ),
    }


def _weekday(asked: Fields) -> str | None:
    """The day, as `weekday` in German or English or as `wednesday`; None if nothing is said."""
    said = asked.optional_text("weekday")
    day = WEEKDAYS.get(said.casefold()) if said else None
    if said and day is None:
        raise MalformedRecord(f"'weekday' must be a day such as wednesday, but got {said!r}")
    if not asked.has("wednesday"):
        return day
    is_wednesday = asked.flag("wednesday")
    if day is not None and is_wednesday != (day == "wednesday"):
        raise MalformedRecord(f"'weekday' is {said!r}, but 'wednesday' says {is_wednesday}")
    return "wednesday" if is_wednesday else day


COMPUTED: Mapping[str, Callable[[RuleBook, Fields], dict[str, Any]]] = {
    "voluntary_take": voluntary_take,
    "concede": concede,
    "round_lost_by_fault": round_lost_by_fault,
    "drop_die": drop_die,
    "lift_early": _doofmann_fault("lift_early"),
    "too_many_throws": _doofmann_fault("too_many_throws"),
    "doofmann": doofmann,
    "reentry": reentry,
    "round_after_last_doofmanndeckel": round_after_last_doofmanndeckel,
    "replacement_throw": replacement_throw,
    "champions_league": champions_league,
}
"""Events whose answer is worked out; the others are answered from the book's penalties."""
