"""From what the camera saw to what a player did: the only place that turns one into the other.

Theory of operation
-------------------

Table events come in the order in which they happened, with plain facts ("three dice lie there, two
lie beside them"). The rules say whose turn it is and what may be done. In between:

* A sure throw becomes `ThrowDice` of the player whose turn it is. Before it, the dice beside are
  brought in line with what the rules believe (`device.aside`). It does not matter in which order
  the camera tells of them.
* A tower, a burning die or one off the mat becomes `ThrowDice(burns=...)`.
* No throw left: the turn stops by itself. An empty mat after a throw stops it too.
* Doubt (an unsure reading, or a sure one that the rules refuse) becomes a question. What the
  camera sees while a question is open waits behind it, in order; nothing blocks and nothing is
  dropped. A person answers with the true dice, or that the throw burns, or that there was none,
  or simply enters the right action by hand.

Every fact is logged before it is acted on, every refusal is logged with its rule section.
"""

from __future__ import annotations

import threading
from collections import deque
from collections.abc import Callable, Mapping
from typing import Any

from device.aside import moves_aside
from device.game import Game
from device.questions import Question, Seen
from rules.actions import (
    Action,
    StopTurn,
    ThrowDice,
    TurnSixes,
    action_from_json,
)
from rules.dice import DICE_PER_PLAYER
from rules.errors import MalformedRecord, Refused
from rules.events import Event
from vision.events import DOUBTS, TableEvent
from web_ui.errors import ActionRefused
from web_ui.ports import VERDICTS

Dice = tuple[int, ...]

BURNS = frozenset({"tower", "burning", "off_mat"})
THROWS = frozenset({"throw_seen", "unsure"})

MOST_WAITING = 1000
"""Table events kept behind an open question: half an hour of play; then a fault is shown."""


