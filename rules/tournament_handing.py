"""May a table hand in this result? The card against the draw, the format and the lives."""

from collections.abc import Sequence

from rules.tournament_format import Format
from rules.tournament_results import GameRecord, TableResult, problem_of
from rules.tournament_scoring import outcome_by_lives
from rules.tournament_state import Round

Problem = tuple[str, str]


def problem_with(
    made: Format, one: Round, table: int, result: TableResult, gone: Sequence[str]
) -> Problem | None:
    """Say what is wrong with a result, in German and English; None if it can be taken.

    Args:
        made: the format.
        one: the round.
        table: the number of a table of it.
        result: what is handed in.
        gone: who of the table has left.
    """
    seats = one.tables[table - 1]
    by_lives = one.kind != "points" and made.ko == "lives"
    moved = one.moved_from(table) if one.kind == "points" else ()
    may_miss = seats if by_lives else [*gone, *one.late, *one.away, *moved]
    found = problem_of(result, [*seats, *moved], made, absent=may_miss)
    if found is None:
        found = _problem_of_scharf(made, one, table, result.games)
    if found is None:
        found = _problem_of_number(made, one, result)
    if found is None and by_lives:
        found = _problem_of_lives(made, one, seats, result, gone)
    return found


def _problem_of_scharf(
    made: Format, one: Round, table: int, games: Sequence[GameRecord]
) -> Problem | None:
    sharp = [game.scharf for game in games]
    if any(sharp) and table not in one.scharf:
        return (
            "Scharf gespielt wird erst, wenn die Spielleitung es sagt.",
            "Sudden death is played only once the referee calls it.",
        )
    if sharp != sorted(sharp) or (made.scharf == "half_decides" and sum(sharp) > 1):
        return (
            "Nach einer scharfen Hälfte folgt kein ganzes Spiel, und wo eine entscheidet, "
            "keine zweite.",
            "No whole game follows a sudden-death half, and none of these where one decides.",
        )
    return None


def _problem_of_number(made: Format, one: Round, result: TableResult) -> Problem | None:
    if result.cut_short:
        return None
    count, most = len(result.games), made.games_per_round
    if not count:
        return (
            "Ohne ein Spiel gehört dazu, warum keines gespielt wurde.",
            "Without any game it must say why none was played.",
        )
    if one.kind != "points":
        return None
    if count > most:
        return (
            f"{count} Spiele, höchstens {most} sind vorgesehen.",
            f"{count} games, but at most {most} are to be played.",
        )
    if made.games_are == "exactly" and count < most:
        return (
            f"{count} Spiele, vorgesehen sind {most}; sind es weniger, gehört dazu, warum.",
            f"{count} games, but {most} are to be played; fewer need the reason why.",
        )
    return None


def _problem_of_lives(
    made: Format, one: Round, seats: Sequence[str], result: TableResult, gone: Sequence[str]
) -> Problem | None:
    """Check who still had a life in each game, and that the table is decided."""
    go_on = made.go_on(len(seats), one.kind)
    for at, game in enumerate(result.games):
        before = TableResult(games=result.games[:at], source=result.source, by=result.by)
        found = outcome_by_lives(made, one.kind, seats, before)
        playing = set(game.players)
        later = {name for other in result.games[at:] for name in other.players}
        alive = {name for name in found.still_in if name in later or name not in gone}
        if ghosts := sorted(playing - alive):
            names = ", ".join(ghosts)
            return (
                f"Spiel {at + 1}: {names} hat kein Leben mehr.",
                f"Game {at + 1}: {names} has no life left.",
            )
        if missing := sorted(alive - playing - {*gone, *one.late, *one.away}):
            names = ", ".join(missing)
            return (
                f"Spiel {at + 1} wurde ohne {names} gespielt.",
                f"Game {at + 1} was played without {names}.",
            )
        if len(alive) <= go_on:
            return (
                f"Spiel {at + 1} wurde nach der Entscheidung gespielt.",
                f"Game {at + 1} was played after the table was decided.",
            )
    found = outcome_by_lives(made, one.kind, seats, result, gone)
    if len(found.still_in) > go_on:
        names = ", ".join(found.still_in)
        return (
            f"Noch nicht entschieden: {names} sind noch dabei, {go_on} kommen weiter. Ist die "
            "Zeit um, sagt die Spielleitung scharf an.",
            f"Not decided yet: {names} are still in, {go_on} go on. When the time is up, the "
            "referee calls sudden death.",
        )
    return None
