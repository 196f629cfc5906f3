"""What a table's result is worth: points of a point round, lives and places of a knockout table."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from rules.tournament_format import Format
from rules.tournament_results import GameRecord, HalfRecord, TableResult


@dataclass(frozen=True, kw_only=True)
class Score:
    """What a player has from a table, or from several together."""

    points: int = 0
    lost_games: int = 0
    lost_halves: int = 0
    first_outs: int = 0

    def __add__(self, other: "Score") -> "Score":
        return Score(
            points=self.points + other.points,
            lost_games=self.lost_games + other.lost_games,
            lost_halves=self.lost_halves + other.lost_halves,
            first_outs=self.first_outs + other.first_outs,
        )


def table_scores(
    made: Format, seats: Sequence[str], result: TableResult, *, missing_costs: bool = True
) -> dict[str, Score]:
    """Score a table.

    Args:
        made: the format.
        seats: who has to be scored.
        result: what was handed in.
        missing_costs: whether a game that somebody missed counts as the format says.
    """
    scores = {name: Score() for name in seats}
    for game in result.games:
        for name in seats:
            if name in game.players:
                scores[name] += _game_score(made, game, name)
            elif missing_costs:
                scores[name] += Score(points=made.missed_game_points)
    return scores


def _game_score(made: Format, game: GameRecord, name: str) -> Score:
    points = sum(_half_points(made, half, len(game.players), name) for half in game.halves)
    lost = name == game.loser and not game.scharf
    if lost:
        points += made.sweep_points if game.how == "sweep" else made.lost_game_points
    return Score(
        points=points,
        lost_games=int(lost),
        lost_halves=sum(1 for half in game.halves if half.loser == name),
        first_outs=sum(1 for half in game.halves if half.out and name in half.out[0]),
    )


def _half_points(made: Format, half: HalfRecord, players: int, name: str) -> int:
    by_place = made.exit_points(players)
    if half.loser == name:
        return made.lost_half_points + (by_place[-1] if by_place else 0)
    if not by_place:
        return 0
    ahead = 0
    for group in half.out:
        if name in group:
            shared = by_place[ahead : ahead + len(group)]
            return min(shared) if made.exit_ties == "worst" else max(shared)
        ahead += len(group)
    return 0


@dataclass(frozen=True, kw_only=True)
class Outcome:
    """How a knockout table stands.

    Attributes:
        places: groups of equals, the best first.
        still_in: who has a life left and has not gone home: only they can go on.
        lives: what everybody has left; empty where points decide.
        lives_lost: how many lives everybody has lost.
        go_on: how many go on.
        forfeited: who went home before a Stechen against somebody who stayed; behind him therefore.
    """

    places: tuple[tuple[str, ...], ...]
    still_in: tuple[str, ...]
    lives: Mapping[str, int]
    lives_lost: Mapping[str, int]
    go_on: int
    forfeited: tuple[str, ...] = ()

    @property
    def through(self) -> tuple[str, ...]:
        """Who goes on for certain."""
        through: list[str] = []
        for group in self._in_groups():
            if len(through) + len(group) > self.go_on:
                break
            through += group
        return tuple(through)

    @property
    def tied(self) -> tuple[str, ...]:
        """Of whom only some can go on: a Stechen has to say who; empty if all is clear."""
        count = 0
        for group in self._in_groups():
            if count < self.go_on < count + len(group):
                return group
            count += len(group)
        return ()

    def _in_groups(self) -> list[tuple[str, ...]]:
        groups = [tuple(n for n in group if n in self.still_in) for group in self.places]
        return [group for group in groups if group]


def outcome_by_lives(
    made: Format, kind: str, seats: Sequence[str], result: TableResult, gone: Sequence[str] = ()
) -> Outcome:
    """Who is still in at a knockout table, and in which order the others went out.

    Args:
        made: the format.
        kind: `ko` or `final`.
        seats: who was drawn to the table.
        result: what was handed in.
        gone: who has left: out, whatever lives they had.
    """
    start = made.lives(kind)
    lives, lost = dict.fromkeys(seats, start), dict.fromkeys(seats, 0)
    left_at: dict[str, int] = {}  # the number of the game with which somebody was out
    for game in result.games:
        out = game.scharf and made.scharf == "half_out"
        taken = lives[game.loser] if out else min(1, lives[game.loser])
        lives[game.loser] -= taken
        lost[game.loser] += taken
        if not lives[game.loser]:
            left_at[game.loser] = game.number
    for name in gone:
        if name in lives and name not in left_at:
            played = [game.number for game in result.games if name in game.players]
            left_at[name] = max(played, default=0)
    staying = tuple(name for name in seats if name not in left_at)
    groups = [staying] if staying else []
    for number in sorted(set(left_at.values()), reverse=True):
        groups.append(tuple(name for name in seats if left_at.get(name) == number))
    return Outcome(
        places=tuple(groups),
        still_in=staying,
        lives=lives,
        lives_lost=lost,
        go_on=made.go_on(len(seats), kind),
    )


def outcome_by_points(
    made: Format, kind: str, seats: Sequence[str], result: TableResult, gone: Sequence[str] = ()
) -> Outcome:
    """Order a knockout table by its points; a half played scharf decides it by itself."""
    scores = table_scores(made, seats, result, missing_costs=False)
    staying = [name for name in seats if name not in gone]
    sharp = next((game for game in reversed(result.games) if game.scharf), None)
    if sharp is not None and made.scharf == "half_decides":
        half = sharp.halves[0]
        order = [*half.out, (half.loser,)]
        groups = [tuple(name for name in group if name in staying) for group in order]
        said = {name for group in groups for name in group}
        groups.append(tuple(name for name in staying if name not in said))
    else:
        keys = {name: score_key(made, scores[name]) for name in staying}
        groups = [
            tuple(name for name in staying if keys[name] == key)
            for key in sorted(set(keys.values()))
        ]
    groups.append(tuple(name for name in seats if name in gone))
    return Outcome(
        places=tuple(group for group in groups if group),
        still_in=tuple(staying),
        lives={},
        lives_lost={},
        go_on=made.go_on(len(seats), kind),
    )


def score_key(made: Format, score: Score) -> tuple[int, ...]:
    """A key that is smaller for the better score."""
    signed = -score.points if made.better == "more" else score.points
    return (signed, *(metric_key(name, score) for name in made.tie_breaks))


def metric_key(metric: str, score: Score) -> int:
    """What decides between equal points, smaller for the better: only first outs are good."""
    value: int = getattr(score, metric)
    return -value if metric == "first_outs" else value
