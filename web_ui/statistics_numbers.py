"""Statistics as JSON: what the interface and `schockauge statistics --json` give."""

from typing import Any

from rules.fairness import Faces
from rules.luck import Luck
from rules.statistics import SHARED_DICE, Dearest, PlayerTally, Tally
from web_ui.fairness_words import fairness_text


def statistics_json(tally: Tally, lang: str) -> dict[str, Any]:
    """Return a tally as a JSON-able object.

    Args:
        tally: what the games come to.
        lang: language of the verdicts about dice (`text`).
    """
    return {
        "games": tally.games,
        "rounds": tally.rounds,
        "dearest": _dearest(tally.dearest),
        "players": [_player(name, one) for name, one in tally.players.items()],
        "pairs": [
            {"highest": highest, "lowest": lowest, "rounds": pair.rounds, "deckel": pair.deckel}
            for (highest, lowest), pair in tally.pairs.items()
        ],
        "dice": [_dice(whose, faces, lang) for whose, faces in tally.faces.items()],
    }


def _player(name: str, one: PlayerTally) -> dict[str, Any]:
    return {
        "player": name,
        "games": one.games,
        "games_lost": one.games_lost,
        "halves_lost": one.halves_lost,
        "rounds": one.rounds,
        "highest": one.highest,
        "lowest": one.lowest,
        "results": one.results,
        "mean_deckel": one.mean_worth,
        "schock_aus": one.schock_aus,
        "schock_aus_from_hand": one.from_hand,
        "given": one.given,
        "taken": one.taken,
        "dearest": _dearest(one.dearest),
        "longest_without_deckel": one.calm.longest,
        "longest_losing": one.losing.longest,
        "luck": _luck(one.luck),
    }


def _luck(luck: Luck) -> dict[str, Any]:
    return {
        "throws": luck.throws,
        "share": luck.share,
        "error": luck.error,
        "verdict": luck.verdict,
        "schock_aus": luck.schock_aus,
        "expected_schock_aus": luck.expected_schock_aus,
    }


def _dearest(dearest: Dearest) -> dict[str, Any] | None:
    if not dearest.deckel:
        return None
    return {
        "deckel": dearest.deckel,
        "winner": dearest.winner,
        "loser": dearest.loser,
        "part": str(dearest.part),
        "round": dearest.round,
        "result": dearest.result and dearest.result.name,
    }


def _dice(whose: str, faces: Faces, lang: str) -> dict[str, Any]:
    return {
        "player": None if whose == SHARED_DICE else whose,
        "thrown": faces.thrown,
        "counts": list(faces.counts),
        "expected": faces.expected,
        "chi_square": faces.chi_square,
        "chance": faces.chance,
        "verdict": faces.verdict,
        "text": fairness_text(faces, lang),
    }
