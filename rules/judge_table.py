"""Judge what happens beside the dice: faults and penalties, fees and prizes."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.judge_input import Fields
from rules.ranking import rank

SAME_EVENT: Mapping[str, str] = {
    "fire": "burning",
    "feuer": "burning",
    "brennt": "burning",
    "burnt": "burning",
    "burns": "burning",
    "tuermchen": "tower",
    "türmchen": "tower",
    "cocked": "tilted",
    "leaning": "tilted",
    "dropped_die": "drop_die",
    "off_mat": "drop_die",
    "off_table": "drop_die",
    "spinksen": "peek",
    "blow": "bang_table",
    "blowing": "bang_table",
}
"""Other words for an event at the table."""


def judge_penalty(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what follows from an event that is not a throw."""
    event = asked.text("event")
    event = SAME_EVENT.get(event, event)
    if event in _COMPUTED:
        return _COMPUTED[event](book, asked)
    if event not in book.penalties:
        known = ", ".join(sorted({*book.penalties, *_COMPUTED}))
        raise MalformedRecord(f"the book {book.key!r} has no rule for {event!r}; known: {known}")
    penalty = book.penalties[event]
    return {**penalty.outcome, "rule": penalty.source.cite()}


def _voluntary_take(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """May a player take the Deckel without throwing (row A9)?"""
    allowed = book.voluntary_take
    if allowed:
        covered = asked.flag("own_throw_covered")
        allowed = covered and asked.number("own_dice_outside", least=0, most=3) == 0
    return {"allowed": allowed, "rule": book.cite("voluntary_take")}


def _round_lost_by_fault(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Settle a round that the offender loses; the others decide the value (row F3)."""
    offender, results = asked.text("offender"), asked.results()
    others = tuple(result for result in results if result.player != offender)
    if not others or len(others) == len(results):
        raise MalformedRecord(f"the results must be those of {offender!r} and of others")
    ranking = rank(book, others)
    return {
        "winner": ranking.winner,
        "loser": offender,
        "deckel": ranking.deckel,
        "rule": book.cite("settlement", *ranking.topics),
    }


_COMPUTED: Mapping[str, Callable[[RuleBook, Fields], dict[str, Any]]] = {
    "voluntary_take": _voluntary_take,
    "round_lost_by_fault": _round_lost_by_fault,
}


def judge_fee(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say who pays or wins how much, in whole euros."""
    return _FEES[asked.choice("event", tuple(_FEES))](book, asked)


def _entry(book: RuleBook, asked: Fields) -> dict[str, Any]:
    players = asked.number("players", least=1) if asked.has("players") else 1
    return {
        "eur": players * book.entry_fee_eur,
        "when": "before the tournament",
        "rule": book.cite("entry_fee_eur"),
    }


def _schock_aus_koenig(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Who is ranked for most Schock aus in one throw: only who has paid for each of his."""
    thrown = asked.objects("schock_aus") if asked.has("schock_aus") else ()
    count = sum(1 for entry in thrown if _in_one_throw(entry))
    paid = asked.flag("paid_all")
    return {
        "ranked": paid and count > 0,
        "count": count,
        "eur": count * book.schock_aus_koenig_eur,
        "rule": book.cite("schock_aus_koenig_eur"),
    }


def _in_one_throw(entry: Fields) -> bool:
    """Any throw with all three dice counts, not only the first of a turn."""
    throws = entry.number("throws", least=1, most=3) if entry.has("throws") else 1
    return entry.flag("from_hand", default=True if throws == 1 else None)


def _prize(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say whether a place wins a prize, and who gets a challenge cup."""
    king = asked.flag("schock_aus_koenig", default=False)
    place = asked.number("place", least=1) if asked.has("place") or not king else None
    return {
        "prize": place is not None and place <= book.prize_places,
        "challenge_cup": bool(book.prize_places) and (king or place == 1),
        "rule": book.cite("prize_places"),
    }


def _evening(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Add up what the losers of an evening's games pay."""
    eur = 0
    for game in asked.objects("games"):
        swept = game.text("half1_loser") == game.optional_text("half2_loser")
        eur += book.sweep_fee_eur if swept else book.loss_fee_eur
    return {"eur": eur, "rule": book.cite("loss_fee_eur", "sweep_fee_eur")}


def _no_such_fee(book: RuleBook, asked: Fields) -> dict[str, Any]:
    return {"eur": 0, "rule": book.cite("loss_fee_eur")}


def _lost_game(book: RuleBook, asked: Fields) -> dict[str, Any]:
    return {"eur": book.loss_fee_eur, "rule": book.cite("loss_fee_eur")}


def _sweep(book: RuleBook, asked: Fields) -> dict[str, Any]:
    return {"eur": book.sweep_fee_eur, "rule": book.cite("sweep_fee_eur")}


_FEES: Mapping[str, Callable[[RuleBook, Fields], dict[str, Any]]] = {
    "entry": _entry,
    "schock_aus_koenig": _schock_aus_koenig,
    "prize": _prize,
    "lost_game": _lost_game,
    "sweep": _sweep,
    "evening": _evening,
    "start_with_three_dice": _no_such_fee,
}
