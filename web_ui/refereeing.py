"""The referee's desk: what is open, and for one of them everything that is needed to decide."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.match import Match
from rules.sheet import rule_sheet
from web_ui.announcing import rulings_of
from web_ui.asking import case_view, question_view, waiting_text
from web_ui.i18n import counted, has, text
from web_ui.ports import CLAIM
from web_ui.projection import Board
from web_ui.seeing import evidence_view
from web_ui.tabling import throws_of
from web_ui.wording import dice_of, number_in

Json = Mapping[str, Any]

THROWS_LISTED = 40

DOUBT_TOPICS: Mapping[str, tuple[str, ...]] = {
    "kind": ("tilted", "burnt_throw"),
    "fewer": ("off_mat", "burnt_throw", "drop_die"),
    "no_cup": ("burnt_throw",),
    "changed": ("burnt_throw",),
    "strip_changed": ("keep", "return_kept"),
    "left_in_zone": ("keep", "return_kept"),
}
"""What of the book a doubt of the camera may be about, by its code; else `USUAL_TOPICS`."""
USUAL_TOPICS = ("burnt_throw", "tilted")
ALWAYS = ("referee",)


@dataclass(frozen=True)
class Throw:
    """The throw that a decision is about.

    Attributes:
        throw_id: its number in the game under way.
        player: whose it is.
        dice: what stands in the log; () under a cup.
        part: of the game.
        round: in that part.
    """

    throw_id: int
    player: str
    dice: tuple[int, ...]
    part: str
    round: int


def present_referee(board: Board, lang: str, item: str) -> dict[str, Any]:
    """Return the desk as its templates need it.

    Args:
        board: the state.
        lang: language of the texts.
        item: id of what is looked at (`question-…`, `case-…`, `throw-…`); another one than there
            is: the first that is open.

    Returns:
        `queue` of what is open, `throws` of the game, `item` (or None) with its evidence, the rules
        it is about and the ways to decide it.
    """
    queue = [*_questions(board, lang), *_cases(board, lang)]
    found = next((one for one in queue if one["id"] == item), None) or _throw_item(
        board, lang, item
    )
    shown = found or next(iter(queue), None)
    return {
        "seq": board.seq,
        "queue": [one | {"current": one is shown} for one in queue],
        "queue_text": counted(lang, "desk.open", len(queue)),
        "waiting_text": waiting_text(board, lang),
        "throws": throws_of(board, lang, most=THROWS_LISTED),
        "item": None if shown is None else shown | _detail(board, lang, shown),
        "rulings": rulings_of(board, lang),
    }


# --- what is open ---------------------------------------------------------------------------


def _questions(board: Board, lang: str) -> Iterable[dict[str, Any]]:
    for question in board.questions:
        view = question_view(question, board.match or {}, lang)
        yield {
            "id": f"question-{view['id']}",
            "kind": "question",
            "kind_text": text(lang, "desk.kind.question"),
            "title": view["title"],
            "text": " ".join(filter(None, (view["reason"], view["unread"]))),
            "about": question,
            "view": view,
            "fact": number_in(question, "seq"),
            "throw": None,
            "topics": DOUBT_TOPICS.get(str(question.get("doubt")), USUAL_TOPICS),
        }


def _cases(board: Board, lang: str) -> Iterable[dict[str, Any]]:
    for case in board.cases:
        view, is_claim = case_view(case, lang), case.get("kind") == CLAIM
        disputed = number_in(case, "throw_id")
        throw = _throw_of(board, disputed) if is_claim else _throw_of_fact(board, case)
        throw = None if case.get("past") else throw
        fact = board.fact_of_throw.get(disputed) if is_claim else number_in(case, "seq")
        yield {
            "id": f"case-{view['id']}",
            "kind": "claim" if is_claim else "case",
            "kind_text": text(lang, "desk.kind.claim" if is_claim else "desk.kind.case"),
            "title": _case_title(case, lang, is_claim=is_claim),
            "text": view["text"],
            "about": case,
            "view": view,
            "fact": fact,
            "throw": throw,
            "topics": _words(case.get("topics")),
        }


def _case_title(case: Json, lang: str, *, is_claim: bool) -> str:
    player = str(case.get("player", "?"))
    who = text(lang, "desk.throw", player=player) if is_claim else player
    key, number = f"part.{case.get('part')}", case.get("round")
    if not has(lang, key):  # a case in an unknown form is still open
        return who
    if key == "part.opening" or number is None:
        return f"{who}, {text(lang, key)}"
    return f"{who}, {text(lang, key)}, {text(lang, 'round', n=number)}"


def _words(value: object) -> tuple[str, ...]:
    return tuple(map(str, value)) if isinstance(value, list | tuple) else ()


def _throw_item(board: Board, lang: str, item: str) -> dict[str, Any] | None:
    """A throw that nobody has asked about, for a correction."""
    number = item.removeprefix("throw-")
    known = item.startswith("throw-") and number.isascii() and number.isdigit()
    throw = _throw_of(board, int(number)) if known and len(number) < 10 else None
    if throw is None:
        return None
    return {
        "id": item,
        "kind": "throw",
        "kind_text": text(lang, "desk.kind.throw"),
        "title": text(lang, "desk.throw", player=throw.player),
        "text": "",
        "about": {},
        "view": {"dice": throw.dice, "outside": ()},
        "fact": board.fact_of_throw.get(throw.throw_id),
        "throw": throw,
        "topics": (),
    }


def _throw_of(board: Board, throw_id: int) -> Throw | None:
    for thrown in (board.match or {}).get("throws", ()):
        if thrown["throw_id"] == throw_id:
            return _as_throw(thrown)
    return None


def _throw_of_fact(board: Board, case: Json) -> Throw | None:
    seq = number_in(case, "seq")
    throws = (number for number, fact in board.fact_of_throw.items() if fact == seq)
    return _throw_of(board, next(throws, 0))


def _as_throw(thrown: Json) -> Throw:
    dice = dice_of(thrown["dice"])
    return Throw(thrown["throw_id"], thrown["player"], dice, thrown["part"], thrown["round"])


# --- one of them ----------------------------------------------------------------------------


def _detail(board: Board, lang: str, item: Json) -> dict[str, Any]:
    fact = board.facts.get(item["fact"] or 0)
    topics = dict.fromkeys((*item["topics"], *ALWAYS))
    evidence = evidence_view(fact, lang)
    about = _round(board, item)
    seen = (evidence["still"], evidence["clip"], evidence["note"])
    return {
        "evidence": evidence,
        "evidence_version": "|".join((item["id"], *seen)),
        "rules": [] if board.game is None else _rules(board.game, topics, lang),
        "ways": _ways(item, about_round=about is not None),
        "round": about,
    }


def _rules(match: Match, topics: Iterable[str], lang: str) -> list[dict[str, str]]:
    """What the book says of some topics, with the place where it says so."""
    sheet = rule_sheet(match.book, "en" if lang == "en" else "de")
    rows = {row.name: row for chapter in sheet.chapters for row in chapter.rows}
    return [{"text": rows[name].text, "note": rows[name].note} for name in topics if name in rows]


def _ways(item: Json, *, about_round: bool) -> tuple[str, ...]:
    """Ways to decide, the likeliest first; names of the page's own parts. There may be none."""
    if item["kind"] == "question":
        verdicts = (f"verdict:{verdict['name']}" for verdict in item["view"]["verdicts"])
        return ("answer", *verdicts)
    throw = item["throw"]
    about_throw = ("correct", "repeat") if throw is not None and throw.dice else ()
    moved = ("round", "deckel") if about_round else ()
    if item["kind"] == "throw":
        return (*about_throw, *moved)
    if item["about"].get("past"):
        return ("dismissed", "word")
    first = ("dismissed",) if item["kind"] == "claim" else ("fault", "dismissed")
    return (*first, *about_throw, *moved, "word")


def _round(board: Board, item: Json) -> dict[str, Any] | None:
    """The round that a decision is about: who plays it, and how it ended, if it has."""
    match, about = board.match or {}, item["throw"] or item["about"]
    part, number = _of(about, "part"), _of(about, "round")
    if part not in ("half1", "half2", "final"):
        return None
    ended = [r for r in match.get("history", ()) if (r["part"], r["round"]) == (part, number)]
    players: Sequence[str] = match.get("players", ())
    settled = ended[-1] if ended else None
    return {
        "part": part,
        "round": number,
        "players": [result["player"] for result in settled["order"]] if settled else players,
        "loser": settled["loser"] if settled else None,
        "winner": settled["winner"] if settled else next(iter(players[1:]), None),
        "deckel": settled["deckel"] if settled else 1,
        "ruled": bool(settled and settled["ruled"]),
    }


def _of(about: object, name: str) -> Any:
    return about.get(name) if isinstance(about, Mapping) else getattr(about, name, None)
