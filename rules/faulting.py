"""Faults in a match: who may report what, and what follows from it by itself.

A reported fault leaves only a mark in the state (`rules.faults`); what the mark means is
worked out here, one event at a time: a Doofmanndeckel is paid, a turn is over or is
replaced by a single open throw, a part is lost, a round is void.
"""

from collections.abc import Collection

from rules import actions, fault_events
from rules.book import RuleBook
from rules.deeds import Burnt, Event
from rules.events import PlayerOut
from rules.fees import FEE_FAULTS
from rules.part_changes import drop_out
from rules.phases import Phase
from rules.reasons import refuse
from rules.rulings import ruling_on
from rules.settlement import pay_doofmann
from rules.state import MatchState

WAITING = frozenset({Phase.LOADED, Phase.LOOKED, Phase.TURNED, Phase.COVERED, Phase.SHOWDOWN})
"""Phases of a round in which the table waits for somebody, so that a fault can be reported."""

REPLACED = "void_single_open_throw_doofmann"
LOSES_PART = "drinks_then_lose_part"
DROPS_THAT_LOSE_A_PART = 2
"""The second drop in the same part loses it, jule L66."""


def decide_fault(state: MatchState, action: actions.ReportFault) -> fault_events.FaultReported:
    """Decide a reported fault.

    Raises:
        Refused: `not_in_round`, `not_at_the_start`, `already_lost_round` or `nobody_left`.
    """
    name, book = action.player, state.book
    if action.fault in FEE_FAULTS:
        return _costly_start(state, action)
    consequence: str = getattr(book, action.fault)
    if state.phase not in WAITING or name not in state.order:
        raise refuse(book, "not_in_round", player=name)
    if name in state.faults.lost_round:
        raise refuse(book, "already_lost_round", player=name)
    innocent = set(state.order) - {*state.faults.lost_round, name}
    if consequence == "lose_round" and not innocent:
        raise refuse(book, "nobody_left", player=name)
    return fault_events.FaultReported(
        player=name,
        fault=action.fault,
        consequence=consequence,
        part=state.part,
        round=state.round,
        by=action.by,
        section=book.cite(action.fault),
    )


def _costly_start(state: MatchState, action: actions.ReportFault) -> fault_events.FaultReported:
    """Decide a fault at the throws for the start: it costs money, once (rows S5, M4)."""
    fee = FEE_FAULTS[action.fault]
    reported = (
        isinstance(event, fault_events.FaultReported)
        and (event.player, event.fault) == (action.player, action.fault)
        for event in state.record
    )
    if state.phase is not Phase.OPENING or not getattr(state.book, fee) or any(reported):
        raise refuse(state.book, "not_at_the_start", player=action.player)
    return fault_events.FaultReported(
        player=action.player,
        fault=action.fault,
        consequence="fee",
        part=state.part,
        round=1,
        by=action.by,
        section=state.book.cite(fee),
    )


def decide_reentry(state: MatchState, action: actions.ReEnter) -> fault_events.Reentered:
    """Decide that a player who is out comes back (row E4); in the final anybody may (S11).

    Raises:
        Refused: `no_reentry`, `not_in_round`, `stock_left` or `still_playing`.
    """
    name = action.player
    playing = name in state.members and name not in state.out
    against = {
        "no_reentry": not state.book.reentry,
        "not_in_round": state.phase not in WAITING,
        "stock_left": state.stock > 0,
        "still_playing": playing or state.holdings[name] > 0,
    }
    for code, applies in against.items():
        if applies:
            raise refuse(state.book, code, player=name)
    section = state.book.cite("reentry")
    return fault_events.Reentered(player=name, part=state.part, section=section)


def pending(state: MatchState, *, staying: Collection[str] = ()) -> Event | None:
    """Return what the marks of the state demand next, or None; see `consequence`."""
    if state.phase not in WAITING:
        return None
    faults = state.faults
    loser = faults.part_loser
    if loser is not None and ruling_on(state.rulings, state.part, state.round) is None:
        return _part_forfeited(state, loser)
    if faults.fools:
        return _doofmann_paid(state, faults.fools[0])
    if state.part_loser is not None:
        return void_round(state, "all_deckel")
    return _left_at_once(state, staying) or _turn_ended(state)