class Pipeline:
    """Turns table events into actions; safe to use from the camera's and the server's threads.

    Args:
        game: the match under way.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self._lock = threading.RLock()
        self._waiting: deque[Seen] = deque()
        self._question: Question | None = None
        self._asked = 0
        self._overflow = False
        self._burnt_at_s: float | None = None

    @property
    def open_question(self) -> Mapping[str, Any] | None:
        """The question that waits for an answer, as it was asked."""
        with self._lock:
            return None if self._question is None else self._question.asked

    def receive(self, event: TableEvent, evidence: Mapping[str, Any] | None = None) -> None:
        """Take in what the camera saw; never raises because of what a player did.

        Args:
            event: the fact.
            evidence: what was kept of it, for the log; `still`: a picture's file name.

        Raises:
            StoreError: the log cannot be written.
        """
        with self._lock:
            seen = Seen(event, dict(evidence or {}))
            span_s = [round(event.started_at_s, 3), round(event.ended_at_s, 3)]
            told = {**event.to_json(), "evidence_s": span_s, **seen.evidence}
            self.game.note(f"table.{event.type}", told)
            if self.game.match.state.paused:
                return  # it is on record, but nobody is playing
            if len(self._waiting) >= MOST_WAITING:
                self._report_overflow()
                return
            self._waiting.append(seen)
            self._go_on()

    def submit(self, action: Mapping[str, Any]) -> dict[str, Any]:
        """Carry out what a person asks for at the dashboard.

        Args:
            action: an action of the rules as JSON, or `answer_question` with `question_id`,
                `by`, and either `dice` or a `verdict` of `VERDICTS`.

        Returns:
            `events`: what came of it.

        Raises:
            ActionRefused: not allowed now; nothing has changed.
        """
        with self._lock:
            try:
                if action.get("type") == "answer_question":
                    events = self._answer(action)
                else:
                    events = self._by_hand(action_from_json(dict(action)))
            except Refused as refusal:
                raise ActionRefused(refusal.text_de, refusal.text_en, refusal.code) from refusal
            except MalformedRecord as error:
                text = str(error)
                raise ActionRefused(f"Das ist keine Aktion: {text}", text, "malformed") from error
            self._go_on()
            return {"events": [event.to_json() for event in events]}

    # --- what the camera saw ----------------------------------------------------------------

    def _go_on(self) -> None:
        while self._waiting and self._question is None and self._is_played:
            self._handle(self._waiting.popleft())
        if self.game.player is None:
            self._waiting.clear()  # the game is over: what follows is packing up
        if self._overflow and not self._waiting:
            self._overflow = False
            self.game.note("fault_over", {"what": "question"})

    @property
    def _is_played(self) -> bool:
        return self.game.player is not None and not self.game.match.state.paused

    def _handle(self, seen: Seen) -> None:
        event = seen.event
        player = self.game.player
        if player is None:
            return
        if event.type in THROWS and not (event.sure and event.type == "throw_seen"):
            self._ask(seen, player, *DOUBTS[event.reason or "values"])
        elif event.type in THROWS:
            self._try(seen, player, lambda: self._throw(player, event.dice, event.outside))
        elif event.type in BURNS and event.sure:
            if event.started_at_s == self._burnt_at_s:
                return  # one throw, several things wrong with it
            self._burnt_at_s = event.started_at_s
            self._try(seen, player, lambda: self._burn(player, event.dice, event.type))
        elif event.type in BURNS:
            self._ask(seen, player, *DOUBTS[event.reason or "values"])
        elif event.type in ("dice_kept", "turned") and self._has_thrown():
            self._try(seen, player, lambda: self._put_aside(player, event))
        elif event.type == "cleared" and self._has_thrown():
            self._try(seen, player, lambda: self._do(StopTurn(player)))
        # cup_down, cup_up and dice moved about between two turns say nothing of the game.

    def _throw(self, player: str, dice: Dice, outside: Dice) -> tuple[Event, ...]:
        put_aside = self._settle_outside(player, outside)
        return put_aside + self._do(ThrowDice(player, dice))

    def _burn(self, player: str, dice: Dice, kind: str) -> tuple[Event, ...]:
        # What lies there beside a tower is only told; more than a player has cannot be his throw.
        return self._do(ThrowDice(player, dice if len(dice) <= DICE_PER_PLAYER else (), burns=kind))

    def _put_aside(self, player: str, event: TableEvent) -> tuple[Event, ...]:
        turn = self.game.match.turn
        if event.type == "dice_kept":
            return self._settle_outside(player, event.outside)
        missing = len(event.dice) - (turn.turned_now if turn else 0)
        return self._do(TurnSixes(player, missing)) if missing > 0 else ()

    def _settle_outside(self, player: str, outside: Dice) -> tuple[Event, ...]:
        turn = self.game.match.turn
        moves = moves_aside(turn, player, outside) if turn else ()
        return tuple(event for move in moves for event in self._do(move))

    def _has_thrown(self) -> bool:
        turn = self.game.match.turn
        return turn is not None and bool(turn.thrown)

    def _do(self, action: Action) -> tuple[Event, ...]:
        """Carry out one action and the stop it may force.

        A refusal is written down before it goes on its way.
        """
        try:
            events = self.game.do(action)
            if (stop := self.game.match.forced()) is not None:
                events += self.game.do(stop)
            return events
        except Refused as refusal:
            self.game.note(
                "refused",
                {
                    "action": action.to_json(),
                    "code": refusal.code,
                    "section": refusal.section,
                    "text_de": refusal.text_de,
                    "text_en": refusal.text_en,
                },
            )
            raise

    def _try(self, seen: Seen, player: str, act: Callable[[], object]) -> None:
        try:
            act()
        except Refused as refusal:
            # What the rules refuse about a throw can be settled by its true dice. About anything
            # else the refusal in the log is the answer: the table sees it and plays on.
            if seen.event.type in THROWS or seen.event.type in BURNS:
                self._ask(seen, player, refusal.text_de, refusal.text_en)

    # --- questions and answers --------------------------------------------------------------

    def _ask(self, seen: Seen, player: str, reason: str, reason_en: str) -> None:
        self._asked += 1
        self._question = Question.about(seen, player, self._asked, reason, reason_en)
        self.game.note("question.asked", self._question.asked)

    def _answer(self, action: Mapping[str, Any]) -> tuple[Event, ...]:
        question = self._question
        if question is None or str(action.get("question_id")) != question.question_id:
            raise ActionRefused(
                "Diese Frage ist schon beantwortet.",
                "This question has been answered already.",
                "no_such_question",
            )
        by = str(action.get("by", ""))
        verdict = action.get("verdict")
        if verdict is None:
            events, dice = self._answer_dice(question, tuple(action.get("dice", ())))
            self._close("question.answered", dice=list(dice), by=by)
            return events
        if verdict not in VERDICTS:
            raise MalformedRecord(f"a verdict is one of {', '.join(VERDICTS)}, but got {verdict!r}")
        events = ()
        if verdict == "burning":
            events = self._burn(question.player, question.seen.event.dice, "burning")
        self._close("question.answered", verdict=verdict, by=by)
        return events

    def _answer_dice(self, question: Question, told: Dice) -> tuple[tuple[Event, ...], Dice]:
        """Enter the true dice; returns what came of it, and the dice in order."""
        dice = ThrowDice(question.player, told).dice
        turn = self.game.match.turn
        # The person speaks of the throw alone; what lies beside is only asked of the camera when
        # the throw cannot fit otherwise.
        fits = turn is None or len(dice) == turn.dice_to_throw
        outside = turn.outside if turn and fits else question.seen.event.outside
        return self._throw(question.player, dice, outside), dice

    def _by_hand(self, action: Action) -> tuple[Event, ...]:
        events = self._do(action)
        self.game.note("entered_by_hand", {"action": action.to_json()})
        if self._question is not None and action.type in ("throw", "stop", "take_back", "abandon"):
            self._close("question.withdrawn", by="hand")
        return events

    def _close(self, type: str, **data: Any) -> None:
        assert self._question is not None
        self.game.note(type, {"question_id": self._question.question_id, **data})
        self._question = None

    def _report_overflow(self) -> None:
        if not self._overflow:
            self._overflow = True
            self.game.note(
                "fault",
                {
                    "what": "question",
                    "text_de": "Eine Frage ist seit langem offen; die Kamera zählt nicht weiter "
                    "mit. Bitte antworten oder von Hand eintragen.",
                    "text_en": "A question has been open for long; the camera has stopped "
                    "counting. Please answer it or enter the throws by hand.",
                },
            )
