"""Whose game is the next one at a table of a round, and when is the table done?"""

from collections.abc import Mapping, Sequence

from rules.tournament_format import Format
from rules.tournament_results import GameRecord, TableResult
from rules.tournament_scoring import outcome_by_lives


def next_players(
    seats: Sequence[str],
    games: Sequence[GameRecord],
    *,
    most: int = 0,
    lives: Mapping[str, int] | None = None,
    go_on: int = 1,
    half_out: bool = False,
) -> tuple[str, ...]:
    """Return who plays the next game at a table, in the order of the seats; nobody: it is done.

    Args:
        seats: who sits there now.
        games: what the table has played in this round.
        most: so many games at most; 0: no limit.
        lives: of each player at the beginning of the round; None: points decide.
        go_on: where lives decide: the table is done when no more than so many are left.
        half_out: a half of sudden death puts its loser out; else it costs a life.
    """
    if most and len(games) >= most:
        return ()
    if lives is None:
        decided = any(game.scharf for game in games)
        return tuple(seats) if len(seats) > 1 and not decided else ()
    left = dict(lives)
    for game in games:
        if game.loser in left:
            left[game.loser] -= left[game.loser] if game.scharf and half_out else 1
    alive = tuple(name for name in seats if left.get(name, 0) > 0)
    return alive if len(alive) > max(1, go_on) else ()


def until_decided(
    made: Format, kind: str, seats: Sequence[str], games: Sequence[GameRecord]
) -> tuple[GameRecord, ...]:
    """Return the games that count: what is played after a table's decision does not.

    Args:
        made: the format.
        kind: of the round.
        seats: who was drawn to the table.
        games: all that was played there, oldest first.
    """
    by_lives = kind != "points" and made.ko == "lives"
    counted: list[GameRecord] = []
    for game in games:
        if counted and counted[-1].scharf and made.scharf == "half_decides":
            break
        if by_lives:
            so_far = TableResult(games=tuple(counted), source="log", by="log")
            found = outcome_by_lives(made, kind, seats, so_far)
            if len(found.still_in) <= found.go_on:
                break
        counted.append(game)
    return tuple(counted)
