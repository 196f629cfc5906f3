"""What somebody must have asked for, told from the event of what he did."""

from rules import actions, events
from rules.errors import IllegalEvent


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
        case events.ThrowCorrected():
            right = event.player, event.throw_id, event.dice
            return actions.CorrectThrow(
                *right, event.by, event.reason, drop_later=event.dropped > 0
            )
        case events.TakenBack():
            return actions.TakeBack(event.by, event.reason)
        case events.RoundRuled():
            return actions.RuleRound(
                part=event.ruled_part,
                round=event.ruled_round,
                verdict=event.verdict,
                by=event.by,
                reason=event.reason,
                loser=event.loser,
                winner=event.winner,
                deckel=event.deckel,
                drop_later=event.dropped > 0,
            )
        case events.Paused():
            return actions.Pause(event.by, event.reason)
        case events.Resumed():
            return actions.Resume(event.by)
        case events.Abandoned():
            return actions.Abandon(event.by, event.reason)
    raise IllegalEvent(f"event {event.type!r} is nobody's action")
