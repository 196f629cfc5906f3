"""The referee rules against the book: binding, with a reason, and the record shows both (F10).

A ruling on a round holds whenever the record is played again, so that what followed counts
anew (`rules.correcting`). A ruling on Deckel moves them now, as a penalty does.
"""

from rules import actions, ruling_events
from rules.changing import FrozenMapping, changed
from rules.events import RoundSettled, RoundVoid
from rules.faulting import WAITING
from rules.phases import Part
from rules.ranking import rank
from rules.reasons import refuse
from rules.results import RankedResult
from rules.rulings import Ruling, ruling_on
from rules.state import MatchState, SettledRound
from rules.valuation import describe_all

PLAYED = (Part.HALF1, Part.HALF2, Part.FINAL)
"""Parts with rounds; the opening is none."""


def settled_round(state: MatchState, part: str, number: int) -> SettledRound | None:
    """Return a finished round that counts, or None."""
    return next((r for r in state.history if (r.part, r.round) == (part, number)), None)


def verify_ruling(state: MatchState, action: actions.RuleRound) -> None:
    """Check a ruling on a round.

    Raises:
        Refused: `unknown_round`, `not_in_that_round` or `unchanged_ruling`.
    """
    playing = state.orders.get((action.part, action.round))
    standing = ruling_on(state.rulings, action.part, action.round)
    words = {"part": action.part, "round": action.round}
    if playing is None:
        raise refuse(state.book, "unknown_round", **words)
    if action.ruling == standing:
        raise refuse(state.book, "unchanged_ruling", **words)
    for name in (action.loser, action.winner):
        if name is not None and name not in playing:
            raise refuse(state.book, "not_in_that_round", player=name, **words)


def as_ruled(state: MatchState, event: RoundSettled | RoundVoid) -> RoundSettled | RoundVoid:
    """Settle a round as it was ruled; as the book says where nothing was ruled.

    A ruling about somebody who, after a correction, does not play the round any more is void.
    """
    ruling = ruling_on(state.rulings, state.part, state.round)
    if ruling is None:
        return event
    section = state.book.cite("referee")
    if ruling.loser is None or ruling.winner is None or ruling.deckel is None:
        return RoundVoid(part=state.part, round=state.round, reason="ruling", section=section)
    if not {ruling.loser, ruling.winner} <= set(state.order):
        return event
    return RoundSettled(
        part=state.part,
        round=state.round,
        ranking=_thrown(state, event),
        winner=ruling.winner,
        loser=ruling.loser,
        deckel=ruling.deckel,
        section=section,
        ruled=True,
    )


def _thrown(state: MatchState, event: RoundSettled | RoundVoid) -> tuple[RankedResult, ...]:
    if isinstance(event, RoundSettled):
        return event.ranking
    return describe_all(state.book, rank(state.book, state.results).order)


def ruling_of(event: ruling_events.RoundRuled) -> Ruling | None:
    """Return the ruling that an event brings; None: the book's word holds again."""
    if event.verdict == "book":
        return None
    return Ruling(
        part=event.ruled_part,
        round=event.ruled_round,
        loser=event.loser,
        winner=event.winner,
        deckel=event.deckel,
    )


def decide_deckel(state: MatchState, action: actions.RuleDeckel) -> ruling_events.DeckelRuled:
    """Decide that Deckel move because the referee says so.

    Raises:
        Refused: `not_in_round` or `not_enough_deckel`.
    """
    playing = [name for name in state.members if name not in state.out]
    for name in (action.giver, action.taker):
        if state.phase not in WAITING or (name is not None and name not in playing):
            raise refuse(state.book, "not_in_round", player=name or "–")
    has = state.stock if action.giver is None else state.holdings[action.giver]
    if has < action.count:
        whose = {"giver_de": action.giver or "der Stock", "giver_en": action.giver or "the stock"}
        raise refuse(state.book, "not_enough_deckel", has=has, count=action.count, **whose)
    holdings, stock = dict(state.holdings), state.stock
    for name, change in ((action.giver, -action.count), (action.taker, action.count)):
        if name is None:
            stock += change
        else:
            holdings[name] += change
    return ruling_events.DeckelRuled(
        giver=action.giver,
        taker=action.taker,
        count=action.count,
        by=action.by,
        reason=action.reason,
        part=state.part,
        round=state.round,
        stock=stock,
        holdings=holdings,
        section=state.book.cite("referee"),
    )


def deckel_ruled(state: MatchState, event: ruling_events.DeckelRuled) -> MatchState:
    """Move the Deckel."""
    record = (*state.record, event)
    return changed(state, stock=event.stock, holdings=FrozenMapping(event.holdings), record=record)
