"""The points of every player, round by round: played, missed, sat out, struck out."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from rules.tournament_format import Format
from rules.tournament_scoring import Score, score_key, table_scores
from rules.tournament_state import Round, TournamentState

How = Literal["played", "waiting", "sat_out", "missed"]


@dataclass(frozen=True, kw_only=True)
class RoundScore:
    """What a player has from a point round.

    Attributes:
        round: its number.
        score: what it counts.
        how: played; his table has not handed in yet; sat out (Springer); or missed.
        struck: it does not count, because it is among the worst.
    """

    round: int
    score: Score
    how: How
    struck: bool = False


@dataclass(frozen=True, kw_only=True)
class Points:
    """What a player has from all point rounds."""

    rounds: tuple[RoundScore, ...]

    @property
    def total(self) -> Score:
        """The sum of what counts."""
        return _sum(one.score for one in self.rounds if not one.struck)


def points_of(state: TournamentState) -> Mapping[str, Points]:
    """Return the points of everybody who has registered."""
    made, rounds = state.format, state.point_rounds
    played = [_played(made, one) for one in rounds]
    all_points = {}
    for name in state.entrants:
        scores = [
            _round_score(made, one, scores, name)
            for one, scores in zip(rounds, played, strict=True)
        ]
        scores = [_evened_out(made, at, scores, played) for at in range(len(scores))]
        all_points[name] = Points(rounds=_struck(made, scores))
    return all_points


def _played(made: Format, one: Round) -> dict[str, Score]:
    """The scores of everybody whose table has handed in."""
    scores: dict[str, Score] = {}
    for number, handed in one.handed.items():
        scores |= table_scores(made, one.tables[number - 1], handed.result)
    for name in {name for name, _ in one.moved} & scores.keys():
        scores[name] += _before_moving(made, one, name)
    return scores


def _before_moving(made: Format, one: Round, name: str) -> Score:
    """What somebody has from tables that he has left for another one.

    A game that he missed at his new table costs nothing where he played one at an earlier table.
    """
    now = one.table_of(name)
    missed = sum(1 for game in one.handed[now].result.games if name not in game.players)
    found = Score()
    for number in sorted({at for who, at in one.moved if who == name} - {now}):
        if (handed := one.handed.get(number)) is None:
            continue
        played = sum(1 for game in handed.result.games if name in game.players)
        found += table_scores(made, (name,), handed.result, missing_costs=False)[name]
        found += Score(points=-made.missed_game_points * min(played, missed))
        missed -= min(played, missed)
    return found


def _round_score(made: Format, one: Round, played: Mapping[str, Score], name: str) -> RoundScore:
    if name in played:
        return RoundScore(round=one.number, score=played[name], how="played")
    if one.table_of(name):
        return RoundScore(round=one.number, score=Score(), how="waiting")
    if name in one.sitting_out:
        return RoundScore(round=one.number, score=Score(), how="sat_out")
    return RoundScore(round=one.number, score=_missed(made, played.values()), how="missed")


def _missed(made: Format, played: Iterable[Score]) -> Score:
    """What a missed round counts: never better than zero, and with `worst` than anybody's."""
    scores = list(played)
    if made.missed_round == "average":
        return _average(scores)
    if made.missed_round == "worst":
        candidates = scores if made.better == "fewer" else [*scores, Score()]
        return max(candidates, key=lambda score: score_key(made, score), default=Score())
    return Score()


def _evened_out(
    made: Format, at: int, own: list[RoundScore], played: list[dict[str, Score]]
) -> RoundScore:
    """Give a Springer the average of his other rounds, or of the field where he has none."""
    one = own[at]
    if one.how != "sat_out" or made.sat_out == "zero":
        return one
    others = [other.score for other in own if other.how == "played"]
    return replace(one, score=_average(others or list(played[at].values())))


def _struck(made: Format, scores: list[RoundScore]) -> tuple[RoundScore, ...]:
    """Strike out the worst: as many count as the format has rounds without the struck ones."""
    done = [one for one in scores if one.how != "waiting"]
    surplus = len(done) - (made.point_rounds - made.strike_worst)
    if not made.strike_worst or surplus <= 0:
        return tuple(scores)
    by_score = sorted(done, key=lambda one: score_key(made, one.score), reverse=True)
    worst = {one.round for one in by_score[:surplus]}
    return tuple(replace(one, struck=one.round in worst) for one in scores)


def _average(scores: list[Score]) -> Score:
    """The average, each number rounded to the nearest whole one (a half up)."""
    count = len(scores)
    if not count:
        return Score()
    total = _sum(scores)
    return Score(
        points=(2 * total.points + count) // (2 * count),
        lost_games=(2 * total.lost_games + count) // (2 * count),
        lost_halves=(2 * total.lost_halves + count) // (2 * count),
        first_outs=(2 * total.first_outs + count) // (2 * count),
    )


def _sum(scores: Iterable[Score]) -> Score:
    total = Score()
    for score in scores:
        total += score
    return total
