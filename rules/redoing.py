"""A log done again: what somebody must have asked for, and whether an entry follows at all."""

from typing import Any

from rules import actions, events
from rules.consequences import consequence
from rules.deciding import verify
from rules.errors import IllegalEvent, MalformedRecord, Refused
from rules.phases import following
from rules.state import MatchState


def action_of(event: events.Event) -> actions.Action:
    """Return the action that leads to a deed.

    Raises:
        IllegalEvent: the event is nobody's deed.
    """
    match event:
        case events.Thrown():
            return actions.ThrowDice(event.player, event.dice)
        case events.Burnt():
            return actions.ThrowDice(event.player, event.dice, burns=event.burns)
        case events.Covered():
            return actions.CoverThrow(event.player)
        case events.LeftCovered():
            return actions.StopTurn(event.player)
        case events.Kept():
            return actions.KeepDice(event.player, event.dice)
        case events.Returned():
            return actions.ReturnDice(event.player, event.dice)
        case events.Turned():
            return actions.TurnSixes(event.player, event.count)
        case events.Stopped():
            return actions.StopTurn(event.player)
        case events.TookVoluntarily():
            return actions.TakeDeckel(event.player)
        case events.FaultReported():
            return actions.ReportFault(event.player, event.fault, event.by)
        case events.Reentered():
            return actions.ReEnter(event.player)
        case events.HandedOver():
            return actions.HandOver(event.player, event.starter)
        case events.DeckelRuled():
            moved = event.giver, event.taker, event.count
            return actions.RuleDeckel(*moved, event.by, event.reason)
        case events.Paused():
            return actions.Pause(event.by, event.reason)
        case events.Resumed():
            return actions.Resume(event.by)
        case events.Abandoned():
            return actions.Abandon(event.by, event.reason)
    raise IllegalEvent(f"event {event.type!r} is nobody's action")


def check_follows(state: MatchState, event: events.Event) -> None:
    """Check that an event is what the rules say comes now, so that a changed log shows.

    The section may differ: a later version may cite a rule better.

    Raises:
        IllegalEvent: it is not.
    """
    following(state.part, state.phase, event.type)
    expected = consequence(state)
    if expected is None:
        try:
            expected = verify(state, action_of(event))
        except (Refused, MalformedRecord) as error:
            raise IllegalEvent(f"event {event.to_json()} cannot follow: {error}") from error
    if event != expected and _told(event) != _told(expected):
        raise IllegalEvent(
            f"event {event.to_json()} does not follow from those before it; by the rules it must "
            f"be {expected.to_json()}"
        )


def _told(event: events.Event) -> dict[str, Any]:
    return {name: value for name, value in event.to_json().items() if name != "section"}
