"""Whose a fact is, and what it may mean: asked of the match, decided by nobody here."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Any

from device.aside import moves_aside
from device.cases import ROUNDS
from device.desk import Desk
from device.questions import COVERED, NEXT, TOO_MANY, VERDICTS, Question
from device.seen import BURNS, THROWS, Seen
from rules.actions import Action, CoverThrow, StopTurn
from rules.book import RuleBook
from rules.dice import DICE_PER_PLAYER
from rules.errors import Refused
from rules.legality import Turn
from rules.match import Match
from rules.phases import Phase
from rules.visibility import Role, is_shown

BURN_PENALTIES: Mapping[str, str] = {
    "tower": "tower",
    "burning": "burning",
    "off_mat": "drop_die",
}
"""Which penalty of the book tells what becomes of a throw that burns."""


def whose(
    match: Match, seat: str | None, unread: frozenset[int], *, cup_of: str | None = None
) -> str | None:
    """Who has done what was seen.

    Args:
        match: the match.
        seat: where it was seen; None: on the one mat that serves all.
        unread: covered throws without whose dice the game has gone on: nobody lifts those cups.
        cup_of: who has left his throw under the cup that stands there, or was lifted there.

    Returns:
        The player who sits there; on the common mat whose cup it is, or who is expected to act;
        None: nobody.
    """
    if seat in match.players:
        return seat
    if cup_of is not None and match.state.covered_turn(cup_of) is not None:
        return cup_of
    state = match.state
    if state.phase is Phase.SHOWDOWN:
        lifts = (turn.player for turn in state.covered if turn.covered_id not in unread)
        return next(lifts, None)
    return match.current_player


def passes_to(match: Match, seat: str) -> bool:
    """Whether the turn under way may end, and it is then the turn of who sits there."""
    turn = match.turn
    if turn is None or turn.player == seat or not turn.thrown or not match.can_stop(turn.player):
        return False
    after, _ = match.do(StopTurn(turn.player))
    return after.current_player == seat


def stays_covered(match: Match) -> bool:
    """Whether the book has the next throw of the turn under way stay under the cup."""
    turn = match.turn
    if turn is None or not match.can_cover(turn.player):
        return False
    return not _next_is_shown(turn)


def _next_is_shown(turn: Turn) -> bool:
    role: Role = "first" if turn.limit is None else "follower"
    return is_shown(turn.book, role=role, limit=turn.limit, throw_no=turn.throws + 1)


def repeats(book: RuleBook, kind: str) -> bool:
    """Whether the book has a throw that burns so thrown again."""
    penalty = book.penalties.get(BURN_PENALTIES[kind])
    return penalty is None or penalty.outcome.get("throw") == "repeat"


def costs_more(book: RuleBook, kind: str) -> bool:
    """Whether the book has more follow from such a throw than the repeat."""
    penalty = book.penalties.get(BURN_PENALTIES[kind])
    outcome: Mapping[str, Any] = {} if penalty is None else penalty.outcome
    return any(value for name, value in outcome.items() if name != "throw")


def thrower_before(match: Match, desk: Desk, seen: Seen) -> str | None:
    """Whose dice may still lie on the mat, though his turn is over.

    Returns:
        The player; None: they were cleared away, or it is his turn still.
    """
    last, turn = desk.last, match.turn
    if seen.event.seat in match.players or seen.of_next:
        return None  # everybody has a mat of his own, or it was asked about
    lies = seen.before.throw_seq is not None and seen.before.throw_seq != desk.no_throw_seq
    if not lies or last is None or last["part"] not in ROUNDS or match.part not in ROUNDS:
        return None
    if turn is not None:
        begun = turn.throws > 0 or turn.outside or match.phase is not Phase.LOADED
        now = (turn.player, match.part.value, match.state.round)
        if begun or now == (last["player"], last["part"], last["round"]):
            return None
    return str(last["player"])


def is_thrown_again(desk: Desk, seen: Seen) -> bool:
    """Whether a throw can only be one of the player before: what he put out lies there still."""
    event, last = seen.event, desk.last or {}
    outside = tuple(sorted(last.get("outside") or (), reverse=True))
    there = len(event.dice) + len(event.outside) == DICE_PER_PLAYER
    return there and bool(outside) and tuple(sorted(event.outside, reverse=True)) == outside


def may_be_next(match: Match, seen: Seen) -> bool:
    """Whether a throw may be the next player's, though the turn under way is not known to be over.

    The dice before it were taken away by hand, and nobody saw the mat bare for long enough.
    """
    turn = match.turn
    return (
        seen.event.taken
        and not seen.of_next
        and match.part in ROUNDS
        and turn is not None
        and bool(turn.thrown)
        and match.can_stop(turn.player)
    )


def verdicts(match: Match, desk: Desk, seen: Seen, player: str) -> tuple[str, ...]:
    """What a question about something seen can be answered with instead of dice."""
    late = match.turn is not None and thrower_before(match, desk, seen) is not None
    covers = (COVERED,) if player == match.current_player and stays_covered(match) else ()
    passes = (NEXT,) if may_be_next(match, seen) else ()
    return (*VERDICTS, *covers, *((TOO_MANY,) if late else ()), *passes)


def without_dice(match: Match, question: Question, waiting: Iterable[Seen]) -> tuple[Action, ...]:
    """The moves with which the game can go on though the dice of a throw are not known yet.

    Only where nothing but the values is in doubt, where the mat was cleared after it and somebody
    threw then: the throw counts, the turn was over. It is entered as one under its cup.

    Returns:
        The moves up to that throw, without the stop; none: the game must wait.
    """
    turn, asked = match.turn, question.asked
    if turn is None or turn.player != question.player or asked.get("doubt") != "values":
        return ()
    if {NEXT, TOO_MANY} & set(asked.get("verdicts", ())):
        return ()  # whose throw it is has to be said first
    if len(question.dice) + len(question.outside) != DICE_PER_PLAYER:
        return ()
    if match.book.voluntary_take and _next_is_shown(turn):
        return ()  # others may take the Deckel against what they see there
    if not _passed_on(waiting, turn.player, last=turn.throws_left == 1):
        return ()
    aside = moves_aside(turn, turn.player, question.outside, thrown=len(question.dice))
    moves = (*aside, CoverThrow(turn.player))
    return moves if _allowed(match, moves) else ()


def _passed_on(waiting: Iterable[Seen], player: str, *, last: bool) -> bool:
    """Whether the mat, or his place, was cleared and somebody threw then; `last`: no throw left."""
    cleared = False
    for seen in waiting:
        kind = seen.event.type
        if kind in THROWS | BURNS:
            return cleared
        if not cleared and (kind == "turned" or (kind == "dice_kept" and not last)):
            return False
        cleared = cleared or (kind == "cleared" and seen.event.seat in (None, player))
    return False


def _allowed(match: Match, moves: Iterable[Action]) -> bool:
    """Whether the moves are allowed one after the other, and lead to as many dice as were seen."""
    try:
        for move in moves:
            match, _ = match.do(move)
    except Refused:
        return False
    return True
