"""Corrections by a person: the log keeps everything, the game counts anew.

A match's `record` holds what people did, in the version that counts. A correction
changes one entry (or drops the last) and plays the record again from the start.
What was thrown was thrown: if a correction changes who should have led a later
round, or who was out before its first throw, that round keeps the players and the
order with which it was really played, and only its ranking and the Deckel are
counted anew. When a later action no longer fits at all
(a six that was turned is no six any more, a player who threw had dropped out, a
half would have ended before that throw), the correction is refused unless the
person says that such actions may go.

An older version let actions go that fit today. What it wrote is read as it was
meant: `let_go` says how many of the last actions went then.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from rules import actions, events, overruling
from rules.consequences import consequence
from rules.deciding import verify
from rules.dice import Dice, contains
from rules.errors import Refused
from rules.evolving import evolve
from rules.reasons import refuse
from rules.redoing import action_of
from rules.rulings import Ruling, without_ruling
from rules.state import MatchState, clockwise_from, initial_state

_THROWS = (events.Thrown, events.Burnt, events.Covered, events.TookVoluntarily)

_IN_A_ROUND = (*_THROWS, events.LeftCovered)
_IN_A_PART = (events.FaultReported, events.DeckelRuled, events.Reentered)

Round = tuple[str, int]
"""A part and the number of a round in it."""
Decided = tuple[events.Event, MatchState]
"""A correction, and the state that holds after it."""


def decide_correction(
    state: MatchState, action: actions.CorrectThrow, *, let_go: int = 0
) -> Decided:
    """Decide a corrected throw.

    Raises:
        Refused: `unknown_throw`, `unchanged`, `wrong_number_of_dice` or
            `correction_breaks_later`.
    """
    at = _find_throw(state, action)
    before = state.record[at]
    assert isinstance(before, events.Thrown), "_find_throw finds valid throws only"
    words = {"player": action.player, "dice": action.dice}
    if before.dice == action.dice:
        raise refuse(state.book, "unchanged", throw_id=action.throw_id, **words)
    if len(before.dice) != len(action.dice):
        wanted, got = len(before.dice), len(action.dice)
        raise refuse(state.book, "wrong_number_of_dice", expected=wanted, got=got, **words)
    record = corrected_record(state.record, action.throw_id, action.dice)
    after, misfit = replayed(state, _without(record, let_go))
    dropped = len(state.record) - len(after.record)
    if misfit is not None and not action.drop_later:
        later = {"later_de": misfit.text_de, "later_en": misfit.text_en}
        raise refuse(state.book, "correction_breaks_later", **later, **words)
    event = events.ThrowCorrected(
        player=action.player,
        throw_id=action.throw_id,
        dice_before=before.dice,
        dice=action.dice,
        by=action.by,
        reason=action.reason,
        dropped=dropped,
        **_standing(after),
    )
    return event, after


def decide_take_back(state: MatchState, action: actions.TakeBack, *, let_go: int = 0) -> Decided:
    """Decide taking back the latest action of the table.

    Raises:
        Refused: `nothing_to_take_back`.
    """
    if not state.record:
        raise refuse(state.book, "nothing_to_take_back")
    undone = state.record[-1]
    after, _ = replayed(state, _without(state.record[:-1], let_go))
    dropped = len(state.record) - 1 - len(after.record)
    event = events.TakenBack(
        undone=undone.type,
        dropped=dropped,
        player=getattr(undone, "player", ""),
        by=action.by,
        reason=action.reason,
        **_standing(after),
    )
    return event, after


def decide_ruling(state: MatchState, action: actions.RuleRound, *, let_go: int = 0) -> Decided:
    """Decide a ruling on a round.

    Raises:
        Refused: as `overruling.verify_ruling`, or `ruling_breaks_later`.
    """
    overruling.verify_ruling(state, action)
    rulings = _with_ruling(state, action.part, action.round, action.ruling)
    after, misfit = replayed(state, _without(state.record, let_go), rulings)
    if misfit is not None and not action.drop_later:
        later = {"later_de": misfit.text_de, "later_en": misfit.text_en}
        raise refuse(state.book, "ruling_breaks_later", **later)
    unruled = without_ruling(state.rulings, action.part, action.round)
    by_book, _ = replayed(state, state.record, unruled)
    said = overruling.settled_round(by_book, action.part, action.round)
    event = events.RoundRuled(
        ruled_part=action.part,
        ruled_round=action.round,
        verdict=action.verdict,
        loser=action.loser,
        winner=action.winner,
        deckel=action.deckel,
        book_loser=None if said is None else said.loser,
        book_winner=None if said is None else said.winner,
        book_deckel=None if said is None else said.deckel,
        by=action.by,
        reason=action.reason,
        dropped=len(state.record) - len(after.record),
        section=state.book.cite("referee"),
        **_standing(after),
    )
    return event, after


def _without(record: Sequence[events.Event], let_go: int) -> Sequence[events.Event]:
    return record[: max(0, len(record) - let_go)]


def _standing(after: MatchState) -> dict[str, Any]:
    """What every correction tells of the match as it stands then."""
    return {
        "part": after.part,
        "round": after.round,
        "stock": after.stock,
        "holdings": dict(after.holdings),
        "next_player": after.current_player,
    }


def _with_ruling(
    state: MatchState, part: str, number: int, ruling: Ruling | None
) -> tuple[Ruling, ...]:
    others = without_ruling(state.rulings, part, number)
    return others if ruling is None else (*others, ruling)


def corrected_record(
    record: Sequence[events.Event], throw_id: int, dice: Dice
) -> tuple[events.Event, ...]:
    """Return the record with one throw's dice replaced.

    Dice put out right after that throw follow the correction where it is plain
    which die is meant: a misread 5 that was kept is kept as what it really is.
    """
    corrected: list[events.Event] = []
    wrong: Dice = ()
    for event in record:
        changed = event
        if isinstance(event, events.Thrown):
            wrong = event.dice if event.throw_id == throw_id else ()
            if wrong:
                changed = replace(event, dice=dice)
        elif isinstance(event, events.Kept) and wrong:
            changed = replace(event, dice=_follow_correction(event.dice, wrong, dice))
        elif isinstance(event, (events.Stopped, events.Burnt, events.Covered)):
            wrong = ()
        corrected.append(changed)
    return tuple(corrected)


def _follow_correction(kept: Dice, wrong: Dice, right: Dice) -> Dice:
    gone, come = Counter(wrong) - Counter(right), Counter(right) - Counter(wrong)
    if contains(right, kept) or len(gone) != 1 or len(come) != 1:
        return kept
    (misread,), (really,) = gone, come
    spare = right.count(misread)
    renamed = [misread] * min(spare, kept.count(misread))
    renamed += [really] * (kept.count(misread) - len(renamed))
    return tuple(sorted([*(die for die in kept if die != misread), *renamed], reverse=True))


def _find_throw(state: MatchState, action: actions.CorrectThrow) -> int:
    for at, event in enumerate(state.record):
        if isinstance(event, events.Thrown) and event.throw_id == action.throw_id:
            if event.player == action.player:
                return at
            break
    words = {"throw_id": action.throw_id, "player": action.player}
    raise refuse(state.book, "unknown_throw", **words)


def replayed(
    state: MatchState,
    record: Sequence[events.Event],
    rulings: tuple[Ruling, ...] | None = None,
    *,
    told: Callable[[events.Event], object] = lambda event: None,
) -> tuple[MatchState, Refused | None]:
    """Play a record from the start; stop at the first entry that does not fit, and say why.

    Args:
        state: the match so far; its rounds keep players and order as they were played.
        record: what people did.
        rulings: of the referee; None: those of the state.
        told: is handed every event in turn, those that follow by themselves, too.

    Returns:
        The state afterwards, and the refusal of the first entry that did not fit, or None.
    """
    after = initial_state(state.book, state.players, weekday=state.weekday)
    after = replace(after, rulings=state.rulings if rulings is None else rulings)
    played = {key: state.begun[key] for key in _begun(record) if key in state.begun}
    stood = {key: state.orders[key] for key in played}
    misfit = None
    for event in record:
        try:
            after = _replay_one(after, event, played, stood, told)
        except Refused as refusal:
            misfit = refusal
            break
    # A ruling lives as long as its round: for another one of the same number it does not hold.
    kept = tuple(ruling for ruling in after.rulings if (ruling.part, ruling.round) in after.orders)
    after = replace(after, rulings=kept)
    if misfit is not None:  # nor do rounds that are gone leave an order behind
        return replayed(state, after.record, kept)[0], misfit
    after = replace(after, next_throw_id=state.next_throw_id, interrupted=state.interrupted)
    return after, misfit


def _begun(record: Sequence[events.Event]) -> set[Round]:
    """Rounds in which somebody has thrown: their order is a fact; a mere fault makes none.

    A cup carried over from the round before may be left as it is: that begins a round, too.
    """
    return {(event.part, event.round) for event in record if isinstance(event, _IN_A_ROUND)}


def _replay_one(
    state: MatchState,
    event: events.Event,
    played: Mapping[Round, tuple[str, ...]],
    stood: Mapping[Round, tuple[str, ...]],
    told: Callable[[events.Event], object],
) -> MatchState:
    if isinstance(event, _THROWS) and event.part != state.part:
        raise refuse(state.book, "other_part", player=event.player, throw_id=event.throw_id)
    if isinstance(event, _IN_A_PART) and event.part != state.part:
        raise refuse(state.book, "reported_of_other_part")
    number = event.throw_id if isinstance(event, _THROWS) else 0
    if isinstance(event, events.Burnt):
        number = event.repeat_id or number
    if number > state.next_throw_id:  # a smaller one belongs to a cup that is lifted only now
        state = replace(state, next_throw_id=number)
    deed = verify(state, action_of(event))
    state = evolve(state, deed)
    told(deed)
    while follows := consequence(state, staying=stood.get((state.part, state.round), ())):
        if isinstance(follows, events.RoundStarted):
            follows = _as_played(follows, played)
        state = evolve(state, follows)
        told(follows)
    return state


def _as_played(
    begun: events.RoundStarted, played: Mapping[Round, tuple[str, ...]]
) -> events.RoundStarted:
    """Let a round be played in the order in which it really was, as far as they still play."""
    order = played.get((begun.part, begun.round), begun.order)
    playing = set(begun.order)
    if set(order) == playing:
        return replace(begun, order=order)
    leader = next((name for name in order if name in playing), begun.order[0])
    return replace(begun, order=clockwise_from(begun.order, leader))


DECIDERS: Mapping[type[actions.Action], Callable[..., Decided]] = {
    actions.CorrectThrow: decide_correction,
    actions.TakeBack: decide_take_back,
    actions.RuleRound: decide_ruling,
}
