"""The table's desk: what waits for a person, and what the camera saw meanwhile. A fold of the log.

Everything that the pipeline remembers follows from the entries of the log, one after the other; so
a table that is switched off and on again goes on with the same questions, cases and waiting facts.

* `table.…`: a fact. It is handled at once, unless the game waits for an answer: then it waits, too.
* `question.asked`: everything behind that fact waits. `question.unread`: the game goes on without
  the dice, as with a throw that lies under its cup. `question.answered` and `question.withdrawn`
  close a question.
* `case.opened`, `case.closed`: something for the referee; nothing waits for it.
* `waits`: the throw that was seen in that entry waits, for those who only read the log.
* `caught_up`: facts that waited have been handled, `upto` that number.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from typing import Any

from device.cases import Case
from device.questions import Question
from device.seen import BURNS, THROWS, Mat, Seen
from rules.match import Match
from rules.phases import Phase

MOST_WAITING = 1000
"""Table events kept behind an open question: half an hour of play; then a fault is shown."""

Data = Mapping[str, Any]


@dataclass(frozen=True)
class Desk:
    """What follows from the log so far.

    Attributes:
        mats: what is remembered of every mat, by seat (None: the one that serves all).
        waiting: facts that wait for the answer to `question`, or for the game to go on.
        question: the question that everything behind it waits for, or None.
        unread: questions about throws without whose dice the game has gone on, oldest first.
        told: answers to them that are entered when the cups are lifted, by number of the throw.
        cases: open cases, oldest first.
        last: the latest throw on the mat (`player`, `outside`, ...) that counts, or None.
        no_throw_seq: the latest fact of which a person said that it was no throw, or None.
        faults: those of the table that are on show: `question`: more was seen than can wait;
            `mistake`: see `device.mishaps`.
        packed: who has taken his dice away in the round under way, though it is not over.
        noted_seq: the latest throw of which the log says that it waits.
        claims: how many throws were ever disputed in this log.
    """

    mats: Mapping[str | None, Mat] = field(default_factory=dict)
    waiting: tuple[Seen, ...] = ()
    question: Question | None = None
    unread: tuple[Question, ...] = ()
    told: Mapping[int, Data] = field(default_factory=dict)
    cases: tuple[Case, ...] = ()
    last: Data | None = None
    no_throw_seq: int | None = None
    faults: frozenset[str] = frozenset()
    packed: Mapping[str, Seen] = field(default_factory=dict)
    noted_seq: int = 0
    claims: int = 0

    @property
    def unnoted(self) -> tuple[Seen, ...]:
        """Throws that wait, of which the log does not say so yet."""
        throws = (seen for seen in self.waiting if seen.event.type in THROWS | BURNS)
        return tuple(seen for seen in throws if seen.seq > self.noted_seq)

    @property
    def questions(self) -> tuple[Question, ...]:
        """All open questions, oldest first."""
        return self.unread if self.question is None else (*self.unread, self.question)

    @property
    def unread_ids(self) -> frozenset[int]:
        """Numbers of the throws without whose dice the game has gone on."""
        return frozenset(q.throw_id for q in self.unread if q.throw_id is not None)

    def blocked(self, match: Match) -> bool:
        """Whether what the camera sees has to wait: for an answer, or for the end of a pause."""
        state = match.state
        awaited = state.phase is Phase.SHOWDOWN and all(
            turn.covered_id in self.unread_ids for turn in state.covered
        )
        return self.question is not None or state.paused or awaited

    def saw(self, seq: int, data: Data) -> tuple[Desk, Seen]:
        """Take in a fact, the data of an entry `table.…`; whether it waits is another matter."""
        seen = Seen.of_entry(seq, data, self.mats)
        seat = seen.event.seat
        mats = {**self.mats, seat: seen.before.after(seq, seen.event)}
        return replace(self, mats=mats), seen

    def after(self, kind: str, data: Data) -> Desk:
        """Take in any other entry."""
        fold = _FOLDS.get(kind)
        return self if fold is None else fold(self, data)

    def find(self, question_id: str) -> Question | None:
        """An open question."""
        return next((q for q in self.questions if q.question_id == question_id), None)

    def case(self, case_id: str) -> Case | None:
        """An open case."""
        return next((case for case in self.cases if case.case_id == case_id), None)


def _match_started(desk: Desk, data: Data) -> Desk:
    cases = tuple(replace(case, past=True) for case in desk.cases)
    return Desk(mats=desk.mats, cases=cases, claims=desk.claims, faults=desk.faults)


def _asked(desk: Desk, data: Data) -> Desk:
    return replace(desk, question=Question(dict(data)))


def _unread(desk: Desk, data: Data) -> Desk:
    question = desk.find(str(data["question_id"]))
    if question is None:
        return desk
    passed = replace(question, throw_id=int(data["throw_id"]))
    return replace(desk, question=None, unread=(*desk.unread, passed))


def _closed(desk: Desk, data: Data) -> Desk:
    closed = desk.find(str(data["question_id"]))
    if closed is None:
        return desk
    if data.get("verdict") == "no_throw":
        desk = replace(desk, no_throw_seq=closed.asked.get("seq"))
    if closed is desk.question:
        return replace(desk, question=None)
    told = desk.told
    if data.get("later"):
        told = {**told, int(data["throw_id"]): dict(data)}
    return replace(desk, unread=tuple(q for q in desk.unread if q is not closed), told=told)


def _left_covered(desk: Desk, data: Data) -> Desk:
    """Whose cup stands on a mat: the one at his own place, or the one that serves all."""
    player = str(data["player"])
    mats = {
        seat: replace(mat, cup_of=player) if mat.cup_down and seat in (None, player) else mat
        for seat, mat in desk.mats.items()
    }
    return replace(desk, mats=mats)


def _answer_dropped(desk: Desk, data: Data) -> Desk:
    told = {number: said for number, said in desk.told.items() if number != data["throw_id"]}
    return replace(desk, told=told)


def _thrown(desk: Desk, data: Data) -> Desk:
    if data["throw_id"] in desk.told:  # others have thrown since; their dice lie on the mat
        return _answer_dropped(desk, data)
    return replace(_answer_dropped(desk, data), last=dict(data))


def _burnt(desk: Desk, data: Data) -> Desk:
    return replace(_thrown(desk, data), last=None)  # it is thrown again, by the same player


def _by_hand(desk: Desk, data: Data) -> Desk:
    return replace(desk, last=None)  # whoever enters it by hand knows whose dice lie there


def _case_opened(desk: Desk, data: Data) -> Desk:
    desk, case = _case_noted(desk, data), Case(dict(data))
    return replace(desk, cases=(*desk.cases, case), claims=desk.claims + case.is_claim)


def _case_closed(desk: Desk, data: Data) -> Desk:
    left = tuple(case for case in desk.cases if case.case_id != data["case_id"])
    return replace(desk, cases=left)


def _packed_up(desk: Desk, data: Data) -> Desk:
    early = Seen.of_entry(int(data["seq"]), data["fact"], {})
    return replace(desk, packed={**desk.packed, str(data["player"]): early})


def _round_over(desk: Desk, data: Data) -> Desk:
    return replace(desk, packed={})


def _case_noted(desk: Desk, data: Data) -> Desk:
    """Whoever has packed up early is told of once."""
    known = desk.case(str(data["case_id"]))
    opened = data if known is None else known.opened
    if opened["kind"] != "packed_up_early":
        return desk
    left = {name: early for name, early in desk.packed.items() if name != opened["player"]}
    return replace(desk, packed=left)


def _waits(desk: Desk, data: Data) -> Desk:
    return replace(desk, noted_seq=int(data["seq"]))


def _caught_up(desk: Desk, data: Data) -> Desk:
    return replace(desk, waiting=tuple(s for s in desk.waiting if s.seq > data["upto"]))


def _fault(desk: Desk, data: Data) -> Desk:
    return replace(desk, faults=desk.faults | {str(data.get("what"))})


def _fault_over(desk: Desk, data: Data) -> Desk:
    return replace(desk, faults=desk.faults - {str(data.get("what"))})


_FOLDS = {
    "match_started": _match_started,
    "question.asked": _asked,
    "question.unread": _unread,
    "question.answered": _closed,
    "question.withdrawn": _closed,
    "answer_dropped": _answer_dropped,
    "thrown": _thrown,
    "burnt": _burnt,
    "covered": _thrown,
    "left_covered": _left_covered,
    "entered_by_hand": _by_hand,
    "case.opened": _case_opened,
    "case.seen": _case_noted,
    "case.closed": _case_closed,
    "packed_up": _packed_up,
    "round_settled": _round_over,
    "waits": _waits,
    "caught_up": _caught_up,
    "fault": _fault,
    "fault_over": _fault_over,
}
