"""What the hall shows of a table: a fold of its log, brought up to date when somebody looks."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from typing import Any

from device.cases import Case
from device.errors import HubError, StoreError
from device.mentions import Mentions
from device.questions import Question
from device.restoring import Restored
from device.store import EventLog, LogEntry
from web_ui.facts import Facts
from web_ui.tournament_ports import Pending
from web_ui.wording import dice_of

PAGE_ENTRIES = 1000
OPENING = frozenset({"question.asked", "case.opened"})


class TableView:
    """Follows one log of a table; not safe to use from several threads.

    Args:
        table: its name.
        log: one of its logs.

    Attributes:
        table: its name.
        damaged: why the log cannot be followed; "" as long as it can.
    """

    def __init__(self, table: str, log: EventLog) -> None:
        self.table, self._log = table, log
        self._seq = 0
        self._facts, self._mentions = Facts(), Mentions()
        self._at_s: dict[str, float] = {}
        self._restored: Restored | None = None
        self.damaged = ""

    def read(self) -> None:
        """Take in what is new; a log that cannot be followed costs no other table its place.

        Raises:
            HubError: the database cannot be read.
        """
        with self._noting_damage():
            if self.damaged:
                return
            while page := self._log.read(self._seq, PAGE_ENTRIES):
                for entry in page:
                    self._take(entry)
                    self._seq = entry.seq
            if self._restored is None:
                self._restored = Restored(self._log)
            self._restored.read()

    def pending(self) -> Sequence[Pending]:
        """What the table asks for, the oldest first; nothing while its log cannot be followed."""
        with self._noting_damage():
            if self._restored is not None and not self.damaged:
                desk = self._restored.desk
                asked = [self._question(question) for question in desk.questions]
                return [*asked, *(self._case(case) for case in desk.cases)]
        return ()

    def names(self, sha256: str) -> tuple[str, ...]:
        """Under which names the log knows a file by its digest; none: it has no such file."""
        known = self._mentions.kept.items()
        return tuple(n for n, said in known if any(one.sha256 == sha256 for one in said))

    @contextmanager
    def _noting_damage(self) -> Iterator[None]:
        try:
            yield
        except HubError:
            raise
        except StoreError as error:
            self.damaged = str(error)
        except Exception as error:  # who wrote it may be of another version, or mean harm
            self.damaged = f"{type(error).__name__}: {error}"

    def _take(self, entry: LogEntry) -> None:
        self._facts.take(entry)
        self._mentions.take(entry)
        if entry.type in OPENING:
            key = "question_id" if entry.type == "question.asked" else "case_id"
            self._at_s[str(entry.data.get(key))] = entry.at_s

    def _question(self, question: Question) -> Pending:
        asked = question.asked
        still, clip = self._evidence(asked.get("seq"))
        return Pending(
            table=self.table,
            id=question.question_id,
            kind="question",
            player=question.player,
            dice=question.dice,
            candidates=tuple(dice_of(one) for one in asked.get("candidates", ())),
            verdicts=tuple(map(str, asked.get("verdicts", ()))),
            at_s=self._at_s.get(question.question_id, 0.0),
            still=still,
            clip=clip,
            text_de=str(asked.get("reason", "")),
            text_en=str(asked.get("reason_en", "")),
        )

    def _case(self, case: Case) -> Pending:
        opened = case.opened
        throw_id = opened.get("throw_id")
        of_throw = self._facts.of_throw.get(throw_id) if isinstance(throw_id, int) else None
        still, clip = self._evidence(of_throw if case.is_claim else opened.get("seq"))
        return Pending(
            table=self.table,
            id=case.case_id,
            kind="claim" if case.is_claim else "case",
            player=str(opened.get("player", "")),
            dice=dice_of(opened.get("dice")),
            at_s=self._at_s.get(case.case_id, 0.0),
            still=still,
            clip=clip,
            text_de=_words(opened, "de", is_claim=case.is_claim),
            text_en=_words(opened, "en", is_claim=case.is_claim),
        )

    def _evidence(self, fact: object) -> tuple[str, str]:
        """The digests of still and clip of a fact, as far as there are any."""
        seen = self._facts.known.get(fact) if isinstance(fact, int) else None
        if seen is None:
            return "", ""
        return self._digest(seen.still), self._digest(seen.clip)

    def _digest(self, name: str) -> str:
        said = self._mentions.kept.get(name)
        return said[-1].sha256 if said else ""


def _words(opened: Mapping[str, Any], lang: str, *, is_claim: bool) -> str:
    said = str(opened.get(f"text_{lang}") or "")
    return str(opened.get("claim") or said) if is_claim else said
