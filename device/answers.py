"""What people say at the dashboard: answers to questions, actions by hand; rulings are beside."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from device import judging
from device.clerk import Clerk
from device.questions import COVERED, NEXT, TOO_MANY, VERDICTS, Question
from device.ruling import Ruling
from device.seen import Seen
from device.sight import Sight
from device.starting import Room, Starting
from rules.actions import Action, BeginGame, CoverThrow, StopTurn, ThrowDice, action_from_json
from rules.errors import MalformedRecord, Refused
from rules.events import Event
from rules.phases import Phase
from rules.reasons import refuse
from vision.events import TableEvent
from web_ui.errors import ActionRefused
from web_ui.ports import ANSWER, CLAIM, REPEAT, RULE, START

Dice = tuple[int, ...]
Events = tuple[Event, ...]

WITHDRAWS = ("throw", "cover", "stop", "take_back", "abandon")
"""Actions that settle by hand what the open question is about."""


class Answers:
    """Carries out what people say.

    Args:
        clerk: acts, asks and writes.
        sight: enters throws.
        room: what there is for those who begin a game.
    """

    def __init__(self, clerk: Clerk, sight: Sight, room: Room) -> None:
        self._clerk = clerk
        self._sight = sight
        ruling = Ruling(clerk)
        self._starting = Starting(clerk, room, self._withdraw_settled)
        self._own = {
            ANSWER: self._answer,
            CLAIM: ruling.claim,
            REPEAT: ruling.repeat,
            RULE: ruling.rule,
            START: self._starting.start,
        }
        self._verdicts = {
            "burning": self._burning,
            "no_throw": lambda question: (),
            COVERED: self._covered,
            TOO_MANY: self._too_many,
            NEXT: self._next,
        }

    def submit(self, action: Mapping[str, Any]) -> Events:
        """Carry out one of `web_ui.ports.OWN_ACTIONS`, or an action of the rules.

        Raises:
            Refused, ActionRefused: not allowed now; nothing has changed.
            MalformedRecord: it is none of them.
        """
        own = self._own.get(str(action.get("type")))
        if own is not None:
            return own(action)
        return self._by_hand(action_from_json(dict(action)))

    def enter_told(self) -> None:
        """Enter what was told of throws whose cups may be lifted now; close what is settled."""
        clerk = self._clerk
        self._withdraw_settled()
        while clerk.game.match.phase is Phase.SHOWDOWN and not clerk.game.match.state.paused:
            covered = clerk.game.match.state.covered
            turn = next((turn for turn in covered if turn.covered_id in clerk.desk.told), None)
            if turn is None:
                break
            assert turn.covered_id is not None
            said = clerk.desk.told[turn.covered_id]
            burns = said.get("verdict")
            try:
                clerk.do(ThrowDice(turn.player, tuple(said.get("dice", ())), burns=burns))
            except Refused:  # a correction has changed how many dice it has
                clerk.note("answer_dropped", {"throw_id": turn.covered_id, "player": turn.player})
        self._withdraw_settled()

    # --- questions --------------------------------------------------------------------------

    def _answer(self, action: Mapping[str, Any]) -> Events:
        question = self._clerk.desk.find(str(action.get("question_id")))
        if question is None:
            raise ActionRefused(
                "Diese Frage ist schon beantwortet.",
                "This question has been answered already.",
                "no_such_question",
            )
        by, verdict = str(action.get("by", "")), action.get("verdict")
        if verdict is not None and verdict not in (allowed := _allowed(question)):
            raise MalformedRecord(f"a verdict is one of {', '.join(allowed)}, but got {verdict!r}")
        if question.throw_id is not None:
            return self._answer_unread(question, action, by)
        if verdict is None:
            events, dice = self._dice(question, tuple(action.get("dice", ())))
            self._clerk.close(question, "question.answered", dice=list(dice), by=by)
            return events
        events = self._verdicts[verdict](question)
        self._clerk.close(question, "question.answered", verdict=verdict, by=by)
        if verdict == NEXT:
            self._clerk.judge_again(question)
        if verdict == "burning" and question.asked.get("doubt") == "fewer":
            self._dropped(question)
        return events

    def _dice(self, question: Question, told: Dice) -> tuple[Events, Dice]:
        """Enter the true dice; returns what came of it, and the dice in order."""
        dice = ThrowDice(question.player, told).dice
        turn = self._clerk.game.match.turn
        # The person speaks of the throw alone; what lies beside is only asked of the camera when
        # the throw cannot fit otherwise.
        fits = turn is None or len(dice) == turn.dice_to_throw
        outside = turn.outside if turn and fits else question.outside
        self._sight.pass_on(question.player)
        self._sight.tell_early(question.player, _seq(question))
        return self._sight.enter(question.player, dice, outside), dice

    def _answer_unread(self, question: Question, action: Mapping[str, Any], by: str) -> Events:
        """Take the dice of a throw under which the game went on; it waits for the showdown."""
        clerk, state = self._clerk, self._clerk.game.match.state
        verdict, player = action.get("verdict"), question.player
        turn = state.covered_turn(player)
        if turn is None or verdict not in (None, "burning"):
            raise ActionRefused(
                "Das Spiel ist schon weitergegangen: Bitte die Würfel nennen, oder von Hand "
                "zurücknehmen, was danach geschah.",
                "The game has gone on already: please name the dice, or take back by hand what "
                "came after it.",
                "question_passed_over",
            )
        said: dict[str, Any] = {"verdict": verdict}
        if verdict is None:
            dice = ThrowDice(player, tuple(action.get("dice", ()))).dice
            if len(dice) != turn.dice_to_throw:
                words = {"expected": turn.dice_to_throw, "got": len(dice)}
                raise refuse(state.book, "wrong_number_of_dice", player=player, **words)
            said = {"dice": list(dice)}
        more = {"throw_id": question.throw_id, "later": True}
        clerk.close(question, "question.answered", **said, **more, by=by)
        self._sight.tell_early(player, _seq(question))
        return ()

    def _burning(self, question: Question) -> Events:
        self._sight.pass_on(question.player)
        self._sight.tell_early(question.player, _seq(question))
        return self._sight.burn(question.player, question.dice, question.outside, "burning")

    def _covered(self, question: Question) -> Events:
        return self._clerk.do(CoverThrow(question.player))  # the last one: the stop is forced

    def _too_many(self, question: Question) -> Events:
        last = self._clerk.desk.last
        if last is not None:
            player = str(last["player"])
            self._clerk.open_case(TOO_MANY, player, _seen_of(question), after_turn=True)
        return ()

    def _next(self, question: Question) -> Events:
        """The turn was over; what was seen is judged again then, as that of whoever is next."""
        return self._clerk.do(StopTurn(question.player))

    def _dropped(self, question: Question) -> None:
        """A die was missing, and the throw burns: where that costs more, the referee hears."""
        if judging.costs_more(self._clerk.game.match.book, "off_mat"):
            self._clerk.open_case("die_dropped", question.player, _seen_of(question))

    # --- by hand ----------------------------------------------------------------------------

    def _by_hand(self, action: Action) -> Events:
        clerk = self._clerk
        if isinstance(action, BeginGame):
            self._starting.verify_seats(action.players)
        events = clerk.do(action)
        clerk.note("entered_by_hand", {"action": action.to_json()})
        if clerk.desk.question is not None and action.type in WITHDRAWS:
            clerk.close(clerk.desk.question, "question.withdrawn", by="hand")
        return events

    def _withdraw_settled(self) -> None:
        """Close the questions that nobody needs to answer any more."""
        clerk, match = self._clerk, self._clerk.game.match
        covered = {turn.covered_id for turn in match.state.covered}
        for question in clerk.desk.questions:
            asks = question.throw_id in covered if question.throw_id is not None else True
            if match.is_over or not asks:
                clerk.close(question, "question.withdrawn", by="game")


def _allowed(question: Question) -> tuple[str, ...]:
    return tuple(question.asked.get("verdicts") or VERDICTS)


def _seq(question: Question) -> int:
    """Number of the fact in the log that a question is about; 0: it does not tell."""
    return int(question.asked.get("seq", 0))


def _seen_of(question: Question) -> Seen:
    """What a question is about, as far as it tells."""
    asked = question.asked
    t_s = float(asked["t_s"])
    event = TableEvent(
        t_s, "unsure", None, question.dice, question.outside,
        sure=False, started_at_s=t_s, ended_at_s=t_s,
    )  # fmt: skip
    evidence = {"still": asked["still"]} if "still" in asked else {}
    return Seen(_seq(question), event, evidence)
