"""A throw is repeated because the referee says so: it is taken back and burns.

That is no deed of its own in the record: whatever the player has done since that throw is taken
back, and in its place stands a throw that burns, as with a tower.
"""

from rules import events
from rules.actions import Action, TakeBack, ThrowDice
from rules.reasons import refuse
from rules.state import MatchState

BY_REFEREE = "referee"
"""Why the throw burns, in `Burnt.burns`."""

_WITH_THE_DICE = (
    events.Kept,
    events.Returned,
    events.Turned,
    events.Stopped,
    events.LeftCovered,
)
"""What may follow a throw that is still to be repeated: deeds of the same player with its dice."""


def repeating(
    state: MatchState, player: str, throw_id: int, *, by: str, reason: str
) -> tuple[Action, ...]:
    """Return the actions by which a throw is repeated; they belong together.

    Args:
        state: the match.
        player: whose throw it is, as a safeguard against a wrong number.
        throw_id: the number of the throw in this match.
        by: who rules, for the log.
        reason: why, for the log.

    Raises:
        Refused: `unknown_throw`, or `played_on`: somebody has thrown since.
    """
    record = state.record
    thrown = (events.Thrown, events.Covered)
    found = [
        at
        for at, event in enumerate(record)
        if isinstance(event, thrown) and (event.throw_id, event.player) == (throw_id, player)
    ]
    words = {"throw_id": throw_id, "player": player}
    if not found:
        raise refuse(state.book, "unknown_throw", **words)
    later = record[found[-1] + 1 :]
    for event in later:
        if not (isinstance(event, _WITH_THE_DICE) and event.player == player):
            raise refuse(state.book, "played_on", **words)
    back = TakeBack(by, reason)
    return (*(back for _ in range(len(later) + 1)), ThrowDice(player, (), burns=BY_REFEREE))
