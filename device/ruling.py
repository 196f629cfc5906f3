"""What the referee decides, and what players put before him: cases, claims, repeated throws."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from device.cases import Case
from device.claims import claim_about
from device.clerk import Clerk
from rules.actions import Action, CorrectThrow, ReportFault, RuleDeckel, RuleRound, action_from_json
from rules.errors import MalformedRecord
from rules.events import Burnt, Covered, Event, Thrown
from rules.repeating import repeating
from web_ui.errors import ActionRefused
from web_ui.ports import REPEAT, RULINGS

Events = tuple[Event, ...]

MAY_RULE = (CorrectThrow, ReportFault, RuleDeckel, RuleRound)
"""What a ruling on a case may do, besides having the throw repeated."""


class Ruling:
    """Carries out claims and rulings.

    Args:
        clerk: acts and writes.
    """

    def __init__(self, clerk: Clerk) -> None:
        self._clerk = clerk

    def claim(self, action: Mapping[str, Any]) -> Events:
        """Open a case about a throw that somebody disputes; nothing else changes.

        Raises:
            ActionRefused: no such throw in this game, or it is disputed already.
        """
        clerk, throw_id = self._clerk, action.get("throw_id")
        thrown = (Thrown, Burnt, Covered)
        found = [
            event
            for event in clerk.game.match.state.record
            if isinstance(event, thrown) and event.throw_id == throw_id
        ]
        if not found:
            raise ActionRefused(
                f"Einen Wurf Nummer {throw_id} gibt es in diesem Spiel nicht.",
                f"There is no throw number {throw_id} in this game.",
                "no_such_throw",
            )
        if any(case.disputes(found[-1].throw_id) for case in clerk.desk.cases):
            raise ActionRefused(
                "Dieser Wurf liegt schon beim Schiedsrichter.",
                "This throw is before the referee already.",
                "already_claimed",
            )
        by, text = str(action.get("by", "")), str(action.get("text", ""))
        number = clerk.desk.claims + 1
        case = claim_about(found[-1], number, clerk.game.match.book, by=by, text=text)
        clerk.note("case.opened", dict(case.opened))
        return ()

    def repeat(self, action: Mapping[str, Any]) -> Events:
        """Have a throw repeated.

        Raises:
            Refused: it is none of this game, or somebody has thrown since.
        """
        return self._clerk.do(*self._repeating(action))

    def rule(self, action: Mapping[str, Any]) -> Events:
        """Rule on a case, and do what the ruling says.

        Raises:
            Refused, ActionRefused: not allowed now; nothing has changed.
            MalformedRecord: it is no ruling.
        """
        clerk, verdict = self._clerk, action.get("verdict")
        case = clerk.desk.case(str(action.get("case_id")))
        if case is None:
            raise ActionRefused(
                "Dieser Fall ist schon entschieden.",
                "This case has been ruled on already.",
                "no_such_case",
            )
        if verdict not in RULINGS:
            raise MalformedRecord(f"a verdict is one of {', '.join(RULINGS)}, but got {verdict!r}")
        by, told = str(action.get("by", "")), action.get("action")
        actions = self._ruled(case, told) if verdict == "ruled" else self._by_book(case, action)
        events = clerk.do(*actions) if actions else ()
        entered = told if verdict == "ruled" else actions[0].to_json() if actions else None
        ruled = {"case_id": case.case_id, "player": case.opened["player"], "verdict": verdict}
        more = {"reason": str(action["reason"])} if action.get("reason") else {}
        clerk.note("case.closed", {**ruled, "by": by, "action": entered, **more})
        return events

    def _by_book(self, case: Case, action: Mapping[str, Any]) -> tuple[Action, ...]:
        """What the book has follow: the penalty where it was so, else nothing."""
        if action["verdict"] == "dismissed":
            return ()
        if case.is_claim:
            raise ActionRefused(
                "Ein angezweifelter Wurf bleibt, oder er wird berichtigt, wiederholt oder gegen "
                "das Regelwerk entschieden.",
                "A disputed throw stands, or it is corrected, repeated or ruled on against the "
                "book.",
                "claim_needs_ruling",
            )
        penalty = case.penalty(self._clerk.game.match, str(action.get("by", "")))
        return () if penalty is None else (penalty,)

    def _ruled(self, case: Case, told: Any) -> tuple[Action, ...]:
        """What the referee does instead; nothing where his word alone is to stand in the log."""
        if told is None:
            return ()
        if case.past:
            raise ActionRefused(
                "Das geschah in einem früheren Spiel; es ändert den Stand dieses Spiels nicht.",
                "It happened in an earlier game and does not change this one.",
                "case_of_earlier_game",
            )
        if not isinstance(told, Mapping):
            raise MalformedRecord(f"the action of a ruling must be an object, but got {told!r}")
        if told.get("type") == REPEAT:
            return self._repeating(told)
        action = action_from_json(dict(told))
        if not isinstance(action, MAY_RULE):
            known = ", ".join([REPEAT, *(kind.type for kind in MAY_RULE)])
            raise MalformedRecord(f"a ruling is one of {known}, but got {action.type!r}")
        return (action,)

    def _repeating(self, told: Mapping[str, Any]) -> tuple[Action, ...]:
        throw_id = told.get("throw_id")
        if isinstance(throw_id, bool) or not isinstance(throw_id, int):
            raise MalformedRecord(f"throw_id must be a whole number, but got {throw_id!r}")
        player, by = str(told.get("player", "")), str(told.get("by", ""))
        state = self._clerk.game.match.state
        return repeating(state, player, throw_id, by=by, reason=str(told.get("reason", "")))
