"""Correct a result that was handed in: what moves, and what would have been drawn otherwise.

A table that was drawn stays drawn, whatever a correction says: its players have sat down. The
event tells who would have been there; the referee may draw anew what has not been played yet.
"""

from rules import tournament_actions as actions
from rules import tournament_events as events
from rules.changing import FrozenMapping, changed
from rules.tournament_drawing import Due, draw_due
from rules.tournament_handing import problem_with
from rules.tournament_knockout import next_pool
from rules.tournament_reasons import refuse
from rules.tournament_sizes import PAIR
from rules.tournament_standings import standings
from rules.tournament_state import Round, TournamentState


def decide_correction(
    state: TournamentState, action: actions.CorrectResult
) -> events.ResultCorrected:
    """Decide a correction.

    Raises:
        Refused: `reason_missing`, `not_handed_in`, `unchanged_result` or `wrong_result`.
    """
    made, words = state.format, {"round": action.round, "table": action.table}
    if not action.reason.strip():
        raise refuse(made, "reason_missing")
    one = next((one for one in state.rounds if one.number == action.round), None)
    if one is None or action.table not in one.handed:
        raise refuse(made, "not_handed_in", **words)
    handed = one.handed[action.table]
    if handed.result == action.result:
        raise refuse(made, "unchanged_result", **words)
    if problem := problem_with(made, one, action.table, action.result, handed.gone):
        raise refuse(
            made, "wrong_result", table=action.table, what_de=problem[0], what_en=problem[1]
        )
    right = changed(handed, result=action.result)
    corrected = changed(one, handed=FrozenMapping({**one.handed, action.table: right}))
    rounds = tuple(corrected if other is one else other for other in state.rounds)
    after = changed(state, rounds=rounds)
    return events.ResultCorrected(
        round=action.round,
        table=action.table,
        result=action.result,
        before=handed.result,
        by=action.by,
        reason=action.reason,
        moved=_moved(state, after),
        otherwise=_otherwise(after, action.round),
    )


def _moved(before: TournamentState, after: TournamentState) -> tuple[events.PlaceMoved, ...]:
    old = {one.player: one.place for one in standings(before)}
    return tuple(
        events.PlaceMoved(player=one.player, before=old[one.player], after=one.place)
        for one in standings(after)
        if old[one.player] != one.place
    )


def _otherwise(after: TournamentState, number: int) -> tuple[events.DrawnOtherwise, ...]:
    """Compare the knockout round that rests on a corrected one with what it would have been.

    The tables of a point round do not depend on results, and a later knockout round only on the
    one before it.
    """
    later = [one for one in after.rounds if one.number > number and one.kind != "points"]
    if not later:
        return ()
    drawn = later[0]
    before = _as_it_was(after, drawn)
    pool = next_pool(before)
    players = tuple(name for table in drawn.tables for name in table if name not in drawn.late)
    if pool.needed:
        tied = tuple(name for one in pool.needed for name in one.players)
        sure = {*pool.players, *tied}
        return (
            events.DrawnOtherwise(
                round=drawn.number,
                came_in=tuple(name for name in pool.players if name not in players),
                fell_out=tuple(name for name in players if name not in sure),
                stechen=tied,
            ),
        )
    if set(pool.players) == set(players):
        return ()
    return (
        events.DrawnOtherwise(
            round=drawn.number,
            came_in=tuple(name for name in pool.players if name not in players),
            fell_out=tuple(name for name in players if name not in pool.players),
            tables=_tables(before, drawn, pool.players),
        ),
    )


def _tables(
    before: TournamentState, drawn: Round, players: tuple[str, ...]
) -> tuple[tuple[str, ...], ...]:
    if len(players) < PAIR:
        return (players,) if players else ()
    due = Due(state=before, number=drawn.number, attempt=drawn.attempt, kind="ko", players=players)
    return draw_due(due).tables


def _as_it_was(after: TournamentState, drawn: Round) -> TournamentState:
    """The tournament when a round was drawn: who was there, which Stechen had been played."""
    entrants = {
        name: changed(one, gone_in_round=0 if name in drawn.here else one.gone_in_round or 1)
        for name, one in after.entrants.items()
    }
    return changed(
        after,
        rounds=tuple(one for one in after.rounds if one.number < drawn.number),
        playoffs=tuple(one for one in after.playoffs if one.round < drawn.number),
        entrants=FrozenMapping(entrants),
    )