def _left_at_once(state: MatchState, staying: Collection[str]) -> PlayerOut | None:
    """Let go who has nothing when the stock is emptied before anybody has thrown (row E1).

    Whoever has lost the round by a fault stays and pays for it, and of the others the last; so
    does whom the referee has named as its loser or winner, because that binds (row F10), whoever
    is `staying`, and the last but one: who has come back plays from the next round on, and nobody
    plays alone.
    """
    if state.phase is not Phase.LOADED or state.stock or in_progress(state):
        return None
    here = state.part, state.round
    if any(isinstance(deed, Burnt) and (deed.part, deed.round) == here for deed in state.record):
        return None
    guilty = state.faults.lost_round
    leaving = drop_out(state, staying={*guilty, *_ruled_about(state), *staying})
    if leaving is None:
        return None
    left = set(state.order) - {leaving.player}
    return leaving if len(left) > 1 and left - set(guilty) else None


def _ruled_about(state: MatchState) -> tuple[str, ...]:
    """Return whom the ruling on this round names, if there is one."""
    ruling = ruling_on(state.rulings, state.part, state.round)
    names = () if ruling is None else (ruling.loser, ruling.winner)
    return tuple(name for name in names if name is not None)


def _turn_ended(state: MatchState) -> Event | None:
    faults, turn = state.faults, state.turn
    if turn is not None and turn.player in faults.lost_round:
        section = state.book.cite("round_lost_by_fault")
        return fault_events.TurnForfeited(player=turn.player, section=section)
    if state.phase is Phase.SHOWDOWN:
        known = {result.player for result in state.results}
        again = [name for name in faults.replaced if name not in {*known, *faults.lost_round}]
    else:
        again = [turn.player] if turn is not None and _is_to_replace(state) else []
    if not again:
        return None
    return fault_events.TurnReplaced(player=again[0], section=_replaced_by(state.book))


def _is_to_replace(state: MatchState) -> bool:
    turn = state.turn
    return turn is not None and turn.player in state.faults.replaced and not turn.replacement


def _replaced_by(book: RuleBook) -> str:
    names = [name for name in ("lift_early", "too_many_throws") if getattr(book, name) == REPLACED]
    return book.cite(*names)


def _doofmann_paid(state: MatchState, fool: str) -> fault_events.DoofmannPaid:
    holdings = {name: state.holdings[name] for name in state.members}
    paid = pay_doofmann(state.book, stock=state.stock, holdings=holdings, doofmann=fool)
    givers = tuple(item.giver for item in paid.transfers if item.giver is not None)
    topics = ["doofmann_from_players" if givers else "doofmann_from_stock"]
    if not givers and paid.stock == 0:
        topics.append("doofmann_last_of_stock")
    return fault_events.DoofmannPaid(
        player=fool,
        givers=givers,
        count=paid.moved,
        stock=paid.stock,
        holdings={**state.holdings, **paid.holdings},
        section=state.book.cite(*topics),
    )


def _part_forfeited(state: MatchState, loser: str) -> fault_events.PartForfeited:
    total = state.stock + sum(state.holdings.values())
    return fault_events.PartForfeited(
        player=loser,
        part=state.part,
        stock=0,
        holdings={**dict.fromkeys(state.holdings, 0), loser: total},
        section=state.book.cite("drop_die"),
    )


def void_round(state: MatchState, reason: fault_events.WhyVoid) -> fault_events.RoundVoid:
    """Say that the round does not count."""
    topics = {
        "last_doofmanndeckel": "doofmann_last_of_stock",
        "all_deckel": "part_lost",
        "ruling": "referee",
    }
    return fault_events.RoundVoid(
        part=state.part,
        round=state.round,
        reason=reason,
        section=state.book.cite(topics[reason]),
    )


def in_progress(state: MatchState) -> bool:
    """Tell whether the round has begun: somebody has thrown (statuten §17b)."""
    turn = state.turn
    thrown = turn is not None and turn.throws > 0
    return bool(state.results or state.covered or state.limit is not None or thrown)
