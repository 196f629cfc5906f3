"""The criteria of the point rounds: points, tie-breaks, Stechen, the lot; and their words."""

from collections.abc import Mapping, Sequence

from rules.tournament_chance import lot
from rules.tournament_points import Points, RoundScore
from rules.tournament_ranking import Criterion, Group, Words, against, by_key, by_playoffs
from rules.tournament_scoring import metric_key
from rules.tournament_state import TournamentState

METRIC_WORDS: Mapping[str, tuple[Words, Words]] = {
    "lost_games": (("verlorenes Spiel", "lost game"), ("verlorene Spiele", "lost games")),
    "lost_halves": (("verlorene Hälfte", "lost half"), ("verlorene Hälften", "lost halves")),
    "first_outs": (("Mal zuerst aus", "time first out"), ("Mal zuerst aus", "times first out")),
}
"""What a tie-break counts: one of it, several."""


def by_points(
    state: TournamentState, points: Mapping[str, Points], *, lots: bool
) -> Sequence[Criterion]:
    """The criteria by which the point rounds order players.

    Args:
        state: the tournament.
        points: of everybody, from `points_of`.
        lots: whether the lot decides in the end.
    """
    made = state.format
    sign = -1 if made.better == "more" else 1
    criteria = []
    if made.point_rounds:
        criteria.append(
            by_key(
                "points",
                lambda name: sign * points[name].total.points,
                told=lambda name: _points_words(state, points[name]),
            )
        )
    criteria += [_by_metric(metric, points) for metric in made.tie_breaks if made.point_rounds]
    criteria.append(
        by_key(
            "gone",
            lambda name: not state.entrants[name].here,
            decided=lambda name, ahead, behind: (
                ("schon gegangen", "gone already") if ahead else None
            ),
        )
    )
    criteria.append(by_playoffs([one for one in state.playoffs if not one.table]))
    if lots:
        seed = f"{state.seed}\nplaces"
        criteria.append(
            by_key(
                "lot",
                lambda name: lot(seed, name),
                decided=lambda name, ahead, behind: against(("Los", "lot"), ahead, behind),
            )
        )
    return criteria


def _by_metric(metric: str, points: Mapping[str, Points]) -> Criterion:
    def decided(name: str, ahead: Group, behind: Group) -> Words:
        count = getattr(points[name].total, metric)
        german, english = METRIC_WORDS[metric][count != 1]
        return against((f"{count} {german}", f"{count} {english}"), ahead, behind)

    return by_key(metric, lambda name: metric_key(metric, points[name].total), decided=decided)


def _points_words(state: TournamentState, points: Points) -> Words:
    made, total = state.format, points.total.points
    german = f"{total} {made.unit_de[abs(total) != 1]}"
    english = f"{total} {made.unit_en[abs(total) != 1]}"
    notes = [words for one in points.rounds for words in _notes(one)]
    if notes:
        german += f" ({', '.join(note[0] for note in notes)})"
        english += f" ({', '.join(note[1] for note in notes)})"
    return german, english


def _notes(one: RoundScore) -> list[Words]:
    number = one.round
    if one.struck:
        return [(f"Runde {number} gestrichen", f"round {number} struck out")]
    if one.how == "missed":
        return [(f"Runde {number} nicht gespielt", f"round {number} not played")]
    if one.how == "sat_out":
        return [(f"Runde {number} ausgesetzt", f"round {number} sat out")]
    return []
