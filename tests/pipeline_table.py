"""A table at which somebody plays, told to the pipeline event by event."""

from collections.abc import Sequence
from typing import Any

from device.game import Game
from device.pipeline import Pipeline
from device.store import LogEntry, MemoryLog
from rules.view import snapshot
from vision.events import TableEvent

Dice = Sequence[int]


class Table:
    """A table at which somebody plays: says what the camera would say."""

    def __init__(self, *players: str, book: str = "turnier") -> None:
        self.log = MemoryLog()
        self.book = book
        self.players = players or ("A", "B", "C")
        self.t_s = 0.0
        self.mistakes_expected = False
        self.switch_on()

    def switch_on(self) -> None:
        """Begin, or go on where the log ends."""
        self.game = Game(self.log, book=self.book, players=self.players, clock=lambda: 1000.0)
        self.pipeline = Pipeline(self.game)

    def say(self, type: str, dice: Dice = (), outside: Dice = (), **more: Any) -> None:
        self.t_s += 1.0
        sure = more.pop("sure", type != "unsure")
        event = TableEvent(
            self.t_s, type, more.pop("seat", None), tuple(dice), tuple(outside), sure,
            more.pop("started_at_s", self.t_s - 0.5), self.t_s, **more,
        )  # fmt: skip
        self.pipeline.receive(event)
        if not self.mistakes_expected:  # they would be told to people instead of raised
            assert "mistake" not in self.pipeline.desk.faults, self.last("fault")

    def throw(self, *dice: int, outside: Dice = (), clear: bool = False) -> None:
        self.say("cup_down")
        self.say("cup_up")
        self.say("throw_seen", dice, outside)
        if clear:
            self.say("cleared")

    def opening(self) -> None:
        """A throws best, C worst: C takes one Deckel and begins."""
        self.throw(6, 5, 2, clear=True)
        self.throw(6, 5, 1, clear=True)
        self.throw(3, 2, 2, clear=True)
        assert self.game.player == "C"

    def lead(self) -> None:
        """A leads the first round, whatever the book begins with."""
        single = self.game.dice_in_play == 1
        for at, _ in enumerate(self.players):
            dice = (6 - at,) if single else ((2, 2, 1) if at == 0 else (6, 5, at + 1))
            self.throw(*dice, clear=True)
        assert self.game.player == self.players[0]

    def submit(self, type: str, **more: Any) -> dict[str, Any]:
        return self.pipeline.submit({"type": type, "by": "Ute", **more})

    def by_hand(self, type: str, **more: Any) -> dict[str, Any]:
        """An action of the rules."""
        return self.pipeline.submit({"type": type, **more})

    def answer(self, **more: Any) -> dict[str, Any]:
        """Answer the oldest question."""
        question = self.pipeline.open_question
        assert question is not None
        return self.submit("answer_question", question_id=question["question_id"], **more)

    def cases(self) -> list[str]:
        return [str(case.opened["kind"]) for case in self.pipeline.desk.cases]

    def rule(self, verdict: str) -> dict[str, Any]:
        """Rule on the oldest case."""
        case = self.pipeline.desk.cases[0]
        return self.submit("rule_case", case_id=case.case_id, verdict=verdict)

    def types(self, *wanted: str) -> list[str]:
        return [e.type for e in self.entries() if not wanted or e.type in wanted]

    def last(self, type: str) -> dict[str, Any]:
        return [e.data for e in self.entries() if e.type == type][-1]

    def entries(self) -> list[LogEntry]:
        return self.log.read(limit=100_000)

    @property
    def state(self) -> dict[str, Any]:
        return snapshot(self.game.match)
