"""Whose turn it is to throw, and what a throw is: lifted, left covered, or burnt."""

from rules import actions, events, legality, opening
from rules.fault_outcomes import burnt_topic
from rules.phases import Part, Phase
from rules.ranking import figure_of
from rules.reasons import refuse
from rules.state import MatchState
from rules.visibility import Role, is_shown


def turn_of(state: MatchState, player: str) -> legality.Turn:
    """Return the turn under way if it is this player's.

    Raises:
        Refused: `unknown_player`, `game_over`, `paused`, `opening_throw_only`, `showdown` or
            `not_your_turn`.
    """
    check_player(state, player)
    if state.part is Part.OPENING:
        raise refuse(state.book, "opening_throw_only", player=player)
    if state.phase is Phase.SHOWDOWN:
        missing = tuple(turn.player for turn in state.covered)
        raise refuse(state.book, "showdown", player=player, expected=missing)
    if state.turn is None or state.turn.player != player:
        expected = state.current_player
        raise refuse(state.book, "not_your_turn", player=player, expected=expected)
    return state.turn


def throwing_turn(state: MatchState, player: str) -> legality.Turn:
    """Return the turn that a throw of this player belongs to, in a showdown the covered one.

    Raises:
        Refused: as `turn_of`.
    """
    covered = state.covered_turn(player) if state.phase is Phase.SHOWDOWN else None
    return covered or turn_of(state, player)


def check_player(state: MatchState, player: str) -> None:
    """Refuse as `check_name`, and everybody during a pause."""
    check_name(state, player)
    if state.paused:
        raise refuse(state.book, "paused")


def check_name(state: MatchState, player: str) -> None:
    """Refuse names that do not play here, and everybody once the game is over."""
    if player not in state.players:
        raise refuse(state.book, "unknown_player", player=player, expected=state.players)
    refuse_once_over(state)


def refuse_once_over(state: MatchState) -> None:
    """Refuse everything once the game has ended, with or without a loser."""
    if state.abandoned:
        raise refuse(state.book, "abandoned")
    if state.part is Part.OVER:
        raise refuse(state.book, "game_over", expected=state.game_loser)


def verify_throw(state: MatchState, player: str, dice: tuple[int, ...] | None) -> None:
    """Check a throw; `dice` None asks whether this player may throw at all.

    Raises:
        Refused: he may not.
    """
    check_player(state, player)
    if state.part is Part.OPENING and state.opening is not None:
        opening.verify_throw(state.opening, player, dice)
    else:
        legality.verify_throw(throwing_turn(state, player), dice)


def decide_throw(state: MatchState, action: actions.ThrowDice) -> events.Event:
    """A throw, or one that burns (tower, tilted, off the mat) and is repeated.

    Raises:
        Refused: he may not throw, or not these dice.
    """
    if action.burns is None:
        verify_throw(state, action.player, action.dice)
        return _thrown(state, action.player, action.dice)
    verify_throw(state, action.player, None)
    return events.Burnt(
        player=action.player,
        throw_id=_throw_id(state, action.player),
        part=state.part,
        round=_round_number(state),
        dice=action.dice,
        burns=action.burns,
        section=state.book.cite(burnt_topic(action.burns)),
        repeat_id=state.next_throw_id if state.phase is Phase.SHOWDOWN else None,
    )


def _thrown(state: MatchState, player: str, dice: tuple[int, ...]) -> events.Thrown:
    before = throwing_turn(state, player) if state.part is not Part.OPENING else None
    after = None if before is None else legality.throw(before, dice)
    all_dice = dice if after is None else after.dice
    from_hand = after is None or after.from_hand
    single = len(all_dice) == 1
    figure = None if single else figure_of(state.book, all_dice, from_hand=from_hand)
    return events.Thrown(
        player=player,
        throw_id=_throw_id(state, player),
        part=state.part,
        round=_round_number(state),
        throw_no=1 if after is None else after.throws,
        dice=dice,
        outside=() if after is None else after.outside,
        from_hand=from_hand,
        category=None if figure is None else figure.category,
        name=str(dice[0]) if figure is None else figure.name,
        deckel=0 if figure is None else figure.deckel,
        shown=after is None or _lifted(before) or _shown(after),
    )


def _throw_id(state: MatchState, player: str) -> int:
    """Return the number of a throw: a covered one has its number already."""
    if state.part is Part.OPENING:
        return state.next_throw_id
    return throwing_turn(state, player).covered_id or state.next_throw_id


def _lifted(before: legality.Turn | None) -> bool:
    return before is not None and before.covered_id is not None


def _shown(turn: legality.Turn) -> bool:
    role: Role = "first" if turn.limit is None else "follower"
    return is_shown(turn.book, role=role, limit=turn.limit, throw_no=turn.throws)


def _round_number(state: MatchState) -> int:
    return 1 if state.part is Part.OPENING else state.round


def decide_cover(state: MatchState, action: actions.CoverThrow) -> events.Event:
    """A throw that stays under the cup.

    Raises:
        Refused: as `turn_of`, or it may not stay covered.
    """
    turn = legality.cover(turn_of(state, action.player), state.next_throw_id)
    return events.Covered(
        player=action.player,
        throw_id=state.next_throw_id,
        part=state.part,
        round=state.round,
        throw_no=turn.throws,
        outside=turn.outside,
    )
