"""From what the camera saw to what a player did: the only place that turns one into the other.

Theory of operation
-------------------

Table events come in the order in which they happened, with plain facts ("three dice lie there, two
lie beside them"). The rules say whose turn it is and what may be done. In between:

* A sure throw becomes `ThrowDice` of the player whose turn it is (`device.judging.whose`). Before
  it, the dice beside are brought in line with what the rules believe (`device.aside`). It does not
  matter in which order the camera tells of them.
* A tower, a burning die or one off the mat becomes `ThrowDice(burns=...)`, and is thrown again.
* No throw left: the turn stops by itself. An empty mat after a throw stops it too.
* What the rules refuse, and is a player's fault, becomes a case (`device.cases`): a fact with its
  evidence, for the referee. It changes nothing until a person rules, and nothing waits for it.
* Doubt (an unsure reading, a sure one that the rules refuse, or one that may be another player's)
  becomes a question. What the camera sees while a question is open waits behind it, in order. Where
  only the values are in doubt and the next player has thrown already, the game goes on with that
  throw as one under its cup (`device.judging.without_dice`); its dice are entered in the showdown,
  which waits for them. A person answers with the true dice, or that the throw burns, or that there
  was none, or simply enters the right action by hand.

Every fact is logged before it is acted on, every refusal is logged with its rule section. What is
open is a fold of the log (`device.desk`), so that a restart loses nothing. A fact over which our
own code stumbles becomes a fault and a question, and is tried no further (`device.mishaps`).
"""

from __future__ import annotations

import threading
from collections.abc import Mapping
from dataclasses import replace
from functools import partial
from typing import Any

from device import judging
from device.answers import Answers
from device.clerk import Clerk
from device.desk import MOST_WAITING, Desk
from device.errors import StoreError
from device.game import Game
from device.mishaps import Mishaps
from device.seen import BURNS, THROWS, Seen, told
from device.sight import Sight
from device.starting import Room
from rules.actions import StopTurn
from rules.errors import MalformedRecord, Refused
from rules.events import Event
from rules.view import snapshot
from vision.events import TableEvent
from web_ui.errors import ActionRefused
from web_ui.ports import CLAIM

__all__ = ["BURNS", "THROWS", "Pipeline"]


class _OnlyTriedError(Exception):
    """Leaves a block whose deeds are not to be written."""


