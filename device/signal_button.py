"""What the big button does: pressed it disputes the last throw, held it confirms a reading."""

from __future__ import annotations

from collections.abc import Mapping

from device.errors import StoreError
from device.pipeline import Pipeline
from device.questions import VERDICTS, Question
from rules.events import Burnt, Covered, Thrown
from web_ui.errors import ActionRefused
from web_ui.ports import ANSWER, CLAIM

BY = "Taster"
"""Who has done it, in the log and on the pages."""
CONFIRMABLE = frozenset({"values", "restless", "no_cup"})
"""Doubts about a reading alone. With the others more than that is asked: whether a die burns,
whether there was a throw at all, or whose."""


def claim_last(pipeline: Pipeline) -> bool:
    """Dispute the last throw; False: there is none, or it is disputed already."""
    record = pipeline.game.match.state.record
    throws = [event for event in record if isinstance(event, Thrown | Burnt | Covered)]
    if not throws:
        return False
    return _done(pipeline, {"type": CLAIM, "throw_id": throws[-1].throw_id, "by": BY, "text": ""})


def only_question(pipeline: Pipeline) -> str | None:
    """The question that is open, where it is the only one."""
    questions = pipeline.desk.questions
    return questions[0].question_id if len(questions) == 1 else None


def confirm_reading(pipeline: Pipeline, question_id: str | None) -> bool:
    """Answer the open question by what was read.

    Args:
        pipeline: of the table.
        question_id: the only one that was open when the button went down; None: there was none.

    Returns:
        False: it leaves a choice, it is answered already, or another one has come meanwhile, which
        nobody has read yet.
    """
    questions = pipeline.desk.questions
    if question_id is None or only_question(pipeline) != question_id:
        return False
    if (dice := offered(questions[0])) is None:
        return False
    action = {"type": ANSWER, "question_id": questions[0].question_id, "dice": dice, "by": BY}
    return _done(pipeline, action)


def offered(question: Question) -> list[int] | None:
    """The only reading that a question offers; None where there is a choice."""
    asked = question.asked
    verdicts = tuple(asked.get("verdicts") or VERDICTS)
    candidates = [list(dice) for dice in asked.get("candidates", ())]
    if asked.get("doubt") not in CONFIRMABLE or verdicts != VERDICTS or len(candidates) != 1:
        return None
    return candidates[0]


def _done(pipeline: Pipeline, action: Mapping[str, object]) -> bool:
    try:
        pipeline.submit(action)
    except (ActionRefused, StoreError):
        return False
    return True
