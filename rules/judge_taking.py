"""Judge who takes the Deckel of a round without having thrown for them (rows A9, A10, C5)."""

from typing import Any

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.fault_outcomes import NO_CONCEDING
from rules.judge_input import Fields

PARTS = ("half1", "half2", "final")

_TOPICS = {"stock_empty": ("voluntary_take", "voluntary_take_source")}
"""What a reason against taking rests on, where that is more than the rule on taking."""


def voluntary_take(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """May a player take the Deckel without throwing? Where he may, that is conceding, too."""
    return concede(book, asked) if book.voluntary_take else _taking(book, asked)


def concede(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """May a player give a round away? Only where Deckel may be taken, and some books forbid more.

    Raises:
        MalformedRecord: whether he may depends on what the question does not say.
    """
    special = book.penalties.get(NO_CONCEDING)
    told = {} if special is None else _told(asked)
    if special is None or False in told.values():
        return _taking(book, asked)
    if None not in told.values():
        return {**special.outcome, "rule": special.source.cite()}
    taking = _taking(book, asked)
    if taking["allowed"] is not special.outcome.get("allowed"):
        lacking = next(name for name, value in told.items() if value is None)
        raise MalformedRecord(
            f"the question lacks {lacking!r}: whether it is allowed depends on it "
            f"({book.cite(NO_CONCEDING)})"
        )
    return {**taking, **special.outcome, "rule": book.cite(NO_CONCEDING, "voluntary_take")}


def _told(asked: Fields) -> dict[str, bool | None]:
    """Whether it is the final and against a Schock aus (statuten §19); None if nothing is said."""
    final = asked.choice("phase", PARTS) == "final" if asked.has("phase") else None
    worth = asked.deckel("highest_value") == "all" if asked.has("highest_value") else None
    lies = asked.flag("schock_aus_on_table") if asked.has("schock_aus_on_table") else worth
    if worth and not lies:
        raise MalformedRecord("'highest_value' is all, but 'schock_aus_on_table' is false")
    return {"phase": final, "schock_aus_on_table": lies}


def _taking(book: RuleBook, asked: Fields) -> dict[str, Any]:
    rule = {"rule": book.cite("voluntary_take")}
    if not book.voluntary_take:
        return {"allowed": False, **rule}
    reason = _against_taking(book, asked)
    if reason is not None:
        topics = _TOPICS.get(reason, ("voluntary_take",))
        return {"allowed": False, "reason": reason, "rule": book.cite(*topics)}
    answer: dict[str, Any] = {"allowed": True, "round_over": True, "next_throw_no": 1}
    value = asked.deckel("highest_value")
    stock = asked.number("stock", least=0) if asked.has("stock") else None
    answer["deckel"] = value if value == "all" or not stock else min(value, stock)
    if asked.has("player"):
        answer |= {"loser": asked.text("player"), "next_starter": asked.text("player")}
    return {**answer, **rule}


def _against_taking(book: RuleBook, asked: Fields) -> str | None:
    """Return why taking is not allowed; the cover must be stated, the rest may be."""
    if not asked.flag("own_throw_covered"):
        return "throw_not_covered"
    if asked.has("own_dice_outside") and asked.number("own_dice_outside", least=0, most=3):
        return "dice_outside"
    stock_only = book.voluntary_take_source == "stock_only"
    if stock_only and asked.has("stock") and asked.number("stock", least=0) == 0:
        return "stock_empty"
    if asked.has("role") and asked.choice("role", ("first", "follower")) == "first":
        return "nothing_to_take"
    # Only against a highest result that all can see (B10): nobody can say how much otherwise.
    return None if asked.has("highest_value") else "nothing_to_take"
