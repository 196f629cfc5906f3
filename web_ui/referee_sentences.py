"""Sentences of what a person decides: corrections, rulings against the book, answers."""

from collections.abc import Callable, Mapping

from web_ui.i18n import text
from web_ui.sentence import Data, Sentence
from web_ui.wording import dice_of, in_language


def _throw_corrected(language: str, data: Data) -> Sentence:
    before = "-".join(map(str, dice_of(data["dice_before"])))
    words = {"by": data["by"], "player": data["player"], "before": before}
    sentence = text(language, "line.throw_corrected", **words)
    return Sentence(sentence, "refused", dice_of(data["dice"]))


def _question_asked(language: str, data: Data) -> Sentence:
    sentence = text(language, "line.question.asked", player=data.get("player") or "?")
    return Sentence(sentence, "question")


def _question_answered(language: str, data: Data) -> Sentence:
    if "verdict" in data:
        key = f"line.question.answered.{data['verdict']}"
        return Sentence(text(language, key, by=data["by"]), "question")
    return Sentence(
        text(language, "line.question.answered", by=data["by"]), "question", dice_of(data["dice"])
    )


def _round_ruled(language: str, data: Data) -> Sentence:
    words = {
        "part": text(language, f"part.{data['ruled_part']}"),
        "round": data["ruled_round"],
        "by": data["by"],
        "loser": data["loser"],
        "reason": data["reason"],
    }
    return Sentence(text(language, f"line.round_ruled.{data['verdict']}", **words), "refused")


def _deckel_ruled(language: str, data: Data) -> Sentence:
    way = "between"
    if data["giver"] is None:
        way = "from_stock"
    elif data["taker"] is None:
        way = "to_stock"
    words = {name: data[name] for name in ("giver", "taker", "count", "by", "reason")}
    return Sentence(text(language, f"line.deckel_ruled.{way}", **words), "deckel")


def _case_opened(language: str, data: Data) -> Sentence:
    words = {"reason": in_language(language, data), "section": data["section"]}
    return Sentence(text(language, "line.case.opened", **words), "refused", dice_of(data["dice"]))


def _case_closed(language: str, data: Data) -> Sentence:
    key = f"line.case.closed.{data['verdict']}"
    words = {"by": data["by"], "player": data["player"], "reason": data.get("reason", "")}
    return Sentence(text(language, key, **words), "refused")


REFEREE_TELLERS: Mapping[str, Callable[[str, Data], Sentence]] = {
    "throw_corrected": _throw_corrected,
    "round_ruled": _round_ruled,
    "deckel_ruled": _deckel_ruled,
    "question.asked": _question_asked,
    "question.answered": _question_answered,
    "case.opened": _case_opened,
    "case.closed": _case_closed,
}
