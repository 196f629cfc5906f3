"""Claims: a player disputes a throw, and the referee is asked about it."""

from __future__ import annotations

from device.cases import Case
from rules.book import RuleBook
from rules.events import Burnt, Covered, Thrown
from web_ui.ports import CLAIM

Disputed = Thrown | Burnt | Covered


def claim_about(throw: Disputed, number: int, book: RuleBook, *, by: str, text: str) -> Case:
    """Open a case about a throw that somebody disputes.

    Args:
        throw: which one.
        number: how many claims the log has with this one.
        book: the rule book.
        by: who disputes it.
        text: why, in his words; "" where he says nothing.
    """
    colon_text = f": {text}" if text else "."
    return Case(
        {
            "case_id": f"{CLAIM}-{number}",
            "kind": CLAIM,
            "player": throw.player,
            "part": throw.part,
            "round": throw.round,
            "code": CLAIM,
            "section": book.cite("referee"),
            "text_de": f"{by} zweifelt den Wurf von {throw.player} an{colon_text}",
            "text_en": f"{by} disputes the throw by {throw.player}{colon_text}",
            "fault": None,
            "topics": ["referee", "burnt_throw", "tilted"],
            "penalty_section": "",
            "penalty_de": "Der Schiedsrichter entscheidet.",
            "penalty_en": "The referee decides.",
            "dice": [] if isinstance(throw, Covered) else list(throw.dice),
            "outside": list(throw.outside) if isinstance(throw, Thrown) else [],
            "throw_id": throw.throw_id,
            "by": by,
            "claim": text,
        }
    )
