"""Whether an entry of a tournament's log follows from those before it: a changed log shows.

A draw is checked for being one of the right players at tables of the right sizes; whether it is
the one that the seed gives is for `Tournament.proves` to say, because another version of the
program may draw otherwise. Reasons in words may change with the version, too.
"""

from typing import Any

from rules import tournament_actions as actions
from rules import tournament_events as events
from rules.errors import IllegalEvent, MalformedRecord, Refused
from rules.tournament_deciding import BY_HAND, decide
from rules.tournament_draw import counted
from rules.tournament_drawing import drawn_by_hand, due_round, past_of
from rules.tournament_sizes import knockout_plan, plan
from rules.tournament_state import TournamentState


def check_follows(state: TournamentState, event: events.TournamentEvent) -> None:
    """Check that an event is what the rules say of the action behind it.

    Raises:
        IllegalEvent: it is not.
    """
    action = action_of(event)
    try:
        if isinstance(event, events.RoundDrawn) and event.method != BY_HAND:
            _check_draw(state, event)
            return
        expected = decide(state, action)
    except (Refused, MalformedRecord) as error:
        raise IllegalEvent(f"event {event.to_json()} cannot follow: {error}") from error
    if _told(event) != _told(expected):
        raise IllegalEvent(
            f"event {event.to_json()} does not follow from those before it; by the rules it must "
            f"be {expected.to_json()}"
        )


def _check_draw(state: TournamentState, event: events.RoundDrawn) -> None:
    due = due_round(state, redraw=bool(event.reason))
    drawn_by_hand(due, event.tables)  # the right players, each once
    made = state.format
    if due.kind == "points":
        sizes, out = plan(len(due.players), made.table_sizes)
    else:
        sizes, out = knockout_plan(len(due.players), made.table_sizes, made.final_most), 0
    facts: dict[str, Any] = {
        "number": due.number,
        "kind": due.kind,
        "attempt": due.attempt,
        **counted(event.tables, past_of(due.state)),
    }
    wrong = [name for name, value in facts.items() if getattr(event, name) != value]
    if sorted(map(len, event.tables)) != sorted(sizes):
        wrong.append("tables")
    named = {name for table in event.tables for name in table}
    if len(event.sitting_out) != out or named | set(event.sitting_out) != set(due.players):
        wrong.append("sitting_out")
    if wrong:
        raise IllegalEvent(
            f"the draw {event.to_json()} does not fit those before it in {', '.join(wrong)}"
        )


def action_of(event: events.TournamentEvent) -> actions.TournamentAction:
    """Return the action that leads to an event.

    Raises:
        IllegalEvent: it is nobody's action.
    """
    match event:
        case events.Registered():
            return actions.Register(player=event.player, team=event.team)
        case events.FeePaid():
            return actions.PayFee(player=event.player, eur=event.eur)
        case events.CharityPaid():
            return actions.PayCharity(player=event.player, eur=event.eur)
        case events.PlayerLeft():
            return actions.Leave(player=event.player, reason=event.reason)
        case events.PlayerBack():
            return actions.ComeBack(player=event.player)
        case events.RoundDrawn():
            by_hand = event.tables if event.method == BY_HAND else ()
            return actions.DrawRound(by=event.by, reason=event.reason, tables=by_hand)
        case events.PlayerSeated():
            return actions.Seat(player=event.player, table=event.table, by=event.by)
        case events.TableHandedIn():
            return actions.HandIn(table=event.table, result=event.result, round=event.round)
        case events.ResultCorrected():
            return actions.CorrectResult(
                round=event.round,
                table=event.table,
                result=event.result,
                by=event.by,
                reason=event.reason,
            )
        case events.ScharfCalled():
            return actions.CallScharf(tables=event.tables, by=event.by)
        case events.StechenRecorded():
            return actions.RecordStechen(
                order=event.order, by=event.by, table=event.table, reason=event.reason
            )
        case events.TournamentFinished():
            return actions.Finish(by=event.by, reason=event.reason)
    raise IllegalEvent(f"event {event.type!r} is nobody's action")


def _told(event: events.TournamentEvent) -> dict[str, Any]:
    """An event without what another version may say in other words, or draw otherwise."""
    told = event.to_json()
    for place in told.get("ranking", ()):
        place["reason_de"] = place["reason_en"] = ""
    for one in told.get("otherwise", ()):
        one["tables"] = []
    return told
