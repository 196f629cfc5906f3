"""Judge who pays or wins how much: fees, prizes, drinks (rows M1 to M8)."""

from collections.abc import Callable, Mapping
from typing import Any

from rules.book import RuleBook
from rules.errors import MalformedRecord
from rules.fees import HowLost, fee_topics, loss_fee
from rules.judge_faults import drop_die
from rules.judge_input import Fields


def judge_fee(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say who pays or wins how much, in whole euros."""
    return _FEES[asked.choice("event", tuple(_FEES))](book, asked)


def _owed(book: RuleBook, eur: int, *topics: str) -> dict[str, Any]:
    """Answer with an amount and where it goes."""
    return {"eur": eur, "to": book.fee_box or None, "rule": book.cite(*topics)}


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
    count = sum(1 for entry in thrown if _in_one_throw(book, entry))
    if not thrown and asked.has("count"):
        count = asked.number("count", least=0)
    ranks = count > 0 and book.schock_aus_koenig_eur > 0
    paid = asked.flag("paid_all") if asked.has("paid_all") else None  # then nobody can tell
    return {
        "ranked": ranks and paid,
        "count": count,
        "eur": count * book.schock_aus_koenig_eur,
        "rule": book.cite("schock_aus_koenig_eur"),
    }


def _in_one_throw(book: RuleBook, entry: Fields) -> bool:
    """Any throw with all three dice counts, not only the first of a turn."""
    throws = entry.number("throws", least=1, most=book.max_throws) if entry.has("throws") else 1
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
    """Add up what an evening's games cost: losers, and starts with the wrong number of dice."""
    games = asked.objects("games")
    eur = sum(_game(book, game) for game in games)
    topics = ["loss_fee_eur", "sweep_fee_eur"]
    if book.three_dice_start_fee_eur:
        topics.append("three_dice_start_fee_eur")
    if book.cl_fee_per_schock_aus_eur:
        topics += fee_topics(book, "champions_league")
    return _owed(book, eur, *topics)


def _game(book: RuleBook, game: Fields) -> int:
    offenders = 0
    if game.has("started_with_three_dice"):
        offenders = game.number("started_with_three_dice", least=0)
    thrown = 0
    if game.has("champions_league_schock_aus"):
        thrown = game.number("champions_league_schock_aus", least=0)
    if thrown == 1:
        raise MalformedRecord(
            "'champions_league_schock_aus' is 1, but a Champions League has 2 or more in one round"
        )
    swept = game.optional_text("half1_loser") is not None
    swept = swept and game.optional_text("half1_loser") == game.optional_text("half2_loser")
    how: HowLost = "champions_league" if thrown else "sweep" if swept else "final"
    return loss_fee(book, how, schock_aus=thrown) + offenders * book.three_dice_start_fee_eur


def _started_with_three_dice(book: RuleBook, asked: Fields) -> dict[str, Any]:
    players = asked.number("players", least=0) if asked.has("players") else 1
    return _owed(book, players * book.three_dice_start_fee_eur, "three_dice_start_fee_eur")


def _lost_game(book: RuleBook, asked: Fields) -> dict[str, Any]:
    return _owed(book, loss_fee(book, "final"), *fee_topics(book, "final"))


def _sweep(book: RuleBook, asked: Fields) -> dict[str, Any]:
    return _owed(book, loss_fee(book, "sweep"), *fee_topics(book, "sweep"))


def _champions_league(book: RuleBook, asked: Fields) -> dict[str, Any]:
    thrown = asked.number(asked.first("schock_aus", "count"), least=2)
    eur = loss_fee(book, "champions_league", schock_aus=thrown)
    return _owed(book, eur, *fee_topics(book, "champions_league"))


def _aus_from_hand(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say whether a Schock aus from the hand costs a round of drinks (row M5)."""
    due = book.aus_from_hand_drinks == "if_agreed"
    due = due and asked.flag("table_agreed_unanimously", default=False)
    return {"drink_round": due, "eur": 0, "rule": book.cite("aus_from_hand_drinks")}


def _lost_half(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Losing one half costs nothing: who pays is the loser of the game (statuten S14)."""
    return _owed(book, 0, *fee_topics(book, "final"))


def _dropped_die(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say whether a dropped die costs a round of drinks (row F7): the second costs more."""
    outcome = drop_die(book, asked)
    return {"drink_round": outcome.get("drink_round", False), "eur": 0, "rule": outcome["rule"]}


_FEES: Mapping[str, Callable[[RuleBook, Fields], dict[str, Any]]] = {
    "entry": _entry,
    "schock_aus_koenig": _schock_aus_koenig,
    "prize": _prize,
    "lost_game": _lost_game,
    "sweep": _sweep,
    "champions_league": _champions_league,
    "evening": _evening,
    "start_with_three_dice": _started_with_three_dice,
    "aus_aus_dem_rohr": _aus_from_hand,
    "aus_from_hand": _aus_from_hand,
    "lost_half": _lost_half,
    "drop_die": _dropped_die,
}
