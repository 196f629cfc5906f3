"""The results of a round's tables in words, as they stand on their cards."""

from typing import Any

from rules.tournament_results import GameRecord
from rules.tournament_state import Round
from web_ui.i18n import text


def cards_of(one: Round, lang: str) -> list[dict[str, Any]]:
    """Return the tables of a round that have handed in, with their games in words."""
    return [
        {
            "number": number,
            "players": one.tables[number - 1],
            "by": one.handed[number].result.by,
            "source": text(lang, f"hall.source.{one.handed[number].result.source}"),
            "cut_short": one.handed[number].result.cut_short,
            "games": [game_text(game, lang) for game in one.handed[number].result.games],
        }
        for number in sorted(one.handed)
    ]


def game_text(game: GameRecord, lang: str) -> str:
    """Say how a game ended: who lost it, who the halves, who went out when, Schock aus."""
    parts = [text(lang, f"hall.how.{game.how}", n=game.number, player=game.loser)]
    for number, half in enumerate(game.halves, start=1):
        order = ", ".join(" = ".join(group) for group in half.out)
        key = "hall.half.order" if order else "hall.half"
        parts.append(text(lang, key, n=number, player=half.loser, order=order))
    aus = ", ".join(f"{name} {count}" for name, count in game.schock_aus.items())
    if aus:
        parts.append(text(lang, "hall.aus", players=aus))
    return " ".join(parts)
