"""Judge what happens inside a round: ranking, values, turns, uncovered throws."""

from collections.abc import Callable, Mapping
from typing import Any, cast

from rules import legality
from rules.book import RuleBook
from rules.dice import DICE_PER_PLAYER
from rules.errors import MalformedRecord, Refused
from rules.fault_outcomes import burnt_topic
from rules.judge_input import Fields, read_result
from rules.legality import Turn, turned_one_of_three
from rules.ranking import assembled_topics, figure_of, over_limit, rank
from rules.valuation import describe, describe_all
from rules.visibility import Role, is_shown

SOMEBODY = "<player>"


def judge_rank(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Order the results of a round, given in throwing order."""
    ranking = rank(book, asked.results(book))
    described = describe_all(book, ranking.order)
    return {
        "order": [item.player for item in described],
        "winner": ranking.winner,
        "loser": ranking.loser,
        "deckel": ranking.deckel,
        "values": [
            {"player": item.player, "category": item.category, "name": item.name}
            for item in described
        ],
        **_over_limit(book, asked),
        "rule": book.cite("settlement", *ranking.topics),
    }


def _over_limit(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Name who has more throws than the first player has set: the order does not count for him."""
    names = over_limit(asked.results(book))
    return {"over_limit": list(names)} if names else {}


def judge_value(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say what three dice are and what they are worth."""
    result = read_result(book, asked, player=SOMEBODY)
    described = describe(book, result)
    assert described.category is not None, "three dice always have a category"
    return {
        "category": described.category,
        "name": described.name,
        "deckel": described.deckel,
        "spoken": described.spoken,
        "rule": book.cite(
            *assembled_topics(book, result.dice, from_hand=result.from_hand), described.category
        ),
    }


def judge_visibility(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Say whether a throw lies uncovered right after it was made."""
    role = cast("Role", asked.choice("role", ("first", "follower")))
    most = book.max_throws
    limit = asked.number("limit", least=1, most=most) if asked.has("limit") else None
    if role == "follower" and limit is not None:
        most = limit
    throw_no = asked.number("throw_no", least=1, most=most)
    seen = asked.flag("looked_at_it") if asked.has("looked_at_it") else None
    if asked.has("blind"):  # a throw that its player has not looked at (row T12)
        seen = False if asked.flag("blind") else seen
    if asked.flag("replacement", default=False):  # a single open throw after a fault
        return {"shown": True, "rule": book.cite("replacement_counts_as")}
    shown = is_shown(book, role=role, limit=limit, throw_no=throw_no, seen=seen)
    if role == "follower" and limit is None:
        limits = range(throw_no, book.max_throws + 1)
        each = {is_shown(book, role=role, limit=n, throw_no=throw_no, seen=seen) for n in limits}
        if len(each) > 1:
            raise MalformedRecord("the question lacks 'limit': whether it is shown depends on it")
    stops = asked.flag("stops", default=False) and limit is not None and throw_no < limit
    topics = {
        "blind": seen is False,
        "seen_must_be_shown": seen is not None,
        "stops_early": role == "follower" and stops,
        "covered": True,
        "open_to_all": shown,
    }
    return {"shown": shown, "rule": book.cite(*(name for name, rests in topics.items() if rests))}


def judge_turn(book: RuleBook, asked: Fields) -> dict[str, Any]:
    """Follow a turn action by action; name the first that is not legal.

    Raises:
        MalformedRecord: an action that cannot happen at all, for example keeping a die
            that is not there; that is a misreading, not a breach of the rules.
    """
    limit = asked.number("limit", least=1, most=book.max_throws) if asked.has("limit") else None
    turn = Turn(book=book, player=SOMEBODY, limit=limit)
    topics: list[str] = []
    stopped = False
    for at, action in enumerate(asked.objects("actions")):
        if stopped:
            raise MalformedRecord(f"action {at} comes after the player has stopped")
        kind, before = action.choice("do", tuple(_STEPS)), turn
        try:
            turn = _STEPS[kind](turn, action)
        except Refused as refused:
            return _illegal(refused, at)
        stopped = kind == "stop"
        topics += _rests_on(kind, action, before)
    topics += ["turn_one_of_three"] * turned_one_of_three(turn)
    return {"legal": True, **_outcome(book, turn, topics)}


def _rests_on(kind: str, action: Fields, before: Turn) -> tuple[str, ...]:
    """What an action rests on; a throw shows whether of three sixes only one was turned (X11)."""
    if kind != "throw":
        return _TOPICS.get(kind, ())
    one_of_three = ("turn_one_of_three",) if turned_one_of_three(before) else ()
    return (*one_of_three, burnt_topic(_burns(action))) if _burns(action) else one_of_three


def _illegal(refused: Refused, at: int) -> dict[str, Any]:
    if refused.fault != "player":
        text = _sentence(refused.text_en, "the player")
        raise MalformedRecord(f"action {at} cannot have happened: {text}")
    return {
        "legal": False,
        "at": at,
        "reason": refused.code,
        "text_de": _sentence(refused.text_de, "der Spieler"),
        "text_en": _sentence(refused.text_en, "the player"),
        "rule": refused.section,
    }


def _sentence(text: str, who: str) -> str:
    """Name the player whom the question does not name, at the beginning or within."""
    named = text.replace(SOMEBODY, who)
    return named[:1].upper() + named[1:]


def _outcome(book: RuleBook, turn: Turn, topics: list[str]) -> dict[str, Any]:
    answer: dict[str, Any] = {"dice": list(turn.dice), "throws": turn.throws}
    if len(turn.dice) == DICE_PER_PLAYER and turn.thrown and not turn.must_throw:
        figure = figure_of(book, turn.dice, from_hand=turn.from_hand)
        answer |= {
            "from_hand": turn.from_hand,
            "category": figure.category,
            "name": figure.name,
            "deckel": figure.deckel,
        }
        topics += ["from_hand_means"] * (turn.from_hand and turn.throws > 1)
        topics += assembled_topics(book, turn.dice, from_hand=turn.from_hand)
        topics.append(figure.category)
    return {**answer, "rule": book.cite(*(topics or ["limit"]))}


def _throw(turn: Turn, action: Fields) -> Turn:
    if _burns(action):
        return legality.burn(turn)
    legality.verify_throw(turn)  # whether he may throw at all does not depend on the dice
    return legality.throw(turn, action.dice("dice"))


def _burns(action: Fields) -> str:
    """Read `burns`: the reason as a text, or true; "" if it does not burn."""
    value = action.values.get("burns")
    if value is None or isinstance(value, (bool, str)):
        return str(value or "").lower()
    raise MalformedRecord(f"'burns' must be true, false or a reason, but got {value!r}")


def _stop(turn: Turn, action: Fields) -> Turn:
    legality.verify_stop(turn)
    return turn


def _turn_sixes(turn: Turn, action: Fields) -> Turn:
    count = action.number("count", least=1, most=3) if action.has("count") else 1
    return legality.turn_sixes(turn, count)


_STEPS: Mapping[str, Callable[[Turn, Fields], Turn]] = {
    "throw": _throw,
    "keep": lambda turn, action: legality.keep(turn, action.dice("dice", least=0)),
    "return": lambda turn, action: legality.take_back_dice(turn, action.dice("dice")),
    "turn": _turn_sixes,
    "stop": _stop,
}

_TOPICS: Mapping[str, tuple[str, ...]] = {
    "keep": ("keep",),
    "return": ("return_kept",),
    "turn": ("turning",),
}
