"""What follows by itself: the next event that is nobody's choice, or None.

Every consequence is determined by the state alone (in a recount, also by who has played a
round), so a decision is worked out by
asking again after each event until the table waits for somebody.
"""

from collections.abc import Callable, Collection, Mapping

from rules import events
from rules.faulting import pending, void_round
from rules.opening import OPENING_DICE, Opening, Outcome, outcome
from rules.overruling import as_ruled
from rules.part_changes import after_part, begin_half, drop_out, part_lost
from rules.phases import Part, Phase
from rules.ranking import Result, rank
from rules.results import RankedResult
from rules.settlement import hardcore_value
from rules.state import (
    MatchState,
    clockwise_from,
    lost_by_fault,
    still_to_throw,
    visible_results,
)
from rules.valuation import describe_all, describe_single_dice

HARDCORE_PARTS: Mapping[str, tuple[Part, ...]] = {
    "off": (),
    "game": (Part.HALF1,),
    "half": (Part.HALF1, Part.HALF2),
}
"""Parts whose first round is hardcore, by the book's `hardcore_first_round`."""


def consequence(state: MatchState, *, staying: Collection[str] = ()) -> events.Event | None:
    """Return the next event that follows without anybody's choice, or None.

    Args:
        state: the match.
        staying: who is known to play the round: in a recount, whoever has played it.
    """
    follow = _FOLLOW.get(state.phase)
    event = pending(state, staying=staying)
    return event if event is not None or follow is None else follow(state)


def _after_opening_throw(state: MatchState) -> events.Event | None:
    if state.opening is None or state.opening.waiting:
        return None
    ended = outcome(state.opening)
    if ended.tied:
        return events.OpeningTied(players=ended.tied, section=state.book.cite("opening_tie"))
    return events.OpeningSettled(
        ranking=_opening_ranking(state.opening, ended),
        winner=ended.winner,
        loser=ended.loser,
        starter=ended.starter,
        deckel=ended.deckel,
        section=state.book.cite("start"),
    )


def _opening_ranking(opening: Opening, ended: Outcome) -> tuple[RankedResult, ...]:
    if OPENING_DICE[opening.book.start] == 1:
        rolls = [(name, opening.standing[name][0]) for name in ended.order]
        return describe_single_dice(rolls)
    results = [
        Result(name, opening.standing[name], throws=1, from_hand=True) for name in ended.order
    ]
    return describe_all(opening.book, results)


def _between_turns(state: MatchState) -> events.Event:
    if state.taker is not None:
        return as_ruled(state, _settle_taken(state, state.taker))
    finished = [(done.player, done.throws) for done in state.results]
    finished += [(done.player, done.throws) for done in state.covered]
    if finished and state.limit is None:
        player, throws = finished[0]
        return events.LimitSet(player=player, limit=throws, section=state.book.cite("limit"))
    if waiting := still_to_throw(state):
        return _turn_begun(state, waiting[0])
    if state.covered:
        covered = tuple(turn.player for turn in state.covered)
        return events.ShowdownStarted(players=covered, section=state.book.cite("showdown"))
    return as_ruled(state, _settle_round(state))


def _turn_begun(state: MatchState, player: str) -> events.Event:
    """Begin a turn; who has taken voluntarily has thrown already (row A10)."""
    if state.carried is None or state.carrier != player:
        return events.TurnStarted(player=player, limit=state.limit)
    return events.CarriedOver(
        player=player,
        throw_id=state.carried,
        part=state.part,
        round=state.round,
        section=state.book.cite("voluntary_take"),
    )


def _in_showdown(state: MatchState) -> events.Event | None:
    return None if state.covered else as_ruled(state, _settle_round(state))


def _settle_round(state: MatchState) -> events.RoundSettled | events.RoundVoid:
    """Settle the round; who has lost it by a fault is its loser whatever the others threw (F3)."""
    book, ranking = state.book, rank(state.book, state.results)
    if state.faults.only_schock_aus and ranking.deckel != "all":
        return void_round(state, "last_doofmanndeckel")
    guilty = lost_by_fault(state)
    topics = ["round_lost_by_fault"] if guilty else []
    deckel = ranking.deckel
    if _is_hardcore(state):
        topics.append("hardcore_first_round")
        deckel = hardcore_value(book, ranking.order if guilty else ranking.order[:-1])
    return events.RoundSettled(
        part=state.part,
        round=state.round,
        ranking=describe_all(book, ranking.order),
        winner=ranking.winner,
        loser=guilty[-1] if guilty else ranking.loser,
        deckel=deckel,
        section=book.cite("settlement", *topics, *ranking.topics),
    )


def _settle_taken(state: MatchState, taker: str) -> events.RoundSettled:
    """Settle a round that somebody has ended by taking: the best of those seen is what counts."""
    ranking = rank(state.book, visible_results(state))
    return events.RoundSettled(
        part=state.part,
        round=state.round,
        ranking=describe_all(state.book, ranking.order),
        winner=ranking.winner,
        loser=taker,
        deckel=ranking.deckel,
        section=state.book.cite("voluntary_take", *ranking.topics),
    )


def _is_hardcore(state: MatchState) -> bool:
    """Tell whether every result of this round counts for its loser (row C2)."""
    return state.round == 1 and state.part in HARDCORE_PARTS[state.book.hardcore_first_round]


def _after_settlement(state: MatchState) -> events.Event:
    if state.due:
        return _move(state)
    if state.part is Part.OPENING:
        return begin_half(state, Part.HALF1)
    loser = state.part_loser
    if loser is not None:
        return part_lost(state, loser)
    return drop_out(state) or _next_round(state)


def _move(state: MatchState) -> events.DeckelMoved:
    transfer, taker = state.due[0], state.last_loser
    assert taker is not None, "Deckel are due only to a loser"
    holdings = dict(state.holdings)
    holdings[taker] += transfer.count
    stock = state.stock
    if transfer.giver is None:
        stock -= transfer.count
    else:
        holdings[transfer.giver] -= transfer.count
    value = state.history[-1].deckel
    topics = ["settlement", "schock_aus" if value == "all" else "stock"]
    if state.history[-1].ruled:
        topics = ["referee"]
    if value != "all" and transfer.giver is not None and transfer.count < value:
        topics.append("winner_short")
    return events.DeckelMoved(
        giver=transfer.giver,
        taker=taker,
        count=transfer.count,
        stock=stock,
        holdings=holdings,
        section=state.book.cite(*topics),
    )


def _next_round(state: MatchState) -> events.RoundStarted:
    clockwise = clockwise_from(state.members, state.starter)  # who is out may have lost the round
    order = tuple(name for name in clockwise if name not in state.out)
    return events.RoundStarted(part=state.part, round=state.round + 1, order=order)


_FOLLOW: Mapping[Phase, Callable[[MatchState], events.Event | None]] = {
    Phase.OPENING: _after_opening_throw,
    Phase.BETWEEN: _between_turns,
    Phase.SHOWDOWN: _in_showdown,
    Phase.SETTLED: _after_settlement,
    Phase.PART_OVER: after_part,
}
