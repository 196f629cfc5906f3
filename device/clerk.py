"""Keeps game, log and desk in step: acts, asks, opens cases, and writes all of it down."""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from typing import Any

from device.cases import KIND_OF_REFUSAL, ROUNDS, Case
from device.desk import Desk
from device.game import Game
from device.judging import verdicts
from device.questions import Question
from device.seen import Seen
from rules.actions import Action, TakeBack
from rules.errors import Refused
from rules.events import Event
from rules.match import Match
from web_ui.errors import ActionRefused


class Clerk:
    """Acts for the pipeline; whatever it does goes through the log and from there to the desk.

    Args:
        game: the match under way.

    Attributes:
        game: it.
        desk: what follows from the log so far.
    """

    def __init__(self, game: Game) -> None:
        self.game = game
        self.desk: Desk = game.left_open()
        self._refusals: list[dict[str, Any]] = []

    @contextmanager
    def together(self) -> Iterator[None]:
        """What is done inside is written at once, or has not happened; may stand in itself.

        When an error leaves the block nothing of what was done inside has happened; what a person
        is refused is on record.

        Raises:
            StoreError: it cannot be written.
        """
        before, told = self.desk, len(self._refusals)
        try:
            with self.game.together():
                yield
        except BaseException as error:
            self.desk = before
            if isinstance(error, ActionRefused):
                for why in self._refusals[told:]:
                    self.game.note("refused", why)
            raise
        finally:
            del self._refusals[told:]

    def note(self, type: str, data: dict[str, Any]) -> None:
        """Write an entry that is no event of the rules."""
        self.game.note(type, data)
        self.desk = self.desk.after(type, data)

    def do(self, *actions: Action) -> tuple[Event, ...]:
        """Carry out actions, all or none of them, and the stop they may force.

        Raises:
            Refused: one of them is; that is written down, and nothing has changed.
        """
        trial = self.game.match
        for action in actions:
            try:
                trial, _ = trial.do(action)
            except Refused as refusal:
                words = (refusal.text_de, refusal.text_en)
                self.refuse(action, refusal.code, words, refusal.section)
                raise
        events = tuple(event for action in actions for event in self._do(action))
        if isinstance(actions[-1], TakeBack):
            return events  # whoever takes a forced stop back wants the throw back next
        if (stop := self.game.match.forced()) is not None:
            events += self._do(stop)
        return events

    def ask(self, seen: Seen, player: str, reason: tuple[str, str]) -> None:
        """Ask about something seen; what follows it waits."""
        answers = verdicts(self.game.match, self.desk, seen, player)
        question = Question.about(seen, player, reason, answers)
        self.note("question.asked", dict(question.asked))

    def close(self, question: Question, type: str, **data: Any) -> None:
        """Close a question."""
        self.note(type, {"question_id": question.question_id, **data})

    def judge_again(self, question: Question) -> None:
        """Have what a closed question was about judged anew, as the next player's."""
        seq = int(question.asked["seq"])
        (entry,) = self.game.log.read(seq - 1, 1)
        seen = replace(Seen.of_entry(seq, entry.data, {}), of_next=True)
        self.desk = replace(self.desk, waiting=(seen, *self.desk.waiting))

    def open_case(
        self,
        kind: str,
        player: str,
        seen: Seen,
        refusal: Refused | None = None,
        *,
        after_turn: bool = False,
    ) -> None:
        """Put something seen before the referee; once for each offence that is still open.

        Args:
            kind: a key of `device.cases.KINDS`.
            player: who did it.
            seen: what was seen.
            refusal: in whose words the rules object.
            after_turn: it belongs to the round of the latest throw, which may be over.
        """
        match = self.game.match
        if match.part not in ROUNDS:
            return  # at the throws for the start there is no turn to offend against
        when = self.desk.last if after_turn else None
        case = Case.about(kind, player, seen, match, refusal, round_of=when)
        same = (other for other in self.desk.cases if other.offence == case.offence)
        if (known := next(same, None)) is None:
            self.note("case.opened", dict(case.opened))
        elif known.opened["seq"] != seen.seq:
            keys = ("seq", "dice", "outside", "t_s", "evidence_s", "still")
            facts = {key: case.opened[key] for key in keys if key in case.opened}
            self.note("case.seen", {"case_id": known.case_id, **facts})

    def object(
        self, refusal: Refused, player: str, seen: Seen, *, after_turn: bool = False
    ) -> None:
        """Put before the referee what the rules refuse, where that is a player's fault."""
        kind = KIND_OF_REFUSAL.get(refusal.code)
        if kind is not None and refusal.fault == "player":
            self.open_case(kind, player, seen, refusal, after_turn=after_turn)

    def begin(self, match: Match) -> tuple[Event, ...]:
        """Begin the next game; errors as of `device.game.Game.begin`."""
        return self._follow(self.game.begin(match))

    def _do(self, action: Action) -> tuple[Event, ...]:
        return self._follow(self.game.do(action))

    def _follow(self, events: tuple[Event, ...]) -> tuple[Event, ...]:
        for event in events:
            data = event.to_json()
            self.desk = self.desk.after(str(data.pop("type")), data)
        return events

    def refuse(
        self, action: Action | None, code: str, text: tuple[str, str], section: str = ""
    ) -> None:
        """Write down what is not entered, and why."""
        told = None if action is None else action.to_json()
        why = {"code": code, "section": section, "text_de": text[0], "text_en": text[1]}
        self._refusals.append({"action": told, **why})
        self.note("refused", self._refusals[-1])