class Pipeline:
    """Turns table events into actions; safe to use from the camera's and the server's threads.

    Args:
        game: the match under way; what its log left open is taken up again.
        room: the table's own books, and its seats, for those who begin a game.

    Raises:
        StoreError: the log cannot be written.
    """

    def __init__(self, game: Game, room: Room | None = None) -> None:
        self.game = game
        self._lock = threading.RLock()
        self._clerk = Clerk(game)
        self._sight = Sight(self._clerk)
        self._answers = Answers(self._clerk, self._sight, room or Room())
        self._mishaps = Mishaps(self._clerk)
        self._behind = False
        with self._clerk.together():
            self._go_on()

    @property
    def desk(self) -> Desk:
        """What is open, and what waits."""
        with self._lock:
            return self._clerk.desk

    @property
    def open_question(self) -> Mapping[str, Any] | None:
        """The oldest question that waits for an answer, as it was asked."""
        questions = self.desk.questions
        return questions[0].asked if questions else None

    def receive(self, event: TableEvent, evidence: Mapping[str, Any] | None = None) -> Seen:
        """Take in what the camera saw; never raises because of what a player did.

        Args:
            event: the fact.
            evidence: what was kept of it, for the log; `still`: a picture's file name.

        Returns:
            The fact, with its number in the log.

        Raises:
            StoreError: the fact cannot be written; nothing has happened.
        """
        with self._lock:
            clerk, match = self._clerk, self.game.match
            entry = self.game.record(f"table.{event.type}", told(event, evidence or {}))
            clerk.desk, seen = clerk.desk.saw(entry.seq, entry.data)
            if match.state.paused or match.is_over:
                return seen  # it is on record, but nobody is playing
            if len(clerk.desk.waiting) >= MOST_WAITING:
                self._report_overflow()
                return seen
            clerk.desk = replace(clerk.desk, waiting=(*clerk.desk.waiting, seen))
            try:
                with clerk.together():
                    self._go_on(new=seen)
            except StoreError:
                self._behind = True  # it is on record and waits; `catch_up` acts on it
            return seen

    @property
    def is_behind(self) -> bool:
        """Whether something is on record that could not be acted on, the log being full."""
        return self._behind

    def catch_up(self) -> None:
        """Act on what is on record and waits.

        Raises:
            StoreError: the log still cannot be written.
        """
        with self._lock:
            with self._clerk.together():
                self._go_on()
            self._behind = False

    def submit(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out what a person asks for at the dashboard.

        Args:
            action: an action of the rules as JSON; `answer_question` with `question_id`, `by`, and
                either `dice` or one of the question's `verdicts` as `verdict`; `claim` with
                `throw_id`, `by` and `text`; `repeat_throw` with `player`, `throw_id`, `by` and
                `reason`; `start_game` with `players`, `book`, `by`, and where they are wanted
                `weekday` and the `reason` to abandon a game; or `rule_case` with `case_id`, `by`,
                and a `verdict` of `web_ui.ports.RULINGS` (`ruled`: with `reason` and the referee's
                `action`, or None).

        Returns:
            `events`: what came of it.

        Raises:
            ActionRefused: not allowed now; nothing has changed.
        """
        with self._lock:
            if self._behind:  # what was seen before comes first
                self.catch_up()
            with self._clerk.together():
                events = self._carry_out(action)
        return {"events": [event.to_json() for event in events]}

    def preview(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Try what a person asks for, and whatever would follow from it; nothing has happened.

        Args:
            action: as of `submit`.

        Returns:
            `before` and `after` (`rules.view.snapshot`), and `events`: what would come of it.

        Raises:
            ActionRefused: not allowed now.
        """
        with self._lock:
            before, refused = self.game.match, None
            events: tuple[Event, ...] = ()
            try:
                with self._clerk.together():
                    try:
                        events = self._carry_out(action)
                    except ActionRefused as refusal:
                        refused = refusal  # not left to `together`, which would put it on record
                    after = self.game.match
                    raise _OnlyTriedError
            except _OnlyTriedError:
                pass
        if refused is not None:
            raise refused
        told = [event.to_json() for event in events]
        return {"before": snapshot(before), "after": snapshot(after), "events": told}

    def _carry_out(self, action: Mapping[str, Any]) -> tuple[Event, ...]:
        """Do what a person asks for, and what waited for it; errors as of `submit`."""
        try:
            events = self._answers.submit(action)
        except Refused as refusal:
            raise ActionRefused(refusal.text_de, refusal.text_en, refusal.code) from refusal
        except MalformedRecord as error:
            text = str(error)
            raise ActionRefused(f"Das ist keine Aktion: {text}", text, "malformed") from error
        if action.get("type") != CLAIM:  # who disputes a throw has entered nothing
            self._mishaps.settle()
        self._go_on()
        return events

    def _go_on(self, new: Seen | None = None) -> None:
        """Handle what waits, as far as the game allows it; `new`: has come in just now."""
        clerk, handled, guard = self._clerk, [], self._mishaps.guard
        guard(self._answers.enter_told)
        while clerk.desk.waiting:
            if not self.game.match.is_over and clerk.desk.blocked(self.game.match):
                if not guard(self._pass_over):
                    break
                continue
            seen, *rest = clerk.desk.waiting
            clerk.desk = replace(clerk.desk, waiting=tuple(rest))
            handled.append(seen)
            if not self.game.match.is_over:  # what follows the end is packing up
                guard(partial(self._handle, seen), seen)
        if handled and (handled[-1] is not new or len(handled) > 1):
            clerk.note("caught_up", {"upto": handled[-1].seq})
        if "question" in clerk.desk.faults and not clerk.desk.waiting:
            clerk.note("fault_over", {"what": "question"})
        for seen in clerk.desk.unnoted:
            clerk.note("waits", {"seq": seen.seq})

    def _handle(self, seen: Seen) -> None:
        self._sight.handle(seen)
        self._answers.enter_told()

    def _pass_over(self) -> bool:
        """Let the game go on without the dice of a throw, where the rules allow it."""
        clerk, match = self._clerk, self.game.match
        question = clerk.desk.question
        if question is None or match.state.paused:
            return False
        moves = judging.without_dice(match, question, clerk.desk.waiting)
        if not moves:
            return False
        throw_id = match.state.next_throw_id
        clerk.do(*moves)
        if self.game.match.can_stop(question.player):
            clerk.do(StopTurn(question.player))
        clerk.note("question.unread", {"question_id": question.question_id, "throw_id": throw_id})
        return True

    def _report_overflow(self) -> None:
        if "question" not in self._clerk.desk.faults:
            self._clerk.note(
                "fault",
                {
                    "what": "question",
                    "text_de": "Eine Frage ist seit langem offen; die Kamera zählt nicht weiter "
                    "mit. Bitte antworten oder von Hand eintragen.",
                    "text_en": "A question has been open for long; the camera has stopped "
                    "counting. Please answer it or enter the throws by hand.",
                },
            )
