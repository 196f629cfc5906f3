"""A table in memory for the tests of the page: real rules, real events, a log that grows.

Other test modules of `web_ui` import it; the tests at its end check that it plays fair.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.actions import Action, KeepDice, StopTurn, ThrowDice, action_from_json
from rules.errors import Refused
from rules.library import find_book
from rules.match import Match
from web_ui.errors import ActionRefused

PLAYERS = ("Anna", "Ben", "Cem")


@dataclass(frozen=True)
class Entry:
    seq: int
    at_s: float
    type: str
    data: dict[str, Any]


class ListLog:
    """The two methods the page reads by, over a list."""

    def __init__(self, start_s: float | None = None) -> None:
        self._start_s = time.time() if start_s is None else start_s
        self._entries: list[Entry] = []
        self._grown = threading.Condition()

    def append(self, entry_type: str, data: Mapping[str, Any]) -> Entry:
        with self._grown:
            seq = len(self._entries) + 1
            entry = Entry(seq, self._start_s + seq, entry_type, dict(data))
            self._entries.append(entry)
            self._grown.notify_all()
            return entry

    def read(self, after_seq: int = 0, limit: int = 1000) -> Sequence[Entry]:
        with self._grown:
            return self._entries[after_seq : after_seq + limit]

    def wait(self, after_seq: int, timeout_s: float) -> bool:
        with self._grown:
            return self._grown.wait_for(lambda: len(self._entries) > after_seq, timeout_s)


class Table:
    """A match of the book `turnier` whose events go into a log, and a person's answers too."""

    def __init__(self, players: Sequence[str] = PLAYERS, *, start_s: float | None = None) -> None:
        self.log = ListLog(start_s)
        self.submitted: list[dict[str, Any]] = []
        self.begin(players)

    def begin(self, players: Sequence[str]) -> None:
        """The next game, in the same log."""
        self.match = Match.new(find_book("turnier"), players)
        self._write(self.match.started)

    def last_seq(self) -> int:
        """Number of the log's last entry."""
        return len(self.log.read(0, 100_000))

    def do(self, *actions: Action) -> None:
        for action in actions:
            self.match, events = self.match.do(action)
            for event in events:
                self._write(event)

    def _write(self, event: Any) -> None:
        data = event.to_json()
        self.log.append(data.pop("type"), data)

    def submit(self, action: dict[str, Any]) -> dict[str, Any]:
        self.submitted.append(action)
        if action["type"] == "answer_question":
            return self._answer(action)
        try:
            self.do(action_from_json(action))
        except Refused as refused:
            raise ActionRefused(refused.text_de, refused.text_en, refused.code) from refused
        return {"seq": len(self.log.read(0, 10_000))}

    def _answer(self, action: dict[str, Any]) -> dict[str, Any]:
        if action["question_id"] not in self.open_questions():
            raise ActionRefused(
                "Diese Frage ist nicht mehr offen.",
                "This question is no longer open.",
                "question_closed",
            )
        self.log.append("question.answered", {k: v for k, v in action.items() if k != "type"})
        if "dice" in action:
            self.do(ThrowDice(str(self.match.current_player), tuple(action["dice"])))
        return {"seq": len(self.log.read(0, 10_000))}

    def open_questions(self) -> set[str]:
        entries = self.log.read(0, 10_000)
        asked = {e.data["question_id"] for e in entries if e.type == "question.asked"}
        return asked - {e.data["question_id"] for e in entries if e.type == "question.answered"}

    def ask(self, question_id: str = "q1", **more: Any) -> None:
        question = {
            "question_id": question_id,
            "player": self.match.current_player,
            "dice": [6, 5, 2],
            "outside": [],
            "reason": "Ein Würfel liegt halb verdeckt.",
            "reason_en": "One die is half covered.",
            "candidates": [[6, 5, 2], [6, 6, 2]],
        }
        self.log.append("question.asked", question | more)

    def play_opening(self) -> None:
        """Anna 6-5-2, Ben 5-4-4, Cem 2-2-1: Cem takes one Deckel and begins."""
        players = self.match.players
        for player, dice in zip(players, [(6, 5, 2), (5, 4, 4), (2, 2, 1)], strict=True):
            self.do(ThrowDice(player, dice))

    def play_round(self) -> None:
        """One throw each: the first throws a Schock 4, the second 6-6-5, the third 3-2-2."""
        for dice in [(4, 1, 1), (6, 6, 5), (3, 2, 2)]:
            player = str(self.match.current_player)
            self.do(ThrowDice(player, dice))
            if self.match.current_player == player and self.match.can_stop(player):
                self.do(StopTurn(player))


def test_the_tables_opening_and_round_move_deckel_by_the_rules():
    table = Table()
    table.play_opening()
    assert table.match.holdings == {"Anna": 0, "Ben": 0, "Cem": 1}
    table.play_round()
    assert sum(table.match.holdings.values()) == 5
    assert table.match.holdings["Ben"] == 4, "the last of the order, from the stock"


def test_the_log_waits_until_it_has_grown():
    log = ListLog()
    assert not log.wait(0, 0.01)
    threading.Timer(0.05, log.append, ("fault", {"what": "camera"})).start()
    assert log.wait(0, 5.0)
    assert [entry.seq for entry in log.read(0)] == [1]


def test_a_player_keeps_a_one_and_throws_the_rest():
    table = Table()
    table.play_opening()
    table.do(ThrowDice("Cem", (6, 4, 1)), KeepDice("Cem", (1,)), ThrowDice("Cem", (5, 1)))
    assert table.match.turn is not None
    assert table.match.turn.outside == (1,)
