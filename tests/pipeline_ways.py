"""A script of a table, played in other ways than live: asked in the middle, switched off and on."""

from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

from pipeline_table import Table

from device.questions import TOO_MANY

Step = tuple[str, tuple[Any, ...], dict[str, Any]]


class Script(Table):
    """A table that remembers what was said and done at it since `begin`."""

    def __init__(self, *players: str, book: str = "turnier") -> None:
        self.steps: list[Step] | None = None
        super().__init__(*players, book=book)

    def begin(self) -> None:
        self.steps = []

    def say(self, *args: Any, **more: Any) -> None:
        with self._noted("say", args, more):
            super().say(*args, **more)

    def answer(self, **more: Any) -> dict[str, Any]:
        with self._noted("answer", (), more):
            return super().answer(**more)

    def rule(self, verdict: str) -> dict[str, Any]:
        with self._noted("rule", (verdict,), {}):
            return super().rule(verdict)

    def by_hand(self, type: str, **more: Any) -> dict[str, Any]:
        with self._noted("by_hand", (type,), more):
            return super().by_hand(type, **more)

    @contextmanager
    def _noted(self, name: str, args: tuple[Any, ...], more: dict[str, Any]) -> Iterator[None]:
        steps, self.steps = self.steps, None
        if steps is not None:
            steps.append((name, args, dict(more)))
        yield
        self.steps = steps


def switched_off(script: Script, at: int) -> Table:
    """The same, the table switched off and on before a step."""
    table = _led(script)
    for number, (name, args, more) in enumerate(script.steps or ()):
        if number == at:
            table.switch_on()
        getattr(table, name)(*args, **more)
    return table


def asked_about(script: Script, at: int, reason: str, *, off: bool = False) -> Table | None:
    """The same, a throw not being read for sure; a person tells its dice before he does anything.

    Args:
        script: what is played.
        at: number of the throw among the steps.
        reason: of the doubt.
        off: the table is switched off and on before the answer.

    Returns:
        The table; None where nobody was asked about the throw.
    """
    table, seq, dice = _led(script), 0, ()
    was_asked = False
    for number, (name, args, more) in enumerate(script.steps or ()):
        if name != "say":
            was_asked |= _tell(table, seq, dice, off=off)
        if number == at:
            dice = args[1]
            table.say("unsure", *args[1:], **more, reason=reason)
            seq = next(e.seq for e in reversed(table.entries()) if e.type == "table.unsure")
        else:
            getattr(table, name)(*args, **more)
    was_asked |= _tell(table, seq, dice, off=off)
    return table if was_asked else None


def outcome(table: Table) -> dict[str, Any]:
    """What the game has come to, however it came there."""
    state = dict(table.state)
    del state["actions"]
    state["throws"] = sorted((throw["player"], throw["dice"]) for throw in state["throws"])
    state["cases"] = [(c.opened["kind"], c.opened["player"]) for c in table.pipeline.desk.cases]
    state["questions"] = [question.player for question in table.pipeline.desk.questions]
    return state


def _led(script: Script) -> Table:
    table = Table(*script.players, book=script.book)
    table.lead()
    return table


def _tell(table: Table, seq: int, dice: tuple[int, ...], *, off: bool) -> bool:
    """Answer the question about a throw, if it is open."""
    about = [q for q in table.pipeline.desk.questions if q.asked["seq"] == seq]
    if not about:
        return False
    if off:
        table.switch_on()
    # Whoever is asked whose throw it is knows; live it was settled without a question.
    late = TOO_MANY in about[0].asked["verdicts"]
    said = {"verdict": TOO_MANY} if late else {"dice": list(dice)}
    table.submit("answer_question", question_id=about[0].question_id, **said)
    return True
