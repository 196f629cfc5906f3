"""The answers of `schockauge judge` as a referee reads them: one German line each."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

LABELS: Mapping[str, str] = {
    "allowed": "erlaubt",
    "at": "Zug Nummer (von 0 an)",
    "binding": "bindend",
    "category": "Figur",
    "challenge_cup": "Wanderpokal",
    "champions_league": "Champions League",
    "count": "Anzahl",
    "counts": "zählt",
    "deckel": "Deckel",
    "dice": "Würfel",
    "doofmanndeckel": "Doofmanndeckel",
    "drink_round": "Runde ausgeben",
    "eur": "Euro",
    "excluded": "ausgeschlossen",
    "fee_eur": "Euro",
    "final": "Finale",
    "final_starter": "das Finale beginnt",
    "finalists": "im Finale",
    "from": "von",
    "from_hand": "aus der Hand",
    "game_loser": "Verlierer des Spiels",
    "game_over": "Spiel zu Ende",
    "half2_starter": "die zweite Hälfte beginnt",
    "half_loser": "Verlierer der Hälfte",
    "half_over": "Hälfte zu Ende",
    "holdings": "Deckel je Spieler",
    "legal": "erlaubt",
    "loser": "niedrigster Wurf",
    "loses_part": "verliert Hälfte oder Finale",
    "loses_round": "verliert die Runde",
    "may_cover_again": "darf wieder verdecken",
    "may_repeat": "darf neu werfen",
    "may_throw_again": "darf weiterwerfen",
    "may_turn": "darf drehen",
    "moved": "bewegte Deckel",
    "must_be_shown": "ist allen zu zeigen",
    "name": "Figur",
    "next_starter": "es beginnt",
    "next_throw_no": "zählt danach als Wurf",
    "order": "Reihenfolge",
    "out": "ausgeschieden",
    "over": "zu Ende",
    "over_limit": "zu viele Würfe",
    "part_loser": "Verlierer von Hälfte oder Finale",
    "part_over": "Hälfte oder Finale zu Ende",
    "points": "Augen",
    "previous_throws_void": "bisherige Würfe verfallen",
    "prize": "Preis",
    "ranked": "in der Wertung",
    "reason": "Grund",
    "required": "Pflicht",
    "round_counts": "Runde zählt",
    "round_over": "Runde zu Ende",
    "rounds_used": "gespielte Runden",
    "sanction": "Strafe",
    "schock_aus": "Schock aus",
    "shown": "offen",
    "single_open_throw": "ein einziger offener Wurf",
    "spoken": "Ansage",
    "starter": "es beginnt",
    "starters": "es begannen",
    "stock": "Stock",
    "sweep": "beide Hälften verloren",
    "text_de": "weil",
    "throw": "Wurf",
    "throw_no": "zählt als Wurf",
    "throw_stands": "der Wurf steht",
    "throws": "Würfe",
    "tied": "gleich",
    "to": "an",
    "values": "Würfe",
    "when": "wann",
    "winner": "höchster Wurf",
}
"""What a field of an answer is called."""

LABELS_OF: Mapping[str, Mapping[str, str]] = {
    "half": {"loser": "Verlierer der Hälfte"},
    "round_lost_by_fault": {"loser": "verliert die Runde"},
    "voluntary_take": {"loser": "nimmt die Deckel"},
    "concede": {"loser": "nimmt die Deckel"},
    "rank": {"values": "Figuren"},
}
"""What it is called in the answers to one kind of question, or to one event."""

WORDS: Mapping[str, str] = {
    "all": "alle",
    "before the tournament": "vor dem Turnier",
    "dice_outside": "es liegt ein Würfel draußen",
    "nothing_to_take": "es liegt noch kein Wurf offen",
    "only_schock_aus": "nur bei Schock aus",
    "referee": "der Schiedsrichter entscheidet",
    "repeat": "wiederholen",
    "stock": "Stock",
    "stock_empty": "der Stock ist leer",
    "throw_not_covered": "der Wurf liegt schon offen",
}
"""Values that are no names, numbers or figures."""

PEOPLE = frozenset(
    {"winner", "loser", "starter", "half_loser", "part_loser", "game_loser", "final_starter"}
)
"""Fields that name a player; elsewhere nothing is not nobody."""


def in_german(answer: Mapping[str, Any], *, asked: str = "") -> str:
    """An answer as a referee reads it: one line, the rule section at its end.

    Args:
        answer: what was judged.
        asked: kind of the question, or of a penalty or fee its event.
    """
    labels = {**LABELS, **LABELS_OF.get(asked, {})}
    words = [
        f"{labels.get(key, key)}: {_value(key, value)}"
        for key, value in answer.items()
        if not _is_said_elsewhere(key, answer)
    ]
    return f"{answer.get('id')}: {'; '.join(words)} [{answer.get('rule', 'ohne Fundstelle')}]"


def _is_said_elsewhere(key: str, answer: Mapping[str, Any]) -> bool:
    """Whether a line has this already, in better words."""
    better = {"text_en": "text_de", "reason": "text_de", "category": "name"}
    if key == "next_starter":
        return bool(answer.get("starter") == answer[key])
    return key in ("id", "rule") or (key in better and better[key] in answer)


def _value(key: str, value: Any) -> str:
    if value is None:
        return "niemand" if key in PEOPLE else "–"
    if isinstance(value, bool):
        return "ja" if value else "nein"
    if isinstance(value, Mapping):
        if "player" in value:
            return f"{value['player']} {value['name']}"
        return ", ".join(f"{name} {_value(key, item)}" for name, item in value.items())
    if isinstance(value, list):
        return ", ".join(_value(key, item) for item in value) or "niemand"
    return str(value) if key in ("name", "spoken", "text_de") else WORDS.get(value, str(value))
