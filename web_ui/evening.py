"""What an evening comes to: its games, and how the players stand after them.

A game counts as it stands when the next one begins, so that a correction made later in it is in.
An evening lasts until six in the morning.
"""

import time
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from rules.statistics import Tally

CALENDAR_FROM_S = 1e9
"""Times above are seconds since 1970 (2001 and later); below, seconds since a clip's start."""

EVENING_ENDS_S = 6 * 3600.0

NO_GAMES = Tally()


@dataclass(frozen=True)
class Game:
    """One game of the log.

    Attributes:
        began_s: when it began, in the log's time.
        players: in seat order.
        half_losers: who lost the first and the second half, as far as they are lost.
        loser: who lost the game, or None.
        over: it has an end, be it one without a loser.
        schock_aus: results 1-1-1 in settled rounds, by player.
        played: a round was begun; a game without one that is over counts nowhere.
        tally: what it comes to; of the game under way it is only worked out where it is shown.
    """

    began_s: float
    players: tuple[str, ...]
    half_losers: tuple[str, ...]
    loser: str | None
    over: bool
    schock_aus: Mapping[str, int]
    played: bool = True
    tally: Tally = NO_GAMES


@dataclass(frozen=True)
class Standing:
    """How one player stands: games ended and lost, halves lost, Schock aus."""

    place: int
    player: str
    games: int
    lost: int
    halves: int
    schock_aus: int


def game_of(match: Mapping[str, Any], began_s: float) -> Game:
    """Sum up a match.

    Args:
        match: `rules.view.snapshot`.
        began_s: when it began, in the log's time.
    """
    game = match["game"]
    halves = (game["half1_loser"], game["half2_loser"])
    results = [result for settled in match["history"] for result in settled["order"]]
    return Game(
        began_s=began_s,
        players=tuple(match["players"]),
        half_losers=tuple(loser for loser in halves if loser is not None),
        loser=game["game_loser"],
        over=match["part"] == "over",
        schock_aus=Counter(r["player"] for r in results if r["category"] == "schock_aus"),
        played=any(throw["part"] != "opening" for throw in match["throws"]) or bool(halves[0]),
    )


def evening_of(at_s: float) -> tuple[int, int] | None:
    """Return year and day of the year of an evening; None for the time of a clip."""
    if at_s < CALENDAR_FROM_S:
        return None
    day = time.localtime(at_s - EVENING_ENDS_S)
    return day.tm_year, day.tm_yday


def games_of_evening(games: Iterable[Game], at_s: float) -> tuple[Game, ...]:
    """Return the games that began on the evening of `at_s` and were played, or still are."""
    counting = (game for game in games if game.played or not game.over)
    return tuple(game for game in counting if evening_of(game.began_s) == evening_of(at_s))


def standings(games: Sequence[Game]) -> tuple[Standing, ...]:
    """Rank the players: fewest games lost, then fewest halves, then most Schock aus.

    A game that is not over yet counts with its halves and its Schock aus. Who is equal in all
    three shares a place, and stands in the order of the seats.
    """
    played, lost, halves, aus = Counter[str](), Counter[str](), Counter[str](), Counter[str]()
    for game in games:
        played.update(game.players if game.over else ())
        lost.update(() if game.loser is None else (game.loser,))
        halves.update(game.half_losers)
        aus.update(game.schock_aus)
    names = dict.fromkeys(name for game in games for name in game.players)
    score = {name: (lost[name], halves[name], -aus[name]) for name in names}
    return tuple(
        Standing(
            place=1 + sum(other < score[name] for other in score.values()),
            player=name,
            games=played[name],
            lost=lost[name],
            halves=halves[name],
            schock_aus=aus[name],
        )
        for name in sorted(names, key=score.__getitem__)
    )
