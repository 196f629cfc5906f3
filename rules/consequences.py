"""What follows by itself: the next event that is nobody's choice, or None.

Every consequence is determined by the state alone, so a decision is worked out by
asking again after each event until the table waits for somebody.
"""

from collections.abc import Callable, Mapping

from rules import events
from rules.champions import decides_game
from rules.fees import HowLost, loss_fee
from rules.opening import OPENING_DICE, Opening, Outcome, outcome
from rules.phases import Part, Phase
from rules.ranking import Result, rank
from rules.results import RankedResult
from rules.settlement import hardcore_value
from rules.state import MatchState, clockwise_from, visible_results
from rules.valuation import describe_all, describe_single_dice

HARDCORE_PARTS: Mapping[str, tuple[Part, ...]] = {
    "off": (),
    "game": (Part.HALF1,),
    "half": (Part.HALF1, Part.HALF2),
}
"""Parts whose first round is hardcore, by the book's `hardcore_first_round`."""

LOST_BY: Mapping[HowLost, str] = {
    "final": "game_loser",
    "sweep": "sweep",
    "champions_league": "champions_league",
}
"""What decided the game, for `RuleBook.cite`."""


def consequence(state: MatchState) -> events.Event | None:
    """Return the next event that follows without anybody's choice, or None."""
    follow = _FOLLOW.get(state.phase)
    return None if follow is None else follow(state)


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
        return _settle_taken(state, state.taker)
    if state.carried is not None and state.turn is None and not state.results:
        return events.CarriedOver(
            player=state.order[0],
            throw_id=state.carried,
            part=state.part,
            round=state.round,
            section=state.book.cite("voluntary_take"),
        )
    finished = len(state.results) + len(state.covered)
    if not finished:
        return events.TurnStarted(player=state.order[0], limit=None)
    if state.limit is None:
        throws = state.results[0].throws if state.results else state.covered[0].throws
        section = state.book.cite("limit")
        return events.LimitSet(player=state.order[0], limit=throws, section=section)
    if finished < len(state.order):
        return events.TurnStarted(player=state.order[finished], limit=state.limit)
    if state.covered:
        waiting = tuple(turn.player for turn in state.covered)
        return events.ShowdownStarted(players=waiting, section=state.book.cite("showdown"))
    return _settle_round(state)


def _in_showdown(state: MatchState) -> events.Event | None:
    return None if state.covered else _settle_round(state)


def _settle_round(state: MatchState) -> events.RoundSettled:
    ranking = rank(state.book, state.results)
    hardcore = _is_hardcore(state)
    topics = ("hardcore_first_round", *ranking.topics) if hardcore else ranking.topics
    return events.RoundSettled(
        part=state.part,
        round=state.round,
        ranking=describe_all(state.book, ranking.order),
        winner=ranking.winner,
        loser=ranking.loser,
        deckel=hardcore_value(state.book, ranking) if hardcore else ranking.deckel,
        section=state.book.cite("settlement", *topics),
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
        return _half(state, Part.HALF1)
    loser = state.part_loser
    if loser is not None:
        return _part_lost(state, loser)
    return _drop_out(state) or _next_round(state)


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


def _drop_out(state: MatchState) -> events.PlayerOut | None:
    """Let the first member go who has no Deckel while the stock is empty (rows E1, E2)."""
    if state.stock:
        return None
    for name in state.members:
        if state.holdings[name] == 0 and name not in state.out:
            section = state.book.cite("zero_after_stock")
            return events.PlayerOut(player=name, part=state.part, section=section)
    return None


def _next_round(state: MatchState) -> events.RoundStarted:
    playing = tuple(name for name in state.members if name not in state.out)
    order = clockwise_from(playing, state.starter)
    return events.RoundStarted(part=state.part, round=state.round + 1, order=order)


def _part_lost(state: MatchState, loser: str) -> events.Event:
    if state.part is Part.FINAL:
        how: HowLost = "champions_league" if _in_champions_league(state) else "final"
        return _game_over(state, loser, how=how)
    section = state.book.cite("part_lost")
    return events.HalfOver(part=state.part, loser=loser, section=section)


def _schock_aus(state: MatchState) -> int:
    """Count the Schock aus of the last round."""
    last = state.history[-1].order if state.history else ()
    return sum(1 for result in last if result.category == "schock_aus")


def _in_champions_league(state: MatchState) -> bool:
    """Tell whether the last round has decided the whole game (row C3)."""
    return decides_game(state.book, schock_aus=_schock_aus(state), weekday=state.weekday)


def _after_part(state: MatchState) -> events.Event:
    if _in_champions_league(state):
        loser = state.half1_loser if state.part is Part.HALF1 else state.half2_loser
        assert loser is not None, "the half is lost"
        return _game_over(state, loser, how="champions_league")
    if state.part is Part.HALF1:
        return _half(state, Part.HALF2)
    first, second = state.half1_loser, state.half2_loser
    assert first is not None, "half 1 is lost"
    assert second is not None, "half 2 is lost"
    if first == second:
        return _game_over(state, first, how="sweep")
    return _final(state, first, second)


def _half(state: MatchState, part: Part) -> events.HalfStarted:
    """Begin a half: the first takes over what the opening has moved, the second is fresh."""
    first = part is Part.HALF1
    starter = state.starter if first else state.half1_loser
    assert starter is not None, "half 1 has a loser before half 2 begins"
    return events.HalfStarted(
        part=part,
        players=state.players,
        starter=starter,
        stock=state.stock if first else state.book.deckel_total,
        holdings=dict(state.holdings) if first else dict.fromkeys(state.players, 0),
        section=state.book.cite(*_starter_topics(state, first=first)),
    )


def _starter_topics(state: MatchState, *, first: bool) -> tuple[str, ...]:
    """Name what decides who leads a half: an opening that was paid for counts as a round."""
    if not first:
        return ("half2_starter",)
    return ("start", "next_starter") if state.history else ("start",)


def _final(state: MatchState, half1_loser: str, half2_loser: str) -> events.FinalStarted:
    starters = {"loser_half1": half1_loser, "loser_half2": half2_loser}
    finalists = {half1_loser, half2_loser}
    return events.FinalStarted(
        players=tuple(name for name in state.players if name in finalists),
        starter=starters[state.book.final_starter],
        stock=state.book.deckel_total,
        holdings=dict.fromkeys(state.players, 0),
        section=state.book.cite("final_players", "final_starter"),
    )


def _game_over(state: MatchState, loser: str, *, how: HowLost) -> events.GameOver:
    swept = how == "sweep"
    return events.GameOver(
        loser=loser,
        how=how,
        sweep=(state.book.sweep_name or None) if swept else None,
        half1_loser=state.half1_loser,
        half2_loser=state.half2_loser,
        section=state.book.cite(LOST_BY[how]),
        fee_eur=loss_fee(state.book, how, schock_aus=_schock_aus(state)),
    )


_FOLLOW: Mapping[Phase, Callable[[MatchState], events.Event | None]] = {
    Phase.OPENING: _after_opening_throw,
    Phase.BETWEEN: _between_turns,
    Phase.SHOWDOWN: _in_showdown,
    Phase.SETTLED: _after_settlement,
    Phase.PART_OVER: _after_part,
}
